"""Replays a history with a model that writes, and counts what that costs and how much it changes.

    python -m benchmarks.quiet REPOSITORY [COMMITS] [--from REV] [--answer MODE] [--policy POLICY]

The last COMMITS of the main line of REPOSITORY are made again in a copy, each followed by a
refresh with the model server of the tests: MODE "rewrite" writes everything anew that it is asked
for, "edit" changes as little as it can, "still-true" says that all is, "well" does what the
prompt asks. Printed are documents, calls and tokens; lines of documents that changed (as `git diff
--numstat` counts them, removed and added) per line of source that did, leaves, which nobody reads,
apart; and the calls per document whose own meaning changed, or that of a symbol it uses: with a
call for each of them, 1.0. The documents that are written at the start are not counted.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from docs_store.layout import DOCS
from tests.model_server import ModelServer

_ROOT = Path(__file__).resolve().parent.parent
_OTHERS = ("--", ".", ":(exclude,top).codetwine/")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quiet", description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("commits", type=int, nargs="?", default=100, help="of the main line")
    parser.add_argument("--from", dest="rev", default="HEAD", help="the last of them")
    parser.add_argument(
        "--answer", default="rewrite", choices=("rewrite", "edit", "still-true", "well")
    )
    parser.add_argument("--policy", default="used")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="codetwine-quiet-") as folder:
        history = History(Path(folder, "copy"), options.repository.resolve(), options.rev)
        with ModelServer("well") as server:
            history.begin(options.commits, options.policy, server)
            server.mode = options.answer
            counts = history.replay(server)
    print("  ".join(f"{name} {value}" for name, value in counts.items()))
    print(
        f"{counts['doc lines'] / max(1, counts['source lines']):.2f} lines of documents per line "
        f"of source, {counts['calls'] / max(1, counts['documents asked for']):.2f} calls a document"
    )
    return 0


class History:
    """A copy of a repository in which the commits of the main line are made again."""

    def __init__(self, copy: Path, origin: Path, rev: str) -> None:
        self._copy = copy
        subprocess.run(["git", "clone", "-q", "--no-checkout", origin, copy], check=True)
        self._rev = rev
        self._commits: list[str] = []

    def begin(self, commits: int, policy: str, server: ModelServer) -> None:
        """The tree before the first commit, with all documents."""
        listed = self._git("rev-list", "--first-parent", f"-n{commits + 1}", self._rev).split()
        first, *self._commits = reversed(listed)
        self._git("checkout", "-q", "--detach", first)
        settings = self._copy / ".codetwine" / "config.yaml"
        settings.parent.mkdir(exist_ok=True)
        settings.write_text(f"dependents: {policy}\n")
        self._refresh(server)
        self._commit()

    def replay(self, server: ModelServer) -> dict[str, int]:
        """Sums over all commits."""
        names = ("commits", "documents asked for", "calls", "prompt tokens")
        counts = dict.fromkeys((*names, "doc lines", "leaf lines", "source lines"), 0)
        for commit in self._commits:
            self._git("checkout", "-q", commit, *_OTHERS)
            gone = self._git("diff", "--name-only", "--diff-filter=D", "HEAD", commit, *_OTHERS)
            for path in gone.splitlines():
                self._git("rm", "-qf", "--ignore-unmatch", "--", path)
            done = self._refresh(server)
            self._git("add", "-A")
            counts["commits"] += 1
            counts["calls"] += done["calls"]
            counts["prompt tokens"] += done["prompt_tokens"]
            counts["documents asked for"] += len(done["truth"])
            counts["doc lines"] += self._changed(f":(glob){DOCS}/**/doc.md")
            counts["leaf lines"] += self._changed(f":(glob){DOCS}/**/leaf.twine")
            sources = [path.removeprefix(f"{DOCS}/") for path in self._documented()]
            counts["source lines"] += self._changed(*sources) if sources else 0
            self._commit()
        return counts

    def _documented(self) -> list[str]:
        """Where the sources of all documents lie, the documents of gone sources too."""
        listed = self._git("ls-tree", "-r", "-z", "--name-only", "HEAD", "--", DOCS)
        listed += self._git("ls-files", "-z", "--", DOCS)
        found = {path.rpartition("/")[0] for path in listed.split("\0") if path}
        return sorted(found)

    def _changed(self, *paths: str) -> int:
        """Lines removed and added in what is staged."""
        raw = self._git("diff", "--cached", "--numstat", "--no-renames", "--", *paths)
        rows = [line.split("\t")[:2] for line in raw.splitlines()]
        return sum(int(count) for row in rows for count in row if count != "-")

    def _refresh(self, server: ModelServer) -> Mapping[str, Any]:
        done = subprocess.run(
            [sys.executable, "-m", "twine_hooks", "refresh", "--json"],
            cwd=self._copy,
            env={**os.environ, **server.environ(), "PYTHONPATH": str(_ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        result: Mapping[str, Any] = json.loads(done.stdout)
        return result

    def _commit(self) -> None:
        self._git("add", "-A")
        self._git("commit", "-qm", "Step", "--no-verify", "--allow-empty")

    def _git(self, *args: str) -> str:
        who = ("-c", "user.name=replay", "-c", "user.email=replay@example.com")
        command = ("git", *who, "-c", f"core.hooksPath={os.devnull}", *args)
        done = subprocess.run(command, cwd=self._copy, check=True, stdout=subprocess.PIPE)
        return os.fsdecode(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
