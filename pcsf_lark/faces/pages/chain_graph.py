"""The branches of a chain as a drawing, where it has any: the oldest window on the left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.faces.pages.graph_view import Drawing, Node, drawing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pcsf_lark.faces.pages.chain_links import Link

__all__ = ["chain_drawing"]

#: The newest windows are drawn, so many.
_MOST = 40
#: A tag without what all tags begin with, as far as it tells windows apart.
_PREFIX, _DIGITS = "sha256:", 12


def chain_drawing(links: Sequence[Link]) -> Drawing | None:
    """Draw windows, each with an arrow to those that follow it; None for a single line."""
    pairs = [(parent, link.tag) for link in links for parent in link.parents if link.tag]
    tags = {link.tag for link in links}
    inside = [pair for pair in pairs if pair[0] in tags]
    starts = [parent for parent, _ in inside]
    ends = [child for _, child in inside]
    if len(set(starts)) == len(starts) and len(set(ends)) == len(ends):
        return None
    shown = [link for link in links if link.tag][-_MOST:]
    # One topic in all boxes would tell none from another.
    alike = len({link.topic for link in shown}) == 1
    nodes = [_node(link, alike=alike) for link in {link.tag: link for link in shown}.values()]
    return drawing(nodes, inside, all_nodes=len(tags - {""}), all_edges=len(set(inside)))


def _node(link: Link, *, alike: bool) -> Node:
    heads = ", ".join(link.heads)
    head = f"window {link.number or '?'}" + (f" ← {heads}" if heads else "")
    short = link.tag.removeprefix(_PREFIX)[:_DIGITS]
    says = f"{link.kind} {short}".strip() if alike else link.topic or link.kind or short
    return Node(link.tag, "window", "", says, head)
