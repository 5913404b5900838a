"""The projects of the hook tests, and a merge of two branches in them."""

from __future__ import annotations

from tests.hooks.conftest import bare_project, project, scripts

__all__ = ["bare_project", "project", "scripts"]
