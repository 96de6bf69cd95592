"""The tool results of a context, each with what decides whether its body may go.

    found = results_of(snapshot)        # every tool result, in order

Laws: a result is identified by its tool and the canonical arguments of its call; an error
is resolved only by a later, observed success of the same identity, which the log holds; of
results with equal bodies the newest that no block covers is told; what hangs on a durable
ref of a task or hub is told.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from kernel.projection.cooling.observations import hidden_by, observations
from kernel.projection.cooling.profiles import Profile, profile_of
from kernel.projection.digests import canonical
from kernel.projection.model import Atom, Source
from kernel.projection.quality.provenance import durable_refs
from kernel.projection.snapshot import Snapshot
from kernel.wire.history import flat_text

__all__ = ["Result", "results_of"]


@frozen
class Result:
    """One tool result.

    `protection` is its atom's reason; `shown` that its body is in the view; `resolution`
    the entry that resolved an error; `newest` that equal results exist and it is the
    newest in view.
    """

    source: Source
    call_id: str
    tool: str
    identity: str
    profile: Profile
    observations: int
    error: bool
    protection: str | None
    shown: bool
    durable: bool
    resolution: str | None = None
    newest: bool = False


def results_of(snapshot: Snapshot) -> tuple[Result, ...]:
    """Return the results of the snapshot's context, in order."""
    observed = observations(snapshot.branch)
    hidden = hidden_by(snapshot.state)
    found = []
    for atom in snapshot.atoms:
        members = snapshot.branch.sources[atom.first : atom.last + 1]
        for source, arguments in _results(members):
            result = _result(snapshot, atom, source, arguments, observed.get(source.entry_id, 0))
            found.append(evolve(result, shown=source.entry_id not in hidden))
    return _resolved(_newest_told(snapshot, found))


def _results(members: Sequence[Source]) -> Iterator[tuple[Source, Any]]:
    """Yield the results of an atom, each with its call; None where nothing called it."""
    calls: dict[str, Mapping[str, Any]] = {}
    for source in members:
        content = source.message.get("content")
        if source.message.get("role") == "toolResult":
            yield source, calls.get(str(source.message.get("toolCallId")))
        elif source.message.get("role") == "assistant" and isinstance(content, list):
            for part in content:
                if isinstance(part, Mapping) and part.get("type") == "toolCall":
                    calls[str(part.get("id"))] = part


def _result(snapshot: Snapshot, atom: Atom, source: Source, call: Any, observed: int) -> Result:
    message = source.message
    name = message.get("toolName")
    arguments = call.get("arguments") if call is not None else None
    # A result under another name than its call's is malformed, whatever the names are.
    tool = name if call is None or call.get("name") == name else None
    texts = (flat_text(message.get("content")), canonical(arguments))
    return Result(
        source,
        str(message.get("toolCallId")),
        str(name),
        canonical([name, arguments]),
        profile_of(tool, snapshot.config.cooling),
        observed,
        bool(message.get("isError")),
        snapshot.protection.reasons[atom.index],
        shown=True,
        durable=any(map(durable_refs, texts)),
    )


def _newest_told(snapshot: Snapshot, found: Sequence[Result]) -> list[Result]:
    """Mark of each class of equal results the newest one that no block covers."""
    covered = {name for block in snapshot.state.active() for name in block.source_ids}
    classes: dict[str, list[int]] = {}
    for at, result in enumerate(found):
        body = canonical([result.tool, result.source.message.get("content")])
        classes.setdefault(body, []).append(at)
    newest: set[int] = set()
    for members in classes.values():
        open_ones = [at for at in members if found[at].source.entry_id not in covered]
        if len(members) > 1 and open_ones:
            newest.add(open_ones[-1])
    return [evolve(result, newest=at in newest) for at, result in enumerate(found)]


def _resolved(found: Sequence[Result]) -> tuple[Result, ...]:
    """Give each error the first later success of its identity that an answer has seen."""
    success: dict[str, str] = {}
    out: list[Result] = []
    for result in reversed(found):
        if result.error:
            resolution = success.get(result.identity)
            out.append(evolve(result, resolution=resolution))
        else:
            out.append(result)
            if result.observations and result.protection not in ("malformed", "incomplete"):
                success[result.identity] = result.source.entry_id
    return tuple(reversed(out))
