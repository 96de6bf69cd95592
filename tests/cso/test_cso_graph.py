"""The graph: invalidation against a naive reference, cycles, depth, slices, explanations."""

from itertools import pairwise

import pytest
from attrs import evolve
from cso_states import any_objects, decision, fact, given, sound_objects, state
from hypothesis import strategies as st

from cso import (
    LIVE,
    CognitiveStateObject,
    CycleError,
    Edge,
    Record,
    Status,
    UnknownIdError,
    affected_by,
    check,
    depth,
    dumps,
    explain,
    graph,
    invalidate,
    reaffirm,
    revise,
    slice_of,
)

nodes = st.sampled_from("abcdefgh")
edge_lists = st.lists(st.tuples(nodes, nodes), max_size=14)


def linked(edges, names="abcdefgh") -> CognitiveStateObject:
    return state(*map(fact, names), dependency_graph=[Edge(a, b) for a, b in edges])


def naive(cso, root):
    """The definition, as slowly as can be: close the relation, leave the root out."""
    relation = set(graph.pairs(cso))
    reached = {root}
    while True:
        more = {a for a, b in relation if b in reached} | reached
        if more == reached:
            return reached - {root}
        reached = more


@given(any_objects(), st.data())
def test_invalidate_equals_the_naive_reference(value, data):
    names = list(value.items())
    if not names:
        return
    root = data.draw(st.sampled_from(names))
    before = dumps(value)
    new, report = invalidate(value, root, "test")
    assert set(report.affected) == naive(value, root)
    assert sorted(report.affected) == sorted(name for layer in report.layers for name in layer)
    assert len(set(report.affected)) == len(report.affected)
    assert dumps(value) == before
    items, old = new.items(), value.items()
    for name, item in items.items():
        was = old[name].status
        if name in report.affected and was in (Status.VALID, Status.STALE) and name != root:
            assert item.status is Status.NEEDS_REVISION
        elif name != root:
            assert item.status is was
    fell = items[root].status
    if name_is_fact(value, root):
        assert fell is Status.INVALIDATED
    elif old[root].status in LIVE:
        assert fell is Status.NEEDS_REVISION
    human = {d.decision_id for d in value.decisions if not d.revisable and d.status in LIVE}
    assert set(report.needs_human) == human & {*report.affected, root}
    assert set(report.dangling) == set(report.affected) - set(items)
    assert invalidate(new, root, "again")[0] == new


def name_is_fact(value, name):
    return any(f.fact_id == name for f in value.established_facts)


@given(edge_lists, nodes)
def test_cycles_met_are_cycles(edges, root):
    cso = linked(edges)
    _, report = invalidate(cso, root, "test")
    within = {root, *report.affected}
    relation = {(a, b) for a, b in edges if a in within and b in within}
    for cycle in report.cycles:
        assert all(pair in relation for pair in pairwise((*cycle, cycle[0])))
    # A node of the reached part is in a listed group iff it reaches itself.
    circular = {n for n in within if n in closure(relation, n)}
    groups = {n for cycle in report.cycles for n in component_of(relation, cycle[0])}
    assert groups == circular


def closure(relation, start):
    reached, frontier = set(), {start}
    while frontier:
        frontier = {b for a, b in relation if a in frontier} - reached
        reached |= frontier
    return reached


def component_of(relation, node):
    return {n for n in closure(relation, node) if node in closure(relation, n)}


@given(edge_lists)
def test_depth_is_the_longest_path_of_the_condensation(edges):
    group = {n: min({n} | component_of(edges, n)) for n in "abcdefgh"}
    folded = {(group[a], group[b]) for a, b in edges if group[a] != group[b]}
    longest = dict.fromkeys(group.values(), 0)
    for _ in range(8):
        for a, b in folded:
            longest[a] = max(longest[a], longest[b] + 1)
    assert depth(linked(edges)) == max(longest.values())


def test_depth_counts_tool_results_and_is_zero_without_edges():
    assert depth(state(fact("a"))) == 0
    assert depth(state(fact("a", provenance="TOOL", provenance_ref="t"))) == 1


def test_unknown_roots():
    with pytest.raises(UnknownIdError):
        invalidate(state(fact("a")), "nope", "r")
    value = state(fact("a"))
    assert invalidate(value, "nope", "r", strict=False)[0] is value


def test_the_record_names_everything():
    value = state(fact("a"), decision("d", "a"), decision("e", "d", revisable=False))
    new, report = invalidate(value, "a", "v3.4 is deployed")
    assert new.revisions == (
        Record(
            target="a",
            because="v3.4 is deployed",
            window=1,
            affected=["d", "e"],
            kind="INVALIDATION",
        ),
    )
    assert report.layers == (("d",), ("e",))
    assert report.needs_human == ("e",)
    # What depends_on says is completed in the explicit edges, sorted, at the end.
    assert [(edge.dependent, edge.depends_on) for edge in new.dependency_graph] == [
        ("d", "a"),
        ("e", "d"),
    ]


def test_scale_does_not_recurse():
    size = 20_000
    chain = state(
        *(fact(f"n{i}") for i in range(size)),
        dependency_graph=[Edge(f"n{i}", f"n{i - 1}") for i in range(1, size)],
    )
    assert len(affected_by(chain, "n0").affected) == size - 1
    assert depth(chain) == size - 1
    ring = evolve(chain, dependency_graph=[*chain.dependency_graph, Edge("n0", f"n{size - 1}")])
    _, report = invalidate(ring, "n5", "r")
    assert len(report.affected) == size - 1
    assert depth(ring) == 0
    assert check(ring)[0].code == "cycle"
    assert len(explain(chain, f"n{size - 1}").grounds) == size
    assert len(slice_of(ring, ["n7"]).cso.established_facts) == size


