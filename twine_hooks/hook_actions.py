"""What a hook does once there is something to do: write, stage where that is right, and tell."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from docs_store.layout import doc_path, leaf_path
from twine_hooks.edited import edits_policy
from twine_hooks.errors import CodetwineError
from twine_hooks.generation.spending import Allowance
from twine_hooks.git import (
    CommitKind,
    Unstaged,
    commit_kind,
    ignored,
    stage,
    staged_differs,
)
from twine_hooks.parsed import read_config, read_template
from twine_hooks.plan import Plan
from twine_hooks.presentation import (
    add_line,
    counted,
    ignored_line,
    in_shell,
    plan_lines,
    shown,
    task_line,
)
from twine_hooks.resolution import merged_text
from twine_hooks.session import Session
from twine_hooks.update import Refresh, Result, paths_to_add
from twine_hooks.workspace import Workspace, opened
from twine_hooks.writers import Wish, run_within, writer_for

_LISTED = 20


def document_commit(workspace: Workspace, plan: Plan) -> int:
    """Write what the plan says, and stage it or say what to add. The exit code of the hook."""
    with workspace.lock():
        unstaged = staged_differs(workspace.repo, files_of(task.path for task in plan.tasks))
        result = _run(workspace, plan)
    return _conclude(workspace, plan, result, unstaged)


def document_merge(workspace: Workspace, plan: Plan) -> int:
    """Write what the plan says into the work tree, but never over an edit; always 0."""
    if workspace.evaluation.config.hook.post_merge == "report":
        return tell_stale(plan)
    with workspace.lock():
        everything = files_of(task.path for task in plan.tasks)
        edited = staged_differs(workspace.repo, everything).edited
        held = [task for task in plan.tasks if edited & set(files_of([task.path]))]
        chosen = tuple(task for task in plan.tasks if task not in held)
        result = _run(workspace, Plan(chosen, plan.fresh))
    for task in chosen[:_LISTED]:
        _say(task_line(task))
    for task in held:
        _say(f"{shown(task.path)}: its document has edits of yours; codetwine refresh")
    _tell_problems(result)
    if result.touched:
        paths = paths_to_add(result, workspace.root)
        _say(f"{counted(len(result.touched), 'document')} brought up to date; look, then:")
        print(f"  {add_line(paths, workspace.shell_folder)}", file=sys.stderr)
    return 0


def tell_stale(plan: Plan) -> int:
    """Tell what a refresh would do; always 0."""
    lines = plan_lines(plan)
    for line in lines[:_LISTED]:
        _say(line)
    if len(lines) > _LISTED + 1:
        _say(f"… and {len(lines) - _LISTED - 1} more")
    _say("`codetwine refresh` brings them up to date")
    return 0


def merge_document(session: Session, base: Path, ours: Path, theirs: Path, path: str) -> int:
    """Write what one document or leaf is merged to into the file ``ours``; always 0."""
    texts = [file.read_bytes().decode("utf-8", "replace") for file in (ours, theirs, base)]
    one, other, before = (text.replace("\r\n", "\n") for text in texts)
    merged, lost = merged_text(one, other, before, path, lambda: _titles(session))
    if merged != one:
        ours.write_bytes(merged.encode("utf-8", "surrogateescape"))
    for title in lost:
        _say(f"{shown(path)}: `{title}` was edited on both sides: ours is kept; look at theirs")
    return 0


def _titles(session: Session) -> Mapping[str, str]:
    """The section titles of our side's template; of no use where it cannot be read."""
    try:
        with opened(session, rev="HEAD") as workspace:
            config = read_config(workspace.snapshot, workspace.cache)
            return read_template(workspace.snapshot, config, workspace.cache).titles
    except CodetwineError:
        return {}


def _run(workspace: Workspace, plan: Plan) -> Result:
    """Write what a plan says, with as many calls of a model as the settings let a hook make."""
    allowance = Allowance(workspace.evaluation.config.hook.max_calls)
    # A model that is out of order must not keep a commit waiting: one more try is enough.
    writer = writer_for(workspace, Wish(allowance=allowance, max_retries=1))
    edits = edits_policy(workspace)
    run = Refresh(workspace.evaluation, workspace.root, writer, prefers_disk=True, edits=edits)
    return run_within(run, plan, allowance)


def _conclude(workspace: Workspace, plan: Plan, result: Result, unstaged: Unstaged) -> int:
    """Stage where that is right; else say what to add. The exit code of the hook."""
    for task in plan.tasks[:_LISTED]:
        _say(task_line(task))
    _tell_problems(result)
    if not result.touched:
        return _problem_code(workspace, result)
    files = files_of(result.touched)
    if not _can_be_added(workspace, files, unstaged):
        return 1
    if _may_stage(workspace):
        held = sorted(unstaged.edited & set(files))
        if not held:
            stage(workspace.repo, files, gone=files_of(result.removed))
            _say(f"{counted(len(result.touched), 'document')} brought up to date and staged")
            return _problem_code(workspace, result)
        _say(f"{shown(held[0])} has edits that are not staged, so nothing was staged")
    _say(f"{counted(len(result.touched), 'document')} brought up to date; now run:")
    paths = paths_to_add(result, workspace.root)
    print(f"  {add_line(paths, workspace.shell_folder)}", file=sys.stderr)
    if commit_kind(workspace.repo) == "partial":
        _say("`git commit -- PATHS` takes only the paths that it names: name these, too")
    return 1


def _can_be_added(workspace: Workspace, files: list[str], unstaged: Unstaged) -> bool:
    """Whether git would add these files at all; says why not, and what to do."""
    known = workspace.snapshot.files  # what is in the index can be added, whatever is ignored
    new = [path for path in files if path not in known]
    rules = ignored(workspace.repo, new) if new else {}
    for path, rule in list(rules.items())[:1]:
        _say(ignored_line(path, rule))
    pinned = sorted(unstaged.pinned & set(files))
    if pinned:
        named = in_shell(pinned, workspace.shell_folder)
        _say(f"git was told to take {shown(pinned[0])} for unchanged, so it can't be committed:")
        for flag in ("assume-unchanged", "skip-worktree"):
            print(f"  git update-index --no-{flag} -- {named}", file=sys.stderr)
    return not rules and not pinned


def _may_stage(workspace: Workspace) -> bool:
    """Only in the native hook, and only into an index that the next commit starts from."""
    if workspace.evaluation.config.hook.stage != "auto":
        return False
    if workspace.session.environ.get("PRE_COMMIT") == "1":
        return False
    kind: CommitKind = commit_kind(workspace.repo)
    return kind in ("plain", "all")


def _problem_code(workspace: Workspace, result: Result) -> int:
    is_strict = workspace.evaluation.config.hook.on_error == "fail"
    return 1 if result.held or ((result.failed or result.outlined) and is_strict) else 0


def files_of(paths: Iterable[str]) -> list[str]:
    """Document and leaf of each source."""
    return [file for path in paths for file in (doc_path(path), leaf_path(path))]


def _tell_problems(result: Result) -> None:
    for path, reason in [*result.held, *result.failed, *result.left]:
        _say(f"{shown(path)} stays stale: {reason}")
    for path, name, what in result.edits:
        _say(f"{shown(path)}: {name}, edited by hand, {what}")
    for path, reason in result.outlined:
        _say(f"{shown(path)} is outlined, as no model wrote it: {reason}")


def _say(line: str) -> None:
    print(f"codetwine: {line}", file=sys.stderr)
