"""What a drafter found for one line of a capsule: its fields, quoted, and where from."""

from __future__ import annotations

from attrs import field, frozen

from kernel.model import as_tuple

__all__ = ["Finding"]


@frozen
class Finding:
    """An entry to be: its layer, its fields in order, the messages behind it, newest last.

    Fields are quotations not yet trimmed; the layer's token (a type, a dimension, a
    priority) stands among them as it is written. `value` orders findings of a layer, the
    larger first.
    """

    layer: str
    fields: tuple[str, ...] = field(converter=as_tuple)
    at: tuple[int, ...] = field(converter=as_tuple)
    value: float = 0.0

    @property
    def place(self) -> int:
        """The last message behind it."""
        return max(self.at)
