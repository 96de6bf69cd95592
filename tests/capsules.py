"""Conformant capsules of every kind and near misses of them, for properties and in bulk.

``texts`` and ``mutants`` are Hypothesis strategies, which shrink; ``generate``
and ``mutate`` draw from a seeded ``Random``, a hundred times as fast.
"""

from __future__ import annotations

import re
from datetime import datetime

from hypothesis import assume
from hypothesis import strategies as st

from pcsf_lark import integrity
from pcsf_lark.spec import CLOSE, DEPTHS, LAYERS, LIMIT, PRIORITIES, VERSIONS
from pcsf_lark.values import is_one_sentence

_WORD = st.text("".join(map(chr, [*range(0x21, 0x7C), 0x7D, 0x7E])), min_size=1, max_size=9)
_ODD_WORDS = st.sampled_from(
    ["L3:INTERNAL", "SEED:", "===END===", "META:", "CHOICE", "e.g.", "No.", "a:", "::", "-", "HIGH"]
)
fields = st.builds(
    lambda words, gap: gap.join(words),
    st.lists(st.one_of(_WORD, _ODD_WORDS), min_size=1, max_size=5),
    st.sampled_from([" ", "  "]),
)
seeds = fields.filter(is_one_sentence)
times = st.datetimes(
    min_value=datetime(1, 1, 1),  # noqa: DTZ001 - the format knows UTC alone
).map(lambda t: f"{t.year:04}-{t.month:02}-{t.day:02}T{t.hour:02}:{t.minute:02}Z")
names = st.one_of(
    st.sampled_from(["STYLE", "TRUST", "VOCAB", "MODE", "BOUNDARY", "SEED", "CHAIN"]),
    st.from_regex(re.compile(r"[A-Za-z_]{1,8}", re.ASCII), fullmatch=True),
)


def _entry(layer):
    parts = []
    for name in layer.fields:
        if name == "priority":
            parts.append(st.sampled_from(PRIORITIES))
        elif name == "dimension":
            parts.append(names)
        elif name == "type":
            parts.append(st.sampled_from(layer.types))
        else:
            parts.append(fields)
    return st.tuples(*parts).map(layer.separator.join)


_LAYERS = st.tuples(
    *(st.lists(_entry(layer), max_size=min(layer.cap, 4)) for layer in LAYERS),
)


@st.composite
def texts(draw, layouts=("spaced", "compact")):
    """The text of a conformant capsule (rarely one over the limit, which is filtered out)."""
    gap = "\n" if draw(st.sampled_from(layouts)) == "spaced" else ""
    head = [
        f"===PCSF:{draw(st.sampled_from(VERSIONS))}===",
        " | ".join(
            ["META: " + draw(fields), draw(fields), draw(st.sampled_from(DEPTHS)), draw(times)]
        ),
    ]
    if draw(st.booleans()):
        hops = draw(st.sampled_from(["0", "1", "7", "12", "007"]))
        head.append(f"CHAIN: hops={hops} origin={draw(times)}")
    start = "\n".join(head) + "\n"
    body = "\n"
    for layer, entries in zip(LAYERS, draw(_LAYERS), strict=True):
        body += "".join(line + "\n" for line in [layer.header, *entries]) + gap
    body += f"SEED: {draw(seeds)}\n{CLOSE}" + draw(st.sampled_from(["\n", ""]))
    bare = (start + body).encode()
    data = integrity.insert(bare, len(start)) if draw(st.booleans()) else bare
    assume(len(data) <= LIMIT)
    return data.decode()


@st.composite
def mutants(draw, sources=None):
    """A capsule's text after one to three small changes: lines or characters lost, moved, put in."""
    text = draw(texts() if sources is None else sources)
    return mutate(draw(st.randoms(use_true_random=False)), text)


