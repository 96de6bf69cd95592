"""The verb `fix`: a text with the fixes of its findings applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.api import check_source, chosen
from pcsf_lark.passes.fix import mend
from pcsf_lark.rules import NEARLY_SPENT, default_codes, resolve
from pcsf_lark.source import Source, Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.passes.fix import Mended

__all__ = ["fix", "fix_source"]


def fix(
    data: Text,
    *,
    profile: str = "interop",
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    unsafe: bool = False,
    restamp: bool = False,
) -> bytes:
    """The text with the fixes of its findings applied; never raises for content.

    Safe fixes keep the meaning; ``unsafe`` allows the others too. A stamp that
    was right stays right; a stale one is replaced with ``restamp`` alone, and
    only where nothing else is wrong. Arguments are as ``check`` takes them.

    >>> import pcsf_lark
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> text = pcsf_lark.format(EXAMPLE)
    >>> broken = text.replace(b"CHOICE | ", b"CHOICE |  ")
    >>> pcsf_lark.conformant(broken), pcsf_lark.fix(broken) == text
    (False, True)
    """
    source, codes = Source.of(data), chosen(select, ignore)
    mended = fix_source(source, profile=profile, codes=codes, unsafe=unsafe, restamp=restamp)
    return mended.data


def fix_source(
    source: Source,
    *,
    profile: str = "interop",
    codes: frozenset[str] | None = None,
    budget: int = NEARLY_SPENT,
    unsafe: bool = False,
    restamp: bool = False,
) -> Mended:
    """``fix`` of a text that was already read, with what was applied."""
    wanted = default_codes() if codes is None else codes
    every = wanted | resolve(["C"])

    def judge(text: Source) -> tuple[Diagnostic, ...]:
        return check_source(text, profile=profile, codes=every, budget=budget).findings

    return mend(source, judge, wanted=lambda f: f.code in wanted, unsafe=unsafe, restamp=restamp)
