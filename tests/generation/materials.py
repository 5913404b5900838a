"""Material for tests of writing: a real source, analysed, with the dependencies that it says."""

from __future__ import annotations

from twine_hooks.analysis.facts import Facts
from twine_hooks.extraction import facts_of_blob
from twine_hooks.material import Dependency, Material, UsedSymbol
from twine_hooks.templating import Template, load_template

SHAPES = '''\
"""Shapes in the plane."""


class Shape:
    """Anything with an area."""

    def area(self) -> float:
        """The area in square metres."""
        raise NotImplementedError
'''
BOXES = '''\
"""Boxes, and how they are loaded."""
import os

import requests

from .shapes import Shape

MODE = "wide-open"
ADDRESS = "https://example.com/boxes"


class Box:
    """A box of some size."""

    def __init__(self, width, height):
        self.width = width
        self.height = height

    def area(self, scale=1):
        """Its area, times `scale`."""
        return self.width * self.height * scale


class Crate(Shape):
    """A box that is a shape."""


def load_boxes(path, *, strict=False, **options):
    """Load boxes from a file, or from ADDRESS."""
    if os.environ.get("BOX_DIR"):
        return requests.get(ADDRESS, timeout=3).json()
    return [Box(1, 2)]


def main(argv):
    parser.add_argument("--dry-run", help="write nothing")
    return save_all(argv[0], "out/boxes.json")


def save_all(first, target):
    """Save."""
'''


def template() -> Template:
    return load_template("default", lambda path: None)


def facts_of(path: str, text: str) -> Facts:
    facts = facts_of_blob(path, text.encode())
    assert isinstance(facts, Facts), facts
    return facts


def boxes(
    source: str = BOXES, summary: str = "Shapes in the plane.", language: str = "English"
) -> Material:
    """The material of src/boxes.py, which uses src/shapes.py."""
    shape = facts_of("src/shapes.py", SHAPES).definitions[0]
    return Material(
        path="src/boxes.py",
        facts=facts_of("src/boxes.py", source),
        dependencies=(
            Dependency("src/shapes.py", True, (UsedSymbol("Shape", shape),), lambda: summary),
        ),
        template=template(),
        output_language=language,
        source=lambda: source,
    )
