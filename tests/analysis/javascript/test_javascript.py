"""JavaScript and TypeScript: facts of single files, and where their imports and names lead."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.check import cases, check, check_case, check_change, facts_of

CASES = list(cases(Path(__file__).parent))


@pytest.mark.parametrize("case", CASES, ids=[str(one["id"]) for one in CASES])
def test_case(case):
    check_case(case)


def imports_of(path, text):
    return [(one.module, one.name, one.alias, one.kind) for one in facts_of(path, text).imports]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import a from './a'", [("./a", "default", "a", "import")]),
        ("import * as a from './a'", [("./a", "", "a", "import")]),
        ("import './a'", [("./a", "", "", "import")]),
        ("import { b as c } from './a'", [("./a", "b", "c", "import")]),
        ("export { b as c } from './a'", [("./a", "b", "c", "reexport")]),
        ("export * from './a'", [("./a", "*", "", "reexport")]),
        ("export * as n from './a'", [("./a", "", "n", "reexport")]),
        ("const a = require('./a')", [("./a", "", "a", "import")]),
        ("const a = require('./a').b", [("./a", "b", "a", "import")]),
        (
            "const { b, c: d, e = 1 } = require('./a')",
            [("./a", "b", "b", "import"), ("./a", "c", "d", "import"), ("./a", "e", "e", "import")],
        ),
        ("function f() { const a = require('./a') }", [("./a", "", "a", "lazy")]),
        ("f(() => import('./a'))", [("./a", "", "", "dynamic")]),
        ("import(/* webpackChunkName: 'x' */ './a')", [("./a", "", "", "dynamic")]),
        ("const { b } = await import('./a')", [("./a", "b", "b", "dynamic")]),
        ("module.exports = require('./a')", [("./a", "", "=", "import")]),
        ("/** @type {import('./a').B} */ let x", [("./a", "B", "", "jsdoc")]),
        ("function f(require) { require('./a') }", []),
        ("require(name)", []),
        ("// require('./a')", []),
    ],
)
def test_imports_in_javascript(text, expected):
    assert imports_of("m.js", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import type { A } from './a'", [("./a", "A", "A", "typing")]),
        (
            "import { type A, b } from './a'",
            [("./a", "A", "A", "typing"), ("./a", "b", "b", "import")],
        ),
        ("import a = require('./a')", [("./a", "", "a", "import")]),
        ("let x: import('./a').B", [("./a", "B", "", "typing")]),
        ("export type { A } from './a'", [("./a", "A", "A", "reexport")]),
    ],
)
def test_imports_in_typescript(text, expected):
    assert imports_of("m.ts", text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export const a = 1, b = () => 2", ["constant a", "function b"]),
        ("items.forEach(i => { const local = 1; function f() {} })", []),
        ("if (x) { const local = 1 }", []),
        ("export function* g() { function inner() {} }", ["function g"]),
        ("class A { x = 1; #y; constructor() {} m() {} }",
         ["class A", "field A.x", "field A.#y", "constructor A.constructor", "method A.m"]),
        ("const o = { m() {} }; export {}", ["constant o"]),
        ("export const o = { m() {}, n: () => 1, p: 2 }", ["constant o", "method o.m", "method o.n"]),
        ("export default { m() {} }", ["variable default", "method default.m"]),
        ("export default class {}", ["class default"]),
        ("export default function named() {}", ["function named"]),
        ("module.exports = { a() {}, b, c: () => 1, d: 1 }",
         ["function a", "function c", "variable d"]),
        ("exports.a = function () {}; exports.b = exports.c = void 0", ["function a"]),
        ("module.exports = class Foo { m() {} }", ["class Foo", "method Foo.m"]),
        ("function F() {}\nF.prototype.m = function () {}", ["function F", "method F.m"]),
        ("export const { a, b: [c] } = o", ["constant a", "constant c"]),
        ("const a = require('./a')", []),
    ],
)  # fmt: skip
def test_definitions_in_javascript(text, expected):
    found = facts_of("m.js", text)
    assert [f"{one.kind} {one.qualified}" for one in found.definitions] == expected
    assert not found.has_errors


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abstract class A { abstract m(): void; constructor(private x: B) {} }",
         ["class A", "method A.m", "constructor A.constructor", "field A.x"]),
        ("interface I { a: string; m(): void }", ["interface I", "field I.a", "method I.m"]),
        ("enum E { A = 1, B }", ["enum E", "enumerator E.A", "enumerator E.B"]),
        ("type T = { a: string }", ["type T"]),
        ("namespace N { export function f() {} const x = 1 }",
         ["namespace N", "function N.f", "constant N.x"]),
        ("declare function f(a: string): void", ["function f"]),
        ("declare const v: number", ["constant v"]),
        ("function f(a: string): void; function f(a: any) {}", ["function f", "function f"]),
    ],
)  # fmt: skip
def test_definitions_in_typescript(text, expected):
    found = facts_of("m.ts", text)
    assert [f"{one.kind} {one.qualified}" for one in found.definitions] == expected
    assert not found.has_errors


def test_what_is_exported_is_public():
    found = facts_of("m.ts", "export class A { #x = 1; private y = 2; z = 3 }\nclass B { m() {} }")
    public = {one.qualified for one in found.definitions if one.public}
    assert public == {"A", "A.z"}


def test_doc_comments():
    text = """/** @file About the file. */
