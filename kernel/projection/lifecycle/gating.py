"""The two judges of a summary, over the same frozen source.

    manifest_of(sources)                            the facts of raw messages, by entry id
    gate(snapshot, source_ids, summary)             the verdict as the block records it
    weigh(snapshot, proposal)                       the cost as the block records it

Laws: the manifest is built here from the sources as the branch shows them, a caller cannot
hand one in; that a result is marked as no error is known only where the log says so; a
lone surrogate in a source refuses every summary; a block of a higher tier answers for the
raw messages of all its leaves, since what a child kept must not be lost in its parent; a
refusal names versions, codes, counts and refs, never a word of a source.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from kernel.ports import count_tokens
from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.model import Cost, Quality, Source
from kernel.projection.planning.economics import Proposal, judge
from kernel.projection.quality.gate import evaluate
from kernel.projection.quality.manifest import Manifest, broken, build
from kernel.projection.snapshot import Snapshot
from kernel.projection.view.projector import BlockItem, RawItem
from kernel.wire.history import flat_text
from kernel.wire.pi import decode

__all__ = ["behind", "gate", "manifest_of", "weigh"]

_SURROGATE: Final = re.compile("[\ud800-\udfff]")
#: Members of a message that no model is ever shown.
_NOT_SHOWN: Final = frozenset(("details", "usage", "timestamp"))


def manifest_of(sources: Sequence[Source]) -> Manifest:
    """Return the manifest of raw messages, facts named by their entries.

    A lone surrogate is looked for in the messages as they are, since decoding mends it.
    """
    messages = [source.message for source in sources]
    if not all(map(_is_sound, messages)):
        return broken("quality-source-malformed", len(sources))
    try:
        history = decode({"messages": messages}, [one.entry_id for one in sources].__getitem__)
    except RecursionError:
        return broken("quality-extractor-error", len(sources))
    owner = {name: sources[origin.item] for name, origin in history.origins.items()}
    marks = {
        name: source.message["isError"]
        for name, source in owner.items()
        if source.message.get("role") == "toolResult"
        and isinstance(source.message.get("isError"), bool)
    }
    return build(
        history.messages, {name: source.entry_id for name, source in owner.items()}, marks=marks
    )


def _is_sound(message: Mapping[str, Any]) -> bool:
    """Tell whether no text a model is shown holds a lone surrogate."""
    waiting: list[Any] = [value for name, value in message.items() if name not in _NOT_SHOWN]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            if not value.isascii() and _SURROGATE.search(value) is not None:
                return False
        elif isinstance(value, Mapping):
            waiting += value
            waiting += value.values()
        elif isinstance(value, (list, tuple)):
            waiting += value
    return True


def gate(snapshot: Snapshot, source_ids: Iterable[str], summary: str) -> Quality | Refusal:
    """Let the gate judge a summary of sources; switched off it judges nothing and says so."""
    branch, settings = snapshot.branch, snapshot.config.quality
    sources = [branch.sources[branch.index[name]] for name in source_ids]
    refs = {source.ref for source in branch.sources}
    refs |= {
        block.ref
        for name, block in snapshot.state.blocks.items()
        if snapshot.state.status[name] != "query-only"
    }
    verdict = evaluate(
        manifest_of(sources),
        summary,
        enabled=settings.enabled,
        policy=settings.warning_policy,
        refs=refs,
    )
    if not verdict.refused:
        return verdict.quality()
    named = [
        branch.sources[branch.index[name]].ref for name in verdict.refs if name in branch.index
    ]
    versions = f"manifest {verdict.manifest_version}, evaluator {verdict.evaluator_version}"
    counts = _counted({**verdict.counts, **verdict.lost})
    return refuse(verdict.codes[0], named, f"({versions}; {', '.join(verdict.codes)}; {counts})")


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count)


def weigh(snapshot: Snapshot, proposal: Proposal) -> Cost | Refusal:
    """Let the economics judge a proposal at the present pressure."""
    judgement = judge(proposal, pressure=snapshot.pressure.state, config=snapshot.config)
    if judgement.allowed:
        return judgement.cost
    cost = judgement.cost
    figures = (
        f"(T{proposal.tier}: source at least {cost.source_lower}, replacement at most "
        f"{cost.replacement_upper}, once {cost.one_time_upper}, steady {cost.steady_savings} "
        f"tokens; {', '.join(judgement.codes)})"
    )
    return refuse(judgement.codes[0], detail=figures)


def behind(snapshot: Snapshot, last: int) -> int:
    """Return an estimate of the tokens a view holds after the source at index `last`."""
    view, total = snapshot.projection, 0
    for item, message in zip(view.items[::-1], view.messages[::-1], strict=True):
        sources = item.sources if isinstance(item, BlockItem) else (item.source,)
        if sources and sources[0].index <= last:
            break
        if isinstance(item, RawItem):
            total += snapshot.facts[item.source.index].tokens
        else:
            total += count_tokens(flat_text(message.get("content")))
    return total
