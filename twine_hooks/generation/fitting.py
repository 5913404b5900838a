"""Makes a question small enough for a model, in stages that never lose a public definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from twine_hooks.analysis.facts import Definition
from twine_hooks.generation.facts_sections import signature_of
from twine_hooks.generation.prompt import Asked, Change, first_messages
from twine_hooks.markup import first_sentence, one_line
from twine_hooks.material import Material
from twine_hooks.providers.model import Message, ModelFailedError

_SMALL = 4  #: lines of a definition that are not worth leaving out


def fitted(
    material: Material,
    asked: Sequence[Asked],
    change: Change | None,
    room: int,
    tokens: Callable[[str], int],
) -> list[Message]:
    """The fullest question of at most ``room`` tokens; 0 is without limit.

    First the lines that call it go, then the texts of dependencies, then the old text's diff, then
    the bodies of the largest definitions. Raises ModelFailedError where not even the signatures
    fit.
    """
    for messages in _stages(material, asked, change):
        if not room or sum(tokens(one.text) for one in messages) <= room:
            return messages
    raise ModelFailedError(
        f"it does not fit into {room} tokens, even without bodies; use a larger model",
        is_too_long=True,
    )


def _stages(
    material: Material, asked: Sequence[Asked], change: Change | None
) -> Iterator[list[Message]]:
    less = partial(first_messages, has_call_sites=False)
    bare = partial(less, has_dependency_texts=False)
    yield first_messages(material, asked, change)
    yield less(material, asked, change)
    yield bare(material, asked, change)
    if change is not None and change.source_before:
        change = replace(change, source_before="")
        yield bare(material, asked, change)
    for source in shorter_sources(material.source(), material.facts.definitions):
        yield bare(material, asked, change, source)
    heads = signatures_only(material)
    yield bare(material, asked, change, heads)
    if change is not None and not change.by_hand:  # what people wrote is not asked for unseen
        yield bare(material, asked, None, heads)


def shorter_sources(source: str, definitions: Sequence[Definition]) -> Iterator[str]:
    """The source with the bodies of ever more definitions left out, the largest first.

    Their signatures and what their doc comments say first stay.
    """
    bodies = [one for one in _innermost(definitions) if one.end_line - one.start_line > _SMALL]
    bodies.sort(key=lambda one: (one.start - one.end, one.start))
    count = 1
    while bodies:
        yield _without(source, bodies[:count])
        if count >= len(bodies):
            return
        count = min(count * 2, len(bodies))


def _innermost(definitions: Sequence[Definition]) -> list[Definition]:
    """Definitions that hold no other ones."""
    holders = {one.parent for one in definitions}
    return [one for number, one in enumerate(definitions) if number not in holders]


def _without(source: str, bodies: Sequence[Definition]) -> str:
    data = source.encode("utf-8", "replace")
    for one in sorted(bodies, key=lambda one: -one.start):
        column = one.start - (data.rfind(b"\n", 0, one.start) + 1)
        said = first_sentence(one.doc)
        lines = [one_line(one.signature), *([said] if said else [])]
        lines.append(f"… ({one.end_line - one.start_line} lines left out)")
        stub = f"\n{' ' * (column + 4)}".join(lines)
        data = data[: one.start] + stub.encode("utf-8", "replace") + data[one.end :]
    return data.decode("utf-8", "replace")


def signatures_only(material: Material) -> str:
    """What the file says of itself and the heads of its definitions, in their order."""
    facts = material.facts
    lines = [first_sentence(facts.doc)] if facts.doc else []
    for one in facts.definitions:
        said = first_sentence(one.doc)
        if one.public or one.parent < 0:
            lines.append(f"{signature_of(one)}" + (f"  # {said}" if said and one.public else ""))
    return "\n".join(lines)
