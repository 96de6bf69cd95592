"""The reasoning graph as text, JSON, Mermaid or DOT: nodes, and who rests on whom.

A foreign object's ids may hold anything. In a drawing each stays on its line, as
written where it can be seen and escaped where not, so that no id ends a line, a
quotation, or the fence of the page that the drawing is pasted into.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from cso import graph, model

if TYPE_CHECKING:
    from collections.abc import Callable

    from cso.model import CognitiveStateObject

__all__ = ["FORMATS", "draw", "seen"]

# Labels are for eyes: a statement may be a page long.
_LABEL = 60


def draw(cso: CognitiveStateObject, form: str = "text") -> str:
    """Draw the graph in one of `FORMATS`; raise `KeyError` for another one.

    Nodes are items in the object's order, then whatever else edges name: tool
    results, and ids that nothing holds.
    """
    return FORMATS[form](_nodes(cso), list(dict.fromkeys(graph.pairs(cso))))


Node = dict[str, Any]
Pairs = list[tuple[str, str]]


def _nodes(cso: CognitiveStateObject) -> list[Node]:
    items = cso.items()
    nodes = [
        {
            "id": item.id,
            "kind": "decision" if isinstance(item, model.Decision) else "fact",
            "status": item.status.value,
            "says": model.says(item),
        }
        for item in items.values()
    ]
    others = dict.fromkeys(name for pair in graph.pairs(cso) for name in pair if name not in items)
    kinds = ("tool" if name.startswith(graph.TOOL) else "missing" for name in others)
    nodes += [
        {"id": name, "kind": kind, "status": "", "says": ""}
        for name, kind in zip(others, kinds, strict=True)
    ]
    return nodes


def _short(node: Node) -> str:
    says = " ".join(node["says"].split())
    return seen(says if len(says) <= _LABEL else says[: _LABEL - 3] + "...")


def seen(text: str) -> str:
    r"""Give the text on one line, what cannot be seen as `\n`, `\x7f` or `\u202e`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _label(node: Node) -> str:
    name = seen(node["id"])
    return f"{name}: {_short(node)}" if node["says"] else name


def _text(nodes: list[Node], pairs: Pairs) -> str:
    rests: dict[str, list[str]] = {}
    for dependent, name in pairs:
        rests.setdefault(dependent, []).append(name)
    lines = []
    for node in nodes:
        mark = "" if node["status"] in ("", "VALID") else f" [{node['status']}]"
        says = f": {_short(node)}" if node["says"] else ""
        lines.append(f"{node['kind']} {seen(node['id'])}{says}{mark}")
        lines.extend(f"  rests on {seen(name)}" for name in rests.get(node["id"], ()))
    return "".join(f"{line}\n" for line in lines)


def _json(nodes: list[Node], pairs: Pairs) -> str:
    edges = [{"dependent": dependent, "depends_on": name} for dependent, name in pairs]
    return json.dumps({"nodes": nodes, "edges": edges}, indent=2, ensure_ascii=False) + "\n"


_SHAPES = {
    "fact": ("[", "]"),
    "decision": ("{{", "}}"),
    "tool": ("[(", ")]"),
    "missing": ("([", "])"),
}


# Backticks would begin what Mermaid reads as Markdown; entities show as they are.
_ENTITIES = str.maketrans({"#": "#35;", '"': "#quot;", "<": "#lt;", "`": "#96;"})


def _mermaid(nodes: list[Node], pairs: Pairs) -> str:
    # Ids may hold what Mermaid reads as syntax, so nodes are numbered.
    numbers = {node["id"]: f"n{number}" for number, node in enumerate(nodes)}
    lines = ["flowchart BT"]
    for node in nodes:
        left, right = _SHAPES[node["kind"]]
        label = _label(node).translate(_ENTITIES)
        lines.append(f'    {numbers[node["id"]]}{left}"{label}"{right}')
        if node["status"] not in ("", "VALID"):
            lines.append(f"    class {numbers[node['id']]} {node['status']}")
    lines.extend(f"    {numbers[a]} --> {numbers[b]}" for a, b in pairs)
    return "".join(f"{line}\n" for line in lines)


_DOT_SHAPES = {"fact": "box", "decision": "hexagon", "tool": "cylinder", "missing": "plaintext"}


def _dot(nodes: list[Node], pairs: Pairs) -> str:
    lines = ["digraph cso {", "    rankdir=BT;"]
    for node in nodes:
        label = _label(node)
        mark = "" if node["status"] in ("", "VALID") else f", style=dashed, xlabel={node['status']}"
        shape = _DOT_SHAPES[node["kind"]]
        lines.append(f"    {_quoted(node['id'])} [label={_quoted(label)}, shape={shape}{mark}];")
    lines.extend(f"    {_quoted(a)} -> {_quoted(b)};" for a, b in pairs)
    return "".join(f"{line}\n" for line in (*lines, "}"))


def _quoted(text: str) -> str:
    # DOT reads \l, \N and their like as layout, but a doubled backslash as one.
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped if text.isprintable() else seen(escaped)}"'


FORMATS: dict[str, Callable[[list[Node], Pairs], str]] = {
    "dot": _dot,
    "json": _json,
    "mermaid": _mermaid,
    "text": _text,
}
"""Writers by name."""
