"""The first line of a doc.md, the only provenance of its text; knows not the lines below."""

from __future__ import annotations

import re
from typing import NamedTuple

from docs_store.digest import DIGEST
from docs_store.errors import DocumentError
from docs_store.layout import quote, unquote

VERSION = "1"
_OPENING = "<!-- codetwine:"
_ADVICE = "restore the line from git, or delete the file and run `codetwine refresh`"
_SHORT = ("own", "template", "uses", "place")
_SECTION = re.compile(r"([^:,]+):([0-9a-f]{8})\Z")
_UNSAFE_ID = re.compile(r"[^\w./+-]", re.ASCII)
_UNSAFE_VALUE = re.compile(r"[^\w./+:,=-]", re.ASCII)


class Header(NamedTuple):
    """What a document was made from. Empty where unknown, but for `inputs`.

    inputs: the digest (`b3:…`) that decides staleness. own, template, uses, place: short digests (8
    hex) of its parts, to say why. by: "outline" where no model wrote the prose, else "". sections:
    ids in order, each with the digest of its text as generated. extra: fields of other versions,
    kept as they are.
    """

    inputs: str
    own: str = ""
    template: str = ""
    uses: str = ""
    place: str = ""
    by: str = ""
    sections: tuple[tuple[str, str], ...] = ()
    extra: tuple[tuple[str, str], ...] = ()


def render_header(header: Header) -> str:
    """The line of `header`, without a line end."""
    fields = [("doc", VERSION), ("inputs", header.inputs)]
    fields += [(name, getattr(header, name)) for name in (*_SHORT, "by")]
    fields += header.extra
    words = [f"{name}={quote(value, _UNSAFE_VALUE)}" for name, value in fields if value]
    sections = ",".join(f"{quote(name, _UNSAFE_ID)}:{value}" for name, value in header.sections)
    return " ".join([_OPENING, *words, *([f"sections={sections}"] if sections else []), "-->"])


def is_header(line: str) -> bool:
    """Whether a line looks like a header, whatever stands in it."""
    return line.startswith(_OPENING) and line.rstrip().endswith("-->")


def parse_header(text: str, path: str) -> Header | None:
    """The header in the first line of `text`; None if there is none: the file is not ours.

    DocumentError if it is damaged, of a newer format, or hidden by conflict markers. Conflict
    markers further down are not looked for: a row of equals signs there underlines a heading.
    """
    line = text.partition("\n")[0].removeprefix("\ufeff").rstrip()
    if line.startswith("<<<<<<<"):
        raise DocumentError("begins with conflict markers; run `codetwine resolve`", path, 1)
    if not line.startswith(_OPENING):
        return None
    words = line.removeprefix(_OPENING).removesuffix("-->").split()
    fields = dict(word.partition("=")[::2] for word in words)
    if fields.pop("doc", VERSION) != VERSION:
        raise DocumentError("has a header of another format; upgrade codetwine", path, 1)
    is_whole = (
        line.endswith("-->")
        and len(fields) + 1 >= len(words)
        and all("=" in word for word in words)
    )
    if not is_whole or not DIGEST.match(fields.get("inputs", "")):
        raise DocumentError(f"has a damaged header; {_ADVICE}", path, 1)
    try:
        return _header(fields)
    except ValueError:
        raise DocumentError(f"has a header with a damaged field; {_ADVICE}", path, 1) from None


def require_header(text: str, path: str) -> Header:
    """The header in the first line of `text`; DocumentError also where there is none."""
    header = parse_header(text, path)
    if header is None:
        raise DocumentError(
            "has no codetwine header; move it away and run `codetwine refresh`", path, 1
        )
    return header


def _header(fields: dict[str, str]) -> Header:
    """The header with these fields, which are used up; ValueError if one of them cannot be read."""
    sections = tuple(_section(word) for word in fields.pop("sections", "").split(",") if word)
    inputs, by = fields.pop("inputs"), unquote(fields.pop("by", ""))
    own, template, uses, place = (unquote(fields.pop(name, "")) for name in _SHORT)
    extra = tuple((name, unquote(value)) for name, value in fields.items())
    return Header(inputs, own, template, uses, place, by, sections, extra)


def _section(word: str) -> tuple[str, str]:
    found = _SECTION.match(word)
    if found is None:
        raise ValueError(word)
    return unquote(found[1]), found[2]
