"""`ext.pcsf`: what a capsule says that a state object has no slot for.

The version token, META, CHAIN and the stamp as written, the layout, and for each
layer its rows in order, which say where an entry's text lives now: in an item
(`id`), in an array of the object (`text`), or in the objective (`of`). It is
signed like the rest of the object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from pcsf_lark.spec import DEPTHS, LAYERS, PRIORITIES, VERSIONS
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cso import CognitiveStateObject

__all__ = ["NAME", "OBJECTIVE", "Complement", "complement_of"]

#: The namespace in `ext`.
NAME = "pcsf"
#: What `of` says of the DIRECTION that is the goal's objective.
OBJECTIVE = "objective"

Row = dict[str, str]
_TOKENS = {layer.key: layer.types for layer in LAYERS}
_CAPS = {layer.key: layer.cap for layer in LAYERS}


@frozen(kw_only=True)
class Complement:
    """The complement of one import.

    ``window`` is the window the import began with, ``meta`` the four fields,
    ``chain`` hops and origin, ``stamp`` CRC and length, each as written.
    """

    version: str
    meta: tuple[str, ...]
    seed: str
    window: int
    layout: str = "spaced"
    final_lf: bool = True
    chain: tuple[str, ...] = ()
    stamp: tuple[str, ...] = ()
    rows: Mapping[str, tuple[Row, ...]] = field(factory=dict)

    def members(self) -> dict[str, Any]:
        """The JSON of `ext.pcsf`."""
        found: dict[str, Any] = {
            "version": self.version,
            "meta": list(self.meta),
            "seed": self.seed,
            "window": self.window,
            "layout": self.layout,
            "final_lf": self.final_lf,
            "chain": list(self.chain),
            "integrity": list(self.stamp),
        }
        return found | {key: list(rows) for key, rows in self.rows.items()}


def complement_of(cso: CognitiveStateObject) -> tuple[Complement | None, str]:
    """The complement that an object carries, or None, and why it could not be read."""
    given = cso.ext.get(NAME) if cso.ext else None
    if given is None:
        return None, ""
    try:
        return _read(given), ""
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return None, f"ext.{NAME} is not what an import leaves ({error}); it was ignored"


def _read(given: dict[str, Any]) -> Complement:
    meta, chain, stamp = (_texts(given[name]) for name in ("meta", "chain", "integrity"))
    _expect(given["version"] in VERSIONS, "version")
    _expect(len(meta) == 4 and meta[2] in DEPTHS and _is_time(meta[3]), "meta")
    _expect(not chain or (len(chain) == 2 and _is_number(chain[0]) and _is_time(chain[1])), "chain")
    _expect(not stamp or (len(stamp) == 2 and _is_number(stamp[1])), "integrity")
    _expect(given["layout"] in ("spaced", "compact"), "layout")
    _expect(type(given["final_lf"]) is bool, "final_lf")
    _expect(type(given["window"]) is int and isinstance(given["seed"], str), "window or seed")
    rows = {layer.key: tuple(_row(layer.key, row) for row in given[layer.key]) for layer in LAYERS}
    for key, found in rows.items():
        _expect(len(found) <= _CAPS[key], key)
    return Complement(
        version=given["version"],
        meta=meta,
        seed=given["seed"],
        window=given["window"],
        layout=given["layout"],
        final_lf=given["final_lf"],
        chain=chain,
        stamp=stamp,
        rows=rows,
    )


def _row(layer: str, row: Any) -> Row:
    _expect(all(isinstance(value, str) for value in row.values()), layer)
    _expect("id" in row or "text" in row or row.get("of") == OBJECTIVE, layer)
    _expect(not _TOKENS[layer] or row["type"] in _TOKENS[layer], layer)
    _expect(layer != "L1" or "id" in row, layer)
    _expect(layer != "L2" or {"id", "lesson", "option"} <= row.keys(), layer)
    _expect(layer != "L4" or "dimension" in row, layer)
    _expect(layer != "L5" or (row["priority"] in PRIORITIES and "text" in row), layer)
    return dict(row)


def _texts(values: Any) -> tuple[str, ...]:
    _expect(isinstance(values, list) and all(isinstance(value, str) for value in values), "texts")
    return tuple(values)


def _expect(holds: bool, what: str) -> None:  # noqa: FBT001 - reads as a sentence
    if not holds:
        raise ValueError(what)


def _is_time(text: str) -> bool:
    return is_timestamp(text) and is_real_time(text)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 1200
