"""Definitions and digests of one file from its captures; the same for every language."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from docs_store.digest import short
from twine_hooks.analysis.facts import Definition
from twine_hooks.analysis.interface import Tokens, interface_of
from twine_hooks.analysis.lang_base import Parsed, Span, Traits, one_line
from twine_hooks.analysis.scopes import Nesting, innermost, innermost_parents

_BESIDE_BRACKET = re.compile(r"([(\[]) | ([)\]])")
_BRACKETS = b"()"
#: What is ignored for its meaning, but sets apart what a reader is shown.
_SEPARATES = re.compile(rb"[;,]\s*[^\s)\]}>]")
_BODIES = (b"{", b"=>", b"#")  #: what begins an unseen part that a signature leaves out
_SIGNATURE_LIMIT = 1000  #: characters; a longer head says no more to a reader


class _Draft:
    """A definition while its parts are gathered."""

    def __init__(self, start: int, end: int, kind: str) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.name = ""
        self.name_at = -1
        self.body = -1  #: where its body begins, -1 without one
        #: where its signature ends although all of it can be seen, -1 for no such place
        self.tail = -1
        self.head = -1  #: where it begins with decorators and doc comment
        self.doc = ""
        self.doc_spans: list[Span] = []
        self.decorators: list[str] = []
        self.decorated_from = -1
        self.decorator_spans: list[Span] = []  #: of those inside of its head
        self.bases: list[str] = []
        self.unseen: list[Span] = []
        self.is_private = False
        self.parent = -1

    @property
    def first(self) -> int:
        return self.start if self.decorated_from < 0 else self.decorated_from


def collect_definitions(
    parsed: Parsed, traits: Traits, exported: frozenset[str] = frozenset()
) -> tuple[list[Definition], Tokens]:
    """The definitions of a file in its order, and its tokens.

    ``exported`` are names that the file declares visible whatever they look like.
    """
    drafts = _outside_functions(parsed, _drafts(parsed))
    _attach_parts(parsed, traits, drafts)
    drafts = [draft for draft in drafts if draft.name]
    _adopt(drafts, traits, set(parsed.spans("outside")))
    docs = [(span, draft.doc) for draft in drafts for span in draft.doc_spans]
    tokens = Tokens(parsed, traits, docs, _cuts(drafts))
    return _finish(parsed, traits, drafts, tokens, exported), tokens


def collect_names(parsed: Parsed, traits: Traits) -> list[Definition]:
    """The definitions of a file that stand in no other, in its order, without their parts."""
    drafts = _outside_functions(parsed, _drafts(parsed))
    _attach_names(parsed, drafts, Nesting([(draft.start, draft.end) for draft in drafts]))
    drafts = [draft for draft in drafts if draft.name]
    _adopt(drafts, traits, set(parsed.spans("outside")))
    return [
        Definition(
            one.name, one.name, one.kind, 0, 0, one.start, one.end, "", "", (), (), True, -1, "", ""
        )
        for one in drafts
        if one.parent < 0
    ]


def _drafts(parsed: Parsed) -> list[_Draft]:
    kinds: dict[Span, str] = {}
    for kind, found in parsed.kinds("definition"):
        for span in found:
            kinds.setdefault(span, kind)
    spans = sorted(kinds, key=lambda span: (span[0], -span[1]))
    return [_Draft(start, end, kinds[start, end]) for start, end in spans]


def _outside_functions(parsed: Parsed, drafts: list[_Draft]) -> list[_Draft]:
    """Without what is defined inside a function's body: nobody else can use that."""
    scopes = parsed.spans("scope")
    exempt = set(parsed.spans("outside"))
    around = innermost(scopes, [draft.start for draft in drafts])
    parents = innermost_parents(scopes)
    kept = []
    for draft, index in zip(drafts, around, strict=True):
        while index >= 0 and scopes[index][0] >= draft.start:
            index = parents[index]
        if index < 0 or (draft.start, draft.end) in exempt:
            kept.append(draft)
    return kept


