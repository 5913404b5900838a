from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import twine_hooks.git
from tests.environments import ROOT


def test_every_name_that_is_typed_is_there_at_run_time_and_the_other_way_round():
    source = ast.parse(Path(twine_hooks.git.__file__).read_text())
    typed = {
        node.names[0].name: (node.module or "").rpartition(".")[2]
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("twine_hooks.git.")
    }
    assert typed == twine_hooks.git._HOME
    for name in typed:
        assert getattr(twine_hooks.git, name)


def test_listing_the_index_loads_nothing_heavy():
    code = (
        "import sys; from twine_hooks.git import Repository, index_listing; "
        "print(*sorted(n for n in sys.modules if n.startswith('twine_hooks.git.')), sep='\\n'); "
        "print({'pygit2', 'click', 'tempfile', 'shutil'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.split("\n") == [
        "twine_hooks.git.listing",
        "twine_hooks.git.program",
        "twine_hooks.git.repository",
        "set()",
        "",
    ]
