"""Values that the text could not carry: read back, they would be something else.

A capsule made by hand or from JSON may hold a line end or a separator inside a
value. Its text might well be conformant, and yet be another capsule; such
values are found here, before any text is judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.model import Chain, InternalEntry, Meta, RelationEntry, Seed
from pcsf_lark.spec import SEP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.model import Capsule, Node

__all__ = ["misfits"]

_CODES: dict[type[Node], str] = {Meta: "C4", Chain: "C12", Seed: "C9"}
#: Codes that speak of an empty value too; elsewhere it is C8's.
_OWN = ("C9", "C12")


def misfits(capsule: Capsule) -> Iterator[tuple[str, bytes, str, str]]:
    """For each such value: the code of its rule, its line's bytes, message, help."""
    if "\n" in capsule.version:
        yield "C3", b"===", "the version holds a line end", "write v1, v1.1 or v1.2"
    nodes: list[Node | None] = [capsule.meta, capsule.chain]
    nodes += [entry for _, entries in capsule.layers for entry in entries]
    nodes.append(capsule.seed)
    for node in nodes:
        if node is not None:
            yield from _node(node)


def _node(node: Node) -> Iterator[tuple[str, bytes, str, str]]:
    line = node.line.encode("utf-8", "surrogatepass")
    for name, value in zip(node.FIELDS, node.values, strict=True):
        code = _CODES.get(type(node))
        if not value:
            yield code if code in _OWN else "C8", line, f"{name} is empty", "write its text"
        elif "\n" in value:
            yield code or "C7", line, f"{name} holds a line end", "write it on one line"
        elif node.BETWEEN and node.BETWEEN[0] == SEP and SEP in f" {value} ":
            yield "C8", line, f"{name} holds a separator: {value!r}", "write `/` or `-` instead"
    if isinstance(node, InternalEntry | RelationEntry) and ":" in node.values[0]:
        yield "C7", line, f"{node.FIELDS[0]} holds a colon", "write the bare name"
