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
from pcsf_lark.faces.pages.capsule_findings import findings
from pcsf_lark.faces.pages.room import Room
from pcsf_lark.faces.pages.wording import decoded
from pcsf_lark.outline import Kind
from pcsf_lark.spec import LAYERS, SEP

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pcsf_lark.faces.pages.capsule_findings import Found
    from pcsf_lark.model import Capsule
    from pcsf_lark.outline import Outline
    from pcsf_lark.report import Report
    from pcsf_lark.source import Source
    from pcsf_lark.spec import Layer

    _Say = Callable[[str], str]

__all__ = ["CapsuleView", "EntryView", "LayerView", "capsule_view"]

#: Of a text that is not conformant: the bytes of its page beside what every page has, of
#: them those of findings; the most entries of a layer and characters of a text; and the
#: bytes of an entry's markup.
_ROOM, _FINDINGS_ROOM, _ENTRIES, _TEXT, _MARKUP = 18_000, 10_000, 16, 160, 230
#: No text of a conformant capsule is longer; of what is, the beginning is enough.
_LONGEST = 1_200
#: How the parts of an entry are read, beside its leading one.
_ROLES = {"reason": "because", "lesson": "lesson"}
_PARTS = 4


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
    if report.conformant:
        return _conformant(name, parse_source(source), report, findings(report, source, Room(None)))
    first = Room(_FINDINGS_ROOM)
    shown = findings(report, source, first)
    return _broken(name, report, shown, Room(_ROOM - _FINDINGS_ROOM + first.left))


def _conformant(name: str, tree: Capsule, report: Report, shown: tuple[Found, ...]) -> CapsuleView:
    layers = []
    for layer, (_, entries) in zip(LAYERS, tree.layers, strict=True):
        rows = tuple(_entry(layer, entry.values, str) for entry in entries)
        layers.append(_layer(layer, rows, len(rows)))
    meta = tree.meta
    return CapsuleView(
        name=name,
        conformant=True,
        topic=meta.topic,
        about=_about(str, meta.domain, meta.depth, meta.timestamp, tree.version, tree.layout),
        seed=tree.seed.text,
        layers=tuple(layers),
        budget=of_capsule(tree),
        hops=tree.chain.hops if tree.chain else "",
        origin=tree.chain.origin if tree.chain else "",
        integrity="verified" if tree.integrity else "absent",
        checksum=tree.integrity.crc32 if tree.integrity else "",
        findings=shown,
        more_findings=len(report.findings) - len(shown),
        report=report,
    )


def _broken(name: str, report: Report, shown: tuple[Found, ...], room: Room) -> CapsuleView:
    def say(text: str) -> str:
        text = decoded(text)
        return room.text(text, len(text) if len(text) <= _LONGEST else _TEXT)

    outline = report.outline
    meta = _after(outline, Kind.META, "META:").split(SEP)
    topic, domain, depth, timestamp = meta if len(meta) == _PARTS else (*meta[:1], "", "", "")
    hops, origin = "", ""
    chain = _after(outline, Kind.CHAIN, "CHAIN:")
    if chain.startswith("hops=") and " origin=" in chain:
        hops, _, origin = chain.removeprefix("hops=").partition(" origin=")
    return CapsuleView(
        name=name,
        conformant=False,
        topic=say(topic),
        about=_about(say, domain, depth, timestamp, report.version or "", report.layout or ""),
        seed=say(_after(outline, Kind.SEED, "SEED:")),
        layers=tuple(_read(layer, outline, room, say) for layer in LAYERS),
        budget=of_outline(outline),
        hops=say(hops),
        origin=say(origin),
        integrity=_integrity(outline, {found.code for found in report.findings}),
        checksum="",
        findings=shown,
        more_findings=len(report.findings) - len(shown),
        report=report,
    )


def _read(layer: Layer, outline: Outline, room: Room, say: _Say) -> LayerView:
    """A layer's lines, taken for entries as far as there is room."""
    lines = list(outline.entries(layer))
    rows = []
    for line in lines[:_ENTRIES]:
        if not room.has(_MARKUP):
            break
        rows.append(_entry(layer, _split(layer, line.text), say))
    return _layer(layer, tuple(rows), len(lines))


def _integrity(outline: Outline, codes: set[str]) -> str:
    if outline.first(Kind.INTEGRITY) is None:
        return "absent"
    return "mismatch" if "C11" in codes else "unread" if "C10" in codes else "verified"


def _about(say: _Say, *values: str) -> tuple[tuple[str, str], ...]:
    names = ("domain", "depth", "written", "version", "layout")
    return tuple((name, say(value)) for name, value in zip(names, values, strict=True) if value)


def _layer(layer: Layer, rows: tuple[EntryView, ...], count: int) -> LayerView:
    return LayerView(layer.key, layer.word, TITLES[layer.key], layer.cap, count, rows)


def _entry(layer: Layer, values: Iterable[str], say: _Say) -> EntryView:
    """An entry's parts by what they are; those of no known shape are its text as it stands."""
    parts = tuple(values)
    if len(parts) != len(layer.fields):
        return EntryView("", say(layer.separator.join(parts)))
    named = dict(zip(layer.fields, parts, strict=True))
    if layer.fields[-1] == "priority":
        # Urgency leads: it is what the eye looks for among loops.
        more = (("kind", say(named["type"])),)
        return EntryView(say(named["priority"]), say(named["description"]), more)
    leads = layer.fields[0] != "option"
    token, says, *rest = parts if leads else ("", *parts)
    roles = map(_ROLES.__getitem__, layer.fields[2 if leads else 1 :])
    return EntryView(say(token), say(says), tuple(zip(roles, map(say, rest), strict=True)))


def _split(layer: Layer, text: str) -> tuple[str, ...]:
    most = len(layer.fields) - 1 if layer.separator != SEP else -1
    return tuple(text.split(layer.separator, most))


def _after(outline: Outline, kind: Kind, prefix: str) -> str:
    line = outline.first(kind)
    return line.text.removeprefix(prefix).strip(" ") if line else ""
