"""Rust: facts of single files, what changes what, and where names lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.check import cases, check, check_case, check_change, facts_of

CASES = list(cases(Path(__file__).parent))


@pytest.mark.parametrize("case", CASES, ids=[str(one["id"]) for one in CASES])
def test_case(case):
    check_case(case)


SHAPES = """//! Shapes.
//!   Indented.
#![allow(dead_code)]

/// A shape.
/// Two lines.
#[derive(Debug, Clone)]
pub struct Shape<T: Area> {
    /// Its name.
    pub name: String,
    parts: Vec<T>,
}
pub struct Point(pub u8, u8);
pub enum Kind { Flat, Round(u8), Other { n: u8 } }
pub trait Area: Base + Named {
    type Unit;
    const SIDES: usize;
    /// Size.
    fn area(&self, unit: u8) -> f64 { 1.0 }
}
impl<T: Area> Shape<T> {
    pub fn new(name: String) -> Self { struct Local; fn inner() {} Shape { name, parts: vec![] } }
    fn hidden(&self) {}
}
impl Area for Point { fn area(&self, unit: u8) -> f64 { 2.0 } }
macro_rules! shape { ($n:expr) => { Shape::new($n) } }
pub const MAX: u8 = 1;
static mut COUNT: u8 = 0;
type Pair<T> = (T, T);
mod inner { //! Inside.
    pub fn f() {} }
