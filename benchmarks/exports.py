"""What an export costs: cold, again after one changed file, and questions to its database."""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

_EXPORT = (sys.executable, "-m", "twine_hooks", "export", "--format", "both", "--output-dir")
#: What any export has to do at least: parse each source, and write it and its text as JSON.
_NAIVE = """
import json, pathlib, subprocess, sys
from tree_sitter_language_pack import get_parser
parser, out = get_parser("python"), pathlib.Path(sys.argv[1])
with open(out / "all.json", "w") as whole:
    for path in subprocess.check_output(["git", "ls-files", "-z", "*.py"]).split(b"\\0")[:-1]:
        with open(path, "rb") as stream:
            data = stream.read()
        parser.parse(data)
        target = out / path.decode()
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        text = json.dumps({"file": path.decode(), "text": data.decode("utf-8", "replace")})
        target.with_suffix(".json").write_text(text)
        whole.write(text)
"""
#: Prints the seconds of each question, the import of what asks it first.
_ASK = """
import time
start = time.perf_counter()
from twine_hooks.knowledge_db import callers_of_symbol, open_knowledge, search
knowledge = open_knowledge({database!r})
opened = time.perf_counter()
callers_of_symbol(knowledge, {name!r})
asked = time.perf_counter()
search(knowledge, {words!r})
print(opened - start, asked - opened, time.perf_counter() - asked)
"""


def measure_exports(root: Path, target: Path) -> None:
    """Print the figures for one repository, of which one file is changed and put back."""
    out, naive = root.with_name("export"), root.with_name("naive")
    naive.mkdir()
    yardstick, _ = _cpu(root, sys.executable, "-c", _NAIVE, str(naive))
    shutil.rmtree(naive)
    shutil.rmtree(root / ".git" / "codetwine", ignore_errors=True)
    cold, memory = _cpu(root, *_EXPORT, str(out))
    print(
        f"{'export, both formats':<42}{cold:8.1f} s CPU {cold / yardstick:5.2f} x a naive one: "
        f"parse and write all ({yardstick:.1f} s CPU); {memory:.0f} MB at most in one process"
    )
    text = target.read_bytes()
    again = []
    for number in range(3):
        _change(target, text, number)
        again.append(_cpu(root, *_EXPORT, str(out))[0])
    target.write_bytes(text)
    second = statistics.median(again)
    print(
        f"{'  again, one file changed':<42}{second:8.1f} s CPU {second / cold:5.0%} of the first, "
        f"{second / yardstick:.2f} x the naive one"
    )
    _ask(out / root.name / "project_knowledge.sqlite", target.stem)
    shutil.rmtree(out)


def _change(target: Path, text: bytes, number: int) -> None:
    """Change what a file means, and nothing that others can see of it."""
    last = text.rstrip(b"\n").rpartition(b"\n")[2]
    indent = last[: len(last) - len(last.lstrip())]
    target.write_bytes(text.rstrip(b"\n") + b"\n" + indent + b"_ = %d\n" % number)


def _ask(database: Path, name: str) -> None:
    """Print what questions cost after Python's start: importing what asks, and asking."""
    program = _ASK.format(database=str(database), name=_most_used(database), words=name)
    found = []
    for _ in range(7):
        said = subprocess.check_output((sys.executable, "-c", program))
        found.append([1000 * float(one) for one in said.split()])
    opening, callers, search = (statistics.median(column) for column in zip(*found, strict=True))
    for title, cost in (("  callers of the most used symbol", callers), ("  search", search)):
        print(f"{title:<42}{opening + cost:8.1f} ms   {opening:.1f} ms of it to import and open")


def _most_used(database: Path) -> str:
    """The symbol that most others use, as path::name."""
    import sqlite3

    with sqlite3.connect(database) as connection:
        [(path, name)] = connection.execute(
            "SELECT path, qualified FROM symbols JOIN symbol_edges ON target = id"
            " WHERE qualified <> '' AND symbol_edges.kind NOT IN ('defines', 'has_method')"
            " GROUP BY id ORDER BY count(*) DESC, id LIMIT 1"
        )
    return f"{path}::{name}"


def _cpu(root: Path, *command: str) -> tuple[float, float]:
    """Seconds of CPU that a program takes with all that it starts; MB of the largest so far."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return spent, after.ru_maxrss / 1000
