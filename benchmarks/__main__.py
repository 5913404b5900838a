"""Prints what the hooks and the graph cost on a generated or a given repository.

    python -m benchmarks [--files N ...] [--repository PATH] [--rounds N]

Every figure is a ratio to `git status` + `python -c pass` of the same run, since a machine that is
busy with something else slows both. The graph is held against parsing alone, and against
universal-ctags and `ruff analyze graph` where they are installed; an export against a naive one.
Several numbers of files show how each figure grows.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.exports import measure_exports
from benchmarks.generate import generate, git

CODETWINE = (sys.executable, "-m", "twine_hooks")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--files", type=int, nargs="+", default=[10_000])
    parser.add_argument("--repository", type=Path, help="a clone, which is copied first")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    # Whoever installs codetwine has its modules compiled.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for files in options.files[:1] if options.repository else options.files:
        with tempfile.TemporaryDirectory(prefix="codetwine-bench-") as folder:
            root = Path(folder, "repository")
            if options.repository:
                shutil.copytree(options.repository, root, symlinks=True)
            else:
                root.mkdir()
                generate(root, files)
            measure(root, options.rounds)


def measure(root: Path, rounds: int) -> None:
    """Print the figures for one repository."""
    sources = _sources(root)
    print(f"{len(sources)} Python files in {len(_listed(root))}")
    _cold_graph(root, len(sources))
    modules = [path for path in sources if not path.endswith("__init__.py")]
    target = root / modules[len(modules) // 2]
    measure_exports(root, target)
    run(root, *CODETWINE, "init")
    seconds = timed(lambda: run(root, *CODETWINE, "refresh"))
    print(f"{'first refresh':<42}{seconds:8.1f} s")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Documents", "--no-verify")
    run_hook(root)
    for title, prepare in (
        ("nothing differs", lambda number: None),
        ("nothing stale, another file differs", lambda number: _append(root / "NOTES", number)),
        ("one file changed", lambda number: _append_function_body(target, number)),
        ("one file added", lambda number: _add(root, target, number)),
        ("one file renamed", lambda number: _rename(root, modules, number)),
    ):
        _compare(root, rounds, title, prepare)


def _compare(root: Path, rounds: int, title: str, prepare: Callable[[int], None]) -> None:
    """The hook after each preparation, beside its yardstick; the medians of both."""
    hook, yardstick = [], []
    for number in range(rounds):
        prepare(number)
        git(root, "add", "-A")
        run(root, "git", "status", "--porcelain")
        yardstick.append(
            timed(lambda: run(root, "git", "status", "--porcelain"))
            + timed(lambda: run(root, sys.executable, "-c", "pass"))
        )
        hook.append(timed(lambda: run_hook(root)))
        git(root, "add", "-A")
        git(root, "commit", "-qm", title, "--no-verify", "--allow-empty")
        run_hook(root)
    ratio = statistics.median(hook) / statistics.median(yardstick)
    print(
        f"{title:<42}{statistics.median(hook) * 1000:8.0f} ms   {ratio:5.2f} x "
        f"(git status + python start: {statistics.median(yardstick) * 1000:.0f} ms)"
    )


def _cold_graph(root: Path, files: int) -> None:
    shutil.rmtree(root / ".git" / "codetwine", ignore_errors=True)
    yardstick = _cpu_of(root, sys.executable, "-c", _PARSE_ONLY)
    others = [(name, _cpu_of(root, *args)) for name, args in _OTHERS.items() if _is_there(args[0])]
    between = resource.getrusage(resource.RUSAGE_CHILDREN)
    wall = timed(lambda: run(root, *CODETWINE, "graph"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = _cpu(after) - _cpu(between)
    print(
        f"{'cold graph':<42}{wall:8.1f} s    {cpu / yardstick:5.2f} x the CPU of parsing alone "
        f"({cpu:.1f} s CPU, {1000 * cpu / files:.2f} ms a file, "
        f"{after.ru_maxrss / 1000:.0f} MB at most in one process; parsing {yardstick:.1f} s)"
    )
    for name, seconds in others:
        print(f"{'  beside it: ' + name:<42}{seconds:8.1f} s CPU")


_OTHERS = {
    "ctags": ("ctags", "-R", "-f", os.devnull, "--languages=Python", "."),
    "ruff analyze graph": (str(Path(sys.executable).with_name("ruff")), "analyze", "graph", "."),
}


def _is_there(program: str) -> bool:
    return shutil.which(program) is not None


def _cpu_of(root: Path, *args: str) -> float:
    """Seconds of CPU that a program takes, with all that it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(root, *args)
    return _cpu(resource.getrusage(resource.RUSAGE_CHILDREN)) - _cpu(before)


_PARSE_ONLY = """
import subprocess
from tree_sitter_language_pack import get_parser
parser = get_parser("python")
for path in subprocess.check_output(["git", "ls-files", "-z", "*.py"]).split(b"\\0")[:-1]:
    with open(path, "rb") as stream:
        parser.parse(stream.read())
"""


def _cpu(usage: resource.struct_rusage) -> float:
    return usage.ru_utime + usage.ru_stime


def _listed(root: Path) -> list[str]:
    raw = subprocess.check_output(["git", "ls-files", "-z"], cwd=root)
    return [os.fsdecode(path) for path in raw.split(b"\0")[:-1]]


def _sources(root: Path) -> list[str]:
    return [path for path in _listed(root) if path.endswith(".py") and (root / path).stat().st_size]


def _append(file: Path, number: int) -> None:
    with file.open("a") as stream:
        stream.write(f"{number}\n")


def _append_function_body(file: Path, number: int) -> None:
    """Change what the file means, and nothing that others can see of it."""
    text = file.read_text().rstrip("\n")
    indent = text.rpartition("\n")[2]
    indent = indent[: len(indent) - len(indent.lstrip())]
    file.write_text(f"{text}\n{indent}_ = {number}\n")


def _add(root: Path, beside: Path, number: int) -> None:
    text = f'"""Added."""\n\n\ndef added{number}(): ...\n'
    beside.with_name(f"added_{number}.py").write_text(text)


def _rename(root: Path, sources: Sequence[str], number: int) -> None:
    old = root / sources[len(sources) // 2 + number + 1]
    old.rename(old.with_name(f"renamed_{number}.py"))


def run(root: Path, *command: str) -> None:
    """Run a command and let nothing of it be seen."""
    subprocess.run(command, cwd=root, check=True, capture_output=True)


def run_hook(root: Path) -> None:
    """Run the hook, which exits with 1 when it has written documents that are not staged."""
    done = subprocess.run((*CODETWINE, "hook", "pre-commit"), cwd=root, capture_output=True)
    if done.returncode not in (0, 1) or b"No module" in done.stderr:
        raise RuntimeError(done.stderr.decode())


def timed(work: Callable[[], None]) -> float:
    """The seconds that something takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
