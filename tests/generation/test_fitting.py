"""A source that does not fit the model, stage by stage: real litellm, real server, small windows."""

from __future__ import annotations

import importlib.util
import re

import pytest

from docs_store.document import parse, render
from tests.generation.materials import BOXES, boxes, facts_of
from tests.generation.test_model_writer import CHANGED, TASK, inputs_of
from tests.model_server import ModelServer
from twine_hooks.generation.author import compose
from twine_hooks.generation.condensing import Condensing, shortened
from twine_hooks.generation.model_writer import ModelWriter, asked_of
from twine_hooks.generation.prompt import first_messages
from twine_hooks.generation.spending import Allowance, Spending
from twine_hooks.generation.splitting import Splitter
from twine_hooks.generation.vocabulary import exists_in
from twine_hooks.providers.litellm import LiteLLM
from twine_hooks.templating import load_template

if importlib.util.find_spec("litellm") is None:  # importing it here would make it fetch prices
    pytest.skip("litellm is not installed", allow_module_level=True)
CONDENSING = Condensing(10, 200)
CONDENSES = "You say in a few sentences"


def long_function(name: str, lines: int) -> str:
    steps = "".join(f"    {name}_{n} = first + {n}\n" for n in range(lines))
    return f'\n\ndef {name}(first):\n    """Do {name}."""\n{steps}'


SOURCE = (
    BOXES.rstrip()
    + "".join(long_function(f"work{n}", 20 + n) for n in range(8))
    + "\n\nclass Tower:\n"
    + "".join(f"    def level{n}(self, up):\n        return up + {n}\n\n" for n in range(20))
)
NAMES = [one.qualified for one in facts_of("src/boxes.py", SOURCE).definitions if one.public]


@pytest.fixture
def writer(server, cache):
    def make(room: int, condensing=CONDENSING, most_calls: int | None = None) -> ModelWriter:
        environ = server.environ()
        # A third of so small a window is kept for the answer.
        window = room * 3 // 2
        model = LiteLLM(
            environ["LLM_MODEL"], "k", environ["LLM_API_BASE"], 0, context_tokens=window
        )
        return ModelWriter(
            model,
            cache,
            Spending(Allowance(max_calls=most_calls), model.limits),
            exists_in(["src/boxes.py", "src/shapes.py"]),
            lambda path, own: BOXES,
            2000,
            condensing,
        )

    return make


def material(source: str = SOURCE, template: str = "default"):
    return boxes(source)._replace(template=load_template(template, lambda path: None))


def size_of(writer, material, **shown) -> int:
    """Tokens of a question about the whole file."""
    messages = first_messages(material, asked_of(material, None), **shown)
    return sum(writer(9000).model.tokens(one.text) for one in messages)


def write(one: ModelWriter, server: ModelServer, material, source: str = SOURCE):
    """A document, and that the plan said how many calls it takes, each of them within the room."""
    before = server.calls
    estimate = one.estimate(TASK, material, inputs_of(source), None)
    assert server.calls == before
    written = one.write(TASK, material, inputs_of(source), None)
    assert written.problem == ""
    assert estimate.calls == written.calls == server.calls - before
    asked = [m["content"] for request in server.history[before:] for m in request.messages]
    assert estimate.prompt_tokens == pytest.approx(sum(map(one.model.tokens, asked)), rel=0.2)
    most = one.model.context_tokens * 2 // 3 + 1
    for request in server.history[before:]:
        assert sum(one.model.tokens(m["content"]) for m in request.messages[:2]) <= most
    assert one.estimate(TASK, material, inputs_of(source), None).calls == 0
    return written


def listed(prompt: str) -> list[str]:
    """The definitions that a question lists."""
    found = re.search(r"^Definitions.*?:\n(.*?)\n\n", prompt, re.M | re.S)
    return re.findall(r"^- `(.+?)` ", found[1], re.M) if found else []


def test_texts_of_dependencies_go_first(server, writer):
    room = size_of(writer, material()) - 1
    write(writer(room), server, material())
    (request,) = server.history
    assert "Shapes in the plane." not in request.prompt
    assert "`class Shape`" in request.prompt
    assert SOURCE.strip() in request.prompt


