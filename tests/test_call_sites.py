"""Which calls are chosen, whatever the order of files."""

from __future__ import annotations

from twine_hooks.analysis.facts import Links, Use
from twine_hooks.analysis.graph import Graph
from twine_hooks.call_sites import call_sites


def graph_of(*uses: tuple[str, str, str, tuple[int, ...]]) -> Graph:
    """(caller, symbol, kind, lines) of uses of src/a.py."""
    links: dict[str, tuple[Use, ...]] = {}
    for caller, symbol, kind, lines in uses:
        use = Use("src/a.py", symbol, kind, lines, "")
        links[caller] = (*links.get(caller, ()), use)
    return Graph({path: Links(uses=found) for path, found in links.items()})


def numbered(path: str) -> str:
    return "\n".join(f"  {path}:{number}" for number in range(1, 100))


def lines(symbols, graph, text_of=numbered):
    return [tuple(one) for one in call_sites("src/a.py", symbols, graph, text_of)]


def test_near_ones_first_tests_last_and_three_of_each():
    places = ("src/test_a.py", "far/x.py", "src/z.py", "src/b.py", "tests/b.py", "src/in/b.py")
    graph = graph_of(*((place, "f", "call", (1,)) for place in places))
    assert lines(["f"], graph) == [
        ("f", "src/b.py:1"),
        ("f", "src/z.py:1"),
        ("f", "src/in/b.py:1"),
    ]
    only_tests = graph_of(("tests/b.py", "f", "call", (2,)), ("src/a_test.go", "f", "call", (1,)))
    assert lines(["f"], only_tests) == [("f", "src/a_test.go:1"), ("f", "tests/b.py:2")]


def test_twelve_in_all_are_shared_fairly():
    names = [f"f{number}" for number in range(10)]
    graph = graph_of(*(("src/b.py", name, "call", (1, 2, 3)) for name in names))
    found = lines(names, graph)
    assert len(found) == 12
    assert {name for name, _ in found} == set(names)
    assert [name for name, _ in found] == sorted(name for name, _ in found)


def test_only_calls_of_what_is_asked_for_count():
    graph = graph_of(
        ("src/b.py", "f", "import", (1,)),
        ("src/b.py", "f", "read", (2,)),
        ("src/b.py", "g", "call", (3,)),
        ("src/b.py", "f", "call", (4,)),
    )
    assert lines(["f"], graph) == [("f", "src/b.py:4")]
    assert lines([], graph) == []


def test_equal_lines_are_told_once_and_a_file_is_read_once():
    read = []

    def text_of(path):
        read.append(path)
        return "f( x )\n\nf( x )\n" + "f(y)" + "y" * 500

    graph = graph_of(("src/b.py", "f", "call", (1, 3, 4)), ("src/c.py", "f", "call", (9,)))
    assert lines(["f"], graph, text_of) == [("f", "f( x )"), ("f", "f(y)" + "y" * 156)]
    assert read == ["src/b.py"]
