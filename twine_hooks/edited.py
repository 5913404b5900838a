"""Which sections of a snapshot's documents people edited, and what a refresh would do to them."""

from __future__ import annotations

from collections.abc import Iterable

from docs_store.document import HandEdit
from twine_hooks.config import EDITS, KEEP
from twine_hooks.generation.hand_edits import Fates, fates_of
from twine_hooks.personal import read_personal
from twine_hooks.plan import REMOVE, WRITE, Plan
from twine_hooks.recorded import hand_edits_of
from twine_hooks.workspace import Workspace


def edits_policy(workspace: Workspace) -> str:
    """What becomes of people's edits: a person's own setting goes before the repository's.

    Raises ConfigError.
    """
    personal = read_personal(workspace.session.environ)
    return personal.choice("DOC_EDITS", EDITS, workspace.evaluation.config.edits)


def edits_in(workspace: Workspace, sources: Iterable[str]) -> dict[str, tuple[HandEdit, ...]]:
    """By source the edited sections of its document, where there are any."""
    titles = workspace.evaluation.template.titles
    return hand_edits_of(workspace.snapshot, workspace.cache, sources, titles)


def planned_fates(workspace: Workspace, plan: Plan, has_model: bool) -> dict[str, Fates]:
    """By source what a plan does to the edited sections of its document, where there are any."""
    tasks = {task.path: task for task in plan.tasks if task.action != REMOVE}
    present = {path: task.origin or path for path, task in tasks.items()}
    edits = edits_in(workspace, sorted(set(present.values())))
    policy = edits_policy(workspace)
    template = workspace.evaluation.template
    return {
        path: fates_of(
            edits[origin], template, policy if tasks[path].action == WRITE else KEEP, has_model
        )
        for path, origin in present.items()
        if origin in edits
    }
