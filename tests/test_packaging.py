"""What is in the wheel, and that an installed codetwine finds it, in each way of installing."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from tests.environments import ROOT, Environment
from twine_hooks.commands import COMMANDS
from twine_hooks.errors import TemplateError
from twine_hooks.resources import templates_folder

TEMPLATES = {path.relative_to(ROOT / "templates") for path in (ROOT / "templates").rglob("*.*")}

FIND = "from twine_hooks.resources import templates_folder as f; print(f())"


def test_a_checkout_uses_its_own_templates():
    assert templates_folder() == ROOT / "templates"


def test_missing_templates_are_named_with_the_repair(tmp_path):
    with pytest.raises(TemplateError, match=r"pip install .* codetwine"):
        templates_folder(tmp_path / "twine_hooks")


def test_the_wheel_holds_every_file_of_the_packages_and_the_templates(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {Path(name) for name in archive.namelist() if ".dist-info/" not in name}
    sources = {
        path.relative_to(ROOT)
        for package in ("docs_store", "twine_hooks")
        for path in (ROOT / package).rglob("*.*")
        if path.suffix != ".pyc"
    }
    assert names == sources | {Path("twine_hooks/_templates") / path for path in TEMPLATES}


def test_the_source_archive_builds_the_same_wheel(wheel, tmp_path):
    _hatchling("sdist", tmp_path, ROOT)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        archive.extractall(tmp_path, filter="data")
    [source] = tmp_path.glob("codetwine-*/")
    _hatchling("wheel", tmp_path, source)
    [again] = tmp_path.glob("*.whl")
    assert again.read_bytes() == wheel.read_bytes()


def _hatchling(target: str, folder: Path, cwd: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    subprocess.run(command, cwd=cwd, check=True, capture_output=True)


def test_the_hooks_are_what_the_framework_accepts_and_call_commands_that_exist():
    manifest = ROOT / ".pre-commit-hooks.yaml"
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", str(manifest)]
    subprocess.run(command, check=True)
    hooks = {hook["id"]: hook for hook in YAML(typ="safe").load(manifest)}
    entries = {name: hook["entry"].split()[:2] for name, hook in hooks.items()}
    assert all(program == "codetwine" and verb in COMMANDS for program, verb in entries.values()), (
        entries
    )
    for hook in hooks.values():
        assert hook["stages"], "never in a stage that nobody asked for"
        assert hook["always_run"], "a commit that only deletes has no files"
        assert not hook["pass_filenames"]
        assert hook["require_serial"]


@pytest.mark.slow
def test_the_templates_are_found_in_a_wheel(wheel, tmp_path, real_environ):
    there = Environment(tmp_path / "venv", real_environ, "uv")
    there.install("--no-deps", wheel)
    found = Path(there.run("python", "-c", FIND).stdout.strip())
    assert found.is_relative_to(tmp_path)
    assert {path.relative_to(found) for path in found.rglob("*.*")} == TEMPLATES


@pytest.mark.slow
def test_the_templates_are_found_in_an_editable_install(tmp_path, real_environ):
    there = Environment(tmp_path / "venv", real_environ, "uv")
    there.install("--no-deps", "--editable", ROOT)
    assert there.run("python", "-c", FIND).stdout.strip() == str(ROOT / "templates")


def test_the_lock_names_no_index_and_pins_everything_with_digests():
    lock = (ROOT / ".ci" / "requirements.txt").read_text()
    assert "://" not in lock
    assert not re.findall(r"^-", lock, flags=re.MULTILINE)
    pins = re.findall(r"^[a-z].*(?:\n {4}--hash.*)*", lock, flags=re.MULTILINE)
    assert all(re.match(r"[a-z0-9-]+==\S+ .*\\\n {4}--hash=sha256:", pin) for pin in pins)
    locked = {pin.partition("==")[0] for pin in pins}
    assert {"click", "litellm", "pygit2", "pytest", "ruamel-yaml", "uv"} <= locked
