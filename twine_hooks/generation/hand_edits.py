"""What becomes of sections that people edited when their document is written anew; writes none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from docs_store.document import SUMMARY, HandEdit, title_key
from twine_hooks.config import MERGE, OVERWRITE
from twine_hooks.templating import Template

KEPT, MERGED, OVERWRITTEN = "kept", "merged", "overwritten"

Fates = Mapping[str, str]  #: section id -> KEPT, MERGED (given to a model to correct), OVERWRITTEN
NO_FATES: Fates = MappingProxyType({})  #: everything is kept


def fates_of(
    edits: Iterable[HandEdit], template: Template, policy: str, has_model: bool
) -> dict[str, str]:
    """By id what becomes of each edited section under ``policy``, one of EDITS in config.py."""
    return {one.id: _fate(one, template, policy, has_model) for one in edits}


def _fate(edit: HandEdit, template: Template, policy: str, has_model: bool) -> str:
    section = next((one for one in template.sections if one.id == edit.id), None)
    if edit.id != SUMMARY:
        if section is None:
            return KEPT
        # Another heading and another text: it may be a section of one's own in the place of this.
        if not edit.is_gone and title_key(edit.heading) != title_key(section.title):
            return KEPT
    if policy == OVERWRITE:
        return OVERWRITTEN
    is_prose = section is None or section.kind == "prose"
    if policy == MERGE and is_prose and has_model and not edit.is_gone:
        return MERGED
    return KEPT
