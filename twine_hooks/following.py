"""Whose links may differ after a change: who looks at what changed, came or went; reads no file."""

from __future__ import annotations

import marshal
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import islice
from typing import cast

from docs_store.digest import short
from twine_hooks.analysis.all_languages import family_of, language_of, load
from twine_hooks.analysis.facts import Facts
from twine_hooks.analysis.graph import link, modules
from twine_hooks.analysis.lang_base import NameChanges, Project, Traits, folder_of
from twine_hooks.files import Files, is_own
from twine_hooks.spelling import file_word, folder_word, imported_words, marks_of, may_spell
from twine_hooks.state import DEPENDENCIES, LINKS, SPELLED, State, links_digest

#: By path the names under which others may find something else there; None for any name.
Names = Mapping[str, frozenset[str] | None]

_MANY_NAMES = 300  #: from which it is no use to ask who spells one of them
_BESIDE = 3  #: files of a folder that are asked for their package
_PACKAGE_FILES = ("__init__", "index")


def can_be_followed(
    snapshot: Files, previous: State, came: Sequence[str], gone: Sequence[str]
) -> bool:
    """Whether files that came or went concern no more than the files that spell their names.

    Not so in languages whose imports may lead to a file by another name. In those of modules, not
    where a folder or a package comes or goes; of others see ``names_of_moved``.
    """
    traits = [_traits(f".{end}") for end in {path.rpartition(".")[2] for path in previous.rows}]
    are_told = all(one.imports_spell_paths or one.imports_lead_to_sources for one in traits)
    by_path = [path for path in [*came, *gone] if not moves_names(path)]
    for path in by_path:
        is_told = _traits(path).imports_spell_paths if is_source(path) else are_told
        if not is_told or (_stem(path) in _PACKAGE_FILES and is_source(path)):
            return False
    if not any(one.imports_spell_paths for one in traits):
        return True
    return all(
        _has_folder(previous.files if path in snapshot.files else snapshot.files, path)
        for path in by_path
    )


def _traits(path: str) -> Traits:
    return load(language_of(path) or "").TRAITS


def moves_names(path: str) -> bool:
    """Whether a source that comes or goes concerns those who spell the names in it."""
    changes = _traits(path).changes if is_source(path) else None
    return changes is not None and changes.all_names is not None


def names_of_moved(
    path: str, known: Facts | None, facts: Mapping[str, Facts], moved: Set[str]
) -> frozenset[str] | None:
    """The names under which others may find something, or no more, in a file that came or went.

    None for any name, as where it is the only one of its package beside it.
    """
    changes = _traits(path).changes
    if known is None or changes is None or changes.all_names is None:
        return None
    folder, end = folder_of(path), path.rpartition(".")[2]
    beside = (
        one
        for one in facts
        if folder_of(one) == folder and one.rpartition(".")[2] == end and one not in moved
    )
    stays = any(_packages(known) <= _packages(facts[one]) for one in islice(beside, _BESIDE))
    return changes.all_names(path, known) if stays else None


def _packages(facts: Facts) -> set[str]:
    """The packages or namespaces of a file that has any definition."""
    if not facts.definitions:
        return set()
    others = (value for key, value in facts.extra if key.startswith("namespace "))
    return {facts.namespace, *others}


def _has_folder(files: Iterable[str], path: str) -> bool:
    folder = folder_of(path)
    return not folder or any(one.startswith(folder + "/") for one in files)


def concerned_by(paths: Iterable[str], previous: State, facts: Mapping[str, Facts]) -> set[str]:
    """The files whose imports or names may lead elsewhere because these came or went."""
    if not paths:
        return set()
    found = set(paths)
    targets, words = set(paths), set()
    for path in paths:
        words.add(file_word(_stem(path)))
        folder = folder_of(path)
        while folder:
            own = [f"{folder}/__init__{end}" for end in (".py", ".pyi")]
            targets.update(own)
            words.add(folder_word(folder.rpartition("/")[2]))
            if any(one in previous.files for one in own):
                break  # whoever goes through it uses it, whatever it has
            folder = folder_of(folder)
    marks = marks_of(words)
    for path, fields in previous.rows.items():
        if not targets.isdisjoint(cast("tuple[str, ...]", fields[DEPENDENCIES])) or (
            path in facts
            and may_spell(cast("bytes", fields[SPELLED]), marks)
            and not words.isdisjoint(imported_words(facts[path]))
        ):
            found.add(path)
    return found


def users_of(paths: Set[str], previous: State) -> set[str]:
    """The files that depend on one of these."""
    if not paths:
        return set()
    return {
        path
        for path, fields in previous.rows.items()
        if not paths.isdisjoint(cast("tuple[str, ...]", fields[DEPENDENCIES]))
    }


def led_elsewhere(
    paths: Iterable[str], moved: Iterable[str], project: Project, before: State
) -> set[str]:
    """Those of the paths through whose imports others may see something else than before.

    Their own links are others, or a module that they bind has the moved ones below it.
    """
    above = {folder for path in moved for folder in _folders_above(path)}
    bound = modules(project, paths)
    return {
        path
        for path, links in link(project, paths).items()
        if links_digest(links) != before.rows[path][LINKS]
        or not above.isdisjoint(map(_folder_meant, bound[path]))
    }


def _folders_above(path: str) -> Iterator[str]:
    """All folders that a file is in, each with a "/" behind it."""
    folder = folder_of(path)
    while folder:
        yield folder + "/"
        folder = folder_of(folder)


