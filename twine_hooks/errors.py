"""The errors that a user of codetwine can meet; knows nothing of where they are raised.

CodetwineError
    GitError
    ConfigError
    TemplateError
    ProviderError
    ReviewError
"""

from __future__ import annotations


class CodetwineError(Exception):
    """Something the user can mend (exit 1).

    The message is one clear sentence that names the file or object and ends with the next step.
    """


class GitError(CodetwineError):
    """Git refused, or the repository is not in a state that we can work with."""


class ConfigError(CodetwineError):
    """The settings can't be read, or one of them makes no sense."""


class TemplateError(CodetwineError):
    """A document template is missing, incomplete or names what does not exist."""


class ProviderError(CodetwineError):
    """A model could not be reached, refused, or answered with something unusable."""


class ReviewError(CodetwineError):
    """A review can't be read, or the platform that it is posted to refuses it."""
