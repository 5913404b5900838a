"""The diagrams: limits of GitHub, cycles, any file name; and the formats for other programs."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.schemas import problems, schema
from twine_hooks.exporters import cytoscape, dot, graphml, jsonl, mermaid
from twine_hooks.file_graph import FileEdge, FileGraph

_NODE = re.compile(r'^ +(n\d+)\["((?:[\w ./,()-]|#\d+;)*)"\]$')
_EDGE = re.compile(r"^  (n\d+) --> (n\d+)$")
_OTHER = re.compile(
    r'^(?:graph LR|  subgraph c\d+\["in a circle"\]|  end|  classDef outside [\w:#,]+'
    r"|  class n\d+(?:,n\d+)* outside)$"
)


def graph_of(*edges, files=()):
    pairs = [edge.split(">") for edge in edges]
    names = sorted({*files, *(one for pair in pairs for one in pair)})
    found = [FileEdge(a, b, ("import",), ("f",), 1.0) for a, b in sorted(map(tuple, pairs))]
    return FileGraph("project", tuple(names), tuple(found))


def diagrams(graph):
    text = "\n".join(mermaid.lines(graph))
    return re.findall(r"^```mermaid\n(.*?)\n```$", text, re.M | re.S)


_part = st.text(st.sampled_from('ab"[]();#%é %`|<>\n\t-end{}'), min_size=1, max_size=4)
_path = st.lists(_part.filter(lambda one: one not in ("/",)), min_size=1, max_size=4).map("/".join)


@given(st.lists(_path, min_size=1, max_size=60, unique=True), st.randoms())
def test_any_diagram_is_within_the_limits_and_well_formed(files, random):
    edges = {(random.choice(files), random.choice(files)) for _ in range(random.randint(0, 400))}
    edges = sorted(pair for pair in edges if pair[0] != pair[1])
    graph = FileGraph(
        'a "project"', tuple(sorted(files)), tuple(FileEdge(a, b, (), (), 1.0) for a, b in edges)
    )
    for diagram in diagrams(graph):
        assert len(diagram) < 45_000
        lines = diagram.split("\n")
        nodes = [found[1] for line in lines if (found := _NODE.match(line))]
        drawn = [found.groups() for line in lines if (found := _EDGE.match(line))]
        assert len(nodes) + len(drawn) + sum(bool(_OTHER.match(one)) for one in lines) == len(lines)
        assert len(nodes) == len(set(nodes)) <= 25
        assert len(drawn) <= 60
        assert {one for pair in drawn for one in pair} <= set(nodes)


def test_folders_in_a_circle_share_a_box():
    [overview, *_] = diagrams(graph_of("a/x.py>b/y.py", "b/y.py>a/z.py", "c/w.py>a/x.py"))
    assert overview == (
        "graph LR\n"
        '  subgraph c0["in a circle"]\n'
        '    n0["a (2 files)"]\n'
        '    n1["b (1 file)"]\n'
        "  end\n"
        '  n2["c (1 file)"]\n'
        "  n0 --> n1\n"
        "  n1 --> n0\n"
        "  n2 --> n0"
    )


def test_a_neighbour_outside_is_one_grey_node():
    found = diagrams(graph_of("a/x.py>b/y.py", "a/x.py>b/z.py", "a/w.py>a/x.py"))[1]
    assert found == (
        "graph LR\n"
        '  n0["w.py"]\n'
        '  n1["x.py"]\n'
        '  n2["b/"]\n'
        "  n0 --> n1\n"
        "  n1 --> n2\n"
        "  classDef outside fill:#eee,stroke:#999,color:#555\n"
        "  class n2 outside"
    )


def test_a_folder_over_the_cap_is_a_table():
    text = "\n".join(mermaid.lines(graph_of(*(f"a/{n:02}.py>a/hub.py" for n in range(50)))))
    assert "| `hub.py` | 50 | 0 |\n| `00.py` | 0 | 1 |" in text
    assert "And 11 files more." in text


def test_the_largest_folders_are_opened_first():
    files = [f"big/{folder}/{n}.py" for folder in "abcde" for n in range(9)]
    files += [f"tiny{n}/x.py" for n in range(40)]
    [overview, *_] = diagrams(graph_of(files=files))
    assert '["big/a (9 files)"]' in overview
    assert len([line for line in overview.split("\n") if _NODE.match(line)]) == 25


def test_labels_say_what_the_name_says():
    assert mermaid.label('a "b" [c]; #d') == "a #34;b#34; #91;c#93;#59; #35;d"
    assert mermaid.label("\udcff.py") == "#92;udcff.py"
    assert mermaid.label("a\u202eb.py") == "ab.py"
    assert mermaid.label("x" * 200 + ".py") == f"#8230;{'x' * 117}.py"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("__init__.py", "#95;#95;init#95;#95;.py"),
        ("_private_/snake_case.py", "#95;private#95;/snake_case.py"),
        ("a-b/-c - d", "a-b/#45;c #45; d"),
        ("1. intro (2 files)", "1#46; intro (2 files)"),
        ("12) x/1.py", "12#41; x/1.py"),
        ("www.example.org/x", "www#46;example.org/x"),
        ("*a* ~b~ $$c$$", "#42;a#42; #126;b#126; #36;#36;c#36;#36;"),
        ("2.5/naïve.py", "2.5/naïve.py"),
    ],
)
def test_a_label_is_no_markdown(name, expected):
    # As Mermaid 11.4 and 11.12 showed: "__init__.py" as a bold "init.py", "1. intro" as an error.
    assert mermaid.label(name) == expected


@pytest.fixture
def odd():
    edges = [("a/\x01.py", "é.py"), ('a/<&">.py', "b\\c.py")]
    files = sorted({"alone.py", *(one for edge in edges for one in edge)})
    found = [FileEdge(source, target, ("import",), ("f",), 0.5) for source, target in edges]
    return FileGraph("project", tuple(files), tuple(found))


def test_jsonl_has_each_edge_and_each_lonely_file(odd):
    values = [json.loads(line) for line in jsonl.lines(odd)]
    assert [
        one for value in values for one in problems(value, schema("dependency_graph.jsonl"))
    ] == []
    assert [(one["from"], one["to"]) for one in values[:-1]] == [
        ("a/\x01.py", "é.py"),
        ('a/<&">.py', "b\\c.py"),
    ]
    assert values[-1] == {"file": "alone.py"}


def test_cytoscape_elements(odd):
    value = json.loads("\n".join(cytoscape.lines(odd)))
    assert problems(value, schema("dependency_graph.cytoscape")) == []
    ids = {one["data"]["id"] for one in value["elements"]["nodes"]}
    assert ids == set(odd.files)
    assert all(one["data"]["source"] in ids for one in value["elements"]["edges"])


def test_graphml_is_xml(odd):
    root = ElementTree.fromstring("\n".join(graphml.lines(odd)))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    nodes = {one.get("id"): one[0].text for one in root.iter(f"{space}node")}
    assert sorted(nodes.values()) == sorted(
        ['a/<&">.py', "a/\\u0001.py", "b\\c.py", "é.py", "alone.py"]
    )
    edges = [
        (nodes[one.get("source")], nodes[one.get("target")]) for one in root.iter(f"{space}edge")
    ]
    assert ('a/<&">.py', "b\\c.py") in edges
    assert len(edges) == 2


def test_dot_quotes_any_name(odd):
    text = "\n".join(dot.lines(odd))
    assert '  "a/<&\\">.py" -> "b\\\\c.py" [style=dashed];' in text
    assert text.count("{") == text.count("}")
    assert "\x01" not in text
