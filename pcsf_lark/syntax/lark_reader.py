"""The Lark reader: the same AST as the fast reader's, from the LALR parser's tree.

Rules of the grammar and methods of the builder bear the same names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lark import Transformer, UnexpectedInput, v_args

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
from pcsf_lark.spec import LAYERS
from pcsf_lark.syntax.fast import exact_case
from pcsf_lark.syntax.lark_parser import WHOLE, parser

if TYPE_CHECKING:
    from lark.tree import Meta as Place

    from pcsf_lark.model import Node

__all__ = ["read"]


def read(text: str, profile: str = "interop") -> Capsule | None:
    """The AST of a text that the grammar of the profile accepts whole, else None."""
    try:
        tree = parser(profile, WHOLE).parse(text)
    except UnexpectedInput:
        return None
    capsule: Capsule = _Builder(text).transform(tree)
    if profile == "prose" and capsule.layout != "spaced":
        return None
    return exact_case(capsule) if profile == "abnf" else capsule


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
