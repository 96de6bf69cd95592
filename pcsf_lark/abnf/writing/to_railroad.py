"""Grammar to railroad diagrams: one SVG picture with a track for each rule, or one for each.

Laws: deterministic, self-contained (no script, no font, no link outside);
boxes with round ends are text, square ones rules, which link to their track.
The one picture brings its colours; single ones have classes alone, and the page
that they stand in says what `railroad_style` is to colour them with.
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from attrs import frozen

from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.nodes import (
    Alternation,
    Concatenation,
    Literal,
    Node,
    NumRange,
    NumVal,
    Option,
    Prose,
    Reference,
    Repetition,
    Rule,
    key,
)
from pcsf_lark.abnf.writing.tracks import GAP, Piece, box, choice, line, loop, row, skip, stack

__all__ = ["Diagram", "Palette", "railroad_diagrams", "railroad_style", "to_railroad"]

_MARGIN = 24.0
_TITLE = 30.0
_WIDEST = 860.0
#: Around a picture of one rule, whose end marks are of radius 4.
_EDGE = 6.0
_NAMES = {0x0A: "LF", 0x0D: "CR", 0x09: "TAB", 0x20: "space"}


@frozen
class Palette:
    """What colours a picture: any CSS values, so that a page may give its own variables.

    Attributes:
        ground: What lies behind the picture.
        track: The lines.
        text: The words.
        note: What is said of a repetition.
        terminal: The boxes of texts.
        rule: The boxes of rules.
        loop: What notes stand on.
    """

    ground: str
    track: str
    text: str
    note: str
    terminal: str
    rule: str
    loop: str


#: The colours of a picture that stands alone.
_PAPER = Palette("#fff", "#333", "#111", "#555", "#e8f3e4", "#e6eefa", "#fff7db")


@frozen
class Diagram:
    """The picture of one rule: an ``svg`` element for a page, and the rule's anchor there.

    Attributes:
        name: The rule's name.
        anchor: What a link to it names.
    """

    name: str
    anchor: str
    svg: str


def railroad_style(palette: Palette, scope: str = "") -> str:
    """Return the style sheet of pictures; in a page ``scope`` is a selector that they stand in."""
    within = f"{scope} " if scope else ""
    rows = {
        "svg": f"background:{palette.ground}",
        "path": f"fill:none;stroke:{palette.track};stroke-width:1.6",
        "text": f"font:12px monospace;text-anchor:middle;fill:{palette.text}",
        "text.title": "font:bold 14px sans-serif;text-anchor:start",
        "text.note": f"font:italic 11px sans-serif;fill:{palette.note}",
        "rect": f"stroke:{palette.track};stroke-width:1.2",
        "rect.terminal": f"fill:{palette.terminal}",
        "rect.rule": f"fill:{palette.rule}",
        "rect.note": f"fill:{palette.loop}",
        "circle": f"fill:{palette.track}",
    }
    return "".join(f"{within}{name}{{{row}}}" for name, row in rows.items())


def to_railroad(grammar: Grammar, *starts: str) -> str:
    """Return the picture of all own rules, or of those the starts lead to."""
    rules = grammar.reachable(*starts) if starts else grammar.rules
    drawn: list[str] = []
    y, width = _MARGIN, 0.0
    anchors = {rule.key: rule.key for rule in rules}
    for rule in rules:
        piece = _Drawing(anchors).node(rule.definition)
        main = y + _TITLE + piece.up
        drawn += _titled(rule, piece, main, y)
        width = max(width, piece.width)
        y = main + piece.down + _MARGIN
    width += 2 * _MARGIN + 2 * GAP + 16
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{y:g}" '
        f'viewBox="0 0 {width:g} {y:g}">'
    )
    return "\n".join([head, f"<style>{railroad_style(_PAPER)}</style>", *drawn, "</svg>"]) + "\n"


def railroad_diagrams(grammar: Grammar, *starts: str, prefix: str = "") -> tuple[Diagram, ...]:
    """Return a picture of each own rule, or of those the starts lead to, to stand in an HTML page.

    Rules link to ``#`` and the anchor of their picture, which is ``prefix`` and the
    rule's key; to set it as an ``id`` is the page's part.
    """
    rules = grammar.reachable(*starts) if starts else grammar.rules
    anchors = {rule.key: prefix + rule.key for rule in rules}
    return tuple(_diagram(rule, anchors) for rule in rules)


def _diagram(rule: Rule, anchors: Mapping[str, str]) -> Diagram:
    piece = _Drawing(anchors).node(rule.definition)
    width, height = piece.width + 2 * GAP + 4 + 2 * _EDGE, piece.up + piece.down + 2 * _EDGE
    label = escape(f"Railroad diagram of {rule.name}")
    head = (
        f'<svg role="group" aria-label="{label}" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}">'
    )
    svg = "\n".join([head, *_track(piece, _EDGE, piece.up + _EDGE), "</svg>"])
    return Diagram(rule.name, anchors[rule.key], svg)


def _titled(rule: Rule, piece: Piece, main: float, top: float) -> Iterator[str]:
    yield f'<g id="{escape(rule.key)}"><text class="title" x="{_MARGIN:g}" y="{top + 14:g}">'
    yield f"{escape(rule.name)}</text>"
    *track, last = _track(piece, _MARGIN, main)
    yield from track
    yield f"{last}</g>"


def _track(piece: Piece, left: float, main: float) -> Iterator[str]:
    """Yield a whole line, from where it begins to where it ends."""
    x = left + GAP
    yield f'<circle cx="{left:g}" cy="{main:g}" r="4"/>'
    yield f'<path d="M{left:g} {main:g} h{GAP:g}"/>'
    yield from piece.draw(x, main)
    end = x + piece.width
    yield f'<path d="M{end:g} {main:g} h{GAP:g}"/>'
    yield f'<circle cx="{end + GAP + 4:g}" cy="{main:g}" r="4"/>'


class _Drawing:
    """Turns the nodes of one rule into track; `anchors` are those of rules with their own."""

    def __init__(self, anchors: Mapping[str, str]) -> None:
        self._anchors = anchors

    def node(self, node: Node) -> Piece:
        """Return the track of a node."""
        match node:
            case Reference(name) | Prose(name):
                return box(name, "rule", self._anchors.get(key(name.strip()), ""))
            case Literal(text, exact):
                return self._literal(text, exact=exact)
            case NumVal(points):
                return box(" ".join(map(_point, points)), "terminal")
            case NumRange(first, last):
                return box(f"{_point(first)} to {_point(last)}", "terminal")
            case Concatenation(items):
                return _wrapped([self.node(item) for item in items])
            case Alternation(items):
                return choice([self.node(item) for item in items])
            case Option(item):
                return skip(self.node(item))
            case Repetition(item, least, most):
                return self._repeated(item, least, most)

    def _literal(self, text: str, *, exact: bool) -> Piece:
        if not text:
            return line(GAP)
        shown = text.replace(" ", "\N{OPEN BOX}")
        cased = not exact and any(char.isalpha() for char in text)
        return box(shown + (" (any case)" if cased else ""), "terminal")

    def _repeated(self, item: Node, least: int, most: int | None) -> Piece:
        inner = self.node(item)
        if (least, most) == (0, 1):
            return skip(inner)
        if most == 0:
            return line(GAP)
        note = _times(least, most)
        around = loop(inner, note) if most != 1 else inner
        return skip(around) if least == 0 else around


def _times(least: int, most: int | None) -> str:
    if most is None:
        return f"at least {least} times" if least > 1 else ""
    if least == most:
        return f"{least} times"
    return f"at most {most} times" if least <= 1 else f"{least} to {most} times"


def _point(point: int) -> str:
    if point in _NAMES:
        return _NAMES[point]
    return chr(point) if 0x21 <= point < 0x7F else f"U+{point:04X}"


def _wrapped(pieces: Sequence[Piece]) -> Piece:
    """Return a row, broken into lines where it would be too wide."""
    rows: list[list[Piece]] = [[]]
    width = 0.0
    for piece in pieces:
        if rows[-1] and width + piece.width > _WIDEST:
            rows.append([])
            width = 0.0
        rows[-1].append(piece)
        width += piece.width + GAP
    return stack([row(pieces) for pieces in rows])
