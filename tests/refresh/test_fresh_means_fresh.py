"""No fresh document states a signature that its source, or what it uses, no longer has."""

from __future__ import annotations

import random
import re

import pytest

from tests.projects import DOCS, Project

NAMES = ("a", "b", "c", "d")
_HEAD = re.compile(r"^ *- `(def [^`]+)`", re.MULTILINE)
_USED = re.compile(r"^- \[`(\w+\.py)`\]\([^)]*\): (.+)$", re.MULTILINE)


def source(rng: random.Random, name: str) -> str:
    used = rng.choice([other for other in NAMES if other != name])
    parameters = rng.choice(["", "x", "x=1", "x, *rest"])
    return (
        f"from {used} import f_{used}\n\n\n"
        f"def f_{name}({parameters}):\n    return f_{used}() + {rng.randint(0, 1)}\n"
        f"\n\ndef g{rng.randint(0, 2)}(y={rng.randint(0, 1)}):\n    return y\n"
    )


@pytest.mark.parametrize("policy", ["used", "interface", "none"])
def test_every_signature_in_a_fresh_document_is_in_its_source(tmp_path, policy):
    rng = random.Random(policy)
    project = Project(tmp_path / "p", config=f"dependents: {policy}")
    project.write({f"{name}.py": source(rng, name) for name in NAMES})
    project.tool("refresh")
    for _ in range(12):
        name = rng.choice(NAMES)
        project.write({f"{name}.py": source(rng, name)})
        stale = {task["path"] for task in project.tool("plan", "--json").json["tasks"]}
        for path in sorted({f"{one}.py" for one in NAMES} - stale):
            states_the_truth(project, path)
        if rng.random() < 0.5:
            project.tool("refresh", f"{name}.py")
        if rng.random() < 0.3:
            project.tool("refresh")


def states_the_truth(project: Project, path: str) -> None:
    document, text = project.read(f"{DOCS}/{path}/doc.md"), project.read(path)
    heads = _HEAD.findall(document)
    assert heads == re.findall(r"^(def .*):$", text, re.MULTILINE)
    for file, names in _USED.findall(document):
        for name in re.findall(r"`(\w+)`", names):
            assert f"from {file.removesuffix('.py')} import {name}" in text
