"""The Cognitive State Object: what one window hands to the next (CRP-SPEC-030 §2).

Every value is frozen; a change is a new object. Construction checks what makes
a value meaningful: types, ranges, non-empty texts, unique ids (R3). What depends
on a policy (id syntax, references that resolve, tags) is reported by `check`.
Members that only extensions write are omitted from JSON at their default, so a
plain object of the specification stays plain.
"""

from __future__ import annotations

from typing import Any, TypeVar

from attrs import field, frozen

from cso import rules
from cso.errors import ContentError
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


_STATUSES = {status.value: status for status in Status}
_SOURCES = {source.value: source for source in Provenance}
_MODES = {mode.value: mode for mode in Mode}
_KINDS = {kind.value: kind for kind in RecordKind}


# Tokens may be given as plain strings; what is no token is left for the rules.
def _status(value: Any) -> Any:
    return _STATUSES.get(value, value) if isinstance(value, str) else value


def _source(value: Any) -> Any:
    return _SOURCES.get(value, value) if isinstance(value, str) else value


def _mode(value: Any) -> Any:
    return _MODES.get(value, value) if isinstance(value, str) else value


def _kind(value: Any) -> Any:
    return _KINDS.get(value, value) if isinstance(value, str) else value


def _frozen_members(value: Any) -> JsonObject:
    try:
        return JsonObject.of(value)
    except ContentError as error:
        raise ContentError(error.message, at="ext", code=error.code) from None


def _row(values: Any) -> Any:
    return values if isinstance(values, tuple) else rules.row(values)


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
    provenance: Provenance = field(converter=_source)
    confidence: float
    window_origin: int
    provenance_ref: str = ""
    status: Status = field(default=Status.VALID, converter=_status)
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
    alternatives: tuple[str, ...] = field(default=(), converter=_row)
    depends_on: tuple[str, ...] = field(default=(), converter=_row)
    revisable: bool = True
    provenance: Provenance | None = field(default=None, converter=_source)
    provenance_ref: str = ""
    status: Status = field(default=Status.VALID, converter=_status)
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

    mode: Mode = field(converter=_mode)
    objective: str = ""
    remaining: tuple[str, ...] = field(default=(), converter=_row)
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
    affected: tuple[str, ...] = field(default=(), converter=_row)
    kind: RecordKind = field(default=RecordKind.REVISION, converter=_kind)
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
    established_facts: tuple[Fact, ...] = field(default=(), converter=_row)
    decisions: tuple[Decision, ...] = field(default=(), converter=_row)
    open_questions: tuple[str, ...] = field(default=(), converter=_row)
    constraints: tuple[str, ...] = field(default=(), converter=_row)
    dependency_graph: tuple[Edge, ...] = field(default=(), converter=_row)
    cso_hmac: str = ""
    verified: bool = False
    revisions: tuple[Record, ...] = field(default=(), converter=_row)
    resolved_questions: tuple[Resolved, ...] = field(default=(), converter=_row)
    ext: JsonObject = field(default=EMPTY, converter=_frozen_members)
    extra: JsonObject = EMPTY

    def __attrs_post_init__(self) -> None:
        rules.whole(self)

    def items(self) -> dict[str, Item]:
        """Map every id to its fact or decision, facts first."""
        found: dict[str, Item] = {fact.fact_id: fact for fact in self.established_facts}
        found.update((decision.decision_id, decision) for decision in self.decisions)
        return found
