"""In every language: a computation that starts from the state before finds what one from nothing
finds, whatever comes, goes, changes or moves. The projects are the cases of each language.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest

from docs_store.cache import Cache
from tests.test_incremental import Tree, facts_of
from twine_hooks import state as states
from twine_hooks.evaluation import Evaluation, evaluate
from twine_hooks.exporting import Export
from twine_hooks.places import CACHE, RECORD
from twine_hooks.view import make_view

CASES = sorted((Path(__file__).parent / "analysis").glob("*/cases.jsonl"))
PROJECTS = 4  #: of each language, joined into one tree, each in a folder of its own
STEPS = 14
_WORD = re.compile(rb"[A-Za-z_]\w+")


def joined(folder: Path, rng: random.Random) -> dict[str, bytes]:
    """Some of a language's cases beside each other."""
    cases = [json.loads(line) for line in folder.read_text("utf-8").splitlines()]
    usable = [case for case in cases if not case.get("config")]
    chosen = rng.sample(usable, min(PROJECTS, len(usable)))
    return {
        f"p{number}/{path}": text.encode()
        for number, case in enumerate(chosen)
        for path, text in case["files"].items()
    }


def _rewrite(rng: random.Random, action: str, contents: dict[str, bytes], path: str) -> None:
    """Put a word or a line from anywhere into a file."""
    other = contents[rng.choice(sorted(contents))]
    text, words = contents[path], _WORD.findall(other)
    found = list(_WORD.finditer(text))
    if action == "line":
        lines = text.splitlines(keepends=True)
        at = rng.randint(0, len(lines))
        lines[at : at + rng.randint(0, 1)] = rng.sample(other.splitlines(keepends=True) or [b""], 1)
        contents[path] = b"".join(lines)
    elif found and words:
        old, new = rng.choice(found), rng.choice(words)
        if action == "names":
            contents[path] = re.sub(rb"\b%s\b" % old[0], new, text)
        else:
            contents[path] = text[: old.start()] + new + text[old.end() :]


def change(rng: random.Random, contents: dict[str, bytes], lost: dict[str, bytes]) -> str:
    """Change one thing at random; what it was."""
    path = rng.choice(sorted(contents))
    action = rng.choice(
        (
            "digit",
            "lines",
            "lose",
            "find",
            "copy",
            "rename",
            "move",
            "swap",
            "word",
            "names",
            "line",
        )
    )
    if action == "digit":
        contents[path] = contents[path].replace(b"1", b"2") + b"\n"
    elif action == "lines":
        lines = contents[path].splitlines(keepends=True)
        contents[path] = b"".join(lines[: rng.randint(0, len(lines))])
    elif action in ("word", "names", "line"):
        _rewrite(rng, action, contents, path)
    elif action == "lose" and len(contents) > 3:
        lost[path] = contents.pop(path)
    elif action == "find" and lost:
        found = rng.choice(sorted(lost))
        contents[found] = lost.pop(found)
    elif action == "copy":
        contents[_beside(path, "copy")] = contents[path]
    elif action == "rename":
        contents[_beside(path, "other")] = contents.pop(path)
    elif action == "move":
        folder = path.rpartition("/")[0]
        for one in [one for one in contents if one.startswith(folder + "/")]:
            contents[f"{folder}_moved{one[len(folder) :]}"] = contents.pop(one)
    elif action == "swap":
        other = rng.choice(sorted(contents))
        contents[path], contents[other] = contents[other], contents[path]
    return f"{action} {path}"


def _beside(path: str, word: str) -> str:
    folder, _, name = path.rpartition("/")
    stem, dot, end = name.partition(".")
    return f"{folder}/{stem}_{word}{dot}{end}"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("folder", CASES, ids=lambda file: file.parent.name)
def test_what_comes_goes_changes_or_moves(folder: Path, seed: int, tmp_path: Path) -> None:
    rng = random.Random(f"{folder.parent.name} {seed}")
    contents, lost = joined(folder, rng), {}
    state_file = tmp_path / "state"
    done = []
    with Cache(tmp_path / "cache") as cache:
        for number in range(STEPS):
            tree = Tree(contents)
            advanced = evaluate(tree, cache, states.load(state_file))
            with Cache(tmp_path / f"empty{number}") as empty:
                assert facts_of(advanced) == facts_of(evaluate(tree, empty)), done
            states.save(state_file, advanced.state(cache))
            done.append(change(rng, contents, lost))


#: Two headers of one name, and commands that find the one or the other.
IN_C = {
    "src/main.c": b'#include "x.h"\nint main(void) { return twice(1); }\n',
    "one/x.h": b"int twice(int n);\n",
    "two/x.h": b"#define twice(n) ((n) * 2)\n",
    "one/x.c": b'#include "x.h"\nint twice(int n) { return 2 * n; }\n',
}


def commands_for(*folders: str) -> bytes:
    includes = " ".join(f"-I{folder}" for folder in folders)
    command = {"directory": ".", "file": "src/main.c", "command": f"cc {includes} -c src/main.c"}
    return json.dumps([command]).encode()


@pytest.mark.parametrize("seed", range(4))
def test_compile_commands_that_come_go_and_change(seed: int, tmp_path: Path) -> None:
    rng, contents, lost = random.Random(seed), dict(IN_C), {}
    variants = [commands_for("one"), commands_for("two"), commands_for("two", "one"), b"[]", b"{"]
    state_file = tmp_path / "state"
    found = set()
    with Cache(tmp_path / "cache") as cache:
        for number in range(STEPS):
            tree = Tree(contents)
            advanced = evaluate(tree, cache, states.load(state_file))
            with Cache(tmp_path / f"empty{number}") as empty:
                assert facts_of(advanced) == facts_of(evaluate(tree, empty))
            if "src/main.c" in advanced.survey.links:
                found.update(one.target for one in advanced.survey.links["src/main.c"].edges)
            states.save(state_file, advanced.state(cache))
            if rng.random() < 0.6:
                contents["compile_commands.json"] = rng.choice(variants)
            else:
                change(rng, contents, lost)
    assert {"one/x.h", "two/x.h"} & found


@pytest.mark.parametrize("folder", CASES, ids=lambda file: file.parent.name)
def test_an_export_over_another_is_that_into_an_empty_folder(folder: Path, tmp_path: Path) -> None:
    rng = random.Random(folder.parent.name)
    contents, lost = joined(folder, rng), {}
    state_file, out = tmp_path / "state", tmp_path / "out"
    done = []
    with Cache(tmp_path / "cache") as cache:
        for number in range(6):
            tree = Tree(contents)
            advanced = evaluate(tree, cache, states.load(state_file))
            with Cache(tmp_path / f"empty{number}") as empty:
                scratch = exported(evaluate(tree, empty), empty, tmp_path / f"out{number}")
                assert exported(advanced, cache, out) == scratch, done
            states.save(state_file, advanced.state(cache))
            done.append(change(rng, contents, lost))


def exported(evaluation: Evaluation, cache: Cache, folder: Path) -> dict[str, bytes]:
    """The files of an export, but for what it keeps for the next one."""
    view = make_view(
        evaluation.survey, cache, titles=evaluation.template.titles, name="p", time="2026-01-01"
    )
    Export(view, folder).write("both")
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {RECORD, CACHE}.intersection(path.relative_to(folder).parts)
    }
