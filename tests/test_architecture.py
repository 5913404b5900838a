"""The shape of the code as it must stay: who imports whom, and what an import may do."""

from __future__ import annotations

import ast
import subprocess
import sys

import grimp
import pytest
from importlinter.cli import lint_imports

from tests.environments import ROOT

PACKAGES = ("docs_store", "twine_hooks")
FILES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))

# The only places that may import these, heavy or far-reaching as they are.
DOORS = {
    "blake3": ["docs_store.digest"],
    "click": ["twine_hooks.commands", "twine_hooks.group"],
    "litellm": ["twine_hooks.providers.litellm"],
    "pygit2": ["twine_hooks.git"],
    "ruamel": ["twine_hooks.config", "twine_hooks.setup", "twine_hooks.templating"],
    "sqlite3": ["docs_store.cache", "twine_hooks.exporters", "twine_hooks.knowledge_db"],
    "tree_sitter": ["twine_hooks.analysis"],
    "tree_sitter_language_pack": ["twine_hooks.analysis"],
}


def test_the_import_contracts_are_kept(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    broken = lint_imports(config_filename="pyproject.toml", no_cache=True, no_logo=True)
    assert broken == 0, capsys.readouterr().out


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


@pytest.mark.parametrize("library", DOORS)
def test_there_is_one_door_to_each_library(library, graph):
    if library not in graph.modules:
        pytest.skip("nothing imports it yet")
    doors = tuple(DOORS[library])
    others = {
        module
        for module in graph.find_modules_that_directly_import(library)
        if module not in doors and not module.startswith(tuple(f"{door}." for door in doors))
    }
    assert others == set()


def test_the_command_line_itself_imports_nothing_heavy():
    # Each of these costs more than reading the whole index of a small repository.
    heavy = ["click", "dataclasses", "importlib.metadata", "pathlib", "re", "subprocess", "typing"]
    program = f"""if True:
        import sys
        before = set(sys.modules)
        import twine_hooks.cli
        print(*sorted({{*{heavy}}} & (set(sys.modules) - before)))
    """
    # -S: the site-packages of this environment may import anything at start-up.
    assert _python("-S", "-c", program) == "\n"


def test_no_language_imports_what_inspects_code():
    # Most of the time of a commit hook goes into imports; these would be a seventh of it.
    slow = ["ast", "dataclasses", "dis", "inspect", "tokenize"]
    program = f"""if True:
        import sys
        before = set(sys.modules)
        from twine_hooks.analysis.all_languages import LANGUAGES, load
        for name in LANGUAGES:
            load(name)
        print(*sorted({{*{slow}}} & (set(sys.modules) - before)))
    """
    assert _python("-c", program) == "\n"


def test_no_module_reads_the_environment_or_the_clock_when_it_is_imported():
    _python(
        "-c",
        f"""if True:
        import datetime, importlib, os, pkgutil, sys, time
        names = [
            module.name
            for package in {PACKAGES}
            for module in pkgutil.walk_packages([package], package + ".")
            if not module.name.endswith("__main__")
        ]
        for name in names:
            importlib.import_module(name)  # and with it the libraries, which may do as they like
        for name in names:
            del sys.modules[name]

        class Forbidden:
            def __getattr__(self, name):
                raise AssertionError(f"read at import: {{name}}")
            __call__ = __getitem__ = __contains__ = __iter__ = __getattr__

        os.environ = os.environb = Forbidden()
        time.time = time.monotonic = time.localtime = time.gmtime = Forbidden()
        datetime.datetime = datetime.date = Forbidden()
        for name in names:
            importlib.import_module(name)
        """,
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_says_what_it_holds_and_stays_readable(path):
    module = ast.parse(path.read_text())
    assert ast.get_docstring(module), "a module starts with a sentence that says what it holds"
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    long = {
        node.name: length
        for node in ast.walk(module)
        if isinstance(node, functions)
        if (length := (node.end_lineno or 0) - node.lineno + 1) > 50
    }
    assert long == {}, "no function is longer than a page"


def test_exception_is_caught_as_such_in_one_place_only():
    catchers = [
        (path.name, handler.lineno)
        for path in FILES
        for handler in ast.walk(ast.parse(path.read_text()))
        if isinstance(handler, ast.ExceptHandler)
        if handler.type is None or ast.unparse(handler.type) in {"Exception", "BaseException"}
        if ast.unparse(handler.body[-1]) != "raise"  # tidying up and passing it on is fine
    ]
    assert [name for name, _ in catchers] == ["cli.py"], catchers


def _python(*args: str) -> str:
    done = subprocess.run([sys.executable, *args], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
