"""Katz and PageRank: against known values, at rest on every graph, and what they make of code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.projects import Project
from twine_hooks.ranking import katz, largest_eigenvalue, pagerank


def complete(nodes):
    return [(a, b, 1.0) for a in range(nodes) for b in range(nodes) if a != b]


@pytest.mark.parametrize(
    ("nodes", "edges", "expected"),
    [
        (3, complete(3), 2.0),
        (40, complete(40), 39.0),
        (2, [(0, 1, 1.0), (1, 0, 1.0)], 1.0),
        (4, [(0, 1, 4.0), (1, 0, 1.0)], 2.0),
        (3, [(0, 1, 1.0), (1, 2, 1.0)], 0.0),
        (0, [], 0.0),
    ],
)
def test_the_largest_eigenvalue(nodes, edges, expected):
    assert largest_eigenvalue(nodes, edges) == pytest.approx(expected, abs=0.15)


_graphs = st.integers(1, 12).flatmap(
    lambda nodes: st.tuples(
        st.just(nodes),
        st.lists(
            st.tuples(st.integers(0, nodes - 1), st.integers(0, nodes - 1), st.floats(0.01, 1.0)),
            max_size=60,
        ),
    )
)


@given(_graphs, st.sampled_from([katz, pagerank]))
def test_any_graph_comes_to_rest(graph, method):
    ranks = method(*graph)
    assert ranks.converged
    assert sum(ranks.scores) == pytest.approx(1)
    assert min(ranks.scores) > 0


@pytest.mark.parametrize("method", [katz, pagerank])
def test_a_dense_graph_converges_where_a_fixed_alpha_would_not(method):
    ranks = method(100, complete(100))  # alpha = 0.1, the usual choice, is ten times the bound
    assert ranks.converged
    assert max(ranks.scores) == pytest.approx(min(ranks.scores))


def test_pagerank_of_a_chain():
    scores = pagerank(3, [(0, 1, 1.0), (1, 2, 1.0)]).scores
    # By hand: x, x(1+d), x(1+d+d*d) for d = 0.85.
    assert scores[1] / scores[0] == pytest.approx(1.85)
    assert scores[2] / scores[0] == pytest.approx(1.85 + 0.85**2)


@pytest.mark.parametrize("method", [katz, pagerank])
def test_weights_count(method):
    scores = method(3, [(0, 1, 1.0), (0, 2, 0.1)]).scores
    assert scores[1] > scores[2]


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    files = {f"user{n}.py": "from core import used, _inner\nused()\n_inner()\n" for n in range(5)}
    files["core.py"] = "def used(): pass\ndef _inner(): pass\ndef never(): pass\n"
    # Equal names are no edges.
    files["other.py"] = "def used(): pass\n"
    return Project(tmp_path_factory.mktemp("rank") / "p").write(files)


@pytest.mark.parametrize("by", ["katz", "pagerank"])
def test_what_is_used_most_comes_first_and_private_is_damped(project, by):
    said = project.tool("rank", "--by", by, "--json").json
    assert said["converged"]
    order = [f"{one['path']}::{one['name']}" for one in said["ranked"]]
    assert order[0] == "core.py::used"
    assert order[-1] == "core.py::_inner"
    scores = {f"{one['path']}::{one['name']}": one["score"] for one in said["ranked"]}
    assert scores["other.py::used"] == scores["core.py::never"] < scores["core.py::used"]


def test_files_are_ranked_too(project):
    said = project.tool("rank", "--level", "file", "--limit", "2")
    assert said.out.splitlines()[0].endswith("core.py")
    assert len(said.out.splitlines()) == 2
