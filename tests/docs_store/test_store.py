"""Files are whole or not there, equal ones are not touched, nothing is written elsewhere."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time

import pytest

from docs_store import store
from docs_store.errors import StoreError
from docs_store.layout import DOCS, doc_path, leaf_path

WRITER = """
import sys
from pathlib import Path
from docs_store.store import write_document, write_leaf
print("ready", flush=True)
while True:
    for letter in "ab":
        write_document(Path(sys.argv[1]), "src/a.py", letter * 300_000)
        write_leaf(Path(sys.argv[1]), "src/a.py", letter * 300_000)
"""
LIMITED = """
import resource, sys
from pathlib import Path
from docs_store.errors import StoreError
from docs_store.store import write_document
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_document(Path(sys.argv[1]), "a.py", "new" * 1000)
except StoreError as error:
    print(error)
"""
ODD = [
    "a b.py",
    'q"[x].py',
    "new\nline",
    "back\\slash",
    "é/文.py",
    "bad\udc80.py",
    "doc.md",
    "leaf.twine/doc.md",
]


def files(root):
    return sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())


def test_written_as_utf8_with_lf_and_readable_by_all(tmp_path):
    assert store.write_document(tmp_path, "src/a.py", "é\r\nb\udc80\n")
    file = tmp_path / doc_path("src/a.py")
    assert file.read_bytes() == "é\nb\\udc80\n".encode()
    plain = tmp_path / "plain"
    plain.touch()
    assert file.stat().st_mode == plain.stat().st_mode


@pytest.mark.parametrize("source", ODD)
def test_any_name(tmp_path, source):
    store.write_document(tmp_path, source, "doc")
    store.write_leaf(tmp_path, source, "leaf")
    assert files(tmp_path) == sorted([doc_path(source), leaf_path(source)])
    store.remove(tmp_path, source)
    assert list((tmp_path / DOCS).iterdir()) == []


def test_equal_bytes_are_not_written(tmp_path):
    store.write_leaf(tmp_path, "a.py", "x\n")
    file = tmp_path / leaf_path("a.py")
    os.utime(file, ns=(1, 1))
    assert not store.write_leaf(tmp_path, "a.py", "x\r\n")
    assert file.stat().st_mtime_ns == 1
    assert store.write_leaf(tmp_path, "a.py", "y\n")


def test_remove_takes_empty_folders_only(tmp_path):
    for source in ("a/b/c.py", "a/d.py"):
        store.write_document(tmp_path, source, "x")
    note = tmp_path / DOCS / "a/d.py/note.txt"
    note.write_text("mine")
    store.remove(tmp_path, "a/b/c.py")
    store.remove(tmp_path, "a/d.py")
    store.remove(tmp_path, "never/was.py")
    assert files(tmp_path) == [f"{DOCS}/a/d.py/note.txt"]
    assert not (tmp_path / DOCS / "a/b").exists()


@pytest.mark.parametrize("act", ["write", "remove"])
@pytest.mark.parametrize("target", ["outside", "root/.git/hooks"])
def test_a_link_out_of_the_tree_is_not_followed(tmp_path, act, target):
    root, elsewhere = tmp_path / "root", tmp_path / target
    (elsewhere / "a.py").mkdir(parents=True)
    (elsewhere / "a.py/doc.md").write_text("precious")
    (root / DOCS).mkdir(parents=True)
    (root / DOCS / "src").symlink_to(elsewhere)
    with pytest.raises(StoreError, match=r"symbolic link.*replace the link"):
        if act == "write":
            store.write_document(root, "src/a.py", "x")
        else:
            store.remove(root, "src/a.py")
    assert files(elsewhere) == ["a.py/doc.md"]
    assert (elsewhere / "a.py/doc.md").read_text() == "precious"


def test_a_link_within_the_tree_and_a_linked_root_are_fine(tmp_path):
    (tmp_path / "real/docs/src").mkdir(parents=True)
    (tmp_path / "real/.codetwine").mkdir()
    (tmp_path / "real" / DOCS).symlink_to("../docs")
    (tmp_path / "root").symlink_to("real")
    assert store.write_document(tmp_path / "root", "src/a.py", "x")
    assert files(tmp_path / "real/docs") == ["src/a.py/doc.md"]


def test_what_is_in_the_way_is_named(tmp_path):
    store.write_document(tmp_path, "a", "x")
    with pytest.raises(StoreError, match=r"doc.md/doc.md: cannot be written \(.*\); make room"):
        store.write_document(tmp_path, "a/doc.md", "x")
    assert files(tmp_path) == [doc_path("a")]


def test_a_full_disk_leaves_the_old_text(tmp_path):
    store.write_document(tmp_path, "a.py", "old")
    shown = subprocess.run(
        [sys.executable, "-c", LIMITED, tmp_path], capture_output=True, text=True
    )
    assert "doc.md: cannot be written (File too large)" in shown.stdout
    assert files(tmp_path) == [doc_path("a.py")]
    assert (tmp_path / doc_path("a.py")).read_text() == "old"


def test_a_kill_at_any_moment_leaves_whole_files(tmp_path):
    whole = {letter * 300_000 for letter in "ab"}
    chance = random.Random(1)
    for _ in range(12):
        process = subprocess.Popen([sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE)
        process.stdout.readline()
        time.sleep(0.01 + chance.random() / 50)
        process.kill()
        process.communicate()
        for path in (doc_path("src/a.py"), leaf_path("src/a.py")):
            assert not (tmp_path / path).exists() or (tmp_path / path).read_text() in whole
    left = [name for name in files(tmp_path) if name.endswith(".tmp")]
    assert store.sweep(tmp_path) == len(left)
    assert files(tmp_path) == sorted([doc_path("src/a.py"), leaf_path("src/a.py")])


def test_sweep_takes_nothing_of_anybody_else(tmp_path):
    store.write_document(tmp_path, "src/.codetwine-1-1.tmp", "a source of that name")
    (tmp_path / DOCS / "src/note.tmp").write_text("mine")
    lost = tmp_path / DOCS / "gone/b.py/.codetwine-123-4.tmp"
    lost.parent.mkdir(parents=True)
    lost.write_text("half")
    kept = [name for name in files(tmp_path) if "gone" not in name]
    assert store.sweep(tmp_path) == 1
    assert files(tmp_path) == kept
    assert not (tmp_path / DOCS / "gone").exists()
    assert store.sweep(tmp_path / "nowhere") == 0


def test_folders_are_spelt_anew(tmp_path):
    for source in ("lib/x.py", "lib/y.py"):
        store.write_document(tmp_path, source, source)
    store.recase(tmp_path, "lib/x.py")
    for _ in range(2):
        store.recase(tmp_path, "Lib/X.py")
        assert files(tmp_path) == [doc_path("Lib/X.py"), doc_path("Lib/y.py")]
    with pytest.raises(StoreError, match="cannot be renamed"):
        store.recase(tmp_path, "nowhere/x.py")
