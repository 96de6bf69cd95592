"""Calls about state: graph, slices, preservation, headers, revision, staleness."""

from __future__ import annotations

from typing import Any

from cso import graph
from cso.altered import altered
from cso.call.build import object_of
from cso.call.request import Earlier, InputError, integer, listed, mapping, merged, text
from cso.errors import ContentError, HeaderError
from cso.headers import PreservationValue, emit_preservation, parse_header, parse_headers
from cso.invalidate import invalidate
from cso.model import CognitiveStateObject, Record, RecordKind, Status
from cso.preserve import Preservation, preservation
from cso.repair import repair
from cso.revise import RevisionResult, revise
from cso.slice import slice_of
from cso.tools import TTL, Volatility, freshness, on_tool_refresh, on_tool_stale, output_hash

__all__ = ["HANDLERS"]

Output = dict[str, Any]


def invalidate_call(given: dict[str, Any], earlier: Earlier) -> Output:
    """Invalidate a root; tolerant unless `strict` is true."""
    given = merged(given, earlier)
    cso = object_of(given)
    strict = given.get("strict") is True
    new, report = invalidate(cso, text(given, "root"), "call", strict=strict)
    return {
        "affected": sorted(report.affected),
        "affected_count": len(report.affected),
        "cycles": [list(cycle) for cycle in report.cycles],
        "dangling": sorted(report.dangling),
        "dependency_depth": graph.depth(cso),
        "layers": [sorted(layer) for layer in report.layers],
        "needs_human": sorted(report.needs_human),
        "status": {name: item.status.value for name, item in new.items().items()},
    }


def invalidate_scale(given: dict[str, Any], earlier: Earlier) -> Output:
    """Invalidate the root of a large graph; counts only."""
    given = merged(given, earlier)
    cso = object_of(given)
    _, report = invalidate(cso, text(given, "root"), "call", strict=False)
    return {
        "affected_count": len(report.affected),
        "dependency_depth": graph.depth(cso),
    }


def invalidate_tool(given: dict[str, Any], earlier: Earlier) -> Output:
    """Refresh a tool result (`refresh`: scratch_id, old, new), or let it go `stale`."""
    given = merged(given, earlier)
    cso = object_of(given)
    if "stale" in given:
        new, change = on_tool_stale(cso, text(given, "stale"))
    else:
        refresh = mapping(given, "refresh")
        hashes = output_hash(text(refresh, "old")), output_hash(text(refresh, "new"))
        new, change = on_tool_refresh(cso, text(refresh, "scratch_id"), *hashes)
    affected = set(change.affected)
    return {
        "affected": sorted(affected),
        "needs_review": sorted(change.needs_review),
        "status": {name: item.status.value for name, item in new.items().items()},
        "unaffected": sorted(name for name in cso.items() if name not in affected),
    }


def slice_call(given: dict[str, Any], earlier: Earlier) -> Output:
    """Slice an object from its seeds."""
    given = merged(given, earlier)
    cso = object_of({"constraints": ["must hold"], **given})
    seeds = listed(given, "seeds")
    if not all(isinstance(seed, str) for seed in seeds):
        raise InputError("expected ids", at="seeds")
    found = slice_of(cso, seeds, questions=given.get("questions") is True)
    return {
        "constraints": "all" if found.cso.constraints == cso.constraints else "some",
        "dangling": list(found.dangling),
        "items": sorted(found.cso.items()),
        "open_questions": list(found.cso.open_questions),
        "resolved": found.resolved,
    }


def preservation_call(given: dict[str, Any], earlier: Earlier) -> Output:
    """Score by counts (`present` of `valid_prior`), or by `prior` and `new` facts."""
    given = merged(given, earlier)
    if "valid_prior" in given:
        kept, valid = integer(given, "present"), integer(given, "valid_prior")
        found = Preservation(kept, valid)
        header = emit_preservation(kept, valid, integer(given, "repaired", 0))
        return {"header": header.value, "score": _score(found)}
    try:
        prior = object_of({"facts": given.get("prior", given.get("prior_ids", []))})
        new = object_of({"facts": given.get("new", [])})
    except ContentError as error:
        if error.code == "duplicate-id":
            return {"error": "duplicate id", "message": str(error)}
        raise
    if given.get("invalidation_record") is True:
        new = _with_records(prior, new)
    found = preservation(prior, new)
    return {
        "drifted": list(found.drifted),
        "dropped": list(found.dropped),
        "header": emit_preservation(found.kept, found.valid_prior).value,
        "score": _score(found),
        "valid_prior": found.valid_prior,
    }


