"""Replays the history of a repository through the native hooks, and checks each commit.

    python -m benchmarks.replay REPOSITORY [COMMITS] [--from REV]

The last COMMITS of the main line of REPOSITORY, and all that was merged into it meanwhile, are made
again in a copy, as people make them: `git commit` after `git add`, `git commit -a`, `git merge`
with the merge driver.
After each of them there must hold, or a line says what does not and the exit code is 1:

- verify, from nothing, calls every document of the commit fresh;
- the work tree is clean, and index, work tree and commit are the same to us;
- the hook saw the sources that were committed, and the sources are those of the original;
- each document in the commit is that of a source which changed, or which depends on one, directly
  or by way of others, before or after.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

from docs_store.cache import Cache
from docs_store.layout import DOCS
from twine_hooks.analysis.all_languages import is_manifest
from twine_hooks.evaluation import Evaluation, evaluate
from twine_hooks.git import Repository, index_snapshot, rev_snapshot, worktree_snapshot
from twine_hooks.git.snapshot import Snapshot

_ROOT = Path(__file__).resolve().parent.parent
_OURS = ".codetwine/"
_OTHERS = ("--", ".", f":(exclude,top){_OURS}")
_SEEN = "seen-by-the-hook"
_ATTRIBUTES = f"/{DOCS}/** text eol=lf merge=codetwine\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replay", description=__doc__)
    parser.add_argument("repository", type=Path)
    parser.add_argument("commits", type=int, nargs="?", default=100, help="of the main line")
    parser.add_argument("--from", dest="rev", default="HEAD", help="the last of them")
    parser.add_argument("--see", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.see:
        return write_view()
    with tempfile.TemporaryDirectory(prefix="codetwine-replay-") as folder:
        replay = Replay(Path(folder), options.repository.resolve())
        replay.run(options.rev, options.commits)
    counted = ", ".join(f"{number} {name}" for name, number in sorted(replay.counts.items()))
    print(f"{counted}; {replay.problems} problems")
    return 1 if replay.problems else 0


def write_view() -> int:
    """As a hook: leave beside the index what our hook takes for the commit."""
    repo = Repository.open(Path.cwd(), os.environ)
    with index_snapshot(repo) as snapshot:
        (repo.git_dir / _SEEN).write_text(json.dumps(_sources(snapshot)))
    return 0


class Replay:
    """A copy of a repository, and in it the new commit for each old one."""

    def __init__(self, folder: Path, repository: Path) -> None:
        self.root = folder / "repository"
        self.counts: Counter[str] = Counter()
        self.problems = 0
        self.made: dict[str, str] = {}  # new commit by the old one
        self.environ = _environ(folder)
        self._git("clone", "-q", "--shared", "--no-checkout", repository, self.root, cwd=folder)
        self.repo = Repository.open(self.root, self.environ)
        self.cache = Cache(self.repo.common_dir / "codetwine")

    def run(self, rev: str, commits: int) -> None:
        """Make the commits again, oldest first, and check each."""
        with closing(self.cache):
            first = self._git("rev-list", "--first-parent", f"-n{commits + 1}", rev).split()[-1]
            wanted = ("--topo-order", "--reverse", "--parents", f"{first}..{rev}")
            listed = self._git("rev-list", *wanted).splitlines()
            self._begin(first)
            for line in listed:
                commit, *parents = line.split()
                # What left the main line before the first of them, starts with it here.
                new = dict.fromkeys(self.made.get(one, self.made[first]) for one in parents)
                self._replay(commit, list(new))
                self.made[commit] = self._git("rev-parse", "HEAD").strip()

    def _begin(self, first: str) -> None:
        """The first commit with all its documents, with our hooks and merge driver installed."""
        self._git("checkout", "-q", "--detach", first)
        (self.repo.common_dir / "info" / "attributes").write_text(_ATTRIBUTES)
        hook = self.repo.common_dir / "hooks" / "pre-commit"
        hook.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m benchmarks.replay --see .\n')
        hook.chmod(0o755)
        self._tool("install")
        config = self.root / ".codetwine" / "config.yaml"
        self._git("rm", "-r", "-q", "--ignore-unmatch", "--", _OURS)  # it may have documents
        config.parent.mkdir(exist_ok=True)
        config.write_text("{}\n")
        self._tool("refresh")
        self._git("add", "-f", "--", _OURS)
        self._git("commit", "-q", "-m", "Documents")
        self.made[first] = self._git("rev-parse", "HEAD").strip()
        self._check(first, [first])

    def _replay(self, commit: str, parents: list[str]) -> None:
        self._git("checkout", "-q", "-f", "--detach", parents[0])
        if len(parents) > 1:
            self._merge(commit, parents)
        else:
            self._commit(commit)
        self._check(commit, parents)

    def _commit(self, commit: str) -> None:
        self._take(commit)
        if self.counts["commits"] <= self.counts["commits with -a"]:
            self._git("commit", "-q", "--allow-empty", "-m", commit)
            self.counts["commits"] += 1
            return
        # As with `git commit -a`: only what is new was added before.
        new = self._git("diff", "--cached", "--name-only", "--no-renames", "--diff-filter=A", "-z")
        self._git("reset", "-q")
        if new:
            spec = ("--pathspec-from-file=-", "--pathspec-file-nul")
            self._git("--literal-pathspecs", "add", "-f", *spec, given=new)
        self._git("commit", "-q", "-a", "--allow-empty", "-m", commit)
        self.counts["commits with -a"] += 1

    def _merge(self, commit: str, parents: list[str]) -> None:
        """Merge, and make of the sources what people made of them."""
        said = self._try("merge", "-q", "--no-ff", "--no-edit", *parents[1:])
        is_clean = said.returncode == 0 and self._differing(commit) == []
        if said.returncode:
            # Git asks no driver where one side deleted or moved what the other changed.
            self._tool("resolve")
            for path in self._unmerged(_OURS):
                self._complain(commit, f"{path} is in conflict after resolve")
            self._git("reset", "-q", *_OTHERS)
        if not is_clean:
            self._take(commit)
        self.counts["clean merges" if is_clean else "merges with conflicts"] += 1
        if said.returncode:
            self._git("commit", "-q", "--allow-empty", "-m", commit)
            return
        # After a clean merge its documents are in the work tree, for a commit of their own.
        self._git("add", "-A", "-f", "--", _OURS)
        if self._try("diff", "--cached", "--quiet").returncode:
            self.counts["merges that made documents stale"] += is_clean
            self._git("commit", "-q", "-m", f"After {commit}")

    def _unmerged(self, below: str) -> list[str]:
        return self._git("diff", "--name-only", "--diff-filter=U", "--", below).splitlines()

    def _take(self, commit: str) -> None:
        """Stage the sources of an old commit."""
        self._git("restore", f"--source={commit}", "--staged", "--worktree", *_OTHERS)

    def _differing(self, commit: str) -> list[str]:
        return self._git("diff", "--name-only", commit, "HEAD", *_OTHERS).splitlines()

    def _check(self, commit: str, parents: list[str]) -> None:
        with rev_snapshot(self.repo, "HEAD") as now, rev_snapshot(self.repo, parents[0]) as before:
            evaluation, earlier = evaluate(now, self.cache), evaluate(before, self.cache)
            for task in evaluation.plan().tasks:
                self._complain(commit, f"{task.path} is not fresh: {task.reasons[0]}")
            if commit not in parents:
                self._check_written(commit, earlier, evaluation)
            self._check_views(commit, now)
        for path in self._differing(commit):
            self._complain(commit, f"{path} is not that of the original")
        if status := self._git("status", "--porcelain"):
            self._complain(commit, f"the work tree is not clean: {status.splitlines()[0]}")

    def _check_views(self, commit: str, now: Snapshot) -> None:
        """Index, work tree and what the hook saw are the commit."""
        with index_snapshot(self.repo) as index, worktree_snapshot(self.repo) as tree:
            for view in (index, tree):
                if view.files != now.files or view.symlinks != now.symlinks:
                    self._complain(commit, f"{view.label} is not the commit")
        seen = self.repo.git_dir / _SEEN
        if seen.exists():
            if json.loads(seen.read_text()) != _sources(now):
                self._complain(commit, "the hook saw something else than was committed")
            seen.unlink()

    def _check_written(self, commit: str, before: Evaluation, now: Evaluation) -> None:
        """Every document that came or changed has a cause."""
        old, new = before.snapshot.files, now.snapshot.files
        changed = {path for path in {*old, *new} if old.get(path) != new.get(path)}
        written = {
            path.removeprefix(f"{DOCS}/").removesuffix("/doc.md")
            for path in changed
            if path.startswith(f"{DOCS}/") and path.endswith("/doc.md")
        }
        self.counts["documents written"] += len(written)
        sources = {path for path in changed if not path.startswith(_OURS)}
        if any(is_manifest(path) for path in sources):
            return  # it may change how any import resolves
        for path in sorted(written - _reached(sources, before, now)):
            self._complain(commit, f"{path} was documented anew without a cause")

    def _complain(self, commit: str, text: str) -> None:
        self.problems += 1
        print(f"{commit[:12]}: {text}", flush=True)

    def _tool(self, *args: str) -> None:
        command = [sys.executable, "-P", "-m", "twine_hooks", *args]
        subprocess.run(command, cwd=self.root, env=self.environ, check=True, capture_output=True)

    def _try(self, *args: str | Path) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["git", *args], cwd=self.root, env=self.environ, capture_output=True, check=False
        )

    def _git(self, *args: str | Path, cwd: Path | None = None, given: str = "") -> str:
        done = subprocess.run(
            ["git", *args],
            cwd=cwd or self.root,
            env=self.environ,
            input=os.fsencode(given),
            capture_output=True,
            check=False,
        )
        if done.returncode:
            said = os.fsdecode(done.stdout + done.stderr)
            raise SystemExit(f"git {' '.join(map(str, args))} returned {done.returncode}\n{said}")
        return os.fsdecode(done.stdout)


def _sources(snapshot: Snapshot) -> Mapping[str, str]:
    return {path: blob for path, blob in snapshot.files.items() if not path.startswith(_OURS)}


def _reached(changed: set[str], before: Evaluation, now: Evaluation) -> set[str]:
    """What changed, and all that depends on it, before or after."""
    reached, waiting = set(changed), list(changed)
    while waiting:
        for path in _dependents(waiting.pop(), before, now):
            if path not in reached:
                reached.add(path)
                waiting.append(path)
    return reached


def _dependents(path: str, *evaluations: Evaluation) -> Iterator[str]:
    for one in evaluations:
        yield from one.survey.graph.dependents(path)


def _environ(folder: Path) -> Mapping[str, str]:
    """The machine's environment without its git settings, and with this checkout's program."""
    program = folder / "bin" / "codetwine"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m twine_hooks "$@"\n')
    program.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return kept | {
        "PATH": f"{program.parent}{os.pathsep}{kept['PATH']}",
        "PYTHONPATH": str(_ROOT),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_EDITOR": "true",
        **{f"GIT_{who}_NAME": "Replay" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "replay@example.com" for who in ("AUTHOR", "COMMITTER")},
    }


if __name__ == "__main__":
    sys.exit(main())