def _folder_meant(module: str) -> str:
    return module if module.endswith("/") else _package_folder(module)


def names_that_changed(before: Facts | None, after: Facts) -> frozenset[str] | None:
    """The names under which others may find something else in a file; None for any name."""
    changes = load(after.language).TRAITS.changes
    return None if before is None or changes is None else changes.changed(before, after)


def looking_at(changed: Names, previous: State, facts: Mapping[str, Facts]) -> set[str]:
    """The files whose links may differ because others see these ones otherwise than before.

    Where names are followed, those are the files that look up a changed name: in languages of
    modules, only files that depend on the changed one, where a package's own file is looked at by
    all who use anything of the package. Elsewhere any file of the family may look.
    """
    if not changed:
        return set()
    users = _Users(previous)
    found = set(changed)
    for changes, paths in _by_changes(changed).items():
        named = {path: names for path in paths if (names := changed[path]) is not None}
        others = paths - named.keys()
        if changes is not None and changes.along_imports:
            found |= users.reached(others)
            candidates = users.reached(named)
        else:
            found |= _families(others, previous)
            candidates = _families(named, previous)
        if changes is not None:
            found |= _looking_up(named, changes, candidates - found, previous, facts)
    return found & previous.rows.keys()


def _by_changes(paths: Iterable[str]) -> dict[NameChanges | None, set[str]]:
    """The paths by how far a changed name reaches there."""
    found: dict[NameChanges | None, set[str]] = {}
    for path in paths:
        found.setdefault(_traits(path).changes, set()).add(path)
    return found


def _families(paths: Iterable[str], previous: State) -> set[str]:
    """All files of the families of these."""
    families = {family_of(path) for path in paths}
    return {path for path in previous.rows if family_of(path) in families} if families else set()


class _Users:
    """Who depends on what, by the dependencies before."""

    def __init__(self, previous: State) -> None:
        self._of_files: dict[str, list[str]] = {}
        for path, fields in previous.rows.items():
            for target in cast("tuple[str, ...]", fields[DEPENDENCIES]):
                self._of_files.setdefault(target, []).append(path)

    @cached_property
    def _below(self) -> dict[str, set[str]]:
        """By folder, with a "/" behind it, who depends on anything in it."""
        found: dict[str, set[str]] = {}
        for target, users in self._of_files.items():
            for folder in _folders_above(target):
                found.setdefault(folder, set()).update(users)
        return found

    def reached(self, paths: Iterable[str]) -> set[str]:
        """These paths and all that may look at them, directly or through others.

        The own file of a package is looked at on the way to what is in its folder.
        """
        found = set(paths)
        waiting = list(found)
        while waiting:
            path = waiting.pop()
            fresh = set(self._of_files.get(path, ()))
            folder = _package_folder(path)
            if folder:
                fresh |= self._below.get(folder, set())
            fresh -= found
            found |= fresh
            waiting += fresh
        return found


def _looking_up(
    changed: Mapping[str, frozenset[str]],
    changes: NameChanges,
    candidates: Collection[str],
    previous: State,
    facts: Mapping[str, Facts],
) -> set[str]:
    """Those of the candidates that look up a name that changed, or one that leads on through it."""
    found, known = set(changed), set[str]()
    languages = {language_of(path) or "" for path in candidates}
    names = frozenset[str]().union(*changed.values())
    while names:
        known |= names
        if len(known) > _MANY_NAMES:
            return found.union(candidates)
        words = changes.words(names, languages)
        users = set(changed) | _spelling(words, changes, candidates, previous, facts)
        found |= users
        led = [changes.through(facts[path], names) for path in sorted(users) if path in facts]
        if None in led:
            return found.union(candidates)
        names = frozenset[str]().union(*filter(None, led)) - known
    return found


def _spelling(
    names: Set[str],
    changes: NameChanges,
    candidates: Iterable[str],
    previous: State,
    facts: Mapping[str, Facts],
) -> set[str]:
    """The candidates that spell one of the names."""
    marks = marks_of(names)
    return {
        path
        for path in candidates
        if may_spell(cast("bytes", previous.rows[path][SPELLED]), marks)
        and not names.isdisjoint(changes.spelled(facts[path]))
    }


def _package_folder(path: str) -> str:
    """The folder, with a "/" behind it, whose package the file stands for; "" for a plain file."""
    folder = folder_of(path)
    return f"{folder}/" if folder and _stem(path) in _PACKAGE_FILES else ""


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def outward_digest(facts: Facts) -> str:
    """Digest of all that the linking of other files may look at in a file, lines left out.

    Of a body they may look at nothing but what a macro stands for.
    """
    reads_heads = load(facts.language).TRAITS.linking_reads_heads if facts.language else False
    macros = {index for index, one in enumerate(facts.definitions) if one.kind == "macro"}
    seen = (
        [
            (d.qualified, d.kind, d.public, d.parent, d.bases, d.signature if reads_heads else "")
            for d in facts.definitions
        ],
        [one[:4] for one in facts.imports],
        [(one.chain, one.kind, one.scope) for one in facts.references if one.scope in macros]
        if macros
        else (),
        facts.exports,
        facts.namespace,
        facts.extra,
        bool(facts.doc) if reads_heads else False,
    )
    return short(marshal.dumps(seen, 2), 16)


def is_source(path: str) -> bool:
    """Whether the name of a file makes it a source."""
    return language_of(path) is not None and not is_own(path)
