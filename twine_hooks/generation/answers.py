"""A model's answer taken apart into the sections that were asked for; judges no text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from docs_store.markdown import trimmed
from twine_hooks.generation.prompt import Asked

_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.I)
_THOUGHT_END = re.compile(r"\A.*?</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.I)
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)\Z")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*\Z")
_BOLD = re.compile(r" {0,3}(?:\*\*|__)(.+?):?(?:\*\*|__):?[ \t]*\Z")
_PLAIN = re.compile(r" {0,3}([^\s#*`|>-].{0,60}?):[ \t]*\Z")
_NOT_WORD = re.compile(r"[\W_]+")
_NUMBER = re.compile(r"\A\s*\(?\d+[.)]\s+")
_STILL_TRUE = re.compile(r"[\W_]*still[\W_]+true[\W_]*\Z", re.I)
_REFUSAL = re.compile(
    r"\W*(?:i['\u2019]?m sorry|i am sorry|sorry\b|i can['\u2019]?t|i cannot|i can not"
    r"|i am unable|i['\u2019]?m unable"
    r"|as an ai\b|as a language model|unfortunately, i)",
    re.I,
)


def sections_in(text: str, asked: Sequence[Asked], is_whole: bool = True) -> dict[str, str]:
    """Text by id of the sections that an answer holds; the last one of half an answer is left out.

    Understands headings of any level, bold or plain ones, numbers before them, an answer within
    one fence, JSON, thoughts before the answer, and headings in another language by their order.
    """
    text = without_thoughts(text)
    found = _from_json(text, asked)
    if found is None:
        found = _from_headings(_unfenced(text), asked, is_whole)
    return {name: body for name, body in found.items() if body.strip()}


def without_thoughts(text: str) -> str:
    """The answer without the thinking that some models put before it."""
    text = _THOUGHT.sub("", text)
    return _THOUGHT_END.sub("", text).strip()


def says_still_true(body: str) -> bool:
    """Whether a section's text only says that the present one stays."""
    return len(body) < 40 and _STILL_TRUE.match(body) is not None


def _unfenced(text: str) -> str:
    """The inside of an answer that stands in one fence as a whole."""
    found = re.search(
        r"^(`{3,}|~{3,})(?:markdown|md|text)?[ \t]*\n(.*?)(?:\n\1[ \t]*$|\Z)", text, re.M | re.S
    )
    if found and re.search(r"^#{1,6} ", found[2], re.M):
        outside = text[: found.start()] + text[found.end() :]
        if not re.search(r"^#{1,6} ", outside, re.M):
            return found[2]
    return text


def _from_json(text: str, asked: Sequence[Asked]) -> dict[str, str] | None:
    found = re.search(r"\{.*\}", text, re.DOTALL)
    if not found or text.lstrip("`jsonJSON \n")[:1] != "{":
        return None
    try:
        entries = dict(_entries(json.loads(found[0], strict=False)))
    except (ValueError, RecursionError):
        return None
    return {
        one.id: trimmed(entries[key])
        for one in asked
        for key in (_key(one.id), _key(one.title))
        if key in entries
    }


def _entries(data: Any) -> list[tuple[str, str]]:
    """(name, text) of all that looks like a section, at any depth."""
    found: list[tuple[str, str]] = []
    if isinstance(data, dict):
        name = data.get("id") or data.get("title") or data.get("heading")
        body = data.get("content") or data.get("body") or data.get("text")
        if isinstance(name, str) and isinstance(body, str):
            found.append((_key(name), body))
        for key, value in data.items():
            found += [(_key(key), value)] if isinstance(value, str) else _entries(value)
    elif isinstance(data, list):
        for one in data:
            found += _entries(one)
    return found


def _from_headings(text: str, asked: Sequence[Asked], is_whole: bool) -> dict[str, str]:
    lines = text.split("\n")
    marks = _marks(lines, asked)
    if not marks and len(asked) == 1 and is_whole and not _REFUSAL.match(text):
        return {asked[0].id: trimmed(text)}
    ends = [*(at for at, _ in marks[1:]), len(lines)]
    found: dict[str, str] = {}
    for (at, name), end in zip(marks, ends, strict=bool(marks)):
        body = trimmed("\n".join(lines[at + 1 : end]))
        is_cut = end == len(lines) and not is_whole
        if name and name not in found and not is_cut and not _REFUSAL.match(body):
            found[name] = body
    return found


def _marks(lines: Sequence[str], asked: Sequence[Asked]) -> list[tuple[int, str]]:
    """(line, section id) of each heading that begins a section."""
    ids = {_key(one.title): one.id for one in asked} | {_key(one.id): one.id for one in asked}
    candidates = list(_candidates(lines))
    marks = [(at, ids[_key(title)]) for at, _, title in candidates if _key(title) in ids]
    if marks:
        return marks
    tops = [at for at, level, _ in candidates if level and level <= 2]
    if len(tops) == len(asked):  # the headings were translated
        return [(at, one.id) for at, one in zip(tops, asked, strict=True)]
    return []


def _candidates(lines: Sequence[str]) -> list[tuple[int, int, str]]:
    """(line, level, title) of all that may be a heading, outside fences; level 0 for plain ones."""
    found = []
    fence = ""
    for at, line in enumerate(lines):
        bar = _FENCE.match(line)
        if bar and (not fence or (bar[1].startswith(fence) and not bar[2].strip())):
            fence = "" if fence else bar[1]
        elif not fence:
            if match := _HEADING.match(line):
                found.append((at, len(match[1]), match[2]))
            elif match := _BOLD.match(line) or _PLAIN.match(line):
                found.append((at, 0, match[1]))
    return found


def _key(title: str) -> str:
    return _NOT_WORD.sub("", _NUMBER.sub("", title)).casefold()