"""


def test_definitions():
    facts = facts_of("src/shape.rs", SHAPES)
    assert not facts.has_errors
    assert facts.doc == "Shapes.\n  Indented."
    assert [(one.qualified, one.kind, one.public) for one in facts.definitions] == [
        ("Shape", "struct", True),
        ("Shape::name", "field", True),
        ("Shape::parts", "field", False),
        ("Point", "struct", True),
        ("Kind", "enum", True),
        ("Kind::Flat", "enumerator", True),
        ("Kind::Round", "enumerator", True),
        ("Kind::Other", "enumerator", True),
        ("Kind::Other::n", "field", True),
        ("Area", "trait", True),
        ("Area::Unit", "type", True),
        ("Area::SIDES", "constant", True),
        ("Area::area", "method", True),
        ("Shape::new", "method", True),
        ("Shape::hidden", "method", False),
        ("Point::area", "method", True),
        ("shape", "macro", False),
        ("MAX", "constant", True),
        ("COUNT", "variable", False),
        ("Pair", "type", False),
        ("inner", "module", False),
        ("inner::f", "function", False),
    ]
    by_name = {one.qualified: one for one in facts.definitions}
    shape = by_name["Shape"]
    assert shape.doc == "A shape.\nTwo lines."
    assert shape.decorators == ("#[derive(Debug, Clone)]",)
    assert shape.signature == "pub struct Shape<T: Area>"
    assert by_name["Area"].bases == ("Base", "Named")
    assert by_name["Area::area"].doc == "Size."
    assert by_name["Shape::name"].doc == "Its name."
    assert by_name["Shape::new"].signature == "pub fn new(name: String) -> Self"
    assert by_name["MAX"].signature == "pub const MAX: u8"
    assert by_name["inner"].doc == "Inside."


def test_imports():
    text = "extern crate foo as bar;\npub use a::{self, B as C, d::{E, *}};\nuse ::std::io;\nuse x as _;\nmod m;\n"
    assert [
        (one.module, one.name, one.alias, one.kind) for one in facts_of("a.rs", text).imports
    ] == [
        ("::foo", "", "bar", "import"),
        ("a", "", "a", "reexport"),
        ("a", "B", "C", "reexport"),
        ("a::d", "*", "", "reexport"),
        ("a::d", "E", "E", "reexport"),
        ("::std", "io", "io", "import"),
        ("x", "", "", "import"),
        ("self::m", "", "m", "module"),
    ]


#: (before, after, the interface changes, the meaning changes)
CHANGES = [
    ("pub fn f() -> u8 { 1 }", "pub fn f() -> u8\n{\n    1\n}", False, False),
    ("pub fn f() -> u8 { 1 }", "pub fn f() -> u8 { /* x */ 1 } // y", False, False),
    ("pub fn f(a: u8, b: u8) {}", "pub fn f(\n    a: u8,\n    b: u8,\n) {}", False, False),
    ("pub struct A { pub b: u8 }", "pub struct A {\n    pub b: u8,\n}", False, False),
    ("pub enum A { B, C }", "pub enum A {\n    B,\n    C,\n}", False, False),
    ("pub fn f() -> u8 { 1 }", "pub fn f() -> u8 { 2 }", False, True),
    ("pub fn f() -> u8 { 1 }", "pub fn f() -> u16 { 1 }", True, True),
    ("pub fn f(a: u8) {}", "pub fn f(a: u16) {}", True, True),
    ("pub fn f(a: u8) {}", "pub fn f(b: u8) {}", True, True),
    ("pub fn f<T: A>() {}", "pub fn f<T: B>() {}", True, True),
    ("pub fn f<T>() where T: A {}", "pub fn f<T>() where T: B {}", True, True),
    ("fn f() {}", "pub fn f() {}", True, True),
    ("pub fn f() {}", "pub(crate) fn f() {}", True, True),
    ("pub fn f() {}", "#[inline]\npub fn f() {}", True, True),
    ("#[derive(A)]\npub struct S;", "#[derive(B)]\npub struct S;", True, True),
    ("pub struct S { pub a: u8 }", "pub struct S { pub a: u16 }", True, True),
    ("pub struct S { a: u8 }", "pub struct S { a: u16 }", False, True),
    ("pub struct S(u8);", "pub struct S(u16);", True, True),
    ("pub enum A { B }", "pub enum A { B, C }", True, True),
    ("pub enum A { B(u8) }", "pub enum A { B(u16) }", True, True),
    ("pub trait A: B {}", "pub trait A: C {}", True, True),
    ("pub trait A { fn f(&self); }", "pub trait A { fn f(&mut self); }", True, True),
    ("pub trait A { fn f(&self) { a() } }", "pub trait A { fn f(&self) { b() } }", False, True),
    ("pub const A: u8 = 1;", "pub const A: u8 = 2;", True, True),
    ("const A: u8 = 1;", "const A: u8 = 2;", False, True),
    ("/// a\npub fn f() {}", "/// b\npub fn f() {}", True, True),
    ("/// a\npub fn f() {}", "/** a */\npub fn f() {}", False, False),
    ("// a\npub fn f() {}", "// b\npub fn f() {}", False, False),
    ("pub fn f() {}\npub fn g() {}", "pub fn g() {}\npub fn f() {}", False, True),
    ('pub const A: &str = "a b";', 'pub const A: &str = "a  b";', True, True),
    ("use a::b;", "use a::c;", False, True),
    ("impl A { pub fn f() {} }", "impl A { pub fn f(&self) {} }", True, True),
    ("impl A { fn f() {} }", "impl A { fn f(&self) {} }", False, True),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "interface", "meaning"), CHANGES)
def test_change(before, after, interface, meaning):
    check_change("a.rs", before, after, interface=interface, meaning=meaning)


# --- names ---------------------------------------------------------------------------------------

Q = {
    "Cargo.toml": '[package]\nname = "m"\nedition = "2021"\n',
    "src/lib.rs": "mod p;\npub mod q;\npub mod r;\n",
    "src/q.rs": "use crate::r::C;\npub struct B { pub c: C, pub cs: Vec<C>, pub o: Option<C> }\npub struct W(pub C);\npub enum E { One(C), Two { c: C } }\nimpl B {\n    pub fn new() -> Self { todo!() }\n    pub fn make(&self, n: u8) -> Result<C, String> { todo!() }\n    pub fn pair(&self) -> (u8, C) { todo!() }\n}\npub fn give() -> Box<B> { todo!() }\n",
    "src/r.rs": "pub struct C { pub size: u8 }\nimpl C { pub fn go(&self) -> u8 { self.size } }\n",
}


@pytest.mark.parametrize(
    ("body", "symbols"),
    [
        ("fn f(b: &B) -> u8 { b.make(1).unwrap().go() }", ["B::make", "C::go"]),
        ("fn f(b: &B) -> Result<u8, String> { let c = b.make(1)?; Ok(c.go()) }", ["B::make", "C::go"]),
        ("fn f() { let b = B::new(); let c = &b.c; c.go(); }", ["B::new", "B::c", "C::go"]),
        ("fn f(b: B) { for c in &b.cs { c.go(); } }", ["B::cs", "C::go"]),
        ("fn f(b: B) { for c in b.cs.iter() { c.go(); } }", ["B::cs", "C::go"]),
        ("fn f(b: B) { if let Some(c) = &b.o { c.go(); } }", ["B::o", "C::go"]),
        ("fn f(b: B) { if let Some(ref c) = b.o { c.go(); } }", ["B::o", "C::go"]),
        ("fn f(b: B) { match b.o { Some(c) => c.go(), None => 1 }; }", ["C::go"]),
        ("fn f(b: B) { let (_, c) = b.pair(); c.go(); }", ["B::pair", "C::go"]),
        ("fn f(b: B) { let B { c, .. } = b; c.go(); }", ["B::c", "C::go"]),
        ("fn f(b: B) { let B { c: x, .. } = b; x.go(); }", ["B::c", "C::go"]),
        ("fn f(e: E) { match e { E::One(c) => c.go(), E::Two { c } => c.go() }; }", ["E::One", "E::Two::c", "C::go"]),
        ("fn f(W(c): W) { c.go(); }", ["W", "C::go"]),
        ("fn f(w: W) { w.0.go(); }", ["C::go"]),
        ("fn f() { give().c.go(); }", ["give", "B::c", "C::go"]),
        ("fn f(b: std::rc::Rc<B>) { b.c.go(); }", ["B::c", "C::go"]),
        ("struct S { b: B } impl S { fn f(&self) { self.b.c.go(); } }", ["C::go"]),
        ("fn f() { let h = |b: &B| b.c.go(); }", ["C::go"]),
        ("type A = B; fn f(a: A) { a.c.go(); }", ["B::c", "C::go"]),
        ("struct G<T> { t: T } fn f(g: G<B>) { g.t.c.go(); }", ["C::go"]),
        ("fn f(b: B) { (b.c).go(); println!(\"{}\", b.c.go()); }", ["C::go"]),
        ("fn f(b: B) { b.cs[0].go(); }", ["C::go"]),
        ("fn f(x: Option<B>) { let Some(b) = x else { return }; b.c.go(); }", ["C::go"]),
        ("fn f() { let x: B = todo!(); x.c.go(); }", ["B::c", "C::go"]),
        ("fn f(b: B) { let m = B::make; m(&b, 1); }", ["B::make"]),
        ("fn f() -> B { B { c: todo!(), cs: vec![], o: None } }", ["B::c", "B::cs"]),
        ("fn f(b: B) { let c = b.c; { let c = 1; c.go(); } }", ["B::c"]),
    ],
)  # fmt: skip
def test_symbols(body, symbols):
    found = check(
        {**Q, "src/p.rs": f"use crate::q::*;\n{body}\n"},
        edges=[
            *(("src/lib.rs", f"src/{one}.rs") for one in "pqr"),
            ("src/p.rs", "src/q.rs"),
            ("src/q.rs", "src/r.rs"),
        ],
        optional=[("src/p.rs", "src/r.rs")],
        symbols=[
            ("src/p.rs", "src/r.rs" if one.startswith("C::") else "src/q.rs", one)
            for one in symbols
        ],
    )
    assert not any(one.unresolved for one in found.values())
    if "C::go" not in symbols:
        assert "src/r.rs" not in {edge.target for edge in found["src/p.rs"].edges}


def test_what_leads_nowhere_is_told():
    found = check(
        {
            **Q,
            "src/p.rs": "mod gone;\nuse crate::q::Lost;\nuse other::X;\nfn f() { crate::q::no(); }\n",
        },
        edges=[
            *(("src/lib.rs", f"src/{one}.rs") for one in "pqr"),
            ("src/q.rs", "src/r.rs"),
            ("src/p.rs", "src/q.rs"),
        ],
    )
    assert {one.text for one in found["src/p.rs"].unresolved} == {
        "mod gone",
        "crate::q::Lost",
        "crate::q::no",
    }


def test_a_line_of_slashes_takes_no_time():
    text = f"fn f() {{ a\n{'/' * 200}\n; b.c /* {'*' * 200} */ }}\n"
    assert {one.chain for one in facts_of("a.rs", text).references} == {"a", "b.c"}


def test_names_passed_on_without_end_are_no_fault():
    uses = "".join(f"use self::a{number} as a{number + 1};\n" for number in range(2000))
    grown = "struct G<T> { x: Box<G<(T, T)>> }\nfn f(g: G<u8>) { g" + ".x" * 200 + "; }\n"
    check({"src/lib.rs": f"{uses}fn a0() {{}}\n{grown}fn g() {{ a2000(); }}\n"})
