"""Railroad tracks: pieces of a syntax diagram that know their size and draw themselves.

Laws: a piece is entered at its left and left at its right, both on its main
line; `up` and `down` are what it needs above and below that line. All lengths
are in pixels; drawing yields SVG elements and touches nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import pairwise

from attrs import frozen

__all__ = ["GAP", "RADIUS", "Piece", "box", "choice", "line", "loop", "row", "skip", "stack"]

RADIUS = 10.0
GAP = 12.0
_CHAR = 7.3
_HALF = 13.0
_PAD = 10.0

_Draw = Callable[[float, float], Iterator[str]]


@frozen
class Piece:
    """A piece of track."""

    width: float
    up: float
    down: float
    draw: _Draw


def _path(*steps: str) -> str:
    return f'<path d="{" ".join(steps)}"/>'


def line(width: float) -> Piece:
    """Return a straight track."""

    def draw(x: float, y: float) -> Iterator[str]:
        if width:
            yield _path(f"M{x:g} {y:g}", f"h{width:g}")

    return Piece(width, 0, 0, draw)


def box(text: str, kind: str, link: str = "") -> Piece:
    """Return a labelled box; `kind` is its class: `terminal`, `rule` or `note`."""
    width = len(text) * _CHAR + 2 * _PAD

    def draw(x: float, y: float) -> Iterator[str]:
        curve = _HALF if kind == "terminal" else 3
        open_, close = (f'<a href="#{escape(link)}">', "</a>") if link else ("", "")
        yield (
            f'{open_}<rect class="{kind}" x="{x:g}" y="{y - _HALF:g}" width="{width:g}" '
            f'height="{2 * _HALF:g}" rx="{curve:g}"/><text x="{x + width / 2:g}" y="{y + 4:g}">'
            f"{escape(text)}</text>{close}"
        )

    return Piece(width, _HALF, _HALF, draw)


def row(pieces: Sequence[Piece]) -> Piece:
    """Return pieces one after the other."""
    width = sum(piece.width for piece in pieces) + GAP * max(len(pieces) - 1, 0)
    up = max((piece.up for piece in pieces), default=0)
    down = max((piece.down for piece in pieces), default=0)

    def draw(x: float, y: float) -> Iterator[str]:
        for number, piece in enumerate(pieces):
            if number:
                yield _path(f"M{x:g} {y:g}", f"h{GAP:g}")
                x += GAP
            yield from piece.draw(x, y)
            x += piece.width

    return Piece(width, up, down, draw)


def stack(rows: Sequence[Piece]) -> Piece:
    """Return rows one below the other, read like lines of text."""
    if len(rows) == 1:
        return rows[0]
    width = max(piece.width for piece in rows) + 6 * RADIUS
    lead = 2 * RADIUS
    tops = [0.0]
    for above, below in pairwise(rows):
        tops.append(tops[-1] + above.down + below.up + 4 * RADIUS)
    down = tops[-1] + rows[-1].down

    def draw(x: float, y: float) -> Iterator[str]:
        for number, piece in enumerate(rows):
            top = y + tops[number]
            yield _path(f"M{x + (0 if not number else lead):g} {top:g}", f"H{x + lead:g}")
            yield from piece.draw(x + lead, top)
            end = x + lead + piece.width
            if number == len(rows) - 1:
                # Back up to the main line, clear of the turns of the rows above.
                yield _path(f"M{end:g} {top:g}", f"H{x + width - 2 * RADIUS:g}")
                yield _branch(x + width - 2 * RADIUS, top, y)
                continue
            turn = top + piece.down + 2 * RADIUS
            yield _path(
                f"M{end:g} {top:g}",
                _arc(1, 1, clockwise=True),
                f"V{turn - RADIUS:g}",
                _arc(-1, 1, clockwise=True),
                f"H{x + lead:g}",
                _arc(-1, 1, clockwise=False),
                f"V{y + tops[number + 1] - RADIUS:g}",
                _arc(1, 1, clockwise=False),
            )

    return Piece(width, rows[0].up, down, draw)


def _arc(right: int, below: int, *, clockwise: bool) -> str:
    return f"a{RADIUS:g} {RADIUS:g} 0 0 {int(clockwise)} {right * RADIUS:g} {below * RADIUS:g}"


def choice(pieces: Sequence[Piece]) -> Piece:
    """Return alternatives, the first on the main line, the others below it."""
    inner = max(piece.width for piece in pieces)
    width = inner + 4 * RADIUS
    tops = [0.0]
    for above, below in pairwise(pieces):
        tops.append(tops[-1] + max(above.down + below.up + GAP, 2 * RADIUS))

    def draw(x: float, y: float) -> Iterator[str]:
        left, right = x + 2 * RADIUS, x + 2 * RADIUS + inner
        for top, piece in zip(tops, pieces, strict=True):
            if not top:
                yield _path(f"M{x:g} {y:g}", f"H{left:g}")
            else:
                yield _branch(x, y, y + top)
            yield from piece.draw(left, y + top)
            yield _path(f"M{left + piece.width:g} {y + top:g}", f"H{right:g}")
            if not top:
                yield _path(f"M{right:g} {y:g}", f"H{x + width:g}")
            else:
                yield _branch(right, y + top, y)

    return Piece(width, pieces[0].up, tops[-1] + pieces[-1].down, draw)


def _branch(x: float, y: float, to: float) -> str:
    """Return the track from the main line to a parallel one, 2 radii further on."""
    below = 1 if to > y else -1
    return _path(
        f"M{x:g} {y:g}",
        _arc(1, below, clockwise=to > y),
        f"V{to - below * RADIUS:g}",
        _arc(1, below, clockwise=to < y),
    )


def skip(piece: Piece) -> Piece:
    """Return a piece that may be left out, by a track above it."""
    width = piece.width + 4 * RADIUS
    height = max(piece.up + RADIUS, 2 * RADIUS)

    def draw(x: float, y: float) -> Iterator[str]:
        left, right = x + 2 * RADIUS, x + 2 * RADIUS + piece.width
        yield _branch(x, y, y - height)
        yield _path(f"M{left:g} {y - height:g}", f"H{right:g}")
        yield _branch(right, y - height, y)
        yield _path(f"M{x:g} {y:g}", f"H{left:g}")
        yield from piece.draw(left, y)
        yield _path(f"M{right:g} {y:g}", f"H{x + width:g}")

    return Piece(width, height, piece.down, draw)


def loop(piece: Piece, note: str = "") -> Piece:
    """Return a piece that may be gone through again, by a track below it."""
    inner = max(piece.width, len(note) * _CHAR)
    width = inner + 2 * RADIUS
    depth = max(piece.down + RADIUS, 2 * RADIUS)

    def draw(x: float, y: float) -> Iterator[str]:
        left, right = x + RADIUS, x + RADIUS + inner
        start = left + (inner - piece.width) / 2
        yield _path(f"M{x:g} {y:g}", f"H{start:g}")
        yield from piece.draw(start, y)
        yield _path(f"M{start + piece.width:g} {y:g}", f"H{x + width:g}")
        yield _path(
            f"M{right:g} {y:g}",
            _arc(1, 1, clockwise=True),
            f"V{y + depth - RADIUS:g}",
            _arc(-1, 1, clockwise=True),
            f"H{left:g}",
            _arc(-1, -1, clockwise=True),
            f"V{y + RADIUS:g}",
            _arc(1, -1, clockwise=True),
        )
        if note:
            place = f'x="{x + width / 2:g}" y="{y + depth + 14:g}"'
            yield f'<text class="note" {place}>{escape(note)}</text>'

    return Piece(width, piece.up, depth + (18 if note else 0), draw)
