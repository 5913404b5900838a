"""The file graph as GraphML (graphml.graphdrawing.org), for yEd, Gephi and their like."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from twine_hooks.file_graph import FileGraph

_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="path" for="node" attr.name="path" attr.type="string"/>
  <key id="kinds" for="edge" attr.name="kinds" attr.type="string"/>
  <key id="symbols" for="edge" attr.name="symbols" attr.type="string"/>
  <key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>"""


def lines(graph: FileGraph) -> Iterator[str]:
    """The text line by line. Ids are numbers, since a path may hold what XML cannot."""
    ids = {path: f"n{number}" for number, path in enumerate(graph.files)}
    yield from _HEAD.splitlines()
    yield f'  <graph id={quoteattr(_visible(graph.project))} edgedefault="directed">'
    for path, number in ids.items():
        yield f'    <node id="{number}">{_data("path", path)}</node>'
    for edge in graph.edges:
        values = (
            _data("kinds", " ".join(edge.kinds))
            + _data("symbols", " ".join(edge.symbols))
            + _data("confidence", str(edge.confidence))
        )
        yield (f'    <edge source="{ids[edge.source]}" target="{ids[edge.target]}">{values}</edge>')
    yield "  </graph>"
    yield "</graphml>"


def _data(key: str, text: str) -> str:
    visible = _visible(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f'<data key="{key}">{visible}</data>'


def _visible(text: str) -> str:
    """XML 1.0 has no form for control characters and lone surrogates."""
    return "".join(char if char.isprintable() else f"\\u{ord(char):04x}" for char in text)
