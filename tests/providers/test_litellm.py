"""The real litellm against a real server: what is retried, what is told, what is never done."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import threading

import pytest

from tests.environments import ROOT
from tests.model_server import ModelServer
from twine_hooks.providers.litellm import LiteLLM
from twine_hooks.providers.model import Message, ModelFailedError

if importlib.util.find_spec("litellm") is None:  # importing it here would make it fetch prices
    pytest.skip("litellm is not installed", allow_module_level=True)
HI = [Message("system", "## Summary"), Message("user", "hi")]
PROTOCOLS = [("openai", "gpt-4o-mini"), ("anthropic", "claude-sonnet-4-5")]


@pytest.fixture(scope="module")
def server():
    with ModelServer() as one:
        yield one


@pytest.fixture(params=PROTOCOLS, ids=["openai", "anthropic"])
def ask(request, server):
    server.forget()
    server.mode, server.retry_after = "well", "0"
    environ = server.environ(*request.param)
    waits = []

    def ask(seconds=60.0, timeout=1.0, retries=3):
        model = LiteLLM(
            environ["LLM_MODEL"],
            environ["LLM_API_KEY"],
            environ["LLM_API_BASE"],
            max_retries=retries,
            retry_wait=0.01,
            timeout=timeout,
            sleep=waits.append,
        )
        return model.ask(HI, 100, seconds)

    ask.waits = waits
    return ask


def test_an_answer_comes_with_its_tokens_and_one_request(ask, server):
    answer = ask()
    assert answer.text.startswith("## Summary\n\nThis part is about summary")
    assert answer.is_whole
    assert answer.answer_tokens == len(answer.text) // 4
    [request] = server.history
    assert request.messages[-1]["content"] == "hi"
    assert (request.body["max_tokens"], request.body["temperature"]) == (100, 0)
    assert not request.body.get("stream")


def test_an_answer_that_was_cut_off_says_so(ask, server):
    server.mode = "half"
    assert not ask().is_whole


def test_a_rate_limit_waits_as_the_server_asks(ask, server):
    server.retry_after = "7"
    server.then("429", "429")
    assert ask().text
    assert server.calls == 3
    assert all(7 <= wait <= 7 * 1.25 for wait in ask.waits)


def test_a_server_that_asks_for_an_hour_is_not_waited_for(ask, server):
    server.retry_after = "3600"
    server.mode = "429"
    with pytest.raises(ModelFailedError, match="asks to wait") as caught:
        ask()
    assert caught.value.is_final
    assert (server.calls, ask.waits) == (1, [])


@pytest.mark.parametrize("mode", ["500", "503", "timeout", "cut", "garbage", "not-json"])
def test_what_may_pass_is_tried_again_with_growing_waits(ask, server, mode):
    server.then(mode, mode)
    assert ask().text
    assert server.calls == 3
    assert ask.waits[0] < 0.0126 < 0.02 <= ask.waits[1] < 0.026


@pytest.mark.parametrize("mode", ["500", "cut", "garbage"])
def test_an_outage_ends_after_the_retries(ask, server, mode):
    server.mode = mode
    with pytest.raises(ModelFailedError, match="did not answer") as caught:
        ask(retries=2)
    assert server.calls == 3
    assert not caught.value.is_final
    assert "test-key" not in str(caught.value)


@pytest.mark.parametrize(("mode", "is_final"), [("400", False), ("401", True)])
def test_a_refusal_of_the_client_is_not_repeated(ask, server, mode, is_final):
    server.mode = mode
    with pytest.raises(ModelFailedError) as caught:
        ask()
    assert server.calls == 1
    assert caught.value.is_final is is_final


def test_the_time_for_all_tries_is_limited(ask, server):
    server.mode = "timeout"
    with pytest.raises(ModelFailedError):
        ask(seconds=1.5, timeout=1.0, retries=50)
    assert server.calls <= 3


def test_limits_and_prices_come_from_the_tables_on_this_machine():
    limits = LiteLLM("openai/gpt-4o-mini").limits()
    assert limits.context_tokens == 128_000
    assert limits.price(1_000_000, 0) == pytest.approx(0.15)
    unknown = LiteLLM("openai/of-our-own", context_tokens=4096).limits()
    assert (unknown.context_tokens, unknown.price(1, 1)) == (4096, None)
    assert LiteLLM("ollama/of-our-own").limits().price(1000, 1000) == 0
    assert 1000 < LiteLLM("openai/gpt-4o-mini").tokens("word " * 1000) < 1100


def test_threads_share_a_model(server):
    server.forget()
    server.mode = "well"
    environ = server.environ()
    model = LiteLLM(environ["LLM_MODEL"], "k", environ["LLM_API_BASE"])
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(model.ask(HI, 10, 60))) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == server.calls == 6


_ALONE = """if True:
    import socket, sys
    connect, asked = socket.socket.connect, []
    def noted(self, address, *args):
        asked.append(address[0])
        return connect(self, address, *args)
    socket.socket.connect = noted
    look = socket.getaddrinfo
    socket.getaddrinfo = lambda host, *a, **k: (asked.append(str(host)), look(host, *a, **k))[1]
    from twine_hooks.providers.litellm import LiteLLM
    from twine_hooks.providers.model import Message
    assert "litellm" not in sys.modules
    model = LiteLLM("openai/gpt-4o-mini", "k", sys.argv[1])
    print(len(model.ask([Message("user", "hello")], 10, 60).text) >= 0)
    model.limits(), model.tokens("some text")
    print(sorted(set(asked)))
    import litellm, os
    print(os.environ.get("STOLEN"), litellm.callbacks, litellm.success_callback)
"""


def test_it_talks_to_nobody_else_and_reads_no_env_file(server, tmp_path):
    server.forget()
    server.mode = "well"
    (tmp_path / ".env").write_text("STOLEN=1\nOPENAI_BASE_URL=http://attacker.example\n")
    done = subprocess.run(
        [sys.executable, "-c", _ALONE, server.environ()["LLM_API_BASE"]],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_PROXY": "127.0.0.1"},
        capture_output=True,
        text=True,
    )
    assert done.stdout.splitlines() == ["True", "['127.0.0.1']", "None [] []"], done.stderr
    assert done.stderr == ""


def test_without_litellm_the_next_step_is_named(tmp_path):
    (tmp_path / "litellm.py").write_text("raise ImportError('not here')")
    program = (
        "from twine_hooks.providers.litellm import LiteLLM\n"
        "from twine_hooks.providers.model import *\n"
        "try: LiteLLM('openai/x').ask([Message('user', 'x')], 1, 1)\n"
        "except ModelFailedError as e: import json; print(json.dumps([str(e), e.is_final]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
    )
    text, is_final = json.loads(done.stdout)
    assert "pip install 'codetwine[llm]'" in text
    assert is_final
