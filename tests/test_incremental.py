"""An evaluation that starts from the state before finds exactly what one from nothing finds."""

from __future__ import annotations

import hashlib
import os
import random
from pathlib import Path

import pytest

from docs_store.cache import Cache
from twine_hooks import state as states
from twine_hooks.evaluation import Evaluation, evaluate
from twine_hooks.update import Refresh


class Tree:
    """A snapshot in memory: path -> content."""

    def __init__(self, contents: dict[str, bytes]) -> None:
        self.contents = dict(contents)
        self.symlinks: frozenset[str] = frozenset()
        self._by_blob = {_blob(data): data for data in contents.values()}

    @property
    def files(self) -> dict[str, str]:
        return {path: _blob(data) for path, data in self.contents.items()}

    def sizes(self, blobs):
        return {blob: len(self._by_blob[blob]) for blob in blobs}

    def read(self, blobs):
        for blob in blobs:
            yield blob, self._by_blob[blob]


def _blob(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


PYTHON_NAMES = ("alpha", "beta", "gamma", "delta", "pkg/one", "pkg/two", "pkg/__init__")
SCRIPT_NAMES = ("web/main", "web/util", "web/lib/index", "web/lib/part")
MANIFESTS = {
    "pyproject.toml": (
        b"[project]\nname='x'\n",
        b"[tool.pytest.ini_options]\npythonpath=['pkg']\n",
    ),
    "web/tsconfig.json": (
        b'{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["lib/*"]}}}',
        b'{"compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["./*"]}}}',
        b"{}",
    ),
    "web/package.json": (
        b'{"name": "web", "imports": {"#part": "./lib/part.ts"}}',
        b'{"name": "w"}',
    ),
    ".codetwine/config.yaml": (
        b"dependents: used\n",
        b"dependents: interface\n",
        b"cutoff: bytes\n",
    ),
    "README.md": (b"one\n", b"two\n"),
}


def python_source(rng: random.Random, name: str) -> bytes:
    lines = [f'"""Module {name} {rng.randint(0, 1)}."""']
    for used in rng.sample(PYTHON_NAMES, 2):
        module = used.removesuffix("/__init__").replace("/", ".")
        form = rng.choice(
            [
                "from {0} import work",
                "import {0}",
                "from {0} import *",
                "from {0} import Thing as T",
            ]
        )
        lines.append(form.format(module))
    lines += [
        f"LIMIT = {rng.randint(0, 2)}",
        "class Thing:",
        f"    def act(self, n={rng.randint(0, 1)}):",
        f"        return work(n, {rng.randint(0, 2)})",
        f"def work(a, b={rng.randint(0, 1)}):",
        f"    # {rng.randint(0, 9)}",
        f"    return {rng.choice(['alpha.work(a, b)', 'Thing().act(b)', 'pkg.one.LIMIT', 'a'])}",
    ]
    if rng.random() < 0.3:
        lines.append(f"def extra{rng.randint(0, 2)}(): return LIMIT")
    return "\n".join(lines).encode() + b"\n"


def script_source(rng: random.Random, name: str) -> bytes:
    targets = ["./util", "./lib", "./lib/part", "@/part", "#part", "../web/main", "./part", "web"]
    lines = [
        f"import {{ work, Thing }} from '{rng.choice(targets)}';",
        f"export * from '{rng.choice(targets)}';",
        f"/** Does it {rng.randint(0, 1)}. */",
        f"export function work(a: number, b = {rng.randint(0, 1)}): number {{",
        f"  return Thing.act(a) + {rng.randint(0, 2)}; // {rng.randint(0, 9)}",
        "}",
        f"export class Thing {{ static act(n: number) {{ return n + {rng.randint(0, 1)}; }} }}",
    ]
    return "\n".join(lines).encode() + b"\n"


def step(rng: random.Random, contents: dict[str, bytes]) -> str:
    """Change something at random; what it was."""
    sources = sorted(path for path in contents if path.endswith((".py", ".ts")))
    action = rng.choice(
        [
            "tweak",
            "tweak",
            "tweak",
            "tweak",
            "edit",
            "edit",
            "add",
            "delete",
            "rename",
            "manifest",
            "empty",
        ]
    )
    if action in ("add", "edit"):
        if rng.random() < 0.5:
            name = rng.choice(PYTHON_NAMES)
            contents[f"{name}.py"] = python_source(rng, name)
        else:
            name = rng.choice(SCRIPT_NAMES)
            contents[f"{name}.ts"] = script_source(rng, name)
    elif sources and action == "tweak":
        path = rng.choice(sources)
        digits = [at for at, byte in enumerate(contents[path]) if chr(byte).isdigit()]
        if digits:
            changed = bytearray(contents[path])
            changed[rng.choice(digits)] = ord(str(rng.randint(0, 3)))
            contents[path] = bytes(changed)
    elif action == "manifest":
        path = rng.choice(sorted(MANIFESTS))
        contents[path] = rng.choice(MANIFESTS[path])
    elif sources and action == "empty":
        contents[rng.choice(sources)] = b"\n"
    elif sources and action == "delete":
        del contents[rng.choice(sources)]
    elif sources:
        old = rng.choice(sources)
        new = rng.choice(PYTHON_NAMES) + ".py" if old.endswith(".py") else "web/moved.ts"
        contents[new] = contents.pop(old)
    return action


def facts_of(evaluation: Evaluation) -> dict[str, object]:
    """Everything that an evaluation knows, as plain values."""
    plan = evaluation.plan()
    links = evaluation.survey.links
    with Cache(Path(os.devnull)) as nowhere:
        state = evaluation.state(nowhere)
    return {
        "plan": plan,
        "inputs": {path: evaluation.inputs[path] for path in sorted(evaluation.inputs)},
        "links": {path: links[path] for path in sorted(links)},
        "skipped": evaluation.survey.skipped,
        "leaves": {path: evaluation.leaf(path) for path in sorted(evaluation.inputs)},
        "rows": {path: state.row(path) for path in sorted(evaluation.inputs)},
    }


@pytest.mark.parametrize("seed", range(8))
def test_an_advanced_evaluation_is_one_from_scratch(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    contents: dict[str, bytes] = {}
    for name in PYTHON_NAMES:
        contents[f"{name}.py"] = python_source(rng, name)
    for name in SCRIPT_NAMES:
        contents[f"{name}.ts"] = script_source(rng, name)
    state_file, root = tmp_path / "state", tmp_path / "root"
    root.mkdir()
    advanced_steps = 0
    with Cache(tmp_path / "cache") as cache:
        for number in range(25):
            action = step(rng, contents)
            tree = Tree(contents)
            advanced = evaluate(tree, cache, states.load(state_file))
            advanced_steps += advanced.survey.fresh is not None
            with Cache(tmp_path / f"empty{number}") as empty:
                scratch = evaluate(tree, empty)
                assert facts_of(advanced) == facts_of(scratch), (number, action)
            states.save(state_file, advanced.state(cache))
            if rng.random() < 0.2:
                cache.prune("links", rng.randrange(3))  # it may be lost at any time
            if rng.random() < 0.5:
                Refresh(advanced, root).run(advanced.plan())
                _take_documents(contents, root)
    assert advanced_steps > 3


#: A package, one inside of it, a folder that is none, and files that nobody may import.
MODULES = (
    "alpha", "beta", "pkg/__init__", "pkg/one", "pkg/two", "pkg/inner/three", "pkg/inner/four",
    "ns/five", "ns/six", "ns/deep/seven", "lonely",
)  # fmt: skip
FORMS = (
    "import pkg", "import ns", "import pkg.one", "import pkg.inner.three as three", "import ns.five",
    "from pkg import one", "from pkg import *", "from pkg import two as other", "from ns import six",
    "from ns.deep import seven", "from pkg.inner import three, four", "from . import one, beta",
    "from .inner import four", "from alpha import *", "from beta import Thing", "import beta",
)  # fmt: skip
CHAINS = (
    "pkg.one.work()", "pkg.inner.three.LIMIT", "ns.five.work()", "ns.deep.seven.Thing().act()",
    "one.Thing().act()", "six.work()", "three.Thing().act()", "work()", "Thing().act()", "beta.LIMIT",
)  # fmt: skip


def module_source(rng: random.Random) -> bytes:
    return "\n".join(
        [
            *rng.sample(FORMS, 3),
            f"LIMIT = {rng.randint(0, 2)}",
            "class Thing(beta.Thing if LIMIT else object):",
            f"    def act(self, n={rng.randint(0, 1)}): return {rng.choice(CHAINS)}",
            f"def work(): return {rng.choice(CHAINS)}, {rng.choice(CHAINS)}",
            "",
        ]
    ).encode()


def come_or_go(rng: random.Random, contents: dict[str, bytes]) -> None:
    """A file comes, goes, takes another name, or changes; now and then two at once."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        sources = sorted(path for path in contents if path.endswith((".py", ".pyi")))
        path = rng.choice(MODULES) + rng.choice((".py", ".py", ".py", ".pyi"))
        action = rng.choice(("come", "go", "rename", "change", "note"))
        if action == "come":
            contents.setdefault(path, module_source(rng))
        elif action == "note":
            note = rng.choice(("NOTES", "pkg/data.txt", "ns/deep/x.json"))
            if contents.pop(note, None) is None:
                contents[note] = b"text"
        elif sources and action == "go":
            del contents[rng.choice(sources)]
        elif sources and action == "rename":
            contents[path] = contents.pop(rng.choice(sources))
        elif sources:
            contents[rng.choice(sources)] = module_source(rng)


@pytest.mark.parametrize("seed", range(12))
def test_files_that_come_and_go_are_followed(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    contents = {f"{name}.py": module_source(rng) for name in MODULES}
    state_file, root = tmp_path / "state", tmp_path / "root"
    root.mkdir()
    followed = 0
    before: set[str] = set()
    with Cache(tmp_path / "cache") as cache:
        for number in range(30):
            tree = Tree(contents)
            advanced = evaluate(tree, cache, states.load(state_file))
            paths = {path for path in contents if not path.startswith(".codetwine/")}
            followed += advanced.survey.fresh is not None and paths != before
            before = paths
            with Cache(tmp_path / f"empty{number}") as empty:
                assert facts_of(advanced) == facts_of(evaluate(tree, empty)), number
            states.save(state_file, advanced.state(cache))
            if rng.random() < 0.4:
                Refresh(advanced, root).run(advanced.plan())
                _take_documents(contents, root)
            come_or_go(rng, contents)
    assert followed > 3


def _take_documents(contents: dict[str, bytes], root: Path) -> None:
    for path in [path for path in contents if path.startswith(".codetwine/docs/")]:
        del contents[path]
    for file in root.rglob("*"):
        if file.is_file():
            contents[file.relative_to(root).as_posix()] = file.read_bytes()
