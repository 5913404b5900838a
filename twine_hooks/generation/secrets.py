"""Takes secrets out of a text before it leaves the machine; knows nothing of where it goes.

The forms of tokens follow what their providers publish. What is no secret and looks like one is
replaced too: a document loses nothing by it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import NamedTuple

PLACEHOLDER = "REDACTED"

_TOKENS = {
    "AWS access key": r"(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",
    "GitHub token": r"(?:gh[pousr]_[0-9A-Za-z]{30,}|github_pat_[0-9A-Za-z_]{40,})",
    "GitLab token": r"gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[0-9A-Za-z_-]{18,}",
    "Slack token": r"xox[abeoprs]-[0-9A-Za-z-]{10,}",
    "Anthropic key": r"sk-ant-[0-9A-Za-z_-]{20,}",
    "OpenAI key": r"sk-(?:proj-|svcacct-|admin-)?[0-9A-Za-z_-]{20,}",
    "Google API key": r"AIza[0-9A-Za-z_-]{35}",
    "Google OAuth": r"(?:ya29\.[0-9A-Za-z_-]{20,}|GOCSPX-[0-9A-Za-z_-]{20,})",
    "npm token": r"npm_[0-9A-Za-z]{30,}",
    "PyPI token": r"pypi-[0-9A-Za-z_-]{40,}",
    "Stripe key": r"(?:[rs]k_(?:live|test)|whsec)_[0-9A-Za-z]{16,}",
    "JSON web token": r"eyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}",
    "SendGrid key": r"SG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}",
    "Twilio key": r"(?:AC|SK)[0-9a-f]{32}\b",
    "Telegram token": r"\d{8,10}:AA[0-9A-Za-z_-]{32,}",
    "Hugging Face token": r"hf_[0-9A-Za-z]{30,}",
    "DigitalOcean token": r"do[opr]_v1_[0-9a-f]{40,}",
    "Databricks token": r"dapi[0-9a-f]{32}\b",
    "Shopify token": r"shp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}",
    "Mailgun key": r"key-[0-9a-f]{32}\b",
    "Azure account key": r"AccountKey=[0-9A-Za-z+/]{60,}={0,2}",
    "Linear key": r"lin_api_[0-9A-Za-z]{30,}",
    "age key": r"AGE-SECRET-KEY-1[0-9A-Z]{50,}",
}
_ADDRESSES = {
    "Slack webhook": r"https://hooks\.slack\.com/(?:services|workflows)/[\w/+-]{20,}",
    "Discord webhook": r"https://discord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}",
}
# A token begins at a word's border: asked once, not for each form, it takes a tenth of the time.
_ALL_TOKENS = re.compile("|".join([rf"\b(?:{'|'.join(_TOKENS.values())})", *_ADDRESSES.values()]))
# The lines of a key, not the code around two constants that only hold its first and last line.
_PEM = re.compile(
    r"""-----BEGIN\ ([A-Z0-9 ]*PRIVATE\ KEY(?:\ BLOCK)?)-----
        (?:[\w+/=\s:,."'\\-]*?-----END\ \1----- | (?:[\s"'\\nr]*[A-Za-z0-9+/=]{8,}(?![\w(]))+)""",
    re.VERBOSE,
)
_URL_PASSWORD = re.compile(r"(?<=://)([^\s/:@\"'`]*):([^\s/@\"'`{}$<>%]+)@(?=[\w\[])")
_NAMED = re.compile(
    r"""(?<![\w.-])  # what begins later in a word has been looked at already
        (?P<name>[\w.-]*(?:secret|passw(?:or)?d|passphrase|token|api_?-?key|auth_?key|credential
        |private_?-?key|access_?-?key|client_?-?key|signing_?-?key)[\w.-]*)
        (?P<between>["']?\s*(?:[:=]|=>|:=)\s*(?:[rbf]?["'])?)
        (?P<value>[^\s"'`,;(){}\[\]<>$%]{8,})""",
    re.VERBOSE | re.IGNORECASE,
)
_QUOTED = re.compile(r"""(?<=["'])[A-Za-z0-9+/_=-]{24,}(?=["'])""")
_WORD = re.compile(r"[A-Za-z][a-z]{3,}")


class Redacted(NamedTuple):
    """``text`` has as many lines as before. ``found`` counts what was taken out."""

    text: str
    found: int
    is_private_key: bool  #: the whole file is one: do not send it at all


def redact(text: str) -> Redacted:
    """The text with a placeholder for each secret."""
    found = 0

    def placeholder(match: re.Match[str]) -> str:
        nonlocal found
        found += 1
        return PLACEHOLDER + "\n" * match[0].count("\n")

    keys = sum(len(match[0]) for match in _PEM.finditer(text))
    text_out = _PEM.sub(placeholder, text)
    text_out = _ALL_TOKENS.sub(placeholder, text_out)
    text_out, urls = _URL_PASSWORD.subn(rf"\1:{PLACEHOLDER}@", text_out)

    def named(match: re.Match[str]) -> str:
        nonlocal found
        if not _is_secret_value(match["value"], match["between"]):
            return match[0]
        found += 1
        return match["name"] + match["between"] + PLACEHOLDER

    text_out = _NAMED.sub(named, text_out)

    def quoted(match: re.Match[str]) -> str:
        return placeholder(match) if _is_random(match[0]) else match[0]

    text_out = _QUOTED.sub(quoted, text_out)
    return Redacted(text_out, found + urls, keys * 2 > len(text.strip()) > 0)


def holds_secret(text: str) -> bool:
    """Whether a text holds a token or key of a known form."""
    return bool(_ALL_TOKENS.search(text) or _PEM.search(text))


def _is_secret_value(value: str, between: str) -> bool:
    """A value given as text, not an expression and not a name of where the secret is kept."""
    if PLACEHOLDER in value:
        return False
    if not between.rstrip().endswith(('"', "'")) and not _is_random(value):
        return False  # code: a call, a variable, a type
    has_digit = any(one.isdigit() for one in value)
    is_mixed = value.lower() != value and value.upper() != value
    return _entropy(value) >= 2.5 and (has_digit or (is_mixed and not _WORD.search(value)))


def _is_random(value: str) -> bool:
    """Letters and digits that no person typed: high entropy, no words, more than one class."""
    classes = sum(
        any(test(one) for one in value) for test in (str.islower, str.isupper, str.isdigit)
    )
    worded = sum(len(word) for word in _WORD.findall(value))
    return classes == 3 and len(value) >= 20 and _entropy(value) >= 4.0 and worded * 2 < len(value)


def _entropy(value: str) -> float:
    """Bits a character (Shannon)."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())
