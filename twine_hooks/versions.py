"""The versions of what is installed, for `--version`, `doctor` and the log of a crash."""

from __future__ import annotations

# What a report of a bug is asked for first.
_REPORTED = (
    "codetwine",
    "blake3",
    "click",
    "litellm",
    "pygit2",
    "ruamel.yaml",
    "tree-sitter",
    "tree-sitter-language-pack",
    "twine",
)


def installed(distribution: str) -> str | None:
    """The version of a distribution in this environment; None where it is not installed."""
    from importlib import metadata  # costs 20 ms, and the hook's fast path has no use for it

    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def report() -> dict[str, str]:
    """Python, platform and the distributions that matter, by name; "-" where not installed."""
    import platform

    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{name: installed(name) or "-" for name in _REPORTED},
    }


def installer(distribution: str) -> str | None:
    """The program that installed a distribution (pip, uv …), where that is recorded."""
    from importlib import metadata

    try:
        text = metadata.distribution(distribution).read_text("INSTALLER")
    except metadata.PackageNotFoundError:
        return None
    return (text or "").strip() or None
