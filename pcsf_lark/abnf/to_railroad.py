"""Grammar to railroad diagrams: one SVG picture, a track for each rule.

Laws: deterministic, self-contained (no script, no font, no link outside);
boxes with round ends are text, square ones rules, which link to their track.
"""

from collections.abc import Iterator, Sequence
from html import escape

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
from pcsf_lark.abnf.tracks import GAP, Piece, box, choice, line, loop, row, skip, stack

__all__ = ["to_railroad"]

_MARGIN = 24.0
_TITLE = 30.0
_WIDEST = 860.0
_STYLE = (
    "svg{background:#fff}path{fill:none;stroke:#333;stroke-width:1.6}"
    "text{font:12px monospace;text-anchor:middle;fill:#111}"
    "text.title{font:bold 14px sans-serif;text-anchor:start}"
    "text.note{font:italic 11px sans-serif;fill:#555}"
    "rect{stroke:#333;stroke-width:1.2}rect.terminal{fill:#e8f3e4}rect.rule{fill:#e6eefa}"
    "rect.note{fill:#fff7db}circle{fill:#333}"
)
_NAMES = {0x0A: "LF", 0x0D: "CR", 0x09: "TAB", 0x20: "space"}


def to_railroad(grammar: Grammar, *starts: str) -> str:
    """Return the picture of all own rules, or of those the starts lead to."""
    rules = grammar.reachable(*starts) if starts else grammar.rules
    drawn: list[str] = []
    y, width = _MARGIN, 0.0
    names = {rule.key for rule in rules}
    for rule in rules:
        piece = _Drawing(names).node(rule.definition)
        main = y + _TITLE + piece.up
        drawn += _track(rule, piece, main, y)
        width = max(width, piece.width)
        y = main + piece.down + _MARGIN
    width += 2 * _MARGIN + 2 * GAP + 16
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{y:g}" '
        f'viewBox="0 0 {width:g} {y:g}">'
    )
    return "\n".join([head, f"<style>{_STYLE}</style>", *drawn, "</svg>"]) + "\n"


def _track(rule: Rule, piece: Piece, main: float, top: float) -> Iterator[str]:
    x = _MARGIN + GAP
    yield f'<g id="{escape(rule.key)}"><text class="title" x="{_MARGIN:g}" y="{top + 14:g}">'
    yield f"{escape(rule.name)}</text>"
    yield f'<circle cx="{_MARGIN:g}" cy="{main:g}" r="4"/>'
    yield f'<path d="M{_MARGIN:g} {main:g} h{GAP:g}"/>'
    yield from piece.draw(x, main)
    end = x + piece.width
    yield f'<path d="M{end:g} {main:g} h{GAP:g}"/>'
    yield f'<circle cx="{end + GAP + 4:g}" cy="{main:g}" r="4"/></g>'


class _Drawing:
    """Turns the nodes of one rule into track; `names` are rules with a track of their own."""

    def __init__(self, names: set[str]) -> None:
        self._names = names

    def node(self, node: Node) -> Piece:
        """Return the track of a node."""
        match node:
            case Reference(name) | Prose(name):
                target = key(name.strip())
                return box(name, "rule", target if target in self._names else "")
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
