"""Go: facts of single files, what changes what, and where names lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.check import cases, check, check_case, check_change, facts_of

CASES = list(cases(Path(__file__).parent))


@pytest.mark.parametrize("case", CASES, ids=[str(one["id"]) for one in CASES])
def test_case(case):
    check_case(case)


SHAPES = """// Copyright.

// Package geo has shapes.
//   Indented.
package geo

import (
	"fmt"
	u "example.com/m/unit"
	. "example.com/m/dots"
	_ "example.com/m/loaded"
	"gopkg.in/yaml.v3"
	"example.com/m/v2"
)

// Kind is one of those below.
type Kind int

// The kinds.
const (
	Flat Kind = iota // not round
	Round
	side, Corner = 1, 2
)

var a, B = 1, "x"

// A Shape has an area.
//
//go:generate stringer
type Shape struct {
	*Base
	u.Unit
	// Its name.
	Name, title string `json:"n"`
}

type (
	// Areaer is old.
	Areaer interface {
		fmt.Stringer
		// Area is its size.
		Area(unit int) (float64, error)
	}
	Alias = u.Unit
	List[T any] []T
)

// Area of it.
func (s *Shape) Area(unit int) (float64, error) {
	type local struct{ x int }
	const c = 1
	return func() (float64, error) { return 1, nil }()
}

func (l List[T]) Len() int { return len(l) }

