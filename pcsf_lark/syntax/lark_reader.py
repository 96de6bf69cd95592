"""The LALR parser: the same AST as the fast reader, and a reason for a refusal.

Lark reads `grammar/pcsf.lark`, which is generated from the ABNF and proved
free of conflicts (``strict``) when it is; here it is loaded without that proof
again. Rules of the grammar and methods of the builder bear the same names.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from attrs import frozen
from lark import Lark, Transformer, UnexpectedCharacters, UnexpectedInput, UnexpectedToken, v_args

from pcsf_lark import resources
from pcsf_lark.model import (
    Capsule,
    Chain,
    Integrity,
    InternalEntry,
    LoopEntry,
    Meta,
    NegativeEntry,
    RelationEntry,
    Seed,
    SkeletonEntry,
)
from pcsf_lark.spec import DEPTHS, LAYERS, PRIORITIES
from pcsf_lark.syntax.fast import exact_case

if TYPE_CHECKING:
    from lark.tree import Meta as Place

    from pcsf_lark.model import Node

__all__ = ["Fault", "fault", "read"]

_LINES = ("meta-line", "chain", "integrity", "seed-line")
_ENTRIES = tuple(f"l{layer.number}-entry" for layer in LAYERS)
_GRAMMARS = {"interop": "pcsf.lark", "prose": "pcsf.lark", "abnf": "pcsf.repaired.lark"}

#: What each terminal is called when it is what a line lacks.
_WORDS = {
    "$END": "the end of the line",
    "DEPTH": " or ".join(DEPTHS),
    "DIGITS": "digits",
    "DIMENSION": "a dimension name",
    "FIELD": "text",
    "HEXLOW_8": "eight lower-case hex digits",
    "L1_TYPE": "an L1 type",
    "L3_TYPE": "an L3 type",
    "L5_TYPE": "an L5 type",
    "PRIORITY": " or ".join(PRIORITIES),
    "SENTENCE": "a sentence",
    "TIMESTAMP": "a timestamp YYYY-MM-DDThh:mmZ",
    "_CHAIN_HOPS": "`CHAIN: hops=`",
    "_CHARS": "` chars=`",
    "_COLON_SPACE": "`: `",
    "_INTEGRITY_CRC32": "`INTEGRITY: crc32=`",
    "_META": "`META: `",
    "_ORIGIN": "` origin=`",
    "_SEED": "`SEED: `",
    "_SEP": "` | `",
}


@frozen
class Fault:
    """Where a line leaves its production (a column counted from 0) and what was expected."""

    at: int
    expected: str


@cache
def _parser(profile: str) -> Lark:
    return Lark(
        resources.grammar(_GRAMMARS[profile]),
        parser="lalr",
        start=["capsule", *(name.replace("-", "_") for name in (*_LINES, *_ENTRIES))],
        maybe_placeholders=False,
        propagate_positions=True,
    )


def read(text: str, profile: str = "interop") -> Capsule | None:
    """The AST of a text that the grammar of the profile accepts whole, else None."""
    try:
        tree = _parser(profile).parse(text, start="capsule")
    except UnexpectedInput:
        return None
    capsule: Capsule = _Builder(text).transform(tree)
    if profile == "prose" and capsule.layout != "spaced":
        return None
    return exact_case(capsule) if profile == "abnf" else capsule


def fault(production: str, line: str, profile: str) -> Fault | None:
    """Where and why ``line`` is not of this production; None where it is."""
    try:
        _parser(profile).parse(line, start=production.replace("-", "_"))
    except UnexpectedCharacters as error:
        return Fault(error.pos_in_stream, _words(error.allowed))
    except UnexpectedToken as error:
        at = len(line) if error.token.type == "$END" else error.token.start_pos
        return Fault(at or 0, _words(error.accepts or error.expected))
    return None


def _words(terminals: Any) -> str:
    words = sorted({_WORDS.get(name, name) for name in terminals or ("$END",)})
    return " or ".join(words)


def _node(make: type[Node]) -> Any:
    """A builder method: the children are the node's fields in order."""

    def build(_builder: _Builder, meta: Place, fields: list[Any]) -> Node:
        return make(*map(str, fields), at=(meta.start_pos, meta.line))

    return v_args(meta=True)(build)


class _Builder(Transformer[Any, Any]):
    """Tree to AST, rule by rule; the last place that knows Lark."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    meta_line = _node(Meta)
    chain = _node(Chain)
    integrity = _node(Integrity)
    l1_entry = _node(SkeletonEntry)
    l2_entry = _node(NegativeEntry)
    l3_entry = _node(InternalEntry)
    l4_entry = _node(RelationEntry)
    l5_entry = _node(LoopEntry)
    seed_line = _node(Seed)
    layer1 = layer2 = layer3 = layer4 = layer5 = tuple

    def header(self, parts: list[Any]) -> list[Any]:
        """The frame token and the header lines, to be joined to the body."""
        return parts

    def spaced(self, parts: list[Any]) -> list[Any]:
        """The body in the layout of the figure."""
        return ["spaced", *parts]

    def compact(self, parts: list[Any]) -> list[Any]:
        """The body in the layout of the printed grammar."""
        return ["compact", *parts]

    def capsule(self, parts: list[Any]) -> Capsule:
        """The whole; the repaired grammar has no productions for its two halves."""
        if isinstance(parts[0], list):
            parts = [*parts[0], *parts[1]]
        token, *rest = parts
        lines = {type(part): part for part in rest if not isinstance(part, str | tuple)}
        layers = [part for part in rest if isinstance(part, tuple)]
        return Capsule(
            version=str(token)[len("===PCSF:") : -len("===")],
            meta=lines[Meta],
            chain=lines.get(Chain),
            integrity=lines.get(Integrity),
            **dict(zip((layer.attribute for layer in LAYERS), layers, strict=True)),
            seed=lines[Seed],
            layout="spaced" if "spaced" in rest else "compact",
            final_lf=self._text.endswith("\n"),
            size=len(self._text),
        )
