"""`python -m twine_hooks`, which works whoever owns the scripts on PATH."""

from __future__ import annotations

from twine_hooks.cli import script

if __name__ == "__main__":
    script()
