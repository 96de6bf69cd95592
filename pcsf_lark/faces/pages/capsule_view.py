"""A capsule as it is shown: what every drawing of one has in common.

Laws of this module: pure; a capsule that is not conformant is shown as far as its
lines could be told apart, with what is wrong. However long the text, a view is
short: what it leaves out it counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from pcsf_lark.api import check_source, parse_source
from pcsf_lark.faces.pages.budget import TITLES, Budget, of_capsule, of_outline
from pcsf_lark.faces.pages.wording import cut
from pcsf_lark.outline import Kind
from pcsf_lark.spec import LAYERS, SEP

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.diagnostics import Diagnostic
    from pcsf_lark.model import Capsule
    from pcsf_lark.outline import Outline
    from pcsf_lark.report import Report
    from pcsf_lark.source import Source
    from pcsf_lark.spec import Layer

__all__ = ["CapsuleView", "EntryView", "Found", "LayerView", "capsule_view"]

#: The most findings, entries of a layer and characters of a text that are shown.
_FINDINGS, _ENTRIES, _TEXT, _SAID, _AROUND = 24, 16, 160, 300, 36
#: How the parts of an entry are read, beside its leading one.
_ROLES = {"reason": "because", "lesson": "lesson"}
_PARTS = 4


@frozen
class Found:
    """A finding: how bad, what, where, how to mend it, and the line with its place marked."""

    severity: str
    code: str
    name: str
    place: str
    message: str
    help: str
    before: str
    marked: str
    after: str


@frozen
class EntryView:
    """An entry: its token if it has one, what it says, and what goes with that by role."""

    token: str
    says: str
    more: tuple[tuple[str, str], ...] = ()


@frozen
class LayerView:
    """A layer: its entries, and how many were left out of the view."""

    key: str
    word: str
    title: str
    cap: int
    count: int
    entries: tuple[EntryView, ...]

    @property
    def left_out(self) -> int:
        """How many entries the view does not hold."""
        return self.count - len(self.entries)


@frozen(kw_only=True)
class CapsuleView:
    """All that is shown of a capsule; texts that it does not have are empty.

    ``integrity`` is ``absent``, ``verified``, ``mismatch`` or ``unread``; ``report`` is the
    whole verdict.
    """

    name: str
    conformant: bool
    topic: str
    about: tuple[tuple[str, str], ...]
    seed: str
    layers: tuple[LayerView, ...]
    budget: Budget
    hops: str
    origin: str
    integrity: str
    checksum: str
    findings: tuple[Found, ...]
    more_findings: int
    report: Report = field(eq=False, repr=False)

    kind: str = "capsule"

    @property
    def sound(self) -> bool:
        """Whether the exit code is 0."""
        return self.conformant


def capsule_view(name: str, source: Source, report: Report | None = None) -> CapsuleView:
    """What is shown of a text as a capsule; ``report`` is its verdict, if that is known."""
    report = report or check_source(source)
    findings = sorted(report.findings, key=lambda found: found.severity.rank)
    shown = tuple(_found(found, source) for found in findings[:_FINDINGS])
    rest = len(findings) - len(shown)
    if report.conformant:
        return _conformant(name, parse_source(source), report, shown, rest)
    return _broken(name, report, shown, rest)


def _conformant(
    name: str, tree: Capsule, report: Report, shown: tuple[Found, ...], rest: int
) -> CapsuleView:
    layers = []
    for layer, (_, entries) in zip(LAYERS, tree.layers, strict=True):
        rows = tuple(_entry(layer, entry.values) for entry in entries)
        layers.append(_layer(layer, rows, len(rows)))
    meta = tree.meta
    return CapsuleView(
        name=name,
        conformant=True,
        topic=meta.topic,
        about=_about(meta.domain, meta.depth, meta.timestamp, tree.version, tree.layout),
        seed=tree.seed.text,
        layers=tuple(layers),
        budget=of_capsule(tree),
        hops=tree.chain.hops if tree.chain else "",
        origin=tree.chain.origin if tree.chain else "",
        integrity="verified" if tree.integrity else "absent",
        checksum=tree.integrity.crc32 if tree.integrity else "",
        findings=shown,
        more_findings=rest,
        report=report,
    )


def _broken(name: str, report: Report, shown: tuple[Found, ...], rest: int) -> CapsuleView:
    outline = report.outline
    meta = _after(outline, Kind.META, "META:").split(SEP)
    topic, domain, depth, timestamp = meta if len(meta) == _PARTS else (*meta[:1], "", "", "")
    hops, origin = "", ""
    chain = _after(outline, Kind.CHAIN, "CHAIN:")
    if chain.startswith("hops=") and " origin=" in chain:
        hops, _, origin = chain.removeprefix("hops=").partition(" origin=")
    layers = []
    for layer in LAYERS:
        lines = list(outline.entries(layer))
        rows = tuple(_entry(layer, _split(layer, line.text)) for line in lines[:_ENTRIES])
        layers.append(_layer(layer, rows, len(lines)))
    return CapsuleView(
        name=name,
        conformant=False,
        topic=_cut(topic),
        about=_about(domain, depth, timestamp, report.version or "", report.layout or ""),
        seed=_cut(_after(outline, Kind.SEED, "SEED:")),
        layers=tuple(layers),
        budget=of_outline(outline),
        hops=_cut(hops),
        origin=_cut(origin),
        integrity=_integrity(outline, {found.code for found in report.findings}),
        checksum="",
        findings=shown,
        more_findings=rest,
        report=report,
    )


def _integrity(outline: Outline, codes: set[str]) -> str:
    if outline.first(Kind.INTEGRITY) is None:
        return "absent"
    return "mismatch" if "C11" in codes else "unread" if "C10" in codes else "verified"


def _about(*values: str) -> tuple[tuple[str, str], ...]:
    names = ("domain", "depth", "written", "version", "layout")
    return tuple((name, _cut(value)) for name, value in zip(names, values, strict=True) if value)


def _layer(layer: Layer, rows: tuple[EntryView, ...], count: int) -> LayerView:
    return LayerView(layer.key, layer.word, TITLES[layer.key], layer.cap, count, rows)


def _entry(layer: Layer, values: Iterable[str]) -> EntryView:
    """An entry's parts by what they are; those of no known shape are its text as it stands."""
    parts = tuple(values)
    if len(parts) != len(layer.fields):
        return EntryView("", _cut(layer.separator.join(parts)))
    named = dict(zip(layer.fields, parts, strict=True))
    if layer.fields[-1] == "priority":
        # Urgency leads: it is what the eye looks for among loops.
        more = (("kind", _cut(named["type"])),)
        return EntryView(_cut(named["priority"]), _cut(named["description"]), more)
    leads = layer.fields[0] != "option"
    token, says, *rest = parts if leads else ("", *parts)
    roles = map(_ROLES.__getitem__, layer.fields[2 if leads else 1 :])
    return EntryView(_cut(token), _cut(says), tuple(zip(roles, map(_cut, rest), strict=True)))


