from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.environments import ROOT
from tests.git.states import opened
from tests.repos import Repo
from twine_hooks.errors import GitError
from twine_hooks.git import (
    HOOK_TYPES,
    find_hook_state,
    hook_script,
    hooks_folder,
    install_hook,
    uninstall_hook,
)

PYTHON = '/nowhere/it\'s a "python"'
FOREIGN = "#!/bin/sh\necho foreign $(cat) >>ran\n"


def program(repo: Repo, code: int = 0) -> Path:
    """A `codetwine` that writes down how it was called; the folder to put on PATH."""
    folder = repo.path.parent / "bin"
    folder.mkdir(exist_ok=True)
    (folder / "codetwine").write_text(f'#!/bin/sh\necho "$@" >>ran\nexit {code}\n')
    (folder / "codetwine").chmod(0o755)
    repo.environ["PATH"] = f"{folder}{os.pathsep}{repo.environ['PATH']}"
    return folder


def without_program(repo: Repo) -> None:
    """A PATH with git and a shell, but with no codetwine."""
    folder = repo.path.parent / "poor"
    folder.mkdir()
    for name in ("git", "sh", "dirname", "cat", "rm"):
        (folder / name).symlink_to(shutil.which(name) or name)
    repo.environ["PATH"] = str(folder)


def ran(repo: Repo) -> list[str]:
    log = repo.path / "ran"
    return log.read_text().splitlines() if log.exists() else []


