"""Refs in a decision → positions in a history.

Laws: a ref means one message or block for ever; a boundary that was folded away snaps
to the block that inherited it through another block, never to the block that folded it
directly (that would only repeat the fold); the errors tell a ref nobody knows from one
already folded. Start is judged before end. `protected_gaps` stays empty: protection is
applied where folds are made.
"""

import re
from collections.abc import Sequence
from typing import Literal

from attrs import field, frozen

from kernel.model import (
    CoreMessage,
    as_tuple,
    is_synthetic,
)
from kernel.places import CAPACITY, Places, nested_blocks
from kernel.state import CompressionState, ref_name
from kernel.text import trim

__all__ = [
    "Boundary",
    "BoundaryError",
    "Resolution",
    "Snap",
    "parse_boundary",
    "resolve",
    "resolve_boundaries",
]

_MESSAGE = re.compile(r"m(0*)([0-9]+)")
_BLOCK = re.compile(r"b([0-9]{1,9})")


@frozen
class Boundary:
    """A parsed ref: what it names, its number, its normalised spelling."""

    kind: Literal["message", "block"]
    numeric_id: int
    raw: str


@frozen
class Snap:
    """A note that a folded boundary was moved to the block that inherited it."""

    endpoint: Literal["start", "end"]
    ref: str
    block_id: str


@frozen
class BoundaryError:
    """Why a boundary has no position. Codes: INVALID_REF, UNKNOWN_REF, CONSUMED_REF.

    Attributes:
        code: One of the codes above.
        kind: The same, in a word.
        endpoint: Which end it is, None for both.
        ref: The ref as it was given.
        message: What is wrong, and how to mend it.
    """

    code: str
    kind: Literal["invalid", "unknown", "consumed"]
    endpoint: Literal["start", "end"] | None
    ref: str
    message: str


@frozen
class Resolution:
    """The span of a range: inclusive indices, the ids in it, the active blocks it holds.

    Attributes:
        start_index: The first message, from 0.
        end_index: The last one.
        message_ids: The ids in between, both ends included.
        nested_block_ids: The active blocks among them.
        boundary_kind: What the ends name.
        protected_gaps: Always empty; see above.
        snapped_boundaries: The ends that were moved to where a fold may begin.
    """

    start_index: int
    end_index: int
    message_ids: tuple[str, ...] = field(converter=as_tuple)
    nested_block_ids: tuple[str, ...] = field(converter=as_tuple)
    boundary_kind: Literal["message", "block"]
    protected_gaps: tuple[int, ...] = ()
    snapped_boundaries: tuple[Snap, ...] = ()


def parse_boundary(ref: str, capacity: int = CAPACITY) -> Boundary | None:
    """Parse a ref: `m` and any zeros and a number up to `capacity`, or `b` and a number.

    Six-digit refs exist only in sessions that long, so `capacity` is the session's.
    """
    text = trim(ref).lower()
    message = _MESSAGE.fullmatch(text)
    if message is not None and text.isascii():
        digits = message[2]
        number = int(digits) if len(digits) <= max(5, len(str(capacity))) else 0
        return Boundary("message", number, text) if 1 <= number <= capacity else None
    block = _BLOCK.fullmatch(text)
    if block is not None and text.isascii():
        return Boundary("block", int(block[1]), text)
    return None


def resolve_boundaries(
    start_ref: str, end_ref: str, messages: Sequence[CoreMessage], state: CompressionState
) -> Resolution | BoundaryError:
    """Resolve the two ends of a range over a history, raw or pruned. Seed §4, §8."""
    return resolve(start_ref, end_ref, Places(messages, state), state)


def resolve(
    start_ref: str, end_ref: str, places: Places, state: CompressionState
) -> Resolution | BoundaryError:
    """Resolve against places already built."""
    parsed: list[Boundary] = []
    for ref in (start_ref, end_ref):
        boundary = parse_boundary(ref, places.capacity)
        if boundary is None:
            hint = "write a message ref such as m00012 or a block such as b3"
            return BoundaryError("INVALID_REF", "invalid", None, ref, f"{ref!r} is no ref: {hint}")
        parsed.append(boundary)
    start = _position(parsed[0], start_ref, "start", places, state)
    if isinstance(start, BoundaryError):
        return start
    end = _position(parsed[1], end_ref, "end", places, state)
    if isinstance(end, BoundaryError):
        return end
    low, high = min(start[0], end[0]), max(start[0], end[0])
    inside = places.messages[low : high + 1]
    return Resolution(
        low,
        high,
        [message.id for message in inside if not is_synthetic(message)],
        [block.block_id for block in nested_blocks(state, places, low, high)],
        "block" if "block" in (parsed[0].kind, parsed[1].kind) else "message",
        (),
        tuple(snap for _, snap in (start, end) if snap is not None),
    )


def _position(
    boundary: Boundary,
    ref: str,
    endpoint: Literal["start", "end"],
    places: Places,
    state: CompressionState,
) -> tuple[int, Snap | None] | BoundaryError:
    if boundary.kind == "message":
        by_ref = state.message_refs.by_ref
        raw = by_ref.get(boundary.raw) or by_ref.get(ref_name(boundary.numeric_id))
        if raw is None:
            return _unknown(ref, endpoint)
        if raw in places.first:
            return places.first[raw], None
        return _inherited({raw}, ref, endpoint, places, state)
    wanted = f"b{boundary.numeric_id}"
    block = next((item for item in state.blocks if item.block_id == wanted), None)
    if block is None:
        return _unknown(ref, endpoint)
    if block.active and places.anchor(block) >= 0:
        return places.anchor(block), None
    return _inherited(set(block.effective_message_ids), ref, endpoint, places, state)


def _inherited(
    raws: set[str],
    ref: str,
    endpoint: Literal["start", "end"],
    places: Places,
    state: CompressionState,
) -> tuple[int, Snap | None] | BoundaryError:
    """Snap to the smallest anchor of a block that took one of the ids in through a child."""
    children = {block.block_id: block for block in state.blocks}
    best: tuple[int, str] | None = None
    for block in state.blocks:
        at = places.anchor(block) if block.active else -1
        if at < 0 or (best is not None and at >= best[0]):
            continue
        heirs = (children[child] for child in block.direct_block_ids if child in children)
        if any(not raws.isdisjoint(child.effective_message_ids) for child in heirs):
            best = (at, block.block_id)
    if best is not None:
        return best[0], Snap(endpoint, ref, best[1])
    return BoundaryError(
        "CONSUMED_REF",
        "consumed",
        endpoint,
        ref,
        f"{endpoint} {ref} is already folded away: name a ref that is still in view",
    )


def _unknown(ref: str, endpoint: Literal["start", "end"]) -> BoundaryError:
    return BoundaryError(
        "UNKNOWN_REF",
        "unknown",
        endpoint,
        ref,
        f"{endpoint} {ref} was never given out in this session: copy a ref from a tag in view",
    )
