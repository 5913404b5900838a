"""Repositories with documents, and the one question of most tests: what does a refresh do now?

project = Project(tmp_path / "p", '''
-- a.py --
def f(): return 1
-- b.py --
from a import f
''')
project.check("a.py b.py")                  -> both are written, in this order, and nothing else
project.replace("a.py", "1", "2").check("a.py b.py")
project.check()                             -> nothing at all
"""

from __future__ import annotations

import io
import json
import re
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from tests.repos import Repo
from twine_hooks.cli import main

DOCS = ".codetwine/docs"
#: Two users of one function, of a file with a spare one, and a file by itself.
SHAPES = '''
-- shapes.py --
"""Shapes."""


def area(w, h):
    """The area."""
    return w * h


def spare():
    return 1
-- report.py --
from shapes import area


def show():
    return area(1, 2)
-- table.py --
from shapes import area


def rows():
    return [area(3, 4)]
-- alone.py --
def alone():
    return 1
'''
_BORDER = re.compile(r"^-- (.+) --\n", re.MULTILINE)


class Said(NamedTuple):
    """How a command ended: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.out, self
        return json.loads(self.out)


def unpack(text: str) -> dict[str, str]:
    """The files of a literal in which each begins with a line `-- path --`."""
    parts = _BORDER.split(text.lstrip("\n"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def codetwine(folder: Path, *args: str) -> Said:
    """Run a command in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(["-C", str(folder), *args])
    return Said(code, out.getvalue(), err.getvalue())


class Project(Repo):
    """A repository whose documents a test keeps up to date by `check`."""

    def __init__(self, path: Path, files: str = "", config: str = "", **options: Any) -> None:
        """Make it, with the files of a literal (see `unpack`) and the lines of a config.yaml."""
        super().__init__(path, **options)
        self.write({".codetwine/config.yaml": config} | unpack(files))

    def tool(self, *args: str) -> Said:
        """Run a command here, in this process."""
        return codetwine(self.path, *args)

    def program(self, *args: str, environ: dict[str, str] | None = None) -> Said:
        """Run a command here, in a process of its own."""
        command = (sys.executable, "-P", "-m", "twine_hooks", *args)
        done = self.run(*command, check=False, environ=as_user() | (environ or {}))
        return Said(done.returncode, done.stdout.decode(), done.stderr.decode())

    def replace(self, name: str, old: str, new: str) -> Project:
        """Replace a text that stands in a file exactly once."""
        text = self.read(name)
        assert text.count(old) == 1, f"{old!r} in\n{text}"
        self.write({name: text.replace(old, new)})
        return self

    def rename(self, old: str, new: str) -> Project:
        """Rename a file or folder of the work tree."""
        (self.path / new).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(self.path / old, self.path / new)
        return self

    def delete_folder(self, name: str) -> Project:
        """Delete a folder of the work tree with what is in it."""
        shutil.rmtree(self.path / name)
        return self

    def files(self, text: str) -> Project:
        """Write the files of a literal."""
        self.write(unpack(text))
        return self

    def doc(self, source: str) -> str:
        """The document of a source."""
        return self.read(f"{DOCS}/{source}/doc.md")

    def edit_doc(self, source: str, old: str, new: str) -> Project:
        """Replace a text in the document of a source, as a person would."""
        return self.replace(f"{DOCS}/{source}/doc.md", old, new)

    def documents(self) -> dict[str, bytes]:
        """All files of the documents' folder, by path."""
        return {
            path.relative_to(self.path).as_posix(): path.read_bytes()
            for path in sorted((self.path / DOCS).rglob("*"))
            if path.is_file()
        }

    def stamps(self) -> dict[str, tuple[int, int]]:
        """What would tell that a document was written again, even with the same text."""
        found = {}
        for path in self.documents():
            state = (self.path / path).stat()
            found[path] = (state.st_mtime_ns, state.st_ino)
        return found

    def check(
        self,
        written: str = "",
        *,
        moved: str = "",
        removed: str = "",
        rendered: str = "",
        leaves: str = "",
        calm: bool = True,
    ) -> Project:
        """Assert exactly what a refresh does, each as sources in order, `old>new` for moves.

        And that the plan said the same, and that everything is fresh afterwards.
        """
        planned = self.tool("plan", "--json").json["tasks"]
        said = self.tool("refresh", "--json")
        assert said.code == 0, said.err
        done = said.json
        expected = {
            "written": written.split(),
            "moved": moved.split(),
            "removed": removed.split(),
            "rendered": rendered.split(),
            "leaves": leaves.split(),
        }
        done["moved"] = [f"{one['from']}>{one['to']}" for one in done["moved"]]
        assert {name: done[name] for name in expected} == expected
        assert not any(done[name] for name in ("held", "failed", "left", "ready")), done
        assert [one["path"] for one in planned] == self._in_order_of(planned, expected)
        if calm:
            self.check_fresh()
        return self

    def check_fresh(self) -> None:
        """Assert that verify passes and that one more refresh touches nothing."""
        before = self.stamps()
        assert self.tool("verify").code == 0, self.tool("verify").out
        again = self.tool("refresh", "--json")
        assert again.code == 0
        assert not any(again.json.values()), again.out
        assert self.stamps() == before

    @staticmethod
    def _in_order_of(planned: list[dict[str, Any]], done: dict[str, list[str]]) -> list[str]:
        """The planned paths, if what was done is what was planned, by action and in order."""
        names = {"write": "written", "move": "moved", "copy": "moved"}
        names |= {"render": "rendered", "leaf": "leaves", "remove": "removed"}
        by_action: dict[str, list[str]] = {name: [] for name in done}
        for one in planned:
            origin = f"{one['origin']}>" if names[one["action"]] == "moved" else ""
            by_action[names[one["action"]]].append(origin + one["path"])
        assert by_action == done, "the plan said something else"
        return [one["path"] for one in planned]


def as_user() -> dict[str, str]:
    """What a process of ours needs to run this checkout from any folder."""
    return {"PYTHONPATH": str(Path(__file__).resolve().parent.parent)}
