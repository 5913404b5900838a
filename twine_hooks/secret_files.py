"""Which files are there to hold a secret, by name and first bytes; knows no text of code."""

from __future__ import annotations

import re

_NAMES = re.compile(
    r"""(?x)
      \.env(?:\.[\w.-]+)? | [\w.-]+\.env | \.envrc
    | .*\.(?:pem|key|p12|pfx|jks|keystore|keytab|kdbx|ppk|ovpn|tfvars|tfstate)
    | id_(?:rsa|dsa|ecdsa|ed25519)(?:_\w+)?
    | \.(?:netrc|npmrc|pypirc|htpasswd|pgpass|dockercfg|git-credentials|s3cfg|boto)
    | (?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|txt|properties))?
    | service[-_]account.*\.json
    """,
    re.IGNORECASE,
)
#: Names of the first kind that are there to be copied and filled in.
_SAMPLES = re.compile(r".*\.(?:example|sample|template|tmpl|dist|defaults?)", re.IGNORECASE)
_PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_BEGINNING = 4096


def holds_secrets(path: str, data: bytes) -> bool:
    """Whether a file is known to hold secrets: `.env`, a key, a password file."""
    name = path.rpartition("/")[2]
    if _NAMES.fullmatch(name) and not _SAMPLES.fullmatch(name):
        return True
    return _PRIVATE_KEY.match(data[:_BEGINNING].lstrip()) is not None
