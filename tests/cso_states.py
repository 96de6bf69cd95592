"""Generated Cognitive State Objects, and small ones by hand, for the tests of `cso`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import given as given_examples
from hypothesis import strategies as st

from cso import (
    CognitiveStateObject,
    Decision,
    Edge,
    Fact,
    GoalState,
    Link,
    Mode,
    Provenance,
    Record,
    RecordKind,
    Resolved,
    Status,
)


def given(*strategies, examples=100):
    """`hypothesis.given` with the same examples on every run, whatever else is loaded."""

    def decorate(test):
        steady = settings(
            derandomize=True,
            database=None,
            deadline=None,
            max_examples=examples,
            suppress_health_check=[HealthCheck.too_slow],
        )
        return steady(given_examples(*strategies)(test))

    return decorate


KEY = b"a key of thirty-two bytes, or more"
OTHER_KEY = b"another key of thirty-two bytes..."
SESSION = "crp_sess_test"

ids = st.text("abcdefgh.-_019", min_size=1, max_size=6)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
filled = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
fractions = st.floats(0, 1) | st.sampled_from([0, 1, 1e-7, 0.1 + 0.2, -0.0])
scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(-1e9, 1e9)
    | st.sampled_from([1e21, 5e-324, 1e-7, -1.7976931348623157e308])
    | texts
)
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3)
)
# `crp` has its own meaning; everything else in `ext` is opaque.
extensions = st.dictionaries(texts.filter(lambda name: name != "crp"), json_values, max_size=2)
links = st.builds(Link, ids, filled)
records = st.builds(
    Record,
    target=filled,
    window=st.integers(0, 9),
    because=texts,
    superseded_by=texts,
    number=st.integers(0, 5),
    affected=st.lists(filled, max_size=3),
    kind=st.sampled_from(RecordKind),
)


def facts(names: list[str], window: int, statuses: list[Status]) -> list[st.SearchStrategy[Fact]]:
    return [
        st.builds(
            Fact,
            fact_id=st.just(name),
            statement=filled,
            provenance=st.sampled_from(Provenance),
            provenance_ref=texts,
            confidence=fractions,
            window_origin=st.integers(1, window),
            status=st.sampled_from(statuses),
            supersedes=st.none() | links if len(statuses) > 1 else st.none(),
            superseded_by=st.none() | ids if len(statuses) > 1 else st.none(),
        )
        for name in names
    ]


def decisions(
    names: list[str], window: int, known: list[str], statuses: list[Status]
) -> list[st.SearchStrategy[Decision]]:
    return [
        st.builds(
            Decision,
            decision_id=st.just(name),
            choice=filled,
            rationale=texts,
            alternatives=st.lists(filled, max_size=2),
            depends_on=st.lists(
                st.sampled_from([*known, *names[:at], "ghost"]).filter(lambda n, me=name: n != me),
                max_size=3,
                unique=True,
            ),
            revisable=st.booleans(),
            provenance=st.none() | st.sampled_from(Provenance),
            provenance_ref=texts,
            window_origin=st.integers(1, window),
            status=st.sampled_from(statuses),
        )
        for at, name in enumerate(names)
    ]


@st.composite
def any_objects(draw) -> CognitiveStateObject:
    """Any object the model admits: every status, dangling and cyclic edges, extensions."""
    window = draw(st.integers(1, 4))
    names = draw(st.lists(ids, unique=True, max_size=6))
    split = draw(st.integers(0, len(names)))
    mine, theirs = names[:split], names[split:]
    every = [status for status in Status if status is not Status.ESCALATED]
    edge_ids = st.sampled_from([*names, "ghost", "tool:x"])
    return CognitiveStateObject(
        cso_id=draw(ids),
        window_number=window,
        goal_state=GoalState(
            mode=draw(st.sampled_from(Mode)),
            objective=draw(texts),
            remaining=draw(st.lists(filled, max_size=2)),
            success_test=draw(texts),
            completion=draw(fractions),
            total=draw(st.integers(0, 3)),
        ),
        established_facts=[draw(fact) for fact in facts(mine, window, every)],
        decisions=[draw(d) for d in decisions(theirs, window, mine, list(Status))],
        open_questions=draw(st.lists(filled, unique=True, max_size=2)),
        constraints=draw(st.lists(filled, unique=True, max_size=2)),
        dependency_graph=draw(st.lists(st.builds(Edge, edge_ids, edge_ids), max_size=6)),
        verified=draw(st.booleans()),
        revisions=draw(st.lists(records, max_size=2)),
        resolved_questions=draw(
            st.lists(
                st.builds(Resolved, question=filled, answer_ref=texts, window=st.just(1)),
                max_size=2,
            )
        ),
        ext=draw(extensions),
    )


@st.composite
def sound_objects(draw, prefix: str = "", window: int = 1) -> CognitiveStateObject:
    """An object fit for a relay: live, acyclic, nothing dangling."""
    names = [prefix + name for name in draw(st.lists(ids, unique=True, max_size=6))]
    split = draw(st.integers(0, len(names)))
    mine, theirs = names[:split], names[split:]
    valid = [Status.VALID]
    order = {name: at for at, name in enumerate(names)}
    pairs = (
        draw(st.lists(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=6))
        if names
        else []
    )
    made = [draw(d) for d in decisions(theirs, window, mine, valid)]
    return CognitiveStateObject(
        cso_id="cso_" + draw(ids),
        window_number=window,
        goal_state=GoalState(mode=draw(st.sampled_from(Mode)), objective=draw(texts)),
        established_facts=[draw(fact) for fact in facts(mine, window, valid)],
        decisions=[
            Decision(
                decision_id=d.decision_id,
                choice=d.choice,
                rationale=d.rationale,
                alternatives=d.alternatives,
                depends_on=[name for name in d.depends_on if name != "ghost"],
                revisable=d.revisable,
                window_origin=d.window_origin,
            )
            for d in made
        ],
        open_questions=[prefix + q for q in draw(st.lists(filled, unique=True, max_size=2))],
        constraints=[prefix + c for c in draw(st.lists(filled, unique=True, max_size=2))],
        dependency_graph=[Edge(a, b) for a, b in pairs if order[b] < order[a]],
    )


def fact(name: str, statement: str = "s", **members) -> Fact:
    """A plain fact by hand."""
    given = {"provenance": "USER", "confidence": 1.0, "window_origin": 1, **members}
    return Fact(fact_id=name, statement=statement, **given)


def decision(name: str, *rests: str, **members) -> Decision:
    """A plain decision by hand."""
    given = {"choice": f"choose {name}", "rationale": "because", "window_origin": 1, **members}
    return Decision(decision_id=name, depends_on=rests, **given)


def state(*items: Fact | Decision, **members) -> CognitiveStateObject:
    """An object of window 1 that holds the items."""
    given = {
        "cso_id": "cso_1",
        "window_number": 1,
        "goal_state": GoalState(mode="AGENTIC", objective="ship"),
        **members,
    }
    return CognitiveStateObject(
        established_facts=[item for item in items if isinstance(item, Fact)],
        decisions=[item for item in items if isinstance(item, Decision)],
        **given,
    )
