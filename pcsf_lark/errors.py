"""What the API verbs raise.

Content is judged with ``Diagnostic`` values; an exception is what a verb that
must return a capsule does instead of returning a wrong one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.source import Source

__all__ = ["CapsuleError", "JsonError", "PcsfError", "Unfittable"]


class PcsfError(ValueError):
    """The base of all that this package raises about content."""


class CapsuleError(PcsfError):
    """The text is no conformant capsule; ``diagnostics`` says why, in file order."""

    def __init__(self, diagnostics: Sequence[Diagnostic], source: Source | None = None) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        #: The text that was judged, which the diagnostics' spans speak of.
        self.source: Source | None = source
        super().__init__(self.diagnostics, source)

    def __str__(self) -> str:
        """One line a diagnostic, with its help."""
        count = len(self.diagnostics)
        head = f"not a conformant capsule: {count} finding{'s' * (count != 1)}"
        return "\n".join([head, *(f"  {d}; {d.help}" for d in self.diagnostics)])


class JsonError(PcsfError):
    """The JSON has not the shape of a capsule; ``path`` says where, as ``L1[2].reason``.

    Attributes:
        message: What was expected there.
    """

    def __init__(self, path: str, message: str) -> None:
        self.path: str = path
        self.message: str = message
        super().__init__(path, message)

    def __str__(self) -> str:
        """``path: message``."""
        return f"{self.path}: {self.message}"


class Unfittable(PcsfError):  # noqa: N818 - it names what the capsule is
    """The capsule has more than fits, with all that may be dropped already gone.

    ``needed`` is its size then, any reserve included, ``budget`` what there
    was, both in bytes; ``obstacles`` says what stands in the way: the bytes of
    each part that is left, ``needed`` in sum.
    """

    def __init__(self, needed: int, budget: int, obstacles: Mapping[str, int]) -> None:
        self.needed: int = needed
        self.budget: int = budget
        self.obstacles: dict[str, int] = dict(obstacles)
        super().__init__(needed, budget, self.obstacles)

    def __str__(self) -> str:
        """The bytes needed, and the largest parts first."""
        largest = sorted(self.obstacles.items(), key=lambda part: -part[1])
        named = ", ".join(f"{name} {size:,}" for name, size in largest)
        return (
            f"needs {self.needed:,} bytes of {self.budget:,}, with all that may be dropped gone; "
            f"what stands in the way: {named}; shorten it by hand"
        )
