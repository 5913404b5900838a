"""A merge asks no model for what either side had written for the same inputs."""

from __future__ import annotations

from tests.scenarios.branches import alone, body, fork
from tests.writing.conftest import _running, server

__all__ = ["_running", "server"]


def test_what_either_side_had_written_is_not_paid_for_again(project, server):
    assert project.tool("refresh", "--upgrade").code == 0
    project.add().commit("by a model", "--no-verify")
    fork(
        project,
        body("w * h * 1"),
        lambda one: one.replace("alone.py", "return 1", "return 2").replace(
            "shapes.py", "w * h", "w * h * 2"
        ),
    )
    calls = server.calls
    assert calls > 4
    # Theirs is taken whole: its documents are true of the merge as they are.
    assert project.attempt("merge", "-q", "side").code == 1
    project.git("checkout", "-q", "--theirs", "--", "shapes.py")
    project.add("shapes.py")
    assert project.tool("resolve").code == 0
    assert project.tool("refresh").code == 0
    project.add()
    project.check_committed(project.attempt("commit", "-q", "--no-edit"))
    # And a merge that is given up and made again with our side costs nothing either.
    project.git("reset", "-q", "--hard", "HEAD^")
    assert project.attempt("merge", "-q", "--no-edit", "-X", "ours", "side").code == 0
    assert project.tool("refresh").code == 0
    assert server.calls == calls


def test_a_clean_merge_of_what_both_wrote_is_free(project, server):
    assert project.tool("refresh", "--upgrade").code == 0
    project.add().commit("by a model", "--no-verify")
    fork(project, body("w * h * 1"), alone("2"))
    calls = server.calls
    assert project.attempt("merge", "-q", "--no-edit", "side").code == 0
    project.check_fresh()
    # Nor is the same merge from the other side, with documents that have to be made again.
    project.git("checkout", "-q", "-B", "other", "side")
    assert project.attempt("merge", "-q", "--no-edit", "main^").code == 0
    project.delete_folder(".codetwine/docs")
    assert project.tool("refresh").code == 0
    assert server.calls == calls
    assert project.status == ""
