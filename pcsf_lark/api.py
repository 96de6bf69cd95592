"""The verbs: text to verdict, AST, canonical text and JSON.

The only module that composes the stages and the only one that raises at
callers about content.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pcsf_lark.errors import CapsuleError
from pcsf_lark.model import Capsule
from pcsf_lark.report import Report
from pcsf_lark.rules import NEARLY_SPENT, Subject, run
from pcsf_lark.source import Source, Text
from pcsf_lark.spec import LIMIT, PROFILES
from pcsf_lark.syntax.fast import build, conforms, match

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.outline import Outline

__all__ = [
    "check",
    "check_source",
    "chosen",
    "conformant",
    "format_capsule",
    "format_source",
    "parse",
    "parse_source",
]


def conformant(data: Text, *, profile: str = "interop") -> bool:
    """The verdict alone: whether ``check`` would find no C rule broken.

    Raises ValueError for an unknown profile.

    >>> import pcsf_lark
    >>> pcsf_lark.conformant("no capsule")
    False
    """
    _known(profile)
    if isinstance(data, str):
        data = data.encode("utf-8", "surrogatepass")
    if len(data) > LIMIT:
        return False
    data = bytes(data)
    matched = match(data.decode("latin-1"), profile)
    return matched is not None and conforms(matched, data)


def parse(data: Text, *, profile: str = "interop") -> Capsule:
    """The AST of a conformant capsule.

    Text is taken as its UTF-8. Raises ``CapsuleError`` with every diagnostic
    where the capsule is not conformant under ``profile`` (``interop``,
    ``prose`` or ``abnf``), and ValueError for another profile.

    >>> import pcsf_lark
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> text = pcsf_lark.format(EXAMPLE)
    >>> capsule = pcsf_lark.parse(text)
    >>> capsule.loops[0].description, capsule.loops[0].span.line
    ('replay March against the new queue', 18)
    >>> pcsf_lark.parse(text.replace(b"| HIGH", b"| URGENT"))
    Traceback (most recent call last):
        ...
    pcsf_lark.errors.CapsuleError: not a conformant capsule: 1 finding
      18:56: C7 malformed-entry: `URGENT` is not a priority; write HIGH, MED or LOW
    """
    return parse_source(Source.of(data), profile=profile)


def parse_source(source: Source, *, profile: str = "interop") -> Capsule:
    """``parse`` of a text that was already read."""
    _known(profile)
    matched = match(source.text, profile)
    if matched is not None and conforms(matched, source.data):
        return build(matched)
    report = check_source(source, profile=profile)
    raise CapsuleError(tuple(f for f in report.findings if f.code.startswith("C")), source)


def check(
    data: Text,
    *,
    profile: str = "interop",
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
) -> Report:
    """Judge a text by all rules; never raises for content.

    ``select`` and ``ignore`` take codes, code prefixes and names; ValueError
    for one that fits no rule, or for an unknown profile.

    >>> import pcsf_lark
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> text = pcsf_lark.format(EXAMPLE).replace(b"| HIGH", b"| URGENT")
    >>> report = pcsf_lark.check(text)
    >>> report.conformant, report.bytes
    (False, 708)
    >>> for finding in report.findings:
    ...     print(finding.code, finding.span.line, finding.message, "->", finding.help)
    C7 18 `URGENT` is not a priority -> write HIGH, MED or LOW
    """
    return check_source(Source.of(data), profile=profile, codes=chosen(select, ignore))


def check_source(
    source: Source,
    *,
    profile: str = "interop",
    codes: frozenset[str] | None = None,
    budget: int = NEARLY_SPENT,
) -> Report:
    """``check`` of a text that was already read, ``codes`` as ``chosen`` gives them.

    ``budget`` is the size from which rule Q016 warns.
    """
    _known(profile)
    matched = match(source.text, profile)
    verdict = matched is not None and conforms(matched, source.data)
    subject = Subject(source, profile, build(matched) if matched else None, budget)
    findings = _ordered(run(subject, refused=not verdict, codes=codes))
    if source.oversize:
        findings = tuple(finding for finding in findings if finding.code == "C2")
    return Report(
        conformant=verdict,
        findings=findings,
        bytes=source.size,
        layout=subject.layout,
        version=subject.version,
        source=source,
        outliner=partial(_outline, source),
        manual=_manual,
    )


# Functions of the module, so that a report can go from one process to another.
def _outline(source: Source) -> Outline:
    from pcsf_lark.syntax.recovery import recover  # noqa: PLC0415 - for who asks

    return recover(source)


def _manual(code: str) -> str:
    from pcsf_lark.rules import find_rule  # noqa: PLC0415 - likewise

    rule = find_rule(code)
    return rule.doc if rule else ""


def format_capsule(data: Text | Capsule, *, restamp: bool = False) -> bytes:
    """The canonical text (D21).

    A Capsule with INTEGRITY is stamped anew. Raises ``CapsuleError`` for text
    that is not conformant (``restamp`` forgives a stale stamp, C11), for a
    Capsule that no conformant text can hold, and, with C2, where the canonical
    text would be longer than the limit.

    >>> import pcsf_lark
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> text = pcsf_lark.format(EXAMPLE)
    >>> pcsf_lark.parse(text) == EXAMPLE
    True
    """
    if isinstance(data, Capsule):
        return _judged(data)
    return format_source(Source.of(data), restamp=restamp)


def format_source(source: Source, *, restamp: bool = False) -> bytes:
    """``format_capsule`` of a text that was already read."""
    matched = match(source.text, "interop")
    if matched is not None and conforms(matched, source.data):
        return _judged(build(matched))
    report = check_source(source)
    broken = tuple(f for f in report.findings if f.code.startswith("C"))
    if matched is None or not restamp or any(f.code != "C11" for f in broken):
        raise CapsuleError(broken, source)
    return _judged(build(matched))


def _judged(capsule: Capsule) -> bytes:
    """The capsule's text, if reading it gives the capsule back."""
    from pcsf_lark.emit import canonical, misfits  # noqa: PLC0415 - judging writes nothing
    from pcsf_lark.rules import Finding, diagnose  # noqa: PLC0415 - likewise

    text = canonical(capsule)
    source = Source.of(text)
    errors = tuple(
        diagnose(code, Finding(source.span(max(text.find(line), 0)), message, mend))
        for code, line, message, mend in misfits(capsule)
    )
    if not errors:
        errors = tuple(f for f in check_source(source).findings if f.code.startswith("C"))
    if errors:
        raise CapsuleError(errors, source)
    return text


def _known(profile: str) -> None:
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}; known are {', '.join(PROFILES)}")


def chosen(
    select: Iterable[str] | None = None, ignore: Iterable[str] | None = None
) -> frozenset[str] | None:
    """The codes that selectors leave, None for all; ValueError for one that fits no rule."""
    select = [select] if isinstance(select, str) else select
    ignore = [ignore] if isinstance(ignore, str) else ignore
    if select is None and not ignore:
        return None
    from pcsf_lark.rules import default_codes, resolve  # noqa: PLC0415 - all run mostly

    codes = resolve(select) if select is not None else default_codes()
    return codes - resolve(ignore or ())


def _ordered(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(findings, key=lambda f: (f.span.offset, f.span.end, f.code)))
