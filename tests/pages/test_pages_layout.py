"""The layered layout: laws for any graph, and graphs whose best drawing is known."""

import itertools

import pytest
from cso_states import given
from hypothesis import strategies as st

from pcsf_lark.faces.pages.graph_view import MOST, Node, chosen, drawing
from pcsf_lark.faces.pages.layered import layered


@st.composite
def graphs(draw):
    count = draw(st.integers(0, 14))
    ends = st.integers(0, max(count - 1, 0))
    edges = draw(st.lists(st.tuples(ends, ends), max_size=24)) if count else []
    return count, edges


@given(graphs(), examples=300)
def test_nodes_keep_apart_and_edges_lead_on(graph):
    count, edges = graph
    made = layered(count, edges)
    assert made == layered(count, edges)
    assert len(made.nodes) == count
    assert len(made.edges) == len(edges)
    for one, other in itertools.combinations(made.nodes, 2):
        assert one.column != other.column or abs(one.row - other.row) >= 0.99
    for index, ((a, b), path) in enumerate(zip(edges, made.edges, strict=True)):
        assert path[0] == made.nodes[a]
        if a == b:
            assert index in made.turned
            continue
        assert path[-1] == made.nodes[b]
        step = -1 if index in made.turned else 1
        assert [spot.column for spot in path] == list(
            range(made.nodes[a].column, made.nodes[b].column + step, step)
        )
        # A long edge runs beside the nodes of the columns that it passes.
        for spot in path[1:-1]:
            for node in made.nodes:
                assert node.column != spot.column or abs(node.row - spot.row) >= 0.69
    assert all(0 <= spot.column < made.columns for spot in made.nodes)
    assert all(0 <= spot.row <= made.rows - 1 + 1e-9 for spot in made.nodes)


@given(graphs(), examples=150)
def test_only_what_closes_a_cycle_is_turned(graph):
    count, edges = graph
    turned = layered(count, edges).turned
    kept = [edge for index, edge in enumerate(edges) if index not in turned]
    below = {node: {b for a, b in kept if a == node} for node in range(count)}

    def reached(start):
        seen, queue = set(), list(below[start])
        while queue:
            node = queue.pop()
            if node not in seen:
                seen.add(node)
                queue.extend(below[node])
        return seen

    assert all(node not in reached(node) for node in range(count))
    # And none is turned that closes nothing.
    for index in turned:
        a, b = edges[index]
        assert a == b or a in reached(b)


def crossings(made):
    """How many pairs of lines cross between neighbouring columns."""
    parts = {(one, other) for path in made.edges for one, other in itertools.pairwise(path)}
    return sum(
        a.column == c.column and (a.row - c.row) * (b.row - d.row) < 0
        for (a, b), (c, d) in itertools.combinations(sorted(parts, key=repr), 2)
    )


@pytest.mark.parametrize(
    ("count", "edges", "columns", "most"),
    [
        (2, [(0, 1)], 2, 0),
        (4, [(0, 3), (1, 2)], 2, 0),
        (6, [(0, 5), (1, 4), (2, 3)], 2, 0),
        (7, [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)], 3, 0),
        (5, [(0, 1), (1, 2), (2, 3), (0, 3), (0, 4)], 4, 0),
        (4, [(0, 2), (0, 3), (1, 2), (1, 3)], 2, 1),
    ],
)
def test_known_graphs_are_drawn_as_well_as_can_be(count, edges, columns, most):
    made = layered(count, edges)
    assert made.columns == columns
    assert crossings(made) == most


def test_what_nothing_points_to_stands_beside_what_it_points_to():
    made = layered(5, [(0, 1), (1, 2), (2, 3), (4, 3)])
    assert made.nodes[4].column == made.nodes[3].column - 1


def test_a_drawing_of_many_says_what_it_leaves_out():
    nodes = [Node(f"n{n}", "fact") for n in range(MOST)]
    edges = [(f"n{a}", f"n{b}") for a in range(100) for b in range(a + 1, 100)]
    made = drawing(nodes, edges, all_nodes=100, all_edges=len(edges))
    assert len(made.boxes) == MOST
    assert made.left_out_nodes == 100 - MOST
    assert made.left_out_edges == len(edges) - len(made.lines)
    assert {number for edge in made.edges for number in edge} <= set(range(MOST))


def test_what_is_chosen_hangs_together():
    rests = {f"d{n}": [f"f{n}", "shared"] for n in range(100)} | {"shared": ["tool"]}
    found = chosen([f"d{n}" for n in range(100)], rests, 20)
    assert len(found) == 20
    assert {"d0", "f0", "shared", "tool"} <= found
