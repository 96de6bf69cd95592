"""What makes a model value meaningful (R2, R3): checks that construction runs.

One function a class of `cso.model`. Each raises `ContentError` that names the
member and says what was expected. The happy path is a handful of type tests,
because an object may hold 100,000 items.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NoReturn

from cso.errors import ContentError
from cso.jcs import MAX_INTEGER, is_unicode

if TYPE_CHECKING:
    from cso import model

__all__ = ["decision", "edge", "fact", "goal", "link", "record", "resolved", "row", "whole"]


def _refuse(at: str, expected: str, value: object) -> NoReturn:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    raise ContentError(f"expected {expected}, got {shown}", at=at, code="value")


def row(values: Iterable[Any]) -> tuple[Any, ...]:
    """Turn an iterable into a tuple; a string is no list of strings."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        _refuse("", "an array", values)
    return tuple(values)


def _text(at: str, value: Any) -> None:
    if type(value) is not str:
        _refuse(at, "a string", value)
    if not is_unicode(value):
        _refuse(at, "text without lone surrogates", value)


def _filled(at: str, value: Any) -> None:
    if type(value) is not str or not value:
        _refuse(at, "a non-empty string", value)
    if not is_unicode(value):
        _refuse(at, "text without lone surrogates", value)


def _integer(at: str, value: Any, least: int) -> None:
    if type(value) is not int or not least <= value <= MAX_INTEGER:
        _refuse(at, f"an integer of at least {least}", value)


def _flag(at: str, value: Any) -> None:
    if type(value) is not bool:
        _refuse(at, "true or false", value)


def _fraction(at: str, value: Any) -> None:
    # bool is an int in Python and no number in JSON; NaN is in no range.
    if type(value) not in (float, int) or not 0 <= value <= 1:
        _refuse(at, "a number from 0 to 1", value)


def _member(at: str, value: Any, kind: str) -> None:
    if type(value).__name__ != kind:
        _refuse(at, f"a {kind} token", value)


def _texts(at: str, values: tuple[Any, ...], *, unique: bool = False) -> None:
    for value in values:
        _filled(at, value)
    if unique and len(set(values)) != len(values):
        twice = next(value for value in values if values.count(value) > 1)
        raise ContentError(f"{twice!r:.60} occurs twice", at=at, code="duplicate")


def _each(at: str, values: tuple[Any, ...], kind: str) -> None:
    for index, value in enumerate(values):
        if type(value).__name__ != kind:
            _refuse(f"{at}[{index}]", f"a {kind}", value)


def _history(item: model.Item) -> None:
    """Check the members that facts and decisions share."""
    _text("provenance_ref", item.provenance_ref)
    _integer("window_origin", item.window_origin, 1)
    _member("status", item.status, "Status")
    if item.supersedes is not None:
        _member("supersedes", item.supersedes, "Link")
    if item.superseded_by is not None:
        _filled("superseded_by", item.superseded_by)


def link(value: model.Link) -> None:
    """Check a `Link`."""
    _filled("id", value.id)
    _filled("digest", value.digest)


def fact(value: model.Fact) -> None:
    """Check a `Fact`."""
    _filled("fact_id", value.fact_id)
    _filled("statement", value.statement)
    _member("provenance", value.provenance, "Provenance")
    _fraction("confidence", value.confidence)
    _history(value)
    if value.status == "ESCALATED":
        _refuse("status", "a status of a fact (ESCALATED is for decisions)", value.status)


def decision(value: model.Decision) -> None:
    """Check a `Decision`."""
    _filled("decision_id", value.decision_id)
    _filled("choice", value.choice)
    _text("rationale", value.rationale)
    _texts("alternatives", value.alternatives)
    _texts("depends_on", value.depends_on, unique=True)
    _flag("revisable", value.revisable)
    if value.provenance is not None:
        _member("provenance", value.provenance, "Provenance")
    _history(value)
    if value.decision_id in value.depends_on:
        raise ContentError("a decision can't rest on itself", at="depends_on", code="self")


def edge(value: model.Edge) -> None:
    """Check an `Edge`."""
    _filled("dependent", value.dependent)
    _filled("depends_on", value.depends_on)


def goal(value: model.GoalState) -> None:
    """Check a `GoalState`."""
    _member("mode", value.mode, "Mode")
    _text("objective", value.objective)
    _texts("remaining", value.remaining)
    _text("success_test", value.success_test)
    _fraction("completion", value.completion)
    _integer("total", value.total, 0)


def record(value: model.Record) -> None:
    """Check a `Record`."""
    _filled("target", value.target)
    _integer("window", value.window, 0)
    _text("because", value.because)
    _text("superseded_by", value.superseded_by)
    _integer("number", value.number, 0)
    _texts("affected", value.affected)
    _member("kind", value.kind, "RecordKind")


def resolved(value: model.Resolved) -> None:
    """Check a `Resolved`."""
    _filled("question", value.question)
    _text("answer_ref", value.answer_ref)
    _integer("window", value.window, 0)


def whole(value: model.CognitiveStateObject) -> None:
    """Check a `CognitiveStateObject` across its parts."""
    _filled("cso_id", value.cso_id)
    _integer("window_number", value.window_number, 0)
    _member("goal_state", value.goal_state, "GoalState")
    _text("prior_cso_hash", value.prior_cso_hash)
    _text("cso_hmac", value.cso_hmac)
    _flag("verified", value.verified)
    _texts("open_questions", value.open_questions, unique=True)
    _texts("constraints", value.constraints, unique=True)
    _each("established_facts", value.established_facts, "Fact")
    _each("decisions", value.decisions, "Decision")
    _each("dependency_graph", value.dependency_graph, "Edge")
    _each("revisions", value.revisions, "Record")
    _each("resolved_questions", value.resolved_questions, "Resolved")
    _ids(value)


def _ids(value: model.CognitiveStateObject) -> None:
    """Check that ids are unique and that no item comes from a later window."""
    seen: set[str] = set()
    # A draft of no session yet has no window to compare with.
    last = value.window_number or MAX_INTEGER
    parts: tuple[tuple[str, tuple[model.Item, ...]], ...] = (
        ("established_facts", value.established_facts),
        ("decisions", value.decisions),
    )
    for name, items in parts:
        for index, item in enumerate(items):
            if item.id in seen:
                at = f"{name}[{index}]"
                raise ContentError(f"duplicate id {item.id!r:.80}", at=at, code="duplicate-id")
            seen.add(item.id)
            if item.window_origin > last:
                at = f"{name}[{index}].window_origin"
                _refuse(at, f"a window up to {last}", item.window_origin)
