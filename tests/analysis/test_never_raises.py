"""Analysis takes any bytes in any language: invariant 1, as an absence."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from twine_hooks.analysis.all_languages import LANGUAGES
from twine_hooks.analysis.extract import extract
from twine_hooks.analysis.facts import Facts, pack, unpack
from twine_hooks.analysis.graph import build
from twine_hooks.analysis.lang_base import Project, Settings
from twine_hooks.inputs import leaf_of

# Pieces that mean something in one language or another; a mixture of them means nothing.
PIECES = """
def f ( x : int = 1 ) -> str : | class A ( B , metaclass = C ) : | import a . b as c , d | @
from . import * | from .. a import ( x as y , ) | \"\"\" doc \"\"\" | ''' | # comment | \\ | ;
return
export default | export * as n from './x' ; | import type { T , U as V } from "q" ;
require ( 'x' )
module . exports = { a , b : c } ; | const { a , ...b } = c ; | => | async function * g ( ) {
} | ` ${ |
interface I < T extends U > { a ? : T [ ] ; } | enum E { A = 1 , } | namespace N . M {
abstract | /** doc */
declare global { | < div a = { b } > | </ div > | // x | /* | */ | #include "a.h"
#include <b> | #define X(a) \\
struct S { int a : 3 ; } ; | template < typename T > | typedef | :: | operator + | #if 0
#else | #endif
package a . b ; | import static a . B . * ; | public @ interface X { | record R ( int a ) { }
fun < T > T . x ( ) = | val by lazy {
companion object | when ( x ) { | sealed | using static A . B ; | namespace N ; | [ X ( 1 ) ] partial struct S < T > : I where T : U {
#elif | #region r | new ( ) { A = 1 } | x is T { P : 1 } y | /// <see cref="A"/> | module A ; class B :: C < D
class << self | private | attr_accessor :a , :b | def self . x ( a = 1 , * b , k : ) | P = Struct . new ( :a ) do
end | x & . y | <<~T | __END__ | =begin | include M
CREATE TABLE a . b ( id int references c ) ;
pub ( crate ) fn f < 'a , T : A + B > ( & self , ( x , y ) : ( A , B ) ) -> impl C where T : D {
use a :: { self , b :: * , c as d } ; | impl < T > A for B < T > { | mod a ; | #[path = "x"] | #![b]
let Some ( x ) = y . z ? else { | match x { A :: B { c , .. } | d @ 1 => | macro_rules ! m { ( $x ) => { } }
/// doc | //! doc | m ! [ a ] | :: < T > :: | extern crate a as b ; | include_str ! ( "x" )
func ( s * S [ T ] ) m ( a ... b ) ( x , err error ) { | y := & T { a : 1 , { b } } | x . ( type )
range | switch z := x . ( b ) { case T : | type ( A = b . C | const ( a = iota | map [ K ] V { }
//go:embed a | //go:build ( ! b && c | chan <- | [ 3 ] | func ( ) { } ( )
SELECT * FROM x ; | $$ | é | \ufeff | \0
"""
TOKENS = [one.strip() for line in PIECES.splitlines() for one in line.split(" | ")]
mixtures = st.lists(st.sampled_from([*TOKENS, "\n", "\n    ", " ", "\t", "\r\n"]), max_size=40).map(
    lambda parts: " ".join(parts).encode()
)
cut = st.tuples(mixtures, st.integers(0, 400), st.binary(max_size=3)).map(
    lambda got: got[0][: got[1]] + got[2] + got[0][got[1] :]
)


def check(data: bytes, language: str) -> None:
    facts = extract(data, language)
    assert LANGUAGES[facts.language].family == LANGUAGES[language].family
    assert extract(data, language) == facts
    assert unpack(pack(facts)) == facts
    _check_shape(facts)
    _check_names(facts, extract(data, language, names_only=True))
    path = f"x.{LANGUAGES[language].extensions[0]}"
    project = Project(frozenset((path,)), {path: facts}, lambda _: None, Settings())
    build(project).components()
    leaf_of(facts, f"b3:{facts.meaning}")


def _check_shape(facts: Facts) -> None:
    assert len(facts.meaning) == len(facts.interface) == 32
    for number, one in enumerate(facts.definitions):
        assert -1 <= one.parent < number
        assert 1 <= one.start_line <= one.end_line <= max(facts.lines, 1) + 1
        assert one.name and "\n" not in one.signature
        assert len(one.interface) == len(one.meaning) == 16
    assert all(-1 <= one.scope < len(facts.definitions) for one in facts.references)


def _check_names(facts: Facts, names: Facts) -> None:
    assert names.imports == facts.imports
    assert names.exports == facts.exports
    assert _top(names) == _top(facts)


def _top(facts: Facts) -> list[str]:
    return [one.name for one in facts.definitions if one.parent < 0]


@pytest.mark.parametrize("language", sorted(LANGUAGES))
@given(data=st.one_of(st.binary(max_size=200), mixtures, cut))
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
def test_any_bytes(language, data):
    check(data, language)


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_piece_alone_and_every_piece_cut_short(language):
    for token in TOKENS:
        for data in (token, token[: len(token) // 2], token * 50):
            check(data.encode(), language)


DEEP = 100_000
MANIFESTS = [
    "", "[", "[" * DEEP, '{"a":' * DEEP, "a = " + "[" * DEEP, "<a>" * DEEP, "null", "1", "[[1]]", "\0",
    f"a = {'9' * 5000}", f'{{"a": {"9" * 5000}}}',
    "tool = 1", "[tool]\nsetuptools = 1\npoetry = 1\npytest = 1\n", "[tool]\npoetry = {packages = 1}\n",
    "[tool.poetry]\npackages = [1, {from = 1}]\n[tool.setuptools]\npackage-dir = [1]\n",
    "package = 1\nlib = 1\ndependencies = 1\nworkspace = 1\nbin = 1\n",
    "[package]\nname = 1\n[lib]\npath = 1\n[dependencies]\na = 1\nb = {path = 1}\n[workspace]\nmembers = 1\n",
    '[1, {}, {"file": 1, "directory": 2, "arguments": 3}, {"file": "a.c", "arguments": [1, null]}]',
    '[{"file": "a.c", "command": "\\"open"}, {"file": "../../a.c", "directory": "/", "command": "cc -I"}]',
    '{"name": 1, "main": [], "exports": {"a": [null, {"b": {}}]}, "imports": [1], "workspaces": {"packages": 1}}',
    '{"extends": [1, null], "references": [1], "compilerOptions": {"paths": {"a": 1, "*": [1]}, "rootDirs": [1]}}',
    '{"extends": "./tsconfig.json", "compilerOptions": []}',
    "module\n", "module a\nreplace (\nb =>\n)\nuse (\n./a\n", "models: 1\nname: [", "- a",
    "<Project><ItemGroup><Compile Include='['/><ProjectReference Include=''/></ItemGroup></Project>",
]  # fmt: skip
IMPORTS = "import a.b\nfrom x import y\nuse a::b;\n#include <a.h>\nimport x from '@a/b';\n"


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_any_manifest(language):
    path = f"p/a.{LANGUAGES[language].extensions[0]}"
    facts = {path: extract(IMPORTS.encode(), language)}
    for name in LANGUAGES[language].manifests:
        for text in MANIFESTS:
            files = {path: b"", "p/" + name.replace("*", "x"): text.encode()}
            project = Project(frozenset(files), facts, files.get, Settings())
            build(project)
