"""What can be mended where the cursor is, and all that can be mended safely.

Laws of this file: a mend on offer is one that `pcsf check --fix` would make: it
never lengthens a text beyond the limit or takes conformance away, and a stamp
that was right stays right. What would change nothing is not offered. In a text
far over the limit, where each trial takes long, fixes are made as the rules
give them, as many at once as do not touch.
"""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from pcsf_lark.api import check_source, format_source
from pcsf_lark.errors import CapsuleError
from pcsf_lark.faces.lsp.answers import Action, Change
from pcsf_lark.mending import fix_source
from pcsf_lark.passes.fix import apply, mend
from pcsf_lark.rules import resolve
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pcsf_lark.diagnostics import Diagnostic, Edit
    from pcsf_lark.faces.checking import Plan
    from pcsf_lark.faces.lsp.documents import Document
    from pcsf_lark.report import Report
    from pcsf_lark.source import Source

__all__ = ["FIX_ALL", "QUICK_FIX", "Refused", "actions", "changes", "formatted", "wanted"]

QUICK_FIX = "quickfix"
#: For editors that fix on save; ``source.fixAll`` asks for it too.
FIX_ALL = "source.fixAll.pcsf"

#: How many findings at one place are mended for a menu.
_MOST = 20
#: Beyond this many bytes a mend is what the rule says, without a trial.
_TRIED = 2 * LIMIT
#: Beyond this many lines two texts are compared by their ends alone.
_COMPARED = 1_000
_LINE = re.compile(rb"[^\n]*\n|[^\n]+")


class Refused(ValueError):  # noqa: N818 - what happened
    """A text that cannot be formatted, and why."""


def wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Whether an editor that asks for some kinds alone means this one."""
    return only is None or any(kind == one or kind.startswith(f"{one}.") for one in only)


def actions(
    document: Document,
    report: Report,
    plan: Plan,
    area: tuple[int, int],
    only: Sequence[str] | None = None,
) -> Iterator[Action]:
    """The mends for the findings that touch a stretch of bytes, and the one for all that is safe."""
    if wanted(QUICK_FIX, only):
        near = [
            number
            for number, finding in enumerate(report.findings)
            if finding.span.offset <= area[1] and finding.span.end >= area[0]
        ]
        for number in near[:_MOST]:
            if (action := _quick(document, report, plan, number)) is not None:
                yield action
    if wanted(FIX_ALL, only) and (
        found := changes(document, _all_mended(document.source, report, plan))
    ):
        yield Action("Fix all that is safe to fix", FIX_ALL, found)


def _quick(document: Document, report: Report, plan: Plan, number: int) -> Action | None:
    finding = report.findings[number]
    if finding.code == "C11":
        return _restamp(document, plan, number)
    fix = finding.fix
    if fix is None or not fix.edits:
        return None
    found = changes(document, _mended(document.source, plan, finding))
    title = f"{finding.code}: {fix.title}" + ("" if fix.safe else " (may change the meaning)")
    return Action(title, QUICK_FIX, found, number, fix.safe) if found else None


def _restamp(document: Document, plan: Plan, number: int) -> Action | None:
    mended = fix_source(document.source, profile=plan.profile, codes=frozenset(), restamp=True)
    found = changes(document, mended.data)
    title = "C11: stamp anew (the stale stamp is evidence that the file changed)"
    return Action(title, QUICK_FIX, found, number, safe=False) if found else None


def _all_mended(source: Source, report: Report, plan: Plan) -> bytes:
    """The text with all mended that is safe to mend; in a long one, what can be at once."""
    if len(source.data) <= _TRIED:
        found = fix_source(source, profile=plan.profile, codes=plan.codes, budget=plan.budget)
        return found.data
    edits: list[Edit] = []
    end = -1
    fixes = [f.fix for f in report.findings if f.fix is not None and f.fix.safe and f.fix.edits]
    for fix in sorted(fixes, key=lambda one: one.edits[0].span.offset):
        # A fix is made whole or not at all: what is between its edits is its own.
        if min(edit.span.offset for edit in fix.edits) > end:
            edits += fix.edits
            end = max(edit.span.end for edit in fix.edits)
    data = apply(source.data, edits)
    return data if len(data) <= len(source.data) else source.data


def _mended(source: Source, plan: Plan, finding: Diagnostic) -> bytes:
    """The text with one finding mended, by the laws of ``passes.fix``."""
    if len(source.data) > _TRIED:
        return apply(source.data, finding.fix.edits if finding.fix else ())
    codes = plan.codes if plan.codes is None else plan.codes | resolve(["C"])

    def judge(text: Source) -> Sequence[Diagnostic]:
        return check_source(text, profile=plan.profile, codes=codes, budget=plan.budget).findings

    first = judge(source)
    # Severities may be the configuration's, so that findings are known by what they say.
    same = [one for one in first if (one.code, one.span) == (finding.code, finding.span)]
    found = mend(
        source,
        lambda text: first if text.data == source.data else judge(text),
        wanted=lambda one: any(one is other for other in same),
        unsafe=True,
    )
    return found.data


def formatted(document: Document) -> tuple[Change, ...]:
    """What makes the canonical text of a document; raises Refused."""
    try:
        return changes(document, format_source(document.source))
    except CapsuleError as error:
        first = error.diagnostics[0]
        more = f" (and {len(error.diagnostics) - 1} more)" if len(error.diagnostics) > 1 else ""
        raise Refused(f"not formatted: {first}{more}") from None


def changes(document: Document, after: bytes) -> tuple[Change, ...]:
    """What turns a document into another text: whole lines, as few as need be."""
    old, new = _LINE.findall(document.source.data), _LINE.findall(after)
    found = (
        document.text.addressable(Change(_size(old[:i]), _size(old[:j]), _text(new[k:m])))
        for i, j, k, m in _differences(old, new)
    )
    return tuple(change for change in found if change is not None)


def _differences(old: list[bytes], new: list[bytes]) -> Iterator[tuple[int, int, int, int]]:
    """The stretches of lines that differ: first and end in the old text, and in the new one."""
    if max(len(old), len(new)) <= _COMPARED:
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        yield from (what[1:] for what in matcher.get_opcodes() if what[0] != "equal")
        return
    least = min(len(old), len(new))
    head = next((n for n in range(least) if old[n] != new[n]), least)
    tail = next((n for n in range(least - head) if old[-1 - n] != new[-1 - n]), least - head)
    if head + tail < max(len(old), len(new)):
        yield head, len(old) - tail, head, len(new) - tail


def _size(lines: list[bytes]) -> int:
    return sum(map(len, lines))


def _text(lines: list[bytes]) -> str:
    return b"".join(lines).decode("utf-8", "replace")
