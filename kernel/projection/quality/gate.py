"""The gate: a summary is accepted, or refused with codes.

Laws: local, deterministic, fail-closed: an error of the gate, an unknown version, a fault
of the manifest refuse; a refusal counts and names codes and the caller's ids, never words.

| refused | when |
|---|---|
| quality-hard-fact-lost | a hard fact's needs are met by no statement, or a statement takes all of them back and no user did |
| quality-completion-contradicted | a claim: passing where the last run failed, done where open |
| quality-stale-ref | an m or b ref that is not in `refs` |
| quality-stale-durable-ref | a task, hub or agent id neither in the source nor in `durable` |
| quality-warnings-rejected | the policy is `reject` and there are warnings |

What is hard stands in the headlines of the extractors.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final, Literal

from attrs import evolve

from kernel.model import NOTHING
from kernel.projection.quality.claims import Claims
from kernel.projection.quality.facts import Completion, Fact, Kind
from kernel.projection.quality.manifest import MANIFEST_VERSION, Manifest
from kernel.projection.quality.matching import Index
from kernel.projection.quality.provenance import durable_refs, view_refs
from kernel.projection.quality.retraction import retracts, shown
from kernel.projection.quality.spans import Malformed, normalise
from kernel.projection.quality.statements import statements_of
from kernel.projection.quality.verdict import EVALUATOR_VERSION, MOST_REFS, REFUSALS, Verdict

__all__ = ["evaluate"]

#: Soft facts whose loss is worth a warning; the others are there to be read, not owed.
_WARNED: Final[tuple[Kind, ...]] = (
    "goal",
    "constraint",
    "rejection",
    "failure",
    "open",
    "artifact",
)
_STRANGERS: Final = frozenset(("template", "tool", "recall", "note", "demonstration"))
_UNWARNED: Final = frozenset(
    (
        "read",
        "made",
        "moved",
        "failed",
        "resolved",
        "check-unresolved",
        "minor",
        "said",
        "call-made-again",
    )
)


def evaluate(
    manifest: Manifest,
    summary: str,
    *,
    enabled: bool = True,
    policy: Literal["record", "reject"] = "record",
    refs: Collection[str] = (),
    durable: Collection[str] = (),
    completion: Mapping[str, Completion] = NOTHING,
) -> Verdict:
    """Judge a summary of the manifest's source.

    `refs` are the m and b refs that are current; `durable` durable ids known from elsewhere;
    `completion` the caller's later knowledge of states, by a fact's key.
    """
    blank = Verdict(
        accepted=False,
        manifest_version=manifest.version,
        evaluator_version=EVALUATOR_VERSION,
        manifest_digest=manifest.digest,
    )
    if not enabled:
        return evolve(blank, enabled=False)
    early = _unfit(manifest)
    if early is not None:
        return evolve(blank, codes=(early,), counts={early: 1})
    try:
        text = shown(normalise(summary))
        found = list(_Judge(manifest, text, refs, durable, completion).findings())
    except Malformed:
        return evolve(
            blank, codes=("quality-summary-malformed",), counts={"quality-summary-malformed": 1}
        )
    except Exception:  # noqa: BLE001 - a summary that cannot be judged must not pass
        return evolve(
            blank, codes=("quality-evaluator-error",), counts={"quality-evaluator-error": 1}
        )
    return _verdict(blank, found, policy)


def _unfit(manifest: Manifest) -> str | None:
    if manifest.version != MANIFEST_VERSION:
        return "quality-unknown-version"
    return manifest.fault


_Finding = tuple[str, Fact | None]


def _verdict(blank: Verdict, found: list[_Finding], policy: str) -> Verdict:
    counts = Counter(code for code, _ in found)
    warned = [code for code in counts if code not in REFUSALS]
    if warned and policy == "reject":
        counts["quality-warnings-rejected"] += 1
    codes = sorted(code for code in counts if code in REFUSALS)
    about = [fact for code, fact in found if fact is not None and code in REFUSALS]
    return evolve(
        blank,
        accepted=not codes,
        codes=tuple(codes),
        warnings=tuple(sorted(warned)),
        counts=dict(sorted(counts.items())),
        lost=dict(
            sorted(Counter(f.kind for c, f in found if f and c == "quality-hard-fact-lost").items())
        ),
        refs=tuple(dict.fromkeys(fact.source_id for fact in about))[:MOST_REFS],
    )


def _is_owed(fact: Fact) -> bool:
    """Tell whether the loss of a soft fact is worth a warning."""
    if fact.kind not in _WARNED or fact.subkind in _UNWARNED or fact.by in _STRANGERS:
        return False
    return bool(fact.needs) and (fact.kind != "rejection" or fact.by == "user")


class _Judge:
    """One evaluation."""

    def __init__(
        self,
        manifest: Manifest,
        summary: str,
        refs: Collection[str],
        durable: Collection[str],
        completion: Mapping[str, Completion],
    ) -> None:
        self._summary, self._refs = summary, frozenset(refs)
        self._facts = [
            evolve(fact, state=completion[fact.key]) if fact.key in completion else fact
            for fact in manifest.facts
        ]
        known = (fact.text for fact in manifest.of("ref"))
        self._durable = frozenset(durable).union(known)
        self._statements = statements_of(summary)
        quotes = {" ".join(fact.text.split()) for fact in self._facts}
        self._own = [one for one in self._statements if one.quote not in quotes]
        self._withdrawn = any(fact.subkind == "withdrawal" for fact in manifest.of("provenance"))

    def findings(self) -> Iterator[_Finding]:
        """Yield codes with the facts they are about."""
        if not self._summary.strip():
            yield "quality-summary-empty", None
        yield from self._lost()
        yield from self._contradicted()
        for ref in dict.fromkeys(ref for one in self._own for ref in view_refs(one.text)):
            if ref not in self._refs and ref not in self._names():
                yield "quality-stale-ref", None
        for ref in durable_refs(self._summary):
            if ref not in self._durable:
                yield "quality-stale-durable-ref", None

    def _names(self) -> set[str]:
        """Return the names hard facts owe: what looks like a ref among them is none."""
        return {
            option.lower()
            for fact in self._facts
            if fact.hard
            for need in fact.needs
            if need.kind == "exact"
            for option in need.options
        }

    def _lost(self) -> Iterator[_Finding]:
        index = Index.of(self._statements, self._facts)
        void = not self._withdrawn and any(retracts(one.text) for one in self._own)
        for fact in self._facts:
            settled = fact.kind in ("open", "failure", "verification") and fact.state == "done"
            kept = not (void and fact.hard) and bool(index.places(fact))
            if settled or not (fact.hard or _is_owed(fact)) or kept:
                continue
            yield ("quality-hard-fact-lost" if fact.hard else "quality-soft-fact-lost"), fact

    def _contradicted(self) -> Iterator[_Finding]:
        checks = [
            fact
            for fact in self._facts
            if fact.kind == "verification" and not fact.subkind.endswith("-superseded")
        ]
        claims = Claims(self._statements, checks)
        for fact in checks:
            if fact.state == "done":
                if claims.says_failing(fact):
                    yield "quality-completion-doubtful", fact
            elif claims.says_passing(fact):
                bad = fact.state in ("failed", "open")
                yield (
                    ("quality-completion-contradicted" if bad else "quality-completion-unproved"),
                    fact,
                )
        unfinished = [
            fact for fact in self._facts if fact.kind == "open" and fact.state in ("open", "failed")
        ]
        for fact in unfinished:
            if claims.says_done(fact):
                yield (
                    (
                        "quality-completion-contradicted"
                        if fact.hard
                        else "quality-completion-unproved"
                    ),
                    fact,
                )
        hard = [fact for fact in unfinished if fact.hard]
        if hard and claims.says_all_done():
            yield "quality-completion-contradicted", hard[0]
