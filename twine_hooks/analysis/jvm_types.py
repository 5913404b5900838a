"""Types as written in Java and Kotlin, taken apart; knows text only, no project."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from twine_hooks.analysis.facts import Definition

#: A type as written: its dotted name and the types in its angle brackets. An array is ("[]",
#: (element,)), a function ("->", (parameter, …, result)), a wildcard or nothing known ("?", ()).
Written = tuple[str, tuple["Written", ...]]

NOTHING: Written = ("?", ())
ARRAY, FUNCTION = "[]", "->"
_DEEPEST = 40  #: brackets in one type
ANY_NUMBER = 1000  #: more arguments than anyone writes

_TOKEN = re.compile(r"[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*|`[^`]*`|->|\[\]|[<>,?*()]|\.\.\.")
_CHAIN_STEP = re.compile(r"(\.|::)([^.:\[(]+)(?:\((\d+)\))?|(\[\])")
_CHAIN = re.compile(
    r"((?:\{[^}]*\})*)"  # contexts
    r"(?:«([^»]*)»"  # a value of a type
    r"|new ([^(]*)(?:\((\d+)\))?|([^.:\[({]+)(?:\((\d+)\))?)"
)
_ONLY_MODIFIERS = re.compile(r"(?:[\w ]*\s)?$")
_CONTEXT = re.compile(r"\{([^}]*)\}")


@lru_cache(maxsize=20_000)
def parse_type(text: str) -> Written:
    """Take a type apart; what is not understood counts as unknown, and so does the very deep."""
    if text.count("<") > _DEEPEST or text.count("(") > _DEEPEST:
        return NOTHING
    levels: list[list[Written]] = [[]]
    arrows = [False]
    for token in _TOKEN.findall(text):
        here = levels[-1]
        if token in ("<", "("):
            levels.append([])
            arrows.append(False)
        elif token in (">", ")") and len(levels) > 1:
            inner = _closed(levels.pop(), arrows.pop())
            outer = levels[-1]
            if token == ")":
                outer += inner
            elif outer:
                outer[-1] = (outer[-1][0], tuple(inner))
        elif token == "->":
            arrows[-1] = True
        elif token in ("[]", "..."):
            if here:
                here[-1] = (ARRAY, (here[-1],))
        elif token in ("?", "*"):
            here.append(NOTHING)
        elif token in ("extends", "super"):
            del here[-1:]
        elif token not in (",", ">", ")", "suspend", "final"):
            here.append((token, ()))
    found = _closed(levels[0], arrows[0])
    return found[0] if found else NOTHING


def _closed(level: list[Written], is_function: bool) -> list[Written]:
    return [(FUNCTION, tuple(level))] if is_function else level


class Step(NamedTuple):
    """One step of a chain: ``.name``, ``.name(2)``, ``::name`` or ``[]`` (name "[]")."""

    name: str
    arguments: int | None  #: None when it is not called
    is_reference: bool  #: ``::name``


class Chain(NamedTuple):
    """A chain taken apart; see languages/jvm_chains.py for how it is written."""

    contexts: tuple[str, ...]
    value: str | None  #: the type of a value
    created: str | None  #: the type of a new object
    root: str | None  #: a name
    arguments: int | None
    steps: tuple[Step, ...]


@lru_cache(maxsize=50_000)
def parse_chain(text: str) -> Chain | None:
    """Take a chain apart, None when it is none."""
    found = _CHAIN.match(text)
    if found is None:
        return None
    contexts, value, created, number, root, called = found.groups()
    steps = [
        Step(ARRAY, None, False) if step[4] else Step(step[2], _number(step[3]), step[1] == "::")
        for step in _CHAIN_STEP.finditer(text, found.end())
    ]
    return Chain(
        tuple(_CONTEXT.findall(contexts)),
        value,
        created,
        root,
        _number(number or called),
        tuple(steps),
    )


def _number(digits: str | None) -> int | None:
    return int(digits) if digits is not None else None


# --- heads of definitions ------------------------------------------------------------------------


def type_parameters(definition: Definition) -> dict[str, str]:
    """Type parameter -> its bound ("" without one) of a class, method or function."""
    head = definition.signature
    before = head.partition("(")[0]
    if definition.kind in ("method", "function", "constructor", "property"):
        inside = _bracketed(before, before.find("<"))
        if inside is None or not _ONLY_MODIFIERS.match(before[: before.find("<")]):
            return {}
    else:
        at = re.search(rf"(?<!\w){re.escape(definition.name)}\s*<", head)
        inside = _bracketed(head, at.end() - 1) if at else None
    found = {}
    for one in split(inside or ""):
        name, _, bound = re.sub(r"@\w+|\b(?:in|out|reified)\s", "", one).strip().partition(" ")
        bound = re.sub(r"^(?:extends\b|:)\s*", "", bound.strip()).partition("&")[0].strip()
        found[name.rstrip(":")] = bound
    return found


def parameters(definition: Definition) -> list[str]:
    """The parameters of a method, function or constructor, as written."""
    head = definition.signature
    name = re.search(r"[\w$`]\s*\(", head)
    inside = _bracketed(head, name.end() - 1) if name else None
    return split(inside or "")


def accepts(definition: Definition) -> tuple[int, int]:
    """The fewest and the most arguments that can be given."""
    written = parameters(definition)
    fewest = sum("=" not in one and "..." not in one and "vararg " not in one for one in written)
    last_is_open = any("..." in one or "vararg " in one for one in written)
    return fewest, ANY_NUMBER if last_is_open else len(written)


_OPENING, _CLOSING = "<([{", ">)]}"


def _bracketed(text: str, start: int) -> str | None:
    """What stands in the brackets that open at ``start``."""
    if start < 0:
        return None
    depth = 0
    for at in range(start, len(text)):
        if text[at] in _OPENING:
            depth += 1
        elif text[at] in _CLOSING and not (text[at] == ">" and text[at - 1] in "-="):
            depth -= 1
            if not depth:
                return text[start + 1 : at]
    return None


def split(text: str) -> list[str]:
    """The parts of a text between the commas that stand in no brackets."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in _OPENING:
            depth += 1
        elif char in _CLOSING and not (char == ">" and text[at - 1 : at] in ("-", "=")):
            depth -= 1
        elif char == "," and not depth:
            parts.append(text[start:at].strip())
            start = at + 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]
