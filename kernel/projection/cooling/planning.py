"""What may cool now, and the transaction that cools it.

    automatic(snapshot)             by itself, while automatic cooling is on
    sweep(snapshot, limit=8)        the user's word: the oldest results that may cool
    prune(snapshot, refs, origin)   exactly the named results, all of them or none

Laws: a result cools only if it is in view, in an unprotected atom, of a profile that allows
it, seen often enough, no open failure, not the newest of its equals, without a durable ref,
and if its stub is smaller for certain; behind restore-all nothing cools but by the user's
word; what is planned is proved by replay like every change.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kernel.projection.cooling.profiles import ERROR_FLOOR
from kernel.projection.cooling.results import Result, results_of
from kernel.projection.journal.codec import RESULTS
from kernel.projection.lifecycle.refusal import MAX_REFS, Refusal, refuse
from kernel.projection.lifecycle.sealing import sealed, writable
from kernel.projection.metering.bounds import bounds, upper
from kernel.projection.metering.families import family_of
from kernel.projection.metering.weight import weigh
from kernel.projection.model import CooledResult, Cooling, CoolingMode, Origin, Transaction
from kernel.projection.snapshot import Snapshot
from kernel.projection.view.recap import stub_text
from kernel.wire.history import flat_text

__all__ = [
    "SWEEP",
    "SWEEP_DEFAULT",
    "automatic",
    "coolable",
    "is_automatic",
    "obstacle",
    "prune",
    "sweep",
]

#: How many results one sweep may take, and how many it takes unasked.
SWEEP: Final = range(1, 17)
SWEEP_DEFAULT: Final = 8

#: The rules in the order they are asked: the code, and what breaks it.
_RULES: Final[Mapping[str, Callable[[Result, CoolingMode], bool]]] = {
    "cooling-not-shown": lambda result, _mode: not result.shown,
    "protected-result": lambda result, _mode: result.protection is not None,
    "cooling-profile": lambda result, mode: (
        result.profile.cools == "never" or (result.profile.cools == "asked" and mode != "prune")
    ),
    "cooling-open-failure": lambda result, _mode: result.error and result.resolution is None,
    "cooling-unobserved": lambda result, _mode: (
        result.observations < max(result.profile.observations, ERROR_FLOOR if result.error else 0)
    ),
    "cooling-newest-equal": lambda result, _mode: result.profile.newest_raw and result.newest,
    "cooling-durable-ref": lambda result, _mode: result.durable,
}


def is_automatic(snapshot: Snapshot) -> bool:
    """Tell whether results may cool by themselves: the branch's word before the settings'."""
    controls = snapshot.state.controls
    if controls.restored:
        return False
    said = controls.auto_cooling
    return snapshot.config.auto_cooling if said is None else said


def obstacle(snapshot: Snapshot, result: Result, mode: CoolingMode) -> str | None:
    """Return the code of the first rule that keeps a result raw, None where it may cool."""
    broken = next((code for code, breaks in _RULES.items() if breaks(result, mode)), None)
    if broken is not None:
        return broken
    return None if _saves(snapshot, result) else "cooling-no-saving"


def coolable(snapshot: Snapshot, mode: CoolingMode) -> tuple[Result, ...]:
    """Return the results that may cool, oldest first."""
    return tuple(one for one in results_of(snapshot) if obstacle(snapshot, one, mode) is None)


def _saves(snapshot: Snapshot, result: Result) -> bool:
    """Tell whether the body is more tokens than its stub whatever the tokenizer."""
    family = family_of(snapshot.config.provider, snapshot.config.model)
    body = flat_text(result.source.message.get("content"))
    stub = stub_text(result.source, _cooled(result))
    return bounds(weigh(body), family).lower > upper(stub, family)


def _cooled(result: Result) -> CooledResult:
    return CooledResult(
        result.source.entry_id,
        result.call_id,
        result.tool,
        result.profile.name,
        result.source.digest,
        result.observations,
        result.resolution if result.error else None,
    )


def _planned(
    snapshot: Snapshot, origin: Origin, mode: CoolingMode, results: Sequence[Result]
) -> Transaction | Refusal:
    return sealed(snapshot, origin, Cooling(mode, [_cooled(one) for one in results]))


def automatic(snapshot: Snapshot) -> Transaction | Refusal:
    """Plan the cooling of all that may cool by itself."""
    stop = writable(snapshot)
    if stop is not None:
        return stop
    if not is_automatic(snapshot):
        return refuse("restored" if snapshot.state.controls.restored else "cooling-off")
    found = coolable(snapshot, "automatic")[: RESULTS.stop - 1]
    return (
        _planned(snapshot, "automatic", "automatic", found) if found else refuse("nothing-to-cool")
    )


def sweep(snapshot: Snapshot, limit: int = SWEEP_DEFAULT) -> Transaction | Refusal:
    """Plan the cooling of the oldest results that may cool, so many at most.

    Raises ValueError for a limit outside 1 to 16.
    """
    if limit not in SWEEP:
        raise ValueError(f"a sweep takes 1 to {SWEEP.stop - 1} results, not {limit}")
    stop = writable(snapshot)
    if stop is not None:
        return stop
    found = coolable(snapshot, "sweep")[:limit]
    return _planned(snapshot, "user", "sweep", found) if found else refuse("nothing-to-cool")


def prune(snapshot: Snapshot, refs: Sequence[str], origin: Origin) -> Transaction | Refusal:
    """Plan the cooling of exactly the results that message refs name."""
    stop = writable(snapshot)
    if stop is not None:
        return stop
    if snapshot.state.controls.restored and origin != "user":
        return refuse("restored")
    if not refs or len(refs) > MAX_REFS:
        return refuse("too-many-refs" if refs else "unknown-ref")
    if len(set(refs)) != len(refs):
        return refuse("duplicate-ref", sorted({ref for ref in refs if refs.count(ref) > 1}))
    known = {source.ref for source in snapshot.branch.sources}
    if not known.issuperset(refs):
        return refuse("unknown-ref")
    results = {result.source.ref: result for result in results_of(snapshot)}
    strange = [ref for ref in refs if ref not in results]
    if strange:
        return refuse("cooling-not-a-result", strange)
    chosen = [results[ref] for ref in sorted(refs)]
    kept = [(one.source.ref, obstacle(snapshot, one, "prune")) for one in chosen]
    codes = [code for _, code in kept if code is not None]
    if codes:
        return refuse(codes[0], [ref for ref, code in kept if code == codes[0]])
    return _planned(snapshot, origin, "prune", chosen)
