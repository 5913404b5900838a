"""Generated repositories of Python files that import each other; the same for the same number."""

from __future__ import annotations

import subprocess
from pathlib import Path

_PER_PACKAGE = 50


def generate(root: Path, files: int) -> None:
    """Write and commit ``files`` Python files in packages of 50, each using up to four others."""
    for number in range(files):
        package = root / "src" / f"package{number // _PER_PACKAGE}"
        if number % _PER_PACKAGE == 0:
            package.mkdir(parents=True)
            (package / "__init__.py").write_text(f'"""Package {number // _PER_PACKAGE}."""\n')
        (package / f"module{number}.py").write_text(_source(number))
    git(root, "init", "-q", ".")
    git(root, "config", "user.name", "Benchmark")
    git(root, "config", "user.email", "benchmark@example.com")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Generated")


def _source(number: int) -> str:
    used = sorted({number // divisor for divisor in (2, 3, 5, 7)} - {number})
    imports = "".join(
        f"from package{one // _PER_PACKAGE}.module{one} import Part{one}, compute{one}\n"
        for one in used
    )
    calls = "\n".join(f"        total += compute{one}(self.size)" for one in used)
    return f'''"""Module {number} of a generated project."""

{imports}
LIMIT = {number}


class Part{number}:
    """A part with a size."""

    def __init__(self, size: int = {number}) -> None:
        self.size = size

    def total(self) -> int:
        """The sum over all that this part uses."""
        total = 0
{calls or "        total += 1"}
        return total


def compute{number}(value: int) -> int:
    """Compute something from a value."""
    # A plain comment.
    if value > LIMIT:
        return value - LIMIT
    return Part{number}(value).size
'''


def git(root: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=root, check=True, stdout=subprocess.DEVNULL)
