"""The changed files and those that use them as a Mermaid picture of bounded size."""

from __future__ import annotations

from twine_hooks.markup import diagram_label
from twine_hooks.review.model import CONFIRMED, Review

_NODES = 24
_LABEL = 60


def picture(review: Review) -> str:
    """The text of a flowchart, "" where nobody uses what changed."""
    changed = set(review.changed)
    names: dict[str, int] = {}
    lines = []
    for edge in review.edges:
        new = [one for one in (edge.used, edge.user) if one not in names]
        if len(names) + len(new) > _NODES:
            continue
        for one in new:
            names.setdefault(one, len(names))
        lines.append(f"  n{names[edge.user]} --> n{names[edge.used]}")
    if not lines:
        return ""
    rewritten = {one.path for one in review.documents if one.kind != CONFIRMED}
    nodes = []
    for path, number in names.items():
        kind = ":::changed" if path in changed else ":::rewritten" if path in rewritten else ""
        nodes.append(f'  n{number}["{_label(path)}"]{kind}')
    styles = [
        "  classDef changed stroke-width:3px",
        "  classDef rewritten stroke-dasharray:4",
    ]
    return "\n".join(["flowchart LR", *nodes, *dict.fromkeys(lines), *styles])


def _label(path: str) -> str:
    """A path as a label in which nothing is markup; the end of a long one."""
    return diagram_label(path if len(path) <= _LABEL else f"…{path[-_LABEL:]}")
