"""A model that a program brings along: an object that takes a prompt and gives a text.

That is all that is known of it; it has its own retries and its own way to a model.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from twine_hooks.errors import CodetwineError
from twine_hooks.providers.characters import Characters
from twine_hooks.providers.model import Answer, Limits, Message, ModelFailedError

_TOO_LONG = "ContextWindowExceededError"  #: litellm's, which clients let through
_ANSWERED, _GOES_ON = "This is what you answered:", "Now go on:"
_LONGEST = 200  #: characters of what an error says


class Client(Protocol):
    """What a program gives: codetwine's LLMClient is one.

    ``generate`` may be a coroutine or a plain function. Where it has a parameter ``max_tokens`` it
    is told how long an answer may be. None or no text is no answer, and so is whatever it raises.
    """

    def generate(self, prompt: str, /) -> str | Awaitable[str | None] | None: ...


@dataclass(eq=False)
class ClientModel:
    """A client as a Model.

    ``loop`` is the event loop that runs its coroutines, in another thread than those that ask. A
    plain function runs in one thread of its own: it may block, and not expect to be called by two
    threads at once. ``context_tokens`` is what the client can take, 0 where that is not known.
    """

    client: Client
    loop: asyncio.AbstractEventLoop
    context_tokens: int = 0
    _thread: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, 1))
    _questions: set[Future[object]] = field(default_factory=set)  #: that are not answered yet
    _is_stopped: bool = False
    _guard: threading.Lock = field(default_factory=threading.Lock)

    @property
    def name(self) -> str:
        """That of the client's model, where it tells one."""
        model = getattr(self.client, "model", "")
        return model if model and isinstance(model, str) else type(self.client).__qualname__

    def stop(self) -> None:
        """Ask nothing more, and wait for no answer."""
        with self._guard:
            self._is_stopped = True
            for question in self._questions:
                question.cancel()
        self._thread.shutdown(wait=False)

    def limits(self) -> Limits:
        return Limits(context_tokens=self.context_tokens)

    def tokens(self, text: str) -> int:
        return Characters().tokens(text)

    def ask(self, messages: Sequence[Message], answer_tokens: int, seconds: float) -> Answer:
        """See Model. Not from the thread of the loop. Raises CodetwineError once it was stopped."""
        prompt = as_prompt(messages)
        question = self._begin(prompt, answer_tokens)
        try:
            said = self._outcome(question, seconds)
        finally:
            with self._guard:
                self._questions.discard(question)
        if not isinstance(said, str) or not said.strip():
            raise ModelFailedError(f"{self.name} gave no text; look at what its client says")
        return Answer(said, True, self.tokens(prompt), self.tokens(said))

    def _begin(self, prompt: str, answer_tokens: int) -> Future[object]:
        takes_limit = _takes(self.client.generate, "max_tokens")
        options = {"max_tokens": answer_tokens} if takes_limit else {}
        with self._guard:
            self._go_on()
            said = self._said(partial(self.client.generate, prompt, **options))
            question = asyncio.run_coroutine_threadsafe(said, self.loop)
            self._questions.add(question)
        return question

    async def _said(self, generate: Callable[[], Any]) -> object:
        if inspect.iscoroutinefunction(self.client.generate):
            return await generate()
        said = await self.loop.run_in_executor(self._thread, _called, generate)
        return await said if inspect.isawaitable(said) else said

    def _outcome(self, question: Future[object], seconds: float) -> object:
        """What a question gives. Raises ModelFailedError, and what ``ask`` does."""
        error: BaseException | None
        try:
            # Whatever a client raises is a value here, and says why there is no document.
            error = question.exception(max(0.0, seconds))
        except TimeoutError:
            question.cancel()
            # One that hangs would do so for each document.
            raise ModelFailedError(
                f"{self.name} gave nothing within {seconds:.0f} seconds; look whether its client "
                "hangs",
                is_final=True,
            ) from None
        except CancelledError as cancelled:
            self._go_on()
            error = cancelled
        if error is not None:
            raise self._failure(error)
        return question.result()

    def _go_on(self) -> None:
        if self._is_stopped:
            raise CodetwineError("this run was cancelled; run it again")

    def _failure(self, error: BaseException) -> ModelFailedError:
        kind, text = type(error).__name__, " ".join(str(error).split())
        said = f"{kind}: {text}"[:_LONGEST] if text else kind
        return ModelFailedError(
            f"{self.name} did not answer ({said}); run it again", is_too_long=kind == _TOO_LONG
        )


def as_prompt(messages: Sequence[Message]) -> str:
    """A conversation as one text: what was asked, what was answered, what is asked now."""
    parts: list[str] = []
    for one in messages:
        if one.role == "assistant":
            parts += (_ANSWERED, one.text, _GOES_ON)
        else:
            parts.append(one.text)
    return "\n\n".join(parts)


def _called(function: Callable[[], object]) -> object:
    try:
        return function()
    except StopIteration as error:
        # asyncio's futures refuse it, and who waits would wait for ever (a mock that ran out).
        raise RuntimeError("StopIteration") from error


def _takes(function: Callable[..., object], name: str) -> bool:
    """Whether a function has a parameter of that name."""
    try:
        return name in inspect.signature(function).parameters
    except (TypeError, ValueError):  # one that tells nothing of itself
        return False
