"""Prints how often branches conflict in documents, and whether a clean merge is judged truthfully.

    python -m benchmarks.merges [--files N] [--pairs N] [--policy NAME]...

A generated repository of Python files; pairs of branches that change one to five files each, at
random over all of it or within one package, a quarter of the changes to interfaces. Each branch has
fresh documents, and git merges the pairs. Printed is the share of pairs with a conflict in
documents or leaves, that of pairs of which no source was changed on both sides, and the share of
clean merges of which a document was called fresh and is not what would be written now: must be 0.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha1
from pathlib import Path

from benchmarks.generate import generate
from docs_store import leaf as leaves
from docs_store.cache import Cache
from docs_store.document import render
from docs_store.layout import doc_path, leaf_path
from twine_hooks.config import POLICIES
from twine_hooks.evaluation import Evaluation, evaluate
from twine_hooks.generation.author import compose
from twine_hooks.plan import LEAF
from twine_hooks.providers.outline import outline
from twine_hooks.state import State

_PACKAGE = re.compile(r"src/package\d+/module(\d+)\.py")
_MERGE_OPTIONS = ("--write-tree", "--name-only", "-z", "--no-messages")
_CHECKED = 40  #: documents of a merge that are made anew and compared, at most


@dataclass
class Files:
    """A snapshot in memory: no git takes part in making branches."""

    files: dict[str, str]
    contents: dict[str, bytes] = field(repr=False)
    symlinks: frozenset[str] = frozenset()

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        return {blob: len(self.contents[blob]) for blob in blobs}

    def read(self, blobs: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        for blob in blobs:
            yield blob, self.contents[blob]

    def text(self, path: str) -> str:
        return self.contents[self.files[path]].decode()

    def with_texts(self, texts: Mapping[str, bytes | None]) -> Files:
        """Another snapshot with some files changed, or deleted."""
        files = dict(self.files)
        for path, data in texts.items():
            if data is None:
                files.pop(path, None)
                continue
            blob = sha1(b"blob %d\0" % len(data) + data).hexdigest()
            self.contents[blob] = data
            files[path] = blob
        return Files(files, self.contents)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.merges", description=__doc__)
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--policy", choices=POLICIES, action="append")
    options = parser.parse_args()
    print(f"{options.files} files, {options.pairs} pairs of branches each")
    print(f"{'policy':<12}{'branches':<12}{'conflict':>9}{'no shared':>11}{'wrong fresh':>13}")
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="codetwine-merges-") as folder:
        for policy in options.policy or POLICIES:
            bench = Bench(Path(folder, policy), options.files, policy)
            for kind in ("uniform", "clustered"):
                bench.measure(kind, options.pairs)
    print(f"{time.perf_counter() - start:.0f} s")


class Bench:
    """One repository with fresh documents under one policy."""

    def __init__(self, folder: Path, files: int, policy: str) -> None:
        self.policy = policy
        self.repository = folder / "repository"
        self.repository.mkdir(parents=True)
        generate(self.repository, files)
        self.cache = Cache(folder / "cache")
        raw = subprocess.check_output(["git", "ls-files", "-z"], cwd=self.repository)
        paths = raw.decode().split("\0")[:-1]
        texts = {path: (self.repository / path).read_bytes() for path in paths}
        texts[".codetwine/config.yaml"] = f"dependents: {policy}\n".encode()
        bare = Files({}, {}).with_texts(texts)
        self.modules = sorted(filter(_PACKAGE.fullmatch, paths))
        # Rows are only those of a state whose documents were fresh: hence twice.
        self.state: State | None = None
        self.base = bare.with_texts(self._refreshed(bare))
        self.state = self._evaluate(self.base).state(self._evaluate(self.base).plan())
        self._import({"refs/heads/base": texts | dict(self._documents(self.base))})

    def measure(self, kind: str, pairs: int) -> None:
        """Print the line of one kind of branches."""
        random_ = random.Random(f"{kind} {pairs}")
        changes = [self._two_changes(kind, random_) for _ in range(pairs)]
        branches: dict[str, dict[str, bytes | None]] = {}
        for number, sides in enumerate(changes):
            for side, change in zip("ab", sides, strict=True):
                documents = self._refreshed(self.base.with_texts(change))
                branches[f"refs/heads/{kind}-{number}-{side}"] = {**change, **documents}
        self._import(branches)
        counts: Counter[str] = Counter()
        for number, (one, other) in enumerate(changes):
            self._merge(f"{kind}-{number}", bool(one.keys() & other.keys()), counts)
        shares = [counts["conflict"] / pairs, counts["no shared"] / pairs]
        clean = pairs - counts["conflict"] - counts["only sources"]
        wrong = f"{counts['wrong']} of {clean}"
        print(
            f"{self.policy:<12}{kind:<12}{shares[0]:>8.1%} {shares[1]:>10.1%} {wrong:>12}",
            flush=True,
        )

    def _two_changes(self, kind: str, random_: random.Random) -> tuple[dict[str, bytes], ...]:
        """What two branches change. Clustered ones work on the same package of 50 files."""
        start = random_.randrange(0, max(1, len(self.modules) - 50), 50)
        order = sorted(self.modules, key=lambda path: int(_PACKAGE.fullmatch(path)[1]))  # type: ignore[index]
        pool = order[start : start + 50] if kind == "clustered" else order
        return tuple(
            {
                path: self._changed(path, random_)
                for path in random_.sample(pool, random_.randint(1, 5))
            }
            for _ in "ab"
        )

    def _changed(self, path: str, random_: random.Random) -> bytes:
        text, number = self.base.text(path), random_.randrange(1_000_000)
        if random_.random() < 0.25:
            text = text.replace("(value: int)", f"(value: int, more{number}: int = 0)")
        else:
            text = text.replace("return value - LIMIT", f"return value - LIMIT - {number}")
        return text.encode()

    def _evaluate(self, files: Files) -> Evaluation:
        return evaluate(files, self.cache, self.state)

    def _refreshed(self, files: Files) -> dict[str, bytes | None]:
        """The files that a refresh writes, made in memory: no source goes away here."""
        evaluation = self._evaluate(files)
        found: dict[str, bytes | None] = {}
        for task in evaluation.plan().tasks:
            if task.action != LEAF:
                found[doc_path(task.path)] = _made(evaluation, task.path).encode()
            text = leaves.render(evaluation.leaf(task.path)).encode()
            if files.contents.get(files.files.get(leaf_path(task.path), "")) != text:
                found[leaf_path(task.path)] = text
        return found

    def _documents(self, files: Files) -> Iterator[tuple[str, bytes]]:
        for path, blob in files.files.items():
            if path.startswith(".codetwine/docs/"):
                yield path, files.contents[blob]

    def _import(self, branches: Mapping[str, Mapping[str, bytes | None]]) -> None:
        """Commit branches; all but the base start from it."""
        process = subprocess.Popen(
            ["git", "fast-import", "--quiet"], cwd=self.repository, stdin=subprocess.PIPE
        )
        assert process.stdin
        for ref, texts in branches.items():
            process.stdin.write(
                f"commit {ref}\ncommitter A <a@example.com> 0 +0000\ndata 1\nx\n".encode()
            )
            if not ref.endswith("/base"):
                process.stdin.write(b"from refs/heads/base\n")
            for path, data in texts.items():
                assert data is not None
                head = f'M 100644 inline "{path}"\ndata {len(data)}\n'
                process.stdin.write(head.encode() + data + b"\n")
        process.stdin.close()
        assert process.wait() == 0

    def _merge(self, name: str, is_shared: bool, counts: Counter[str]) -> None:
        """Merge one pair, and count what comes of it."""
        done = subprocess.run(
            ["git", "merge-tree", *_MERGE_OPTIONS, f"{name}-a", f"{name}-b"],
            cwd=self.repository,
            capture_output=True,
        )
        assert done.returncode in (0, 1), done.stderr
        tree, *conflicts = done.stdout.decode().split("\0")
        conflicts = [path for path in conflicts if path]
        if any(path.startswith(".codetwine/") for path in conflicts):
            counts["conflict"] += 1
            counts["no shared"] += not is_shared
        elif conflicts:
            counts["only sources"] += 1
        else:
            counts["wrong"] += self._is_wrong(tree)

    def _is_wrong(self, tree: str) -> bool:
        """Whether a document of a merged tree is called fresh and is not what it should be."""
        raw = git_output(self.repository, "diff-tree", "-r", "-z", "--no-renames", "base", tree)
        parts = raw.decode().split("\0")[:-1]
        texts: dict[str, bytes | None] = {}
        for head, path in zip(parts[::2], parts[1::2], strict=True):
            texts[path] = git_output(self.repository, "cat-file", "blob", head.split(" ")[3])
        merged = self.base.with_texts(texts)
        evaluation = self._evaluate(merged)
        stale = {task.path for task in evaluation.plan().tasks}
        near = evaluation.suspects or frozenset(evaluation.inputs)
        fresh = sorted(near - stale)
        if len(fresh) > _CHECKED:
            fresh = random.Random(tree).sample(fresh, _CHECKED)
        return any(_made(evaluation, path) != merged.text(doc_path(path)) for path in fresh)


def _made(evaluation: Evaluation, path: str) -> str:
    """The document of a source, made from nothing."""
    material = evaluation.material(path, lambda _: "")
    inputs = evaluation.inputs_of(path)
    return render(compose(material, inputs, outline(material), None, "outline"))


def git_output(root: Path, *args: str) -> bytes:
    return subprocess.check_output(["git", *args], cwd=root)


if __name__ == "__main__":
    main()
