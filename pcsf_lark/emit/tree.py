"""A capsule as JSON and back: the shape that `pcsf ast` prints and `pcsf emit` reads.

Laws of this file: every value a string as written, save ``final_lf`` and
``bytes``; the shape is checked here, what the values may be is judged by the
rules on the text they make.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pcsf_lark.errors import JsonError
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

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.model import Node

__all__ = ["from_json", "to_json"]

_ENTRIES: Mapping[str, type[Node]] = {
    "L1": SkeletonEntry,
    "L2": NegativeEntry,
    "L3": InternalEntry,
    "L4": RelationEntry,
    "L5": LoopEntry,
}
_REQUIRED = ("version", "meta", *_ENTRIES, "seed")
_OPTIONAL = ("layout", "final_lf", "chain", "integrity", "bytes")


def to_json(capsule: Capsule) -> dict[str, Any]:
    """The capsule's JSON object, its members in the order of the file.

    >>> import pcsf_lark
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> pcsf_lark.to_json(EXAMPLE)["L4"]
    [{'dimension': 'BOUNDARY', 'state': 'ask before touching production'}]
    """
    return {
        "version": capsule.version,
        "layout": capsule.layout,
        "final_lf": capsule.final_lf,
        "meta": _members(capsule.meta),
        "chain": _members(capsule.chain) if capsule.chain else None,
        "integrity": _members(capsule.integrity) if capsule.integrity else None,
        **{key: [_members(entry) for entry in entries] for key, entries in capsule.layers},
        "seed": capsule.seed.text,
        "bytes": capsule.size,
    }


def _members(node: Node) -> dict[str, str]:
    return dict(zip(node.FIELDS, node.values, strict=True))


def from_json(obj: Any) -> Capsule:
    """The capsule that a JSON object of this shape describes.

    ``layout``, ``final_lf`` and ``bytes`` are ignored; ``integrity`` other than
    null means that the capsule is to be stamped. Raises ``JsonError`` naming
    the path of the first member that has not the shape. Values are taken as
    they are: ``pcsf_lark.format`` of the result says whether they can stand.

    >>> import pcsf_lark
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> tree = pcsf_lark.to_json(EXAMPLE)
    >>> pcsf_lark.from_json(tree) == EXAMPLE
    True
    >>> tree["L5"][0]["priority"] = 1
    >>> pcsf_lark.from_json(tree)
    Traceback (most recent call last):
        ...
    pcsf_lark.errors.JsonError: L5[0].priority: expected a string, found a number
    """
    _keys(obj, "$", _REQUIRED, _OPTIONAL)
    chain, stamp = obj.get("chain"), obj.get("integrity")
    layers: dict[str, Any] = {
        layer.attribute: _entries(obj[layer.key], layer.key, _ENTRIES[layer.key])
        for layer in LAYERS
    }
    return Capsule(
        version=_text(obj["version"], "version"),
        meta=_node(obj["meta"], "meta", Meta),
        chain=None if chain is None else _node(chain, "chain", Chain),
        integrity=None if stamp is None else Integrity("", ""),
        **layers,
        seed=Seed(_text(obj["seed"], "seed")),
    )


def _entries(obj: Any, path: str, make: type[Node]) -> tuple[Any, ...]:
    if not isinstance(obj, list):
        raise JsonError(path, f"expected an array of entries, found {_kind(obj)}")
    return tuple(_node(entry, f"{path}[{i}]", make) for i, entry in enumerate(obj))


def _node(obj: Any, path: str, make: type[Node]) -> Any:
    _keys(obj, path, make.FIELDS, ())
    return make(*(_text(obj[name], f"{path}.{name}") for name in make.FIELDS))


def _keys(obj: Any, path: str, required: tuple[str, ...], optional: tuple[str, ...]) -> None:
    if not isinstance(obj, dict):
        raise JsonError(path, f"expected an object, found {_kind(obj)}")
    for key in required:
        if key not in obj:
            raise JsonError(path, f"the member {key!r} is missing; it needs {', '.join(required)}")
    for key in obj:
        if key not in required and key not in optional:
            raise JsonError(path, _unknown(key, (*required, *optional)))


def _unknown(key: str, known: tuple[str, ...]) -> str:
    import difflib  # noqa: PLC0415 - for a misspelt member alone

    near = difflib.get_close_matches(key, known, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
    return f"unknown member {key!r}; {hint}"


def _text(obj: Any, path: str) -> str:
    if not isinstance(obj, str):
        raise JsonError(path, f"expected a string, found {_kind(obj)}")
    return obj


def _kind(obj: Any) -> str:
    names = {dict: "an object", list: "an array", bool: "a boolean", type(None): "null"}
    return names.get(type(obj), "a number" if isinstance(obj, int | float) else "a string")
