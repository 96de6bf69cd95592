"""Hypothesis strategies: conformant capsules, and near misses of them.

Laws: whatever ``capsules`` yields is conformant under the default profile and
has no finding but V001 (compact layout); sizes reach the limit to the byte.
``mutations`` promise nothing: most are broken, and that is their use. Needs
the ``testing`` extra.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from pcsf_lark import integrity
from pcsf_lark.spec import CLOSE, DEPTHS, DIMENSIONS, LAYERS, LIMIT, PRIORITIES, SEP, VERSIONS
from pcsf_lark.values import is_one_sentence

try:
    from hypothesis import assume
    from hypothesis import strategies as st
except ImportError as error:
    raise ImportError("strategies need hypothesis: pip install 'pcsf-lark[testing]'") from error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy

    from pcsf_lark.spec import Layer

__all__ = ["capsules", "fields", "mutations", "sentences", "timestamps"]

_LAYOUTS = ("spaced", "compact")
_WORD = st.text("".join(map(chr, [*range(0x21, 0x7C), 0x7D, 0x7E])), min_size=1, max_size=9)
# Text that looks like structure, and words that a sentence counter may trip over.
_ODD = st.sampled_from(
    ["L3:INTERNAL", "SEED:", CLOSE, "META:", "CHOICE", "e.g.", "No.", "v1.2", "a:", "::", "HIGH"]
)
_NAMES = st.sampled_from(DIMENSIONS) | st.from_regex(
    re.compile(r"[A-Za-z_]{1,8}", re.ASCII), fullmatch=True
)
# A strategy is examined when it is first drawn from: each is built once.
_FIELDS = st.builds(
    lambda gap, row: gap.join(row),
    st.sampled_from([" ", "  "]),
    st.lists(_WORD | _ODD, min_size=1, max_size=5),
)
_SENTENCES = _FIELDS.filter(is_one_sentence)
_TIMESTAMPS = st.datetimes(
    min_value=datetime(1, 1, 1)  # noqa: DTZ001 - the format knows UTC alone
).map(lambda t: f"{t.year:04}-{t.month:02}-{t.day:02}T{t.hour:02}:{t.minute:02}Z")
_TIMES = st.tuples(_TIMESTAMPS, _TIMESTAMPS).map(sorted)
_DEPTH = st.sampled_from(DEPTHS)
_END = st.sampled_from(["\n", ""])
_KIND = st.sampled_from(["drop", "double", "swap", "put", "cut", "case"])


def fields() -> SearchStrategy[str]:
    """The text of a field: printable ASCII without `|`, no space at an edge."""
    return _FIELDS


def sentences() -> SearchStrategy[str]:
    """The text of SEED: a field that is one sentence (D7)."""
    return _SENTENCES


def timestamps() -> SearchStrategy[str]:
    """A real minute of the years 0001 to 9999."""
    return _TIMESTAMPS


@cache
def _entries(layer: Layer) -> SearchStrategy[list[str]]:
    kinds: dict[str, SearchStrategy[str]] = {
        "priority": st.sampled_from(PRIORITIES),
        "dimension": _NAMES,
        "type": st.sampled_from(layer.types or ("",)),
    }
    parts = [kinds.get(name, _FIELDS) for name in layer.fields]
    return st.lists(st.tuples(*parts).map(layer.separator.join), max_size=layer.cap)


@st.composite
def capsules(
    draw: DrawFn, *, layouts: Sequence[str] = _LAYOUTS, versions: Sequence[str] = VERSIONS
) -> str:
    """The text of a conformant capsule.

    ``layouts``: any of ``spaced`` and ``compact``. Versions are those that
    define the lines drawn: CHAIN comes with v1.2, INTEGRITY from v1.1 on.

    >>> from hypothesis import given, settings
    >>> @settings(max_examples=5, database=None)
    ... @given(capsules(layouts=["spaced"]))
    ... def test(text):
    ...     assert text.startswith("===PCSF:v")
    >>> test()
    """
    version = draw(st.sampled_from(versions))
    gap = "\n" if draw(st.sampled_from(layouts)) == "spaced" else ""
    origin, now = draw(_TIMES)
    meta = [draw(_FIELDS), draw(_FIELDS), draw(_DEPTH), now]
    chain = ""
    if version == "v1.2" and origin < now and draw(st.booleans()):
        chain = f"CHAIN: hops={draw(st.integers(1, 10**6))} origin={origin}\n"
    stamped = version != "v1" and draw(st.booleans())
    layers = "".join(
        "".join(f"{line}\n" for line in (layer.header, *_some(draw, layer))) + gap
        for layer in LAYERS
    )
    end = draw(_END)
    seed = draw(_SENTENCES)

    def text(padding: int) -> bytes:
        # The topic takes up what is wanting: it means nothing to any rule.
        start = f"===PCSF:{version}===\nMETA: {'x' * padding}{SEP.join(meta)}\n{chain}"
        body = f"\n{layers}SEED: {seed}\n{CLOSE}{end}"
        bare = (start + body).encode("ascii")
        return integrity.insert(bare, len(start)) if stamped else bare

    data = text(0)
    assume(len(data) <= LIMIT)
    target = draw(st.sampled_from([0, LIMIT - 1, LIMIT]) | st.integers(len(data), LIMIT))
    if target > len(data):
        data = text(target - len(data))
        # A stamp grows by a digit on the way to 1,000 bytes.
        if len(data) > LIMIT:
            data = text(target - len(text(0)) - 1)
    return data.decode("ascii")


def _some(draw: DrawFn, layer: Layer) -> list[str]:
    """Entries of a layer, seldom many: a full capsule leaves 27 bytes for each."""
    rows = draw(_entries(layer))
    return rows if draw(st.booleans()) else rows[:2]


_BIT = st.sampled_from((
    "", " ", "\n", "\n\n", "|", SEP, ": ", ":", "\t", "\r", "\x00", "\ufeff", "\u2019", "0", "9",
    "a", ".", ". A", "L3:INTERNAL", "L2:NEGATIVE\n", "SEED: x", CLOSE, "CHOICE", "choice", "HIGH",
    "CHAIN: hops=1 origin=2026-01-01T00:00Z\n", "META: ", "a | b | c\n", "STYLE: x\n",
))  # fmt: skip


@st.composite
def mutations(draw: DrawFn, of: SearchStrategy[str] | None = None) -> str:
    """A capsule's text after one to three small changes: lines or characters lost, moved, put in.

    ``of``: where the text comes from; by default ``capsules()``.

    >>> import pcsf_lark
    >>> from hypothesis import given, settings
    >>> @settings(max_examples=5, database=None)
    ... @given(mutations())
    ... def test(text):
    ...     assert pcsf_lark.check(text).conformant == pcsf_lark.conformant(text)
    >>> test()
    """
    text = draw(capsules() if of is None else of)
    for _ in range(draw(st.integers(1, 3))):
        text = _changed(draw, text)
    return text


def _changed(draw: DrawFn, text: str) -> str:
    change = draw(_KIND)
    if change in ("drop", "double", "swap"):
        lines = text.split("\n")
        one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        if change == "drop":
            del lines[one]
        elif change == "double":
            lines.insert(one, lines[one])
        else:
            lines[one], lines[other] = lines[other], lines[one]
        return "\n".join(lines)
    at = draw(st.integers(0, len(text)))
    if change == "put":
        return text[:at] + draw(_BIT) + text[at:]
    if change == "cut":
        return text[:at] + text[at + draw(st.integers(1, 12)) :]
    return text[:at] + text[at : at + 8].swapcase() + text[at + 8 :]
