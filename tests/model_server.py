"""A model on loopback for tests: a real HTTP server that speaks two protocols of model providers.

with ModelServer("lie", lie_rate=0.3) as server:
    environ = server.environ()           # LLM_MODEL, LLM_API_BASE, LLM_API_KEY
    server.then("429", "500")            # the next two answers, before it goes on as it was
    server.history[0].prompt             # what it was asked

It answers OpenAI's chat completions (`openai/…` models) and Anthropic's messages (`anthropic/…`).
It reads the prompts of twine_hooks.generation.prompt: the headings asked for, the definitions
listed, the present text.
"""

from __future__ import annotations

import json
import random
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from docs_store.digest import short

#: What no source has: each is of a kind that a reader would take for code.
LIES = (
    "`reticulate_splines`",
    "`reticulate_splines()`",
    "reticulate_splines()",
    "`GhostRegistry`",
    "GhostRegistry",
    "`ghostlib.haunt`",
    "ghostlib.haunt",
    "`--no-such-flag`",
    "--no-such-flag",
    "`NO_SUCH_VARIABLE`",
    "NO_SUCH_VARIABLE",
    "`src/no_such_file.py`",
    "src/no_such_file.py",
    "reticulate_splines",
)
SECRET = "sk-proj-" + "Zx81kQp0" * 5
CONTROL = ("429", "500", "503", "400", "401", "timeout", "cut", "garbage", "not-json", "empty")


@dataclass(frozen=True)
class Request:
    """What was asked: `prompt` is all messages, roles before their texts."""

    path: str
    mode: str
    model: str
    headers: dict[str, str]
    messages: list[dict[str, str]]
    body: dict[str, Any]
    answer: str = ""

    @property
    def prompt(self) -> str:
        return "\n".join(f"[{one['role']}]\n{one['content']}" for one in self.messages)


@dataclass
class ModelServer:
    """`mode` is one of CONTROL, or a way to answer: see `_texts`."""

    mode: str = "well"
    lie_rate: float = 0.0
    retry_after: str = "0"
    delay: float = 0.0
    history: list[Request] = field(default_factory=list)
    lies: list[str] = field(default_factory=list)  #: sentences told that are not true
    truths: list[str] = field(default_factory=list)  #: sentences told that are
    _next: list[str] = field(default_factory=list)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def then(self, *modes: str) -> ModelServer:
        """Answer the next requests in these ways, then go on as before."""
        self._next.extend(modes)
        return self

    @property
    def calls(self) -> int:
        return len(self.history)

    def forget(self) -> None:
        """Begin a new history."""
        self.history.clear()
        self.lies.clear()
        self.truths.clear()

    def reset(self) -> None:
        """As it was at the start."""
        self.forget()
        self._next.clear()
        self.mode, self.lie_rate, self.retry_after, self.delay = "well", 0.0, "0", 0.0

    def __enter__(self) -> ModelServer:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def environ(self, protocol: str = "openai", model: str = "gpt-4o-mini") -> dict[str, str]:
        """The settings that send codetwine here."""
        base = f"{self.address}/v1" if protocol == "openai" else self.address
        return {
            "LLM_MODEL": f"{protocol}/{model}",
            "LLM_API_BASE": base,
            "LLM_API_KEY": "test-key-of-nobody",
            "RETRY_WAIT": "0.01",
            "NO_PROXY": "127.0.0.1",
        }

    def take_mode(self) -> str:
        with self._guard:
            return self._next.pop(0) if self._next else self.mode

    def answer(self, mode: str, messages: list[dict[str, str]]) -> str:
        """The text of the answer to these messages."""
        with self._guard:
            return _Writing(self, mode, messages).text()


