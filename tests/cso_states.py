"""Generated Cognitive State Objects, and small ones by hand, for the tests of `cso`."""

from __future__ import annotations

from functools import cache

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


@cache
def _fact_members(window: int, statuses: tuple[Status, ...]) -> st.SearchStrategy[dict]:
    odd = len(statuses) > 1
    return st.fixed_dictionaries(
        {
            "statement": filled,
            "provenance": st.sampled_from(Provenance),
            "provenance_ref": texts,
            "confidence": fractions,
            "window_origin": st.integers(1, window),
            "status": st.sampled_from(statuses),
            "supersedes": st.none() | links if odd else st.none(),
            "superseded_by": st.none() | ids if odd else st.none(),
        }
    )


@cache
def _decision_members(window: int, statuses: tuple[Status, ...]) -> st.SearchStrategy[dict]:
    return st.fixed_dictionaries(
        {
            "choice": filled,
            "rationale": texts,
            "alternatives": st.lists(filled, max_size=2),
            # Places among the names there are, which the strategy does not know.
            "depends_on": st.lists(st.integers(0, 6), max_size=3, unique=True),
            "revisable": st.booleans(),
            "provenance": st.none() | st.sampled_from(Provenance),
            "provenance_ref": texts,
            "window_origin": st.integers(1, window),
            "status": st.sampled_from(statuses),
        }
    )


def facts(draw, names: list[str], window: int, statuses: tuple[Status, ...]) -> list[Fact]:
    members = _fact_members(window, statuses)
    return [Fact(fact_id=name, **draw(members)) for name in names]


def decisions(
    draw, names: list[str], window: int, known: list[str], statuses: tuple[Status, ...]
) -> list[Decision]:
    """Decisions that rest on what is known, on those before them, and on what is not there."""
    members = _decision_members(window, statuses)
    made = []
    for at, name in enumerate(names):
        drawn = draw(members)
        pool = [*known, *names[:at], "ghost"]
        rests = dict.fromkeys(pool[place % len(pool)] for place in drawn.pop("depends_on"))
        rests.pop(name, None)
        made.append(Decision(decision_id=name, depends_on=list(rests), **drawn))
    return made


VALID = (Status.VALID,)
EVERY = tuple(status for status in Status if status is not Status.ESCALATED)
WINDOWS = st.integers(1, 4)
NAMES = st.lists(ids, unique=True, max_size=6)
MODES = st.sampled_from(Mode)
TWO = st.lists(filled, max_size=2)
TWO_UNLIKE = st.lists(filled, unique=True, max_size=2)
RECORDS = st.lists(records, max_size=2)
RESOLVED = st.lists(
    st.builds(Resolved, question=filled, answer_ref=texts, window=st.just(1)), max_size=2
)
GOALS = st.builds(
    GoalState,
    mode=MODES,
    objective=texts,
    remaining=TWO,
    success_test=texts,
    completion=fractions,
    total=st.integers(0, 3),
)
PLACES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=6)


@st.composite
def any_objects(draw) -> CognitiveStateObject:
    """Any object the model admits: every status, dangling and cyclic edges, extensions."""
    window = draw(WINDOWS)
    names = draw(NAMES)
    split = draw(st.integers(0, len(names)))
    mine, theirs = names[:split], names[split:]
    ends = [*names, "ghost", "tool:x"]
    return CognitiveStateObject(
        cso_id=draw(ids),
        window_number=window,
        goal_state=draw(GOALS),
        established_facts=facts(draw, mine, window, EVERY),
        decisions=decisions(draw, theirs, window, mine, tuple(Status)),
        open_questions=draw(TWO_UNLIKE),
        constraints=draw(TWO_UNLIKE),
        dependency_graph=[
            Edge(ends[one % len(ends)], ends[other % len(ends)]) for one, other in draw(PLACES)
        ],
        verified=draw(st.booleans()),
        revisions=draw(RECORDS),
        resolved_questions=draw(RESOLVED),
        ext=draw(extensions),
    )


@st.composite
def sound_objects(draw, prefix: str = "", window: int = 1) -> CognitiveStateObject:
    """An object fit for a relay: live, acyclic, nothing dangling."""
    names = [prefix + name for name in draw(NAMES)]
    split = draw(st.integers(0, len(names)))
    mine, theirs = names[:split], names[split:]
    places = draw(PLACES) if names else []
    # What is nearer the end rests on what is before it.
    pairs = [(one % len(names), other % len(names)) for one, other in places]
    made = decisions(draw, theirs, window, mine, VALID)
    return CognitiveStateObject(
        cso_id="cso_" + draw(ids),
        window_number=window,
        goal_state=GoalState(mode=draw(MODES), objective=draw(texts)),
        established_facts=facts(draw, mine, window, VALID),
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
        open_questions=[prefix + q for q in draw(TWO_UNLIKE)],
        constraints=[prefix + c for c in draw(TWO_UNLIKE)],
        dependency_graph=[Edge(names[one], names[other]) for one, other in pairs if other < one],
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
