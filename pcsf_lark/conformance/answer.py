"""What a command did when it was asked."""

from __future__ import annotations

from attrs import field, frozen

__all__ = ["Answer"]


@frozen
class Answer:
    """Its exit code (negative: the signal that killed it) and what it printed.

    ``exit`` is None where the command had to be stopped; ``trouble`` then says
    why: out of time, or more output than is read. ``seconds`` is how long it took.
    """

    exit: int | None
    output: bytes = field(default=b"", repr=False)
    errors: bytes = field(default=b"", repr=False)
    seconds: float = field(default=0.0, eq=False)
    trouble: str = ""