def test_check_lists_what_is_wrong():
    value = state(
        fact("a"),
        fact("Maß"),
        fact("t", provenance="TOOL"),
        fact("nfc", "caf\u00e9"),
        fact("nfd", "cafe\u0301"),
        decision("d", "gone", rationale=""),
        dependency_graph=[Edge("a", "t"), Edge("t", "a")],
    )
    codes = [finding.code for finding in check(value)]
    expected = ["id-syntax", "provenance-ref", "dangling", "cycle", "note-thin", "note-nfc"]
    assert codes == expected
    assert check(state(fact("a"))) == ()


def test_links_of_revisions_are_tamper_evident():
    value, _ = revise(state(decision("d")), "d", "other", "r", because="x")
    assert check(value) == ()
    old, new = value.decisions
    forged = evolve(value, decisions=[evolve(old, rationale="never said"), new])
    assert [finding.code for finding in check(forged)] == ["link"]
    # That dependents are marked, or it was marked before, changes nothing.
    marked, _ = invalidate(state(fact("a"), decision("d", "a")), "a", "r")
    value, _ = revise(marked, "d", "other", "r", because="x")
    assert check(value) == ()
    orphan = evolve(value, decisions=[value.decisions[1]], revisions=[])
    assert "link" in [finding.code for finding in check(orphan)]


@given(sound_objects(), st.data())
def test_slices_are_closed(value, data):
    if not value.items():
        return
    seeds = data.draw(st.lists(st.sampled_from(list(value.items())), min_size=1, max_size=3))
    found = slice_of(value, seeds)
    held = set(found.cso.items())
    assert set(seeds) <= held
    for dependent, name in graph.pairs(found.cso, tools=False):
        assert dependent in held
        assert name in held or name in found.dangling
    wanted = set(seeds)
    for _ in value.items():
        wanted |= {b for a, b in graph.pairs(value, tools=False) if a in wanted}
    assert held == wanted
    order = list(value.items())
    assert sorted(held, key=order.index) == list(found.cso.items())
    assert found.cso.constraints == value.constraints
    assert found.cso.open_questions == ()
    assert not found.cso.verified
    assert slice_of(value, seeds[::-1]) == found


@given(any_objects(), st.data())
def test_slices_of_anything_are_closed(value, data):
    if not value.items():
        return
    found = slice_of(value, [data.draw(st.sampled_from(list(value.items())))])
    held = {*found.cso.items(), *found.dangling}
    for dependent, name in graph.pairs(found.cso, tools=False):
        assert all(node in held or node.startswith("tool:") for node in (dependent, name))


def test_slices_take_the_live_head():
    value = state(fact("a"), decision("d", "a"), decision("e", "d"))
    value, _ = revise(value, "a", "better", because="seen")
    found = slice_of(value, ["e", "a"])
    assert list(found.cso.items()) == ["a.r1", "d", "e"]
    assert found.resolved == {"a": "a.r1"}
    assert found.dangling == ()
    assert {d.decision_id: d.depends_on for d in found.cso.decisions}["d"] == ("a.r1",)
    with pytest.raises(UnknownIdError):
        slice_of(value, ["nope"])


def test_slices_take_goal_and_questions_from_the_caller():
    value = state(fact("a"), open_questions=["why?"])
    goal = evolve(value.goal_state, objective="task 7")
    assert slice_of(value, ["a"], goal=goal, questions=True).cso.goal_state is goal
    assert slice_of(value, ["a"], questions=True).cso.open_questions == ("why?",)


def test_explain_leads_from_decision_to_tool():
    value = state(
        fact("cpu", "87%", provenance="TOOL", provenance_ref="scratch_4"),
        fact("limit", "80%"),
        decision("scale", "cpu", "limit", choice="5 nodes", rationale="87 > 80"),
    )
    found = explain(value, "scale", hashes={"scratch_4": "sha256:ab"})
    rows = [(g.distance, g.kind, g.id, g.says, g.digest) for g in found.grounds]
    assert rows == [
        (0, "decision", "scale", "5 nodes", ""),
        (1, "fact", "cpu", "87%", ""),
        (1, "fact", "limit", "80%", ""),
        (2, "tool", "tool:scratch_4", "", "sha256:ab"),
    ]
    assert found.grounds[0].rests_on == ("cpu", "limit")
    with pytest.raises(UnknownIdError):
        explain(value, "nope")
    changed, _ = revise(value, "scale", "6 nodes", "r", because="limit")
    assert explain(changed, "scale.r1").records == changed.revisions


def test_no_edge_may_close_a_cycle():
    value = state(decision("a", "b"), decision("b"))
    with pytest.raises(CycleError, match=r"b\.r1 -> a -> b\.r1"):
        revise(
            state(decision("a", "b.r1"), decision("b")),
            "b",
            "c",
            "r",
            because="x",
            depends_on=["a"],
        )
    # A foreign cycle is tolerated, but reaffirming may not make a new one.
    foreign = evolve(value, dependency_graph=[Edge("b", "a")])
    changed, _ = revise(foreign, "b", "c", "r", because="x", depends_on=["a"])
    with pytest.raises(CycleError):
        reaffirm(changed, "a")