def _attach_parts(parsed: Parsed, traits: Traits, drafts: list[_Draft]) -> None:
    spans = Nesting([(draft.start, draft.end) for draft in drafts])
    _attach_names(parsed, drafts, spans)
    for (start, _), index in _owners(parsed, "body", spans):
        if drafts[index].start == start and spans.parents[index] >= 0:
            index = spans.parents[index]  # the first member of a class begins where its body does
        if drafts[index].body < 0:
            drafts[index].body = start
    _attach_tails(parsed, drafts, spans)
    for (start, end), index in _owners(parsed, "base", spans):
        drafts[index].bases.append(one_line(parsed.string(start, end)))
    for span, index in _owners(parsed, "unseen", spans):
        drafts[index].unseen.append(span)
    private = set(parsed.spans("private"))
    for draft in drafts:
        draft.is_private = (draft.start, draft.end) in private
    for (start, end), index in _owners(parsed, "doc", spans):
        _add_doc(parsed, traits, drafts[index], (start, end))
    _attach_decorators(parsed, drafts)
    for (start, end), index in _owners(parsed, "decorator.inside", spans):
        if start < drafts[index].name_at:
            drafts[index].decorators.append(one_line(parsed.string(start, end)).lstrip("@"))
            drafts[index].decorator_spans.append((start, end))
    _attach_docs_before(parsed, traits, drafts)


def _attach_names(parsed: Parsed, drafts: list[_Draft], spans: Nesting) -> None:
    for (start, end), index in _owners(parsed, "name", spans):
        if not drafts[index].name:
            drafts[index].name = parsed.string(start, end)
            drafts[index].name_at = start


def _attach_tails(parsed: Parsed, drafts: list[_Draft], spans: Nesting) -> None:
    """Where signatures end. A tail in a function's body is that of something not listed."""
    tails = list(_owners(parsed, "tail", spans))
    scopes = parsed.spans("scope")
    within = innermost(scopes, [start - 1 for (start, _), _ in tails])
    for ((start, _), index), scope in zip(tails, within, strict=True):
        draft = drafts[index]
        if draft.tail < 0 and (scope < 0 or scopes[scope][0] < draft.start):
            draft.tail = start


def _attach_decorators(parsed: Parsed, drafts: list[_Draft]) -> None:
    """Those before a definition. What stands in a function decorates what is not listed."""
    decorators = parsed.spans("decorator")
    within = innermost(parsed.spans("scope"), [start for start, _ in decorators])
    starts = [draft.start for draft in drafts]
    for (start, end), function in zip(decorators, within, strict=True):
        following = bisect_left(starts, start)
        if function < 0 and following < len(drafts):
            draft = drafts[following]
            draft.decorators.append(one_line(parsed.string(start, end)).lstrip("@"))
            if draft.decorated_from < 0 and start < draft.start:
                draft.decorated_from = start


def _attach_docs_before(parsed: Parsed, traits: Traits, drafts: list[_Draft]) -> None:
    firsts = [draft.first for draft in drafts]
    for start, end in parsed.spans("doc.before"):
        following = bisect_left(firsts, end)
        if following < len(drafts):
            draft = drafts[following]
            if traits.after_doc.match(parsed.text[end : draft.first]):
                _add_doc(parsed, traits, draft, (start, end))


def _add_doc(parsed: Parsed, traits: Traits, draft: _Draft, span: Span) -> None:
    text = traits.clean_doc(parsed.string(*span))
    draft.doc = f"{draft.doc}\n{text}" if draft.doc else text
    draft.doc_spans.append(span)


def _owners(parsed: Parsed, capture: str, nesting: Nesting) -> Iterable[tuple[Span, int]]:
    """(part, index of the smallest definition around all of it) for each captured part."""
    spans = nesting.spans
    for part in parsed.spans(capture):
        index = nesting.at(part[0])
        while index >= 0 and spans[index][1] < part[1]:
            index = nesting.parents[index]  # the body of a class begins where a member does
        if index >= 0:
            yield part, index


def _adopt(drafts: list[_Draft], traits: Traits, outside: set[Span]) -> None:
    """Set each one's parent, and where it begins with all that belongs to it."""
    spans = [(draft.start, draft.end) for draft in drafts]
    for draft, parent in zip(drafts, innermost_parents(spans), strict=True):
        if outside and (draft.start, draft.end) in outside:
            while parent >= 0 and drafts[parent].kind not in traits.class_kinds:
                parent = drafts[parent].parent
        draft.parent = parent
        before = [start for start, _ in draft.doc_spans if start < draft.first]
        draft.head = min([draft.first, *before])


