"""Host messages without what their wire refuses: nothing empty, nothing blank, no thought last.

Laws: a message that holds none of this is left alone, byte for byte; a part that says
nothing is left out or filled, and a message that would be empty, or would end in a
thought, gets a part that says so.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from kernel.wire.source import Slice, patched, plain

__all__ = ["Filling", "filled", "with_members"]


def _none(part: Any) -> bool:  # noqa: ARG001 - the shape of a test
    return False


def _left_out(part: Any) -> Any:  # noqa: ARG001 - the shape of a mend
    return None


@frozen
class Filling:
    """What a wire refuses among the parts of a message.

    Attributes:
        key: The member that holds the parts.
        filler: The part that stands where nothing is left, or nothing after a thought.
        is_thought: Tells, by its value, a part no message may end with.
        is_refused: Tells, by its value, a part that may not stay as it is.
        mended: Gives what stands for a refused part; None leaves it out.
        never_empty: Whether a message without parts, or with a blank text, is refused.
    """

    key: str
    filler: Mapping[str, Any]
    is_thought: Callable[[Any], bool]
    is_refused: Callable[[Any], bool] = _none
    mended: Callable[[Any], Any] = _left_out
    never_empty: bool = True


def filled(items: Sequence[Any], filling: Filling) -> list[Any]:
    """Return host messages, slices or trees, that a provider takes."""
    return [_filled(item, filling) for item in items]


def _filled(item: Any, filling: Filling) -> Any:
    content = (item.value if isinstance(item, Slice) else item).get(filling.key)
    value = plain(content)
    if filling.never_empty and isinstance(value, str) and not value.strip():
        return with_members(item, **{filling.key: [dict(filling.filler)]})
    if not isinstance(value, list):
        return item
    refused = [filling.is_refused(part) for part in value]
    if not (any(refused) or _is_short(value, filling)):
        return item
    if isinstance(item, Slice):
        content = item.child(filling.key)
    parts = content.items() if isinstance(content, Slice) else content
    kept = [filling.mended(part) if bad else part for part, bad in zip(parts, refused, strict=True)]
    kept = [part for part in kept if part is not None]
    if _is_short([plain(part) for part in kept[-1:]], filling):
        kept.append(dict(filling.filler))
    return with_members(item, **{filling.key: kept})


def _is_short(parts: Sequence[Any], filling: Filling) -> bool:
    return filling.is_thought(parts[-1]) if parts else filling.never_empty


def with_members(item: Any, **changes: Any) -> dict[str, Any]:
    """Return an object, a slice or a tree, with members replaced; None leaves one out."""
    if isinstance(item, Slice):
        return patched(item, **changes)
    tree = {**item, **changes}
    return {key: value for key, value in tree.items() if key not in changes or value is not None}
