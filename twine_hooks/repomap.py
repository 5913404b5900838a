"""A map of a project in so many tokens: signatures of what matters most, by file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from twine_hooks.analysis.facts import Definition
from twine_hooks.chunks import tokens_of
from twine_hooks.importance import ranked
from twine_hooks.symbol_graph import make_symbol_graph
from twine_hooks.view import View

_LONGEST = 120  #: characters of a signature
_TRIES = 24  #: steps of the search for how much fits


def repomap(view: View, max_tokens: int, focus: Sequence[str] = ()) -> str:
    """The map as text of at most ``max_tokens``, files sorted.

    ``focus`` are sources: what they use, directly or not, matters then.
    """
    found, _ = ranked(make_symbol_graph(view), "pagerank", "symbol", frozenset(focus))
    symbols = [(one.node.path, one.node.qualified) for one in found]
    least, most = 0, len(symbols)
    for _ in range(_TRIES):
        if least >= most:
            break
        middle = (least + most + 1) // 2
        if tokens_of(_text(view, symbols[:middle])) <= max_tokens:
            least = middle
        else:
            most = middle - 1
    return _text(view, symbols[:least])


def _text(view: View, symbols: Iterable[tuple[str, str]]) -> str:
    chosen: dict[str, set[str]] = {}
    for path, name in symbols:
        chosen.setdefault(path, set()).add(name)
    return "\n".join(_of_file(view, path, chosen[path]) for path in sorted(chosen))


def _of_file(view: View, path: str, names: set[str]) -> str:
    definitions = view.facts[path].definitions
    wanted: set[int] = set()
    for index, one in enumerate(definitions):
        while one.qualified in names and index >= 0 and index not in wanted:
            wanted.add(index)  # with what it stands in, or nobody knows whose it is
            index = definitions[index].parent
            if index < 0:
                break
            names = names | {definitions[index].qualified}
            one = definitions[index]
    lines = [_line(definitions, index) for index in sorted(wanted)]
    return "".join(f"{line}\n" for line in [f"{path}:", *lines])


def _line(definitions: Sequence[Definition], index: int) -> str:
    one = definitions[index]
    depth, parent = 1, one.parent
    while parent >= 0:
        depth, parent = depth + 1, definitions[parent].parent
    text = " ".join((one.signature or one.name).split())
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    return f"{'  ' * depth}{short}"
