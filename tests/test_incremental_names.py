"""Names that come, go or change in modules: who spells them is linked anew, and nobody else."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from docs_store.cache import Cache
from tests.test_incremental import Tree, facts_of
from twine_hooks import state as states
from twine_hooks.evaluation import evaluate

NAMES = (
    "run", "load", "save", "Shape", "Circle", "kit", "make", "_hidden", "one", "two", "three", "four",
    "Left", "Right",
)  # fmt: skip
PATHS = ("a", "b", "c", "pkg/__init__", "pkg/d", "pkg/sub/__init__", "pkg/sub/e", "f", "g")
IN_PYTHON = (
    "from {module} import {name}",
    "from {module} import {name} as {other}",
    "from {module} import *",
    "import {module}",
    "import {module} as {other}",
    "{other} = {name}()",
    "{other}: {name} = None",
    "class {other}({name}): pass",
    "class {other}:\n    {third}: {name}\n    def {name}(self) -> {third}: return self.{third}.run()",
    "class {other}({name}):\n    def __enter__(self) -> {third}: pass\n    def run(self): super().load()",
    "def {other}() -> {name}: return {third}.{name}",
    "def {other}(x: {name}): return x.{third}.{name}",
    "def {other}():\n    with {name}() as it: return it.{third}()",
    "def {other}():\n    x = {module}.{name}()\n    return x.{third}",
    "__all__ = ['{name}', '{other}']",
)
SCRIPTS = ("a", "b", "c", "lib/index", "lib/d", "lib/e")
IN_TYPESCRIPT = (
    "import {{ {name} }} from '{module}';",
    "import {{ {name} as {other} }} from '{module}';",
    "import {other} from '{module}';",
    "import * as {other} from '{module}';",
    "export {{ {name} as {other} }} from '{module}';",
    "export * from '{module}';",
    "export {{ {name} as {other} }};",
    "export default {name};",
    "export = {name};",
    "export const {other} = new {name}();",
    "export let {other}: {name};",
    "export class {other} extends {name} {{ {third}: {name}; run(): {third} {{ return this.load(); }} }}",
    "export function {other}(x: {name}): {third} {{ return x.{third}.{name}(); }}",
    "function {other}() {{ const x = {name}(); return x.{third}; }}",
)


def line_of(rng: random.Random, forms: tuple[str, ...], modules: tuple[str, ...]) -> str:
    name, other, third = rng.sample(NAMES, 3)
    module = rng.choice(modules)
    return rng.choice(forms).format(module=module, name=name, other=other, third=third)


class History:
    """A tree of modules, one line of which changes at a time."""

    def __init__(self, rng: random.Random, language: str) -> None:
        self._rng = rng
        if language == "python":
            self._forms, self._end, paths = IN_PYTHON, ".py", PATHS
            names = (path.removesuffix("/__init__").replace("/", ".") for path in paths)
            self._modules = (*names, ".", "..")
        else:
            self._forms, self._end, paths = IN_TYPESCRIPT, ".ts", SCRIPTS
            self._modules = tuple(f"./{path.removesuffix('/index')}" for path in paths)
            self._modules += ("./d", "../a", "../b")
        self.lines = {path: [self._line() for _ in range(rng.randint(1, 5))] for path in paths}

    def _line(self) -> str:
        return line_of(self._rng, self._forms, self._modules)

    def tree(self) -> Tree:
        return Tree(
            {
                f"{path}{self._end}": "\n".join([*lines, ""]).encode()
                for path, lines in self.lines.items()
            }
        )

    def step(self) -> None:
        for _ in range(self._rng.choice((1, 1, 1, 2))):
            lines = self.lines[self._rng.choice(sorted(self.lines))]
            place = self._rng.randint(0, len(lines))
            lines[place : place + self._rng.choice((0, 1, 1))] = [self._line()] * self._rng.choice(
                (0, 1, 1)
            )


@pytest.mark.parametrize("language", ["python", "typescript"])
@pytest.mark.parametrize("seed", range(12))
def test_names_that_come_go_and_change(language: str, seed: int, tmp_path: Path) -> None:
    history = History(random.Random(f"{language} {seed}"), language)
    state_file = tmp_path / "state"
    spared = 0
    with Cache(tmp_path / "cache") as cache:
        for number in range(25):
            tree = history.tree()
            advanced = evaluate(tree, cache, states.load(state_file))
            scratch = evaluate(tree, cache)
            assert facts_of(advanced) == facts_of(scratch), (number, history.lines)
            fresh = advanced.survey.fresh
            spared += fresh is not None and len(fresh) < len(tree.files) // 2
            states.save(state_file, advanced.state(cache))
            history.step()
    assert spared > 1


#: (what is there, a change, the files that are linked anew but for the changed ones)
CASES = {
    "a name that nobody asks for": (
        {"a.py": "def f(): pass", "b.py": "from a import f\nf()"},
        {"a.py": "def f(): pass\ndef g(): pass"},
        "",
    ),
    "a name that was missing": (
        {"a.py": "X = 1", "b.py": "import a\na.f()", "c.py": "import a\na.g()"},
        {"a.py": "X = 1\ndef f(): pass"},
        "b.py",
    ),
    "an alias": (
        {
            "a.py": "X = 1",
            "b.py": "from a import f as g",
            "c.py": "from b import g",
            "d.py": "from b import f",
        },
        {"a.py": "X = 1\ndef f(): pass"},
        "b.py c.py d.py",
    ),
    "a base": (
        {
            "a.py": "class A: pass",
            "b.py": "import a\nclass B(a.A): pass",
            "c.py": "import b\ndef make() -> b.B: pass",
            "d.py": "import c\nc.make().go()",
            "e.py": "import c\nc.other().go()",
        },
        {"a.py": "class Z:\n    def go(self): pass\nclass A(Z): pass"},
        "b.py c.py d.py e.py",
    ),
    "a member that is inherited": (
        {
            "a.py": "class A: pass",
            "b.py": "import a\nclass B(a.A): pass",
            "c.py": "import b\nb.B().go()",
            "d.py": "import b\nb.B().stay()",
        },
        {"a.py": "class A:\n    def go(self): pass"},
        "c.py",
    ),
    "the type of a name": (
        {
            "a.py": "class A:\n    def go(self): pass\ndef make(): pass",
            "b.py": "import a\nkit = a.make()",
            "c.py": "import b\nb.kit.go()",
            "d.py": "import b\nb.box.stay()",
        },
        {"a.py": "class A:\n    def go(self): pass\ndef make() -> A: pass"},
        "b.py c.py",
    ),
    "what with gives": (
        {
            "a.py": "class A:\n    def go(self): pass\nclass B: pass",
            "b.py": "import a\ndef f():\n    with a.B() as it: it.go()",
            "c.py": "import a\ndef f():\n    it = a.B()\n    it.go()",
        },
        {"a.py": "class A:\n    def go(self): pass\nclass B:\n    def __enter__(self) -> A: pass"},
        "b.py",
    ),
    "on the way into a package": (
        {
            "k.py": "X = 1",
            "p/__init__.py": "from k import q",
            "p/q/__init__.py": "Y = 1",
            "p/q/r.py": "def f(): pass",
            "u.py": "import p.q.r\np.q.r.f()",
            "v.py": "import p\np.w",
        },
        {"k.py": "X = 1\ndef q(): pass"},
        "p/__init__.py u.py",
    ),
    "a star is for any name": (
        {"a.py": "X = 1", "b.py": "import a\na.f()", "c.py": "def f(): pass"},
        {"a.py": "X = 1\nfrom c import *"},
        "b.py",
    ),
    "what a script exports by another name": (
        {
            "a.ts": "export class A {}",
            "b.ts": "import { A } from './a';\nclass B extends A {}\nexport { B as C };",
            "c.ts": "import { C } from './b';\nnew C().go();",
            "d.ts": "import { D } from './b';\nnew D().stay();",
        },
        {"a.ts": "class Z { go() {} }\nexport class A extends Z {}"},
        "b.ts c.ts",
    ),
    "what stands for a module": (
        {
            "a.ts": "class A { go() {} }\nclass B {}\nexport = A;",
            "b.ts": "import M from './a';\nnew M().go();",
        },
        {"a.ts": "class A { go() {} }\nclass B {}\nexport = B;"},
        "b.ts",
    ),
    "a member of a class of Java": (
        {
            "A.java": "package p; class A { }",
            "B.java": "package p; class B { void f(A a) { a.go(); } }",
            "C.java": "package p; class C { void f(A a) { a.stay(); } }",
        },
        {"A.java": "package p; class A { void go() {} }"},
        "B.java",
    ),
    "a base of a class of Java that others are given": (
        {
            "A.java": "package p; class A { }",
            "Z.java": "package p; class Z { void go() {} }",
            "Kit.java": "package p; class Kit { A make() { return null; } A other; }",
            "B.java": "package p; class B { void f(Kit kit) { kit.make().go(); } }",
            "C.java": "package p; class C { void f(Kit kit) { kit.other.go(); } }",
            "D.java": "package p; class D { void f(Kit kit) { kit.none().go(); } }",
        },
        {"A.java": "package p; class A extends Z { }"},
        "B.java C.java Kit.java",
    ),
    "an import of Java that heads are read by": (
        {
            "p/A.java": "package p; public class A { public void go() {} }",
            "q/A.java": "package q; public class A { public void go() {} }",
            "r/Kit.java": "package r; import p.A; public class Kit { public A make() { return null; } }",
            "r/B.java": "package r; class B { void f(Kit kit) { kit.make().go(); } }",
            "r/C.java": "package r; class C { void f(Kit kit) { kit.none().go(); } }",
        },
        {
            "r/Kit.java": "package r; import q.A; public class Kit { public A make() { return null; } }"
        },
        "r/B.java",
    ),
    "all of a package of Java": (
        {
            "p/A.java": "package p; public class A { public void go() {} }",
            "q/A.java": "package q; public class A { public void go() {} }",
            "r/Kit.java": "package r; import p.*; public class Kit { public A make() { return null; } }",
            "r/B.java": "package r; class B { void f(Kit kit) { kit.make().go(); } }",
            "r/C.java": "package r; class C { void f() { none().go(); } }",
        },
        {
            "r/Kit.java": "package r; import q.*; public class Kit { public A make() { return null; } }"
        },
        "r/B.java",
    ),
    "a constructor of Java": (
        {
            "A.java": "package p; class A { }",
            "B.java": "package p; class B extends A { B() { super(1); } }",
            "C.java": "package p; class C { Object f() { return new A(1); } }",
            "D.java": "package p; class D { Object f() { return new B(); } }",
            "E.java": "package p; class E { Object f() { return new Z(1); } }",
        },
        {"A.java": "package p; class A { A(int x) {} }"},
        "B.java C.java D.java",
    ),
    "what bounds a type parameter of Java": (
        {
            "A.java": "package p; class A { }",
            "Z.java": "package p; class Z { void go() {} }",
            "Kit.java": "package p; class Kit<T extends A> { T make() { return null; } }",
            "B.java": "package p; class B { void f(Kit kit) { kit.make().go(); } }",
            "C.java": "package p; class C { void f() { make().go(); } }",
        },
        {"A.java": "package p; class A extends Z { }"},
        "B.java Kit.java",
    ),
    "a companion of Kotlin": (
        {
            "A.kt": "package p\nclass A { object Kit { fun make() = 1 } }",
            "B.kt": "package p\nfun b() = A.make()",
            "C.kt": "package p\nfun c() = A.none()",
        },
        {"A.kt": "package p\nclass A { companion object Kit { fun make() = 1 } }"},
        "B.kt",
    ),
    "what Kotlin infers": (
        {
            "A.kt": "package p\nclass A\nopen class Z { fun go() {} }",
            "Kit.kt": "package p\nval kit = build()\nfun build() = A()",
            "B.kt": "package p\nfun b() { kit.go() }",
            "C.kt": "package p\nfun c() { none.go() }",
        },
        {"A.kt": "package p\nopen class A : Z()\nopen class Z { fun go() {} }"},
        "B.kt Kit.kt",
    ),
    "an alias of Kotlin": (
        {
            "A.kt": "package p\nclass A",
            "B.kt": "package p\ntypealias B = A",
            "C.kt": "package p\nfun c(b: B) { b.go() }",
            "D.kt": "package p\nimport p.B as E\nfun d(e: E) { e.go() }",
            "F.kt": "package p\nfun f(g: G) { g.stay() }",
        },
        {"A.kt": "package p\nopen class Z { fun go() {} }\nclass A : Z()"},
        "B.kt C.kt D.kt",
    ),
    "an extension of Kotlin": (
        {
            "A.kt": "package p\nclass A\nclass Z",
            "B.kt": "package p\nfun A.go() = 1",
            "C.kt": "package p\nfun c(z: Z) { z.go() }",
            "D.kt": "package p\nfun d(z: Z) { z.stay() }",
        },
        {"B.kt": "package p\nfun Z.go() = 1"},
        "C.kt",
    ),
    "a getter that Kotlin reads as a property": (
        {
            "A.java": "package p; public class A { }",
            "B.kt": "package p\nfun b(a: A) = a.size",
            "C.kt": "package p\nfun c(a: A) = a.none",
            "F.kt": "package p\nfun f(a: A) = a.URL",
            "D.kt": "package p\nclass D { val first = 1 }",
            "E.java": "package p; class E { int f(D d) { return d.getFirst() + d.getSecond(); } }",
        },
        {
            "A.java": "package p; public class A { public int getURL() { return 1; } public int getSize() { return 1; } }",
            "D.kt": "package p\nclass D { val second = 1 }",
        },
        "B.kt E.java F.kt",
    ),
    "a base of a class of C# that others are given": (
        {
            "A.cs": "class A { }",
            "Z.cs": "class Z { public void Go() {} }",
            "Kit.cs": "class Kit { public A Make() { return null; } }",
            "B.cs": "class B { void F(Kit kit) { kit.Make().Go(); } }",
            "C.cs": "class C { void F(Kit kit) { kit.None().Go(); } }",
            "D.cs": "class D { void F(Bag bag) { bag.None().Go(); } }",
        },
        {"A.cs": "class A : Z { }"},
        "B.cs Kit.cs",
    ),
    "a base of one part of a class of C#": (
        {
            "A.cs": "partial class A { }",
            "Z.cs": "class Z { public void Go() {} }",
            "B.cs": "partial class A { void F() { Go(); } }",
            "C.cs": "class C { void F() { Go(); } }",
        },
        {"A.cs": "partial class A : Z { }"},
        "B.cs",
    ),
    "an attribute of C#": (
        {
            "A.cs": "class A { }",
            "B.cs": "[Fast] class B { }",
            "C.cs": "[Slow] class C { }",
        },
        {"A.cs": "class A { } class FastAttribute : System.Attribute { }"},
        "B.cs",
    ),
    "an indexer of C#, which nobody spells": (
        {
            "A.cs": "class A { } class Z { public void Go() {} }",
            "B.cs": "class B { void F(A a) { a[1].Go(); } }",
            "C.cs": "class C { void F() { Go(); } }",
        },
        {"A.cs": "class A { public Z this[int i] => null; } class Z { public void Go() {} }"},
        "B.cs C.cs",
    ),
    "what an indexer of C# gives, by an import": (
        {
            "P.cs": "namespace P { public class Z { public void Go() {} } }",
            "Q.cs": "namespace Q { public class Z { public void Go() {} } }",
            "A.cs": "using Z = P.Z; class A { public Z this[int i] => null; }",
            "B.cs": "class B { void F(A a) { a[1].Go(); } }",
        },
        {"A.cs": "using Z = Q.Z; class A { public Z this[int i] => null; }"},
        "B.cs P.cs Q.cs",
    ),
    "a name of Kotlin in quotes, by an import": (
        {
            "P.kt": "package p\nclass Z { fun go() = 1 }",
            "Q.kt": "package q\nclass Z { fun go() = 1 }",
            "A.kt": "package r\nimport p.Z\nfun `to make`(): Z = Z()",
            "B.kt": "package r\nfun b() = `to make`().go()",
        },
        {"A.kt": "package r\nimport q.Z\nfun `to make`(): Z = Z()"},
        "B.kt P.kt Q.kt",
    ),
    "what all files of C# use": (
        {
            "A.cs": "class A { }",
            "P.cs": "namespace P { public class Q { public static void Go() {} } }",
            "B.cs": "class B { void F() { Q.Go(); } }",
            "C.cs": "class C { void F() { R.Go(); } }",
        },
        {"A.cs": "global using P; class A { }"},
        "B.cs C.cs P.cs",
    ),
    "a namespace of C#": (
        {
            "A.cs": "namespace P { class A { } }",
            "B.cs": "using P; class B { void F(A a) { } }",
            "C.cs": "using Q; class C { void F(A a) { } }",
            "D.cs": "using Q; class D { void F(Z z) { } }",
        },
        {"A.cs": "namespace Q { class A { } }"},
        "B.cs C.cs D.cs",
    ),
    "what a method of Go gives": (
        {
            "go.mod": "module m",
            "p/a.go": "package p\ntype A struct{}\ntype Z struct{}\nfunc (Z) Go() {}",
            "p/kit.go": "package p\nfunc Make() A { return A{} }",
            "q/b.go": 'package q\nimport "m/p"\nfunc B() { p.Make().Go() }',
            "q/c.go": 'package q\nimport "m/p"\nfunc C() { p.None().Go() }',
            "q/d.go": "package q\nfunc D() { C() }",
        },
        {"p/a.go": "package p\ntype A struct{ Z }\ntype Z struct{}\nfunc (Z) Go() {}"},
        "p/kit.go q/b.go",
    ),
    "a name of Go that was missing": (
        {
            "a.go": "package p\nfunc F() {}",
            "b.go": "package p\nfunc G() { F() }",
            "c.go": "package p\nfunc H() { I() }",
        },
        {"a.go": "package p\nfunc F() {}\nfunc I() {}"},
        "c.go",
    ),
    "an import of Go that heads are read by": (
        {
            "go.mod": "module m",
            "p/x/a.go": "package x\ntype A struct{}\nfunc (A) Go() {}",
            "q/x/a.go": "package x\ntype A struct{}\nfunc (A) Go() {}",
            "r/kit.go": 'package r\nimport "m/p/x"\nfunc Make() x.A { return x.A{} }',
            "r/b.go": "package r\nfunc B() { Make().Go() }",
            "r/c.go": "package r\nfunc C() { None().Go() }",
        },
        {"r/kit.go": 'package r\nimport "m/q/x"\nfunc Make() x.A { return x.A{} }'},
        "r/b.go",
    ),
    "what a blank import of Go is for": (
        {
            "go.mod": "module m",
            "p/a.go": "package p\nfunc A() {}",
            "p/b.go": "package p\nfunc B() {}",
            "q/c.go": 'package q\nimport _ "m/p"',
        },
        {"p/a.go": "package p\nfunc A() {}\nfunc init() {}"},
        "p/b.go q/c.go",
    ),
    "a class of Java that comes": (
        {
            "A.java": "package p; class A { }",
            "B.java": "package p; class B { void f(New one) { one.go(); } }",
            "C.java": "package p; class C { void f(Other one) { one.go(); } }",
            "Kit.java": "package p; class Kit { New make() { return null; } }",
            "D.java": "package p; class D { void f(Kit kit) { kit.make().go(); } }",
        },
        {"New.java": "package p; class New { void stay() {} }"},
        "B.java D.java Kit.java",
    ),
    "a class of Java that goes": (
        {
            "A.java": "package p; class A { void go() {} }",
            "B.java": "package p; class B { void f(A a) { a.go(); } }",
            "C.java": "package p; class C { void f(Z z) { z.stay(); } }",
        },
        {"A.java": None},
        "B.java",
    ),
    "a class of Java under another name": (
        {
            "A.java": "package p; class A { void go() {} }",
            "B.java": "package p; class B { void f(A a) { a.stay(); } }",
            "C.java": "package p; class C { void f(Z z) { z.stay(); } }",
            "D.java": "package p; class D { void f(Y y) { y.stay(); } }",
        },
        {"A.java": None, "Z.java": "package p; class Z { void go() {} }"},
        "B.java C.java",
    ),
    "a file of Kotlin that is a class for Java": (
        {
            "B.java": "package p; class B { void f() { KitKt.make(); } }",
            "C.java": "package p; class C { void f() { BagKt.none(); } }",
            "d.kt": "package p\nfun d() = 1",
        },
        {"kit.kt": "package p\nfun make() = 1"},
        "B.java",
    ),
    "a file of Go that a blank import takes": (
        {
            "go.mod": "module m",
            "p/a.go": "package p\nfunc A() {}",
            "q/c.go": 'package q\nimport _ "m/p"',
            "q/d.go": "package q\nfunc D() {}",
        },
        {"p/b.go": "package p\nfunc B() {}"},
        "q/c.go",
    ),
    "a text beside Java": (
        {"A.java": "package p; class A { }", "B.java": "package p; class B extends A { }"},
        {"notes/new.md": "A"},
        "",
    ),
    "a name in a language that is not followed": (
        {
            "a.rb": "def f; end",
            "b.rb": "require_relative 'a'\nf",
            "c.rb": "require_relative 'a'\ng",
        },
        {"a.rb": "def f; end\ndef h; end"},
        "b.rb c.rb",
    ),
    "a body of a script": (
        {"a.ts": "export function f() { return 1; }", "b.ts": "import { f } from './a';\nf();"},
        {"a.ts": "export function f() { return 2; }"},
        "",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_who_is_linked_anew(case: str, tmp_path: Path) -> None:
    files, change, expected = CASES[case]
    with Cache(tmp_path / "cache") as cache:
        before = evaluate(tree_of(files), cache)
        states.save(tmp_path / "state", before.state(cache))
        after = tree_of({path: text for path, text in (files | change).items() if text is not None})
        advanced = evaluate(after, cache, states.load(tmp_path / "state"))
        with Cache(tmp_path / "empty") as empty:
            assert facts_of(advanced) == facts_of(evaluate(after, empty))
    assert " ".join(sorted(advanced.survey.fresh - change.keys())) == expected


@pytest.mark.parametrize(
    "change",
    [
        {"q/New.java": "package q; class New { }"},
        {"r/R.java": None},
        {"New.kt": "package p\nclass New"},
        {"p/Two.java": "package q; class Two { }"},
    ],
)
def test_a_package_or_language_that_comes_or_goes_is_looked_at_anew(tmp_path: Path, change):
    files = {
        "p/A.java": "package p; class A { }",
        "p/B.java": "package p; class B extends A { }",
        "r/R.java": "package r; class R { }",
    }
    with Cache(tmp_path / "cache") as cache:
        states.save(tmp_path / "state", evaluate(tree_of(files), cache).state(cache))
        after = tree_of({path: text for path, text in (files | change).items() if text is not None})
        assert evaluate(after, cache, states.load(tmp_path / "state")).survey.fresh in (
            None,
            frozenset(path for path in after.files if path.endswith((".java", ".kt"))),
        )


@pytest.mark.parametrize(
    ("policy", "text", "affected"),
    [
        ("interface", "def f(): return 2", "a.py"),
        ("interface", "def f(x): return 1", "a.py b.py"),
        ("interface", "def f(): return 1\ndef g(): return 1", "a.py b.py"),
        ("used", "def f(): return 2", "a.py b.py"),
        ("direct", "def f(): return 2", "a.py b.py"),
        ("none", "def f(x): return 2", "a.py"),
    ],
)
def test_whose_inputs_are_made_anew(tmp_path: Path, policy: str, text: str, affected: str) -> None:
    config = {".codetwine/config.yaml": f"dependents: {policy}"}
    files = {"a.py": "def f(): return 1", "b.py": "import a\na.f()", "c.py": "import b"} | config
    with Cache(tmp_path / "cache") as cache:
        states.save(tmp_path / "state", evaluate(tree_of(files), cache).state(cache))
        after = tree_of(files | {"a.py": text})
        advanced = evaluate(after, cache, states.load(tmp_path / "state"))
    assert " ".join(sorted(advanced.affected)) == affected


def test_facts_that_the_cache_has_lost_are_those_of_any_change(tmp_path: Path) -> None:
    files = {"a.py": "X = 1", "b.py": "import a\na.f()"}
    with Cache(tmp_path / "cache") as cache:
        states.save(tmp_path / "state", evaluate(tree_of(files), cache).state(cache))
    with Cache(tmp_path / "empty") as empty:
        after = tree_of(files | {"a.py": "X = 1\ndef g(): pass"})
        advanced = evaluate(after, empty, states.load(tmp_path / "state"))
    assert advanced.survey.fresh == {"a.py", "b.py"}


def tree_of(files: dict[str, str]) -> Tree:
    return Tree({path: text.encode() + b"\n" for path, text in files.items()})
