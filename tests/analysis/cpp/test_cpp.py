"""C++: cases from reports, classes and namespaces, interface and meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.check import cases, check_case, check_change, facts_of, links_of

HERE = Path(__file__).parent


@pytest.mark.parametrize("case", list(cases(HERE)), ids=lambda case: case["id"])
def test_case(case):
    check_case(case)


SHAPES = """\
#pragma once
namespace geo {
class Shape { public: virtual double area() const; void move(int by); int id; };
class Square : public Shape { public: Square(int s); double area() const; static Square* Make(); struct Corner { int x; }; };
int count();
namespace fast { int count(); }
template <class T> T twice(T a) { return a + a; }
enum class Color { RED };
enum Size { SMALL };
}
"""
SOURCE = """\
#include "shapes.h"
namespace geo {
Square::Square(int s) { id = s; }
double Square::area() const { move(1); return 1; }
Square* Square::Make() { return new Square(1); }
void Shape::move(int by) { id += by; }
int count() { return 0; }
}
"""

NAMES = {
    "a member defined out of line": ("int f(geo::Square s) { return s.area(); }",
        [("shapes.h", "geo::Square::area"), ("shapes.cc", "geo::Square::area"), ("shapes.h", "geo::Square")], []),
    "a member of the base": ("int f(geo::Square* s) { s->move(2); return s->id; }",
        [("shapes.cc", "geo::Shape::move"), ("shapes.h", "geo::Shape::id")], []),
    "a static member and auto": ("int f() { auto s = geo::Square::Make(); return s->id; }",
        [("shapes.cc", "geo::Square::Make"), ("shapes.h", "geo::Shape::id")], []),
    "a nested class": ("int f(geo::Square::Corner c) { return c.x; }",
        [("shapes.h", "geo::Square::Corner"), ("shapes.h", "geo::Square::Corner::x")], []),
    "a function of a namespace": ("int f() { return geo::count(); }",
        [("shapes.h", "geo::count"), ("shapes.cc", "geo::count")], [("shapes.h", "geo::fast::count")]),
    "of an inner namespace": ("int f() { return geo::fast::count(); }",
        [("shapes.h", "geo::fast::count")], [("shapes.h", "geo::count")]),
    "templates": ("int f() { return geo::twice<int>(1); }", [("shapes.h", "geo::twice")], []),
    "through a smart pointer": ("int f(std::unique_ptr<geo::Shape> s) { return s->id; }",
        [("shapes.h", "geo::Shape::id")], []),
    "elements of a container": ("int f(std::vector<geo::Shape>& all) { for (auto& s : all) s.move(1); }",
        [("shapes.cc", "geo::Shape::move")], []),
    "enumerators": ("int f() { return geo::SMALL + int(geo::Color::RED); }",
        [("shapes.h", "geo::SMALL"), ("shapes.h", "geo::Color::RED")], []),
    "a member of the own class": ("struct Mine : geo::Shape { int g() { return id; } };",
        [("shapes.h", "geo::Shape::id")], []),
    "std has its own": ("int f(std::string s) { return s.count() + std::count(s); }", [], [("shapes.h", "geo::count")]),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names(name):
    text, wanted, avoided = NAMES[name]
    files = {"shapes.h": SHAPES, "shapes.cc": SOURCE, "a.cc": f'#include "shapes.h"\n{text}\n'}
    used = {(one.target, one.symbol) for one in links_of(files)["a.cc"].uses}
    assert set(wanted) - used == set()
    assert set(avoided) & used == set()


def test_uses_inside_an_implementation():
    used = {
        (one.target, one.symbol)
        for one in links_of({"shapes.h": SHAPES, "shapes.cc": SOURCE})["shapes.cc"].uses
    }
    assert ("shapes.h", "geo::Square") in used
    assert ("shapes.h", "geo::Shape::id") in used
    assert ("shapes.cc", "geo::Shape::move") in used
    assert ("shapes.h", "geo::Shape::move") not in used


def test_anonymous_namespaces_stay_inside():
    facts = facts_of("a.cc", "namespace { int hidden; }\nint seen;\n")
    assert [(one.name, one.public) for one in facts.definitions] == [
        ("hidden", False),
        ("seen", True),
    ]


def test_definitions():
    facts = facts_of(
        "a.h",
        """\
