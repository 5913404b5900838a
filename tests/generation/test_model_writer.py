"""One document written by a real litellm from a real server, whatever the server does."""

from __future__ import annotations

import importlib.util

import pytest

from docs_store.digest import digest
from docs_store.document import Document, parse, render
from tests.generation.materials import BOXES, boxes
from tests.model_server import SECRET
from twine_hooks.generation.author import compose
from twine_hooks.generation.model_writer import ModelWriter, remembered_source
from twine_hooks.generation.spending import Allowance, Spending
from twine_hooks.generation.vocabulary import exists_in
from twine_hooks.inputs import Inputs
from twine_hooks.plan import Reason, Task
from twine_hooks.providers.litellm import LiteLLM

if importlib.util.find_spec("litellm") is None:  # importing it here would make it fetch prices
    pytest.skip("litellm is not installed", allow_module_level=True)
UNLIMITED = Allowance()
TASK = Task("src/boxes.py", "write", (Reason("new", "src/boxes.py"),))
CHANGED = Task("src/boxes.py", "write", (Reason("source", "src/boxes.py"),))


@pytest.fixture
def writer(server, cache):
    def make(allowance: Allowance = UNLIMITED, before: str = "", **settings) -> ModelWriter:
        environ = server.environ()
        settings = {"max_retries": 1, "retry_wait": 0.01, "timeout": 1.0, **settings}
        model = LiteLLM(environ["LLM_MODEL"], "k", environ["LLM_API_BASE"], **settings)
        return ModelWriter(
            model,
            cache,
            Spending(allowance, model.limits),
            exists_in(["src/boxes.py", "src/shapes.py"]),
            lambda path, own: before or remembered_source(cache, own),
            2000,
        )

    return make


def inputs_of(source: str = BOXES) -> Inputs:
    return Inputs(digest(source), digest("t"), digest("u"), digest("p"))


def present_from(written, source: str = BOXES, material=None) -> Document:
    material = material or boxes(source)
    document = compose(material, inputs_of(source), written.texts, None, written.by)
    return parse(render(document), material.template.titles, "doc.md")


def test_a_model_that_answers_well_is_asked_once(server, writer):
    one = writer()
    written = one.write(TASK, boxes(), inputs_of(), None)
    assert set(written.texts) == {"summary", "overview"}
    assert (written.problem, written.by, written.calls, server.calls) == ("", "", 1, 1)
    told = "\n".join(written.texts.values())
    assert server.truths
    assert all(truth in told for truth in server.truths)
    assert written.answer_tokens > 0


def test_the_prompt_holds_what_it_needs_and_is_the_same_every_time(server, writer, cache):
    writer().write(TASK, boxes(), inputs_of(), None)
    cache.prune("answer", 0)
    cache.prune("prose", 0)
    writer().write(TASK, boxes(), inputs_of(), None)
    first, second = server.history
    assert first.body == second.body
    assert BOXES.strip() in first.prompt
    for part in (
        "`src/shapes.py`: Shapes in the plane.",
        "`class Shape`: Anything with an area.",
        "English",
    ):
        assert part in first.prompt
    system = first.messages[0]["content"]
    assert "boxes" not in system, "what is the same for all documents comes first"


def test_nothing_is_paid_twice(server, writer):
    first = writer().write(TASK, boxes(), inputs_of(), None)
    again = writer().write(TASK, boxes(), inputs_of(), None)
    assert (again.texts, again.calls, server.calls) == (first.texts, 0, 1)
    asked = TASK._replace(reasons=(Reason("asked", "src/boxes.py"),))
    assert writer().write(asked, boxes(), inputs_of(), None).texts == first.texts
    assert server.calls == 1


@pytest.mark.parametrize("mode", ["json", "fence", "think", "bold", "chatty"])
def test_the_shape_of_an_answer_does_not_matter(server, writer, mode):
    server.mode = mode
    written = writer().write(TASK, boxes(), inputs_of(), None)
    assert set(written.texts) == {"summary", "overview"}
    assert (written.problem, server.calls) == ("", 1)
    assert "made_up_thought" not in str(written.texts)


