"""The projects of the hook tests, and GitHub."""

from __future__ import annotations

from tests.hooks.conftest import bare_project, project, scripts
from tests.review.conftest import github

__all__ = ["bare_project", "github", "project", "scripts"]
