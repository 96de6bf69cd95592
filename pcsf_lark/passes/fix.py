"""Mending a text by the fixes that its findings offer.

Laws of this file: a step is kept only if it takes the text down a well-founded
order (fewer illegal bytes, then fewer broken format rules, then fewer findings
that could still be mended), so that mending ends and doing it twice changes
nothing; no step makes a text longer than the limit, or longer at all where it
is over it; no step takes conformance away. A stamp that was right before a
step is right after it, which includes one that a mend has made right by
bringing back the stamped bytes (line ends, say). One that is wrong is left as
it stands, unless ``restamp`` asks for a new one once all else conforms.

What C1 hides on a line shows when C1 is mended, and is counted then.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import field, frozen

from pcsf_lark import integrity
from pcsf_lark.source import Source
from pcsf_lark.spec import LIMIT
from pcsf_lark.values import canonical_integer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pcsf_lark.diagnostics import Diagnostic, Edit

    Judge = Callable[[Source], Sequence[Diagnostic]]

__all__ = ["Mended", "apply", "mend"]

#: More steps than any text of 64 KiB has mends.
_STEPS = 10_000
_STAMP = re.compile(rb"^INTEGRITY: crc32=([0-9a-f]{8}) chars=([0-9]+)\n", re.MULTILINE)
_ILLEGAL = re.compile(rb"[^\n -~]")


@frozen
class Mended:
    """The text after mending, and the findings whose fixes were applied, in order."""

    data: bytes = field(repr=False)
    applied: tuple[Diagnostic, ...]
    restamped: bool


@frozen(eq=False)
class _State:
    """A text, what is wrong with it, and how far it is from the best it can be."""

    data: bytes
    findings: Sequence[Diagnostic]
    rank: tuple[int, int, int]

    @property
    def conformant(self) -> bool:
        return not any(finding.code.startswith("C") for finding in self.findings)


def apply(data: bytes, edits: Iterable[Edit]) -> bytes:
    """The text with edits made that do not overlap; the stamp is left as it stands."""
    for edit in sorted(edits, key=lambda e: (e.span.offset, e.span.end), reverse=True):
        data = data[: edit.span.offset] + edit.text.encode() + data[edit.span.end :]
    return data


def mend(
    source: Source,
    judge: Judge,
    *,
    wanted: Callable[[Diagnostic], bool],
    unsafe: bool = False,
    restamp: bool = False,
) -> Mended:
    """Apply the fixes of the findings that are wanted, safe ones first.

    ``judge`` gives all findings of a text, whether wanted or not. With
    ``unsafe``, fixes that may change the meaning are applied too.
    """
    if source.oversize:
        return Mended(source.data, (), restamped=False)

    def allowed(finding: Diagnostic) -> bool:
        fix = finding.fix
        return fix is not None and bool(fix.edits) and (fix.safe or unsafe) and wanted(finding)

    def state(data: bytes) -> _State:
        findings = judge(Source.of(data))
        return _State(data, findings, _rank(data, findings, allowed, restamp=restamp))

    now = state(source.data)
    applied: list[Diagnostic] = []
    for _ in range(_STEPS):
        step = next(_steps(now, [f for f in now.findings if allowed(f)], state), None)
        if step is None:
            break
        now, made = step
        applied += made
    anew = _restamped(now, state) if restamp else None
    return Mended((anew or now).data, tuple(applied), restamped=anew is not None)


def _rank(
    data: bytes,
    findings: Sequence[Diagnostic],
    allowed: Callable[[Diagnostic], bool],
    *,
    restamp: bool,
) -> tuple[int, int, int]:
    """The order's three counts."""
    codes = [finding.code for finding in findings if finding.code.startswith("C")]
    illegal = len(_ILLEGAL.findall(data)) + codes.count("C1")
    # A stamp that is about to be replaced may go stale meanwhile; another may not:
    # of its two values a right one is evidence of what happened to the file.
    stale = codes.count("C11") if restamp else 0
    return illegal, len(codes) - stale, sum(map(allowed, findings))


def _steps(
    now: _State, findings: list[Diagnostic], state: Callable[[bytes], _State]
) -> Iterator[tuple[_State, list[Diagnostic]]]:
    """What can be done next: all safe fixes at once, or else one by one, then the unsafe ones."""
    for safe in (True, False):
        some = [finding for finding in findings if finding.fix and finding.fix.safe is safe]
        together = _apart(some)
        for batch in ([together] if len(together) > 1 else []) + [[one] for one in some]:
            edits = [edit for finding in batch if finding.fix for edit in finding.fix.edits]
            data = _stamped_as_before(now.data, apply(now.data, edits))
            if data == now.data or len(data) > max(LIMIT, len(now.data)):
                continue
            then = state(data)
            if then.rank < now.rank and (then.conformant or not now.conformant):
                yield then, batch


def _apart(findings: list[Diagnostic]) -> list[Diagnostic]:
    """Those findings, in order, whose edits touch none of an earlier one's."""
    taken: list[tuple[int, int]] = []
    kept = []
    for finding in findings:
        spans = [(e.span.offset, e.span.end) for e in finding.fix.edits] if finding.fix else []
        if all(end < start or stop < begin for begin, end in taken for start, stop in spans):
            taken += spans
            kept.append(finding)
    return kept


def _stamp(data: bytes) -> tuple[int, int, bool] | None:
    """Where the INTEGRITY line is, LF included, and whether it is right."""
    found = _STAMP.search(data)
    if found is None:
        return None
    start, end = found.span()
    right = (
        integrity.checksum(data[:start], data[end:]).encode() == found[1]
        and canonical_integer(found[2].decode()) == str(len(data))
    )  # fmt: skip
    return start, end, right


def _stamped_as_before(before: bytes, after: bytes) -> bytes:
    old, new = _stamp(before), _stamp(after)
    if old is None or new is None or not old[2] or new[2]:
        return after
    start, end, _ = new
    return integrity.insert(after[:start] + after[end:], start)


def _restamped(now: _State, state: Callable[[bytes], _State]) -> _State | None:
    """The text with a new stamp, where the stamp is all that is wrong with it."""
    codes = {finding.code for finding in now.findings if finding.code.startswith("C")}
    stamp = _stamp(now.data)
    if codes != {"C11"} or stamp is None:
        return None
    start, end, _ = stamp
    then = state(integrity.insert(now.data[:start] + now.data[end:], start))
    return then if then.conformant else None
