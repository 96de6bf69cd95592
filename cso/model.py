"""The Cognitive State Object: what one window hands to the next (CRP-SPEC-030 §2).

Every value is frozen; a change is a new object. Construction checks what makes
a value meaningful: types, ranges, non-empty texts, unique ids (R3). What depends
on a policy (id syntax, references that resolve, tags) is reported by `check`.
Members that only extensions write are omitted from JSON at their default, so a
plain object of the specification stays plain.
"""

from __future__ import annotations

from typing import TypeVar

from attrs import field, frozen

from cso import converters, rules
from cso.opaque import EMPTY, JsonObject
from cso.tokens import LIVE, Mode, Provenance, RecordKind, Status

__all__ = [
    "LIVE",
    "CognitiveStateObject",
    "Decision",
    "Edge",
    "Fact",
    "GoalState",
    "Item",
    "Link",
    "Mode",
    "Provenance",
    "Record",
    "RecordKind",
    "Resolved",
    "Status",
    "says",
]


@frozen
class Link:
    """A tamper-evident pointer: an item's id and the digest of its JSON as it was.

    Attributes:
        id: The item's id.
        digest: `sha256:` over its JSON as it was.
        extra: Members of other writers, kept as they are.
    """

    id: str
    digest: str
    extra: JsonObject = EMPTY

    def __attrs_post_init__(self) -> None:
        rules.link(self)


@frozen(kw_only=True)
class Fact:
    """Something established, with its source (§2.1).

    >>> from cso import Fact
    >>> Fact(fact_id="f1", statement="", provenance="USER", confidence=1.0, window_origin=1)
    Traceback (most recent call last):
        ...
    cso.errors.ContentError: statement: expected a non-empty string, got ''

    Attributes:
        fact_id: Unique among facts and decisions.
        statement: What holds.
        provenance: What kind of source it has.
        confidence: 0 to 1.
        window_origin: The window that brought it.
        provenance_ref: The source: a call, a turn, an id.
        status: How it stands.
        supersedes: The item whose place it took.
        superseded_by: The id of the item that took its place.
        extra: Members of other writers, kept as they are.
    """

    fact_id: str
    statement: str
    provenance: Provenance = field(converter=converters.source)
    confidence: float
    window_origin: int
    provenance_ref: str = ""
    status: Status = field(default=Status.VALID, converter=converters.status)
    supersedes: Link | None = None
    superseded_by: str | None = None
    extra: JsonObject = EMPTY

    def __attrs_post_init__(self) -> None:
        rules.fact(self)

    @property
    def id(self) -> str:
        """The id in the namespace that facts and decisions share."""
        return self.fact_id


@frozen(kw_only=True)
class Decision:
    """Something decided, and why (§2.2).

    Attributes:
        decision_id: Unique among facts and decisions.
        choice: What was decided.
        rationale: Why.
        window_origin: The window that brought it.
        alternatives: What was not chosen.
        depends_on: The ids it rests on.
        revisable: Whether it may be revised without a human.
        provenance: What kind of source it has, None if unsaid.
        provenance_ref: The source: a call, a turn, an id.
        status: How it stands.
        supersedes: The item whose place it took.
        superseded_by: The id of the item that took its place.
        extra: Members of other writers, kept as they are.
    """

    decision_id: str
    choice: str
    rationale: str
    window_origin: int
    alternatives: tuple[str, ...] = field(default=(), converter=converters.texts)
    depends_on: tuple[str, ...] = field(default=(), converter=converters.texts)
    revisable: bool = True
    provenance: Provenance | None = field(default=None, converter=converters.some_source)
    provenance_ref: str = ""
    status: Status = field(default=Status.VALID, converter=converters.status)
    supersedes: Link | None = None
    superseded_by: str | None = None
    extra: JsonObject = EMPTY

    def __attrs_post_init__(self) -> None:
        rules.decision(self)

    @property
    def id(self) -> str:
        """The id in the namespace that facts and decisions share."""
        return self.decision_id


Item = Fact | Decision
ItemT = TypeVar("ItemT", Fact, Decision)
"""Either class, the same throughout a call."""


def says(item: Item) -> str:
    """Give an item's statement or choice."""
    return item.choice if isinstance(item, Decision) else item.statement


