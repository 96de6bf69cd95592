"""What is said of the place that the mouse rests on: its meaning, and what is wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.faces.lsp.answers import Hover
from pcsf_lark.faces.lsp.meanings import LINE_WORDS, field_words, header_words
from pcsf_lark.faces.lsp.placing import row
from pcsf_lark.outline import Kind

if TYPE_CHECKING:
    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.faces.lsp.placing import Row
    from pcsf_lark.report import Report

__all__ = ["hover", "told"]

#: More manual pages than this fill a screen and are not read.
_MOST = 3


def hover(report: Report, offset: int) -> Hover | None:
    """The meaning of a byte of a capsule and the rules that find fault with it."""
    if report.source.oversize:
        return None
    found = _meaning(row(report.outline, offset), offset)
    about = [f for f in report.findings if f.span.offset <= offset <= f.span.end]
    parts = [told(finding, report.explain(finding.code)) for finding in about[:_MOST]]
    if len(about) > _MOST:
        parts.append(f"and {len(about) - _MOST} more")
    if found is None and not parts:
        return None
    if found is None:
        span = about[0].span
        found = Hover(span.offset, span.end, "")
    return found._replace(text="\n\n---\n\n".join(part for part in (found.text, *parts) if part))


def told(finding: Diagnostic, manual: str) -> str:
    """A finding with its rule's manual page, as Markdown."""
    head = f"**{finding.code} {finding.name}** ({finding.severity.value}): {finding.message}"
    return "\n\n".join(part for part in (head, f"*{finding.help}*", manual) if part)


def _meaning(line: Row, offset: int) -> Hover | None:
    end = line.start + len(line.text)
    if line.kind in (Kind.HEADER, Kind.MISPLACED):
        number = int(line.text.strip()[1])
        return Hover(line.start, end, header_words(number))
    field = line.at(offset)
    if field is not None and line.kind in (Kind.META, Kind.ENTRY):
        section = "META" if line.kind is Kind.META else line.section
        return Hover(field.start, field.end, field_words(section, field.name, field.value))
    if line.kind in LINE_WORDS:
        words, section = LINE_WORDS[line.kind]
        return Hover(line.start, end, f"{words} (specification section {section})")
    return None
