"""Views on every wire: which laws of the providers a list of Pi messages breaks.

Laws: a projection may break no law that the raw history keeps; a law the log itself
breaks is no fault of a projection; no view fails, however deep its arguments are.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from kernel.projection.model import Source
from kernel.projection.view.projector import BlockItem, Item, Projection, RawItem
from kernel.validity import check
from kernel.wire import WIRES, decode_value, encode_value

__all__ = ["folds_worse", "is_worse", "sources_of", "violations"]

_OWN: Final = "pi"
_DEEP: Final = "too-deep"


def violations(messages: Sequence[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """Count the laws a view breaks, by wire and code: in Pi's shape and as every wire has it.

    A view that is nested deeper than a wire can be written breaks one of that wire.
    """
    body = {"messages": list(messages)}
    found: Counter[tuple[str, str]] = Counter()
    try:
        history = decode_value(_OWN, body)
    except RecursionError:
        return Counter(dict.fromkeys(((wire, _DEEP) for wire in WIRES), 1))
    for wire in WIRES:
        try:
            view = body if wire == _OWN else encode_value(history.messages, history, wire)
            found.update((wire, wrong.code) for wrong in check(wire, view))
        except RecursionError:
            found[wire, _DEEP] += 1
    return found


def is_worse(before: Sequence[Mapping[str, Any]], after: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a view breaks a law more often than the view before it."""
    found = violations(after)
    return bool(found) and bool(found - violations(before))


def folds_worse(view: Projection, sources: Sequence[Source]) -> bool:
    """Tell whether what a view shows otherwise breaks a law that its raw messages keep.

    Each change is judged from the question before it to the question behind it: no law
    reaches further, and a long history is not serialized for a few small changes.
    """
    for first, last in _windows(view):
        inside = [source.index for item in view.items[first:last] for source in sources_of(item)]
        before = sources[min(inside) : max(inside) + 1]
        if is_worse([source.message for source in before], view.messages[first:last]):
            return True
    return False


def sources_of(item: Item) -> Sequence[Source]:
    """Return the sources an item of a view stands for."""
    return item.sources if isinstance(item, BlockItem) else (item.source,)


def _windows(view: Projection) -> Iterator[tuple[int, int]]:
    """Yield the parts of a view that hold its changes, from question to question."""
    questions = [
        at
        for at, item in enumerate(view.items)
        if isinstance(item, RawItem) and view.messages[at].get("role") == "user"
    ]
    ends = [0, *questions, len(view.items)]
    open_from: int | None = None
    for number, (start, end) in enumerate(pairwise(ends)):
        changed = any(not isinstance(item, RawItem) for item in view.items[start:end])
        if changed and open_from is None:
            open_from = start
        elif not changed and open_from is not None:
            yield open_from, min(end, start + 1)
            open_from = None
        if open_from is not None and number == len(ends) - 2:
            yield open_from, end