func New(name string, more ...int) *Shape { return &Shape{Name: name} }
"""


def test_definitions():
    facts = facts_of("geo/shape.go", SHAPES)
    assert not facts.has_errors
    assert (facts.namespace, facts.doc) == ("geo", "Package geo has shapes.\n  Indented.")
    assert [(one.qualified, one.kind, one.public) for one in facts.definitions] == [
        ("Kind", "type", True),
        ("Flat", "constant", True),
        ("Round", "constant", True),
        ("side", "constant", False),
        ("Corner", "constant", True),
        ("a", "variable", False),
        ("B", "variable", True),
        ("Shape", "struct", True),
        ("Shape.Base", "field", True),
        ("Shape.Unit", "field", True),
        ("Shape.Name", "field", True),
        ("Shape.title", "field", False),
        ("Areaer", "interface", True),
        ("Areaer.Area", "method", True),
        ("Alias", "type", True),
        ("List", "type", True),
        ("Shape.Area", "method", True),
        ("List.Len", "method", True),
        ("New", "function", True),
    ]
    by_name = {one.qualified: one for one in facts.definitions}
    shape, area = by_name["Shape"], by_name["Shape.Area"]
    assert (shape.doc, shape.signature) == ("A Shape has an area.", "type Shape struct")
    assert shape.bases == ("Base", "u.Unit")
    assert area.signature == "func (s *Shape) Area(unit int) (float64, error)"
    assert (area.doc, area.parent) == ("Area of it.", -1)
    assert by_name["Areaer"].doc == "Areaer is old."
    assert by_name["Areaer"].bases == ("fmt.Stringer",)
    assert by_name["Areaer.Area"].doc == "Area is its size."
    assert by_name["Shape.Name"].doc == "Its name."
    assert by_name["Flat"].doc == "The kinds."
    assert by_name["New"].signature == "func New(name string, more ...int) *Shape"


def test_imports():
    assert [
        (one.module, one.name, one.alias, one.kind) for one in facts_of("a.go", SHAPES).imports
    ] == [
        ("fmt", "", "fmt", "import"),
        ("example.com/m/unit", "", "u", "import"),
        ("example.com/m/dots", "*", "", "import"),
        ("example.com/m/loaded", "", "", "blank"),
        ("gopkg.in/yaml.v3", "", "yaml", "import"),
        ("example.com/m/v2", "", "m", "import"),
    ]


#: (before, after, the interface changes, the meaning changes)
CHANGES = [
    ("func F() int { return 1 }", "func F() int {\n\treturn 1\n}\n", False, False),
    ("func F() int { return 1 }", "func F() int { /* x */ return 1 } // y\n", False, False),
    ("var a = []int{1, 2}", "var a = []int{\n\t1,\n\t2,\n}", False, False),
    ("func F(a int, b int) {}", "func F(\n\ta int,\n\tb int,\n) {\n}", False, False),
    ("func F() int { return 1 }", "func F() int { return 2 }", False, True),
    ("func F() int { return 1 }", "func F() int64 { return 1 }", True, True),
    ("func F(a int) {}", "func F(a string) {}", True, True),
    ("func F(a int) {}", "func F(b int) {}", True, True),
    ("func F(a []int) {}", "func F(a ...int) {}", True, True),
    ("func F() {}", "func f() {}", True, True),
    ("func f() {}", "func g() {}", False, True),
    ("type T struct{ A int }", "type T struct{ A int64 }", True, True),
    ("type T struct{ A int }", "type T struct{ A int `x:\"y\"` }", True, True),
    ("type T struct{ *A }", "type T struct{ B }", True, True),
    ("type T struct{ A, B int }", "type T struct{ A, B, C int }", True, True),
    ("type T int\nfunc (t T) F() {}", "type T int\nfunc (t *T) F() {}", True, True),
    ("type T[P any] struct{}", "type T[P comparable] struct{}", True, True),
    ("type I interface{ F() }", "type I interface{ F(); G() }", True, True),
    ("const A = 1", "const A = 2", True, True),
    ("const a = 1", "const a = 2", False, True),
    ("const (\n\tA = iota\n\tB\n)", "const (\n\tB = iota\n\tA\n)", True, True),
    ("const (\n\ta = iota\n\tB\n)", "const (\n\ta = iota\n\tc\n\tB\n)", True, True),
    ("// a\nfunc F() {}", "// b\nfunc F() {}", True, True),
    ("func F() {}", "func F() {\n\t// a\n}", False, False),
    ("// a\n\nfunc F() {}", "// b\n\nfunc F() {}", False, False),
    ("func F() {}", "//go:noinline\nfunc F() {}", True, True),
    ("func F() {}\nfunc G() {}", "func G() {}\nfunc F() {}", False, True),
    ('var A = "a b"', 'var A = "a  b"', True, True),
    ('import "a"', 'import "b"', False, True),
    ("func F() {\n\ta()\n\tb()\n}", "func F() { a(); b() }", False, False),
    ("func F() { a(b) }", "func F() { a\n(b) }", False, True),
    ("type T struct{ A; B C }", "type T struct {\n\tA\n\tB C\n}", False, False),
    ("const (\n\tA\n\tB = 1\n)", "const (\n\tA B = 1\n)", True, True),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "interface", "meaning"), CHANGES)
def test_change(before, after, interface, meaning):
    check_change(
        "a.go",
        f"package p\n{before}\n",
        f"package p\n{after}\n",
        interface=interface,
        meaning=meaning,
    )


def test_each_of_several_names_is_a_definition():
    text = (
        "package p\n\nconst A, B, C = 1, 2, 3\n\nvar D, E, F int\n\ntype T struct{ G, H, I int }\n"
    )
    assert [one.name for one in facts_of("a.go", text).definitions] == [*"ABCDEFTGHI"]


def test_an_inserted_constant_changes_those_that_count_behind_it():
    before, after = (
        {one.name: one for one in facts_of("a.go", f"package p\nconst (\n{text}\n)\n").definitions}
        for text in ("A = iota\nB", "A = iota\nX\nB")
    )
    assert before["A"].interface == after["A"].interface
    assert before["B"].interface != after["B"].interface
    assert before["B"].meaning != after["B"].meaning


# --- names ---------------------------------------------------------------------------------------

MOD = {"go.mod": "module example.com/m\n\ngo 1.22\n"}
Q = {
    "q/q.go": 'package q\n\nimport "example.com/m/r"\n\ntype B struct {\n\tC *r.C\n\tCs []*r.C\n\tBy map[string]r.C\n\tf func() *r.C\n}\n\nfunc (b *B) Make(n int) (*r.C, error) { return b.C, nil }\nfunc (b B) Each() <-chan *r.C { return nil }\n',
    "q/new.go": "package q\n\nfunc New() *B { return &B{} }\nfunc Two() (int, *B) { return 1, New() }\n",
    "r/r.go": "package r\n\ntype C struct{ Size int }\n\nfunc (c C) Go() int { return 1 }\n",
}


@pytest.mark.parametrize(
    ("body", "symbols"),
    [
        ("func f(b q.B) { c, err := b.Make(1); _ = err; c.Go() }", ["B.Make", "C.Go"]),
        ("func f() { q.New().C.Go() }", ["New", "B.C", "C.Go"]),
        ("func f() { x := q.New(); y := x.C; y.Go() }", ["New", "B.C", "C.Go"]),
        ("func f() { _, b := q.Two(); b.C.Go() }", ["Two", "C.Go"]),
        ("func f(b *q.B) { for _, c := range b.Cs { c.Go() } }", ["B.Cs", "C.Go"]),
        ("func f(b *q.B) { for k := range b.By { _ = b.By[k].Size } }", ["B.By", "C.Size"]),
        ("func f(b *q.B) { for c := range b.Each() { c.Go() } }", ["B.Each", "C.Go"]),
        ("func f(b *q.B) { c := <-b.Each(); c.Go() }", ["B.Each", "C.Go"]),
        ("func f(x any) { x.(*q.B).C.Go() }", ["B", "C.Go"]),
        ("func f(x any) { if b, ok := x.(*q.B); ok { b.C.Go() } }", ["B", "C.Go"]),
        ("func f(x any) { switch b := x.(type) { case *q.B: b.C.Go(); case int: } }", ["C.Go"]),
        ("type e struct{ *q.B }\nfunc (x e) f() { x.C.Go(); x.Make(1) }", ["B.Make", "C.Go"]),
        ("type i interface{ g() *q.B }\nfunc f(x i) { x.g().C.Go() }", ["C.Go"]),
        ("func f() { q.B{C: nil}.C.Go() }", ["B.C", "C.Go"]),
        ("func f() { bs := []q.B{{C: nil}}; bs[0].C.Go() }", ["B.C", "C.Go"]),
        ("func f() { m := map[string]*q.B{\"a\": {Cs: nil}}; _ = m }", ["B.Cs"]),
        ("func f() { b := new(q.B); b.C.Go() }", ["B", "C.Go"]),
        ("func f() { (*q.B)(nil).Make(1) }", ["B", "B.Make"]),
        ("func f() { g := (*q.B).Make; _ = g }", ["B.Make"]),
        ("func f(b *q.B) func(int) { _ = b.Make; return nil }", ["B.Make"]),
        ("var v = q.New()\nfunc f() { v.C.Go() }", ["New", "C.Go"]),
        ("func f() { func(b *q.B) { b.C.Go() }(nil) }", ["C.Go"]),
        ("func f() { h := func() *q.B { return nil }; h().C.Go() }", ["C.Go"]),
        ("type l[T any] struct{ x T }\nfunc (a l[U]) get() U { return a.x }\nfunc f(a l[*q.B]) { a.get().C.Go() }", ["C.Go"]),
        ("func g[T any](t T) T { return t }\nfunc f() { g[*q.B](nil).C.Go() }", ["C.Go"]),
        ("type n interface{ Make(int) }\nfunc f(b q.B) { type x struct{ b q.B }; var y x; y.b.C.Go() }", ["C.Go"]),
        ("func f(x, y any) { switch b := x.(type) { case *q.B: switch y.(type) { case int: b.C.Go() } } }", ["C.Go"]),
        ("func f(b q.B) { const one, Make = 1, 2; _ = one + Make; b.C.Go() }", ["C.Go"]),
        ("func f(a, b, c *q.B) { a.C.Go(); b.Make(1); c.Each() }", ["C.Go", "B.Make", "B.Each"]),
        ("type al = q.B\nfunc f(b al) { b.C.Go() }", ["C.Go"]),
        ("func f(bs ...q.B) { bs[0].C.Go() }", ["C.Go"]),
        ("func f() (b q.B) { b.C.Go(); return }", ["C.Go"]),
        ("func f() { for _, t := range []struct{ in *q.B }{} { t.in.C.Go() } }", ["C.Go"]),
        ("func f(c chan *q.B) { select { case b := <-c: b.C.Go() } }", ["C.Go"]),
    ],
)  # fmt: skip
def test_symbols(body, symbols):
    found = check(
        {**MOD, **Q, "p/p.go": f'package p\n\nimport "example.com/m/q"\n\n{body}\n'},
        edges=[("p/p.go", "q/q.go"), ("q/q.go", "r/r.go"), ("q/new.go", "q/q.go")],
        optional=[("p/p.go", "q/new.go"), ("p/p.go", "r/r.go")],
        symbols=[("p/p.go", _file_of(one), one) for one in symbols],
    )
    assert not any(one.unresolved for one in found.values())


def _file_of(symbol):
    if symbol in ("New", "Two"):
        return "q/new.go"
    return "r/r.go" if symbol.startswith("C.") else "q/q.go"


def test_what_leads_nowhere_is_told():
    found = check(
        {
            **MOD,
            **Q,
            "p/p.go": 'package p\n\nimport (\n\t"fmt"\n\n\t"example.com/m/gone"\n\t"example.com/m/q"\n)\n\nfunc f(b q.B) { fmt.Print(b.Lost, q.Nothing, gone.A, nobody) }\n',
        },
        edges=[("p/p.go", "q/q.go"), ("q/q.go", "r/r.go"), ("q/new.go", "q/q.go")],
    )
    assert {one.text for one in found["p/p.go"].unresolved} == {
        "B.Lost",
        "q.Nothing",
        "example.com/m/gone",
        "nobody",
    }


def test_a_deep_constraint_is_no_fault():
    check(
        {
            **MOD,
            "a.go": f"//go:build {'(' * 5000}x\n\npackage p\n\nvar A = B\n",
            "b_linux.go": "package p\n\nvar B = 1\n",
        },
        edges=[("a.go", "b_linux.go")],
    )


def test_types_without_end_are_no_fault():
    grown = (
        "type G[T any] struct{ x *G[map[T]T] }\n\nfunc f(g G[int]) { g" + ".x" * 200 + ".y() }\n"
    )
    chain = "".join(f"var a{number} = a{number + 1}.b\n" for number in range(2000))
    types = "".join(f"type t{number} t{number + 1}\n" for number in range(2000))
    check({**MOD, "a.go": f"package p\n\n{grown}{chain}{types}var t t0\n\nvar u = t.x\n"})