def test_then_the_change_of_the_source(server, writer):
    small = boxes(BOXES.replace("requests.get(", "requests.post("))
    document = compose(
        boxes(), inputs_of(), {"summary": "Boxes of `Box`.", "overview": "As they are."}, None
    )
    present = parse(render(document), small.template.titles, "doc.md")
    large = writer(4000)
    large.write(CHANGED, small, inputs_of("large"), present)
    assert "\n+        return requests.post" in server.history[-1].prompt
    size = sum(large.model.tokens(one["content"]) for one in server.history[-1].messages)
    writer(size - 60).write(CHANGED, small, inputs_of("small"), present)
    prompt = server.history[-1].prompt
    assert "\n+        return requests.post" not in prompt
    assert "As they are." in prompt
    assert small.source().strip() in prompt


def test_then_large_definitions_become_what_a_model_says_of_them(server, writer):
    room = size_of(writer, material(), has_dependency_texts=False) - 200
    written = write(writer(room), server, material())
    *condensing, whole = server.history
    assert 0 < len(condensing) < 8, "as few as will do"
    assert all(CONDENSES in one.prompt for one in condensing)
    assert "work7_3 = first + 3" in condensing[0].prompt, "the largest first"
    assert "work7_3" not in whole.prompt
    assert "def work7(first)\n    Do work7.\n    … (in short: This part is about" in whole.prompt
    assert "work0_3" in whole.prompt
    assert listed(whole.prompt) == NAMES
    assert all(f"`{name}`" in written.texts["overview"] for name in NAMES)


def test_a_definition_is_asked_about_once(server, writer):
    room = size_of(writer, material(), has_dependency_texts=False) - 200
    write(writer(room), server, material())
    count = server.calls
    source = SOURCE.replace('MODE = "wide-open"', 'MODE = "wide-shut"')
    write(writer(room), server, material(source), source)
    assert server.calls == count + 1
    source = SOURCE.replace("work7_3 = first + 3", "work7_3 = first * 3")
    server.mode = "rewrite"  # it says something else of that
    write(writer(room), server, material(source), source)
    assert server.calls == count + 3
    assert "first * 3" in server.history[-2].prompt


def test_a_definition_of_which_nothing_is_said_stands_without_its_body(server, writer):
    room = size_of(writer, material(), has_dependency_texts=False) - 200
    server.then("refuse")
    written = writer(room).write(TASK, material(), inputs_of(SOURCE), None)
    assert written.problem == ""
    assert "(28 lines left out)" in server.history[-1].prompt


def test_where_that_is_not_wanted_their_bodies_are_left_out(server, writer):
    room = size_of(writer, material(), has_dependency_texts=False) - 200
    write(writer(room, None), server, material())
    (request,) = server.history
    assert "def work7(first)\n    Do work7.\n    … (28 lines left out)" in request.prompt
    assert listed(request.prompt) == NAMES
    bare = size_of(writer, material(), source="", has_dependency_texts=False) + 500
    source = SOURCE + "# end\n"
    write(writer(bare, None), server, material(source), source)
    assert "def level19(self, up)" in server.history[-1].prompt


@pytest.mark.parametrize("room", [560, 900])
def test_at_last_the_file_is_split(server, writer, room):
    written = write(writer(room), server, material())
    parts = [one.prompt for one in server.history if CONDENSES not in one.prompt]
    assert len(parts) > 2
    told = [name for prompt in parts for name in listed(prompt)]
    assert told == NAMES, "each in one part, in the order of the file"
    assert [number for prompt in parts for number in re.findall(r"This is part (\d+) of", prompt)]
    assert ["## Summary" in prompt for prompt in parts] == [True] + [False] * (len(parts) - 1)
    overview = written.texts["overview"]
    places = [overview.index(f"`{name}`, which a reader meets") for name in NAMES]
    assert places == sorted(places)
    condensed = {name for name in NAMES if f"def {name}(first):" in _condensed(server)}
    shown = "\n".join(parts)
    for name in (f"work{n}" for n in range(8)):
        assert (f"{name}_3 = first + 3" in shown) != (name in condensed)
    for line in ('MODE = "wide-open"', "return up + 19", "parser.add_argument", "import requests"):
        assert line in shown