def _split(layer: Layer, text: str) -> tuple[str, ...]:
    most = len(layer.fields) - 1 if layer.separator != SEP else -1
    return tuple(text.split(layer.separator, most))


def _after(outline: Outline, kind: Kind, prefix: str) -> str:
    line = outline.first(kind)
    return line.text.removeprefix(prefix).strip(" ") if line else ""


def _cut(text: str) -> str:
    """A text as far as it is shown; only texts of capsules that are not conformant are cut."""
    return text if len(text) <= _LONGEST else f"{text[:_TEXT]} … ({len(text) - _TEXT:,} more)"


#: No text of a conformant capsule is longer.
_LONGEST = 1_200


def _found(found: Diagnostic, source: Source) -> Found:
    span = found.span
    before, marked, after = _excerpt(source, span.line - 1, span.offset, span.end)
    place = f"{span.line}:{span.column}"
    texts = (cut(found.message, _SAID), cut(found.help, _SAID))
    return Found(found.severity.value, found.code, found.name, place, *texts, before, marked, after)


def _excerpt(source: Source, index: int, offset: int, end: int) -> Iterator[str]:
    """The line that a place is in, around it: before, the place itself, after."""
    if index >= len(source):
        return iter(("", "", ""))
    start, stop = source.bounds(index)
    offset, end = min(offset, stop), min(end, stop)
    first, last = max(start, offset - _AROUND), min(stop, max(end, offset) + _AROUND)
    last = min(last, first + 3 * _AROUND)
    end = min(end, last)
    text = source.text
    head = "…" if first > start else ""
    tail = "…" if last < stop else ""
    parts = head + text[first:offset], text[offset:end], text[end:last] + tail
    return (part.replace("\t", "\N{SYMBOL FOR HORIZONTAL TABULATION}") for part in parts)
