"""The tool results of a context, each with what decides whether its body may go.

    found = results_of(snapshot)        # every tool result, in order

Laws: a result is identified by its tool and the canonical arguments of its call; an error
is resolved only by a later, observed success of the same identity, which the log holds; a
check that tells of its failure is an error, however it is marked; of results with equal
bodies the newest that no block covers is told; what hangs on a durable ref of a task or hub
is told.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from attrs import evolve, frozen

from kernel.projection.cooling.observations import hidden_by, observations
from kernel.projection.cooling.profiles import Profile, profile_of
from kernel.projection.log.digests import canonical
from kernel.projection.model import Atom, Source
from kernel.projection.quality.answers import shows_failure
from kernel.projection.quality.provenance import durable_refs
from kernel.projection.snapshot import Snapshot
from kernel.wire.history import flat_text

__all__ = ["Result", "results_of"]


@frozen
class Result:
    """One tool result and the call it answers, None where nothing called it.

    `protection` is its atom's reason; `shown` that its body is in the view; `resolution`
    the entry that resolved an error; `newest` that equal results exist and it is the
    newest in view.
    """

    source: Source
    call_id: str
    tool: str
    arguments: Any
    profile: Profile
    observations: int
    error: bool
    protection: str | None
    shown: bool
    resolution: str | None = None
    newest: bool = False

    @property
    def content(self) -> Any:
        """Return the content of the result."""
        return self.source.message.get("content")

    @property
    def identity(self) -> str:
        """Return what the result is a result of: tool and arguments."""
        return canonical([self.tool, self.arguments])

    @property
    def durable(self) -> bool:
        """Tell whether the result or its call holds a durable ref."""
        texts = (flat_text(self.content), canonical(self.arguments))
        return any(map(durable_refs, texts))


def results_of(snapshot: Snapshot) -> tuple[Result, ...]:
    """Return the results of the snapshot's context, in order."""
    observed = observations(snapshot.branch)
    hidden = hidden_by(snapshot.state)
    found = []
    for atom in snapshot.atoms:
        members = snapshot.branch.sources[atom.first : atom.last + 1]
        for source, call in _results(members):
            count = observed.get(source.entry_id, 0)
            shown = source.entry_id not in hidden
            found.append(_result(snapshot, atom, source, call, count, shown=shown))
    return _resolved(_newest_told(snapshot, found))


def _results(members: Sequence[Source]) -> Iterator[tuple[Source, Mapping[str, Any] | None]]:
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


def _result(
    snapshot: Snapshot,
    atom: Atom,
    source: Source,
    call: Mapping[str, Any] | None,
    observed: int,
    *,
    shown: bool,
) -> Result:
    message = source.message
    name = message.get("toolName")
    # A result under another name than its call's is malformed, whatever the names are.
    tool = name if call is None or call.get("name") == name else None
    return Result(
        source,
        str(message.get("toolCallId")),
        str(name),
        None if call is None else call.get("arguments"),
        profile_of(tool, snapshot.config.cooling),
        observed,
        _failed(message, call),
        snapshot.protection.reasons[atom.index],
        shown,
    )


def _failed(message: Mapping[str, Any], call: Mapping[str, Any] | None) -> bool:
    """Tell whether a result is an error, by its mark or because a check says that it failed."""
    mark = message.get("isError")
    if call is None:
        return bool(mark)
    said, arguments = flat_text(message.get("content")), canonical(call.get("arguments"))
    known = mark if isinstance(mark, bool) else None
    return shows_failure(str(call.get("name")), arguments, said, mark=known)


def _newest_told(snapshot: Snapshot, found: Sequence[Result]) -> list[Result]:
    """Mark of each class of equal results the newest one that no block covers."""
    covered = {name for block in snapshot.state.active() for name in block.source_ids}
    classes: dict[str, list[int]] = {}
    for at, result in enumerate(found):
        if result.profile.newest_raw:
            body = canonical([result.tool, result.content])
            classes.setdefault(body, []).append(at)
    newest: set[int] = set()
    for members in classes.values():
        open_ones = [at for at in members if found[at].source.entry_id not in covered]
        if len(members) > 1 and open_ones:
            newest.add(open_ones[-1])
    return [evolve(one, newest=True) if at in newest else one for at, one in enumerate(found)]


def _resolved(found: Sequence[Result]) -> tuple[Result, ...]:
    """Give each error the first later success of its identity that an answer has seen."""
    failing = {result.tool for result in found if result.error}
    success: dict[str, str] = {}
    out: list[Result] = []
    for result in reversed(found):
        if result.error:
            out.append(evolve(result, resolution=success.get(result.identity)))
            continue
        out.append(result)
        whole = result.protection not in ("malformed", "incomplete")
        if result.tool in failing and result.observations and whole:
            success[result.identity] = result.source.entry_id
    return tuple(reversed(out))
