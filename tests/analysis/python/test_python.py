"""Python: facts of single files, and where their imports and names lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.check import cases, check, check_case, check_change, facts_of, links_of

CASES = list(cases(Path(__file__).parent))


@pytest.mark.parametrize("case", CASES, ids=[str(one["id"]) for one in CASES])
def test_case(case):
    check_case(case)


# --- imports --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a.b, a.c as d", [("a.b", "", "a", "import"), ("a.c", "", "d", "import")]),
        ("from .a import b as c, d", [(".a", "b", "c", "import"), (".a", "d", "d", "import")]),
        ("from . import (\n    a,  # one\n    b,\n)", [(".", "a", "a", "import"), (".", "b", "b", "import")]),
        ("from .. import *", [("..", "*", "", "import")]),
        ("from . a . b import c", [(".a.b", "c", "c", "import")]),
        ("def f():\n    import a", [("a", "", "a", "lazy")]),
        ("class A:\n    import a", [("a", "", "a", "import")]),
        ("if TYPE_CHECKING:\n    import a", [("a", "", "a", "typing")]),
        ("if typing.TYPE_CHECKING:\n    from a import b", [("a", "b", "b", "typing")]),
        ("if not TYPE_CHECKING:\n    import a\nelse:\n    import b",
         [("a", "", "a", "import"), ("b", "", "b", "import")]),
        ("try:\n    import a\nexcept ImportError:\n    import b as a",
         [("a", "", "a", "import"), ("b", "", "a", "import")]),
        ("m = importlib.import_module('a.b')", [("a.b", "", "", "dynamic")]),
        ("m = __import__('a')", [("a", "", "", "dynamic")]),
        ("m = import_module(name)", []),
        ("'''\nimport a\n'''\n# import b\ns = 'import c'", []),
        ("import a\nprint 'old'", [("a", "", "a", "import")]),
    ],
)  # fmt: skip
def test_imports(text, expected):
    found = [(one.module, one.name, one.alias, one.kind) for one in facts_of("m.py", text).imports]
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("__all__ = ['b', \"a\"]", (("a", "a"), ("b", "b"))),
        ("__all__ = ['a']\n__all__ += ['b']", (("a", "a"), ("b", "b"))),
        ("a = 1", None),
    ],
)
def test_exports(text, expected):
    assert facts_of("m.py", text).exports == expected


# --- definitions ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def f(): ...\nasync def g(): ...", ["function f", "function g"]),
        ("class A:\n    def m(self): ...\n    @property\n    def p(self): ...",
         ["class A", "method A.m", "method A.p"]),
        ("class A:\n    class B:\n        def m(self): ...", ["class A", "class A.B", "method A.B.m"]),
        ("class A:\n    x: int\n    y = 1", ["class A", "field A.x", "field A.y"]),
        ("class A:\n    if TYPE_CHECKING:\n        x: int", ["class A", "field A.x"]),
        ("class A:\n    def __init__(self, y):\n        self.x = 1\n        self.y: int = y\n        self.x = 2",
         ["class A", "method A.__init__", "field A.x", "field A.y"]),
        ("class A:\n    x = 0\n    def m(self):\n        self.x = 1", ["class A", "field A.x", "method A.m"]),
        ("class A:\n    def m(self):\n        def inner(self):\n            self.x = 1", ["class A", "method A.m"]),
        ("def f(self):\n    self.x = 1", ["function f"]),
        ("def f():\n    def g(): ...\n    class C: ...\n    x = 1", ["function f"]),
        ("LIMIT = 1\nname = 2\na, b = 1, 2\nx: int = 3", ["constant LIMIT", "variable name", "variable a", "variable b", "variable x"]),
        ("A = b = 1", ["constant A", "variable b"]),
        ("if x:\n    a = 1\nelse:\n    b = 2\ntry:\n    c = 1\nexcept E:\n    d = 2",
         ["variable a", "variable b", "variable c", "variable d"]),
        ("type T = list[int]\ntype G[K] = dict[K, int]", ["type T", "type G"]),
        ("for i in x:\n    pass\nwith a as b:\n    pass", []),
    ],
)  # fmt: skip
def test_definitions(text, expected):
    found = facts_of("m.py", text)
    assert [f"{one.kind} {one.qualified}" for one in found.definitions] == expected
    assert not found.has_errors


TEXT = '''"""About the file."""


@first
@second(1)
class Shape(Base, metaclass=Meta):
    """What it is.

        Indented.
    """

    size: int = 1  # not a doc

    def area(
        self,
        scale: float = 1.0,
        *,
        name="a",
    ) -> float:
        r"""How much."""
        return 1

    def __repr__(self): return ""
    def _hidden(self): pass
'''


def test_what_decorates_a_function_inside_of_a_function_decorates_no_other():
    facts = facts_of(
        "m.py", "class A:\n  def f(self):\n    @d\n    def g(): ...\n\n  @e\n  def h(self): ...\n"
    )
    assert [(one.name, one.decorators, one.start_line) for one in facts.definitions] == [
        ("A", (), 1),
        ("f", (), 2),
        ("h", ("e",), 6),
    ]


def test_the_parts_of_definitions():
    facts = facts_of("m.py", TEXT)
    shape, size, area, dunder, hidden = facts.definitions
    assert facts.doc == "About the file."
    assert (shape.start_line, shape.end_line) == (4, 24)
    assert shape.decorators == ("first", "second(1)")
    assert shape.bases == ("Base", "metaclass=Meta")
    assert shape.signature == "class Shape(Base, metaclass=Meta)"
    assert shape.doc == "What it is.\n\nIndented."
    assert (size.signature, size.doc) == ("size: int = 1", "")
    assert area.signature == 'def area(self, scale: float = 1.0, *, name="a") -> float'
    assert (area.doc, area.start_line, area.end_line) == ("How much.", 14, 21)
    assert [one.parent for one in (shape, size, area)] == [-1, 0, 0]
    assert (dunder.public, hidden.public) == (True, False)


def test_a_class_whose_first_member_is_a_method():
    found = facts_of("m.py", "class A(B):\n    def m(self, a): return 1\n").definitions
    assert [one.signature for one in found] == ["class A(B)", "def m(self, a)"]


# --- resolution -----------------------------------------------------------------------------------


def test_a_folder_of_tests_is_no_search_path():
    check(
        {
            "src/app/__init__.py": "",
            "src/app/m.py": "import requests\nimport json",
            "tests/data/requests.py": "",
            "src/app/json.py": "",
            "pyproject.toml": "[project]\nname = 'app'",
        },
        edges=[],
    )


@pytest.mark.parametrize(
    "manifest",
    [
        "[tool.setuptools.packages.find]\nwhere = ['code']",
        "[tool.setuptools.package-dir]\n'' = 'code'",
        "[[tool.poetry.packages]]\ninclude = 'app'\nfrom = 'code'",
        "[tool.pytest.ini_options]\npythonpath = ['code']",
        "[tool.ruff]\nsrc = ['code']",
    ],
)
def test_declared_roots(manifest):
    check(
        {"pyproject.toml": manifest, "code/app/a.py": "", "scripts/s/m.py": "import app.a"},
        edges=[("scripts/s/m.py", "code/app/a.py")],
    )


@pytest.mark.parametrize(
    ("files", "edges"),
    [
        ({"ns/a/x.py": "", "m.py": "import ns.a.x"}, [("m.py", "ns/a/x.py")]),
        ({"logging.py": "", "m.py": "import logging"}, [("m.py", "logging.py")]),
        ({"p/__init__.py": "", "p/logging.py": "", "p/m.py": "import logging"}, []),
        ({"p/__init__.py": "", "p/a.py": "", "p/q/__init__.py": "", "p/q/m.py": "from .. import a\nfrom ..a import x"},
         [("p/q/m.py", "p/a.py")]),
        ({"p/__init__.pyi": "", "p/a.pyi": "", "m.py": "import p.a"}, [("m.py", "p/a.pyi")]),
        ({"m.py": "from . import m2", "m2.py": ""}, [("m.py", "m2.py")]),
        ({"m.py": "from ... import x"}, []),
    ],
)  # fmt: skip
def test_where_modules_are(files, edges):
    check(files, edges=edges)


def test_what_looks_like_the_projects_own_is_unresolved():
    links = links_of(
        {"p/__init__.py": "", "p/m.py": "from .gone import x\nimport p.lost\nimport numpy"}
    )
    assert [(one.text, one.line) for one in links["p/m.py"].unresolved] == [
        (".gone: x", 1),
        ("p.lost", 2),
    ]


# --- symbols --------------------------------------------------------------------------------------

CLASS = """
class Base:
    def inherited(self): ...