def _condensed(server) -> str:
    return "\n".join(one.prompt for one in server.history if CONDENSES in one.prompt)


def test_a_part_whose_code_is_as_it_was_is_not_asked_for_again(server, writer):
    first = write(writer(900), server, material())
    count = server.calls
    source = SOURCE.replace("return up + 19", "return up - 19")
    again = write(writer(900), server, material(source), source)
    assert server.calls == count + 1
    assert again.texts["summary"] == first.texts["summary"]


def test_parts_give_each_definition_its_entry(server, writer):
    server.then("lazy", "lazy")
    one = material(template="search")
    written = writer(900).write(TASK, one, inputs_of(), None)
    entries = re.findall(r"^- `(.+?)`: ", written.texts["entries"], re.M)
    assert sorted(entries) == sorted(NAMES)
    assert len(entries) == len(set(entries))


def test_no_lie_of_any_part_gets_through(server, writer):
    server.mode, server.lie_rate = "lie-always", 0.5
    written = writer(900).write(TASK, material(), inputs_of(), None)
    told = "\n".join(written.texts.values())
    assert server.lies
    assert not [lie for lie in server.lies if lie in told]
    assert all(f"`{name}`, which a reader meets" in told for name in NAMES)


def test_a_limit_holds_between_parts_and_what_was_answered_is_kept(server, writer):
    total = writer(900).estimate(TASK, material(), inputs_of(), None).calls
    written = writer(900, most_calls=2).write(TASK, material(), inputs_of(), None)
    assert (written.texts, written.is_limit, written.calls, server.calls) == (None, True, 2, 2)
    assert writer(900).estimate(TASK, material(), inputs_of(), None).calls == total - 2
    assert writer(900).write(TASK, material(), inputs_of(), None).calls == total - 2
    assert server.calls == total


def test_a_part_without_an_answer_is_no_document(server, writer):
    server.then("well", "refuse")
    written = writer(900).write(TASK, material(), inputs_of(), None)
    assert (written.by, written.calls) == ("outline", 2)
    assert writer(900).write(TASK, material(), inputs_of(), None).by == ""


def test_a_definition_larger_than_the_window_is_condensed_from_what_fits_of_it(server, writer):
    source = BOXES + long_function("endless", 400)
    written = write(writer(700), server, material(source), source)
    assert "`endless`" in written.texts["overview"]
    about = next(one.prompt for one in server.history if CONDENSES in one.prompt)
    assert "endless_0 = first" in about
    assert "endless_399 = first" in about
    assert "lines left out" in about
    off = writer(700, None).write(TASK, material(source), inputs_of("off"), None)
    assert "`endless`" in off.texts["overview"]


def test_a_template_of_one_text_is_not_asked_for_in_parts(server, writer):
    room = size_of(writer, material(template="short"), source="") + 500
    written = write(writer(room), server, material(template="short"))
    assert set(written.texts) == {"summary"}
    assert "def level19(self, up)" in server.history[-1].prompt
    assert "This is part" not in server.history[-1].prompt


@pytest.mark.parametrize("most", [40, 100, 300, 5000])
def test_pieces_are_the_source_again(most):
    one = material()
    groups = Splitter(one, most, lambda text: len(text) // 4, None).groups()
    pieces = [piece for group in groups for piece in group]
    told = [one for piece in pieces for one in piece.definitions]
    assert told == list(one.facts.definitions)
    whole = "".join(part for piece in pieces for part in piece.source if isinstance(part, str))
    assert ("lines left out" in whole) == (most < 200)
    without = re.sub(r"class \w+(\(\w+\))? …\n", "", whole)
    assert most < 200 or without == SOURCE


def test_code_is_shortened_in_its_middle():
    code = "\n".join(f"line {n}" for n in range(100))
    short = shortened(code, 50, lambda text: len(text) // 4)
    assert len(short) // 4 <= 50
    assert short.startswith("line 0\n")
    assert short.endswith("line 99")
    assert len(shortened("x" * 10_000, 50, lambda text: len(text) // 4)) <= 204
