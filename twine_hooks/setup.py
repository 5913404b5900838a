"""What `codetwine init` writes into a repository; what stands there already is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docs_store.layout import ROOT
from twine_hooks.config import CONFIG_PATH, DEFAULT_TEXT
from twine_hooks.errors import ConfigError

ATTRIBUTES = (
    "/.codetwine/docs/** text eol=lf merge=codetwine",
    "/.codetwine/docs/**/leaf.twine linguist-generated",
)
IGNORE_PATH = f"{ROOT}/.gitignore"
IGNORE_TEXT = """\
# Documents are committed, whatever is ignored elsewhere: docs/, lib/, *.md.
!/docs/
!/docs/**/
!/docs/**/doc.md
!/docs/**/leaf.twine
"""
FRAMEWORK_CONFIG = ".pre-commit-config.yaml"
Hook = tuple[str, str, str, str]  #: id, name, entry, stage
_HOOKS: tuple[Hook, ...] = (
    ("codetwine-refresh", "codetwine: documents", "codetwine hook pre-commit", "pre-commit"),
    ("codetwine-post-merge", "codetwine: after a merge", "codetwine hook post-merge", "post-merge"),
)


@dataclass(frozen=True, slots=True)
class SetUp:
    """``written``: files that are new or longer now; ``to_add``: all that belong to the set-up."""

    written: tuple[str, ...]
    to_add: tuple[str, ...]
    uses_framework: bool


def set_up(root: Path) -> SetUp:
    """Set up the repository whose work tree is ``root``. ConfigError for a file it can't read."""
    steps = {
        CONFIG_PATH: _write_new(root / CONFIG_PATH, DEFAULT_TEXT),
        IGNORE_PATH: _write_new(root / IGNORE_PATH, IGNORE_TEXT),
        ".gitattributes": _add_attributes(root),
    }
    uses_framework = (root / FRAMEWORK_CONFIG).is_file()
    if uses_framework:
        steps[FRAMEWORK_CONFIG] = _add_hooks(root / FRAMEWORK_CONFIG)
    written = tuple(path for path, is_new in steps.items() if is_new)
    others = (path for path in steps if not path.startswith(f"{ROOT}/"))
    return SetUp(written, (ROOT, *others), uses_framework)


def _write_new(file: Path, text: str) -> bool:
    if file.exists():
        return False
    file.parent.mkdir(exist_ok=True)
    _write(file, text)
    return True


def _add_attributes(root: Path) -> bool:
    file = root / ".gitattributes"
    text = file.read_text(encoding="utf-8", errors="surrogateescape") if file.exists() else ""
    missing = [line for line in ATTRIBUTES if line not in text.splitlines()]
    if not missing:
        return False
    separator = "" if not text or text.endswith("\n") else "\n"
    _write(file, text + separator + "".join(f"{line}\n" for line in missing))
    return True


def _add_hooks(file: Path) -> bool:
    """Add the hooks behind the last repository; not a byte of what is there changes."""
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"{file.name}: this is not UTF-8; correct it first") from None
    before = _loaded(file, text)
    repos = before.get("repos") if isinstance(before, dict) else None
    if not isinstance(repos, list):
        raise ConfigError(f"{file.name}: it has no list of `repos:`; see pre-commit.com")
    known = set(_hook_ids(repos))
    missing = [hook for hook in _HOOKS if hook[0] not in known]
    if not missing:
        return False
    longer = _with_hooks(text, missing)
    expected = {**before, "repos": [*repos, {"repo": "local", "hooks": list(map(_hook, missing))}]}
    if longer is None or _loaded(file, longer) != expected:
        raise ConfigError(
            f"{file.name}: it is laid out in a way that codetwine can't add to; add a local "
            "repository with the hooks yourself, see docs/hooks.md"
        )
    _write(file, longer)
    return True


def _hook_ids(repos: list[Any]) -> Iterator[str]:
    """The ids of all hooks, as far as the file has the form that pre-commit asks for."""
    for repo in repos:
        hooks = repo.get("hooks") if isinstance(repo, dict) else None
        for hook in hooks if isinstance(hooks, list) else ():
            if isinstance(hook, dict):
                yield str(hook.get("id"))


def _loaded(file: Path, text: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        raise ConfigError(f"{file.name}: this is not YAML ({error}); correct it first") from None


_ITEM = re.compile(r"^( *)-( +)(?=repo *:)", re.MULTILINE)
_EMPTY_LIST = re.compile(r"^(repos): *\[ *\] *$", re.MULTILINE)
_HOOK_ITEM = re.compile(r"^( *)-( +)(?=id *:)", re.MULTILINE)


def _with_hooks(text: str, hooks: list[Hook], is_first: bool = False) -> str | None:
    """The text with a local repository added, in the indentation that it has; None if unclear."""
    items = list(_ITEM.finditer(text))
    if not items:
        emptied = _EMPTY_LIST.sub(r"\1:\n- repo: local", text)
        return None if emptied == text else _with_hooks(emptied, hooks, is_first=True)
    indent, gap = items[-1].groups()
    inner = indent + " " * (1 + len(gap))
    found = _HOOK_ITEM.search(text)
    hook_indent, hook_gap = found.groups() if found else (inner, gap)
    lines = [f"{inner}hooks:"] if is_first else [f"{indent}-{gap}repo: local", f"{inner}hooks:"]
    for hook in hooks:
        values = iter(_hook(hook).items())
        name, value = next(values)
        lines.append(f"{hook_indent}-{hook_gap}{name}: {_scalar(value)}")
        deeper = hook_indent + " " * (1 + len(hook_gap))
        lines += [f"{deeper}{name}: {_scalar(value)}" for name, value in values]
    end = _end_of_list(text, items[-1].end(), len(indent))
    head = text[:end].rstrip("\n") + "\n"
    return head + "\n".join(lines) + "\n" + text[end:]


def _end_of_list(text: str, start: int, indent: int) -> int:
    """Where the list ends: at the next line that is indented less, or is another key."""
    position = text.find("\n", start) + 1 or len(text)
    while position < len(text):
        line = text[position : (text.find("\n", position) + 1 or len(text) + 1) - 1]
        depth = len(line) - len(line.lstrip())
        if line.strip() and depth <= indent and not line.lstrip().startswith(("-", "#")):
            return position
        position += len(line) + 1
    return len(text)


def _scalar(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if ": " in str(value) else str(value)


def _hook(hook: Hook) -> dict[str, Any]:
    id_, name, entry, stage = hook
    # What never fails is heard only so: the framework keeps the words of a hook that passes.
    verbose = {"verbose": True} if stage == "post-merge" else {}
    return {
        "id": id_,
        "name": name,
        "entry": entry,
        "language": "system",
        "pass_filenames": False,
        "always_run": True,
        "require_serial": True,
        "stages": [stage],
        **verbose,
    }


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")
