"""SQL: what a file says about itself. Text alone is read, with no tree; names stay as written."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cached_property

from docs_store.digest import short
from twine_hooks.analysis.definitions import as_seen, collect_definitions
from twine_hooks.analysis.facts import Definition, Facts, Import, Reference
from twine_hooks.analysis.interface import file_interface
from twine_hooks.analysis.lang_base import Parsed, Traits, without_indentation
from twine_hooks.analysis.languages.sql_definitions import (
    Made,
    Spans,
    is_lone_query,
    output_columns,
)
from twine_hooks.analysis.languages.sql_jinja import Templates, templates_of
from twine_hooks.analysis.languages.sql_linker import SqlLinker as linker
from twine_hooks.analysis.languages.sql_linker import split_name
from twine_hooks.analysis.languages.sql_names import NameReader
from twine_hooks.analysis.languages.sql_reading import Named
from twine_hooks.analysis.languages.sql_statements import ROUTINES, Statement, split
from twine_hooks.analysis.languages.sql_tokens import (
    BODY,
    COMMAND,
    NAME,
    STRING,
    Manner,
    Token,
    bare,
    dialect_of,
    is_name,
    manner_of,
    tokens_of,
    utf8,
)
from twine_hooks.analysis.languages.sql_words import RELATION
from twine_hooks.analysis.references import merged
from twine_hooks.analysis.scopes import innermost

_MARKERS = re.compile(
    r"^[ \t]*(?:--+|\{#-?|/\*+|\*(?!/)|#)[ \t]?|[ \t]*(?:\*+/|-?#\}|-{3,})[ \t]*$", re.MULTILINE
)
_LINE_END = re.compile(r"[ \t]*(?:\n|\Z)")
#: A line end; before a macro a blank line may stand too.
_BEFORE_DEFINITION = re.compile(r"[ \t]*\n?[ \t]*(?:\n?[ \t]*\n?\{%-?\s*)?")
#: What a comment at the top says of the file that is not what the file is for.
_NO_PURPOSE = re.compile(
    r"copyright|licen[cs]e|\bdump\b|generated|\A\W*(?:todo|fixme|xxx|hack)\b", re.IGNORECASE
)
_PROGRAMS = re.compile(r"\blanguage\s+'?\"?(\w+)", re.IGNORECASE)
_SQL_PROGRAMS = frozenset({"sql", "plpgsql", "plsql", "sqlscript", "edbspl", "plpgsqlu", "plisql"})
_INCLUDE = re.compile(
    r"\s*(?:(?P<own>\\ir|\\include_relative|@@)|\\i|\\include|\\\.|source|:r|\.read|@|start)"
    r"(?:\s+|(?<=@))(?P<file>'[^']+'|\"[^\"]+\"|[^;]*?\S)\s*;?\s*$",
    re.IGNORECASE,
)
_COPY = re.compile(r"\s*\\copy\s+(?P<name>(?:\"[^\"]+\"|[\w.])+)", re.IGNORECASE)
_SEARCH_PATH = re.compile(
    r"\bset\s+(?:session\s+|local\s+)?search_path\s*(?:=|\bto\b)\s*"
    r"(?P<path>(?:\"[^\"\n]*\"|'[^'\n]*'|[\w$]+)(?:\s*,\s*(?:\"[^\"\n]*\"|'[^'\n]*'|[\w$]+))*)"
    r"|set_config\(\s*'search_path'\s*,\s*'(?P<config>[^']*)'"
    r"|^[ \t]*use\s+(?:schema\s+|database\s+)?"
    r"(?P<use>[`\[\"]?\w+(?:\.\w+)?[`\]\"]?)[ \t]*;?[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)

_SYSTEM_SCHEMAS = frozenset({"pg_catalog", "pg_temp", "information_schema", ""})
_MAY_SET_PATH = re.compile(r"search_path|(?:^|\n)[ \t]*use[ \t]", re.IGNORECASE)
_DROP = re.compile(
    r"\bdrop\s+(?:materialized\s+|foreign\s+)?\w+\s+(?:if\s+exists\s+)?([\w\"`\[][\w.\"`\[\]]*)",
    re.IGNORECASE,
)


def _clean_doc(text: str) -> str:
    if text[:1] in "'":
        return text.strip("'").replace("''", "'")
    lines = [_MARKERS.sub("", line).rstrip() for line in text.strip().split("\n")]
    return without_indentation("\n".join(lines)).strip()


TRAITS = Traits(
    ignores_case=True,
    clean_doc=_clean_doc,
    is_public=lambda name, head: True,
    after_doc=re.compile(rb"\s*(?:\{%-?\s*)?\Z"),
)


def read(parsed: Parsed) -> Facts:
    """Facts of one SQL file."""
    return _File(parsed).facts()


class _File:
    """One file while its facts are gathered."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        text = self._text = parsed.text.decode("latin-1")
        has_templates = "{{" in text or "{%" in text or "{#" in text
        self._templates = templates_of(text) if has_templates else Templates(text, (), (), (), ())
        shown = self._shown = self._templates.blanked
        self._dialect = dialect_of(shown)
        self._manner: Manner = manner_of(shown, self._dialect, has_templates)
        self._tokens, self._comments = tokens_of(shown, self._manner)
        self._statements = split(shown, self._tokens, self._dialect)
        self._spans = Spans(shown, self._tokens)
        self._plain_bodies: list[Token] = []
        self._strings: list[Token] = []
        self._routines: set[Statement] = set()
        self._programs_are_sql = self._has_program = False

    def facts(self) -> Facts:
        made = [one for one in map(self._spans.statement, self._statements) if one]
        self._routines = {one.statement for one in made if one.head.kind in ROUTINES}
        names = self._names()
        self._note_blocks()
        self._note_query()
        doc = self._note_comments()
        parsed = self._parsed.with_spans(self._spans.found)
        definitions, tokens = collect_definitions(parsed, TRAITS)
        renamed = self._renamed(definitions, {one.start: one.head.name.parts for one in made})
        commented = self._commented(renamed)
        spans = [(one.start, one.end) for one in commented]
        imports = sorted(self._imports(), key=lambda one: (one.line, one.module, one.name))
        return Facts(
            language="sql",
            definitions=tuple(commented),
            references=tuple(self._references(names, spans)),
            imports=tuple(imports),
            doc=doc,
            meaning=tokens.meaning,
            interface=file_interface(list(as_seen(commented, TRAITS)), doc),
            lines=parsed.line_count,
            extra=tuple(sorted({*self._extra(made, commented)})),
        )

    # --- names ------------------------------------------------------------------------------------

    def _names(self) -> list[Named]:
        reader = NameReader(self._shown, self._body)
        for statement in self._statements:
            tokens = self._tokens[statement.first : statement.last]
            reader.read(tokens, is_routine=self._is_routine(statement))
        for token in self._tokens:
            if token.kind == COMMAND and (copy := _COPY.match(token.text)):
                reader.found.append(Named(utf8(copy["name"]), RELATION, token.start))
        for chain in self._spans.types:
            reader.add_type(chain)
        return reader.found

    def _is_routine(self, statement: Statement) -> bool:
        """Also notes whether the bodies in it are SQL."""
        head = self._shown[self._tokens[statement.first].start : statement.end]
        first = next(
            (one for one in self._tokens[statement.first : statement.last] if is_name(one)), None
        )
        self._programs_are_sql = False
        if first is None or first.text not in ("create", "do"):
            return False
        programs = [
            name for one in self._outside_bodies(statement, head) for name in _PROGRAMS.findall(one)
        ]
        self._programs_are_sql = all(name.lower() in _SQL_PROGRAMS for name in programs)
        self._has_program = bool(programs) or first.text == "do"
        return first.text == "do" or statement in self._routines

    def _outside_bodies(self, statement: Statement, whole: str) -> Iterator[str]:
        """The text of a statement around the bodies in it."""
        offset = position = self._tokens[statement.first].start
        for token in self._tokens[statement.first : statement.last]:
            if token.kind == BODY:
                yield whole[position - offset : token.start - offset]
                position = token.end
        yield whole[position - offset :]

    def _body(self, token: Token) -> list[Token]:
        """The tokens of a body in SQL; none for a string, and for a body in another language."""
        if token.kind == STRING:
            is_body = self._programs_are_sql and self._has_program and self._is_after_as(token)
            if not is_body:
                self._strings.append(token)
                return []
            edge = 1
        elif not self._programs_are_sql:
            self._plain_bodies.append(token)
            return []
        else:
            edge = token.text.index("$", 1) + 1
        tokens, comments = tokens_of(
            self._shown, self._manner, token.start + edge, token.end - edge
        )
        self._comments += comments
        return tokens

    def _is_after_as(self, token: Token) -> bool:
        before = self._shown[max(0, token.start - 12) : token.start].split()
        return bool(before) and before[-1].lower() in ("as", "do") and " " in token.text

    def _references(self, names: Iterable[Named], spans: list[tuple[int, int]]) -> list[Reference]:
        ordered = sorted(set(names), key=lambda one: (one.at, one.chain, one.kind))
        scopes = innermost(spans, [one.at for one in ordered])
        uses = [(one.at, one.chain, one.kind) for one in ordered]
        return sorted(merged(self._parsed, uses, scopes))

    # --- imports ----------------------------------------------------------------------------------

    def _imports(self) -> Iterator[Import]:
        for asked in self._templates.asked:
            line = self._parsed.line_of(asked.at)
            *packages, name = asked.names
            if asked.kind == "source":
                yield Import(asked.names[0], asked.names[1], "", "source", line)
            else:
                yield Import(name, "".join(packages[:1]), "", asked.kind, line)
        for token in self._tokens:
            if token.kind == COMMAND and (found := _INCLUDE.match(token.text)):
                kind = "include_relative" if found["own"] else "include"
                file = utf8(found["file"].strip("'\""))
                yield Import(file, "", "", kind, self._parsed.line_of(token.start))

    # --- spans ------------------------------------------------------------------------------------

    def _note_blocks(self) -> None:
        for block in self._templates.blocks:
            kind = block.kind if block.kind in ("test", "snapshot") else "macro"
            self._spans.add(f"definition.{kind}", block.start, block.end)
            self._spans.add("name", *block.name)
            self._spans.add("tail", block.tail, block.tail)
            self._spans.add("body", block.body, block.body)
            self._spans.add("scope", block.body, block.end)

    def _note_query(self) -> None:
        if self._templates.blocks:
            return
        query = is_lone_query(self._tokens, self._statements)
        if query is not None:
            first = next(at for at in range(query.first, query.last) if is_name(self._tokens[at]))
            for name in output_columns(self._shown, self._tokens, first, query.last):
                quoted = self._shown[name.start] in '"`['
                self._spans.add("definition.field", name.start, name.end)
                self._spans.add("name", name.start + quoted, name.end - quoted)

    def _note_comments(self) -> str:
        """Comments, strings and what else meaning is made from; the doc comment of the file."""
        add = self._spans.add
        comments = [(one.start, one.end) for one in self._comments]
        comments = sorted({*comments, *self._templates.comments})
        for span in comments:
            add("ignored", *span)
        quoted = [one for one in self._tokens if one.kind in (NAME, COMMAND)]
        for token in [*quoted, *self._strings, *self._plain_bodies]:
            add("verbatim", token.start, token.end)
        for span in self._templates.strings:
            add("verbatim", *span)
        last = self._tokens[-1] if self._tokens else None
        if last is not None and last.text == ";":
            add("ignored", last.start, last.end)
        used = self._note_docs(comments)
        return self._file_doc([one for one in comments if one not in used])

    def _note_docs(self, comments: list[tuple[int, int]]) -> set[tuple[int, int]]:
        """Doc comments: those directly before a definition, and those behind a column."""
        used = set()
        starts = {
            span[0]
            for capture, spans in self._spans.found.items()
            if capture.startswith("definition.")
            for span in spans
        }
        fields = self._spans.found.get("definition.field", [])
        by_line = {self._parsed.line_of(end - 1): at for at, (_, end) in enumerate(fields)}
        following = -1
        for start, end in reversed(comments):
            line_start = self._text.rfind("\n", 0, start) + 1
            is_behind = bool(self._text[line_start:start].strip())
            gap = self._text[end:following] if following >= 0 else "x"
            joins = not gap.strip() and gap.count("\n") <= 1
            if not is_behind and (joins or self._is_before(end, starts)):
                self._spans.add("doc.before", start, end)
                used.add((start, end))
                following = start
                continue
            following = -1
            at = by_line.get(self._parsed.line_of(start), -1)
            is_last = _LINE_END.match(self._text, end) is not None
            if at >= 0 and is_last and not self._text[fields[at][1] : start].strip(" \t,"):
                self._spans.add("tail", fields[at][1], fields[at][1])
                fields[at] = (fields[at][0], max(end, fields[at][1]))
                self._spans.add("doc", start, end)
                used.add((start, end))
        return used

    def _is_before(self, end: int, starts: set[int]) -> bool:
        gap = _BEFORE_DEFINITION.match(self._text, end)
        return gap is not None and gap.end() in starts and "\n" in self._text[end : gap.end()]

    def _file_doc(self, comments: list[tuple[int, int]]) -> str:
        """The comment at the top, unless it is about rights or what is left to do."""
        shown: list[str] = []
        position = 0
        for start, end in comments:
            gap = self._text[position:start]
            if gap.strip() or (shown and gap.count("\n") > 1):
                break
            shown.append(_clean_doc(self._parsed.string(start, end)))
            position = end
        doc = "\n".join(shown).strip()
        return "" if _NO_PURPOSE.search(doc) else doc

    # --- definitions ------------------------------------------------------------------------------

    def _renamed(
        self, definitions: list[Definition], written: dict[int, tuple[str, ...]]
    ) -> list[Definition]:
        """Dotted names taken apart, quotes off; ``written`` has them by where they are made."""
        found: list[Definition] = []
        for one in definitions:
            parts = [one.name]
            if one.start in written and one.parent < 0:
                parts = [bare(part) for part in written[one.start]]
            name, qualified = parts[-1], ".".join(parts)
            if one.parent >= 0:
                qualified = f"{found[one.parent].qualified}.{qualified}"
            signature = one.signature.removesuffix(";").rstrip()
            found.append(one._replace(name=name, qualified=qualified, signature=signature))
        return found

    def _commented(self, definitions: list[Definition]) -> list[Definition]:
        """With what COMMENT ON says of them."""
        said = dict(self._comments_on())
        if not said:
            return definitions
        found = []
        for one in definitions:
            doc = said.get(one.qualified.lower())
            if doc:
                interface = short(one.interface + doc, 16)
                one = one._replace(doc=f"{one.doc}\n{doc}".strip(), interface=interface)
            found.append(one)
        return found

    def _comments_on(self) -> Iterator[tuple[str, str]]:
        for statement in self._statements:
            tokens = self._tokens[statement.first : statement.last]
            if len(tokens) > 4 and tokens[0].text == "comment" and tokens[-1].kind == STRING:
                name = "".join(
                    bare(self._text[one.start : one.end])
                    for one in tokens[3:-2]
                    if is_name(one) or one.text == "."
                )
                yield utf8(name).lower(), utf8(_clean_doc(tokens[-1].text))

    def _extra(self, made: list[Made], definitions: list[Definition]) -> Iterator[tuple[str, str]]:
        """What only linking needs; see ``sql_linker``."""
        if self._dialect:
            yield "dialect", self._dialect
        found = list(self._search_paths())
        paths = [(line, path) for line, path, last in found if not last]
        for line, path, last in found:
            yield "search path", f"{line} {path}"
            if last:
                outer = next((path for at, path in paths[::-1] if at <= line), "")
                yield "search path", f"{last + 1} {outer}"
        for one in made:
            name = ".".join(map(bare, one.head.name.parts))
            if one.head.is_temporary:
                continue
            if any(part[:1] in '"`[' for part in one.head.name.parts):
                yield "quoted", name
            if one.head.replaces or self._is_dropped_before(one):
                yield "replaced", name
            line = self._parsed.line_of(one.start)
            active = [path for at, path in paths if at <= line]
            if active and len(one.head.name.parts) == 1:
                yield "schema", f"{name} {active[-1].split(',')[0]}"

    def _is_dropped_before(self, made: Made) -> bool:
        name = bare(made.head.name.parts[-1]).lower()
        return self._drops.get(name, made.start) < made.start

    @cached_property
    def _drops(self) -> dict[str, int]:
        """Where each name is first dropped."""
        drops: dict[str, int] = {}
        for found in _DROP.finditer(self._shown):
            drops.setdefault(bare(split_name(utf8(found[1]))[-1]).lower(), found.start())
        return drops

    def _search_paths(self) -> Iterator[tuple[int, str, int]]:
        """(line, schemas, 0) for what holds from there on; with the last line for a routine."""
        if not _MAY_SET_PATH.search(self._shown):
            return
        starts = [self._tokens[one.first].start for one in self._statements]
        for found in _SEARCH_PATH.finditer(self._shown):
            written = found["path"] or found["config"] or found["use"] or ""
            names = [bare(one.strip().strip("'")) for one in written.split(",")]
            names = [one.rpartition(".")[2].strip("'") for one in names if "$user" not in one]
            names = [one for one in names if one.lower() not in _SYSTEM_SCHEMAS]
            at = bisect_right(starts, found.end()) - 1
            if not names or at < 0:
                continue
            word = self._tokens[self._statements[at].first].text
            is_inner = word == "create"
            if is_inner or word in ("set", "select", "use"):
                line = self._parsed.line_of(starts[at] if is_inner else found.start())
                last = self._parsed.line_of(self._statements[at].end - 1) if is_inner else 0
                yield line, ",".join(map(utf8, names)), last


__all__ = ["TRAITS", "linker", "read"]
