"""What a function raises by its own text: its own `raise` statements and those of its module's
private functions that it calls, save what is caught on the way.
"""

import ast
from functools import cache
from pathlib import Path

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def _module(path: Path) -> tuple[ast.Module, dict[str, ast.AST]]:
    tree = ast.parse(path.read_text("utf-8"))
    return tree, {
        node.name: node
        for node in tree.body
        if isinstance(node, _FUNCTIONS) and node.name.startswith("_")
    }


def raised(path: Path, name: str, owner: str | None = None) -> set[str]:
    """The names of the exceptions that a function of a file, or a method of its class, raises."""
    tree, helpers = _module(path)
    body = tree.body
    if owner is not None:
        body = next(n for n in body if isinstance(n, ast.ClassDef) and n.name == owner).body
    found = [node for node in body if isinstance(node, _FUNCTIONS) and node.name == name]
    return set().union(*(_raised(node, helpers, frozenset({name})) for node in found))


def _raised(node: ast.AST, helpers: dict[str, ast.AST], seen: frozenset[str]) -> set[str]:
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (*_FUNCTIONS, ast.Lambda)):
            continue  # run when it is called, if ever
        if isinstance(child, ast.Try):
            inside = set().union(*(_raised(one, helpers, seen) for one in _wrapped(child.body)))
            found |= inside - _caught(child)
            for part in (*child.handlers, *child.orelse, *child.finalbody):
                found |= _raised(part, helpers, seen) | _own(part)
            continue
        found |= _own(child) | _raised(child, helpers, seen)
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name):
            called = child.func.id
            if called in helpers and called not in seen:
                found |= _raised(helpers[called], helpers, seen | {called})
    return found


def _wrapped(body: list[ast.stmt]) -> list[ast.Module]:
    return [ast.Module([one], []) for one in body]


def _own(node: ast.AST) -> set[str]:
    if not isinstance(node, ast.Raise) or node.exc is None:
        return set()
    made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    text = ast.unparse(made).rpartition(".")[2]
    return {text} if text[:1].isupper() else set()


def _caught(node: ast.Try) -> set[str]:
    """The exceptions that are handled; one that a handler raises again is found there."""
    names: set[str] = set()
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        names |= {ast.unparse(kind).rpartition(".")[2] for kind in kinds if kind is not None}
    return names
