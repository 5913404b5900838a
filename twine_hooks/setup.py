"""What `codetwine init` writes into a repository; what stands there already is kept."""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from twine_hooks.config import CONFIG_PATH, DEFAULT_TEXT
from twine_hooks.errors import ConfigError

ATTRIBUTES = (
    "/.codetwine/docs/** text eol=lf",
    "/.codetwine/docs/**/leaf.twine linguist-generated",
)
FRAMEWORK_CONFIG = ".pre-commit-config.yaml"
_HOOKS = (
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
        CONFIG_PATH: _write_config(root),
        ".gitattributes": _add_attributes(root),
    }
    uses_framework = (root / FRAMEWORK_CONFIG).is_file()
    if uses_framework:
        steps[FRAMEWORK_CONFIG] = _add_hooks(root / FRAMEWORK_CONFIG)
    written = tuple(path for path, is_new in steps.items() if is_new)
    return SetUp(written, (".codetwine", *list(steps)[1:]), uses_framework)


def _write_config(root: Path) -> bool:
    file = root / CONFIG_PATH
    if file.exists():
        return False
    file.parent.mkdir(exist_ok=True)
    _write(file, DEFAULT_TEXT)
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
    """Add the hooks at the end, everything else kept as it is, comments too."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    text = file.read_text(encoding="utf-8")
    try:
        data = YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise ConfigError(f"{file.name}: this is not YAML ({error}); correct it first") from None
    repos = data.get("repos") if isinstance(data, dict) else None
    if not isinstance(repos, list):
        raise ConfigError(f"{file.name}: it has no list of `repos:`; see pre-commit.com")
    known = {hook.get("id") for repo in repos for hook in repo.get("hooks") or ()}
    missing = [hook for hook in _HOOKS if hook[0] not in known]
    if not missing:
        return False
    _write(file, _with_hooks(text, missing))
    return True


def _with_hooks(text: str, hooks: list[tuple[str, str, str, str]]) -> str:
    from ruamel.yaml import YAML

    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    _indent_as(yaml, text)
    data = yaml.load(text)
    data["repos"].append({"repo": "local", "hooks": [_hook(*hook) for hook in hooks]})
    out = StringIO()
    yaml.dump(data, out)
    return out.getvalue()


def _hook(id_: str, name: str, entry: str, stage: str) -> dict[str, Any]:
    return {
        "id": id_,
        "name": name,
        "entry": entry,
        "language": "system",
        "pass_filenames": False,
        "always_run": True,
        "require_serial": True,
        "stages": [stage],
    }


def _indent_as(yaml: Any, text: str) -> None:
    """Lists indented as in the file, so that the only difference is what is added."""
    for line in text.splitlines():
        stripped = line.lstrip()
        if stripped.startswith("- "):
            offset = len(line) - len(stripped)
            yaml.indent(mapping=2, sequence=offset + 2, offset=offset)
            return


def _write(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8", errors="surrogateescape", newline="\n")
