"""Templates: which sections a document has; knows not what fills them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from docs_store.digest import digest
from twine_hooks.errors import TemplateError
from twine_hooks.resources import templates_folder

OWN_TEMPLATE = ".codetwine/template/template.yaml"
RENDERINGS = ("definitions", "dependencies")


@dataclass(frozen=True, slots=True)
class SectionSpec:
    """One section of a template."""

    id: str
    title: str
    kind: str  #: "prose" or "facts"
    prompt: str = ""  #: what a model is asked for, prose only
    render: str = ""  #: one of RENDERINGS, facts only


@dataclass(frozen=True, slots=True)
class Template:
    """Sections in order. ``digest`` changes when a document made from it would be another."""

    name: str
    sections: tuple[SectionSpec, ...]
    summary_prompt: str
    digest: str

    @property
    def titles(self) -> dict[str, str]:
        """Section titles by id."""
        return {section.id: section.title for section in self.sections}


def load_template(name: str, read: Callable[[str], bytes | None]) -> Template:
    """The repository's own template where it has one, else the built-in one of that name.

    ``read`` gives a file of the snapshot. Raises TemplateError with file and what to do.
    """
    own = read(OWN_TEMPLATE)
    if own is not None:
        template = parse_template(own.decode("utf-8", "replace"), OWN_TEMPLATE, "own")
        return template
    path = templates_folder() / name / "template.yaml"
    if not path.is_file():
        known = sorted(one.name for one in templates_folder().iterdir() if one.is_dir())
        raise TemplateError(
            f"there is no template `{name}`; set `template:` in .codetwine/config.yaml to "
            f"one of {', '.join(known)}"
        )
    template = parse_template(path.read_text(encoding="utf-8"), f"templates/{name}", name)
    # A built-in template is known by its name and shape, not by its wording: an upgrade of the
    # tool that says something better must not make an unchanged tree stale.
    shape = [part for one in template.sections for part in (one.id, one.title, one.kind)]
    return Template(name, template.sections, template.summary_prompt, digest(name, *shape))


def parse_template(text: str, path: str, name: str) -> Template:
    """A template from the text of its template.yaml."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        data = YAML(typ="safe", pure=True).load(text)
    except YAMLError as error:
        raise TemplateError(f"{path}: this is not YAML ({error}); correct it") from None
    if not isinstance(data, Mapping) or not isinstance(data.get("sections"), list):
        raise TemplateError(f"{path}: a template has a list of `sections:`; see docs/templates.md")
    sections = tuple(_section(one, path) for one in data["sections"])
    ids = [one.id for one in sections]
    if len(set(ids)) != len(ids) or "summary" in ids:
        raise TemplateError(f"{path}: each section needs an `id` of its own, none named summary")
    parts = [part for one in sections for part in (one.id, one.title, one.kind, one.prompt)]
    summary_prompt = str(data.get("summary_prompt") or "")
    return Template(name, sections, summary_prompt, digest(summary_prompt, *parts))


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
    )
    if section.kind not in ("prose", "facts"):
        raise TemplateError(f"{path}: section {section.id}: `kind` is prose or facts")
    if section.kind == "facts" and section.render not in RENDERINGS:
        raise TemplateError(
            f"{path}: section {section.id}: `render` is one of {', '.join(RENDERINGS)}"
        )
    return section