@frozen
class Edge:
    """`dependent` rests on `depends_on` (§3).

    Attributes:
        extra: Members of other writers, kept as they are.
    """

    dependent: str
    depends_on: str
    extra: JsonObject = EMPTY

    def __attrs_post_init__(self) -> None:
        rules.edge(self)


@frozen(kw_only=True)
class GoalState:
    """The contract of a window (§4); `completion` is progress of the whole goal.

    `total` is an extension: how many entries the goal began with, where a builder
    of `cso.goal` counts them, else 0.

    Attributes:
        mode: What kind of work it is.
        objective: What is to be reached.
        remaining: What is still to be done.
        success_test: How to tell that it is reached.
        extra: Members of other writers, kept as they are.
    """

    mode: Mode = field(converter=converters.mode)
    objective: str = ""
    remaining: tuple[str, ...] = field(default=(), converter=converters.texts)
    success_test: str = ""
    completion: float = 0.0
    total: int = 0
    extra: JsonObject = EMPTY

    def __attrs_post_init__(self) -> None:
        rules.goal(self)


@frozen(kw_only=True)
class Record:
    """Why something changed: an entry of `revisions` (R25).

    `target` is an item id, or `goal_state`; `affected` are the items marked with
    it. `superseded_by` and `number` (revisions of the lineage so far) belong to
    the kind REVISION.

    Attributes:
        window: The window of the change.
        because: The id, or the words, of the reason.
        kind: What kind of change.
        extra: Members of other writers, kept as they are.
    """

    target: str
    window: int
    because: str = ""
    superseded_by: str = ""
    number: int = 0
    affected: tuple[str, ...] = field(default=(), converter=converters.texts)
    kind: RecordKind = field(default=RecordKind.REVISION, converter=converters.kind)
    extra: JsonObject = EMPTY

    def __attrs_post_init__(self) -> None:
        rules.record(self)


@frozen(kw_only=True)
class Resolved:
    """An open question that was answered, and where.

    Attributes:
        question: As it was asked.
        answer_ref: Where its answer is, such as an item's id.
        window: The window that answered it.
        extra: Members of other writers, kept as they are.
    """

    question: str
    answer_ref: str
    window: int
    extra: JsonObject = EMPTY

    def __attrs_post_init__(self) -> None:
        rules.resolved(self)


@frozen(kw_only=True)
class CognitiveStateObject:
    """The state that is relayed (§2.1).

    `prior_cso_hash` is the predecessor's tag, empty at genesis; `cso_hmac` is
    this object's own tag, empty while unsigned. `window_number` 0 marks a draft
    that no session has bound yet. `ext` is signed and otherwise opaque.

    Attributes:
        cso_id: Its name.
        goal_state: The window's contract.
        established_facts: What holds, by whose word.
        decisions: What was decided, and why.
        open_questions: What is not answered.
        constraints: What binds, always.
        dependency_graph: Edges besides those that `depends_on` says.
        verified: Whether the relay was checked when it was signed.
        revisions: Why what changed, oldest first.
        resolved_questions: What was answered, and where.
        extra: Members of other writers, kept as they are.
    """

    cso_id: str
    window_number: int
    goal_state: GoalState
    prior_cso_hash: str = ""
    established_facts: tuple[Fact, ...] = field(default=(), converter=converters.facts)
    decisions: tuple[Decision, ...] = field(default=(), converter=converters.decisions)
    open_questions: tuple[str, ...] = field(default=(), converter=converters.texts)
    constraints: tuple[str, ...] = field(default=(), converter=converters.texts)
    dependency_graph: tuple[Edge, ...] = field(default=(), converter=converters.edges)
    cso_hmac: str = ""
    verified: bool = False
    revisions: tuple[Record, ...] = field(default=(), converter=converters.records)
    resolved_questions: tuple[Resolved, ...] = field(default=(), converter=converters.answers)
    ext: JsonObject = field(default=EMPTY, converter=converters.members)
    extra: JsonObject = EMPTY

    def __attrs_post_init__(self) -> None:
        rules.whole(self)

    def items(self) -> dict[str, Item]:
        """Map every id to its fact or decision, facts first."""
        found: dict[str, Item] = {fact.fact_id: fact for fact in self.established_facts}
        found.update((decision.decision_id, decision) for decision in self.decisions)
        return found
