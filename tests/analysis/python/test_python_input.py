"""Python: any bytes at all, deep nesting, big files, and no order of chance."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.check import facts_of, links_of

SNIPPET = b'''"""Doc."""
from __future__ import annotations
from .a import (b as c, d,); import e.f as g, h
__all__ = ["A", 'b'] + other
@dec(1)
class A(B[int], metaclass=M):
    """Doc."""
    x: "list[A | None]" = []; y = z = 1
    def __init__(self, a: A, *args: int, b: dict[str, "A"] = None, **kw) -> None:
        self.a, self.b = a, b; self.c: A = cast("A", a); super().__init__(a)
    async def m(self) -> AsyncIterator[A]:
        async with self.a.c() as (p, q), open(f"{self.a!r:>{b}}") as r: yield r.x[0](1).y
        for i, j in enumerate(self.b.items()): print(lambda k: k.m, [l for l in j if isinstance(l, A)])
        if not isinstance(a, (A, B)): return (n := a.b).c
        try: assert isinstance(b, A); global c
        except* (E, F) as e: raise e.x from None
match a:
    case A(x=[b, *c], y={"k": d, **r}) | None as q if q: q.m()
type T[K: int] = dict[K, A]
x = """a
  b""" "c" rb'\\\' \\
  + 1
'''


@given(st.binary(max_size=200))
@settings(max_examples=200, deadline=None)
def test_random_bytes(source):
    facts_of("m.py", source)


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_cuts_and_mutations(data):
    at = data.draw(st.integers(0, len(SNIPPET)))
    end = data.draw(st.integers(at, len(SNIPPET)))
    put = [
        b"",
        b"(",
        b"]",
        b"'",
        b'"""',
        b"#",
        b"\\\n",
        b"\n  ",
        b"import ",
        b"\xff",
        b":",
        b"\x1c\x03",
        b"self.",
    ]
    source = SNIPPET[:at] + data.draw(st.sampled_from(put)) + SNIPPET[end:]
    facts_of("m.py", source)
    links_of({"m.py": source.decode("utf-8", "replace"), "a.py": "from m import *"})


def test_the_snippet_is_understood():
    assert not facts_of("m.py", SNIPPET).has_errors


@pytest.mark.parametrize(
    ("opening", "closing", "levels"),
    [("[", "]", 10_000), ("(", ")", 10_000), ("{1: ", "}", 10_000), ("f(", ")", 5_000), ("x[", "]", 5_000),
     ("lambda a: ", "", 1_000), ("a.b().", "c", 3_000), ("not ", "x", 10_000), ("[a for a in ", "x]", 500)],
)  # fmt: skip
def test_deep_nesting(opening, closing, levels):
    facts_of("m.py", "import a, x\nb = " + opening * levels + closing * levels)
    facts_of("m.py", "import a, x\ndef f(b: A):\n    b = " + opening * levels)


def test_deep_blocks():
    lines = [" " * level + "if a:" for level in range(1_000)]
    facts_of("m.py", "import a\n" + "\n".join([*lines, " " * 1_000 + "a.b()"]))


def test_a_big_file_takes_time_in_proportion():
    def seconds(count):
        body = "".join(
            f"def f{i}(a: A, *, i=1):\n    x = A(i).b\n    x.m({i})\n    return [b.c(j) for j in x]\n"
            for i in range(count)
        )
        start = time.process_time()
        facts_of(
            "m.py", "from a import A, b\n" + body + "def g(a: A):\n" + "    a = a.m()\n" * count
        )
        return time.process_time() - start

    seconds(100)
    assert seconds(5_000) < 30 * max(seconds(500), 0.05)


PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:2]
from tests.analysis.check import facts_of, links_of
print(facts_of("m.py", sys.stdin.buffer.read()))
print(links_of({"m.py": "from i import *\\ndef f(x: a | b): x.m()", "i.py": "from a import *\\nfrom b import *",
    "a.py": "class a:\\n  def m(self): ...", "b.py": "class b:\\n  m: a"}))
"""


def test_the_order_does_not_hang_on_the_hash_seed():
    answers = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, os.getcwd()],
            input=SNIPPET,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(answers) == 1
