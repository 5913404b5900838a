"""Where the names of SQL files lead: by name, schema and dialect; includes; what dbt refers to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from twine_hooks.analysis.facts import (
    EVERYTHING,
    Edge,
    Facts,
    Import,
    Links,
    Reference,
    Unresolved,
    Use,
)
from twine_hooks.analysis.lang_base import Project, folder_of, join
from twine_hooks.analysis.languages.sql_dbt import Projects
from twine_hooks.analysis.languages.sql_tokens import (
    BIGQUERY,
    MYSQL,
    ORACLE,
    POSTGRES,
    SNOWFLAKE,
    SQLITE,
    TSQL,
    bare,
)
from twine_hooks.analysis.languages.sql_words import words

_NO_FACTS = Facts(language="")
_DEFAULT_SCHEMAS = frozenset({"", "public", "dbo", "main"})
#: Dialects in which quotes do not make capital letters count.
_SAME_CASE = frozenset({TSQL, SQLITE, MYSQL, BIGQUERY})
_UPPER = frozenset({ORACLE, SNOWFLAKE})
_RELATIONS = frozenset({"table", "view", "sequence", "synonym", "index"})
_ROUTINES = frozenset({"function", "procedure", "macro", "package"})
_MEANT = {
    "read": _RELATIONS - {"index"},
    "drop": _RELATIONS,
    "call": _ROUTINES | {"type"},
    "type": frozenset({"type", "table", "view"}),
    "any": _RELATIONS | _ROUTINES | {"type", "schema"},
    "schema": frozenset({"schema"}),
}
_MIGRATIONS = words(
    "migrations migration migrate updates update upgrade upgrades patches changes changelog"
)
_LATE = frozenset({"function", "procedure", "trigger", "package", "event", "macro"})
_CERTAIN, _LIKELY = 1.0, 0.7
_PART = re.compile(r'"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[^.\s]+')
_VARIABLE = re.compile(r"^.*(?::\w+|:'\w+'|\$\(\w+\)|&\w+\.?|\x00+)/?")


class _Made(NamedTuple):
    """A definition that names may mean."""

    path: str
    qualified: str
    kind: str
    name: str
    schema: str  #: "" where the file does not say
    is_schema_written: bool  #: with the name, not before it as a search path
    is_quoted: bool
    is_replaced: bool
    line: int


class _Found(NamedTuple):
    made: _Made
    confidence: float


def split_name(written: str) -> list[str]:
    """The parts of a dotted name, quotes kept."""
    parts: list[str] = []
    for part in _PART.findall(written):
        deep = part[0] == "`" and "." in part
        parts += [f"`{one}`" for one in part[1:-1].split(".") if one] if deep else [part]
    return parts


class SqlLinker:
    """Links one SQL file after the other against what all of them define."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._dbt = Projects(project)
        self._candidates = lru_cache(maxsize=None)(self._find_candidates)

    def link(self, path: str) -> Links:
        """Edges, uses and what leads nowhere, of one file."""
        facts = self._project.facts.get(path, _NO_FACTS)
        gathered = _Gathered(path)
        for one in facts.imports:
            self._import(path, one, gathered)
        paths = _search_paths(facts)
        for reference in facts.references:
            self._reference(path, facts, reference, paths, gathered)
        return gathered.links()

    # --- what there is ----------------------------------------------------------------------------

    @cached_property
    def _made(self) -> dict[str, list[_Made]]:
        """Name in lower case -> definitions of that name."""
        found: dict[str, list[_Made]] = {}
        for path in sorted(self._project.paths):
            if path.endswith(".sql") and path in self._project.facts:
                for one in _made_in(path, self._project.facts[path]):
                    found.setdefault(one.name.lower(), []).append(one)
        return found

    @cached_property
    def _schemas(self) -> frozenset[str]:
        return frozenset(
            one.schema.lower() for named in self._made.values() for one in named if one.schema
        )

    @cached_property
    def _dialects(self) -> dict[str, Counter[str]]:
        """Folder -> how many files in and below it are in which dialect."""
        found: dict[str, Counter[str]] = {}
        for path in sorted(self._project.paths):
            if path.endswith(".sql") and path in self._project.facts:
                dialect = dict(self._project.facts[path].extra).get("dialect", "")
                folder = path
                while dialect and folder:
                    folder = folder_of(folder)
                    found.setdefault(folder, Counter())[dialect] += 1
        return found

    def _dialect_of(self, path: str) -> str:
        own = dict(self._project.facts[path].extra).get("dialect", "")
        folder = path
        while not own and folder:
            folder = folder_of(folder)
            counts = self._dialects.get(folder)
            if counts:
                own = max(sorted(counts), key=lambda name: counts[name])
        return own

    # --- names ------------------------------------------------------------------------------------

    def _reference(
        self,
        path: str,
        facts: Facts,
        reference: Reference,
        paths: list[tuple[int, tuple[str, ...]]],
        gathered: _Gathered,
    ) -> None:
        scope = facts.definitions[reference.scope] if reference.scope >= 0 else None
        while scope is not None and scope.parent >= 0:
            scope = facts.definitions[scope.parent]
        is_late = reference.kind == "drop" or (scope is not None and scope.kind in _LATE)
        by_path: dict[tuple[str, ...], list[int]] = {}
        for line in reference.lines:
            active = [schemas for at, schemas in paths if at <= line]
            by_path.setdefault(active[-1] if active else (), []).append(line)
        for schemas, lines in sorted(by_path.items()):
            found = self._candidates(path, reference.chain, reference.kind, schemas)
            own = [one for one in found if one.made.path == path]
            others = [one for one in found if one.made.path != path]
            first = min((one.made.line for one in own), default=0)
            is_remade = own and others and not is_late
            early = [one for one in lines if one < first] if is_remade else []
            late = [one for one in lines if one not in early]
            qualified = scope.qualified if scope else ""
            kind = "read" if reference.kind in ("drop", "any", "schema") else reference.kind
            if early:
                self._use(path, reference, others, kind, early, qualified, gathered)
            if late:
                self._use(path, reference, own[:1] or others, kind, late, qualified, gathered)

    def _use(
        self,
        path: str,
        reference: Reference,
        found: list[_Found],
        kind: str,
        lines: list[int],
        scope: str,
        gathered: _Gathered,
    ) -> None:
        one = self._choose(path, found)
        if one is not None:
            gathered.use(one.made.path, one.made.qualified, kind, lines, scope)
            gathered.edge(one.made.path, "reference", one.confidence, one.made.qualified)
        elif found or self._looks_own(reference):
            gathered.unresolved.add(Unresolved(reference.chain, lines[0]))

    def _looks_own(self, reference: Reference) -> bool:
        parts = split_name(reference.chain)
        return (
            len(parts) > 1
            and reference.kind == "read"
            and (bare(parts[-2]).lower() in self._schemas - _DEFAULT_SCHEMAS)
        )

    def _find_candidates(
        self, path: str, chain: str, kind: str, schemas: tuple[str, ...]
    ) -> list[_Found]:
        """All that a name may mean in the schema that it is looked for in."""
        parts = split_name(chain)
        dialect = self._dialect_of(path)
        named = [
            one
            for one in self._made.get(bare(parts[-1]).lower(), ())
            if one.kind in _MEANT[kind] and _is_same(parts[-1], one.name, one.is_quoted, dialect)
        ]
        if len(parts) > 1:
            return self._in_written_schema(named, parts, kind)
        for schema in schemas:
            found = _in_schema(named, schema)
            if found:
                if not any(one.is_schema_written for one in found):
                    # Who runs the file may have set the path for the others too.
                    found += [one for one in named if not one.schema and one not in found]
                return [_Found(one, _CERTAIN) for one in found]
        found = [one for one in named if one.schema.lower() in _DEFAULT_SCHEMAS]
        if found:
            return [_Found(one, _CERTAIN) for one in found]
        if len({one.schema.lower() for one in named}) == 1 and not schemas:
            return [_Found(one, _LIKELY) for one in named]
        return []

    def _in_written_schema(self, named: list[_Made], parts: list[str], kind: str) -> list[_Found]:
        schema = bare(parts[-2])
        found = [_Found(one, _CERTAIN) for one in _in_schema(named, schema)]
        if not found or not any(one.made.is_schema_written for one in found):
            found += self._in_package(parts, kind)
            if schema.lower() in self._path_schemas:
                found += [
                    _Found(one, _LIKELY)
                    for one in named
                    if not one.schema and one not in [known.made for known in found]
                ]
        return found

    @cached_property
    def _path_schemas(self) -> frozenset[str]:
        """Schemas that files without a schema of their own may be run in."""
        found: set[str] = set()
        for path in sorted(self._project.paths):
            if path.endswith(".sql") and path in self._project.facts:
                for _, schemas in _search_paths(self._project.facts[path]):
                    found.update(one.lower() for one in schemas)
        return frozenset(found)

    def _in_package(self, parts: list[str], kind: str) -> list[_Found]:
        """A routine of a package; only the package itself is known."""
        if kind != "call":
            return []
        packages = self._made.get(bare(parts[-2]).lower(), ())
        return [_Found(one, _CERTAIN) for one in packages if one.kind == "package"]

    def _choose(self, path: str, found: Iterable[_Found]) -> _Found | None:
        """The one that is meant, None when there is none or it is not clear which."""
        left = list(found)
        files = {one.made.path for one in left}
        if len(files) > 1:
            dialect = self._dialect_of(path)
            same = [one for one in left if self._dialect_of(one.made.path) == dialect]
            left = same or left
            if not _is_migration(path):
                left = [one for one in left if not _is_migration(one.made.path)] or left
            nearest = min(_distance(path, one.made.path) for one in left)
            left = [one for one in left if _distance(path, one.made.path) == nearest]
        if len({one.made.path for one in left}) > 1:
            # The last of several migrations; elsewhere nothing says which is meant.
            is_one_folder = len({folder_of(one.made.path) for one in left}) == 1
            left = _last_replaced(path, left) if is_one_folder else []
        return left[0] if left else None

    # --- imports ----------------------------------------------------------------------------------

    def _import(self, path: str, one: Import, gathered: _Gathered) -> None:
        found: list[tuple[str, str]] = []
        if one.kind == "ref":
            files = self._dbt.model(path, one)
            found = [(file, EVERYTHING) for file in files if len(files) == 1]
        elif one.kind == "source":
            found = [(file, EVERYTHING) for file in self._dbt.source(path, one)]
        elif one.kind in ("macro", "dispatch"):
            found = self._dbt.macro(path, one)
        else:
            found = [(file, EVERYTHING) for file in self._included(path, one)]
        for file, symbol in found:
            if file != path or symbol != EVERYTHING:
                kind = "call" if symbol != EVERYTHING else "import"
                gathered.use(file, symbol, kind, (one.line,), "")
            kind = {"dispatch": "macro", "include_relative": "include"}.get(one.kind, one.kind)
            confidence = _LIKELY if one.kind == "dispatch" else _CERTAIN
            gathered.edge(file, kind, confidence, "" if symbol == EVERYTHING else symbol)
        if not found and one.kind in ("ref", "include", "include_relative"):
            gathered.unresolved.add(Unresolved(one.module, one.line))

    def _included(self, path: str, one: Import) -> list[str]:
        """The file of psql's ``\\i`` and its like: beside the file, or from a folder above it."""
        written = _VARIABLE.sub("", one.module.replace("\\", "/"))
        if not written:
            return []
        folder = folder_of(path)
        while True:
            for name in (written, written + ".sql"):
                found = join(folder, name)
                if found in self._project.paths and found is not None:
                    return [found]
            if not folder:
                break
            folder = folder_of(folder)
        ending = "/" + written.lstrip("./")
        ending_in = [file for file in sorted(self._project.paths) if file.endswith(ending)]
        return ending_in if len(ending_in) == 1 else []


