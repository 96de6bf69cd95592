"""The manifest: every fact of a conversation, with its place.

Laws: a function of messages, marks and version alone; linear in the text; facts stand in
the order of the conversation; what cannot be read is a fault and no facts, never fewer
facts. The digest is of facts and version, so equal sources have equal digests, whatever
their line ends.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from attrs import asdict, field, frozen

from kernel.model import NOTHING, CoreMessage, as_tuple
from kernel.projection.journal.versions import MANIFEST_VERSION
from kernel.projection.quality.artifacts import artifacts
from kernel.projection.quality.decisions import decisions
from kernel.projection.quality.facts import KINDS, Fact, Kind
from kernel.projection.quality.failures import failures
from kernel.projection.quality.goals_constraints import goals_and_constraints
from kernel.projection.quality.open_work import open_work
from kernel.projection.quality.provenance import provenance
from kernel.projection.quality.reading import Reading, read
from kernel.projection.quality.spans import Malformed
from kernel.projection.quality.symbols import symbols
from kernel.projection.quality.trail import commands
from kernel.projection.quality.verification import verification

__all__ = ["EXTRACTORS", "MANIFEST_VERSION", "Manifest", "broken", "build", "manifest_of"]


EXTRACTORS: Final[tuple[Callable[[Reading], Iterable[Fact]], ...]] = (
    goals_and_constraints,
    decisions,
    artifacts,
    symbols,
    commands,
    failures,
    verification,
    open_work,
    provenance,
)


@frozen
class Manifest:
    """The facts of a source. `fault` names why there are none: nothing passes then."""

    version: int
    digest: str
    messages: int
    facts: tuple[Fact, ...] = field(converter=as_tuple)
    fault: str | None = None

    def of(self, *kinds: Kind) -> Iterator[Fact]:
        """Yield the facts of some kinds, in order."""
        return (fact for fact in self.facts if fact.kind in kinds)

    def hard(self) -> Iterator[Fact]:
        """Yield the facts that must survive."""
        return (fact for fact in self.facts if fact.hard)

    def as_json(self) -> dict[str, Any]:
        """Return the manifest as JSON values."""
        return {
            "version": self.version,
            "digest": self.digest,
            "messages": self.messages,
            "fault": self.fault,
            "facts": [asdict(fact) for fact in self.facts],
        }


def build(
    messages: Sequence[CoreMessage],
    source_ids: Mapping[str, str] | Callable[[str], str] | None = None,
    *,
    marks: Mapping[str, bool] = NOTHING,
) -> Manifest:
    """Build the manifest of messages.

    `source_ids` gives the caller's name of a message id (the id itself, by default);
    `marks` whether the host marked a result message as an error. Malformed text and an
    extractor's error become the manifest's fault.
    """
    try:
        return manifest_of(read(messages, _namer(source_ids), marks), EXTRACTORS)
    except Malformed:
        return broken("quality-source-malformed", len(messages))
    except Exception:  # noqa: BLE001 - whatever goes wrong, nothing may pass for a manifest
        return broken("quality-extractor-error", len(messages))


def manifest_of(
    reading: Reading,
    extractors: Iterable[Callable[[Reading], Iterable[Fact]]],
) -> Manifest:
    """Build the manifest of a conversation that was read already, by the extractors given.

    Raises what an extractor raises.
    """
    facts = [fact for extract in extractors for fact in extract(reading)]
    rank = {kind: at for at, kind in enumerate(KINDS)}
    facts.sort(key=lambda fact: (fact.index, fact.span.start, rank[fact.kind]))
    current = tuple(_current(facts))
    return Manifest(MANIFEST_VERSION, _digest(current), len(reading.messages), current)


def _namer(ids: Mapping[str, str] | Callable[[str], str] | None) -> Callable[[str], str]:
    if ids is None:
        return lambda name: name
    if callable(ids):
        return ids
    return lambda name: ids.get(name, name)


def _current(facts: Sequence[Fact]) -> Iterator[Fact]:
    """Yield facts, of equal hard ones only the last: a thing said twice is owed once."""
    seen: set[tuple[str, str]] = set()
    kept: list[Fact] = []
    for fact in reversed(facts):
        name = (fact.key, fact.text)
        if fact.hard and name in seen:
            continue
        if fact.hard:
            seen.add(name)
        kept.append(fact)
    return reversed(kept)


def broken(fault: str, count: int) -> Manifest:
    """Return the manifest of so many messages that could not be read, with the reason."""
    return Manifest(MANIFEST_VERSION, _digest(()), count, (), fault)


def _digest(facts: Iterable[Fact]) -> str:
    body = {"version": MANIFEST_VERSION, "facts": [asdict(fact) for fact in facts]}
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
