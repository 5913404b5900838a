"""Templates: which sections a document has; knows not what fills them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from docs_store.digest import digest
from twine_hooks.errors import TemplateError
from twine_hooks.resources import templates_folder

OWN_TEMPLATE = ".codetwine/template/template.yaml"
#: {"sections": [{"id", "title", "prompt"}], "summary_prompt"}, a form that others use as well
OWN_JSON = ".codetwine/template/doc_template.json"
RENDERINGS = ("definitions", "dependencies")


class SectionSpec(NamedTuple):
    """One section of a template."""

    id: str
    title: str
    kind: str  #: "prose" or "facts"
    prompt: str = ""  #: what a model is asked for, prose only
    render: str = ""  #: one of RENDERINGS, facts only
    each: str = ""  #: "definition" for one entry for each public definition, prose only
    max_words: int = 0  #: what a model is asked to keep to, for each entry where there are some


class Template(NamedTuple):
    """Sections in order. ``digest`` changes when a document made from it would be another."""

    name: str
    sections: tuple[SectionSpec, ...]
    summary_prompt: str
    digest: str
    summary_max_chars: int = 0  #: 0 is without limit

    def with_limit(self, summary_max_chars: int) -> Template:
        """The same with another limit of the summary, where that is not 0."""
        if not summary_max_chars:
            return self
        known = digest(self.digest, f"summary {summary_max_chars}")
        return self._replace(digest=known, summary_max_chars=summary_max_chars)

    @property
    def titles(self) -> dict[str, str]:
        """Section titles by id."""
        return {section.id: section.title for section in self.sections}


def load_template(name: str, read: Callable[[str], bytes | None]) -> Template:
    """The repository's own template where it has one, else the built-in one of that name.

    ``read`` gives a file of the snapshot. Raises TemplateError with file and what to do.
    """
    for path in own_templates(name):
        own = read(path)
        if own is not None:
            return parse_template(own.decode("utf-8", "replace"), path, "own")
    if is_path(name):
        raise TemplateError(f"there is no {name}; correct `template:` in .codetwine/config.yaml")
    built_in = templates_folder() / name / "template.yaml"
    if not built_in.is_file():
        known = sorted(one.name for one in templates_folder().iterdir() if one.is_dir())
        raise TemplateError(
            f"there is no template `{name}`; set `template:` in .codetwine/config.yaml to "
            f"one of {', '.join(known)}"
        )
    template = parse_template(built_in.read_text(encoding="utf-8"), f"templates/{name}", name)
    # A built-in template is known by its name and shape, not by its wording: an upgrade of the
    # tool that says something better must not make an unchanged tree stale.
    shape = [part for one in template.sections for part in (one.id, one.title, one.kind)]
    shape += [one.each for one in template.sections if one.each]
    return template._replace(name=name, digest=digest(name, *shape))


def is_path(name: str) -> bool:
    """Whether `template:` names a file of the repository, not one of the built-in templates."""
    return name.endswith((".json", ".yaml", ".yml"))


def own_templates(name: str) -> tuple[str, ...]:
    """Where a repository's own template may lie, best first."""
    return (name,) if is_path(name) else (OWN_TEMPLATE, OWN_JSON)


def parse_template(text: str, path: str, name: str) -> Template:
    """A template from the text of its file. Raises TemplateError with file and what to do."""
    data = _json(text, path) if path.endswith(".json") else _yaml(text, path)
    if not isinstance(data, Mapping) or not isinstance(data.get("sections"), list):
        raise TemplateError(f"{path}: a template has a list of `sections:`; see docs/templates.md")
    sections = tuple(_section(one, path) for one in data["sections"])
    ids = [one.id for one in sections]
    if len(set(ids)) != len(ids) or "summary" in ids:
        raise TemplateError(f"{path}: each section needs an `id` of its own, none named summary")
    parts = [part for one in sections for part in (one.id, one.title, one.kind, one.prompt)]
    sized = [one for one in sections if one.each or one.max_words]
    parts += [f"{one.id} {one.each} {one.max_words}" for one in sized]
    summary_prompt = str(data.get("summary_prompt") or "")
    template = Template(name, sections, summary_prompt, digest(summary_prompt, *parts))
    return template.with_limit(_number(data, "summary_max_chars", path))


def _yaml(text: str, path: str) -> Any:
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="safe", pure=True).load(text)
    except (YAMLError, ValueError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise TemplateError(f"{path}: this is not YAML ({said}); correct it") from None


def _json(text: str, path: str) -> Any:
    import json  # no hook reads a template that it has read before

    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise TemplateError(f"{path}: this is not JSON ({error}); correct it") from None


def _section(data: Any, path: str) -> SectionSpec:
    if not isinstance(data, Mapping) or not data.get("id") or not data.get("title"):
        raise TemplateError(
            f"{path}: each section has an `id` and a `title`; see docs/templates.md"
        )
    section = SectionSpec(
        id=str(data["id"]),
        title=" ".join(str(data["title"]).split()),
        kind=str(data.get("kind") or "prose"),
        prompt=str(data.get("prompt") or ""),
        render=str(data.get("render") or ""),
        each=str(data.get("each") or ""),
        max_words=_number(data, "max_words", f"{path}: section {data['id']}"),
    )
    if section.each not in ("", "definition"):
        raise TemplateError(f"{path}: section {section.id}: `each` can only be definition")
    if section.kind not in ("prose", "facts"):
        raise TemplateError(f"{path}: section {section.id}: `kind` is prose or facts")
    if section.kind == "facts" and section.render not in RENDERINGS:
        raise TemplateError(
            f"{path}: section {section.id}: `render` is one of {', '.join(RENDERINGS)}"
        )
    return section


def _number(data: Mapping[str, Any], name: str, where: str) -> int:
    value = data.get(name) or 0
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    raise TemplateError(f"{where}: `{name}` is a whole number, not {value!r}")