#pragma once
namespace ns {
/// A thing.
/// Two lines.
template <typename T>
class API Thing final : public Base<T>, private ns2::Other {
 public:
  explicit Thing(int a);
  ~Thing();
  bool operator==(const Thing& o) const { return a_ == o.a_; }
  operator bool() const;
  template <class U> U as() const;
  using Id = int;
  friend class Maker;
 private:
  int a_ GUARDED_BY(mu_) = 0, *b_;
  enum Kind { kA, kB };
};
using Name = std::string;
constexpr int kLimit = 3;
}
""",
    )
    found = {one.qualified: one for one in facts.definitions}
    assert {name: one.kind for name, one in found.items()} == {
        "ns": "namespace", "ns::Thing": "class", "ns::Thing::Thing": "constructor", "ns::Thing::~Thing": "method",
        "ns::Thing::operator==": "method", "ns::Thing::operator bool": "method", "ns::Thing::as": "method",
        "ns::Thing::Id": "type", "ns::Thing::a_": "field", "ns::Thing::b_": "field", "ns::Thing::Kind": "enum",
        "ns::Thing::kA": "enumerator", "ns::Thing::kB": "enumerator", "ns::Name": "type", "ns::kLimit": "constant",
    }  # fmt: skip
    thing = found["ns::Thing"]
    assert thing.doc == "A thing.\nTwo lines."
    assert thing.bases == ("Base<T>", "ns2::Other")
    assert thing.signature.startswith("template <typename T> class API Thing")
    assert not facts.has_errors


CHANGES = [
    ("body", "int C::f() { return 1; }\n", "int C::f() { return 2; }\n", False, True),
    ("body in the class", "struct C { int f() { return 1; } };\n", "struct C { int f() { return 2; } };\n", True, True),
    ("template", "template <class T> T f(T a) { return a; }\n", "template <class T> T f(T a) { return -a; }\n", True, True),
    ("parameter of a template", "template <class T> void f() {}\n", "template <int T> void f() {}\n", True, True),
    ("default value", "int f(int a = 1);\n", "int f(int a = 2);\n", True, True),
    ("base", "class A : public B {};\n", "class A : public C {};\n", True, True),
    ("visibility", "class A { public: int f(); };\n", "class A { private: int f(); };\n", True, True),
    ("attribute", "int f();\n", "[[nodiscard]] int f();\n", True, True),
    ("constant", "constexpr int a = 1;\n", "constexpr int a = 2;\n", True, True),
    ("doc comment", "/// One.\nint f();\n", "/// Two.\nint f();\n", True, True),
    ("plain comment", "int f();\n", "// One.\nint f(/* no */);\n", False, False),
    ("reformat", "class A{public:int f();};\n", "class A {\n public:\n  int f();\n};\n", False, False),
    ("in a namespace", "namespace n { int f() { return 1; } }\n", "namespace n { int f() { return 2; } }\n", False, True),
    ("signature in a namespace", "namespace n { int f(); }\n", "namespace n { int f(int); }\n", True, True),
    ("order in a namespace", "namespace n { int f(); int g(); }\n", "namespace n { int g(); int f(); }\n", False, True),
    ("hidden", "namespace { int f() { return 1; } }\n", "namespace { int f(int) { return 1; } }\n", False, True),
    ("raw string", 'auto s = R"(a  b)";\n', 'auto s = R"(a b)";\n', True, True),
]  # fmt: skip


@pytest.mark.parametrize("row", CHANGES, ids=lambda row: row[0])
def test_interface_and_meaning(row):
    _, before, after, interface, meaning = row
    check_change("x.cc", before, after, interface=interface, meaning=meaning)


ACCESS = """\
class A {
  using hidden_type = int;
  struct In { int shown; private: int hidden_one; };
  int hidden_field;
 public:
  A();
  struct Out { int shown_too; private: int hidden_two; };
  int field;
 protected:
  int kept;
 private:
  void hidden_function();
};
struct S { int open; private: int hidden_three; };
"""


def test_private_members_are_not_public():
    public = {one.name for one in facts_of("a.hpp", ACCESS).definitions if one.public}
    assert public == {"A", "Out", "shown_too", "field", "kept", "S", "open"}


def test_a_macro_before_a_constructor_hides_nothing():
    text = """\
class Key {
 public:
  /** From letters. */
  template<int N>
  // NOLINTNEXTLINE
  API_INLINE Key(const char (&text)[N]) noexcept
      : size{N} { for(; text[size]; ++size) {} }
  int size;
};
"""
    facts = facts_of("a.hpp", text)
    assert [(one.qualified, one.kind, one.doc) for one in facts.definitions] == [
        ("Key", "class", ""),
        ("Key::Key", "constructor", "From letters."),
        ("Key::size", "field", ""),
    ]
    assert facts.definitions[1].signature.startswith("template <int N> Key(const char (&text)[N])")


def test_what_a_function_returns_is_no_member():
    files = {
        "a.hpp": "template<class T> auto f(T x) noexcept -> T;\nauto g() -> int { return 1; }\n",
        "b.hpp": '#include "a.hpp"\nstruct B { int T; int x; };\nint h(B *b) { return b -> x; }\n',
    }
    links = links_of(files)
    assert "B::x" in {one.symbol for one in links["b.hpp"].uses}
    assert not links["a.hpp"].uses
