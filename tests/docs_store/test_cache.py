"""The cache: fast, shared by processes, and never the reason for a failure."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time

import pytest

from docs_store.cache import NAME, Cache

WRITER = """
import sys
from pathlib import Path
from docs_store.cache import Cache
name = sys.argv[2]
with Cache(Path(sys.argv[1])) as cache:
    for turn in range(30):
        cache.put_many("facts", ((f"{name}-{turn}-{n}", name.encode() * 50) for n in range(20)))
        cache.get_many("facts", [f"{other}-{turn}-{n}" for other in "abcd" for n in range(20)])
    assert cache.writable
"""


@pytest.fixture
def cache(tmp_path):
    with Cache(tmp_path / "cache") as cache:
        yield cache


def test_values_come_back_by_kind_and_key(cache, tmp_path):
    items = {f"key {n}": bytes([n % 256]) * n for n in range(2000)} | {"odd \udc80\0": b""}
    cache.put_many("facts", items.items())
    cache.put("answers", "key 1", b"other")
    cache.close()
    with Cache(tmp_path / "cache") as again:
        assert again.writable
        assert again.get_many("facts", [*items, "none"]) == items
        assert again.get("answers", "key 1") == b"other"
        assert again.get("answers", "key 2") is None


def test_the_module_does_not_load_sqlite_before_it_is_needed(tmp_path):
    code = "import sys; from pathlib import Path; from docs_store.cache import Cache;"
    code += "Cache(Path(sys.argv[1])); print('sqlite3' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True)
    assert shown.stdout == "False\n"
    assert list(tmp_path.iterdir()) == []


def test_prune_keeps_what_was_put_last(cache):
    cache.put_many("a", ((str(n), b"") for n in range(10)))
    cache.put("a", "0", b"again")
    cache.put("b", "0", b"")
    cache.prune("a", 3)
    assert sorted(cache.get_many("a", map(str, range(10)))) == ["0", "8", "9"]
    cache.prune("b", 1)
    assert cache.get("b", "0") == b""
    cache.prune("a", 0)
    assert cache.get_many("a", map(str, range(10))) == {}


@pytest.mark.parametrize("damage", ["garbage", "empty", "cut", "middle", "other schema"])
def test_a_damaged_file_is_made_anew(tmp_path, damage):
    with Cache(tmp_path) as cache:
        cache.put_many("facts", ((str(n), b"x" * 100) for n in range(2000)))
    file = tmp_path / NAME
    whole = file.read_bytes()
    if damage == "other schema":
        import sqlite3

        connection = sqlite3.connect(file)
        connection.executescript("DROP TABLE entries; CREATE TABLE entries (other)")
        connection.close()
    else:
        half = len(whole) // 2
        file.write_bytes(
            {
                "garbage": b"no database" * 1000,
                "empty": b"",
                "cut": whole[:half],
                "middle": whole[:4096] + b"\xff" * (len(whole) - 4096),
            }[damage]
        )
    with Cache(tmp_path) as cache:
        found = cache.get_many("facts", map(str, range(2000)))
        assert set(found.values()) <= {b"x" * 100}
        cache.put("facts", "new", b"value")
        cache.put("facts", "new", b"value")
        assert cache.writable
    with Cache(tmp_path) as cache:
        assert cache.get("facts", "new") == b"value"


def test_a_damaged_value_is_a_miss(cache, tmp_path):
    cache.put_many("facts", [("good", b"G" * 50), ("bad", b"B" * 50)])
    cache.close()
    file = tmp_path / "cache" / NAME
    file.write_bytes(file.read_bytes().replace(b"B" * 50, b"B" * 49 + b"C"))
    assert cache.get_many("facts", ["good", "bad"]) == {"good": b"G" * 50}


def test_without_a_writable_folder_it_works_in_memory(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with Cache(tmp_path / "file" / "cache") as cache:
        cache.put("facts", "a", b"b")
        assert cache.get("facts", "a") == b"b"
        assert not cache.writable


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere"
)
def test_a_read_only_clone_works_in_memory(tmp_path):
    with Cache(tmp_path) as cache:
        cache.put("facts", "a", b"b")
    (tmp_path / NAME).chmod(0o444)
    tmp_path.chmod(0o555)
    try:
        with Cache(tmp_path) as cache:
            cache.put("facts", "c", b"d")
            assert not cache.writable
    finally:
        tmp_path.chmod(0o755)


def test_processes_that_start_and_write_at_once_lose_nothing(tmp_path):
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, tmp_path / "cache", name], stderr=subprocess.PIPE
        )
        for name in "abcd"
    ]
    assert [process.communicate()[1] for process in processes] == [b""] * 4
    keys = [f"{name}-{turn}-{n}" for name in "abcd" for turn in range(30) for n in range(20)]
    with Cache(tmp_path / "cache") as cache:
        assert len(cache.get_many("facts", keys)) == 2400


def test_a_killed_writer_leaves_a_whole_cache(tmp_path):
    endless = WRITER.replace("range(30)", "range(10**9)")
    chance = random.Random(1)
    for _ in range(8):
        command = [sys.executable, "-c", endless, tmp_path, "a"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        time.sleep(0.1 + chance.random() / 20)
        process.kill()
        process.communicate()
        with Cache(tmp_path) as cache:
            assert cache.get("facts", "a-0-0") in (None, b"a" * 50)
            cache.put("facts", "after", b"kill")
            assert cache.writable
            assert cache.get("facts", "after") == b"kill"
    assert cache.get("facts", "a-0-0") == b"a" * 50
