"""ABNF files at the edge: reading them, and their findings as diagnostics and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from pcsf_lark.abnf.kinds import CODES
from pcsf_lark.diagnostics import Diagnostic, Severity
from pcsf_lark.faces.files import Trouble, read_text
from pcsf_lark.faces.grammar_manual import manual
from pcsf_lark.report import Report
from pcsf_lark.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.abnf import Problem

__all__ = ["read_grammar", "report"]

# RFC 9051, one of the largest grammars in print, is 21 KB.
_MOST = 4 * 1024 * 1024
_SEVERITIES = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.INFO}


def read_grammar(path: str) -> str:
    """Read an ABNF file as text; raises Trouble."""
    text = read_text(path, _MOST)
    if text is None:
        raise Trouble(path, f"more than {_MOST:,} bytes: this is no grammar")
    return text


def report(text: str, problems: Iterable[Problem]) -> Report:
    """Return a grammar's findings as a report: conformant when there is no error."""
    source = Source(_bytes(text), len(_bytes(text)))
    findings = tuple(_diagnostic(text, source, one) for one in problems)
    return Report(
        conformant=all(one.severity is not Severity.ERROR for one in findings),
        findings=findings,
        bytes=source.size,
        layout=None,
        version=None,
        source=source,
        outliner=_no_outline,
        manual=manual,
        limit=None,
    )


def _diagnostic(text: str, source: Source, found: Problem) -> Diagnostic:
    """Turn characters into bytes, which is what reports count in."""
    start = len(_bytes(text[: found.offset]))
    end = start + len(_bytes(text[found.offset : found.offset + 1].rstrip("\r\n")))
    return Diagnostic(
        code=CODES[found.kind],
        name=found.kind,
        severity=_SEVERITIES[found.severity],
        message=found.message,
        help=found.help or "see RFC 5234",
        span=source.span(start, end),
    )


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _no_outline() -> NoReturn:
    raise TypeError("a grammar is no capsule")
