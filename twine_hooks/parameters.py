"""The parameters in a signature, in any language: signatures are text and nothing else here."""

from __future__ import annotations

import re

_OPEN, _CLOSE = "([{<", ")]}>"
_NAME = re.compile(r"[\w$*.]+")


def parameters_of(signature: str) -> tuple[list[str], str] | None:
    """The parameters in the first parentheses, and the rest; None without parentheses."""
    start = signature.find("(")
    if start < 0:
        return None
    depth, parts, part = 0, [], ""
    for at in range(start, len(signature)):
        letter = signature[at]
        # An arrow in a type is no bracket.
        is_arrow = letter == ">" and signature[at - 1] in "-="
        if letter in _OPEN:
            depth += 1
        elif letter in _CLOSE and not is_arrow:
            depth -= 1
        if depth == 0:
            parts.append(part)
            return [one.strip() for one in parts if one.strip()], (
                signature[:start] + signature[at + 1 :]
            )
        if letter == "," and depth == 1:
            parts.append(part)
            part = ""
        elif at > start:
            part += letter
    return None


def name_of(parameter: str) -> str:
    """What a parameter is called: the first word before a colon or equals sign, or the last of
    `Type name`."""
    names = _words(parameter)
    return names[-1] if names else parameter


def likely_name(parameter: str, no_names: frozenset[str]) -> str:
    """The same where a type may stand behind the name too; "" for `/`, `*`, `...`.

    ``no_names`` are the words of the language. A type is one of these, dotted or written large.
    """
    words = [one.lstrip("*") for one in _words(parameter)]
    names = [one for one in words if one.strip(".") and "." not in one]
    small = [one for one in names if one not in no_names and not one[0].isupper()]
    return (small or names or [""])[-1]


def _words(parameter: str) -> list[str]:
    return _NAME.findall(re.split(r"[:=]", parameter, maxsplit=1)[0])
