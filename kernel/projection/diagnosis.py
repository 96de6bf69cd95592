"""The parts of the doctor's report that a snapshot alone can tell.

Laws: what is said is found out here, not taken from a setting: the reducer is run again,
refs are resolved, the view is checked on every wire; each part is bounded and holds ids,
codes and counts.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from kernel.ports import count_tokens
from kernel.projection.journal.repair import plan
from kernel.projection.metering.families import family_of
from kernel.projection.model import block_ref, message_ref
from kernel.projection.provider.caching import UNVERIFIED
from kernel.projection.provider.identity import PROJECTION_VERSION, suffix_fingerprint
from kernel.projection.quality import EVALUATOR_VERSION, MANIFEST_VERSION
from kernel.projection.recovery.checkpoint import CompactEvent, before_compact
from kernel.projection.recovery.coverage import is_accepted, reach_of
from kernel.projection.recovery.cuts import is_closed
from kernel.projection.replaying.reducer import replay
from kernel.projection.snapshot import Snapshot
from kernel.projection.view.checks import is_worse
from kernel.projection.view.projector import BlockItem, CooledItem
from kernel.text import units

__all__ = [
    "calibration",
    "checkpoint",
    "epoch",
    "measured",
    "projection",
    "quality",
    "reducer",
    "reference",
    "repair",
    "token_economics",
]

_MOST: Final = 32


def _status(snapshot: Snapshot) -> str:
    if snapshot.state.fault is not None:
        return "fault"
    return "ok" if snapshot.enabled else "off"


def reducer(snapshot: Snapshot) -> dict[str, Any]:
    """Replay the branch once more: the state must be the same."""
    state = snapshot.state
    same = replay(snapshot.branch) == state
    fault = state.fault
    status = _status(snapshot) if same or fault is not None else "fault"
    return {
        "status": status,
        "replayEqual": same,
        "transactions": len(state.transactions),
        "blocks": dict(Counter(state.status.values())),
        "fault": None if fault is None else {"code": fault.code, "entry": fault.entry_id},
        "controls": {
            "enabled": state.controls.enabled,
            "manual": state.controls.manual,
            "autoCooling": state.controls.auto_cooling,
            "restored": state.controls.restored,
        },
    }


def repair(snapshot: Snapshot) -> dict[str, Any]:
    """Tell what repair has brought back, and what it would."""
    found = plan(snapshot.branch)
    return {
        "status": _status(snapshot),
        "repaired": len(snapshot.state.repaired),
        "eligible": len(found.eligible),
        "ineligible": len(found.ineligible),
    }


def reference(snapshot: Snapshot) -> dict[str, Any]:
    """Resolve every ref and every leaf of what is shown."""
    branch, state = snapshot.branch, snapshot.state
    numbers = [block.number for block in state.blocks.values()]
    lost = [
        block.ref
        for block in state.active()
        if any(name not in branch.index for name in block.source_ids)
    ]
    sound = numbers == list(range(len(numbers))) and not lost
    last = len(branch.sources) - 1
    return {
        "status": _status(snapshot) if sound else "fault",
        "messages": len(branch.sources),
        "lastMessage": message_ref(last) if last >= 0 else None,
        "blocks": len(numbers),
        "lastBlock": block_ref(len(numbers) - 1) if numbers else None,
        "unresolved": lost[:_MOST],
        "catalogId": snapshot.catalog.catalog_id or None,
        "ranges": len(snapshot.catalog.ranges),
        "exclusions": dict(snapshot.catalog.exclusions),
    }


def projection(snapshot: Snapshot) -> dict[str, Any]:
    """Check the view on every wire against the raw history."""
    view = snapshot.projection
    raw = [source.message for source in snapshot.branch.sources]
    worse = not view.raw and is_worse(raw, view.messages)
    blocks = sum(isinstance(item, BlockItem) for item in view.items)
    cooled = sum(isinstance(item, CooledItem) for item in view.items)
    fault = view.fault or snapshot.state.fault
    status = "fault" if worse or fault is not None else _status(snapshot)
    return {
        "status": status,
        "version": PROJECTION_VERSION,
        "raw": view.raw,
        "items": len(view.items),
        "blocks": blocks,
        "cooled": cooled,
        "worseThanRaw": worse,
        "fault": None if fault is None else fault.code,
        "acceptedByProvider": UNVERIFIED,
    }


def quality(snapshot: Snapshot) -> dict[str, Any]:
    """Tell whose summaries were accepted, and whose were let in without a judge."""
    settings = snapshot.config.quality
    blocks = [
        block
        for name, block in snapshot.state.blocks.items()
        if snapshot.state.status[name] != "query-only"
    ]
    judged = [block.quality for block in blocks if block.quality is not None]
    unjudged = [block.ref for block in blocks if block.quality is None or not block.quality.enabled]
    return {
        "status": "ok" if settings.enabled else "off",
        "enabled": settings.enabled,
        "warningPolicy": settings.warning_policy,
        "manifestVersion": MANIFEST_VERSION,
        "evaluatorVersion": EVALUATOR_VERSION,
        "accepted": sum(is_accepted(block) for block in blocks),
        "withoutEvidence": unjudged[:_MOST],
        "warnings": sum(len(one.warnings) for one in judged),
        "semanticEquivalence": UNVERIFIED,
    }


def token_economics(snapshot: Snapshot) -> dict[str, Any]:
    """Tell the pressure, the estimator, and what the shown blocks save."""
    config, now = snapshot.config, snapshot.pressure
    family = family_of(config.provider, config.model)
    costs = [block.cost for block in snapshot.state.active() if block.cost is not None]
    rules = config.economics
    return {
        "status": _status(snapshot) if now.window else UNVERIFIED,
        "pressure": now.state,
        "window": now.window or UNVERIFIED,
        "tokens": now.use.tokens,
        "reported": now.use.reported,
        "estimated": now.use.estimated,
        "provider": family.name,
        "estimator": family.estimator,
        "minSteadySavingsTokens": list(rules.min_steady_savings_tokens),
        "minSavingsRatio": rules.min_savings_ratio,
        "steadySavings": sum(cost.steady_savings for cost in costs),
        "oneTimeUpper": sum(cost.one_time_upper for cost in costs),
    }


def calibration(snapshot: Snapshot) -> dict[str, Any]:
    """Set what a provider counted beside what is estimated; neither proves a tokenizer."""
    usage = snapshot.branch.usage
    report: dict[str, Any] = {"status": UNVERIFIED, "reportedTokens": UNVERIFIED}
    if usage is None:
        return report
    position = snapshot.branch.position
    estimated = sum(
        one.tokens
        for source, one in zip(snapshot.branch.sources, snapshot.facts, strict=False)
        if position[source.entry_id] <= usage.position
    )
    ratio = round(usage.tokens / estimated, 4) if estimated else None
    return {
        **report,
        "reportedTokens": usage.tokens,
        "estimatedTokens": estimated,
        "ratio": ratio,
        "entry": usage.entry_id,
    }


def measured(suffix: Mapping[str, Any] | None) -> dict[str, Any]:
    """Measure a suffix, without a word of it."""
    text = "" if suffix is None else str(suffix["content"])
    return {
        "present": suffix is not None,
        "chars": units(text),
        "tokens": count_tokens(text) if text else 0,
        "fingerprint": suffix_fingerprint(suffix),
    }


def checkpoint(snapshot: Snapshot, *, compaction: bool | None) -> dict[str, Any]:
    """Try what the hook would be answered now; nothing is called."""
    result = before_compact(snapshot, CompactEvent())
    report: dict[str, Any] = {
        "status": _status(snapshot),
        "lastEntryIsCompaction": is_closed(snapshot.branch),
        "answer": "native" if result is None else "deterministic",
        "firstKeptEntryId": None if result is None else result.first_kept_entry_id,
        "compactionEnabled": UNVERIFIED if compaction is None else compaction,
        "overflowRetry": UNVERIFIED,
    }
    if snapshot.facts:
        reach = reach_of(snapshot)
        report["coveredMessages"] = reach.limit if reach.blocks[reach.limit] else 0
    return report


def epoch(snapshot: Snapshot) -> dict[str, Any]:
    """Tell the epoch, and what is left of older ones."""
    branch, state = snapshot.branch, snapshot.state
    compactions = [item for item in branch.path if item.value.get("type") == "compaction"]
    origin: Any = None
    if compactions:
        # An extension's mark is evidence; that it is missing proves nothing.
        origin = "extension" if compactions[-1].value.get("fromHook") is True else UNVERIFIED
    old = sum(what == "query-only" for what in state.status.values())
    return {
        "status": "ok" if branch.epoch == state.epoch else "fault",
        "epoch": branch.epoch,
        "compactions": len(compactions),
        "origin": origin,
        "queryOnlyBlocks": old,
        "lastCreated": max((block.number for block in state.blocks.values()), default=None),
    }
