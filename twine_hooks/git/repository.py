"""Where a repository lies and the environment its children need; knows nothing of its content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from twine_hooks.errors import GitError
from twine_hooks.git.program import call_git, complaint, run_git

_QUESTIONS = (
    "--path-format=absolute",
    "--git-dir",
    "--git-common-dir",
    "--git-path",
    "objects",
    "--git-path",
    "index",
    "--is-bare-repository",
    "--show-object-format",
    "--show-toplevel",  # last: it fails where there is no work tree, after the others were answered
)


class Repository:
    """A repository, its paths absolute.

    `root` is the top of the work tree, None in a bare repository and inside a git folder.
    `common_dir` is shared by all linked work trees; `git_dir` is this work tree's own.
    `index_file` is the index that GIT_INDEX_FILE names, else this work tree's. `object_format` is
    sha1 or sha256.
    """

    def __init__(
        self,
        root: Path | None,
        git_dir: Path,
        common_dir: Path,
        objects: Path,
        index_file: Path,
        object_format: str,
        environ: Mapping[str, str],
    ) -> None:
        self.root = root
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.objects = objects
        self.index_file = index_file
        self.object_format = object_format
        self.environ = environ

    @classmethod
    def open(cls, start: Path, environ: Mapping[str, str]) -> Repository:
        """The repository that git finds from the folder `start`; GitError if there is none."""
        done = call_git(("rev-parse", *_QUESTIONS), cwd=start, environ=environ)
        answers = done.stdout.decode("utf-8", "surrogateescape").splitlines()
        if len(answers) != (6 if done.returncode else 7):
            raise _not_opened(start, done.stderr)
        git_dir, common_dir, objects, index_file = map(Path, answers[:4])
        root = None if done.returncode else _work_tree(Path(answers[6]), git_dir, environ)
        return cls(
            root=root,
            git_dir=git_dir,
            common_dir=common_dir,
            objects=objects,
            index_file=index_file,
            object_format=answers[5],
            environ=_absolute(environ, root, git_dir, common_dir, index_file),
        )

    @property
    def cwd(self) -> Path:
        """The folder to run git in."""
        return self.root or self.git_dir

    @property
    def work_tree(self) -> Path:
        """The top of the work tree; GitError where there is none."""
        if self.root is None:
            raise GitError(
                f"{self.git_dir} has no work tree here; "
                "name a commit with --rev, or go to the work tree"
            )
        return self.root

    def run(
        self,
        args: Sequence[str | bytes],
        *,
        cwd: Path | None = None,
        input: bytes | None = None,
        extra: Mapping[str, str] | None = None,
    ) -> bytes:
        """Standard output of a git command; GitError with git's complaint if it fails.

        It runs in `cwd`, else in the root, with `extra` added to the environment.
        """
        environ = {**self.environ, **extra} if extra else self.environ
        return run_git(args, cwd=cwd or self.cwd, environ=environ, input=input)


def _work_tree(toplevel: Path, git_dir: Path, environ: Mapping[str, str]) -> Path:
    """The top of the work tree.

    The hook of a linked work tree runs with GIT_DIR alone, and then git takes any folder it is
    asked from for the top.
    """
    if "GIT_DIR" in environ and "GIT_WORK_TREE" not in environ:
        link = git_dir / "gitdir"
        if link.is_file():
            return Path(git_dir, link.read_text("utf-8", "surrogateescape").rstrip("\n")).parent
    return toplevel


def _absolute(
    environ: Mapping[str, str], root: Path | None, git_dir: Path, common_dir: Path, index_file: Path
) -> dict[str, str]:
    """The environment with git's relative paths made absolute, since children run elsewhere."""
    found = {
        "GIT_DIR": git_dir,
        "GIT_COMMON_DIR": common_dir,
        "GIT_INDEX_FILE": index_file,
        "GIT_WORK_TREE": root,
    }
    return {**environ, **{k: str(path) for k, path in found.items() if path and environ.get(k)}}


def _not_opened(start: Path, stderr: bytes) -> GitError:
    if b"safe.directory" in stderr:
        return GitError(
            f"{start} belongs to another user, so git won't open it; "
            f"if you trust it: git config --global --add safe.directory {start}"
        )
    if b"not a git repository" in stderr:
        return GitError(f"{start} is in no git repository; go to one, or make one with `git init`")
    return GitError(
        f"the repository of {start} can't be opened: {complaint(stderr)}; "
        "git 2.31 or newer is needed, and a path without newlines"
    )
