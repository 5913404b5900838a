"""Java and Kotlin: any bytes at all, deep nesting, big files, and no order of chance."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.check import facts_of, links_of

JAVA = b"""package p.q; import a.b.C; import static a.D.*; import a.e.*;
/** doc */ @An(x = K.V) public class A<X extends Bd & C> extends Base<X> implements I, J {
  @Ov static final Ar[] a = null, b[] = {1,}; <T> T m(final Foo... x) throws Th { Object o = (Ca) null;
    if (o instanceof In i) { i.x[0].y(); } try (Res r = new Res()) { } catch (Cx | Dx e) { e.a(); }
    for (Foo f : xs) f.<T>g().h(); var v = ((Foo) x).bar(); Runnable r = Mr::run; z(q -> q.w(), (s, t) -> 1);
    switch (k) { case L: break; default: } class Loc extends Q { } return new Out.In<T>(1) { int q; void u() { this.q = m(); } }; }
  A(int x) { this(x, 1); } enum E { P(1) { void f() { } }, Q; } record R(S s, int... n) { R { } } }
"""
KOTLIN = b"""@file:JvmName("N") package p.`in` import a.b.C as D
import a.* /** doc */ @An(x = K.V) open class A<T : Bd>
internal constructor(val a: Int = K.N, vararg z: Q?) : Base<T>(1), I by i { companion object { const val X = 1 }
  var x: Foo? by lazy { Foo() }; fun <E> E.ext(o: Int): Foo where E : Y { val l = it.foo(); return this@A.x!!.y?.z(1) { it } } }
fun main() { for ((a, b) in 0..<xs) {} when (val z = x) { is Foo -> z.a; in b -> A.X; else -> "${a.b} $c" }
  val o = object : Foo(), Bar { override fun q() = super<Foo>.q() }; list.map { a, (b, c) -> a.foo }.also { it.b }
  Foo::class.java; ::bar; a as? Bar; 1 plus2 3; if (a is Foo && b !in c) { a.d() } }
"""
FILES = {"a/A.java": JAVA, "a/A.kt": KOTLIN}


def read_and_link(path, text):
    facts = facts_of(path, text)
    assert facts.lines >= 0
    links_of({path: text.decode("utf-8", "replace")})


@pytest.mark.parametrize("path", FILES)
@settings(max_examples=150, deadline=None)
@given(text=st.binary(max_size=300))
def test_any_bytes(path, text):
    facts_of(path, text)


@pytest.mark.parametrize("path", FILES)
@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_cut_and_changed(path, data):
    text = FILES[path]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    instead = data.draw(
        st.sampled_from([b"", b"(", b"}", b"<", b'"', b".", b"\xff", b"/*", b"x", b"{ "])
    )
    keep = data.draw(st.booleans())
    read_and_link(path, text[:start] + instead + text[end:] if keep else text[start:end] + instead)


DEEP = {
    "class nesting": ("A.java", "class A { " * 3000 + "}" * 3000),
    "brackets": ("A.java", "class A { int a = " + "(" * 10_000 + "1" + ")" * 10_000 + "; }"),
    "calls": ("A.java", "class A { Object a = " + "f(" * 10_000 + ")" * 10_000 + "; }"),
    "chain": ("A.java", "class A { Object a = b" + ".c()" * 10_000 + "; }"),
    "generics": ("A.java", "class A { " + "B<" * 5_000 + "C" + ">" * 5_000 + " a; B b = a.x; }"),
    "blocks": ("A.kt", "fun a() { " + "if (a) { " * 10_000 + "}" * 10_000 + " }"),
    "lambdas": ("A.kt", "val a = " + "f { " * 3_000 + "it" + " }" * 3_000),
    "brackets in Kotlin": ("A.kt", "val a = " + "(" * 10_000 + "1" + ")" * 10_000),
    "inferred": ("A.kt", "\n".join(f"val a{n} = a{n + 1}.b" for n in range(3_000))),
    "bases": ("A.java", "\n".join(f"class A{n} extends A{n + 1} {{ int f() {{ return g; }} }}" for n in range(800))),
    "circle": ("A.java", "class A extends B { int f() { return x.y; } } class B extends A { B b = b.b; }"),
}  # fmt: skip


@pytest.mark.parametrize("name", DEEP)
def test_deep(name):
    path, text = DEEP[name]
    began = time.process_time()
    read_and_link(path, text.encode())
    assert time.process_time() - began < 20


def big_java(count):
    body = "".join(
        f"  /** x */\n  int f{n}(int x) {{\n    Foo y = g{n}(x);\n    return y.z(1).w + a;\n  }}\n"
        for n in range(count)
    )
    return f"class A {{\n  int a;\n{body}}}\n"


def big_kotlin(count):
    return "".join(
        f"/** x */\nfun f{n}(x: Int): Int {{\n    val y = g(x)\n    return y.z(1) {{ it.w }} + a\n}}\n"
        for n in range(count)
    )


@pytest.mark.parametrize(("path", "made"), [("A.java", big_java), ("A.kt", big_kotlin)])
def test_time_grows_with_the_size(path, made):
    def seconds(count):
        text = made(count).encode()
        began = time.process_time()
        facts = facts_of(path, text)
        assert len(facts.definitions) >= count
        return time.process_time() - began

    seconds(50)
    small, large = seconds(400), seconds(4_000)
    assert large < 40 * small


def test_no_order_of_chance():
    script = (
        "import sys; sys.path.insert(0, '.')\n"
        "from tests.analysis.check import facts_of, links_of\n"
        "from tests.analysis.java.test_jvm_input import FILES\n"
        "print([facts_of(path, text) for path, text in FILES.items()])\n"
        "print(links_of({path: text.decode() for path, text in FILES.items()}))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
