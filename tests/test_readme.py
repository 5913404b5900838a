"""What the pages say is so: the README's commands print what stands there, links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from ruamel.yaml import YAML

from docs_store.markdown import headings
from tests.environments import ROOT
from tests.repos import isolated_environ
from twine_hooks.analysis.all_languages import LANGUAGES
from twine_hooks.commands import COMMANDS
from twine_hooks.config import DEFAULT_TEXT
from twine_hooks.templating import parse_template

PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")], key=lambda page: page.as_posix()
)
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HERE = re.compile(r"<<'(\w+)'")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"^(```+)[^\n]*\n.*?^\1$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
#: Digests and ids: they follow from the code of ours that made them.
_HEX = re.compile(r"\b[0-9a-f]{7,}\b")


class Step(NamedTuple):
    """One command of a console block and the output that stands below it."""

    command: str
    output: str


def steps_of(page: Path) -> list[Step]:
    """The commands of all console blocks of a page, with texts that follow `<<'END'`."""
    return [step for block in _BLOCK.findall(page.read_text("utf-8")) for step in _steps(block)]


def _steps(block: str) -> list[Step]:
    found: list[Step] = []
    end = ""
    for line in block.splitlines():
        if end:
            found[-1] = Step(f"{found[-1].command}\n{line}", "")
            end = "" if line == end else end
        elif line.startswith("$ "):
            found.append(Step(line[2:], ""))
            here = _HERE.search(line)
            end = here[1] if here else ""
        else:
            found[-1] = found[-1]._replace(output=f"{found[-1].output}{line}\n")
    return found


def run_all(steps: list[Step], folder: Path) -> list[tuple[Step, str]]:
    """Run the commands in one shell after another, each where `cd` has led; (step, output)."""
    environ = _environ(folder)
    cwd, found = folder, []
    for step in steps:
        done = subprocess.run(
            ["bash", "-c", f"{step.command}\nprintf '\\0%s' \"$PWD\""],
            cwd=cwd,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            check=False,
        )
        output, _, where = done.stdout.rpartition("\0")
        cwd = Path(where)
        found.append((step, output))
    return found


def _environ(folder: Path) -> dict[str, str]:
    """The checkout as the only codetwine on PATH, whatever is installed."""
    scripts = folder / "bin"
    scripts.mkdir()
    program = scripts / "codetwine"
    python = shlex.quote(sys.executable)
    program.write_text(f'#!/bin/sh\nexec {python} -m twine_hooks "$@"\n')
    program.chmod(0o755)
    environ = isolated_environ(folder / "home")
    return environ | {
        "PATH": f"{scripts}{os.pathsep}{environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTHONSAFEPATH": "1",
    }


def says(expected: str, output: str) -> bool:
    """Whether an output is the expected one: digests may differ, and `…` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "…" else re.escape(_plain(line)) + r"\n"
        for line in expected.splitlines()
    )
    found = "".join(f"{_plain(line)}\n" for line in output.splitlines())
    return re.fullmatch(pattern, found) is not None


def _plain(line: str) -> str:
    return _HEX.sub("#", " ".join(line.split()))


def test_the_readme_begins_with_the_two_commands():
    block = (ROOT / "README.md").read_text("utf-8").split("```")[1]
    assert re.findall(r"^make \w+", block, re.MULTILINE) == ["make demo", "make test"]


def test_the_readme_s_commands_print_what_it_says(tmp_path):
    steps = steps_of(ROOT / "README.md")
    assert len(steps) > 10
    for step, output in run_all(steps, tmp_path):
        assert says(step.output, output), f"$ {step.command}\n{output}\ninstead of\n{step.output}"


@pytest.mark.parametrize(
    ("expected", "output", "same"),
    [
        ("b3:0123456789ab  ./\n", "b3:ba9876543210 ./\n", True),
        ("a\n…\nz\n", "a\nb\nc\nz\n", True),
        ("a\n…\nz\n", "a\nb\nc\ny\n", False),
        ("2 written\n", "3 written\n", False),
        ("", "anything\n", False),
    ],
)
def test_a_wrong_output_does_not_pass(expected, output, same):
    assert says(expected, output) is same


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    text = _CODE.sub("", page.read_text("utf-8"))
    for target in _LINK.findall(text):
        if "://" in target:
            continue
        path, _, anchor = unquote(target).partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor:
            titles = [one.title for one in headings(there.read_text("utf-8"))]
            assert anchor in {_anchor(title) for title in titles}, target


