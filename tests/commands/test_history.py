"""`history`, `cochange`, `hotspots`: against histories made commit by commit."""

from __future__ import annotations

import pytest

from tests.projects import Project
from twine_hooks.evolution import HALF_LIFE, decay, hotspots, is_fix, together
from twine_hooks.git import Commit, commits_to

DAY = 86400


def commit(project, message, files, day=0, author="Ada"):
    project.write({name: f"# {message} {day} {author}\n" + text for name, text in files.items()})
    stamp = f"{1_700_000_000 + day * DAY} +0000"
    environ = {"GIT_COMMITTER_DATE": stamp, "GIT_AUTHOR_DATE": stamp, "GIT_AUTHOR_NAME": author}
    project.add().git("commit", "-q", "-m", message, environ=environ)


@pytest.fixture
def project(tmp_path):
    made = Project(tmp_path / "p")
    for day in range(4):
        commit(made, f"step {day}", {"a.py": "import b\n", "b.py": "x = 1\n", "c.txt": "x"}, day)
    commit(made, "Fix the sum", {"a.py": "x = 1\n"}, 10, "Bob")
    commit(made, "Prefix names", {"a.py": "import b\n"}, 11)
    commit(made, "fix tests", {"tests/test_a.py": "x = 1\n"}, 12)
    return made


def test_the_past_of_each_file(project):
    found = {one["path"]: one for one in project.tool("history", "--json").json}
    a = found["a.py"]
    assert (a["commits"], a["authors"], a["fixes"]) == (6, ["Ada", "Bob"], 1)
    assert a["last_change"] == "2023-11-25T22:13:20Z"
    assert found["tests/test_a.py"]["fixes"] == 0
    assert found["b.py"]["fix_share"] == 0
    line = project.tool("history", "a.py").out
    assert line == "    6  2023-11-25   17% fixes  2 authors    a.py\n"


@pytest.mark.parametrize("command", ["history", "cochange"])
def test_a_path_that_is_not_there_is_named(project, command):
    said = project.tool(command, "a/gone.py")
    assert (said.code, said.out) == (1, "")
    assert "a/gone.py is no file" in said.err
    assert "of the work tree; check the spelling" in said.err


def test_names_are_those_of_the_mailmap_of_the_commit(project):
    project.write(
        {
            ".mailmap": "# who\nRoberta <ADA@example.com>\nB. <ada@example.com> Bob <ada@example.com>\n"
        }
    )

    def authors(*args):
        return project.tool("history", "a.py", "--json", *args).json[0]["authors"]

    assert authors() == ["Ada", "Bob"]
    project.add().commit("names")
    project.write({".mailmap": "Nobody <ada@example.com>\n"})
    assert authors() == ["Roberta", "B."]
    assert authors("--rev", "HEAD^") == ["Ada", "Bob"]


@pytest.mark.parametrize("odd", ["one\x01two", "\x01", "\x01" + "a" * 40, "a\tb"])
def test_control_characters_in_messages_and_names(project, odd):
    commit(project, odd, {"a.py": "y = 1\n", "odd\x01.py": "z = 1\n"}, 13, author=f"A{odd}")
    project.git("commit", "-q", "--allow-empty", "-m", odd)
    found = {one["path"]: one["commits"] for one in project.tool("history", "--json").json}
    assert (found["a.py"], found["odd\x01.py"]) == (7, 1)


def test_the_past_of_a_folder(project):
    assert [one["path"] for one in project.tool("history", "tests", "--json").json] == [
        "tests/test_a.py"
    ]


def test_only_what_is_new_is_read_and_a_rewritten_history_again(project, monkeypatch):
    def commits():
        return {one["path"]: one["commits"] for one in project.tool("history", "--json").json}

    assert commits()["a.py"] == 6
    commit(project, "more", {"a.py": "y = 1\n"}, 13)
    assert commits()["a.py"] == 7
    project.git("reset", "-q", "--hard", "HEAD~3")
    assert commits()["a.py"] == 5
    commit(project, "other", {"a.py": "z = 1\n"}, 14)
    assert commits()["a.py"] == 6


def test_a_repository_without_commits_has_no_history(tmp_path):
    project = Project(tmp_path / "p", "-- a.py --\nx = 1\n")
    said = project.tool("history", "--json")
    assert (said.code, said.json) == (0, [])