def _cuts(drafts: Iterable[_Draft]) -> list[int]:
    cuts: set[int] = set()
    for draft in drafts:
        cuts.update((draft.head, draft.end, draft.body))
        cuts.update(position for span in draft.unseen for position in span)
    return sorted(cuts - {-1})


def _seen(tokens: Tokens, draft: _Draft) -> bytes:
    """The tokens of a definition that others can see."""
    end = draft.body if draft.body >= 0 else draft.end
    seen, position = b"", draft.head
    for start, after in draft.unseen:
        if position <= start < end:
            seen += tokens.slice(position, start)
            position = after
    return seen + tokens.slice(position, max(position, end))


def _finish(
    parsed: Parsed,
    traits: Traits,
    drafts: Sequence[_Draft],
    tokens: Tokens,
    exported: frozenset[str],
) -> list[Definition]:
    found: list[Definition] = []
    # Brackets are ignored for what they mean, not for a reader.
    hidden = [span for span in parsed.spans("ignored") if parsed.text[span[0]] not in _BRACKETS]
    for draft in drafts:
        signature = _signature(parsed, draft, hidden, traits)
        name, qualified, kind, parent = draft.name, draft.name, draft.kind, None
        if draft.parent >= 0:
            parent = found[draft.parent]
            qualified = parent.qualified + traits.separator + name
            if kind == "function" and parent.kind in traits.class_kinds:
                kind = "method"
        first, end = draft.first, draft.end
        visible = name in exported or (not draft.is_private and traits.is_public(name, signature))
        found.append(
            Definition(
                name,
                qualified,
                kind,
                parsed.line_of(first),
                parsed.line_of(max(end - 1, first)),
                first,
                end,
                signature,
                draft.doc.strip(),
                tuple(draft.decorators),
                tuple(draft.bases),
                visible and (parent is None or parent.public),
                draft.parent,
                interface=short(_seen(tokens, draft) + draft.doc.encode(), 16),
                meaning=short(tokens.slice(draft.head, end), 16),
            )
        )
    return _with_members(found, traits)


def _with_members(found: list[Definition], traits: Traits) -> list[Definition]:
    """What can be seen of a class includes what can be seen of its public members."""
    members: dict[int, list[Definition]] = {}
    for index in range(len(found) - 1, -1, -1):
        if index in members:
            seen = interface_of(as_seen(members[index], traits))
            found[index] = found[index]._replace(interface=short(found[index].interface + seen, 16))
        if found[index].parent >= 0 and found[index].public:
            members.setdefault(found[index].parent, []).append(found[index])
    return found


def _signature(parsed: Parsed, draft: _Draft, hidden: Sequence[Span], traits: Traits) -> str:
    """The head in one line, without what a reader is not shown (``hidden``, sorted)."""
    end = draft.tail if draft.tail >= 0 else draft.body if draft.body >= 0 else draft.end
    first = bisect_left(hidden, (draft.start,))
    inside = hidden[first : bisect_left(hidden, (end,), first)]
    shown, position = "", draft.start
    if inside or draft.decorator_spans or draft.unseen:
        bodies = [
            (start, after)
            for start, after in draft.unseen
            if parsed.text[start:after].lstrip().startswith(_BODIES)
        ]
        for start, after in sorted([*draft.decorator_spans, *bodies, *inside]):
            if position <= start < end:
                shown += parsed.string(position, start)
                if _SEPARATES.match(parsed.text, start, after + 100):
                    shown += "\n"
                position = after
    text = traits.join_lines(shown + parsed.string(position, end))
    text = text.rstrip("{:= ").removesuffix("=>").rstrip()
    if "( " in text or " )" in text or "[ " in text or " ]" in text:
        text = _BESIDE_BRACKET.sub(r"\1\2", text)
    return text if len(text) <= _SIGNATURE_LIMIT else text[:_SIGNATURE_LIMIT].rstrip() + "…"


def as_seen(definitions: Iterable[Definition], traits: Traits) -> Iterable[Definition]:
    """The definitions with names in lower case where capital letters mean nothing."""
    if not traits.ignores_case:
        return definitions
    return (one._replace(qualified=one.qualified.lower()) for one in definitions)
