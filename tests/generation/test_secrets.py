"""What must not leave the machine, and what may stay."""

from __future__ import annotations

import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.environments import ROOT
from twine_hooks.generation.secrets import PLACEHOLDER, redact

_RANDOM = random.Random(7)


def _some(length, alphabet=string.ascii_letters + string.digits):
    return "".join(_RANDOM.choice(alphabet) for _ in range(length))


HEX = "0123456789abcdef"
# Made up here, so that no scanner takes this file for a leak.
SECRETS = {
    "aws": "AKIA" + _some(16, string.ascii_uppercase + string.digits),
    "github": "ghp_" + _some(36),
    "github fine": "github_pat_" + _some(60),
    "gitlab": "glpat-" + _some(20),
    "slack": "xoxb-" + _some(12, string.digits) + "-" + _some(24),
    "slack hook": "https://hooks.slack.com/services/T0000000/B0000000/" + _some(24),
    "anthropic": "sk-ant-api03-" + _some(40),
    "openai": "sk-" + _some(48),
    "openai project": "sk-proj-" + _some(60),
    "google": "AIza" + _some(35),
    "npm": "npm_" + _some(36),
    "pypi": "pypi-AgEIcHlwaS5vcmc" + _some(60),
    "stripe": "sk_live_" + _some(24),
    "jwt": f"eyJ{_some(20)}.eyJ{_some(30)}.{_some(40)}",
    "sendgrid": f"SG.{_some(22)}.{_some(43)}",
    "telegram": "123456789:AA" + _some(33),
    "huggingface": "hf_" + _some(34),
    "digitalocean": "dop_v1_" + _some(64, HEX),
    "databricks": "dapi" + _some(32, HEX),
    "mailgun": "key-" + _some(32, HEX),
    "azure": "AccountKey=" + _some(86) + "==",
}


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize("form", ['x = "{}"', "curl -H 'Authorization: Bearer {}'", "# {}", "{}"])
def test_tokens_of_providers_are_replaced(kind, form):
    secret = SECRETS[kind]
    result = redact("import os\n" + form.format(secret) + "\nrest = 1\n")
    assert secret.removeprefix("AccountKey=")[6:] not in result.text
    assert PLACEHOLDER in result.text
    assert result.text.startswith("import os\n")
    assert result.text.endswith("\nrest = 1\n")
    assert result.found == 1


@pytest.mark.parametrize(
    "line",
    [
        'PASSWORD = "hunter2-is-9-good"',
        'db_password: "Tr0ub4dor&3x"',
        "API_KEY = 'd8e8fca2dc0f896fd7cb4cb0031ba249'",
        '"client_secret": "q8Yh2LmZ0pWs"',
        'auth_token := "5f4dcc3b5aa765d61d83"',
        "postgres://app:s3cr3t@db.internal:5432/x",
        f'blob = "{_some(44)}"',
    ],
)
def test_values_that_are_named_or_look_like_secrets_are_replaced(line):
    assert redact(line).found == 1


@pytest.mark.parametrize(
    "line",
    [
        'password = os.environ["DB_PASSWORD"]',
        'token = tokens.next_token(stream, "utf-8")',
        "def login(user: str, password: str = None) -> Token:",
        "self.api_key = api_key",
        'TOKEN_URL = "https://example.com/oauth/token"',
        "secret_name: Optional[str]",
        'token_kind = "IDENTIFIER"',
        'SHA = "da39a3ee5e6b4b0d3255bfef95601890afd80709"',
        'name = "a_rather_long_name_of_some_function_in_a_test"',
        "https://user:${PASSWORD}@host/",
        "git@github.com:owner/name.git",
        'ALPHABET = "abcdefghijklmnopqrstuvwxyz"',
    ],
)
def test_code_is_left_alone(line):
    assert redact(line).text == line


def test_a_key_in_a_source_keeps_the_number_of_lines():
    body = "\n".join(_some(64) for _ in range(5))
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----"
    source = f'KEY = """{key}"""\n' + "def f():\n    return 1\n" * 60
    result = redact(source)
    assert body.split("\n")[2] not in result.text
    assert result.text.count("\n") == source.count("\n")
    assert not result.is_private_key
    assert redact(key + "\n").is_private_key
    assert redact(key.rpartition("\n")[0]).is_private_key, "also one that was cut off"


def test_a_source_that_only_knows_how_keys_begin_is_not_swallowed():
    source = 'BEGIN = "-----BEGIN PRIVATE KEY-----"\ndef f():\n    return g(1)\n' * 2
    source += 'END = "-----END PRIVATE KEY-----"\n'
    assert redact(source).text == source


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.sampled_from("aB3=:'\"\n -_/@.xy\r-BEGIN"), max_size=200))
def test_lines_are_never_lost_and_redacting_twice_changes_nothing(text):
    once = redact(text)
    assert once.text.count("\n") == text.count("\n")
    assert redact(once.text).text == once.text


def test_our_own_sources_hold_next_to_nothing_to_redact():
    found = {
        path.name: redact(path.read_text()).found
        for path in sorted((ROOT / "twine_hooks").rglob("*.py"))
    }
    assert sum(found.values()) <= 3, {name: n for name, n in found.items() if n}
