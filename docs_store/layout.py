"""Where things lie in a repository and how names are spelled; knows not what files say.

A source's documents lie in a folder of the source's own path, so names are reversible and cannot
collide: what lies in that folder could only meet a source below the same path, and no snapshot has
a file and a folder of one name. All paths are POSIX, relative to the root of the repository.
"""

from __future__ import annotations

import re

from docs_store.errors import StoreError

ROOT = ".codetwine"
DOCS = f"{ROOT}/docs"
DOC_NAME = "doc.md"
LEAF_NAME = "leaf.twine"

# White space, controls, invisible and bidirectional marks, lone surrogates, and the escape itself.
# Spelled out, since str.isprintable() depends on Python's version of Unicode and the same name must
# give the same bytes everywhere.
UNSAFE = re.compile(
    r"[%\x00-\x20\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ud800-\udfff]"
)
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def doc_path(source: str) -> str:
    """The document of `source`; StoreError if that is no plain relative path."""
    return f"{DOCS}/{_checked(source)}/{DOC_NAME}"


def leaf_path(source: str) -> str:
    """The leaf of `source`; StoreError if that is no plain relative path."""
    return f"{DOCS}/{_checked(source)}/{LEAF_NAME}"


def source_of(path: str) -> str | None:
    """The source that the document or leaf at `path` belongs to; None for any other path."""
    folder, _, name = path.rpartition("/")
    if name not in (DOC_NAME, LEAF_NAME) or not folder.startswith(f"{DOCS}/"):
        return None
    source = folder[len(DOCS) + 1 :]
    return source if _is_plain(source) else None


def quote(text: str, unsafe: re.Pattern[str] = UNSAFE) -> str:
    """`text` with the characters that `unsafe` matches percent-encoded; `unsafe` must match "%"."""
    return unsafe.sub(
        lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass")),
        text,
    )


def unquote(text: str) -> str:
    """What `quote` was given; ValueError where an escape is not UTF-8."""
    if "%" not in text:
        return text
    return _ESCAPES.sub(
        lambda found: bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "surrogatepass"),
        text,
    )


def _checked(source: str) -> str:
    if not _is_plain(source):
        raise StoreError(
            f"{source!r} is not a path inside the repository; name a file relative to its root"
        )
    return source


def _is_plain(path: str) -> bool:
    return "\0" not in path and all(part not in ("", ".", "..") for part in path.split("/"))
