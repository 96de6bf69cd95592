"""Model values → RFC 8785 text, directly: the fast path of the codec (R8).

Member names are known, so each class has its template in sorted order; unknown
members are merged by name. A property test holds the text to the very bytes
that the `rfc8785` library gives for `members_of(value)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cso import jcs, model
from cso.altered import altered
from cso.jcs import number, string
from cso.members import members_of
from cso.opaque import EMPTY, JsonObject

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["item_digest", "text_of"]

_QUOTED = {
    member: f'"{member.value}"'
    for kind in (model.Mode, model.Provenance, model.RecordKind, model.Status)
    for member in kind
}


def _strings(values: Iterable[str]) -> str:
    return "[" + ",".join(map(string, values)) + "]"


def _object(members: dict[str, str], extra: JsonObject) -> str:
    """Join member texts in canonical order, with members kept from the input."""
    for name, value in extra.items() if extra else ():
        members.setdefault(name, jcs.canonical(value).decode())
    names = sorted(members, key=jcs.member_order)
    return "{" + ",".join(f"{string(name)}:{members[name]}" for name in names) + "}"


def _link(value: model.Link) -> str:
    return _object({"digest": string(value.digest), "id": string(value.id)}, value.extra)


def _history(value: model.Item) -> str:
    """Write the three history members, which are neighbours in sorted order."""
    text = "" if value.status is model.Status.VALID else f',"status":{_QUOTED[value.status]}'
    if value.superseded_by is not None:
        text += f',"superseded_by":{string(value.superseded_by)}'
    if value.supersedes is not None:
        text += f',"supersedes":{_link(value.supersedes)}'
    return text


def _fact(value: model.Fact) -> str:
    if value.extra:
        return _general(value)
    statement = string(value.statement)
    return (
        f'{{"confidence":{number(value.confidence)},"fact_id":{string(value.fact_id)}'
        f',"provenance":{_QUOTED[value.provenance]},"provenance_ref":{string(value.provenance_ref)}'
        f',"statement":{statement}{_history(value)},"window_origin":{value.window_origin}}}'
    )


def _decision(value: model.Decision) -> str:
    if value.extra:
        return _general(value)
    source = "" if value.provenance is None else f',"provenance":{_QUOTED[value.provenance]}'
    if value.provenance_ref:
        source += f',"provenance_ref":{string(value.provenance_ref)}'
    return (
        f'{{"alternatives":{_strings(value.alternatives)},"choice":{string(value.choice)}'
        f',"decision_id":{string(value.decision_id)},"depends_on":{_strings(value.depends_on)}'
        f'{source},"rationale":{string(value.rationale)}'
        f',"revisable":{"true" if value.revisable else "false"}{_history(value)}'
        f',"window_origin":{value.window_origin}}}'
    )


def _edge(value: model.Edge) -> str:
    if value.extra:
        return _general(value)
    return f'{{"dependent":{string(value.dependent)},"depends_on":{string(value.depends_on)}}}'


def _general(value: Any) -> str:
    """Write a fact, decision or edge that carries unknown members: slower."""
    own = members_of(altered(value, extra=EMPTY))
    return _object({n: jcs.canonical(m).decode() for n, m in own.items()}, value.extra)


def _goal(value: model.GoalState) -> str:
    texts = {
        "completion": number(value.completion),
        "mode": _QUOTED[value.mode],
        "objective": string(value.objective),
        "remaining": _strings(value.remaining),
        "success_test": string(value.success_test),
    }
    if value.total:
        texts["total"] = str(value.total)
    return _object(texts, value.extra)


def _record(value: model.Record) -> str:
    texts = {
        "affected": _strings(value.affected),
        "because": string(value.because),
        "target": string(value.target),
        "window": str(value.window),
    }
    revision = value.kind is model.RecordKind.REVISION
    if not revision:
        texts["kind"] = _QUOTED[value.kind]
    if revision or value.number:
        texts["number"] = str(value.number)
    if revision or value.superseded_by:
        texts["superseded_by"] = string(value.superseded_by)
    return _object(texts, value.extra)


def _resolved(value: model.Resolved) -> str:
    texts = {
        "answer_ref": string(value.answer_ref),
        "question": string(value.question),
        "window": str(value.window),
    }
    return _object(texts, value.extra)


def _whole(value: model.CognitiveStateObject, *, signed: bool, named: bool) -> str:
    parts: dict[str, tuple[Callable[[Any], str], tuple[Any, ...]]] = {
        "decisions": (_decision, value.decisions),
        "dependency_graph": (_edge, value.dependency_graph),
        "established_facts": (_fact, value.established_facts),
        "revisions": (_record, value.revisions),
        "resolved_questions": (_resolved, value.resolved_questions),
    }
    texts = {name: "[" + ",".join(map(write, row)) + "]" for name, (write, row) in parts.items()}
    for name in ("revisions", "resolved_questions"):
        if not getattr(value, name):
            del texts[name]
    texts["constraints"] = _strings(value.constraints)
    if named:
        texts["cso_id"] = string(value.cso_id)
    texts["goal_state"] = _goal(value.goal_state)
    texts["open_questions"] = _strings(value.open_questions)
    texts["prior_cso_hash"] = string(value.prior_cso_hash)
    texts["verified"] = "true" if value.verified else "false"
    texts["window_number"] = str(value.window_number)
    if signed:
        texts["cso_hmac"] = string(value.cso_hmac)
    if value.ext:
        texts["ext"] = value.ext.text
    return _object(texts, value.extra)


_WRITERS: dict[type[Any], Callable[[Any], str]] = {
    model.Decision: _decision,
    model.Edge: _edge,
    model.Fact: _fact,
    model.GoalState: _goal,
    model.Link: _link,
    model.Record: _record,
    model.Resolved: _resolved,
}


def text_of(value: Any, *, signed: bool = True, named: bool = True) -> str:
    """Give the RFC 8785 text of a model value; of an object, on demand without tag or id."""
    if isinstance(value, model.CognitiveStateObject):
        return _whole(value, signed=signed, named=named)
    return _WRITERS[type(value)](value)


def item_digest(item: model.Item) -> str:
    """Give the `sha256:` digest of an item's canonical JSON, for links (R24)."""
    return jcs.digest(text_of(item).encode())
