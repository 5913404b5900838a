"""Names of symbols: short, qualified and with their owner, in each way that languages write them."""

from __future__ import annotations

import pytest

from tests.projects import Project
from twine_hooks.symbol_names import as_written, is_named, owner_name, places, short_name


@pytest.mark.parametrize(
    ("qualified", "short", "owner"),
    [
        ("area", "area", ""),
        ("Shape.area", "area", "Shape"),
        ("geo::Shape::area", "area", "geo::Shape"),
        ("geo::Shape::operator std::string", "operator std::string", "geo::Shape"),
        ("geo::Shape::operator()", "operator()", "geo::Shape"),
        ("M::A::B.go", "go", "M::A::B"),
        ("operator.go", "go", "operator"),
        ("A.<init>", "<init>", "A"),
    ],
)
def test_the_parts_of_a_name(qualified, short, owner):
    assert (short_name(qualified), owner_name(qualified)) == (short, owner)


@pytest.mark.parametrize(
    "name", ["area", "Shape.area", "Shape::area", "geo::Shape::area", "geo.Shape.area"]
)
def test_a_name_may_be_typed_in_each_way(name):
    assert is_named("geo::Shape::area", name)
    assert not is_named("geo::Shape::area", name[1:])


def test_a_constructor_is_named_as_its_type():
    assert as_written("A.B.<init>") == "A.B.B"
    assert as_written("A.go") == "A.go"


def test_a_place_is_read_in_all_ways():
    assert list(places("a.cc::geo::Shape")) == [("a.cc", "geo::Shape"), ("a.cc::geo", "Shape")]
    assert list(places("area")) == []


FILES = """
-- shape.h --
namespace geo {
class Shape { public: int area() { return 1; } };
class Square : public Shape { public: int side(); };
}
-- shape.cc --
#include "shape.h"
namespace geo {
int Square::side() { return area(); }
int run() { Square s; return s.area(); }
}
-- lib.rs --
pub mod m {
    pub trait T { fn t(&self) -> i32 { 1 } }
    pub struct S;
    impl T for S {}
    impl S { pub fn go(&self) -> i32 { self.t() } }
}
pub fn f() -> i32 { m::S.go() }
-- p.go --
package p

type S struct{ x int }

func (s *S) Run() int { return s.x }
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("names") / "p", FILES)


@pytest.mark.parametrize(
    "name", ["Shape::area", "geo.Shape.area", "shape.h::area", "shape.h::geo::Shape::area"]
)
def test_symbols_of_languages_with_colons_are_found(project, name):
    found = project.tool("callers", name, "--json").json
    assert "geo::run" in [one["name"] for one in found]


def test_methods_belong_to_their_type_wherever_they_stand(project):
    graph = {}
    for name in ("m::S", "p.go::S"):
        graph[name] = project.tool("impact", name, "--json").json
    assert [one["name"] for one in graph["m::S"]][-1] == "f"  # by its method
    unused = {one["name"] for one in project.tool("unused", "--json").json}
    assert "m::S" not in unused
    assert "S" in unused  # only its own method uses it


def test_a_class_inherits_in_each_language_and_a_module_never(project):
    [found] = [
        one
        for one in project.tool("callers", "geo::Shape", "--json").json
        if one["edge"] != "references"
    ]
    assert (found["name"], found["edge"]) == ("geo::Square", "inherits_from")
    assert "inherits_from" not in [
        one["edge"] for one in project.tool("callers", "m::T", "--json").json
    ]