def _anchor(title: str) -> str:
    """As GitHub makes them."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_a_page_that_names_all_its_options(name):
    from twine_hooks.group import codetwine

    page = ROOT / "docs" / f"{name}.md"
    if not page.exists():  # two commands that belong together share a page
        [page] = [
            one
            for one in PAGES
            if f"codetwine {name}" in {h.title.strip("`") for h in headings(one.read_text("utf-8"))}
        ]
    text = page.read_text("utf-8")
    command = codetwine.get_command(None, name)  # type: ignore[arg-type]
    commands = [command, *getattr(command, "commands", {}).values()]
    params = [param for one in commands for param in one.params]
    options = {option for one in params for option in one.opts if option.startswith("--")}
    assert {option for option in options if f"`{option}" not in text} == set()
    assert f"({page.name})" in (ROOT / "docs" / "README.md").read_text("utf-8")


def test_each_setting_is_documented():
    text = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    keys = re.findall(r"^ *(\w+):", DEFAULT_TEXT, re.MULTILINE)
    assert "max_calls" in keys
    assert [key for key in keys if f"`{key}`" not in text and f".{key}`" not in text] == []


def test_the_readme_lists_each_extension_of_each_language():
    text = (ROOT / "README.md").read_text("utf-8")
    extensions = {one for entry in LANGUAGES.values() for one in entry.extensions}
    assert {one for one in extensions if not re.search(rf"\b{one}\b", text)} == set()


def test_the_map_of_the_code_names_each_module():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = set(re.findall(r"`(\w+)/?`", text))
    modules = {
        path.stem
        for package in ("docs_store", "twine_hooks")
        for path in (ROOT / package).iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    }
    assert {one for one in modules if not one.startswith("__")} - named == set()


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_the_files_that_are_named_exist(page):
    text = (ROOT / page).read_text("utf-8")
    named = re.findall(r"`((?:\.ci|docs|tests|twine_hooks)/[\w./-]+)`", text)
    assert named
    assert [one for one in named if not (ROOT / one).exists()] == []


def test_each_dependency_has_its_reason():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [*project["dependencies"], *project["optional-dependencies"]["llm"]]
    rows = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Dependencies")[2]
    names = {re.split(r"[<>=!~ ;\[]", one)[0] for one in needed}
    assert {one for one in names if f"\n| {one}" not in rows} == set()


def test_each_capture_that_the_shared_code_reads_is_documented():
    rows = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("### Capture names")[2]
    shared = [ROOT / "twine_hooks/analysis" / f"{one}.py" for one in ("definitions", "interface")]
    text = "".join(one.read_text("utf-8") for one in shared)
    read = set(re.findall(r"(?:spans|nodes)\(\"([\w.]+)\"\)|_owners\(parsed, \"([\w.]+)\"", text))
    names = {one or other for one, other in read}
    assert len(names) > 8
    assert {one for one in names if f"`@{one}`" not in rows} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_yaml_on_the_pages_is_yaml(page):
    for block in re.findall(r"^```yaml\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S):
        YAML(typ="safe").load(block)


def test_the_template_on_its_page_is_one():
    text = (ROOT / "docs" / "templates.md").read_text("utf-8")
    [block] = re.findall(r"^```yaml\n(.*?)^```$", text, re.M | re.S)
    sections = parse_template(block, "page", "own").sections
    assert [one.id for one in sections] == ["purpose", "api", "uses"]


def test_each_template_is_documented():
    text = (ROOT / "docs" / "templates.md").read_text("utf-8")
    names = [one.name for one in (ROOT / "templates").iterdir() if one.is_dir()]
    assert [one for one in names if f"| `{one}` |" not in text] == []
