"""A client as a model: what it is asked, and what becomes of all that it may do."""

from __future__ import annotations

import asyncio
import threading
from functools import partial
from unittest.mock import AsyncMock, Mock

import pytest

from twine_hooks.errors import CodetwineError
from twine_hooks.providers.client import ClientModel
from twine_hooks.providers.model import Message, ModelFailedError

TALK = [
    Message("system", "Be brief."),
    Message("user", "What is it?"),
    Message("assistant", "A shop."),
    Message("user", "Say more."),
]
AS_ONE = (
    "Be brief.\n\nWhat is it?\n\nThis is what you answered:\n\nA shop.\n\nNow go on:\n\nSay more."
)


def ask(client, seconds=60.0, before=lambda model: None):
    """One question to a client, from another thread than that of its loop."""

    async def asked():
        model = ClientModel(client, asyncio.get_running_loop())
        before(model)
        try:
            return await asyncio.to_thread(model.ask, TALK, 70, seconds)
        finally:
            model.stop()

    return asyncio.run(asked())


class Echo:
    async def generate(self, prompt, max_tokens):
        return f"{prompt}|{max_tokens}"


class Plain:
    def generate(self, prompt):
        return prompt


class Blocked(Plain):
    """A plain function that answers when the loop turns: it would never, called in the loop."""

    def __init__(self):
        self.loop = asyncio.get_running_loop()

    def generate(self, prompt):
        turned = threading.Event()
        self.loop.call_soon_threadsafe(turned.set)
        return prompt if turned.wait(5) else None


@pytest.mark.parametrize(
    "client, said",
    [
        (Echo(), f"{AS_ONE}|70"),
        (Plain(), AS_ONE),
        (Mock(generate=partial(Plain().generate)), AS_ONE),
        (Mock(generate=AsyncMock(return_value="well")), "well"),
        (Mock(generate=lambda prompt: AsyncMock(return_value="later")()), "later"),
    ],
)
def test_all_that_gives_a_text_is_a_client(client, said):
    answer = ask(client)
    assert (answer.text, answer.is_whole) == (said, True)
    assert (answer.prompt_tokens, answer.answer_tokens) == (
        len(AS_ONE) // 4 + 1,
        -(-len(said) // 4),
    )


def test_a_plain_function_does_not_block_the_loop():
    async def asked():
        model = ClientModel(Blocked(), asyncio.get_running_loop())
        return await asyncio.to_thread(model.ask, TALK, 70, 60.0)

    assert asyncio.run(asked()).text == AS_ONE


@pytest.mark.parametrize(
    "error, said",
    [
        (KeyError("choices"), "did not answer (KeyError: 'choices'); run it again"),
        (RuntimeError("x" * 999), f"(RuntimeError: {'x' * 186})"),
        (StopIteration(), "StopIteration"),
        (StopAsyncIteration(), "(StopAsyncIteration)"),
        (GeneratorExit(), "(GeneratorExit)"),
        (asyncio.CancelledError(), "(CancelledError)"),
    ],
)
@pytest.mark.parametrize("kind", [Mock, AsyncMock])
def test_whatever_it_raises_is_one_answer_that_fails(kind, error, said):
    with pytest.raises(ModelFailedError) as caught:
        ask(Mock(generate=kind(side_effect=error)))
    assert said in str(caught.value)
    assert not caught.value.is_final


def test_a_prompt_that_is_too_long_is_told_apart():
    class ContextWindowExceededError(Exception):
        pass

    with pytest.raises(ModelFailedError) as caught:
        ask(Mock(generate=AsyncMock(side_effect=ContextWindowExceededError)))
    assert caught.value.is_too_long


def test_one_that_hangs_is_cancelled_and_not_asked_again():
    class Hangs:
        async def generate(self, prompt):
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.was_cancelled.set()
                raise

    async def asked():
        client = Hangs()
        client.was_cancelled = asyncio.Event()
        model = ClientModel(client, asyncio.get_running_loop())
        with pytest.raises(ModelFailedError, match="gave nothing within 0 seconds") as caught:
            await asyncio.to_thread(model.ask, TALK, 70, 0.05)
        assert caught.value.is_final
        await asyncio.wait_for(client.was_cancelled.wait(), 60)

    asyncio.run(asked())


def test_a_plain_function_that_hangs_is_left_behind():
    end = threading.Event()
    with pytest.raises(ModelFailedError, match="gave nothing within 0 seconds"):
        ask(Mock(generate=lambda prompt: end.wait()), seconds=0.05)
    end.set()


def test_nothing_is_asked_once_it_was_stopped():
    client = Mock(generate=AsyncMock(return_value="well"))
    with pytest.raises(CodetwineError, match="was cancelled") as caught:
        ask(client, before=ClientModel.stop)
    assert not isinstance(caught.value, ModelFailedError)  # such a one would be a failed document
    assert not client.generate.called


@pytest.mark.parametrize(
    "model, name", [("openai/x", "openai/x"), ("", "Mock"), (None, "Mock"), (Mock(), "Mock")]
)
def test_its_name_is_that_of_its_model(model, name):
    assert ClientModel(Mock(model=model), None).name == name
