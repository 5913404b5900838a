"""What the sections of facts and the outline say of definitions, in several languages."""

from __future__ import annotations

import pytest

from tests.generation.materials import boxes, facts_of
from twine_hooks.generation.facts_sections import definitions
from twine_hooks.providers.outline import outline


def material(path, text):
    return boxes()._replace(path=path, facts=facts_of(path, text), dependencies=())


def listed(path, text):
    return definitions(material(path, text)).splitlines()


def summary(path, text):
    return outline(material(path, text))["summary"].partition("\n")[0]


RUST = """\
struct Hidden;
#[derive(Debug)]
pub struct Point { pub x: u8 }
impl Hidden { pub fn no(&self) {} }
impl Point {
    /// Makes one.
    #[inline]
    pub fn new() -> Point { Point { x: 1 } }
}
impl fmt::Debug for Point { fn fmt(&self) -> u8 { const N: u8 = 1; N } }
impl Other { pub fn far(&self) {} }
pub fn free() {}
"""


def test_methods_stand_in_the_type_that_they_belong_to():
    assert listed("a.rs", RUST) == [
        "- `#[derive(Debug)] pub struct Point`",
        "  - `pub x: u8`",
        "  - `#[inline] pub fn new() -> Point`: Makes one.",
        "  - `fn fmt(&self) -> u8`",
        "- `pub fn free()`",
        "- Members of `Other`",
        "  - `pub fn far(&self)`",
    ]
    assert summary("a.rs", RUST) == "Defines function `free`; method `Other::far`; struct `Point`."


def test_methods_whose_head_names_the_type_stand_for_themselves():
    go = "package a\n\n// T is one.\ntype T struct{}\n\nfunc (t *T) Do() {}\n"
    assert listed("a.go", go) == ["- `type T struct`: T is one.", "- `func (t *T) Do()`"]


VALUES = [
    ("a.ts", "export class A { a?: true | ((x: string) => void); b: () => number = f }", "a?: true | ((x: string) => void)"),
    ("a.ts", "export class A { b: (x: A) => number = f }", "b: (x: A) => number"),
    ("a.py", "URL: Callable[[int], str] = 'secret'", "URL: Callable[[int], str]"),
    ("a.py", "LIMIT = 3", "LIMIT = 3"),
    ("a.hpp", 'const std::string key{"secret"};', "const std::string key"),
    ("a.hpp", "template<int A> constexpr enable_if_t<A == 1, int> two = f(A);", "template <int A> constexpr enable_if_t<A == 1, int> two"),
    ("a.h", '#define KEY(x) "secret" x', "#define KEY(x)"),
    ("a.h", "#define ONE 1", "#define ONE 1"),
    ("a.go", 'package a\nvar Key = "secret"\n', "var Key"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "head"), VALUES)
def test_of_values_types_are_shown_and_no_texts(path, text, head):
    lines = listed(path, text)
    assert any(line.strip() == f"- `{head}`" for line in lines), lines
    assert "secret" not in "".join(lines)


def test_what_is_declared_together_is_listed_once():
    assert listed("a.h", "struct s { int r, g, b; };") == ["- `struct s`", "  - `int r, g, b`"]


def test_attributes_are_written_as_in_their_language():
    assert listed("a.cs", "public class A { [Pure, Old] public void F() {} }")[1] == (
        "  - `[Pure] [Old] public void F()`"
    )


def test_a_local_value_does_not_end_the_head_of_the_function_around_it():
    go = "package a\n\nfunc Do(x int) {\n\ty := &T{A: 1}\n\tvar f func() = y.f\n\tf()\n}\n"
    assert listed("a.go", go) == ["- `func Do(x int)`"]


def test_namespaces_are_named_by_what_they_hold():
    assert summary("a.hpp", "namespace a { namespace b { class C {}; } void f(); }") == (
        "Defines class `a::b::C`; function `a::f`."
    )
    assert summary("a.rb", "module A\n  # Counts.\n  class B\n  end\nend\n") == (
        "Defines class `A::B`: Counts."
    )


def test_a_doc_comment_keeps_its_lists_titles_and_code():
    doc = '"""First.\n\nTitle\n-----\n\n- one *x*\n- two\n  more\n\n```py\na\n\nb\n```\n"""\n'
    text = outline(material("a.py", doc))["overview"]
    assert text == "**Title**\n\n- one \\*x\\*\n- two more\n\n```py\na\n\nb\n```"


@pytest.mark.parametrize("path", ["a.rs", "a.hpp", "a.ts", "a.java"])
def test_a_list_in_a_comment_without_stars_stays_one(path):
    mark = {"a.rs": "/*!", "a.hpp": "/** @file"}.get(path, "/**")
    item = "* `one`\n* `two`\n"
    text = f"{mark}\nFirst.\n\n{item}*/\n"
    text += {"a.java": "package a;\n", "a.ts": "import './b'\n"}.get(path, "\n")
    assert facts_of(path, text).doc.endswith("* `one`\n* `two`")
