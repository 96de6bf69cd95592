"""What the verbs answer: a ``Report`` a file, and the formats it is shown in."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from attrs import field, frozen

from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from pcsf_lark.diagnostics import Diagnostic, Severity
    from pcsf_lark.outline import Outline
    from pcsf_lark.source import Source

__all__ = ["Report"]


def _unexplained(_code: str) -> str:
    return ""


@frozen(eq=False, slots=False)
class Report:
    """The verdict on one text.

    ``conformant`` speaks of the rules C0 to C12 alone, whatever findings were
    selected; ``findings`` stand in file order; ``bytes`` is the text's size
    (None where it is longer than was read), ``limit`` how many it may have (None: any); ``layout`` is ``spaced``,
    ``compact``, ``mixed`` or None; ``version`` None where it is unknown.

    Attributes:
        source: The text that was judged.
    """

    conformant: bool
    findings: tuple[Diagnostic, ...]
    bytes: int | None
    layout: str | None
    version: str | None
    source: Source = field(repr=False)
    _outliner: Callable[[], Outline] = field(repr=False)
    _manual: Callable[[str], str] = field(repr=False, default=_unexplained)
    limit: int | None = LIMIT

    @cached_property
    def outline(self) -> Outline:
        """The tolerant line tree of the text, conformant or not."""
        return self._outliner()

    def explain(self, code: str) -> str:
        """The manual page of a finding's rule."""
        return self._manual(code)

    def worst(self) -> Severity | None:
        """The severity of the worst finding."""
        return min((f.severity for f in self.findings), key=lambda s: s.rank, default=None)
