"""Which documents to write, in which order and why: from what is recorded and what is now. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from docs_store.digest import short
from docs_store.header import Header
from docs_store.leaf import Leaf
from twine_hooks.analysis.facts import EVERYTHING
from twine_hooks.inputs import Inputs

#: What a task does. Only ``write`` may ask a model.
WRITE, RENDER, MOVE, COPY, LEAF, REMOVE = "write", "render", "move", "copy", "leaf", "remove"


class Reason(NamedTuple):
    """Why a document is not fresh: always about something that can be named."""

    kind: str  #: a key of ``_TEXTS``
    subject: str  #: the path that it is about
    symbols: tuple[str, ...] = ()
    detail: str = ""

    def __str__(self) -> str:
        names = ", ".join(f"`{name}`" for name in self.symbols[:4])
        more = f" and {len(self.symbols) - 4} more" if len(self.symbols) > 4 else ""
        text = _TEXTS[self.kind].format(subject=self.subject, names=names + more)
        return f"{text} ({self.detail})" if self.detail else text


_TEXTS = {
    "new": "it has no document yet",
    "source": "its source changed",
    "symbols": "{names} changed",
    "uses": "{names} of {subject} changed",
    "used": "{subject} changed",
    "dependencies": "what it uses changed",
    "template": "the template or its language changed",
    "place": "a file that it links to moved, came or went",
    "moved": "it was {subject}",
    "copied": "{subject} says the same",
    "leaf": "its leaf is missing, damaged or behind its source",
    "gone": "its source is gone",
    "damaged": "{subject}",
    "asked": "asked for by --all",
    "upgrade": "no model wrote it yet",
}


class Task(NamedTuple):
    """One document to bring up to date."""

    path: str  #: the source
    action: str
    reasons: tuple[Reason, ...]
    origin: str = ""  #: the source whose document moves or is copied here


class Recorded(NamedTuple):
    """What the snapshot's ``.codetwine/docs`` says. Paths are those of the sources.

    ``headers`` holds None for a doc.md without a header; ``inputs`` the inputs digest of each that
    has one; ``problems`` a message for each damaged doc.md; ``leaf_sources`` the source digest of
    each readable leaf; ``leaf`` reads a whole one.
    """

    headers: Mapping[str, Header | None]
    inputs: Mapping[str, str]
    problems: Mapping[str, str]
    leaf_sources: Mapping[str, str]
    leaf: Callable[[str], Leaf | None]


class Current(NamedTuple):
    """What the snapshot's sources say now. ``used`` gives (file, symbol) for a reason's sake."""

    inputs: Mapping[str, Inputs]
    leaf: Callable[[str], Leaf]
    used: Callable[[str], Sequence[tuple[str, str]]]
    order: Callable[[Sequence[str]], Sequence[str]]


class Plan(NamedTuple):
    """The tasks in the order in which they are done, and how many documents need none."""

    tasks: tuple[Task, ...]
    fresh: int

    @property
    def is_empty(self) -> bool:
        return not self.tasks


def make_plan(
    current: Current,
    recorded: Recorded,
    suspects: frozenset[str] | None = None,
    paths: Callable[[str], bool] | None = None,
    all_: bool = False,
    upgrade: bool = False,
) -> Plan:
    """The plan for a snapshot; only for ``paths`` where given. ``all_`` writes fresh ones too,
    ``upgrade`` those that no model wrote.

    ``suspects`` are all sources that may need anything, where that is known.
    """
    tasks = {task.path: task for task in _tasks(current, recorded, suspects)}
    for path, kind in _wanted(current, recorded, all_, upgrade):
        if path not in tasks or tasks[path].action != WRITE:
            tasks[path] = Task(path, WRITE, (Reason(kind, path),))
    fresh = len(current.inputs) - sum(path in current.inputs for path in tasks)
    chosen = [path for path in tasks if paths is None or paths(path)]
    writing = current.order(sorted(path for path in chosen if tasks[path].action != REMOVE))
    removing = sorted(path for path in chosen if tasks[path].action == REMOVE)
    return Plan(tuple(tasks[path] for path in [*writing, *removing]), fresh)


def _wanted(
    current: Current, recorded: Recorded, all_: bool, upgrade: bool
) -> Iterable[tuple[str, str]]:
    """(path, kind of reason) of the documents that are to be written though they are fresh."""
    for path in current.inputs if all_ or upgrade else ():
        header = recorded.headers.get(path)
        if all_:
            yield path, "asked"
        elif header is not None and header.by == "outline":
            yield path, "upgrade"


def _tasks(current: Current, recorded: Recorded, suspects: frozenset[str] | None) -> Iterable[Task]:
    if suspects is None:
        suspects = _documented(recorded).union(current.inputs)
    stale = [
        path
        for path in sorted(suspects)
        if path in current.inputs and not _is_fresh(path, current, recorded)
    ]
    documented = _documented(recorded)
    gone = sorted(path for path in suspects if path in documented and path not in current.inputs)
    wanted = frozenset(current.inputs[path].digest for path in stale)
    by_inputs = _sources_by_inputs(wanted, recorded)
    origins = _origins(stale, gone, by_inputs, current, recorded)
    for path in stale:
        yield _task(path, current, recorded, by_inputs, origins.get(path, ""))
    for path in gone:
        yield Task(path, REMOVE, (Reason("gone", path),))


def _is_fresh(path: str, current: Current, recorded: Recorded) -> bool:
    inputs, header = current.inputs[path], recorded.headers.get(path)
    return (
        header is not None
        and header.inputs == inputs.digest
        and header.place == short(inputs.place)
        and recorded.leaf_sources.get(path) == inputs.own
    )


def _documented(recorded: Recorded) -> frozenset[str]:
    return frozenset((*recorded.headers, *recorded.leaf_sources))


def _sources_by_inputs(wanted: frozenset[str], recorded: Recorded) -> dict[str, list[str]]:
    """Sources whose documents were made from one of the wanted inputs, sorted."""
    found: dict[str, list[str]] = {}
    for path, inputs in recorded.inputs.items():
        if inputs in wanted:
            found.setdefault(inputs, []).append(path)
    return {inputs: sorted(paths) for inputs, paths in found.items()}


def _origins(
    stale: Sequence[str],
    gone: Sequence[str],
    by_inputs: Mapping[str, Sequence[str]],
    current: Current,
    recorded: Recorded,
) -> dict[str, str]:
    """path -> the orphan whose source moved there; each orphan goes to one path.

    Best the one made from the same inputs, then from the same source, then the one that defines
    most of the same names.
    """
    orphans = {path: None for path in gone if recorded.headers.get(path) is not None}
    origins: dict[str, str] = {}

    def claim(path: str, found: str) -> None:
        if found:
            origins[path] = found
            del orphans[found]

    missing = [path for path in stale if recorded.headers.get(path) is None]
    for path in stale if orphans else ():
        same = by_inputs.get(current.inputs[path].digest, ())
        claim(path, next((one for one in same if one in orphans), ""))
    by_source = {recorded.leaf_sources.get(one, ""): one for one in sorted(orphans, reverse=True)}
    for path in missing if orphans else ():
        if path not in origins:
            found = by_source.get(current.inputs[path].own, "")
            claim(path, found if found in orphans else "")
    names = {one: _names(recorded.leaf(one)) for one in orphans} if missing else {}
    for path in missing if orphans else ():
        if path not in origins:
            left = {one: names[one] for one in orphans}
            claim(path, _most_alike(path, _names(current.leaf(path)), left))
    return origins


def _names(leaf: Leaf | None) -> frozenset[str]:
    return frozenset(one.name for one in leaf.symbols) if leaf else frozenset()


def _most_alike(path: str, names: frozenset[str], orphans: Mapping[str, frozenset[str]]) -> str:
    """The orphan that defines at least half of the same names; a third under the same file name."""
    best, found = 0.0, ""
    for one, others in orphans.items():
        share = len(names & others) / len(names | others) if names | others else 0.0
        is_namesake = one.rpartition("/")[2] == path.rpartition("/")[2]
        if share > best and share >= (0.3 if is_namesake else 0.5):
            best, found = share, one
    return found


def _task(
    path: str,
    current: Current,
    recorded: Recorded,
    by_inputs: Mapping[str, Sequence[str]],
    origin: str,
) -> Task:
    inputs, header = current.inputs[path], recorded.headers.get(path)
    if header is not None and header.inputs == inputs.digest:
        if header.place != short(inputs.place):
            return Task(path, RENDER, (Reason("place", path),))
        return Task(path, LEAF, (Reason("leaf", path),))
    same = [one for one in by_inputs.get(inputs.digest, ()) if one != path]
    if header is not None and not origin:
        # Over a document of its own only where the other one goes, too: two that change places.
        same = [one for one in same if _leaves(one, current, recorded)]
    if origin and origin in same:
        return Task(path, MOVE, (Reason("moved", origin),), origin)
    if origin:
        changes = _changes(path, recorded.headers[origin], current, recorded)
        return Task(path, WRITE, (Reason("moved", origin), *changes), origin)
    if same:
        return Task(path, COPY, (Reason("copied", same[0]),), same[0])
    return Task(path, WRITE, tuple(_reasons(path, current, recorded)))


def _leaves(path: str, current: Current, recorded: Recorded) -> bool:
    """Whether a document is about what its source no longer says."""
    inputs, header = current.inputs.get(path), recorded.headers.get(path)
    return inputs is None or header is None or header.inputs != inputs.digest


def _reasons(path: str, current: Current, recorded: Recorded) -> Iterable[Reason]:
    if path in recorded.problems:
        yield Reason("damaged", recorded.problems[path])
    elif recorded.headers.get(path) is None:
        yield Reason("new", path)
    else:
        yield from _changes(path, recorded.headers[path], current, recorded)


def _changes(
    path: str, header: Header | None, current: Current, recorded: Recorded
) -> Iterable[Reason]:
    """What differs from what the header records."""
    if header is None:
        return
    inputs = current.inputs[path]
    if header.own != short(inputs.own):
        yield Reason("source", path, detail=_symbols_detail(path, current, recorded))
    if header.template != short(inputs.template):
        yield Reason("template", path)
    if header.uses != short(inputs.uses):
        named = list(_changed_uses(path, current, recorded))
        # Their leaves are no further than they are: which symbol it was, nobody recorded.
        files = ", ".join(dict.fromkeys(file for file, _ in current.used(path)))
        yield from named or [Reason("dependencies", path, detail=files)]


def _symbols_detail(path: str, current: Current, recorded: Recorded) -> str:
    changed = changed_symbols(recorded.leaf(path), current.leaf(path))
    return str(Reason("symbols", path, changed)) if changed else ""


def _changed_uses(path: str, current: Current, recorded: Recorded) -> Iterable[Reason]:
    """The symbols it uses whose recorded digests are behind."""
    used: dict[str, list[str]] = {}
    for file, symbol in current.used(path):
        used.setdefault(file, []).append(symbol)
    for file, symbols in used.items():
        if file not in current.inputs:
            continue
        if recorded.leaf_sources.get(file) == current.inputs[file].own:
            continue
        before = recorded.leaf(file)
        changed = changed_symbols(before, current.leaf(file))
        named = tuple(name for name in symbols if name in changed)
        if named:
            yield Reason("uses", file, named)
        elif EVERYTHING in symbols and changed:
            yield Reason("uses", file, changed)
        elif EVERYTHING in symbols or before is None:
            yield Reason("used", file)


def changed_symbols(before: Leaf | None, after: Leaf) -> tuple[str, ...]:
    """Names of the public symbols that came, went or changed; empty without a leaf before."""
    if before is None:
        return ()
    old = {one.name: one for one in before.symbols}
    new = {one.name: one for one in after.symbols}
    return tuple(sorted(name for name in old.keys() | new.keys() if old.get(name) != new.get(name)))
