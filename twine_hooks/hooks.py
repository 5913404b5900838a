"""When git calls: whether there is anything to do at all, and for which snapshot.

What is done then is in ``hook_actions``, which is imported only when there is something to do:
most hooks have nothing to do, and are to be over before anyone notices.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from twine_hooks.errors import CodetwineError
from twine_hooks.workspace import Workspace, opened

if TYPE_CHECKING:
    from twine_hooks.plan import Plan
    from twine_hooks.session import Session

Action = Callable[[Workspace, "Plan"], int]


def before_commit(session: Session, listing: bytes | None = None) -> int:
    """Document what is about to be committed; 1 if the commit lacks a document.

    ``listing`` is the raw listing of the index, where the caller has it already.
    """

    def document(workspace: Workspace, plan: Plan) -> int:
        from twine_hooks.hook_actions import document_commit

        return document_commit(workspace, plan)

    return _unless_fresh(session, document, listing, is_asked=True)


def after_merge(session: Session) -> None:
    """Write what the merge made stale into the work tree; stage nothing."""

    def document(workspace: Workspace, plan: Plan) -> int:
        from twine_hooks.hook_actions import document_merge

        return document_merge(workspace, plan)

    _unless_fresh(session, document)


def report(session: Session) -> None:
    """Tell what is stale; write nothing."""

    def tell(workspace: Workspace, plan: Plan) -> int:
        from twine_hooks.hook_actions import tell_stale

        return tell_stale(plan)

    _unless_fresh(session, tell)


def merge_file(session: Session, args: Sequence[str]) -> int:
    """Merge one document or leaf for git, into the second of the files; 0, it is merged.

    ``args`` are what git puts for `%O %A %B %P`: files with base, ours and theirs, and the path.
    """
    from twine_hooks.hook_actions import merge_document

    if len(args) != 4:
        raise CodetwineError("a merge driver takes base, ours, theirs and path, as git gives them")
    base, ours, theirs, path = args
    folder = session.cwd
    return merge_document(session, folder / base, folder / ours, folder / theirs, path)


def _unless_fresh(
    session: Session, action: Action, listing: bytes | None = None, is_asked: bool = False
) -> int:
    """Do it if the index has documents and one of them is not fresh; its exit code, else 0."""
    with opened(session, staged=True, listing=listing) as workspace:
        if not workspace.is_initialised:
            if is_asked:
                message = "this repository has no documents yet; `codetwine init` sets it up"
                print(f"codetwine: {message}", file=sys.stderr)
            return 0
        plan = workspace.evaluation.plan()
        if plan.is_empty:
            workspace.remember_fresh()
            return 0
        return action(workspace, plan)


def is_worth_a_report(kind: str, args: Sequence[str]) -> bool:
    """Not when single files were checked out, or when HEAD is where it was."""
    if kind != "post-checkout" or len(args) != 3:
        return True
    before, after, is_branch = args
    return is_branch == "1" and before != after
