"""The one door to litellm: a model asked over the network; knows nothing of what is asked.

litellm is imported when the first question is asked, in a mode in which it fetches nothing, reads
no .env file, reports to nobody and writes no log. What it may know besides its arguments are the
variables of the process (OPENAI_API_KEY, HTTPS_PROXY…), never a file of a repository.
"""

from __future__ import annotations

import logging
import os
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from twine_hooks.providers.model import Answer, Limits, Message, ModelFailedError

MISSING = "the model needs litellm, which is not installed: run `pip install 'codetwine[llm]'`"
_LONGEST_WAIT = 120.0  #: seconds; a server that asks for more has in effect refused
_LOCAL = frozenset({"ollama", "ollama_chat", "lm_studio", "llamafile", "hosted_vllm", "vllm"})
_FINAL = frozenset({401, 402, 403, 404})  #: the next document would meet the same


@dataclass(frozen=True)
class LiteLLM:
    """A model by litellm's name of it: ``openai/gpt-4o-mini``, ``ollama/qwen2.5-coder``.

    ``retry_wait`` and ``timeout`` are seconds; ``context_tokens`` overrides litellm's own table.
    """

    name: str
    api_key: str = ""
    api_base: str = ""
    max_retries: int = 3
    retry_wait: float = 2.0
    timeout: float = 180.0
    context_tokens: int = 0
    sleep: Callable[[float], None] = time.sleep

    def limits(self) -> Limits:
        """From litellm's tables, that lie on this machine. Raises ModelFailedError without it."""
        info = self._info()
        is_local = str(info.get("litellm_provider")) in _LOCAL
        prices = [info.get("input_cost_per_token"), info.get("output_cost_per_token")]
        # Its tables hold 0 where a price is not known; only what runs at home is free.
        known = is_local or all(prices)
        return Limits(
            context_tokens=self.context_tokens or int(info.get("max_input_tokens") or 0),
            answer_tokens=int(info.get("max_output_tokens") or 0),
            prompt_price=float(prices[0] or 0) if known else None,
            answer_price=float(prices[1] or 0) if known else None,
        )

    def _info(self) -> dict[str, Any]:
        table = self._litellm.model_cost
        for name in (self.name, self.name.partition("/")[2]):
            if name in table:
                return dict(table[name])
        return {"litellm_provider": self.name.partition("/")[0]}

    def tokens(self, text: str) -> int:
        return int(self._litellm.token_counter(model="gpt-4o", text=text)) if text else 0

    def ask(self, messages: Sequence[Message], answer_tokens: int, seconds: float) -> Answer:
        """See Model. A rate limit waits as the server asks, with jitter; server errors and broken
        connections are retried, other refusals are not."""
        end = time.monotonic() + seconds
        for attempt in range(self.max_retries + 1):
            left = end - time.monotonic()
            if left <= 0:
                raise ModelFailedError("the time for asking is over; run it again for the rest")
            result = self._once(messages, answer_tokens, min(self.timeout, left))
            if isinstance(result, Answer):
                return result
            wait = _seconds_to_wait(result, self.retry_wait, attempt)
            if wait is None or attempt == self.max_retries:
                raise self._failure(result)
            if wait > min(_LONGEST_WAIT, end - time.monotonic()):
                raise ModelFailedError(
                    f"{self.name} asks to wait {wait:.0f} seconds; run it again then", is_final=True
                )
            self.sleep(wait)
        raise AssertionError("the last try returns or raises")

    def _once(
        self, messages: Sequence[Message], answer_tokens: int, timeout: float
    ) -> Answer | BaseException:
        litellm = self._litellm
        import httpx
        import openai  # litellm's errors are of its kinds

        try:
            reply = litellm.completion(
                model=self.name,
                messages=[{"role": one.role, "content": one.text} for one in messages],
                api_key=self.api_key or None,
                api_base=self.api_base or None,
                max_tokens=answer_tokens,
                temperature=0,
                timeout=timeout,
                stream=False,
                num_retries=0,
                max_retries=0,
            )
        except (openai.OpenAIError, httpx.HTTPError, OSError) as error:
            return error
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            return error  # what litellm trips over in an answer that is none
        return _answer(reply)

    @cached_property
    def _litellm(self) -> Any:
        # The first makes it use the price table it came with instead of fetching one; the second
        # keeps it from loading a .env file of the current folder, that is of the repository.
        os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
        os.environ["LITELLM_MODE"] = "PRODUCTION"
        try:
            import litellm
        except ImportError:
            raise ModelFailedError(MISSING, is_final=True) from None
        litellm.suppress_debug_info = True
        litellm.drop_params = True  # models that know no temperature
        litellm.disable_hf_tokenizer_download = True
        litellm.turn_off_message_logging = True
        litellm.telemetry = False
        for hooks in ("input_callback", "success_callback", "failure_callback", "callbacks"):
            setattr(litellm, hooks, [])
        for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        return litellm

    def _failure(self, error: BaseException) -> ModelFailedError:
        status = _status(error)
        said = " ".join(str(error).split())
        if self.api_key:
            said = said.replace(self.api_key, "***")
        advice = {
            401: "check LLM_API_KEY",
            403: "check LLM_API_KEY",
            404: "check LLM_MODEL and LLM_API_BASE",
            429: "run it again later",
        }.get(status, "run it again")
        too_long = type(error).__name__ == "ContextWindowExceededError"
        return ModelFailedError(
            f"{self.name} did not answer ({said[:200]}); {advice}",
            is_final=status in _FINAL,
            is_too_long=too_long,
        )


def _answer(reply: Any) -> Answer:
    choice = reply.choices[0]
    usage = getattr(reply, "usage", None)
    return Answer(
        text=choice.message.content or "",
        is_whole=choice.finish_reason != "length",
        prompt_tokens=int(getattr(usage, "prompt_tokens", 0) or 0),
        answer_tokens=int(getattr(usage, "completion_tokens", 0) or 0),
    )


def _status(error: BaseException) -> int:
    """The HTTP status of a failure; 500 for what never got so far."""
    return int(getattr(error, "status_code", None) or 500)


def _seconds_to_wait(error: BaseException, first: float, attempt: int) -> float | None:
    """How long before the next try; None where another one would fail the same way."""
    status = _status(error)
    if status != 429 and status != 408 and status < 500:
        return None
    asked = _retry_after(error) if status in (429, 503) else None
    spread = 1 + random.random() / 4  # so that many do not come back at the same moment
    return (asked if asked is not None else first * 2**attempt) * spread


def _retry_after(error: BaseException) -> float | None:
    """What the server asked for in seconds (RFC 9110, 10.2.3); a date counts as not asked."""
    for headers in (
        getattr(error, "litellm_response_headers", None),
        getattr(getattr(error, "response", None), "headers", None),
    ):
        value = headers.get("retry-after") if headers is not None else None
        try:
            return max(0.0, float(value)) if value is not None else None
        except ValueError:
            continue
    return None