@pytest.mark.parametrize("rate", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("mode", ["lie", "lie-always"])
def test_no_lie_reaches_the_document_and_no_truth_is_lost(server, writer, mode, rate):
    server.mode, server.lie_rate = mode, rate
    written = writer().write(TASK, boxes(), inputs_of(), None)
    told = "\n".join(written.texts.values())
    assert not [lie for lie in server.lies if lie in told]
    assert all(truth in told for truth in server.truths)
    assert written.calls == server.calls == (2 if server.lies else 1)
    if server.lies:
        asked = server.history[-1].messages[-1]["content"]
        assert "but not in the data" in asked


def test_half_an_answer_is_completed_section_by_section(server, writer):
    server.then("half")
    written = writer().write(TASK, boxes(), inputs_of(), None)
    assert set(written.texts) == {"summary", "overview"}
    assert server.calls == 2
    assert "## Summary" not in server.history[1].messages[-1]["content"]
    assert written.texts["overview"].endswith(".")


def test_a_wrong_language_is_asked_for_again(server, writer):
    server.then("language")
    written = writer().write(TASK, boxes(), inputs_of(), None)
    assert server.calls == 2
    assert "文章" not in str(written.texts)
    server.mode = "language"
    japanese = writer().write(TASK, boxes(language="Japanese"), inputs_of("ja"), None)
    assert "文章" in japanese.texts["summary"]


def test_html_and_secrets_of_an_answer_go(server, writer):
    server.mode = "html"
    text = str(writer().write(TASK, boxes(), inputs_of(), None).texts)
    for bad in (
        "<script",
        "<b>",
        "<!--",
        "tracker",
        "javascript:",
        "attacker",
        "\u202e",
        "mermaid",
    ):
        assert bad not in text
    server.mode = "secret"
    text = str(writer().write(TASK, boxes(), inputs_of("2"), None).texts)
    assert SECRET not in text


def test_a_secret_of_the_source_is_not_sent(server, writer):
    source = BOXES + f'\nTOKEN = "{SECRET}"\n'
    writer().write(TASK, boxes(source), inputs_of(source), None)
    assert SECRET not in server.history[0].prompt
    assert "TOKEN" in server.history[0].prompt


def test_a_private_key_is_not_sent_at_all(server, writer):
    key = "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADAN\n" * 40 + "-----END PRIVATE KEY-----\n"
    written = writer().write(TASK, boxes(key), inputs_of(key), None)
    assert written.texts is None
    assert "private key" in written.problem
    assert server.calls == 0


@pytest.mark.parametrize("mode", ["500", "cut", "garbage", "empty", "refuse", "timeout", "401"])
def test_an_outage_gives_a_new_document_the_outline(server, writer, mode):
    server.mode = mode
    written = writer().write(TASK, boxes(), inputs_of(), None)
    assert written.by == "outline"
    assert "no model wrote this" in written.texts["summary"]
    assert written.problem


@pytest.mark.parametrize("mode", ["500", "refuse", "401"])
def test_an_outage_leaves_what_a_model_wrote(server, writer, mode):
    present = present_from(writer().write(TASK, boxes(), inputs_of(), None))
    server.mode = mode
    written = writer().write(CHANGED, boxes(BOXES + "\nX = 1\n"), inputs_of("new"), present)
    assert written.texts is None
    assert written.problem
    assert not written.is_limit


def test_after_two_failures_nothing_more_is_asked(server, writer):
    server.mode = "500"
    one = writer()
    for number in range(4):
        assert one.write(TASK, boxes(), inputs_of(str(number)), None).problem
    # The same prompt each time, as it was never answered; two tries each.
    assert server.calls == 4


def test_still_true_keeps_every_byte(server, writer):
    present = present_from(writer().write(TASK, boxes(), inputs_of(), None))
    server.mode = "still-true"
    source = BOXES + "\n\ndef more():\n    pass\n"
    written = writer().write(CHANGED, boxes(source), inputs_of(source), present)
    assert written.texts == {name: present.texts()[name] for name in ("summary", "overview")}
    prompt = server.history[-1].prompt
    assert "+def more():" in prompt, "the change of the source is shown"
    assert present.summary in prompt


def test_what_stays_must_be_true_of_the_new_source(server, writer):
    present = present_from(writer().write(TASK, boxes(), inputs_of(), None))
    assert "`save_all`" in present.summary
    server.mode = "still-true"
    source = BOXES.replace("save_all", "store_all")
    written = writer().write(CHANGED, boxes(source), inputs_of(source), present)
    assert "save_all" not in str(written.texts)


def test_an_edit_changes_what_it_says_and_no_more(server, writer):
    present = present_from(writer().write(TASK, boxes(), inputs_of(), None))
    server.mode = "edit"
    source = BOXES + "\n\ndef more():\n    pass\n"
    written = writer().write(CHANGED, boxes(source), inputs_of(source), present)
    assert written.texts["summary"] == present.summary
    assert written.texts["overview"].startswith(present.texts()["overview"])
    assert "Since then" in written.texts["overview"]


@pytest.mark.parametrize(("symbol", "is_kept"), [("Circle", True), ("Crate", False)])
def test_only_a_section_that_mentions_what_changed_elsewhere_is_worded_anew(
    server, writer, symbol, is_kept
):
    present = present_from(writer().write(TASK, boxes(), inputs_of(), None))
    server.mode = "rewrite"
    reason = Reason("uses", "src/other.py", (symbol,))
    task = Task("src/boxes.py", "write", (reason,))
    changed = inputs_of()._replace(uses=digest("another"))
    written = writer().write(task, boxes(), changed, present)
    assert (written.texts["summary"] == present.summary) is is_kept
    assert f"`{symbol}` of src/other.py changed" in server.history[-1].prompt


def test_what_people_edited_is_not_asked_for(server, writer):
    present = present_from(writer().write(TASK, boxes(), inputs_of(), None))
    mine = present._replace(summary="My own words.")
    source = BOXES + "\nX = 1\n"
    written = writer().write(CHANGED, boxes(source), inputs_of(source), mine)
    assert set(written.texts) == {"overview"}
    assert "## Summary" not in server.history[-1].messages[0]["content"]
    both = mine._replace(sections=tuple(one._replace(body="Mine.") for one in mine.sections))
    calls = server.calls
    assert writer().write(CHANGED, boxes(source), inputs_of("3"), both).texts == {}
    assert server.calls == calls


def test_limits_stop_before_a_call(server, writer):
    one = writer(Allowance(max_calls=1))
    assert one.write(TASK, boxes(), inputs_of(), None).texts
    source = BOXES + "\nX = 1\n"
    written = one.write(TASK, boxes(source), inputs_of(source), None)
    assert (written.texts, written.is_limit, server.calls) == (None, True, 1)
    assert "limit of 1 calls" in written.problem
    poor = writer(Allowance(max_cost=0.000001)).write(TASK, boxes(source), inputs_of(source), None)
    assert poor.is_limit
    late = writer(Allowance(max_seconds=0)).write(TASK, boxes(source), inputs_of(source), None)
    assert (late.is_limit, server.calls) == (True, 1)


def test_out_of_calls_the_first_answer_is_still_judged(server, writer):
    server.mode, server.lie_rate = "lie", 1.0
    written = writer(Allowance(max_calls=1)).write(TASK, boxes(), inputs_of(), None)
    told = "\n".join(written.texts.values())
    assert server.lies
    assert not [lie for lie in server.lies if lie in told]
    assert all(truth in told for truth in server.truths)


def test_an_estimate_is_what_happens(server, writer):
    one = writer()
    estimate = one.estimate(TASK, boxes(), inputs_of(), None)
    assert server.calls == 0
    written = one.write(TASK, boxes(), inputs_of(), None)
    assert estimate.calls == written.calls == 1
    assert estimate.prompt_tokens == pytest.approx(written.prompt_tokens, rel=0.2)
    assert one.estimate(TASK, boxes(), inputs_of(), None).calls == 0


@pytest.mark.parametrize("window", [1600, 2200, 3000])
def test_a_small_window_loses_no_public_definition(server, writer, window):
    body = "".join(f"    total_{n} = {n} * first\n" for n in range(150))
    source = BOXES.replace('    """Save."""\n', f'    """Save."""\n{body}')
    one = writer(context_tokens=window)
    written = one.write(TASK, boxes(source), inputs_of(source), None)
    assert written.problem == ""
    prompt = server.history[0].prompt
    assert one.model.tokens(prompt) < window
    assert "total_149" not in prompt
    for name in ("MODE", "Box", "Box.area", "Crate", "load_boxes", "main", "save_all"):
        assert f"`{name}`" in prompt
    assert "def save_all(first, target)" in prompt


def test_what_cannot_fit_is_a_failure_with_a_reason(server, writer):
    written = writer(context_tokens=300).write(TASK, boxes(), inputs_of(), None)
    assert "does not fit" in written.problem
    assert server.calls == 0
