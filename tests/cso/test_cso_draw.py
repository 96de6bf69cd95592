"""Drawings of foreign objects: no id or text ends a line, a quotation or a fence."""

import json

import pytest
from cso_states import decision, fact, given, state
from hypothesis import strategies as st

from cso import Edge, draw, graph

#: What ends lines, quotations and fences somewhere, or cannot be seen.
HOSTILE = (
    *("a\n```\nb", "a\r~~~", "`md`", '"]; n9["x', "a\u2028b", "a\x85b", "a\x0bb", "\u202eltr"),
    *("\x1b[2J", "\\n", "a\\", "#quot;", "<b>", "\x00", "\x7f", "tool:\n```"),
)
hostile_texts = st.sampled_from(HOSTILE) | st.text(
    st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8
)


def drawn_from(names, says="s"):
    first, *rest = names
    facts = [fact(name, statement=says) for name in rest]
    edges = [Edge(first, name) for name in rest]
    return state(*facts, decision(first, choice=says), dependency_graph=edges)


@given(st.lists(hostile_texts, min_size=1, max_size=5, unique=True), hostile_texts)
def test_a_line_a_node_and_a_line_an_edge(names, says):
    value = drawn_from(names, says)
    nodes = len(names) + len({on for _, on in graph.pairs(value)} - value.items().keys())
    lines = nodes + len(set(graph.pairs(value)))
    for form, frame in (("text", 0), ("mermaid", 1), ("dot", 3)):
        drawn = draw(value, form)
        assert len(drawn.splitlines()) == lines + frame, form
        assert all(line.isprintable() for line in drawn.splitlines())
    assert "`" not in draw(value, "mermaid")


@given(st.lists(hostile_texts, min_size=2, max_size=5, unique=True))
def test_json_has_every_id_as_it_is(names):
    found = json.loads(draw(drawn_from(names), "json"))
    assert {node["id"] for node in found["nodes"]} >= set(names)
    assert {edge["depends_on"] for edge in found["edges"]} == set(names[1:])


def test_dot_keeps_ids_apart_that_look_alike():
    drawn = draw(drawn_from(["d", "b\n", "b\\n"]), "dot")
    assert '"b\\n" [' in drawn
    assert '"b\\\\n" [' in drawn


@pytest.mark.parametrize(
    ("text", "shown"), [("café 😀", "café 😀"), ('"#<`', "#quot;#35;#lt;#96;")]
)
def test_what_can_be_seen_stays(text, shown):
    assert f"d: {shown}" in draw(state(decision("d", choice=text)), "mermaid")
