"""Where the files lie that are shipped beside the code; knows nothing of what is in them."""

from __future__ import annotations

from pathlib import Path

from twine_hooks.errors import TemplateError

_PACKAGE = Path(__file__).resolve().parent


def templates_folder(package: Path = _PACKAGE) -> Path:
    """The folder that holds one folder per template, e.g. `default`.

    A wheel carries it inside the package; a checkout and an editable install have it beside.
    Raises TemplateError where it is in neither place.
    """
    places = (package / "_templates", package.parent / "templates")
    for place in places:
        if place.is_dir():
            return place
    raise TemplateError(
        f"the templates that belong to {package} are missing: "
        "run `pip install --force-reinstall --no-deps codetwine`"
    )
