"""JavaScript and TypeScript: any bytes at all, deep nesting, big files, and no order of chance."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.analysis.check import facts_of, links_of

SNIPPET = b"""/** @file x */
import d, { a as b, type T } from './a'; const { c, e: f = 1, ...g } = require('./b').x;
export default abstract class A<T> extends m(B) implements I { @dec() #x: T = new Foo<U>();
  constructor(private readonly y: Y, { z }: Z = {}) { super(); this.y.go(({ q }) => q?.r!.s()) } }
exports.x = module.exports.y = function* () { for (const i of await j) yield* `a${i}` }
namespace N.M { export const k = <T,>(x: T) => ({ ...x, k, [k]: 1 }) }
export { b as default }; export * as ns from "./c"; label: for (;;) { break label }
declare module 'q' { export = r } type U = typeof import('./t') | { a: string, b(): void }[];
<div a={b}>{...c}</div>; x = y as Z satisfies W; import r = require('./r'); import s = N.M;
"""
PATHS = ("m.js", "m.ts", "m.tsx")


@given(st.binary(max_size=200))
@settings(max_examples=150, deadline=None)
def test_random_bytes(source):
    for path in PATHS:
        facts_of(path, source)


@given(st.data())
@settings(max_examples=250, deadline=None)
def test_cuts_and_mutations(data):
    at = data.draw(st.integers(0, len(SNIPPET)))
    end = data.draw(st.integers(at, len(SNIPPET)))
    instead = data.draw(
        st.sampled_from([b"", b"(", b"}", b"'", b"`", b"/*", b"import ", b"\xff", b"="])
    )
    source = SNIPPET[:at] + instead + SNIPPET[end:]
    for path in PATHS:
        facts_of(path, source)


@pytest.mark.parametrize(
    ("opening", "closing", "levels"),
    [("[", "]", 10_000), ("(", ")", 10_000), ("{", "}", 10_000), ("x = {a: ", "}", 10_000),
     ("function f() {", "}", 1_000), ("x(() => {const a = new X();", "})", 500),
     ("class A { m() { ", "}}", 500), ("a?.b(", ")", 500), ("a.b().", "c", 1_000)],
)  # fmt: skip
def test_deep_nesting(opening, closing, levels):
    for path in ("m.js", "m.ts"):
        facts_of(path, "import X from 'x'\n" + opening * levels + closing * levels)


def test_a_big_file_takes_time_in_proportion():
    def seconds(lines):
        body = "".join(
            f"export function f{i}(a: A, i: number) {{ const x = new A(); x.m(i); return b.c(a, i) }}\n"
            for i in range(lines)
        )
        start = time.process_time()
        facts_of("m.ts", "import { A, b } from './a'\n" + body)
        return time.process_time() - start

    seconds(100)
    assert seconds(20_000) < 30 * max(seconds(2_000), 0.05)


PROGRAM = """
import sys
sys.path[:0] = sys.argv[1:2]
from tests.analysis.check import facts_of, links_of
print(facts_of("m.ts", sys.stdin.buffer.read()))
print(links_of({"m.ts": "import {a, b} from './i'; a(b)", "i.ts": "export * from './a'; export * from './b'",
    "a.ts": "export class a {}; export {b} from './b'", "b.ts": "export const b = 1"}))
"""


def test_the_order_does_not_hang_on_the_hash_seed():
    root = os.getcwd()
    answers = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM, root],
            input=SNIPPET,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(answers) == 1
    assert links_of({"m.ts": ""}) is not None
