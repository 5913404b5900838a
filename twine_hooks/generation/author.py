"""One document from its material, its prose and its present text, with what people edited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from docs_store.digest import short
from docs_store.document import SUMMARY, Document, Section, edited, section_digest
from docs_store.header import Header
from twine_hooks.generation.facts_sections import render_section
from twine_hooks.inputs import Inputs
from twine_hooks.markup import code
from twine_hooks.material import Material


def compose(
    material: Material,
    inputs: Inputs,
    prose: Mapping[str, str],
    present: Document | None,
    by: str = "",
    edits: str = "keep",
) -> Document:
    """The document: facts rendered, ``prose`` by section id, hand-edited parts of ``present``.

    A prose section that ``prose`` lacks is left out. ``by`` is "outline" where no model wrote. With
    ``edits`` "overwrite" nothing is kept of what people edited; with "merge" the prose stands for
    it, which a model wrote from it.
    """
    texts = dict(prose)
    facts = {one.id for one in material.template.sections if one.kind == "facts"}
    for section in material.template.sections:
        if section.id in facts:
            texts[section.id] = render_section(section.render, material)
    texts = {name: text.strip("\n") for name, text in texts.items() if text.strip()}
    header = Header(
        inputs=inputs.digest,
        own=short(inputs.own),
        template=short(inputs.template),
        uses=short(inputs.uses),
        place=short(inputs.place),
        by=by,
        extra=present.header.extra if present else (),
    )
    order = [SUMMARY, *(section.id for section in material.template.sections)]
    digests = {name: section_digest(texts[name]) for name in order if name in texts}
    kept = _kept(present, edits, texts.keys() - facts)
    for name in order:
        # An edit that says what is generated now is none any more.
        if name in kept and section_digest(kept[name]) != digests.get(name):
            digests[name] = dict(present.header.sections)[name] if present else ""
            texts[name] = kept[name]
    for name in _unchanged(present, texts) if edits == "merge" else ():
        digests[name] = dict(present.header.sections)[name] if present else ""
    return Document(
        header=replace(
            header, sections=tuple((one, digests[one]) for one in order if one in digests)
        ),
        title=code(material.path),
        summary=texts.get(SUMMARY, ""),
        sections=_with_own_sections(
            _sections(material, texts, kept, present, header.template), present
        ),
    )


def _kept(present: Document | None, edits: str, prose: Iterable[str]) -> dict[str, str]:
    """Text by id of the sections that stay as a person left them; "" of one that was taken out."""
    if present is None or edits == "overwrite":
        return {}
    texts = present.texts()
    merged = {name for name in prose if texts.get(name)} if edits == "merge" else set()
    return {name: texts.get(name, "") for name in edited(present) if name not in merged}


def _unchanged(present: Document | None, texts: Mapping[str, str]) -> list[str]:
    """The edited sections of which a model left every word: they are a person's still."""
    if present is None:
        return []
    before = present.texts()
    return [
        name
        for name in edited(present)
        if name in texts and section_digest(texts[name]) == section_digest(before.get(name, ""))
    ]


def _sections(
    material: Material,
    texts: Mapping[str, str],
    kept: Mapping[str, str],
    present: Document | None,
    template: str,
) -> list[Section]:
    titles = _renamed_titles(present, template)
    return [
        Section(one.id, titles.get(one.id, one.title), texts[one.id])
        for one in material.template.sections
        if texts.get(one.id) and (texts[one.id].strip() or one.id in kept)
    ]


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
