"""`python -m twine_hooks`, which works whoever owns the scripts on PATH."""

from __future__ import annotations

import sys

from twine_hooks.cli import main

if __name__ == "__main__":
    sys.exit(main())
