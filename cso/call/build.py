"""The smallest objects for a call: what the input names, and defaults for the rest.

Items that edges or `depends_on` name exist, as facts, or as decisions where the
id begins with `d`; an id that says it is not there (`ghost`, `gone`, ...) is
held by nothing. Long graphs come from a generator text.
"""

from __future__ import annotations

import ast
import re
from itertools import chain
from typing import TYPE_CHECKING, Any

from cso.altered import altered
from cso.call.request import InputError, listed
from cso.codec import from_members
from cso.graph import TOOL
from cso.model import Decision, Edge, Fact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cso.model import CognitiveStateObject

__all__ = ["edges_of", "generated", "object_of", "part"]

_ABSENT = frozenset({"absent", "dangling", "ghost", "gone", "missing", "nope", "unknown"})
_MOST = 1_000_000

_PARTS: dict[str, dict[str, Any]] = {
    "fact": {
        "fact_id": "f",
        "statement": "s",
        "provenance": "DERIVED",
        "confidence": 0.5,
        "window_origin": 1,
    },
    "decision": {"decision_id": "d", "choice": "c", "rationale": "r", "window_origin": 1},
    "cso": {"cso_id": "cso", "window_number": 1, "goal_state": {"mode": "AGENTIC"}},
}


def part(kind: str, given: Any, at: str) -> dict[str, Any]:
    """Complete a fact or decision given as an id or as some of its members."""
    if isinstance(given, str):
        given = {f"{kind}_id": given}
    if not isinstance(given, dict):
        raise InputError("expected an id or an object", at=at)
    return {**_PARTS[kind], **given}


def object_of(given: dict[str, Any], **more: Any) -> CognitiveStateObject:
    """Build an object from `facts`, `decisions`, `edges`, `constraints`, `open_questions`."""
    facts = [part("fact", f, f"facts[{n}]") for n, f in enumerate(listed(given, "facts"))]
    decisions = [
        part("decision", d, f"decisions[{n}]") for n, d in enumerate(listed(given, "decisions"))
    ]
    edges = edges_of(given)
    members = {
        **_PARTS["cso"],
        "established_facts": facts,
        "decisions": decisions,
        "constraints": listed(given, "constraints"),
        "open_questions": listed(given, "open_questions"),
        **more,
    }
    return _with_named(from_members(members, strict=False), edges)


def _with_named(cso: CognitiveStateObject, edges: list[tuple[str, str]]) -> CognitiveStateObject:
    """Add the edges, and the items that they and `depends_on` name."""
    named = cso.items()
    rests = (name for decision in cso.decisions for name in decision.depends_on)
    facts, decisions = list(cso.established_facts), list(cso.decisions)
    for name in dict.fromkeys((*chain.from_iterable(edges), *rests)):
        if name in named or name in _ABSENT or name.startswith(TOOL):
            continue
        if name.startswith("d"):
            decisions.append(Decision(**part("decision", name, "edges")))
        else:
            facts.append(Fact(**part("fact", name, "edges")))
    return altered(
        cso,
        established_facts=tuple(facts),
        decisions=tuple(decisions),
        dependency_graph=tuple(Edge(a, b) for a, b in edges),
    )


def edges_of(given: dict[str, Any]) -> list[tuple[str, str]]:
    """Read `edges`, or what a `generator` makes of them."""
    if "generator" in given:
        return list(generated(given["generator"]))
    edges: list[tuple[str, str]] = []
    for number, edge in enumerate(listed(given, "edges")):
        if not isinstance(edge, dict) or not {"dependent", "depends_on"} <= edge.keys():
            raise InputError("expected {dependent, depends_on}", at=f"edges[{number}]")
        pair = edge["dependent"], edge["depends_on"]
        if not all(isinstance(name, str) and name for name in pair):
            raise InputError("expected ids", at=f"edges[{number}]")
        edges.append(pair)
    return edges


_GENERATOR = re.compile(
    r"(?:chain|tree): *([A-Za-z0-9._-]*)\{(i)\} depends on ([A-Za-z0-9._-]*)\{([-+*/%() i0-9]+)\}"
    r", *i *= *([0-9]{1,9})\.\.([0-9]{1,9})"
)


def generated(generator: Any) -> Iterable[tuple[str, str]]:
    """Yield the edges of `chain|tree: X{i} depends on X{expr}, i=a..b`."""
    match = _GENERATOR.fullmatch(generator.strip()) if isinstance(generator, str) else None
    if match is None or len(match[4]) > 80:
        what = "expected 'chain|tree: X{i} depends on X{expr}, i=a..b'"
        raise InputError(what, at="generator")
    first, last = int(match[5]), int(match[6])
    if last - first >= _MOST:
        raise InputError(f"more than {_MOST} edges", at="generator")
    value = _expression(match[4])
    for i in range(first, last + 1):
        yield f"{match[1]}{i}", f"{match[3]}{value(i)}"


_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}


def _expression(source: str) -> Callable[[int], int]:
    """Compile integer arithmetic in `i`; nothing else is understood."""
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except SyntaxError:
        raise InputError(f"not an expression: {source!r:.80}", at="generator") from None
    return lambda i: _value(tree, i)


def _value(node: ast.expr, i: int) -> int:
    # The text is at most 80 characters, so this recursion is shallow.
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name) and node.id == "i":
        return i
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -_value(node.operand, i)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        left, right = _value(node.left, i), _value(node.right, i)
        if right == 0 and isinstance(node.op, (ast.FloorDiv, ast.Mod)):
            raise InputError("division by zero", at="generator")
        return _OPERATORS[type(node.op)](left, right)
    raise InputError("expected + - * // % over i and integers", at="generator")