_LETTERS = "".join(map(chr, [*range(0x21, 0x7C), 0x7D, 0x7E]))
_COMMON = [
    "the",
    "lag",
    "index",
    "of",
    "every",
    "replica",
    "we",
    "never",
    "saw",
    "under",
    "load",
    "e.g.",
    "v1.2",
    "(no)",
    "a:b",
]
_ODD = ["L3:INTERNAL", "SEED:", "===END===", "META:", "CHOICE", "HIGH", "::", "-", "}", "~", "{"]


def generate(rng, *, layouts=("spaced", "compact")):
    """The text of a capsule that breaks no rule, from a ``random.Random``."""
    while True:
        gap = "\n" if rng.choice(layouts) == "spaced" else ""
        head = [
            f"===PCSF:{rng.choice(VERSIONS)}===",
            f"META: {_words(rng)} | {_words(rng)} | {rng.choice(DEPTHS)} | {_time(rng)}",
        ]
        if rng.random() < 0.5:
            head.append(f"CHAIN: hops={rng.choice(['0', '1', '42', '007'])} origin={_time(rng)}")
        start = "\n".join(head) + "\n"
        body = "\n"
        for layer in LAYERS:
            rows = [
                _row(rng, layer)
                for _ in range(rng.choice([0, 1, 1, 2, 3, rng.randint(0, layer.cap)]))
            ]
            body += "".join(line + "\n" for line in [layer.header, *rows]) + gap
        body += f"SEED: {_words(rng)}\n{CLOSE}" + rng.choice(["\n", "\n", ""])
        bare = (start + body).encode()
        data = integrity.insert(bare, len(start)) if rng.random() < 0.4 else bare
        if len(data) <= LIMIT and is_one_sentence(body[body.index("\nSEED: ") :]):
            return data.decode()


def _words(rng):
    words = []
    for _ in range(rng.randint(1, 6)):
        kind = rng.random()
        if kind < 0.8:
            words.append(rng.choice(_COMMON))
        elif kind < 0.9:
            words.append(rng.choice(_ODD))
        else:
            words.append("".join(rng.choice(_LETTERS) for _ in range(rng.randint(1, 9))))
    return rng.choice([" ", " ", "  "]).join(words)


def _time(rng):
    year = rng.choice([1, 1999, 2024, 2026, 9999])
    return f"{year:04}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T{rng.randint(0, 23):02}:{rng.randint(0, 59):02}Z"


def _row(rng, layer):
    parts = []
    for name in layer.fields:
        if name == "priority":
            parts.append(rng.choice(PRIORITIES))
        elif name == "dimension":
            parts.append(rng.choice(["STYLE", "TRUST", "MODE", "vocab", "SEED", "_", "L"]))
        elif name == "type":
            parts.append(rng.choice(layer.types))
        else:
            parts.append(_words(rng))
    return layer.separator.join(parts)


_BITS = [
    "", " ", "\n", "\n\n", "|", " | ", ": ", ":", "\t", "\r", "\x00", "\ufeff", "\u2019", "0", "9",
    "a", "A", ".", ". A", "L3:INTERNAL", "L2:NEGATIVE\n", "SEED: x", "===END===", "\n===END===\n",
    "CHOICE", "choice", "HIGH", "CHAIN: hops=1 origin=2026-01-01T00:00Z\n", "META: ", "a | b | c",
    "a | b | c\n", "STYLE: x\n",
]  # fmt: skip


def mutate(rng, text):
    """A text after one to three small changes: lines or characters lost, moved, put in."""
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        change = rng.choice(["drop", "double", "swap", "put", "put", "cut", "cut", "case"])
        if change in ("drop", "double", "swap"):
            lines = text.split("\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            if change == "drop":
                del lines[i]
            elif change == "double":
                lines.insert(i, lines[i])
            else:
                lines[i], lines[j] = lines[j], lines[i]
            text = "\n".join(lines)
            continue
        at = rng.randint(0, len(text))
        if change == "put":
            text = text[:at] + rng.choice(_BITS) + text[at:]
        elif change == "cut":
            text = text[:at] + text[at + rng.randint(1, 12) :]
        else:
            text = text[:at] + text[at : at + 8].swapcase() + text[at + 8 :]
    return text
