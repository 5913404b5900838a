"""Settings and templates as parsed before: reading YAML takes longer than most whole runs."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from docs_store.digest import digest
from twine_hooks.config import (
    CONFIG_PATH,
    IGNORE_PATH,
    AnalysisConfig,
    Config,
    HookConfig,
    parse_config,
)
from twine_hooks.fastpath import states_of
from twine_hooks.files import Files, read_file
from twine_hooks.resources import templates_folder
from twine_hooks.templating import SectionSpec, Template, load_template

if TYPE_CHECKING:
    from docs_store.cache import Cache

_KIND = "parsed"
_TEMPLATE_FOLDER = ".codetwine/template/"
_Value = TypeVar("_Value")


def read_config(snapshot: Files, cache: Cache) -> Config:
    """The settings that a snapshot holds, the defaults without any. Raises ConfigError.

    The patterns of .codetwineignore count as those of `exclude`.
    """
    config = _read_config(snapshot, cache)
    ignored = read_file(snapshot, IGNORE_PATH)
    if not ignored:
        return config
    lines = tuple(ignored.decode("utf-8", "replace").splitlines())
    return config._replace(exclude=(*config.exclude, *lines))


def _read_config(snapshot: Files, cache: Cache) -> Config:
    blob = snapshot.files.get(CONFIG_PATH)
    if blob is None:
        return Config()

    def parse() -> Config:
        return parse_config((read_file(snapshot, CONFIG_PATH) or b"").decode("utf-8", "replace"))

    def rebuild(row: tuple[Any, ...]) -> Config:
        found = Config._make(row)
        return found._replace(
            hook=HookConfig._make(found.hook), analysis=AnalysisConfig._make(found.analysis)
        )

    shape = (*Config._fields, *HookConfig._fields, *AnalysisConfig._fields)
    return _kept(cache, digest("config", blob, *shape), parse, rebuild)


def read_template(snapshot: Files, config: Config, cache: Cache) -> Template:
    """The template that a snapshot's settings name. Raises TemplateError."""
    files = snapshot.files
    found = {path for path in files if path.startswith(_TEMPLATE_FOLDER)}
    if config.template in files:
        found.add(config.template)
    own = sorted(f"{path} {files[path]}" for path in found)

    def parse() -> Template:
        return load_template(config.template, lambda path: read_file(snapshot, path))

    def rebuild(row: tuple[Any, ...]) -> Template:
        found = Template._make(row)
        return found._replace(sections=tuple(map(SectionSpec._make, found.sections)))

    shape = (*Template._fields, *SectionSpec._fields)
    built_in = () if own else _state_of_folder(config.template)
    key = digest("template", config.template, *own, *built_in, *shape)
    return _kept(cache, key, parse, rebuild).with_limit(config.summary_max_chars)


def _state_of_folder(name: str) -> list[str]:
    """Changes when a built-in template's files do."""
    folder = templates_folder() / name
    return sorted(states_of(str(folder))) if folder.is_dir() else []


def _kept(
    cache: Cache,
    key: str,
    parse: Callable[[], _Value],
    rebuild: Callable[[tuple[Any, ...]], _Value],
) -> _Value:
    row = cache.get(_KIND, key)
    if row is not None:
        return rebuild(marshal.loads(row))
    value = parse()
    cache.put(_KIND, key, marshal.dumps(_plain(value)))
    return value


def _plain(value: object) -> Any:
    """The value without the names in it, which marshal knows not."""
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value
