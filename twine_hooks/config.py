"""The settings of one repository, from ``.codetwine/config.yaml``; knows not who uses them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from twine_hooks.errors import ConfigError

CONFIG_PATH = ".codetwine/config.yaml"
IGNORE_PATH = ".codetwineignore"  #: patterns of files that get no document, as in .gitignore
KEEP, MERGE, OVERWRITE = EDITS = ("keep", "merge", "overwrite")
POLICIES = ("interface", "used", "direct", "transitive", "none")

DEFAULT_TEXT = """\
# Settings of codetwine. Every line may be left out: what stands here is the default.

# Which documents become stale when a dependency changes, from quiet to thorough:
#   interface   when the interface of a symbol that they use changed
#   used        when the meaning of a symbol that they use changed
#   direct      when a file that they use changed in any way
#   transitive  when anything below them changed
#   none        never
dependents: used

# meaning: white space and plain comments change nothing. bytes: every byte counts.
cutoff: meaning

# A folder of templates/ that comes with codetwine. A folder .codetwine/template goes first.
template: default

# The language of the prose.
output_language: English

# The most characters of a document's summary; 0: as many as the template asks for.
summary_max_chars: 0

# Who writes the prose. outline: the code itself, without any model, key or network.
# litellm: the model below. Keys and addresses come from the environment, never from this file.
provider: outline
model: ""

# Sections that people edited, when their document is written anew:
#   keep       they stay as they are
#   merge      a model is asked to correct in them what is no longer true
#   overwrite  they are written anew like all others
edits: keep
# Where a source does not fit a model, a few sentences of the model stand for the code of its
# definitions of more than so many lines, each at most so long. false: their bodies are left out.
enable_code_summary: true
code_summary_trigger_lines: 40
code_summary_max_chars: 400

# Files that get no document, as patterns of .gitignore.
exclude: []

# Larger sources are passed over (they are generated, as a rule).
max_file_kb: 1000

hook:
  # After a merge: refresh writes stale documents into the work tree; report only tells.
  post_merge: refresh
  # At most so many calls of a model in a hook; the rest stays stale and is named.
  max_calls: 8
  # warn: a model that fails does not hold up the commit. fail: it does.
  on_error: warn
  # The native pre-commit hook stages what it wrote (auto), or leaves that to you (never).
  stage: auto

analysis:
  # Only what cannot be found in pyproject.toml, package.json, compile_commands.json...
  source_roots: []
  include_dirs: []
  compile_args: []
"""


class HookConfig(NamedTuple):
    """The ``hook:`` part."""

    post_merge: str = "refresh"
    max_calls: int = 8
    on_error: str = "warn"
    stage: str = "auto"


class AnalysisConfig(NamedTuple):
    """The ``analysis:`` part: paths relative to the root of the repository."""

    source_roots: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    compile_args: tuple[str, ...] = ()


class Config(NamedTuple):
    """All settings of a repository. ``max_file_kb`` counts 1,000 bytes."""

    dependents: str = "used"
    cutoff: str = "meaning"
    template: str = "default"
    output_language: str = "English"
    summary_max_chars: int = 0
    provider: str = "outline"
    model: str = ""
    edits: str = KEEP
    enable_code_summary: bool = True
    code_summary_trigger_lines: int = 40
    code_summary_max_chars: int = 400
    exclude: tuple[str, ...] = ()
    max_file_kb: int = 1000
    hook: HookConfig = HookConfig()
    analysis: AnalysisConfig = AnalysisConfig()


#: What decides where code and keys go: a person's own, see personal.py.
_PERSONAL = frozenset({"api_base", "api_key", "llm_api_base", "llm_api_key", "base_url", "proxy"})

_CHOICES = {
    "dependents": POLICIES,
    "cutoff": ("meaning", "bytes"),
    "edits": EDITS,
    "post_merge": ("refresh", "report"),
    "on_error": ("warn", "fail"),
    "stage": ("auto", "never"),
}


def parse_config(text: str, path: str = CONFIG_PATH) -> Config:
    """The settings in a config.yaml. Raises ConfigError with file, line and what to do."""
    config: Config = _build(Config, yaml_lines(text, path), path, "")
    return config


def yaml_lines(text: str, path: str) -> Mapping[str, Any]:
    """The ``name: value`` lines of a YAML text. Raises ConfigError with file and line."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError
    from ruamel.yaml.reader import ReaderError

    try:
        data = YAML(typ="rt").load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigError(
            f"{path}:{line}: this is not YAML ({error.problem}); correct the line"
        ) from None
    except ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise ConfigError(
            f"{path}:{line}: this is not YAML (a control character); correct the line"
        ) from None
    except (ValueError, RecursionError) as error:  # no such day, a number of thousands of digits
        raise ConfigError(f"{path}: this can't be read ({error}); correct it") from None
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise ConfigError(f"{path}:1: expected `name: value` lines; `codetwine init` writes them")
    return data


def _build(shape: Any, data: Mapping[str, Any], path: str, prefix: str) -> Any:
    values: dict[str, Any] = {}
    for name, value in data.items():
        where = f"{path}:{_line(data, name)}"
        if str(name).lower() in _PERSONAL:
            raise ConfigError(
                f"{where}: `{name}` is never taken from a repository, which could send your code "
                f"and key anywhere; if you trust it, set it in the environment or in your own "
                f"~/.config/codetwine/config.yaml"
            )
        if name not in shape._fields:
            guess = _guess(name, shape._fields)
            raise ConfigError(f"{where}: unknown setting `{prefix}{name}`{guess}")
        default = shape._field_defaults[name]
        if hasattr(default, "_fields"):
            if not isinstance(value or {}, Mapping):
                raise ConfigError(f"{where}: `{name}` takes lines of its own below it")
            values[name] = _build(type(default), value or {}, path, f"{name}.")
        else:
            values[name] = _value(name, value, default, where)
    return shape(**values)


def _value(name: str, value: Any, default: Any, where: str) -> Any:
    if isinstance(default, tuple):
        listed = [value] if isinstance(value, str) else value or []
        if isinstance(listed, list) and all(isinstance(one, str) for one in listed):
            return tuple(str(one) for one in listed)
        raise ConfigError(f"{where}: `{name}` takes a list of texts")
    if isinstance(default, bool):
        if isinstance(value, bool):
            return value
        raise ConfigError(f"{where}: `{name}` takes true or false, not {value!r}")
    if isinstance(default, int):
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return int(value)
        raise ConfigError(f"{where}: `{name}` takes a whole number, not {value!r}")
    text = "none" if value is None and name == "dependents" else str(value if value else "")
    if name in _CHOICES and text not in _CHOICES[name]:
        raise ConfigError(f"{where}: `{name}` is one of {', '.join(_CHOICES[name])}, not {text!r}")
    return text or default


def _line(data: Any, name: str) -> int:
    position = getattr(data, "lc", None)
    try:
        return int(position.key(name)[0]) + 1 if position else 1
    except KeyError:
        return 1


def _guess(name: object, known: Sequence[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(str(name), known, n=1)
    if near:
        return f"; did you mean `{near[0]}`?"
    return f"; the settings are {', '.join(known)}"