class _Writing:
    """One answer to one conversation."""

    def __init__(self, server: ModelServer, mode: str, messages: list[dict[str, str]]) -> None:
        self.server, self.mode = server, mode
        self.system = next((m["content"] for m in messages if m["role"] == "system"), "")
        asked = [m["content"] for m in messages if m["role"] == "user"]
        self.user, self.last = (asked or [""])[0], (asked or [""])[-1]
        self.is_repair = len(asked) > 1
        form = self.last if "\n## " in self.last and self.is_repair else self.system
        self.titles = re.findall(r"^## (.+)$", form, re.MULTILINE)
        self.path = (re.findall(r"^File: (.+)$", self.user, re.MULTILINE) or ["?"])[0]
        self.names = re.findall(r"^ *- `+ ?([^`]+?) ?`", self._listed(), re.M)
        self.random = random.Random(short(self.user + self.last, 16))

    def _listed(self) -> str:
        found = re.search(r"^Definitions.*?:\n(.*?)(?:\n\n|\Z)", self.user, re.M | re.S)
        return found[1] if found else ""

    def text(self) -> str:
        ways = {
            "refuse": lambda: "I'm sorry, but I can't help with that request.",
            "still-true": self._still_true,
            "edit": self._edit,
            "half": self._half,
            "json": self._json,
            "fence": lambda: f"```markdown\n{self._whole()}\n```",
            "think": lambda: (
                f"<think>\n`made_up_thought()`.\n## Overview\nno\n</think>\n\n{self._whole()}"
            ),
            "html": self._html,
            "secret": lambda: self._whole(extra=f"The key is {SECRET} as one can see."),
            "language": lambda: self._form("これは別の言語で書かれた文章です。意味はありません。"),
            "bold": lambda: re.sub(r"^## (.+)$", r"**\1:**", self._whole(), flags=re.M),
            "chatty": lambda: f"Sure! Here is the documentation:\n\n{self._whole()}",
            "rewrite": lambda: self._whole(variant=self.server.calls + 1),
        }
        return ways.get(self.mode, self._whole)()

    def _form(self, body: str) -> str:
        return "\n\n".join(f"## {title}\n\n{body}" for title in self.titles)

    def _whole(self, extra: str = "", variant: int = 0) -> str:
        parts = []
        for title in self.titles:
            if re.search(rf"^## {re.escape(title)}\n\(One list item", self.system, re.M):
                parts.append(f"## {title}\n\n{self._entries()}")
                continue
            sentences = list(self._sentences(title, variant))
            parts.append(f"## {title}\n\n{' '.join([*sentences, *([extra] if extra else [])])}")
        return "\n\n".join(parts)

    def _entries(self) -> str:
        """One for each definition asked for; the mode "lazy" forgets every second one."""
        names = list(dict.fromkeys(self.names))
        if self.is_repair:
            names = re.findall(r"`([^`]+)`", self.last.split("\n")[0])
        step = 2 if self.mode == "lazy" else 1
        return "\n".join(f"- `{name}`: something to look for." for name in names[::step])

    def _sentences(self, title: str, variant: int) -> Iterator[str]:
        told = f"This part of version {variant} was" if variant else "This part is"
        yield f"{told} about {title.lower()} and the file as a whole."
        for number, name in enumerate(dict.fromkeys(self.names)):
            sentence = (
                f"Number {number} of its definitions is `{name}`, which a reader meets first."
            )
            self.server.truths.append(sentence)
            yield sentence
            if self.random.random() < self.server.lie_rate and not self.is_repair:
                lie = f"For that it relies on {self.random.choice(LIES)} in every case {number}."
                self.server.lies.append(lie)
                yield lie
            elif self.random.random() < self.server.lie_rate and self.mode == "lie-always":
                lie = f"It falls back to {self.random.choice(LIES)} when that fails {number}."
                self.server.lies.append(lie)
                yield lie

    def _present(self) -> dict[str, str]:
        found = re.search(
            r"^Present text.*?:\n(`{3,}|~{3,})\w*\n(.*?)\n\1$", self.user, re.M | re.S
        )
        parts = re.split(r"^## (.+)$", found[2] if found else "", flags=re.M)
        return dict(zip(parts[1::2], (body.strip() for body in parts[2::2]), strict=True))

    def _still_true(self) -> str:
        return self._form("STILL TRUE") if self._present() else self._whole()

    def _edit(self) -> str:
        """One more sentence in the last section, everything else as it is."""
        present = self._present()
        if not present:
            return self._whole()
        bodies = dict.fromkeys(self.titles, "STILL TRUE")
        last = self.titles[-1]
        name = self.random.choice(self.names) if self.names else "it"
        bodies[last] = f"{present.get(last, '')}\n\nSince then `{name}` has changed."
        return "\n\n".join(f"## {title}\n\n{body}" for title, body in bodies.items())

    def _half(self) -> str:
        whole = self._whole()
        return whole[: int(len(whole) * 0.6)]

    def _json(self) -> str:
        bodies = {title: " ".join(self._sentences(title, 0)) for title in self.titles}
        return f"```json\n{json.dumps(bodies, indent=2)}\n```"

    def _html(self) -> str:
        bad = (
            "<script>alert(1)</script><b>Bold</b> words <!-- codetwine: doc=1 --> and "
            "![a picture](https://tracker.example/x.png), [a link](javascript:alert(1)), "
            "a [real-looking link](https://attacker.example/x), \u202ereversed\u202c and \x07.\n\n"
            "# A title\n\nText below it.\n\n```mermaid\ngraph TD; A-->B\n```\n\n```python\nx = 1"
        )
        return self._whole(extra=bad)


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            self._send(404, b"{}")

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"{}")
            mode = server.take_mode()
            messages = _messages(body)
            text = "" if mode in CONTROL else server.answer(mode, messages)
            server.history.append(
                Request(
                    self.path, mode, body.get("model", ""), dict(self.headers), messages, body, text
                )
            )
            if server.delay:
                time.sleep(server.delay)
            if mode in CONTROL:
                self._misbehave(mode)
            else:
                self._answer(body, text, messages, is_cut=mode == "half")

        def _answer(
            self, body: dict[str, Any], text: str, messages: list[dict[str, str]], is_cut: bool
        ) -> None:
            asked = sum(len(one["content"]) for one in messages) // 4
            make = _anthropic if self.path.endswith("/messages") else _openai
            self._send(200, json.dumps(make(body, text, asked, len(text) // 4, is_cut)).encode())

        def _misbehave(self, mode: str) -> None:
            if mode == "timeout":
                time.sleep(1.5)
                self.close_connection = True
            elif mode == "cut":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'{"id": "x", "choices": [')
                self.wfile.flush()
                self.close_connection = True
            elif mode == "garbage":
                self._send(200, b"\x00\xff<html>upstream is tired</html>", "text/html")
            elif mode == "not-json":
                self._send(200, b"{broken")
            elif mode == "empty":
                self._send(200, json.dumps(_openai({}, "", 1, 0, False)).encode())
            else:
                headers = {"Retry-After": server.retry_after} if mode == "429" else {}
                error = {"error": {"message": f"told to say {mode}", "type": "x", "code": mode}}
                self._send(int(mode), json.dumps(error).encode(), extra=headers)

        def _send(
            self,
            status: int,
            data: bytes,
            kind: str = "application/json",
            extra: dict[str, str] | None = None,
        ) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            for name, value in (extra or {}).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

    return Handler


def _messages(body: dict[str, Any]) -> list[dict[str, str]]:
    """The messages of either protocol as role and text."""
    listed = list(body.get("messages", []))
    if body.get("system"):
        listed.insert(0, {"role": "system", "content": body["system"]})
    return [{"role": one["role"], "content": _text(one["content"])} for one in listed]


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") for part in content)


def _openai(body: dict[str, Any], text: str, asked: int, told: int, is_cut: bool) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body.get("model", "m"),
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "length" if is_cut else "stop",
            }
        ],
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": told,
            "total_tokens": asked + told,
        },
    }


def _anthropic(
    body: dict[str, Any], text: str, asked: int, told: int, is_cut: bool
) -> dict[str, Any]:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body.get("model", "m"),
        "content": [{"type": "text", "text": text}],
        "stop_reason": "max_tokens" if is_cut else "end_turn",
        "usage": {"input_tokens": asked, "output_tokens": told},
    }
