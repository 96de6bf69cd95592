"""The frame of an exported capsule: token, META, CHAIN, SEED, and its bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from cso import Decision, Status
from cso.lineage import head
from pcsf_lark import integrity
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.model import Capsule, Chain, Integrity, Meta, Seed
from pcsf_lark.passes.cso_text import cut, escaped, one_sentence
from pcsf_lark.passes.stamp import matches
from pcsf_lark.spec import DEPTHS, LAYERS, VERSIONS
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from cso import CognitiveStateObject
    from pcsf_lark.passes.complement import Complement
    from pcsf_lark.passes.cso_lines import Draft, Line

__all__ = ["MadeSeed", "folded", "frame", "seed_of", "text_of", "with_lines"]

_EPOCH = "1970-01-01T00:00Z"
#: The most characters of a topic and of a SEED that are made here.
_TOPIC, _SEED = 60, 200
_OF_SEED = "seed"
_UNSTATED = "No objective is stated."


def frame(
    cso: CognitiveStateObject,
    old: Complement | None,
    seed: str,
    *,
    domain: str,
    timestamp: str | None,
) -> Capsule:
    """The capsule without entries; raises ValueError for a timestamp that is none."""
    if timestamp is not None and not (is_timestamp(timestamp) and is_real_time(timestamp)):
        raise ValueError(f"expected a time such as 2026-05-04T09:30Z, got {timestamp!r:.40}")
    said = _meta(cso, old, domain)
    topic, area, depth, time = map(escaped, said)
    meta = Meta(topic if old else cut(topic, _TOPIC), area, depth, timestamp or time)
    chain = _chain(cso, old, meta.timestamp)
    version = old.version if old else VERSIONS[-1]
    if chain and not (old and old.chain):
        version = VERSIONS[-1]  # the token that CHAIN came with
    return Capsule(
        version=version,
        meta=meta,
        chain=chain,
        seed=Seed(seed),
        layout=old.layout if old else "spaced",
        final_lf=old.final_lf if old else True,
    )


def _meta(cso: CognitiveStateObject, old: Complement | None, domain: str) -> tuple[str, ...]:
    """What META says, unescaped: that of the import, or what is made here."""
    if old is not None:
        return old.meta
    return cso.goal_state.objective or "state", domain, _depth(cso.window_number), _EPOCH


def folded(cso: CognitiveStateObject, old: Complement | None, domain: str) -> tuple[str, ...]:
    """The names of the META fields that stand there in other characters."""
    names = ("topic", "domain", "depth", "timestamp")
    said = zip(names, _meta(cso, old, domain), strict=True)
    return tuple(name for name, text in said if escaped(text) != text)


def _depth(window: int) -> str:
    """1 SURFACE, 2 to 4 WORKING, later ones DEEP."""
    return DEPTHS[(window > 1) + (window > 4)]


def _chain(cso: CognitiveStateObject, old: Complement | None, time: str) -> Chain | None:
    """How many windows lie behind; as it was written while no window has passed."""
    if old is not None and cso.window_number == old.window:
        return Chain(*old.chain) if old.chain else None
    if cso.window_number <= 1 and not (old and old.chain):
        return None
    origin = old.chain[1] if old and old.chain else old.meta[3] if old else time
    return Chain(str(max(cso.window_number - 1, 0)), origin)


@frozen
class MadeSeed:
    """The SEED, the text it was made of where that is the same, its id where it is not."""

    text: str
    said: str
    shortened: tuple[str, ...]
    escaped: tuple[str, ...]


def seed_of(draft: Draft, old: Complement | None) -> MadeSeed:
    """The SEED and what it says.

    What the SEED of the import says today, if that holds; else the objective,
    else the first constraint.
    """
    item = draft.items.get(head(draft.items, old.seed)) if old else None
    if item is not None and item.status is Status.VALID:
        draft.done.update((item.id, old.seed if old else ""))
        said, name, most = _said(item), item.id, 10**6
    else:
        said = draft.cso.goal_state.objective or next(iter(draft.cso.constraints), "") or _UNSTATED
        name, most = _OF_SEED, _SEED
    whole = escaped(said)
    made = cut(one_sentence(whole), most)
    return MadeSeed(
        made,
        said if made == said else "",
        () if made == whole else (name,),
        () if whole == said else (name,),
    )


def _said(item: object) -> str:
    return item.choice if isinstance(item, Decision) else str(getattr(item, "statement", ""))


def with_lines(empty: Capsule, lines: dict[str, list[Line]]) -> Capsule:
    """The frame with its entries."""
    layers: dict[str, Any] = {
        layer.attribute: tuple([row.entry for row in lines[layer.key]]) for layer in LAYERS
    }
    return evolve(empty, **layers)


def text_of(capsule: Capsule, old: Complement | None, *, stamped: bool) -> bytes:
    """The bytes, stamped if asked: with the stamp that came in, where that still holds."""
    if not stamped:
        return verbatim(capsule)
    if old is not None and old.stamp:
        again = evolve(capsule, integrity=Integrity(*old.stamp))
        text = verbatim(again)
        if matches(again, text):
            return text
    head_size = len(f"===PCSF:{capsule.version}===\n{capsule.meta.line}\n")
    head_size += len(f"{capsule.chain.line}\n") if capsule.chain else 0
    return integrity.insert(verbatim(capsule), head_size)
