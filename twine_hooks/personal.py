"""What people set for themselves: model, key, address, patience; never read from a repository.

The environment goes before ``codetwine/config.yaml`` in the person's configuration folder
($XDG_CONFIG_HOME, else ~/.config). There, the names are the same in small letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from twine_hooks.config import CONFIG_PATH, Config, yaml_lines
from twine_hooks.errors import ConfigError

#: Names of the environment, each with its default. All others are not ours.
DEFAULTS = {
    "LLM_MODEL": "",
    "LLM_API_KEY": "",
    "LLM_API_BASE": "",
    "ENABLE_LLM_DOC": "",
    "ENABLE_CODE_SUMMARY": "",
    "CODE_SUMMARY_TRIGGER_LINES": "",
    "CODE_SUMMARY_MAX_CHARS": "",
    "DOC_MAX_TOKENS": "8192",
    "LLM_CONTEXT_TOKENS": "0",
    "LLM_TIMEOUT": "180",
    "MAX_RETRIES": "3",
    "RETRY_WAIT": "2",
    "MAX_WORKERS": "4",
    "DOC_EDITS": "",
    "KNOWLEDGE_FORMAT": "",
    "DEFAULT_OUTPUT_DIR": "",
}
#: Decide what is stale, which two people must not disagree about: only the repository sets them.
_OF_REPOSITORY = ("OUTPUT_LANGUAGE", "EXCLUDE_PATTERNS", "SUMMARY_MAX_CHARS")
SECRET_NAMES = frozenset({"LLM_API_KEY"})
_NO = frozenset({"0", "false", "no", "off"})
_YES = frozenset({"1", "true", "yes", "on"})


class Setting(NamedTuple):
    """One value and where it was found: "default", "environment" or a file."""

    value: str
    origin: str


class Personal(NamedTuple):
    """Settings by their names in the environment. Getters raise ConfigError for what makes no
    sense."""

    settings: Mapping[str, Setting]

    def text(self, name: str) -> str:
        return self.settings[name].value

    def number(self, name: str) -> float:
        """A number that is not negative."""
        setting = self.settings[name]
        try:
            number = float(setting.value)
        except ValueError:
            number = -1.0
        if not 0 <= number < float("inf"):
            raise ConfigError(
                f"{name} ({setting.origin}) is {setting.value!r}; set it to a number of at least 0"
            )
        return number

    def choice(self, name: str, choices: Sequence[str], default: str) -> str:
        """One of ``choices``; ``default`` where nothing is set."""
        setting = self.settings[name]
        if setting.value and setting.value not in choices:
            listed = ", ".join(choices)
            raise ConfigError(
                f"{name} ({setting.origin}) is {setting.value!r}; set it to one of {listed}"
            )
        return setting.value or default

    def number_or(self, name: str, default: int) -> int:
        """A whole number that is not negative, where the person set one."""
        return int(self.number(name)) if self.text(name) else default

    def flag(self, name: str) -> bool | None:
        """What a setting says, as true or false; None where it says nothing."""
        setting = self.settings[name]
        word = setting.value.strip().lower()
        if word and word not in _NO | _YES:
            raise ConfigError(
                f"{name} ({setting.origin}) is {setting.value!r}; set it to true or false"
            )
        return word in _YES if word else None

    @property
    def is_on(self) -> bool | None:
        """What ENABLE_LLM_DOC says; None where it says nothing."""
        return self.flag("ENABLE_LLM_DOC")


def config_file(environ: Mapping[str, str]) -> Path | None:
    """Where a person's own settings lie; None where there is no home to look in."""
    folder = environ.get("XDG_CONFIG_HOME", "")
    if folder.startswith("/"):
        return Path(folder) / "codetwine" / "config.yaml"
    home = environ.get("HOME", "")
    return Path(home) / ".config" / "codetwine" / "config.yaml" if home else None


def read_personal(environ: Mapping[str, str]) -> Personal:
    """The settings of the person whose environment this is. Raises ConfigError."""
    own = _from_file(config_file(environ))
    found = {name: Setting(value, "default") for name, value in DEFAULTS.items()}
    found |= own
    found |= {
        name: Setting(environ[name].strip(), "environment")
        for name in DEFAULTS
        if environ.get(name, "").strip()
    }
    return Personal(found)


def unread_lines(environ: Mapping[str, str], config: Config) -> list[str]:
    """A line for each variable that is set, not read, and says other than ``config`` does: what
    to write into the repository's settings instead."""
    lines = []
    for name in _OF_REPOSITORY:
        said = environ.get(name, "").strip()
        line = _line_of_repository(name, said, config) if said else ""
        if line:
            lines.append(
                f"{name} is set and not read, so that all agree on what is stale: "
                f"write `{line}` into {CONFIG_PATH}"
            )
    return lines


def _line_of_repository(name: str, said: str, config: Config) -> str:
    """The line of config.yaml that says what a variable says; "" where it is so already."""
    if name == "OUTPUT_LANGUAGE":
        return _setting("output_language", said) if said != config.output_language else ""
    if name == "SUMMARY_MAX_CHARS":
        limit = int(said) if said.isascii() and said.isdigit() else 0
        return _setting("summary_max_chars", limit) if limit != config.summary_max_chars else ""
    patterns = [one.strip() for one in said.split(",") if one.strip()]
    missing = [one for one in patterns if one not in config.exclude]
    return _setting("exclude", [*config.exclude, *missing]) if missing else ""


def _setting(name: str, value: str | int | Sequence[str]) -> str:
    """A line of YAML. JSON is YAML, too, and has no control characters."""
    import json  # a hook is over before this is imported

    return f"{name}: {json.dumps(value)}"


def _from_file(file: Path | None) -> dict[str, Setting]:
    if file is None or not file.is_file():
        return {}
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror}; make it readable") from None
    found = {}
    for name, value in yaml_lines(text, str(file)).items():
        known = _known_name(str(name))
        if known is None:
            names = ", ".join(one.lower() for one in DEFAULTS)
            raise ConfigError(f"{file}: unknown setting `{name}`; the settings are {names}")
        found[known] = Setting("" if value is None else str(value).strip(), str(file))
    return found


def _known_name(name: str) -> str | None:
    """The name of a setting as the environment has it; `model` stands for `llm_model`."""
    upper = name.upper()
    return next((one for one in (upper, f"LLM_{upper}", f"DOC_{upper}") if one in DEFAULTS), None)