class A(Base):
    size: int
    def m(self) -> "A": ...
    @property
    def other(self) -> "Optional[B]": ...
    @classmethod
    def of(cls) -> Self: ...
    def all(self) -> list["B"]: ...
    def by_name(self) -> dict[str, "B"]: ...
    def __enter__(self) -> "B": ...
class B:
    def n(self): ...
    def __init__(self, a: A):
        self.a = a
        self.many: list[A] = []
def make() -> A: ...
async def wait() -> A: ...
@contextmanager
def opened() -> Iterator[A]: ...
CONSTANT = A()
"""


@pytest.mark.parametrize(
    ("use", "symbols"),
    [
        ("from s import A\nA.of()", ["A", "A.of"]),
        ("import s\ns.A.of().m()", ["A.of", "A.m"]),
        ("import s as t\ndef f(a: t.A): a.m()", ["A", "A.m"]),
        ("from s import *\ndef f(a: A): a.m()", ["A.m"]),
        ("from s import A\ndef f(a: A): a.m()", ["A.m"]),
        ("from s import A\ndef f(a: 'A'): a.m()", ["A.m"]),
        ("from s import A\ndef f(*, a: A | None = None): a.m()", ["A.m"]),
        ("from s import A\ndef f(a: Optional[A]): a.inherited()", ["Base.inherited"]),
        ("from s import A\ndef f():\n    a = A()\n    a.m()", ["A.m"]),
        ("from s import A\ndef f():\n    a: A = g()\n    a.m()", ["A.m"]),
        ("from s import A\ndef f():\n    if (a := A()): a.m()", ["A.m"]),
        ("from s import A\ndef f(x):\n    a = cast(A, x)\n    a.m()", ["A.m"]),
        ("from s import make\nmake().m().m()", ["make", "A.m"]),
        ("from s import make\ndef f():\n    a = make()\n    b = a\n    b.m()", ["A.m"]),
        ("from s import wait\nasync def f():\n    a = await wait()\n    a.m()", ["A.m"]),
        ("from s import CONSTANT\nCONSTANT.m()", ["CONSTANT", "A.m"]),
        ("from s import A\ndef f(a: A): a.other.n()", ["A.other", "B.n"]),
        ("from s import A\ndef f(a: A): a.other.a.m()", ["A.other", "B.a", "A.m"]),
        ("from s import A\ndef f(a: A):\n    for b in a.all(): b.n()", ["A.all", "B.n"]),
        ("from s import A\ndef f(a: A): a.all()[0].n()", ["B.n"]),
        ("from s import A\ndef f(a: A): a.by_name()['x'].n()", ["B.n"]),
        ("from s import A\ndef f(a: A):\n    for k, b in a.by_name().items(): b.n()", ["B.n"]),
        ("from s import A\ndef f(a: A):\n    for b in a.by_name().values(): b.n()", ["B.n"]),
        ("from s import A\ndef f(all: list[A]): return [a.m() for a in all]", ["A.m"]),
        ("from s import A\ndef f(all: Iterable[A]):\n    for i, a in enumerate(all): a.m()", ["A.m"]),
        ("from s import A\ndef f(all: tuple[A, ...]):\n    for a in reversed(all): a.m()", ["A.m"]),
        ("from s import A\ndef f(all: dict[str, A]): all['x'].m()", ["A.m"]),
        ("from s import B\ndef f(b: B):\n    for a in b.many: a.m()", ["B.many", "A.m"]),
        ("from s import opened\ndef f():\n    with opened() as a: a.m()", ["A.m"]),
        ("from s import A\ndef f():\n    with A() as b: b.n()", ["B.n"]),
        ("from s import A\ndef f(x):\n    if isinstance(x, A):\n        x.m()", ["A.m"]),
        ("from s import A\ndef f(x):\n    assert isinstance(x, A)\n    x.m()", ["A.m"]),
        ("from s import A\ndef f(x):\n    if not isinstance(x, A):\n        return\n    x.m()", ["A.m"]),
        ("from s import A, B\ndef f(x):\n    if isinstance(x, (A, B)):\n        x.n()", ["B.n"]),
        ("from s import A\ndef f():\n    try: ...\n    except A as a: a.m()", ["A.m"]),
        ("from s import A\nclass C(A):\n    def f(self): self.m()", ["A.m"]),
        ("from s import A\nclass C(A):\n    def m(self): super().m()", ["A.m"]),
        ("from s import A\nclass C(A):\n    @classmethod\n    def g(cls): cls().inherited()", ["Base.inherited"]),
        ("from s import A\nclass C:\n    a: A\n    def f(self): self.a.m()", ["A.m"]),
        ("from s import A\nclass C:\n    def __init__(self, a: A):\n        self.a = a\n    def f(self): self.a.m()", ["A.m"]),
        ("from s import A\nclass C:\n    def __init__(self):\n        self.a = A()\n    def f(self):\n        x = self.a\n        x.m()", ["A.m"]),
        ("from s import A\ndef f(a: A): print(f'{a.m()} {{x}}')", ["A.m"]),
        ("from s import A\ndef f(a: A):\n    a.m().m(\n        1\n    ).inherited()", ["Base.inherited"]),
        ("def f():\n    from s import A\n    A().m()", ["A.m"]),
    ],
)  # fmt: skip
def test_symbols(use, symbols):
    check(
        {"s.py": CLASS, "m.py": use},
        edges=[("m.py", "s.py")],
        symbols=[("m.py", "s.py", one) for one in symbols],
    )


@pytest.mark.parametrize(
    "use",
    [
        "def f(x): return x",
        "def f(x=1, *y, **z): return x, y, z",
        "def f():\n    x = 1\n    return x",
        "def f():\n    for x in []: x",
        "def f():\n    with a as x: x",
        "def f():\n    def x(): ...\n    x()",
        "[x for x in []]",
        "lambda x: x",
        "def f(x):\n    def g(): return x",
        "def f():\n    match a:\n        case x: x",
        "a.x",
        "f(x=1)",
        "'x'",
        "# x",
    ],
)
def test_shadowed_names_are_no_uses(use):
    links = check(
        {"s.py": "x = y = z = 1", "m.py": f"from s import x, y, z\ny, z\n{use}"},
        edges=[("m.py", "s.py")],
    )
    assert {one.lines for one in links["m.py"].uses if one.symbol == "x"} == {(1,)}


def test_global_names_are_uses():
    text = "from s import x\ndef f():\n    global x\n    x.y\n    x = 1\n"
    links = check({"s.py": "x = 1", "m.py": text}, edges=[("m.py", "s.py")])
    assert {one.lines for one in links["m.py"].uses if one.symbol == "x"} == {(4,)}


@pytest.mark.parametrize(
    "use",
    [
        "def f(a): a.m()",
        "def f():\n    a = unknown()\n    a.m()",
        "class C:\n    def m(self): ...\n    def f(self): self.m()",
        "def f():\n    class C:\n        def g(self): self.m()",
        "def f(a: 'list[A]'): a.m()",
    ],
)
def test_equal_names_are_no_uses(use):
    links = links_of({"s.py": CLASS, "m.py": f"from s import A\n{use}"})
    assert "A.m" not in {one.symbol for one in links["m.py"].uses if one.target == "s.py"}


def test_what_cannot_be_pinned_uses_everything():
    links = links_of({"s.py": "x = 1", "m.py": "import s\ns.gone\ngetattr(s, name)"})
    assert {one.symbol for one in links["m.py"].uses} == {"*"}


def test_names_are_followed_through_packages_to_their_definition():
    check(
        {
            "p/__init__.py": "from .a import *\nfrom .b import g as h",
            "p/a.py": "__all__ = ['f']\ndef f(): ...\ndef k(): ...",
            "p/b.py": "from .a import k as g",
            "m.py": "from p import f, h\nf()\nh()\n",
        },
        edges=[
            ("p/__init__.py", "p/a.py"),
            ("p/__init__.py", "p/b.py"),
            ("p/b.py", "p/a.py"),
            ("m.py", "p/__init__.py"),
        ],
        symbols=[("m.py", "p/a.py", "f"), ("m.py", "p/a.py", "k")],
    )


def test_circles_end():
    files = {
        "a.py": "from b import *\nclass A(B): ...\nx = y\n",
        "b.py": "from a import *\nclass B(A): ...\ny = x\ndef f(b: B): b.c.d.e\n",
    }
    assert set(links_of(files)) == {"a.py", "b.py"}


# --- interface and meaning ------------------------------------------------------------------------

CHANGES = [
    ("white space", "def f(a,b):\n  return a+b", "def f(a, b):\n    return a + b\n\n", 0, 0),
    ("quotes", "x = 'a'", 'x = "a"', 0, 0),
    ("wrapping", "x = f(a, b)", "x = f(\n    a,\n    b,\n)\n", 0, 0),
    ("wrapped parameters", "def f(a, b=1): ...", "def f(\n    a,\n    b=1,\n): ...", 0, 0),
    ("wrapped collections", "x = [1, {2: (3, 4)}]", "x = [\n    1,\n    {\n        2: (\n            3, 4)},\n]", 0, 0),
    ("wrapped import", "from a import (b, c)", "from a import (  # why\n    b,\n    c,\n)", 0, 0),
    ("backslash", "x = 1 + 2", "x = 1 + \\\n    2", 0, 0),
    ("statements in a line", "a()\nb()", "a(); b()", 0, 0),
    ("body in a line", "if x:\n    a()\nb()", "if x: a()\nb()", 0, 0),
    ("blank lines", "def f():\n    a()\n    b()", "def f():\n\n    a()\n\n\n    b()\n", 0, 0),
    ("plain comment", "def f():\n    return 1", "# why\ndef f():  # what\n    # how\n    return 1\n    # end", 0, 0),
    ("comment between blocks", "if x:\n    a()\nelse:\n    b()", "if x:\n    a()\n# or\nelse:\n    b()", 0, 0),
    ("comment behind a method", "class A:\n    def f(self):\n        a()\nb()", "class A:\n    def f(self):\n        a()\n    # end\n\nb()", 0, 0),
    ("indentation of a docstring", 'def f():\n    """A\n    B"""', 'def f():\n        """A\n        B\n        """', 0, 0),
    ("body", "def f():\n    return 1", "def f():\n    return 2", 0, 1),
    ("body of the first method", "class A:\n    def m(self): return 1", "class A:\n    def m(self): return 2", 0, 1),
    ("value of an attribute of self", "class A:\n    def m(self): self.x = 1", "class A:\n    def m(self): self.x = 2", 0, 1),
    ("dedent", "def f():\n    if x:\n        a()\n        b()", "def f():\n    if x:\n        a()\n    b()", 0, 1),
    ("dedent at the end", "if x:\n    a()\n    b()", "if x:\n    a()\nb()", 0, 1),
    ("dedent of two", "for a in b:\n    if a:\n        c()\n    d()", "for a in b:\n    if a:\n        c()\nd()", 0, 1),
    ("one statement or two", "a\n(b)", "a(b)", 0, 1),
    ("private function", "a = 1\ndef _f(b): ...", "a = 1\ndef _f(c): ...", 0, 1),
    ("private method", "class A:\n    def _f(self): ...", "class A:\n    def _f(self, b): ...", 0, 1),
    ("white space in a string", "def f():\n    return 'a  b'", "def f():\n    return 'a b'", 0, 1),
    ("words joined", "def f():\n    return not x", "def f():\n    return notx", 0, 1),
    ("prefix of a string", "def f():\n    return 'a'", "def f():\n    return b'a'", 0, 1),
    ("comma of a tuple", "def f():\n    return (1,)", "def f():\n    return (1)", 0, 1),
    ("order of definitions", "def f(): ...\ndef g(): ...", "def g(): ...\ndef f(): ...", 0, 1),
    ("order of methods", "class A:\n    def f(self): ...\n    def g(self): ...", "class A:\n    def g(self): ...\n    def f(self): ...", 0, 1),
    ("signature", "def f(a): ...", "def f(a, b): ...", 1, 1),
    ("name of a parameter", "def f(a): ...", "def f(b): ...", 1, 1),
    ("annotation", "def f(a: int): ...", "def f(a: str): ...", 1, 1),
    ("return annotation", "def f() -> int: ...", "def f() -> str: ...", 1, 1),
    ("default value", "def f(a=1): ...", "def f(a=2): ...", 1, 1),
    ("async", "def f(): ...", "async def f(): ...", 1, 1),
    ("decorator", "@a\ndef f(): ...", "@b\ndef f(): ...", 1, 1),
    ("decorator of a class", "class A: ...", "@b\nclass A: ...", 1, 1),
    ("base", "class A(B): ...", "class A(C): ...", 1, 1),
    ("method", "class A:\n    def f(self): ...", "class A:\n    def f(self, a): ...", 1, 1),
    ("new attribute of self", "class A:\n    def m(self): ...", "class A:\n    def m(self): self.x = 1", 1, 1),
    ("type of an attribute of self", "class A:\n    def m(self): self.x: int = 1", "class A:\n    def m(self): self.x: str = 1", 1, 1),
    ("visibility", "def f(): ...", "def _f(): ...", 1, 1),
    ("visibility by __all__", "__all__ = ['_f']\ndef _f(): ...", "__all__ = []\ndef _f(): ...", 1, 1),
    ("doc comment", 'def f():\n    """A"""', 'def f():\n    """B"""', 1, 1),
    ("doc comment of the file", '"""A"""\nx = 1', '"""B"""\nx = 1', 1, 1),
    ("value of a constant", "LIMIT = 1", "LIMIT = 2", 1, 1),
    ("value in a class", "class A:\n    x = 1", "class A:\n    x = 2", 1, 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "interface", "meaning"),
    [one[1:] for one in CHANGES],
    ids=[one[0] for one in CHANGES],
)
def test_change(before, after, interface, meaning):
    check_change("m.py", before, after, interface=bool(interface), meaning=bool(meaning))


def test_a_method_means_the_same_wherever_it_stands():
    alone = facts_of("m.py", "class A:\n    def f(self):\n        if x:\n            a()\n")
    followed = facts_of(
        "m.py", "class A:\n    def f(self):\n        if x:\n            a()\n    # c\n    y = 1\n"
    )
    assert alone.definitions[1].meaning == followed.definitions[1].meaning
