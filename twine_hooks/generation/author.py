"""One document from its material, its prose and its present text; people's edits are kept."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from docs_store.digest import short
from docs_store.document import SUMMARY, Document, Section, edited, section_digest
from docs_store.header import Header
from twine_hooks.generation.facts_sections import render_section
from twine_hooks.generation.hand_edits import MERGED, NO_FATES, OVERWRITTEN, Fates
from twine_hooks.inputs import Inputs
from twine_hooks.markup import code
from twine_hooks.material import Material
from twine_hooks.templating import Template


def compose(
    material: Material,
    inputs: Inputs,
    prose: Mapping[str, str],
    present: Document | None,
    by: str = "",
    fates: Fates = NO_FATES,
) -> Document:
    """The document: facts rendered, ``prose`` by section id, hand-edited parts of ``present``.

    A prose section that ``prose`` lacks is left out. ``by`` is "outline" where no model wrote.
    ``fates`` tell of edited sections that do not just stay as they are. What a model corrected
    counts as edited all the same: most of it is a person's, and no outline may replace it.
    """
    kept = _kept(present, fates, prose)
    present = _without_gone_sections(present, material.template)
    texts = dict(prose)
    for section in material.template.sections:
        if section.kind == "facts":
            texts[section.id] = render_section(section.render, material)
    texts = {name: text.strip("\n") for name, text in texts.items() if text.strip()}
    header = _header(inputs, present, by)
    order = [SUMMARY, *(section.id for section in material.template.sections)]
    digests = {
        name: section_digest(texts[name])
        for name in order
        if name in texts and fates.get(name) != MERGED
    }
    for name in order:
        # An edit that says what is generated now is none any more.
        if name in kept and section_digest(kept[name]) != digests.get(name):
            digests[name] = dict(present.header.sections)[name] if present else ""
            texts[name] = kept[name]
    return Document(
        header=header._replace(
            sections=tuple((one, digests[one]) for one in order if one in digests)
        ),
        title=code(material.path),
        summary=texts.get(SUMMARY, ""),
        sections=_with_own_sections(
            _sections(material, texts, kept, present, header.template), present
        ),
    )


def _header(inputs: Inputs, present: Document | None, by: str) -> Header:
    """The header, but for the digests of the sections."""
    return Header(
        inputs=inputs.digest,
        own=short(inputs.own),
        template=short(inputs.template),
        uses=short(inputs.uses),
        place=short(inputs.place),
        by=by,
        extra=present.header.extra if present else (),
    )


def _kept(present: Document | None, fates: Fates, prose: Mapping[str, str]) -> dict[str, str]:
    """Text by id of the sections that a person edited; "" of one that a person took out."""
    if present is None:
        return {}
    texts = present.texts()
    texts |= {name: text for name, text in prose.items() if fates.get(name) == MERGED}
    by_hand = (name for name in edited(present) if fates.get(name) != OVERWRITTEN)
    return {name: texts.get(name, "") for name in by_hand}


def _without_gone_sections(present: Document | None, template: Template) -> Document | None:
    """Edited sections that the template has no more are a person's own from now on."""
    if present is None:
        return None
    own = set(edited(present)) - template.titles.keys()
    sections = (one._replace(id="") if one.id in own else one for one in present.sections)
    return present._replace(sections=tuple(sections))


def _sections(
    material: Material,
    texts: Mapping[str, str],
    kept: Mapping[str, str],
    present: Document | None,
    template: str,
) -> list[Section]:
    titles = _renamed_titles(present, template)
    sections = [
        Section(one.id, titles.get(one.id, one.title), texts[one.id])
        for one in material.template.sections
        if texts.get(one.id) and (texts[one.id].strip() or one.id in kept)
    ]
    is_same = present is not None and present.header.template == template
    return _in_order_of(present, sections) if present and is_same else sections


def _in_order_of(present: Document, sections: list[Section]) -> list[Section]:
    """As a person may have put them; new ones behind the one that the template has before."""
    by_id = {one.id: one for one in sections}
    ids = [one.id for one in present.sections if one.id in by_id]
    for before, one in pairwise(["", *by_id]):
        if one not in ids:
            ids.insert(ids.index(before) + 1 if before else 0, one)
    return [by_id[one] for one in ids]


def _renamed_titles(present: Document | None, template: str) -> dict[str, str]:
    """Headings that a person may have renamed: all, but of unedited sections only while the
    template is the same, since another one has titles of its own."""
    if present is None:
        return {}
    by_hand, is_same = edited(present), present.header.template == template
    return {one.id: one.title for one in present.sections if is_same or one.id in by_hand}


def _with_own_sections(sections: list[Section], present: Document | None) -> tuple[Section, ...]:
    """With the sections that a person added, each behind the one that it stood behind."""
    placed = list(sections)
    previous = SUMMARY
    for one in present.sections if present else ():
        if one.id:
            previous = one.id
            continue
        at = next((i for i, other in enumerate(placed) if other.id == previous), -1)
        while at + 1 < len(placed) and not placed[at + 1].id:
            at += 1
        placed.insert(at + 1, one)
    return tuple(placed)