import './x'
// plain
/**
 * What it does.
 *
 * @param a - first
 */
export const f = (a) => a
"""
    found = facts_of("m.js", text)
    assert found.doc == "@file About the file."
    assert found.definitions[0].doc == "What it does.\n\n@param a - first"
    assert found.definitions[0].signature == "const f = (a)"


@pytest.mark.parametrize(
    "members",
    [
        "a?: A; [key: string]: B; c: (x: number) => void; d: D | E; f: F",
        "a?: A, [key: string]: B, c: (x: number) => void, d: D | E, f: F,",
        "\n a?: A\n [key: string]: B // b\n c: (x: number) =>\n void\n d:\n | D\n | E\n f: F\n",
    ],
)
def test_members_of_a_type_are_set_apart_in_one_line(members):
    found = facts_of("m.ts", f"export type T = {{ {members} }}")
    assert found.definitions[0].signature == (
        "type T = { a?: A; [key: string]: B; c: (x: number) => void; d: D | E; f: F }"
    )


# --- resolution ----------------------------------------------------------------------------------


def test_extends_of_a_package_and_of_several_files():
    check(
        {
            "package.json": '{"workspaces": ["packages/*"]}',
            "packages/conf/package.json": '{"name": "@m/conf"}',
            "packages/conf/base.json": '{"compilerOptions": {"baseUrl": "."}}',
            "other.json": '{"compilerOptions": {"paths": {"~a/*": ["./lib/*"]}}}',
            "tsconfig.json": '{"extends": ["@m/conf/base.json", "./other"]}',
            "packages/conf/shared.ts": "export const s = 1",
            "lib/x.ts": "export const x = 1",
            "m.ts": "import { s } from 'shared'; s",
        },
        edges=[("m.ts", "packages/conf/shared.ts")],
        symbols=[("m.ts", "packages/conf/shared.ts", "s")],
    )


def test_paths_of_a_referenced_project():
    check(
        {
            "tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
            "tsconfig.app.json": '{"compilerOptions": {"paths": {"@/*": ["./src/*"]}}}',
            "src/a.ts": "export const a = 1",
            "src/m.ts": "import { a } from '@/a'; a",
        },
        edges=[("src/m.ts", "src/a.ts")],
    )


@pytest.mark.parametrize(
    "workspace",
    [
        {"package.json": '{"workspaces": {"packages": ["packages/**", "!packages/old"]}}'},
        {"pnpm-workspace.yaml": "packages:\n  - 'packages/*'  # all\n  - '!packages/old'\n"},
        {"lerna.json": '{"packages": ["packages/u", "packages/a"]}'},
    ],
)
@pytest.mark.parametrize(
    "manifest",
    [
        '{"name": "@m/u", "main": "./dist/index.js"}',
        '{"name": "@m/u", "exports": {".": {"types": "./dist/index.d.ts", "import": "./dist/esm/index.mjs"}}}',
        '{"name": "@m/u", "exports": "./lib/index.cjs"}',
        '{"name": "@m/u"}',
    ],
)
def test_a_package_of_the_workspace_leads_to_its_source(workspace, manifest):
    check(
        {
            **workspace,
            "packages/u/package.json": manifest,
            "packages/u/src/index.ts": "export const u = 1",
            "packages/old/package.json": '{"name": "@m/old", "main": "index.js"}',
            "packages/old/index.js": "",
            "packages/a/package.json": '{"name": "@m/a"}',
            "packages/a/m.ts": "import { u } from '@m/u'; import '@m/old'; u",
        },
        edges=[("packages/a/m.ts", "packages/u/src/index.ts")],
        symbols=[("packages/a/m.ts", "packages/u/src/index.ts", "u")],
    )


def test_a_package_outside_the_workspace_is_not_meant():
    files = {
        "package.json": '{"workspaces": ["packages/*"]}',
        "packages/react/package.json": '{"name": "react", "main": "index.js"}',
        "packages/react/index.js": "",
        "fixtures/app/package.json": '{"dependencies": {"react": "^18"}}',
        "fixtures/app/m.js": "import 'react'",
        "fixtures/fake/package.json": '{"name": "lodash", "main": "index.js"}',
        "fixtures/fake/index.js": "",
        "packages/react/n.js": "import 'lodash'",
    }
    check(files, edges=[])


def test_exports_patterns_and_private_imports():
    check(
        {
            "package.json": """{"name": "p", "exports": {"./*": "./dist/*.js", "./deep/*": null},
                "imports": {"#i/*.js": "./dist/inner/*.js"}}""",
            "tsconfig.json": '{"compilerOptions": {"outDir": "dist", "rootDir": "code"}}',
            "code/a.ts": "export const a = 1",
            "code/inner/b.ts": "export const b = 1",
            "m.ts": "import { a } from 'p/a'; import { b } from '#i/b.js'; a; b",
        },
        edges=[("m.ts", "code/a.ts"), ("m.ts", "code/inner/b.ts")],
    )


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("./x.js", "x.ts"), ("./x.jsx", "x.tsx"), ("./y.mjs", "y.mts"), ("./z.cjs", "z.cts"),
        ("./dir", "dir/index.ts"), (".", "index.ts"), ("./", "index.ts"), ("./pkg", "pkg/main.ts"),
        ("./data.json", "data.json"), ("./a.config", "a.config.ts"), ("./js.js", "js.js"),
    ],
)  # fmt: skip
def test_suffixes(module, target):
    names = ["x.ts", "x.tsx", "y.mts", "z.cts", "dir/index.ts", "index.ts", "js.js", "a.config.ts"]
    if module == "./x.jsx":
        names.remove("x.ts")
    files = dict.fromkeys(names, "export {}")
    files |= {"data.json": "{}", "pkg/package.json": '{"main": "./main.js"}', "pkg/main.ts": ""}
    check({**files, "m.ts": f"import '{module}'"}, edges=[("m.ts", target)])


# --- symbols -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "use", "symbol"),
    [
        ("export default class Foo { static of() {} }", "import F from './s'; F.of()", "Foo.of"),
        ("module.exports = class Foo { static of() {} }", "const F = require('./s'); F.of()", "Foo.of"),
        ("exports.f = () => 1", "import * as s from './s'; s.f()", "f"),
        ("module.exports = { f() {} }", "const { f: g } = require('./s'); g()", "f"),
        ("const api = { get() {} }; module.exports = api", "const a = require('./s'); a.get()", "api.get"),
        ("const x = 1; export { x as y }", "import { y } from './s'; y", "x"),
        ("export class A { m() {} }", "import { A } from './s'; class B extends A { n() { this.m() } }", "A.m"),
        ("export class A { m() {} }", "import { A } from './s'; class B extends A { m() { super.m() } }", "A.m"),
        ("export class A { m() {} }", "import { A } from './s'; function f() { const a = new A(); a.m() }", "A.m"),
        ("export const a = 1", "import { a } from './s'; const o = { a, ...a }", "a"),
    ],
)  # fmt: skip
def test_symbols_in_javascript(source, use, symbol):
    check({"s.js": source, "m.js": use}, symbols=[("m.js", "s.js", symbol)])


@pytest.mark.parametrize(
    ("source", "use", "symbol"),
    [
        ("export class A { m() {} }", "import { A } from './s'; const f = (a: A | null) => a?.m()", "A.m"),
        ("export class A { m() {} }", "import { A } from './s'; class C { constructor(private a: A) {} f() { this.a.m() } }", "A.m"),
        ("export class A { m() {} }\nexport function make(): A {}", "import { make } from './s'; make().m()", "A.m"),
        ("export class A { m() {} }\nexport function make(): Promise<A> {}", "import { make } from './s'; async function f() { const a = await make(); a.m() }", "A.m"),
        ("export class A { m() {} }\nexport function each(f: (a: A) => void) {}", "import { each } from './s'; each(a => a.m())", "A.m"),
        ("export class A { m() {} }", "import { A } from './s'; function f(all: A[]) { for (const a of all) a.m() }", "A.m"),
        ("export class A { m() {} }", "import { A } from './s'; function f(all: A[]) { all.forEach(a => a.m()) }", "A.m"),
        ("export interface P { size: number }", "import { P } from './s'; function f({ size }: P) {}", "P.size"),
        ("export interface P { size: number }\nexport function f(p: P) {}", "import { f } from './s'; f({ size: 1 })", "P.size"),
        ("export namespace N { export const x = 1 }", "import { N } from './s'; N.x", "N.x"),
        ("export enum E { A }", "import { E } from './s'; E.A", "E.A"),
    ],
)  # fmt: skip
def test_symbols_in_typescript(source, use, symbol):
    check({"s.ts": source, "m.ts": use}, symbols=[("m.ts", "s.ts", symbol)])


@pytest.mark.parametrize(
    "use",
    [
        "function f(x) { return x }",
        "function f() { const x = 1; return x }",
        "{ let x = 1; x }",
        "for (const x of []) x",
        "try {} catch (x) { x }",
        "const f = ({ x }) => x",
        "function f() { if (1) { var x } return x }",
        "function f() { class x {} new x() }",
        "o.x; ({ x: 1 })",
    ],
)
def test_shadowed_names_are_no_uses(use):
    files = {
        "s.js": "export const x = 1; export const y = 2",
        "m.js": f"import {{ x, y }} from './s'; y\n{use}",
    }
    links = check(files, edges=[("m.js", "s.js")])
    assert {one.lines for one in links["m.js"].uses if one.symbol == "x"} <= {(1,)}


def test_circular_barrels_end():
    check(
        {
            "a.ts": "export * from './b'; export const a = 1",
            "b.ts": "export * from './a'; export const b = 1",
            "m.ts": "import { a, b, c } from './a'; a; b; c",
        },
        edges=[("a.ts", "b.ts"), ("b.ts", "a.ts"), ("m.ts", "a.ts")],
        symbols=[("m.ts", "b.ts", "b"), ("m.ts", "a.ts", "a"), ("m.ts", "a.ts", "*")],
    )


# --- interface and meaning -----------------------------------------------------------------------

CHANGES = [
    ("white space", "m.js", "function f(a,b){return a+b}", "function f(a, b) {\n  return a + b\n}\n", 0, 0),
    ("semicolons", "m.js", "let a = 1\nf()\n", "let a = 1;\nf();\n", 0, 0),
    ("quotes", "m.js", "f('a')", 'f("a")', 0, 0),
    ("trailing commas", "m.js", "f([1, 2], { a })", "f([\n  1,\n  2,\n], {\n  a,\n},)", 0, 0),
    ("brackets of one parameter", "m.js", "export const f = x => x", "export const f = (x) => x", 0, 0),
    ("brackets of one parameter", "m.ts", "export const f = async x => x", "export const f = async (x) => x", 0, 0),
    ("separators of members", "m.ts", "interface I { a: string, b: number }", "interface I {\n  a: string;\n  b: number;\n}", 0, 0),
    ("first bar of a union", "m.ts", "type T = A | B", "type T =\n  | A\n  | B;", 0, 0),
    ("plain comment", "m.js", "export const a = 1", "// why\nexport const a = /* one */ 1 // end", 0, 0),
    ("comment between statements", "m.js", "f()\ng()", "f()\n// then\ng()", 0, 0),
    ("body", "m.js", "export function f() { return 1 }", "export function f() { return 2 }", 0, 1),
    ("body of a method", "m.ts", "export class A { m(): void { a() } }", "export class A { m(): void { b() } }", 0, 1),
    ("body of an arrow function", "m.js", "export const f = () => 1", "export const f = () => 2", 0, 1),
    ("private function", "m.js", "export const a = 1; function f(a) {}", "export const a = 1; function f(b) {}", 0, 1),
    ("private member", "m.ts", "export class A { private a = 1 }", "export class A { private a = 2 }", 0, 1),
    ("signature", "m.js", "export function f(a) {}", "export function f(a, b) {}", 1, 1),
    ("name of a parameter", "m.js", "export function f(a) {}", "export function f(b) {}", 1, 1),
    ("type of a parameter", "m.ts", "export function f(a: string) {}", "export function f(a: number) {}", 1, 1),
    ("return type", "m.ts", "export function f(): A {}", "export function f(): B {}", 1, 1),
    ("default value", "m.js", "export function f(a = 1) {}", "export function f(a = 2) {}", 1, 1),
    ("decorator", "m.ts", "@a export class A {}", "@b export class A {}", 1, 1),
    ("base", "m.js", "export class A extends B {}", "export class A extends C {}", 1, 1),
    ("visibility", "m.ts", "export class A { a = 1 }", "export class A { private a = 1 }", 1, 1),
    ("export", "m.js", "function f() {}\nexport {}", "export function f() {}", 1, 1),
    ("exported name", "m.js", "const a = 1; export { a as b }", "const a = 1; export { a as c }", 1, 1),
    ("re-export", "m.js", "export { a } from './a'", "export { a } from './b'", 1, 1),
    ("doc comment", "m.js", "/** A */\nexport const a = 1", "/** B */\nexport const a = 1", 1, 1),
    ("doc comment of the file", "m.js", "/** @file A */\nimport './a'", "/** @file B */\nimport './a'", 1, 1),
    ("value of a constant", "m.js", "export const a = 1", "export const a = 2", 1, 1),
    ("enumerator", "m.ts", "export enum E { A = 1 }", "export enum E { A = 2 }", 1, 1),
    ("type", "m.ts", "export type T = A", "export type T = B", 1, 1),
    ("member of an interface", "m.ts", "export interface I { a: string }", "export interface I { a?: string }", 1, 1),
    ("index signature", "m.ts", "export interface I { [a: string]: A }", "export interface I { [a: string]: B }", 1, 1),
    ("order of definitions", "m.js", "export const a = 1; export const b = 2", "export const b = 2; export const a = 1", 0, 1),
    ("text in quotes", "m.js", "f('a  b')", "f('a b')", 0, 1),
    ("line end that ends a statement", "m.js", "function f() { return a }", "function f() { return; a }", 0, 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "before", "after", "interface", "meaning"),
    [one[1:] for one in CHANGES],
    ids=[one[0] for one in CHANGES],
)
def test_change(path, before, after, interface, meaning):
    check_change(path, before, after, interface=bool(interface), meaning=bool(meaning))
