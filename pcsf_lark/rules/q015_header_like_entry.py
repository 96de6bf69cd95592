"""No entry looks like a line of the frame.

`SEED: x` inside L4 is a legal entry whose dimension is SEED. A person, a model
or a careless tool reads it as the SEED, and what comes after as something else.

Choose another dimension or rephrase; a header that slipped into a layer
belongs back in its place.

Misses: look-alikes in other case, save for L4 dimensions, and in the middle of
a field, save for the frame's own `===PCSF` and `===END===`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.diagnostics import Severity
from pcsf_lark.rules._rule import Finding, example
from pcsf_lark.spec import LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Capsule
    from pcsf_lark.rules._rule import Subject

CODE = "Q015"
NAME = "header-like-entry"
SEVERITY = Severity.WARNING
SECTION = "2.2"
SINCE = "0.1.0"
NEEDS = "header"
GOOD = (example(), example("STYLE:", "SEEDS:"), example("short answers", "the META: line first"))
BAD = (
    example("STYLE: short", "SEED: short"),
    example("STYLE: short", "chain: short"),
    example("dump and reload", "L3:INTERNAL dump"),
    example("writes must not stop", "SEED: writes must not stop"),
    example("size the window first", "write ===END=== last"),
)

_NAMES = frozenset({"META", "CHAIN", "INTEGRITY", "SEED"})
_STARTS = (*(f"{name}:" for name in ("META", "CHAIN", "INTEGRITY", "SEED")), *(f"{layer.key}:{layer.word}" for layer in LAYERS))  # fmt: skip
_FRAMES = ("===PCSF", "===END===")


def check(subject: Subject) -> Iterator[Finding]:
    """Each entry a field of which begins like a header, or that holds a frame line."""
    capsule = subject.capsule
    if capsule is None:
        return
    text = subject.source.text
    usual = 7 + (capsule.chain is not None) + (capsule.integrity is not None)
    if (
        sum(text.count(start) for start in _STARTS) == usual
        and text.count("===") == 4
        and not any(entry.dimension.upper() in _NAMES for entry in capsule.relation)
    ):
        return
    yield from _entries(capsule)


def _entries(capsule: Capsule) -> Iterator[Finding]:
    for layer, entries in capsule.layers:
        for entry in entries:
            line, span = entry.line, entry.span
            dimension = entry.values[0].upper() if layer == "L4" else ""
            found = next((s for s in _STARTS if any(v.startswith(s) for v in entry.values)), "")
            found = found or next((s for s in _FRAMES if s in line), "")
            if dimension in _NAMES:
                found = f"{dimension}:"
            if found and span:
                yield Finding(
                    span,
                    f"this {layer} entry looks like `{found}` of the frame",
                    "choose another dimension, or rephrase the entry",
                )
    seed = capsule.seed.text
    if (span := capsule.seed.span) and any(frame in seed for frame in _FRAMES):
        yield Finding(span, "SEED holds a frame line", "rephrase the sentence")