def test_merges_count_for_nothing(project):
    project.git("checkout", "-q", "-b", "side", "HEAD~1")
    commit(project, "side", {"side.py": "x = 1\n"}, 20)
    project.git("checkout", "-q", "main")
    project.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    found = {one["path"]: one["commits"] for one in project.tool("history", "--json").json}
    assert found["side.py"] == 1


@pytest.mark.parametrize("name", ["a b.py", "ü.py", 'q".py', "new\nline.py"])
def test_any_file_name(tmp_path, name):
    project = Project(tmp_path / "p")
    commit(project, "one", {name: "x = 1\n", "b.py": ""})
    assert name in [one["path"] for one in project.tool("history", "--json").json]


def test_what_changes_together(project):
    found = project.tool("cochange", "a.py", "--json").json
    assert [(one["path"], one["support"]) for one in found] == [("b.py", 4), ("c.txt", 4)]
    assert (found[0]["confidence"], found[0]["confidence_back"]) == (0.6667, 1.0)
    assert [one["has_dependency"] for one in found] == [True, False]
    said = project.tool("cochange", "a.py").out.splitlines()
    assert said[0].endswith("4 times  ->  67%  <- 100%  b.py")
    assert said[1].endswith("c.txt  no dependency")
    assert project.tool("cochange", "a.py", "--min-support", "5").out == ""


def made(*changes):
    return [
        Commit(str(n), day * DAY, "x", "s", tuple(files.split()))
        for n, (day, files) in enumerate(changes)
    ]


def test_the_score_decays_and_small_commits_say_more():
    old, new = made((0, "a b")), made((365, "a b"), (0, "x y"))
    assert together(made((0, "a b"), (365, "z")), "a", 1)[0].score == pytest.approx(
        together(new, "a", 1)[0].score / 2
    )
    large = made((0, "a b c d e f g"))
    assert together(large, "a", 1)[0].score == pytest.approx(1 / 3)
    assert together(old, "a", 1)[0].score == pytest.approx(1 / 1.584962500721156)
    assert decay(HALF_LIFE) == 0.5


def test_large_commits_lock_files_and_changelogs_are_left_out():
    many = " ".join(f"f{n}" for n in range(31))
    assert together(made((0, f"a {many}")), "a", 1) == []
    noise = "a b poetry.lock package-lock.json CHANGELOG.md docs/changes.rst go.sum NEWS"
    [found] = together(made((0, noise)), "a", 1)
    assert (found.path, found.score) == ("b", pytest.approx(1 / 1.584962500721156))


@pytest.mark.parametrize(
    ("subject", "files", "expected"),
    [
        ("Fix crash", "a.py", True),
        ("fixes #3", "a.py docs/x.md", True),
        ("Prefix all names", "a.py", False),
        ("bugfix: x", "src/a.js", True),
        ("fix tests", "tests/a.py", False),
        ("fix typo", "README.md docs/a.rst", False),
        ("fix", "a.test.ts b_test.go", False),
        ("debug output", "a.py", False),
        ("Fix typo in a name", "a.py", False),
        ("Fixed some outdated comments.", "a.py", False),
        ("fix comment about sizes", "a.py", False),
        ("Fix crash of comments framework", "a.py", True),
    ],
)
def test_which_commits_are_fixes(subject, files, expected):
    assert is_fix(Commit("1", 0, "x", subject, tuple(files.split()))) is expected


def test_hotspots_are_large_and_busy():
    changes = made(*((day, "big.py small.py") for day in range(9)), (0, "huge.py"))
    found = hotspots(changes, {"big.py": 900, "small.py": 3, "huge.py": 5000, "calm.py": 700})
    assert [one.path for one in found] == ["big.py", "huge.py", "small.py"]
    assert found[0].size_rank == 0.625
    assert found[0].churn_rank == 0.75


def test_hotspots_of_a_repository(project):
    found = project.tool("hotspots", "--json").json
    assert found[0]["path"] == "a.py"
    assert {one["path"] for one in found} == {"a.py", "b.py", "tests/test_a.py"}
    assert project.tool("hotspots", "--by", "complexity").code == 0


def test_a_damaged_cache_is_read_again(project):
    from docs_store.cache import Cache
    from twine_hooks.git import Repository

    repo = Repository.open(project.path, project.environ)
    with Cache(project.path / ".git" / "codetwine") as cache:
        expected = commits_to(repo, "HEAD", cache)
        cache.put("history", f"2 {repo.git_dir}", b"junk")
        assert commits_to(repo, "HEAD", cache) == expected
