"""What a command did when it was asked."""

from __future__ import annotations

from attrs import field, frozen

__all__ = ["Answer", "Excerpt"]


@frozen
class Answer:
    """Its exit code (negative: the signal that killed it) and what it printed.

    ``exit`` is None where the command had to be stopped; ``trouble`` then says
    why: out of time, or more output than is read. ``seconds`` is how long it took.

    Attributes:
        output: What stood on standard output.
        errors: What stood on standard error.
    """

    exit: int | None
    output: bytes = field(default=b"", repr=False)
    errors: bytes = field(default=b"", repr=False)
    seconds: float = field(default=0.0, eq=False)
    trouble: str = ""


@frozen
class Excerpt:
    """A part of some bytes, and how many bytes they are: at least as many as were read."""

    data: bytes = field(default=b"", repr=False)
    size: int = 0

    @classmethod
    def first(cls, data: bytes, most: int) -> Excerpt:
        """The beginning."""
        return cls(data[:most], len(data))

    @classmethod
    def last(cls, data: bytes, most: int) -> Excerpt:
        """The end."""
        return cls(data[-most:], len(data))
