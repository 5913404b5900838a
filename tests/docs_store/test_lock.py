"""One writer at a time, and a dead one keeps nobody waiting."""

from __future__ import annotations

import subprocess
import sys

import pytest

from docs_store.errors import LockedError, StoreError
from docs_store.lock import NAME, Lock

HOLDER = """
import sys
from pathlib import Path
from docs_store.lock import Lock
with Lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
COUNTER = """
import sys
from pathlib import Path
from docs_store.lock import Lock
file = Path(sys.argv[1]) / "count"
for _ in range(50):
    with Lock(file.parent, timeout=60):
        file.write_text(str(int(file.read_text()) + 1))
"""


@pytest.fixture
def holder(tmp_path):
    command = [sys.executable, "-c", HOLDER, tmp_path]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_held_lock_names_its_holder(tmp_path, holder):
    with pytest.raises(
        LockedError, match=rf"lock: process {holder.pid} is writing.*wait"
    ) as caught:
        Lock(tmp_path, timeout=0.1).__enter__()
    assert caught.value.pid == holder.pid


def test_the_lock_of_a_killed_holder_is_free(tmp_path, holder):
    holder.kill()
    holder.wait()
    with Lock(tmp_path, timeout=0.1), pytest.raises(LockedError):
        Lock(tmp_path, timeout=0).__enter__()
    with Lock(tmp_path, timeout=0):
        pass


def test_it_waits_for_its_turn(tmp_path, holder):
    waiter = subprocess.Popen(
        [sys.executable, "-c", HOLDER, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    holder.communicate()
    assert waiter.communicate()[0] == b"held\n"
    assert (tmp_path / NAME).read_text() == ""


def test_contenders_take_turns(tmp_path):
    (tmp_path / "count").write_text("0")
    command = [sys.executable, "-c", COUNTER, tmp_path]
    processes = [subprocess.Popen(command) for _ in range(3)]
    assert [process.wait() for process in processes] == [0, 0, 0]
    assert (tmp_path / "count").read_text() == "150"


def test_an_error_inside_lets_go(tmp_path):
    with pytest.raises(ZeroDivisionError), Lock(tmp_path):
        raise ZeroDivisionError
    with Lock(tmp_path, timeout=0):
        pass


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be locked"):
        Lock(tmp_path / "file" / "folder").__enter__()
