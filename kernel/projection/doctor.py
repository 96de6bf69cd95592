"""The doctor: how everything stands on one branch, part by part, and what nothing proves.

    doctor(snapshot)                                          # what the log alone can tell
    doctor(snapshot, indexes=…, coordinator=…, stability=…)   # and what a process has seen

Laws: a part says `ok`, `off`, `fault` or `Unverified`; what no evidence here proves (what a
provider does, which setting is in force in the host, where a compaction came from, in what
order extensions run) is `Unverified`, whatever is registered or configured; the report is
bounded and holds ids, codes and counts, never a text of a source; a part that cannot be
examined is `Unverified` and takes nothing else with it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection import diagnosis
from kernel.projection.index import Indexes
from kernel.projection.provider.caching import UNVERIFIED, Stability, cache_report, session_totals
from kernel.projection.provider.identity import StaticSurface, identities
from kernel.projection.provider.suffix import suffix_of
from kernel.projection.recovery.coordinator import CheckpointCoordinator
from kernel.projection.snapshot import Snapshot
from kernel.sessions.lines import Diagnostic

__all__ = ["SECTIONS", "Evidence", "doctor"]

_MOST_NOTES: Final = 32
#: What only a live host and a live provider could prove.
_NEVER_PROVED: Final = (
    "provider behaviour",
    "tokenizer and billing",
    "extension order",
    "production overflow and retry",
)


@frozen
class Evidence:
    """What a process knows beside the log.

    `compaction` is the host's own setting for automatic compaction, where somebody read it;
    `settings` are the diagnostics of the settings files; `surface` what stands before every
    message, where the host told it.
    """

    indexes: Indexes | None = None
    path: str = ""
    coordinator: CheckpointCoordinator | None = None
    stability: Stability = field(factory=Stability)
    surface: StaticSurface | None = None
    compaction: bool | None = None
    settings: tuple[Diagnostic, ...] = field(default=(), converter=as_tuple)


def doctor(snapshot: Snapshot, evidence: Evidence | None = None) -> dict[str, Any]:
    """Return the report, a JSON value."""
    known = Evidence() if evidence is None else evidence
    report: dict[str, Any] = {
        "session": snapshot.branch.session_id,
        "leaf": snapshot.leaf,
        "enabled": snapshot.enabled,
    }
    for name, examine in SECTIONS.items():
        try:
            report[name] = examine(snapshot, known)
        except Exception as error:  # noqa: BLE001 - one part takes no other with it
            report[name] = {"status": UNVERIFIED, "error": type(error).__name__}
    report["diagnostics"] = _notes(snapshot.diagnostics)
    report["settings"] = _notes(known.settings)
    report["unverified"] = _unverified(report, known)
    return report


def _notes(notes: Iterable[Diagnostic]) -> dict[str, Any]:
    """Return codes and lines, the first of them; what a message quotes stays out."""
    every = list(notes)
    listed = [{"code": note.code, "line": note.line} for note in every[:_MOST_NOTES]]
    return {"count": len(every), "first": listed}


def _unverified(report: Mapping[str, Any], known: Evidence) -> list[str]:
    found = [name for name in SECTIONS if report[name].get("status") == UNVERIFIED]
    if known.compaction is None:
        found.append("effective compaction.enabled")
    if report["epoch"].get("origin") == UNVERIFIED:
        found.append("native origin")
    return [*found, *_NEVER_PROVED]


def _suffix(snapshot: Snapshot, known: Evidence) -> dict[str, Any]:
    settings = snapshot.config.provider_suffix
    attempted = known.coordinator is not None and known.coordinator.cycle.semantic
    permit = None if known.coordinator is None else known.coordinator.manual
    found = suffix_of(snapshot, permit=permit, attempted=attempted)
    return {
        "status": "ok" if settings.enabled and snapshot.enabled else "off",
        **diagnosis.measured(found),
        "maxChars": settings.max_chars,
        "maxTokens": settings.max_tokens,
        "roleAtProvider": UNVERIFIED,
    }


def _index(snapshot: Snapshot, known: Evidence) -> dict[str, Any]:
    settings = snapshot.config.index
    report: dict[str, Any] = {"snapshotLru": settings.snapshot_lru}
    if not settings.enabled:
        return {"status": "off", **report}
    if known.indexes is None:
        return {"status": UNVERIFIED, **report}
    found = known.indexes.audit(snapshot.tree, snapshot.leaf, snapshot.config, path=known.path)
    counters = known.indexes.counters.as_json()
    status = "fault" if found else "ok"
    return {"status": status, "differences": list(found), "counters": counters, **report}


def _coordinator(_: Snapshot, known: Evidence) -> dict[str, Any]:
    if known.coordinator is None:
        return {"status": UNVERIFIED}
    return {"status": "ok", **known.coordinator.status()}


def _cache(snapshot: Snapshot, known: Evidence) -> dict[str, Any]:
    report: dict[str, Any] = cache_report(session_totals(snapshot.tree), known.stability)
    proved = UNVERIFIED not in (report["session"]["hits"], report["stability"]["hits"])
    now = identities(known.surface or StaticSurface(), snapshot).as_json()
    if known.surface is None:
        now["staticSurfaceIdentity"] = UNVERIFIED
    return {"status": "ok" if proved else UNVERIFIED, **report, "identities": now}


#: The parts, in the order they are told.
SECTIONS: Final[Mapping[str, Callable[[Snapshot, Evidence], dict[str, Any]]]] = {
    "reducer": lambda snapshot, _: diagnosis.reducer(snapshot),
    "repair": lambda snapshot, _: diagnosis.repair(snapshot),
    "reference": lambda snapshot, _: diagnosis.reference(snapshot),
    "projection": lambda snapshot, _: diagnosis.projection(snapshot),
    "quality": lambda snapshot, _: diagnosis.quality(snapshot),
    "tokenEconomics": lambda snapshot, _: diagnosis.token_economics(snapshot),
    "calibration": lambda snapshot, _: diagnosis.calibration(snapshot),
    "suffix": _suffix,
    "index": _index,
    "checkpoint": lambda snapshot, known: diagnosis.checkpoint(
        snapshot, compaction=known.compaction
    ),
    "coordinator": _coordinator,
    "epoch": lambda snapshot, _: diagnosis.epoch(snapshot),
    "cache": _cache,
}
