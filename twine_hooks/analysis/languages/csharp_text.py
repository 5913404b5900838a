"""The doc comments and written types of C# as plain text; knows no definitions."""

from __future__ import annotations

import re

from twine_hooks.analysis.lang_base import without_indentation
from twine_hooks.analysis.languages.jvm_files import clean_doc as clean_block
from twine_hooks.analysis.languages.jvm_files import plain_type

_REFERENCE = re.compile(
    r"""<(?:see|seealso|paramref|typeparamref)\s[^>]*?\b(?:cref|langword|name|href)=["'](?:\w:)?([^"']*)["'][^>]*?(?:/>|>\s*</\w+>)"""
)
_NAMED = re.compile(
    r"""<(?:param|typeparam|exception)\s[^>]*?\b(?:cref|name)=["'](?:\w:)?([^"']*)["'][^>]*>"""
)
_RETURNS = re.compile(r"<(returns|value|example)>")
_PARAGRAPH = re.compile(r"</?(?:para|remarks|summary)\s*/?>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
_MODIFIER = re.compile(r"^(?:(?:ref|readonly|scoped|in|out|this|params)\s+)+")


def clean_doc(text: str) -> str:
    """The text of one ``///`` line or of a ``/** … */`` comment, with its XML."""
    if text.startswith("/**"):
        return clean_block(text)
    return text.removeprefix("///").removeprefix(" ").rstrip()


def plain_doc(text: str) -> str:
    """A doc comment without its XML, in paragraphs: each ``param`` begins one with its name."""
    if "<" in text:
        text = _REFERENCE.sub(r"\1", text)
        text = _NAMED.sub(r"\n\n\1: ", text)
        text = _RETURNS.sub(r"\n\n\1: ", text)
        text = _PARAGRAPH.sub("\n\n", text)
        text = _TAG.sub("", text)
    for entity, char in _ENTITIES if "&" in text else ():
        text = text.replace(entity, char)
    lines = [line.rstrip() for line in without_indentation(text).splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def written_type(text: str) -> str:
    """A type as written, without modifiers and superfluous white space."""
    return _MODIFIER.sub("", plain_type(text))
