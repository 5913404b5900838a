"""What is true stays and what is not goes, sentence by sentence."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.environments import ROOT
from tests.generation.materials import BOXES, boxes, facts_of
from tests.model_server import LIES
from twine_hooks.generation.check import judge
from twine_hooks.generation.vocabulary import exists_in, vocabulary_of
from twine_hooks.material import Material

KNOWN = vocabulary_of(boxes(), BOXES, exists_in(["src/boxes.py", "src/shapes.py", "docs/usage.md"]))

TRUE = [
    "`Box` holds `width` and `height`; `Box.area` multiplies them.",
    "Calling `load_boxes(path, strict=True)` raises nothing.",
    "load_boxes() reads from a file, or from ADDRESS.",
    "It asks `requests.get` with `timeout=3`.",
    "`Box(1, 2).area(scale=2)` is 4.",
    'The variable BOX_DIR decides, read with `os.environ.get("BOX_DIR")`.',
    "`--dry-run` writes nothing.",
    "With --dry-run it writes nothing.",
    "See src/shapes.py and `src/shapes.py`, or `shapes.py`, for `Shape`.",
    "See docs/usage.md.",
    "A `Crate` is a `Shape`, so it has `Crate.area()`, too.",
    'The mode is `"wide-open"`, that is, wide-open.',
    "Errors are `ValueError` or `None`, e.g. for a file(s) that is missing.",
    "It is `self.width * self.height * scale`, i.e. width times height and/or scale.",
    "The result goes to `out/boxes.json` as JSON (see GitHub or macOS for more).",
    "`Box.__init__` takes `width` and `height`.",
    "`load_boxes` passes any `**options` on: `load_boxes(p, colour=1)`.",
    "https://example.com/boxes is asked.",
    "`json` answers become a list of `Box` at 3.5 seconds, 1.0 at most.",
    "`main(argv)` is the entry; `argv[0]` goes to `save_all`.",
    "`boxes.py` defines `load_boxes`, and `src.boxes.load_boxes` is its full name.",
    "| `width` | the width |",
    "- `height`: the height.",
    "A load_boxes-like function.",
    "`from .shapes import Shape` is all that it takes from the project.",
    "Use `if`, `for` and `try`.",
]
FALSE = [
    *(f"It relies on {lie} for that." for lie in LIES),
    "`Box.volume` is there, too.",
    "`Box.load_boxes` loads.",
    "`save_all(first, colour)` works.",
    "`Box(depth=3)` is deep.",
    "`save_all(where=1)` saves.",
    "`area(factor=2)` doubles.",
    "--dry is short.",
    "`--width-first` sorts.",
    "See src/circles.py.",
    "See `src/circles.py`.",
    "https://example.com/circles is asked.",
    "It raises `BoxError`.",
    "It raises a BoxError.",
    "`os.environ.BOX_PATH` and such.",
    "It calls make_boxes(path, strict).",
    "`requests.fetch` is called.",
    "The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123.",
    "| `depth` | the depth |",
]


@pytest.mark.parametrize("text", TRUE)
def test_a_true_sentence_stays(text):
    verdict = judge(text, KNOWN)
    assert (verdict.unknown, verdict.text) == ((), text)


@pytest.mark.parametrize("text", FALSE)
def test_a_false_one_goes(text):
    assert judge(text, KNOWN).text == ""
    whole = judge(f"Boxes have a `width`. {text} They have a `height`.", KNOWN)
    if not text.startswith("|"):
        assert whole.text == "Boxes have a `width`. They have a `height`."


def test_only_the_part_that_is_wrong_goes():
    text = (
        "A `Box` is flat. It has a `lid`.\nSo they say.\n\n"
        "- `width`: how wide.\n- `depth`: how deep.\n"
        "- `height`: how high. `colour` too.\n  And more.\n\n"
        "| name | what |\n|---|---|\n| `width` | wide |\n| `depth` | deep |\n\n"
        "```python\nthing = Box(1, 2)\nthing.explode()\n```\n\n"
        "```python\nBox(1, 2).area()\n```\n\n"
        "The end of `Box`.\n\n### Errors\n\nIt raises `BoxError`."
    )
    verdict = judge(text, KNOWN)
    assert verdict.text == (
        "A `Box` is flat.\nSo they say.\n\n"
        "- `width`: how wide.\n- `height`: how high.\n  And more.\n\n"
        "| name | what |\n|---|---|\n| `width` | wide |\n\n"
        "```python\nBox(1, 2).area()\n```\n\n"
        "The end of `Box`."
    )
    assert set(verdict.unknown) == {
        "lid",
        "depth",
        "colour",
        "BoxError",
        "explode",
        "thing.explode",
    }
    assert verdict.dropped == 6


def test_nothing_is_left_of_a_table_or_list_without_rows():
    assert judge("| a | b |\n|---|---|\n| `depth` | deep |", KNOWN).text == ""
    assert judge("- `depth`\n- `lid`", KNOWN).text == ""


def test_what_is_kept_is_kept_byte_for_byte():
    text = "Some   `Box`  text.\n\n\n* a\n+ b\n\n    code\n"
    assert judge(text, KNOWN).text == text


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("`Box.\n -|#~(a,_*>1)"), max_size=80))
def test_any_text_can_be_judged_and_stays_judged(text):
    once = judge(text, KNOWN).text
    assert judge(once, KNOWN).unknown == ()


def _sentences_about(facts):
    """True sentences, as models write them, about real definitions."""
    for one in facts.definitions:
        if one.parent < 0 and one.name.isidentifier() and one.kind in ("function", "class"):
            yield f"The {one.kind} `{one.name}` is one of those that it defines."
            yield f"Use {one.name}() when you need it." if one.kind == "function" else "It is so."
        elif one.kind == "method":
            yield f"With `{one.qualified}()` it goes on, e.g. in `{one.name}`."


def _sources():
    return sorted(
        path for path in (ROOT / "twine_hooks").rglob("*.py") if path.stat().st_size > 500
    )


def test_no_lie_passes_and_no_true_name_is_lost_on_real_code():
    told = lost = passed = lies = 0
    for path in _sources()[:40]:
        source = path.read_text()
        facts = facts_of(path.name, source)
        material = Material(f"src/{path.name}", facts, (), boxes().template, "English", lambda: "")
        known = vocabulary_of(material, source, exists_in([f"src/{path.name}"]))
        for sentence in _sentences_about(facts):
            told += 1
            lost += judge(sentence, known).text != sentence
        for lie in LIES:
            lies += 1
            passed += bool(judge(f"It uses {lie} here.", known).text)
    assert told > 400 < lies
    assert (lost, passed) == (0, 0)


def test_our_own_doc_comments_are_true_of_their_files():
    """Sentences that people wrote about real code: what the gate would take from them."""
    told = lost = 0
    for path in _sources():
        source = path.read_text()
        facts = facts_of(path.name, source)
        # Without the doc comments themselves, which would make every word of theirs known.
        bare = source
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                doc = ast.get_docstring(node, clean=False)
                if doc:
                    bare = bare.replace(doc, "")
        material = Material(f"twine_hooks/{path.name}", facts, (), boxes().template, "English", str)
        known = vocabulary_of(material, bare, exists_in(["README.md"]))
        for one in facts.definitions:
            for sentence in filter(None, one.doc.split("\n\n")):
                told += 1
                lost += bool(judge(sentence, known).unknown)
    assert told > 200
    assert lost / told < 0.1
