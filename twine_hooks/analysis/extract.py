"""Bytes of one file in, its facts out; never raises on what a file contains."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from twine_hooks.analysis.all_languages import LANGUAGES, load
from twine_hooks.analysis.facts import Facts
from twine_hooks.analysis.lang_base import Parsed

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query


# Limits that code which people write stays far below. Without them the time grows with the square
# of the depth in code that is nested thousands of levels deep; beyond them captures are left out.
_OPEN_MATCHES = 4096
_DEPTH = 3000  #: of the tree: a sum of that many terms, not only blocks in blocks


def extract(source: bytes, language: str, names_only: bool = False) -> Facts:
    """Facts of one file. ``source`` is what git stores; ``language`` a key of ``LANGUAGES``.

    ``names_only``: no more than the edges between files follow from, in a language with a query
    for that.
    """
    text = shown = as_utf8(source)
    if LANGUAGES[language].prepares:
        shown, language = load(language).prepare(text)  # type: ignore[attr-defined]
    names_only = names_only and bool(LANGUAGES[language].names_query)
    captures: dict[str, list[Node]] = {}
    if LANGUAGES[language].grammar:
        from tree_sitter import QueryCursor

        parser, query = _tools(language, names_only)
        cursor = QueryCursor(query, match_limit=_OPEN_MATCHES)
        cursor.set_max_start_depth(_DEPTH)
        captures = cursor.captures(parser.parse(shown).root_node)
    parsed = Parsed(text, captures)
    facts = _read_names(language, parsed) if names_only else load(language).read(parsed)
    return facts if facts.language == language else facts._replace(language=language)


def _read_names(language: str, parsed: Parsed) -> Facts:
    facts: Facts = load(language).read_names(parsed)  # type: ignore[attr-defined]
    return facts


def as_utf8(source: bytes) -> bytes:
    """The text in UTF-8 with LF line ends: UTF-8, else by byte order mark, else Latin-1."""
    text = _decoded(source)
    return text.replace(b"\r\n", b"\n") if b"\r" in text else text


def _decoded(source: bytes) -> bytes:
    if source.startswith(b"\xef\xbb\xbf"):
        source = source[3:]
    elif source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return source.decode("utf-16", "replace").encode()
    try:
        source.decode("utf-8")
    except UnicodeDecodeError:
        return source.decode("latin-1").encode()
    return source


@cache
def _tools(language: str, names_only: bool = False) -> tuple[Parser, Query]:
    """Parser and compiled query of a language; some take 30 ms, so only for what occurs."""
    from tree_sitter import Parser, Query

    from twine_hooks.analysis.grammars import grammar

    entry = LANGUAGES[language]
    known = grammar(entry.grammar)
    source = "\n".join(
        _query_text(name) for name in (entry.names_query if names_only else entry.query).split("+")
    )
    return Parser(known), Query(known, source)


def _query_text(name: str) -> str:
    """A query that is shipped beside this module; `importlib.resources` would cost 13 ms."""
    folder = __file__.removesuffix("extract.py")
    with open(f"{folder}queries/{name}.scm", encoding="utf-8") as stream:
        return stream.read()