class _Gathered:
    """Links of one file while they are gathered."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._edges: dict[tuple[str, str], tuple[float, set[str]]] = {}
        self._uses: dict[tuple[str, str, str, str], set[int]] = {}
        self.unresolved: set[Unresolved] = set()

    def edge(self, target: str, kind: str, confidence: float, name: str) -> None:
        if target != self._path:
            known, names = self._edges.get((target, kind), (0.0, set[str]()))
            self._edges[target, kind] = (max(known, confidence), names | {name})

    def use(self, target: str, symbol: str, kind: str, lines: Iterable[int], scope: str) -> None:
        if target != self._path or symbol != scope:
            self._uses.setdefault((target, symbol, kind, scope), set()).update(lines)

    def links(self) -> Links:
        return Links(
            edges=tuple(
                Edge(target, kind, confidence, tuple(sorted(names - {""})))
                for (target, kind), (confidence, names) in sorted(self._edges.items())
            ),
            uses=tuple(
                Use(target, symbol, kind, tuple(sorted(lines)), scope)
                for (target, symbol, kind, scope), lines in sorted(self._uses.items())
            ),
            unresolved=tuple(sorted(self.unresolved)),
        )


def _made_in(path: str, facts: Facts) -> Iterator[_Made]:
    quoted = {value for key, value in facts.extra if key == "quoted"}
    replaced = {value for key, value in facts.extra if key == "replaced"}
    schemas = dict(value.rsplit(" ", 1) for key, value in facts.extra if key == "schema")
    for one in facts.definitions:
        if one.parent < 0 and one.kind not in ("field", "test", "snapshot"):
            qualifier = one.qualified.removesuffix(one.name).rstrip(".")
            written = qualifier.rpartition(".")[2]
            schema = written or schemas.get(one.qualified, "")
            yield _Made(
                path, one.qualified, one.kind, one.name, schema, bool(written),
                one.qualified in quoted, one.qualified in replaced, one.start_line,
            )  # fmt: skip


def _search_paths(facts: Facts) -> list[tuple[int, tuple[str, ...]]]:
    found = []
    for key, value in facts.extra:
        if key == "search path":
            line, _, names = value.partition(" ")
            found.append((int(line), tuple(filter(None, names.split(",")))))
    return sorted(found)


def _in_schema(named: Iterable[_Made], schema: str) -> list[_Made]:
    wanted = schema.lower()
    defaults = _DEFAULT_SCHEMAS if wanted in _DEFAULT_SCHEMAS else frozenset({wanted})
    return [one for one in named if one.schema.lower() in defaults]


def _is_same(written: str, name: str, is_quoted: bool, dialect: str) -> bool:
    """Whether a name as written means a definition of the same letters."""
    wanted, asks = bare(written), written != bare(written)
    if dialect in _SAME_CASE or not (asks or is_quoted):
        return wanted.lower() == name.lower()
    if asks and is_quoted:
        return wanted == name
    loose, exact = (name, wanted) if asks else (wanted, name)
    if dialect == POSTGRES:
        return exact == loose.lower()
    if dialect in _UPPER:
        return exact == loose.upper()
    return exact in (loose.lower(), loose.upper())


def _last_replaced(path: str, found: list[_Found]) -> list[_Found]:
    """The last that replaces what was there; for one of the same folder the last before it."""
    ordered = sorted((one for one in found if one.made.is_replaced), key=_number_order)
    if ordered and folder_of(ordered[0].made.path) == folder_of(path):
        own = _numbers_apart(path)
        ordered = [one for one in ordered if _numbers_apart(one.made.path) <= own] or ordered
    return ordered[-1:]


def _number_order(one: _Found) -> list[tuple[int, str]]:
    return _numbers_apart(one.made.path)


def _numbers_apart(path: str) -> list[tuple[int, str]]:
    """A key that puts 10 behind 9."""
    return [(int(one) if one.isdecimal() else -1, one) for one in re.split(r"(\d+)", path)]


def _is_migration(path: str) -> bool:
    """Whether a file changes what others have made, as its folder says."""
    return not _MIGRATIONS.isdisjoint(path.lower().split("/")[:-1])


def _distance(path: str, other: str) -> int:
    """How many steps lead from the folder of one path to that of the other."""
    a, b = path.split("/")[:-1], other.split("/")[:-1]
    common = 0
    for one, two in zip(a, b, strict=False):
        if one != two:
            break
        common += 1
    return len(a) + len(b) - 2 * common
