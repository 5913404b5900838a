"""Runs the shell steps of action.yml as they are, in the environment that GitHub's runner gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ruamel.yaml import YAML

from tests.environments import ROOT
from tests.hooks.committing import Committing

ACTION = YAML(typ="safe").load(ROOT / "action.yml")
_EXPRESSION = re.compile(r"\$\{\{(.+?)\}\}")
_NAME = re.compile(r"'[^']*'|[a-z][\w-]*(?:\.[\w-]+)*")


class Ran(NamedTuple):
    """How the steps ended: the exit code of the last, all output, what they left for others."""

    code: int
    output: str
    summary: str
    outputs: dict[str, str]


class Runner:
    """One job. `context` has what expressions may name: `github.event.…`."""

    def __init__(self, project: Committing, folder: Path, context: Mapping[str, str]) -> None:
        self.project, self.folder = project, folder
        self.context = {"github.action_path": str(ROOT), "runner.temp": str(folder)}
        self.context |= {"github.repository": "owner/name", **context}
        folder.mkdir()

    def run(self, environ: Mapping[str, str] | None = None, **inputs: str) -> Ran:
        """Run all steps with these inputs (`_` for `-`) until one fails."""
        values = {name: self._filled(str(one["default"])) for name, one in ACTION["inputs"].items()}
        values |= {name.replace("_", "-"): text for name, text in inputs.items()}
        context = self.context | {f"inputs.{name}": text for name, text in values.items()}
        output, code = "", 0
        for number, step in enumerate(ACTION["runs"]["steps"]):
            if "run" not in step or (step.get("if") and not _evaluate(step["if"], context)):
                continue
            done = self._step(number, step, context, environ or {})
            output += done.stdout.decode() + done.stderr.decode()
            code = done.returncode
            outputs = self._outputs()
            context |= {f"steps.{step.get('id')}.outputs.{k}": v for k, v in outputs.items()}
            if code:
                break
        return Ran(code, output, self._file("summary").read_text(), self._outputs())

    def _step(
        self, number: int, step: Mapping[str, Any], context: Mapping[str, str], environ: Any
    ) -> Any:
        assert step["shell"] == "bash"
        script = self.folder / f"step{number}.sh"
        script.write_text(step["run"])
        files = {
            "GITHUB_OUTPUT": "output",
            "GITHUB_PATH": "path",
            "GITHUB_STEP_SUMMARY": "summary",
        }
        given = {name: str(self._file(file)) for name, file in files.items()}
        given |= {
            "GITHUB_ACTIONS": "true",
            "GITHUB_SERVER_URL": "https://github.example",
            "RUNNER_TEMP": str(self.folder),
        }
        own = {name: _filled(str(text), context) for name, text in step.get("env", {}).items()}
        command = ("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
        return self.project.run(*command, check=False, environ={**given, **environ, **own})

    def _filled(self, text: str) -> str:
        return _filled(text, self.context)

    def _file(self, name: str) -> Path:
        file = self.folder / name
        file.touch()
        return file

    def _outputs(self) -> dict[str, str]:
        lines = self._file("output").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)


def _filled(text: str, context: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda found: str(_evaluate(found[1], context) or ""), text)


def _evaluate(expression: str, context: Mapping[str, str]) -> Any:
    """The little of GitHub's expressions that the action uses: names, texts, ==, && and ||."""
    python = _NAME.sub(
        lambda found: found[0] if found[0][0] == "'" else repr(context.get(found[0], "")),
        expression.strip(),
    )
    assert re.fullmatch(r"(?:'(?:[^'\\]|\\.)*'|\"[^\"]*\"|\s|==|&&|\|\||[()])*", python), python
    return eval(python.replace("&&", " and ").replace("||", " or "), {"__builtins__": {}})
