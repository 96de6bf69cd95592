"""Model values → JSON members: fresh dicts, lists and scalars.

Members of the specification are always written; members that extensions added
only where they differ from their default (R3), so a plain object stays plain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cso import model

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["members_of"]


def members_of(value: Any) -> dict[str, Any]:
    """Give the JSON object of a model value: fresh dicts, lists and scalars."""
    own = _MEMBERS[type(value)](value)
    # What the input carried beyond the known members comes back with them.
    return {**value.extra.thaw(), **own} if getattr(value, "extra", None) else own


def _history_members(value: model.Item) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if value.status is not model.Status.VALID:
        found["status"] = value.status.value
    if value.supersedes is not None:
        found["supersedes"] = members_of(value.supersedes)
    if value.superseded_by is not None:
        found["superseded_by"] = value.superseded_by
    return found


def _fact_members(value: model.Fact) -> dict[str, Any]:
    return {
        "fact_id": value.fact_id,
        "statement": value.statement,
        "provenance": value.provenance.value,
        "provenance_ref": value.provenance_ref,
        "confidence": value.confidence,
        "window_origin": value.window_origin,
        **_history_members(value),
    }


def _decision_members(value: model.Decision) -> dict[str, Any]:
    source = {} if value.provenance is None else {"provenance": value.provenance.value}
    return {
        "decision_id": value.decision_id,
        "choice": value.choice,
        "rationale": value.rationale,
        "alternatives": list(value.alternatives),
        "depends_on": list(value.depends_on),
        "revisable": value.revisable,
        "window_origin": value.window_origin,
        **source,
        **({"provenance_ref": value.provenance_ref} if value.provenance_ref else {}),
        **_history_members(value),
    }


def _goal_members(value: model.GoalState) -> dict[str, Any]:
    return {
        "mode": value.mode.value,
        "objective": value.objective,
        "remaining": list(value.remaining),
        "success_test": value.success_test,
        "completion": value.completion,
        **({"total": value.total} if value.total else {}),
    }


def _record_members(value: model.Record) -> dict[str, Any]:
    revision = value.kind is model.RecordKind.REVISION
    return {
        "target": value.target,
        **({} if revision else {"kind": value.kind.value}),
        **({"superseded_by": value.superseded_by} if revision or value.superseded_by else {}),
        "because": value.because,
        "window": value.window,
        **({"number": value.number} if revision or value.number else {}),
        "affected": list(value.affected),
    }


def _whole_members(value: model.CognitiveStateObject) -> dict[str, Any]:
    optional = {
        "revisions": [members_of(record) for record in value.revisions],
        "resolved_questions": [members_of(entry) for entry in value.resolved_questions],
        "ext": value.ext.thaw(),
    }
    return {
        "cso_id": value.cso_id,
        "window_number": value.window_number,
        "prior_cso_hash": value.prior_cso_hash,
        "established_facts": [members_of(fact) for fact in value.established_facts],
        "decisions": [members_of(decision) for decision in value.decisions],
        "open_questions": list(value.open_questions),
        "constraints": list(value.constraints),
        "goal_state": members_of(value.goal_state),
        "dependency_graph": [members_of(edge) for edge in value.dependency_graph],
        "cso_hmac": value.cso_hmac,
        "verified": value.verified,
        **{name: member for name, member in optional.items() if member},
    }


_MEMBERS: dict[type[Any], Callable[[Any], dict[str, Any]]] = {
    model.CognitiveStateObject: _whole_members,
    model.Decision: _decision_members,
    model.Edge: lambda edge: {"dependent": edge.dependent, "depends_on": edge.depends_on},
    model.Fact: _fact_members,
    model.GoalState: _goal_members,
    model.Link: lambda link: {"id": link.id, "digest": link.digest},
    model.Record: _record_members,
    model.Resolved: lambda entry: {
        "question": entry.question,
        "answer_ref": entry.answer_ref,
        "window": entry.window,
    },
}