def inside(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    return {
        path.name: (
            path.lstat().st_mode,
            os.readlink(path) if path.is_symlink() else path.read_bytes(),
        )
        for path in folder.iterdir()
    }


def states(repo: Repo) -> dict[str, tuple[str, bool]]:
    return {s.hook_type: (s.owner, s.runs_codetwine) for s in find_hook_state(opened(repo))}


def test_install_and_uninstall_leave_no_trace(repo: Repo):
    folder = repo.path / ".git" / "hooks"
    before = inside(folder)
    for hook_type in HOOK_TYPES:
        assert install_hook(opened(repo), hook_type, PYTHON)
        assert not install_hook(opened(repo), hook_type, PYTHON), "the second time nothing is done"
    assert states(repo) == dict.fromkeys(HOOK_TYPES, ("codetwine", True))
    for hook_type in HOOK_TYPES:
        assert uninstall_hook(opened(repo), hook_type)
        assert not uninstall_hook(opened(repo), hook_type)
    assert inside(folder) == before
    assert states(repo) == dict.fromkeys(HOOK_TYPES, ("nobody", False))


def test_another_interpreter_renews_the_script(repo: Repo):
    install_hook(opened(repo), "pre-commit", PYTHON)
    assert install_hook(opened(repo), "pre-commit", "/other/python")
    assert "/other/python" in (repo.path / ".git/hooks/pre-commit").read_text()


def test_a_repository_without_a_hooks_folder(tmp_path: Path):
    repo = Repo(tmp_path / "r", args=("--template=",))
    assert install_hook(opened(repo), "pre-commit", PYTHON)
    assert uninstall_hook(opened(repo), "pre-commit")


def test_the_hooks_run_on_real_events(repo: Repo):
    program(repo)
    for hook_type in HOOK_TYPES:
        install_hook(opened(repo), hook_type, PYTHON)
    repo.write({".gitignore": "ran\n"}).add().commit()
    repo.commit("again", "--amend")
    repo.git("switch", "-qc", "side")
    repo.commit("side", "--allow-empty").git("switch", "-q", "main")
    repo.git("merge", "-q", "side")
    kinds = [" ".join(line.split()[:2]) for line in ran(repo)]
    assert kinds == [
        "hook pre-commit",
        "hook pre-commit",
        "hook post-rewrite",
        "hook post-checkout",
        "hook pre-commit",
        "hook post-checkout",
        "hook post-merge",
    ]
    assert ran(repo)[2] == "hook post-rewrite amend"
    assert ran(repo)[-1] == "hook post-merge 0"


def test_a_failure_stops_a_commit_and_nothing_else(repo: Repo):
    repo.commit("1", "--allow-empty")
    program(repo, code=1)
    for hook_type in HOOK_TYPES:
        install_hook(opened(repo), hook_type, PYTHON)
    assert repo.run("git", "commit", "--allow-empty", "-m", "x", check=False).returncode
    repo.git("switch", "-qc", "side")
    assert ran(repo)[0] == "hook pre-commit"
    assert ran(repo)[1].startswith("hook post-checkout")


def test_the_interpreter_is_the_fallback(repo: Repo):
    """And a file of the work tree that is named like a module is not run."""
    without_program(repo)
    repo.write({"twine_hooks/__init__.py": "raise SystemExit('shadowed')", "json.py": "1/0"})
    install_hook(opened(repo), "pre-commit", sys.executable)
    done = repo.run(
        ".git/hooks/pre-commit", environ={"PYTHONPATH": str(ROOT)}, check=False, cwd=repo.path
    )
    said = (done.stdout + done.stderr).decode()
    assert "neither on PATH" not in said
    assert "shadowed" not in said and "ZeroDivision" not in said


def test_without_the_program_a_commit_is_refused_with_the_ways_out(repo: Repo):
    without_program(repo)
    install_hook(opened(repo), "pre-commit", PYTHON)
    done = repo.run("git", "commit", "--allow-empty", "-m", "x", check=False)
    assert done.returncode
    said = done.stderr.decode()
    assert f"codetwine is neither on PATH nor in {PYTHON}" in said
    assert "install it again, or remove .git/hooks/pre-commit, or commit with --no-verify" in said
    repo.commit("x", "--allow-empty", "--no-verify")


def test_without_the_program_other_commands_succeed(repo: Repo):
    repo.commit("1", "--allow-empty")
    without_program(repo)
    install_hook(opened(repo), "post-checkout", PYTHON)
    done = repo.run("git", "switch", "-c", "side")
    assert b"or remove .git/hooks/post-checkout\n" in done.stderr


@pytest.mark.parametrize("hook_type", ["pre-commit", "post-checkout"])
def test_a_hook_that_was_there_runs_first_and_comes_back(repo: Repo, hook_type: str):
    program(repo)
    repo.commit("1", "--allow-empty").hook(hook_type, FOREIGN)
    folder = repo.path / ".git" / "hooks"
    before = inside(folder)
    install_hook(opened(repo), hook_type, PYTHON)
    install_hook(opened(repo), hook_type, "/renewed")
    assert states(repo)[hook_type] == ("codetwine", True)
    repo.commit("2", "--allow-empty").git("switch", "-qc", "side")
    assert ran(repo)[0].startswith("foreign")
    assert ran(repo)[1].startswith(f"hook {hook_type}")
    assert uninstall_hook(opened(repo), hook_type)
    assert inside(folder) == before


def test_the_failure_of_a_hook_that_was_there_counts_as_before(repo: Repo):
    program(repo)
    repo.commit("1", "--allow-empty")
    for hook_type in ("pre-commit", "post-checkout"):
        repo.hook(hook_type, "#!/bin/sh\nexit 3\n")
        install_hook(opened(repo), hook_type, PYTHON)
    assert repo.run("git", "commit", "--allow-empty", "-m", "x", check=False).returncode
    assert ran(repo) == [], "ours need not run for a commit that is refused"
    assert repo.run("git", "switch", "-c", "side", check=False).returncode
    assert ran(repo)[0].startswith("hook post-checkout")


def test_what_the_hook_that_was_there_reads_still_reaches_it(repo: Repo):
    program(repo)
    repo.commit("1", "--allow-empty").hook("post-rewrite", FOREIGN)
    install_hook(opened(repo), "post-rewrite", PYTHON)
    old = repo.head
    repo.commit("2", "--amend", "--allow-empty")
    assert ran(repo) == [f"foreign {old} {repo.head}", "hook post-rewrite amend"]


def test_a_disabled_hook_and_a_dangling_link_come_back_as_they_were(repo: Repo):
    program(repo)
    repo.hook("pre-commit", FOREIGN)
    folder = repo.path / ".git" / "hooks"
    (folder / "pre-commit").chmod(0o644)
    os.symlink("nowhere", folder / "post-merge")
    before = inside(folder)
    for hook_type in ("pre-commit", "post-merge"):
        install_hook(opened(repo), hook_type, PYTHON)
    repo.commit("1", "--allow-empty")
    assert ran(repo) == ["hook pre-commit"]
    for hook_type in ("pre-commit", "post-merge"):
        uninstall_hook(opened(repo), hook_type)
    assert inside(folder) == before


def test_a_foreign_hook_that_took_our_place_is_not_touched(repo: Repo):
    repo.hook("pre-commit", FOREIGN)
    install_hook(opened(repo), "pre-commit", PYTHON)
    repo.hook("pre-commit", FOREIGN.replace("foreign", "third"))
    before = inside(repo.path / ".git" / "hooks")
    with pytest.raises(GitError, match="decide which of the two you want"):
        install_hook(opened(repo), "pre-commit", PYTHON)
    assert not uninstall_hook(opened(repo), "pre-commit")
    assert inside(repo.path / ".git" / "hooks") == before


def test_linked_work_trees_share_the_hooks(repo: Repo, tmp_path: Path):
    program(repo)
    repo.commit("1", "--allow-empty")
    linked = repo.worktree(tmp_path / "linked")
    linked.environ = repo.environ
    install_hook(opened(linked), "pre-commit", PYTHON)
    assert hooks_folder(opened(linked)) == repo.path / ".git" / "hooks"
    repo.commit("2", "--allow-empty")
    linked.commit("3", "--allow-empty")
    assert ran(repo) == ran(linked) == ["hook pre-commit"]


def test_core_hooks_path_in_the_work_tree_is_tracked(repo: Repo):
    repo.config(core__hooksPath=".husky").write({".husky/pre-commit": FOREIGN})
    before = inside(repo.path / ".husky")
    with pytest.raises(GitError, match=r'tracked; add `codetwine hook TYPE "\$@"`'):
        install_hook(opened(repo), "pre-commit", PYTHON)
    assert inside(repo.path / ".husky") == before


def test_core_hooks_path_elsewhere_is_shared(repo: Repo, tmp_path: Path):
    shared = tmp_path / "shared"
    shared.mkdir()
    repo.git("config", "--global", "core.hooksPath", shared)
    with pytest.raises(GitError, match="outside of this repository"):
        install_hook(opened(repo), "pre-commit", PYTHON)
    assert list(shared.iterdir()) == []
    assert all(state.advice for state in find_hook_state(opened(repo)))


def test_core_hooks_path_in_the_git_folder_is_ours(repo: Repo):
    repo.config(core__hooksPath=".git/myhooks")
    install_hook(opened(repo), "pre-commit", PYTHON)
    assert (repo.path / ".git" / "myhooks" / "pre-commit").exists()


def test_a_hooks_folder_that_is_a_link_into_the_work_tree_is_tracked(repo: Repo):
    (repo.path / "githooks").mkdir()
    shutil.rmtree(repo.path / ".git" / "hooks")
    (repo.path / ".git" / "hooks").symlink_to(repo.path / "githooks")
    with pytest.raises(GitError, match="tracked"):
        install_hook(opened(repo), "pre-commit", PYTHON)


def test_uninstall_finds_what_core_hooks_path_has_hidden_since(repo: Repo):
    install_hook(opened(repo), "pre-commit", PYTHON)
    repo.config(core__hooksPath=".husky")
    assert uninstall_hook(opened(repo), "pre-commit")
    assert not (repo.path / ".git" / "hooks" / "pre-commit").exists()


@pytest.mark.skipif(
    not (Path(sys.executable).parent / "pre-commit").exists(), reason="no pre-commit"
)
def test_the_framework_keeps_its_hook_and_may_chain_ours(repo: Repo):
    program(repo)
    framework = Path(sys.executable).parent / "pre-commit"
    repo.write({".gitignore": "ran\n", ".pre-commit-config.yaml": "repos: []\n"}).add()
    repo.run(framework, "install")
    with pytest.raises(GitError, match=r"pre-commit framework; add .* \.pre-commit-config\.yaml"):
        install_hook(opened(repo), "pre-commit", PYTHON)
    assert states(repo)["pre-commit"] == ("framework", False)

    repo.run(framework, "uninstall")
    install_hook(opened(repo), "pre-commit", PYTHON)
    repo.run(framework, "install")
    assert states(repo)["pre-commit"] == ("framework", True)
    repo.commit()
    assert ran(repo) == ["hook pre-commit"]
    assert uninstall_hook(opened(repo), "pre-commit")
    assert states(repo)["pre-commit"] == ("framework", False)


def test_an_unknown_type_and_a_bare_repository_are_refused(repo: Repo, tmp_path: Path):
    with pytest.raises(GitError, match="choose from pre-commit, post-merge"):
        hook_script("pre-push", PYTHON)
    with pytest.raises(GitError, match="no work tree"):
        install_hook(opened(Repo(tmp_path / "b.git", args=("--bare",))), "pre-commit", PYTHON)
