"""Java: facts of single files, what changes what, and where names lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.check import cases, check, check_case, check_change, facts_of

CASES = list(cases(Path(__file__).parent))


@pytest.mark.parametrize("case", CASES, ids=[str(one["id"]) for one in CASES])
def test_case(case):
    check_case(case)


SHAPES = """/* licence */
package geo.shapes;

import java.util.List;
import static geo.Util.*;

/**
 * A shape.
 *   Indented.
 */
@Deprecated
public abstract class Shape<T extends Comparable<T>> extends Base implements Area, Named {
    public static final int SIDES = 4, CORNERS = 5;
    private @Inject List<T> parts;
    enum Kind { /** Not round. */ FLAT, ROUND { void f() {} }; int weight; }
    record Point(int x, int y) { Point { check(x); } }
    @interface Mark { String value() default "x"; }
    Shape(int n) { this.n = n; }
    /** Its area. */
    @Override public double area(final int unit) throws Bad { class Local {} return new Object() { int z; }.z; }
    static { init(); }
}
interface Area { double area(int unit); }
"""


def test_definitions():
    facts = facts_of("geo/Shape.java", SHAPES)
    assert not facts.has_errors
    assert facts.namespace == "geo.shapes"
    assert [(one.qualified, one.kind) for one in facts.definitions] == [
        ("Shape", "class"),
        ("Shape.SIDES", "constant"),
        ("Shape.CORNERS", "constant"),
        ("Shape.parts", "field"),
        ("Shape.Kind", "enum"),
        ("Shape.Kind.FLAT", "enumerator"),
        ("Shape.Kind.ROUND", "enumerator"),
        ("Shape.Kind.weight", "field"),
        ("Shape.Point", "record"),
        ("Shape.Point.x", "field"),
        ("Shape.Point.y", "field"),
        ("Shape.Point.<init>", "constructor"),
        ("Shape.Mark", "annotation"),
        ("Shape.Mark.value", "method"),
        ("Shape.<init>", "constructor"),
        ("Shape.area", "method"),
        ("Area", "interface"),
        ("Area.area", "method"),
    ]
    by_name = {one.qualified: one for one in facts.definitions}
    shape, area = by_name["Shape"], by_name["Shape.area"]
    assert shape.doc == "A shape.\n  Indented."
    assert shape.decorators == ("Deprecated",)
    assert shape.bases == ("Base", "Area", "Named")
    assert shape.signature == (
        "public abstract class Shape<T extends Comparable<T>> extends Base implements Area, Named"
    )
    assert area.signature == "public double area(final int unit) throws Bad"
    assert (area.doc, area.decorators) == ("Its area.", ("Override",))
    assert by_name["Shape.parts"].decorators == ("Inject",)
    assert not by_name["Shape.parts"].public and by_name["Shape.<init>"].public
    assert by_name["Shape.Kind.FLAT"].doc == "Not round."
    assert by_name["Shape.SIDES"].signature == "public static final int SIDES = 4, CORNERS = 5;"


def test_imports():
    facts = facts_of(
        "A.java",
        "import a.B;\nimport a.b.*;\nimport static a.C.d;\nimport static a . /* x */ D.*;\n",
    )
    assert [(one.module, one.name, one.alias, one.kind) for one in facts.imports] == [
        ("a", "B", "B", "import"),
        ("a.b", "*", "", "import"),
        ("a.C", "d", "d", "static"),
        ("a.D", "*", "", "static"),
    ]


def test_package_info_has_the_doc_of_its_package():
    assert facts_of("package-info.java", "/** All shapes. */\npackage geo;\n").doc == "All shapes."


#: (before, after, the interface changes, the meaning changes)
CHANGES = [
    ("class A { int f() { return 1; } }", "class A {\n  int f()\n  {\n    return 1;\n  }\n}\n", False, False),
    ("class A { int[] a = {1, 2}; }", "class A { int[] a = { 1, 2, }; }", False, False),
    ("enum A { B, C }", "enum A { B, C, }", False, False),
    ("class A { }", "class A { };", False, False),
    ("class A { int f() { return 1; } }", "class A { /* x */ int f() { return 1; } // y\n }", False, False),
    ("class A { int f() { return 1; } }", "class A { int f() { return 2; } }", False, True),
    ("class A { A() { a(); } }", "class A { A() { b(); } }", False, True),
    ("class A { int f() { return 1; } }", "class A { long f() { return 1; } }", True, True),
    ("class A { void f(int a) { } }", "class A { void f(long a) { } }", True, True),
    ("class A { void f(int a) { } }", "class A { void f(int b) { } }", True, True),
    ("class A { void f() { } }", "class A { void f() throws E { } }", True, True),
    ("class A { void f() { } }", "class A { @X void f() { } }", True, True),
    ("@X(1) class A { }", "@X(2) class A { }", True, True),
    ("class A extends B { }", "class A extends C { }", True, True),
    ("class A implements B { }", "class A { }", True, True),
    ("class A { void f() { } }", "class A { public void f() { } }", True, True),
    ("class A { void f() { } }", "class A { private void f() { } }", True, True),
    ("class A { private int a = 1; }", "class A { private int a = 2; }", False, True),
    ("class A { static final int B = 1; }", "class A { static final int B = 2; }", True, True),
    ('class A { String s = "a b"; }', 'class A { String s = "a  b"; }', True, True),
    ("class A { /** a */ void f() { } }", "class A { /** b */ void f() { } }", True, True),
    ("class A { /** a */ void f() { } }", "class A { /**\n * a\n */ void f() { } }", False, False),
    ("class A { void f() { } void g() { } }", "class A { void g() { } void f() { } }", False, True),
    ("@interface A { int b() default 1; }", "@interface A { int b() default 2; }", True, True),
    ("record A(int b) { }", "record A(int b, int c) { }", True, True),
    ("enum A { B }", "enum A { B, C }", True, True),
    ("enum A { B(1) }", "enum A { B(2) }", True, True),
    ("interface A { default int f() { return 1; } }", "interface A { default int f() { return 2; } }", False, True),
    ("class A<T> { }", "class A<T extends B> { }", True, True),
    ("import a.B; class A { }", "import a.C; class A { }", False, True),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after", "interface", "meaning"), CHANGES)
def test_change(before, after, interface, meaning):
    check_change("A.java", before, after, interface=interface, meaning=meaning)


# --- names ---------------------------------------------------------------------------------------

Q = {
    "q/B.java": "package q;\npublic class B { public C c; public C make(int n) { return c; } public static B of() { return null; } public B(int n) {} public enum E { X, Y } }\n"
}
C = {"q/C.java": "package q;\npublic class C { public int size; public int go() { return 1; } }\n"}


def test_types_are_followed_through_values():
    check(
        {
            **Q,
            **C,
            "p/A.java": "package p;\nimport q.B;\nclass A { int f(B b) { var c = b.make(1); return c.go() + ((B) null).c.size + new B(2).c.go(); } }\n",
        },
        edges=[("p/A.java", "q/B.java"), ("q/B.java", "q/C.java")],
        symbols=[
            ("p/A.java", "q/B.java", "B.make"),
            ("p/A.java", "q/B.java", "B.<init>"),
            ("p/A.java", "q/C.java", "C.go"),
            ("p/A.java", "q/C.java", "C.size"),
        ],
    )


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("import q.B; class A { B.E e; boolean f() { switch (e) { case X: return true; } return false; } }", ["B.E", "B.E.X"]),
        ("import q.B; class A extends B { A() { super(1); } Object f() { return make(2); } }", ["B.make", "B.<init>"]),
        ("import q.*; class A { Object f() { return new B(1) { int g() { return make(1).go(); } }; } }", ["B.make"]),
        ("import static q.B.of; class A { Object f() { return of().make(1); } }", ["B.of", "B.make"]),
        ("class A { q.B b; Object f() { return this.b.make(1); } }", ["B", "B.make"]),
        ("import q.B; class A { java.util.List<B> bs; void f() { for (B b : bs) b.make(1); bs.get(0).make(1); } }", ["B.make"]),
        ("import q.B; class A<T extends B> { T t; Object f() { return t.make(1); } }", ["B.make"]),
        ("import q.B; class A { <T extends B> Object f(T t) { return t.make(1); } }", ["B.make"]),
        ("import q.B; class A { B[] bs; Object f() { return bs[0].make(1); } }", ["B.make"]),
        ("import q.B; class A { Object f(Object o) { return o instanceof B b ? b.make(1) : null; } }", ["B.make"]),
        ("import q.B; class A { Object f() { return java.util.stream.IntStream.of(1).mapToObj(B::new); } }", ["B.<init>"]),
        ("import q.B; class A { Runnable f() { return B::of; } }", ["B.of"]),
        ("import q.B; class A { Object f() { class L extends B { L() { super(1); } } return new L().make(1); } }", ["B.make"]),
    ],
)  # fmt: skip
def test_symbols(text, symbols):
    found = check(
        {**Q, **C, "p/A.java": f"package p;\n{text}\n"},
        edges=[("p/A.java", "q/B.java"), ("q/B.java", "q/C.java")],
        optional=[("p/A.java", "q/C.java")],
        symbols=[("p/A.java", "q/B.java", one) for one in symbols],
    )
    assert not any(one.unresolved for one in found.values())


def test_generic_arguments_are_filled_in():
    check(
        {
            **C,
            "q/Box.java": "package q;\npublic class Box<K, V> extends Base<V> { }\n",
            "q/Base.java": "package q;\npublic class Base<W> { public W get() { return null; } }\n",
            "p/A.java": "package p;\nimport q.*;\nclass A { int f(Box<String, C> box) { return box.get().go(); } }\n",
        },
        edges=[("q/Box.java", "q/Base.java")],
        symbols=[
            ("p/A.java", "q/Box.java", "Box"),
            ("p/A.java", "q/Base.java", "Base.get"),
            ("p/A.java", "q/C.java", "C.go"),
        ],
    )


def test_overloads_are_told_apart_by_the_number_of_arguments():
    check(
        {
            **C,
            "q/O.java": "package q;\npublic class O { public static int f() { return 1; } public static C f(int a, int... b) { return null; } }\n",
            "p/A.java": "package p;\nclass A { int f() { return q.O.f(1, 2, 3).go(); } }\n",
        },
        edges=[("p/A.java", "q/O.java"), ("q/O.java", "q/C.java")],
        symbols=[("p/A.java", "q/C.java", "C.go")],
    )


def test_main_does_not_see_the_tests():
    check(
        {
            "src/main/java/p/A.java": "package p;\nclass A { Help h; }\n",
            "src/main/java/p/Help.java": "package p;\nclass Help { }\n",
            "src/test/java/p/Help.java": "package p;\nclass Help { }\n",
        },
        edges=[("src/main/java/p/A.java", "src/main/java/p/Help.java")],
    )


def test_of_two_modules_the_nearest_counts():
    check(
        {
            "a/src/main/java/p/App.java": "package p;\nclass App { Conf c; }\n",
            "a/src/main/java/p/Conf.java": "package p;\nclass Conf { }\n",
            "b/src/main/java/p/App.java": "package p;\nclass App { Conf c; }\n",
            "b/src/main/java/p/Conf.java": "package p;\nclass Conf { }\n",
        },
        edges=[
            ("a/src/main/java/p/App.java", "a/src/main/java/p/Conf.java"),
            ("b/src/main/java/p/App.java", "b/src/main/java/p/Conf.java"),
        ],
    )


def test_kinds_of_edges():
    links = check(
        {
            **Q,
            **C,
            "q/D.java": "package q;\nclass D { C c; int f(B b) { return b.c.go(); } }\n",
            "p/A.java": "package p;\nimport q.B;\nclass A { int f() { return B.of().c.size; } }\n",
        },
        edges=[("q/D.java", "q/C.java"), ("q/D.java", "q/B.java"), ("p/A.java", "q/B.java"), ("p/A.java", "q/C.java"), ("q/B.java", "q/C.java")],
    )  # fmt: skip
    kinds = {(edge.target, edge.kind) for edge in links["p/A.java"].edges}
    assert kinds == {("q/B.java", "import"), ("q/C.java", "member")}
    assert {edge.kind for edge in links["q/D.java"].edges} == {"same-package"}


def test_imports_that_lead_nowhere():
    links = check(
        {**C, "p/A.java": "package p;\nimport q.Gone;\nimport java.util.List;\nclass A { }\n"}
    )
    assert [one.text for one in links["p/A.java"].unresolved] == ["q.Gone"]


def test_a_use_names_its_lines_and_its_scope():
    links = check(
        {
            **Q,
            **C,
            "p/A.java": "package p;\nclass A {\n  Object f() {\n    q.B.of();\n    return q.B.of();\n  }\n}\n",
        },
        edges=[("p/A.java", "q/B.java"), ("q/B.java", "q/C.java")],
    )
    (use,) = (one for one in links["p/A.java"].uses if one.symbol == "B.of")
    assert (use.kind, use.lines, use.scope) == ("call", (4, 5), "A.f")


def test_own_members_are_uses_too():
    links = check(
        {
            "p/A.java": "package p;\nclass A { int a; int f() { return a + this.g(); } int g() { return f(); } }\n"
        }
    )
    assert {(one.symbol, one.scope) for one in links["p/A.java"].uses} == {
        ("A.a", "A.f"),
        ("A.g", "A.f"),
        ("A.f", "A.g"),
    }


def test_a_line_of_slashes_takes_no_time():
    text = f"class A {{ int f() {{ return b\n{'/' * 200}\n; }} }}\n"
    assert [one.chain for one in facts_of("A.java", text).references] == ["b"]
