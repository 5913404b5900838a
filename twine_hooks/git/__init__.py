"""The one door to git: snapshots, blobs, staging, native hooks; knows no document.

A module is loaded when one of its names is first used: a hook with nothing to do needs few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from twine_hooks.git.blobs import Blobs as Blobs
    from twine_hooks.git.history import Commit as Commit
    from twine_hooks.git.history import commits_to as commits_to
    from twine_hooks.git.hooks import HOOK_TYPES as HOOK_TYPES
    from twine_hooks.git.hooks import HookOwner as HookOwner
    from twine_hooks.git.hooks import HookState as HookState
    from twine_hooks.git.hooks import configured_hooks as configured_hooks
    from twine_hooks.git.hooks import find_hook_state as find_hook_state
    from twine_hooks.git.hooks import hook_script as hook_script
    from twine_hooks.git.hooks import hooks_folder as hooks_folder
    from twine_hooks.git.hooks import install_hook as install_hook
    from twine_hooks.git.hooks import uninstall_hook as uninstall_hook
    from twine_hooks.git.listing import Listing as Listing
    from twine_hooks.git.listing import changed_entries as changed_entries
    from twine_hooks.git.listing import head_listing as head_listing
    from twine_hooks.git.listing import index_listing as index_listing
    from twine_hooks.git.listing import parse_listing as parse_listing
    from twine_hooks.git.listing import tree_listing as tree_listing
    from twine_hooks.git.mainline import Landed as Landed
    from twine_hooks.git.mainline import Mainline as Mainline
    from twine_hooks.git.mainline import landed_on as landed_on
    from twine_hooks.git.mainline import lines_changed as lines_changed
    from twine_hooks.git.mainline import read_mainline as read_mainline
    from twine_hooks.git.program import run_git as run_git
    from twine_hooks.git.program import without_local_env as without_local_env
    from twine_hooks.git.repository import Repository as Repository
    from twine_hooks.git.snapshot import Snapshot as Snapshot
    from twine_hooks.git.snapshot import index_snapshot as index_snapshot
    from twine_hooks.git.snapshot import rev_snapshot as rev_snapshot
    from twine_hooks.git.staging import CommitKind as CommitKind
    from twine_hooks.git.staging import Unstaged as Unstaged
    from twine_hooks.git.staging import commit_kind as commit_kind
    from twine_hooks.git.staging import ignored as ignored
    from twine_hooks.git.staging import stage as stage
    from twine_hooks.git.staging import staged_differs as staged_differs
    from twine_hooks.git.unmerged import Sides as Sides
    from twine_hooks.git.unmerged import has_merge_driver as has_merge_driver
    from twine_hooks.git.unmerged import install_merge_driver as install_merge_driver
    from twine_hooks.git.unmerged import uninstall_merge_driver as uninstall_merge_driver
    from twine_hooks.git.unmerged import unmerged_sides as unmerged_sides
    from twine_hooks.git.worktree import worktree_snapshot as worktree_snapshot

_MODULES = {
    "blobs": "Blobs",
    "history": "Commit commits_to",
    "hooks": "HOOK_TYPES HookOwner HookState configured_hooks find_hook_state hook_script"
    " hooks_folder install_hook uninstall_hook",
    "listing": "Listing changed_entries head_listing index_listing parse_listing tree_listing",
    "mainline": "Landed Mainline landed_on lines_changed read_mainline",
    "program": "run_git without_local_env",
    "repository": "Repository",
    "snapshot": "Snapshot index_snapshot rev_snapshot",
    "staging": "CommitKind Unstaged commit_kind ignored stage staged_differs",
    "unmerged": "Sides has_merge_driver install_merge_driver uninstall_merge_driver unmerged_sides",
    "worktree": "worktree_snapshot",
}
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
