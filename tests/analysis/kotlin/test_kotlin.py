"""Kotlin, alone and together with Java: facts, what changes what, and where names lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.check import cases, check, check_case, check_change, facts_of

CASES = list(cases(Path(__file__).parent))


@pytest.mark.parametrize("case", CASES, ids=[str(one["id"]) for one in CASES])
def test_case(case):
    check_case(case)


SHAPES = """@file:JvmName("Shapes")
package geo.`in`

import geo.util.area as surface

/**
 * A shape.
 */
@Serializable
abstract class Shape<T : Any>
@Inject
internal constructor(val id: Int, private val tag: String = "x", other: Int) :
  Base(id), Named {
  val size: Int get() = 1
  var `a b` = 2
    private set
  /** Its area. */
  @Throws(Bad::class)
  fun <E> E.area(unit: Int = 1): Double where E : Named = 1.0
  private fun hidden() { fun inner() {} ; class Local }
  constructor(s: String) : this(1)
  companion object { const val SIDES = 4; fun make(): Shape<*>? = null }
  enum class Kind(val n: Int) { FLAT(1), ROUND(2) { override fun f() = 1 } ; fun f() = 2 }
}
fun interface Area {
  fun area(): Double
}
object Origin : Named { val x = 1 }
typealias Shapes = List<Shape<*>>
annotation class Mark
val String.len get() = length
fun main() { val local = 1 }
"""


def test_definitions():
    facts = facts_of("geo/Shape.kt", SHAPES)
    assert not facts.has_errors
    assert facts.namespace == "geo.in"
    assert [(one.qualified, one.kind) for one in facts.definitions] == [
        ("Shape", "class"),
        ("Shape.id", "property"),
        ("Shape.tag", "property"),
        ("Shape.size", "property"),
        ("Shape.a b", "property"),
        ("Shape.area", "method"),
        ("Shape.hidden", "method"),
        ("Shape.<init>", "constructor"),
        ("Shape.SIDES", "constant"),
        ("Shape.make", "method"),
        ("Shape.Kind", "enum"),
        ("Shape.Kind.n", "property"),
        ("Shape.Kind.FLAT", "enumerator"),
        ("Shape.Kind.ROUND", "enumerator"),
        ("Shape.Kind.f", "method"),
        ("Area", "interface"),
        ("Area.area", "method"),
        ("Origin", "object"),
        ("Origin.x", "property"),
        ("Shapes", "type"),
        ("Mark", "annotation"),
        ("len", "property"),
        ("main", "function"),
    ]
    by_name = {one.qualified: one for one in facts.definitions}
    shape, area = by_name["Shape"], by_name["Shape.area"]
    assert (shape.doc, shape.decorators, shape.bases) == (
        "A shape.",
        ("Serializable",),
        ("Base", "Named"),
    )
    assert area.signature == "fun <E> E.area(unit: Int = 1): Double where E : Named"
    assert (area.doc, area.decorators) == ("Its area.", ("Throws(Bad::class)",))
    assert not by_name["Shape.hidden"].public and not by_name["Shape.tag"].public
    assert [(one.module, one.name, one.alias) for one in facts.imports] == [
        ("geo.util", "area", "surface")
    ]


#: (before, after, the interface changes, the meaning changes)
CHANGES = [
    ("fun f(): Int { return 1 }", "fun f(): Int {\n    return 1\n}\n", False, False),
    ("val a = f(1, 2)", "val a = f(\n  1,\n  2,\n)", False, False),
    ("fun f(a: Int, b: Int) { }", "fun f(\n  a: Int,\n  b: Int,\n) { }", False, False),
    ("class A(val a: Int)", "class A(\n  val a: Int,\n)", False, False),
    ("val a = 1", "val a = 1;", False, False),
    ("fun f() { a(); b() }", "fun f() {\n  a()\n  b()\n}", False, False),
    ("fun f() = 1", "fun f() = 1 // one\n", False, False),
    ("fun f(): Int { return 1 }", "fun f(): Int { return 2 }", False, True),
    ("fun f(): Int = 1", "fun f(): Int = 2", False, True),
    ("fun f() { a(); b() }", "fun f() { b(); a() }", False, True),
    ("fun f(a: Int) { }", "fun f(a: Long) { }", True, True),
    ("fun f(a: Int) { }", "fun f(b: Int) { }", True, True),
    ("fun f(a: Int = 1) { }", "fun f(a: Int = 2) { }", True, True),
    ("fun f(): Int { return 1 }", "fun f(): Long { return 1 }", True, True),
    ("fun f() { }", "@X fun f() { }", True, True),
    ("fun f() { }", "private fun f() { }", True, True),
    ("fun f() { }", "suspend fun f() { }", True, True),
    ("fun A.f() { }", "fun B.f() { }", True, True),
    ("private fun f() { }", "private fun f(a: Int) { }", False, True),
    ("class A : B()", "class A : C()", True, True),
    ("class A(val a: Int = 1)", "class A(val a: Int = 2)", True, True),
    ("const val A = 1", "const val A = 2", True, True),
    ("val a by lazy { 1 }", "val a by lazy { 2 }", False, True),
    ("val a: Int get() = 1", "val a: Int get() = 2", False, True),
    ("/** a */ fun f() { }", "/** b */ fun f() { }", True, True),
    ("/* a */ fun f() { }", "/* b */ fun f() { }", False, False),
    ("fun f() { }\nfun g() { }", "fun g() { }\nfun f() { }", False, True),
    ("typealias A = B", "typealias A = C", True, True),
    ("enum class A { B }", "enum class A { B, C }", True, True),
    ('val a = "a b"', 'val a = "a  b"', True, True),
    ("import a.B\nval c = 1", "import a.C\nval c = 1", False, True),
]


@pytest.mark.parametrize(("before", "after", "interface", "meaning"), CHANGES)
def test_change(before, after, interface, meaning):
    check_change("A.kt", before, after, interface=interface, meaning=meaning)


# --- names ---------------------------------------------------------------------------------------

Q = {
    "q/B.kt": "package q\nclass B(val n: Int) { val c: C? = null\n fun make(n: Int): C = C()\n"
    " companion object { fun of() = B(1)\n const val MAX = 3 }\n enum class E { X, Y } }\n"
    "fun B.twice() = make(2)\nfun help(b: B) = b.make(1)\nval top: B get() = B(1)\n",
    "q/C.kt": "package q\nopen class C { var size = 1\n fun go(): Int = 1 }\n",
}


@pytest.mark.parametrize(
    ("text", "symbols"),
    [
        ("import q.B\nfun f(b: B) = b.make(1)", ["B", "B.make"]),
        ("import q.B\nfun f(b: B?) = b?.make(1)", ["B.make"]),
        ("import q.B\nfun f(b: B?) = b!!.make(1)", ["B.make"]),
        ("import q.B\nfun f() = B.of().make(1)", ["B.of", "B.make"]),
        ("import q.B\nval m = B.MAX", ["B.MAX"]),
        ("import q.B\nval m = B.E.X", ["B.E", "B.E.X"]),
        ("import q.B.Companion.of\nval m = of().n", ["B.of", "B.n"]),
        ("import q.B as Bee\nfun f() { val b = Bee(1); b.make(1) }", ["B", "B.make"]),
        ("import q.help\nimport q.B\nfun f(b: B) = help(b)", ["help"]),
        ("import q.*\nfun f() = top.make(1)", ["top", "B.make"]),
        ("import q.B\nimport q.twice\nfun f(b: B) = b.twice()", ["twice"]),
        ("import q.B\nfun B.mine() = make(1)", ["B.make"]),
        ("import q.B\nfun f(b: B) = b.apply { make(1) }", ["B.make"]),
        ("import q.B\nfun f(b: B?) = b?.let { it.make(1) }", ["B.make"]),
        ("import q.B\nfun f(bs: List<B>) = bs.map { one -> one.make(1) }", ["B.make"]),
        ("import q.B\nfun f(bs: List<B>) { for (b in bs) b.make(1) }", ["B.make"]),
        ("import q.B\nfun f(o: Any) { if (o is B) o.make(1) }", ["B.make"]),
        ("import q.B\nfun f(o: Any) = when (o) { is B -> o.make(1)\n else -> null }", ["B.make"]),
        ("import q.B\nfun f(o: Any) = (o as B).make(1)", ["B.make"]),
        ("import q.B\nclass A(b: B) { val c = b.make(1) }", ["B.make"]),
        ("import q.B\nclass A(val b: B) { fun f() = b.make(1) }", ["B.make"]),
        ("import q.B\nval x by lazy { B(1) }\nfun f() = x.make(1)", ["B.make"]),
        ("import q.B\nval f = B::make", ["B.make"]),
        ("import q.help\nval f = ::help", ["help"]),
        ('import q.B\nfun f(b: B) = "${b.n} and $b"', ["B.n"]),
        ("@q.Mark class A\nval b = q.B(1)", ["B"]),
    ],
)
def test_symbols(text, symbols):
    check(
        {**Q, "p/A.kt": f"package p\n{text}\n"},
        edges=[("q/B.kt", "q/C.kt")],
        optional=[("p/A.kt", "q/C.kt")],
        symbols=[("p/A.kt", "q/B.kt", one) for one in symbols],
    )


@pytest.mark.parametrize(
    "text",
    [
        "fun f(twice: Int) = twice",
        "fun f() { val top = 1; top + 1 }",
        "fun f(o: Any) = o.make(1)",
        "fun <B> f(b: B): B = b",
        "fun help(x: Int) = 1\nval y = help(1)",
        "fun f() { fun help(x: Int) = 1\n help(1) }",
        'val s = "help B twice"',
        "// B\n/* help() */ val x = 1",
        "fun f(g: (Int) -> Unit) = g(x = 1)",
    ],
)
def test_what_is_no_use(text):
    check({**Q, "p/A.kt": f"package p\n{text}\n"}, edges=[("q/B.kt", "q/C.kt")])


def test_private_functions_stay_in_their_file():
    check(
        {
            "p/A.kt": "package p\nprivate fun help() = 1\nval a = help()\n",
            "p/B.kt": "package p\nfun help() = 1\n",
            "p/C.kt": "package p\nval c = help()\n",
        },
        edges=[("p/C.kt", "p/B.kt")],
    )


def test_an_extension_is_chosen_by_its_receiver():
    check(
        {
            "q/One.kt": "package q\nclass One\nfun One.show() = 1\n",
            "q/Two.kt": "package q\nclass Two\nfun Two.show() = 2\n",
            "q/A.kt": "package q\nfun f(two: Two) = two.show()\n",
        },
        edges=[("q/A.kt", "q/Two.kt")],
        symbols=[("q/A.kt", "q/Two.kt", "show")],
    )


def test_java_and_kotlin_call_each_other():
    check(
        {
            "q/J.java": "package q;\npublic class J { public String getName() { return K.make().getSize() + KKt.help(1); } public void setName(String n) {} }\n",
            "q/K.kt": "package q\nclass K(val size: Int) { companion object { @JvmStatic fun make() = K(1) } }\nfun help(n: Int) = J().name\n",
            "q/S.kt": "package q\nclass S : J() { fun f() { setName(\"x\") } }\n",
        },
        symbols=[
            ("q/J.java", "q/K.kt", "K.make"),
            ("q/J.java", "q/K.kt", "K.size"),
            ("q/J.java", "q/K.kt", "help"),
            ("q/K.kt", "q/J.java", "J.getName"),
            ("q/S.kt", "q/J.java", "J.setName"),
        ],
    )  # fmt: skip


def test_scripts():
    check(
        {
            "build.gradle.kts": 'import tools.Plug\nplugins { id("x") }\nval p = Plug()\n',
            "buildSrc/src/main/kotlin/Plug.kt": "package tools\nclass Plug\n",
        },
        edges=[("build.gradle.kts", "buildSrc/src/main/kotlin/Plug.kt")],
    )


@pytest.mark.parametrize(
    "text",
    [
        "class A\ninternal constructor(val a: Int) : B<C>, D<E> {\n  fun f() = 1\n}",
        "fun f() { for (i in 0..<9) g(i) }",
        "class A(b: B) :\n  C(b), D by b {\n  fun f() = 1\n}\nval x: E by lazy { 1 }",
        "object A : B by c {\n  fun f() = 1\n}",
        "const val A = 0b0101",
        "class A internal actual constructor(internal actual val a: B) : C<D> {\n  val b = 1\n}",
        "fun interface A {\n  fun f()\n}",
        "fun f(annotations: List<A>) { for (annotation in annotations) annotation.emit(1) }",
        "fun <T> f(a: T): T\n  where T : A, T : B {\n  return a\n}",
        "fun f(a: Any): B {\n  return (a)\n    as B\n}",
    ],
)
def test_what_the_grammar_stumbles_over(text):
    assert not facts_of("A.kt", text).has_errors