def _score(found: Preservation) -> list[int]:
    return [found.kept, found.valid_prior] if found.valid_prior else [1, 1]


def _with_records(prior: CognitiveStateObject, new: CognitiveStateObject) -> CognitiveStateObject:
    present = {fact.fact_id: fact for fact in new.established_facts}
    ended = (
        fact.fact_id
        for fact in prior.established_facts
        if fact.fact_id not in present or present[fact.fact_id].status is Status.INVALIDATED
    )
    kind = RecordKind.INVALIDATION
    return altered(new, revisions=tuple(Record(target=n, window=1, kind=kind) for n in ended))


def preservation_non_fact(given: dict[str, Any], earlier: Earlier) -> Output:
    """Score and repair objects given by their ids and texts."""
    given = merged(given, earlier)
    prior, new = object_of(mapping(given, "prior")), object_of(mapping(given, "new"))
    found = preservation(prior, new)
    fixed, done = repair(prior, new)
    order = ("facts", "decisions", "constraints", "open_questions")
    return {
        "repair_adds": [entry for kind in order for entry in done.restored.get(kind, ())],
        "repaired": done.facts,
        "restored": {kind: list(entries) for kind, entries in done.restored.items()},
        "score": _score(found),
        "score_after": _score(preservation(prior, fixed)),
    }


def header(given: dict[str, Any], _earlier: Earlier) -> Output:
    """Parse one header `line`, or several `lines`."""
    try:
        if "lines" in given:
            lines = [text({"line": line}, "line") for line in listed(given, "lines")]
            read = parse_headers(lines)
            return {"valid": True, "value": {name: _json(value) for name, value in read.items()}}
        value = parse_header(text(given, "line"))[1]
    except HeaderError as error:
        return {"valid": False, "value": None, "why": str(error)}
    return {"valid": True, "value": _json(value)}


def _json(value: Any) -> Any:
    if isinstance(value, PreservationValue):
        return {"repaired": value.repaired, "score": value.score}
    return list(value) if isinstance(value, tuple) else value


def revision(given: dict[str, Any], earlier: Earlier) -> Output:
    """Revise a decision `attempts` times, each time what stands then."""
    given = merged(given, earlier)
    target = text(given, "target", "dec_1")
    attempts = integer(given, "attempts", 1)
    if attempts > 1_000:
        raise InputError("at most 1000 attempts", at="attempts")
    if not isinstance(given.get("target_revisable", True), bool):
        raise InputError("expected true or false", at="target_revisable")
    decision = {"decision_id": target, "revisable": given.get("target_revisable", True)}
    cso = object_of({"decisions": [decision, *listed(given, "decisions")]})
    results, audit = [], []
    for number in range(1, attempts + 1):
        cso, done = revise(
            cso,
            target,
            f"choice {number}",
            f"reason {number}",
            because="call",
            limit=integer(given, "max_revisions", 3),
        )
        audit.append(done.event)
        revised = done.result is RevisionResult.REVISED
        results.append(done.new_id if revised else done.result.value)
        target = done.new_id if revised else target
    status = {name: item.status.value for name, item in cso.items().items()}
    last = results[-1] if results else None
    return {"audit": audit, "result": last, "results": results, "status": status}


def staleness(given: dict[str, Any], _: Earlier) -> Output:
    """Give the lifetimes of `classes`, or judge an `age_s` in a class `cls`."""
    if "classes" in given:
        return {"ttl_s": [TTL[_volatility(name)] for name in listed(given, "classes")]}
    age = given.get("age_s")
    if isinstance(age, bool) or not isinstance(age, (int, float)):
        raise InputError("expected seconds", at="age_s")
    found = freshness(age, _volatility(given.get("cls")), pinned=given.get("pinned") is True)
    return {"fresh": found.fresh, "header": str(found.header), "warnings": list(found.warnings)}


def _volatility(name: Any) -> Volatility:
    try:
        return Volatility(name)
    except ValueError:
        raise InputError(f"expected {', '.join(Volatility)}", at="cls") from None


HANDLERS = {
    "header": header,
    "invalidate": invalidate_call,
    "invalidate_scale": invalidate_scale,
    "invalidate_tool": invalidate_tool,
    "preservation": preservation_call,
    "preservation_non_fact": preservation_non_fact,
    "revision": revision,
    "slice": slice_call,
    "staleness": staleness,
}
"""Handlers by kind."""
