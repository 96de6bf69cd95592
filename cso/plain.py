"""The short way from JSON to facts and edges that have the specified members alone.

States hold them by the thousand. What is not plain, or wrong, is left to the reader
of `decode`, which keeps unknown members and says what is wrong and where.
"""

from __future__ import annotations

from typing import Any

from cso import model
from cso.errors import ContentError

__all__ = ["plainly"]

_PLAIN: dict[type[Any], frozenset[str]] = {
    model.Edge: frozenset({"dependent", "depends_on"}),
    model.Fact: frozenset(
        {"fact_id", "statement", "provenance", "confidence", "window_origin", "provenance_ref"}
    ),
}


def plainly(kind: type[Any], raw: Any, longest: int) -> Any:
    """Give the value, or None where it takes the long way; texts up to ``longest``."""
    plain = _PLAIN.get(kind)
    if plain is None or type(raw) is not dict or raw.keys() != plain:
        return None
    if any(type(text) is str and len(text) > longest for text in raw.values()):
        return None
    try:
        return kind(**raw)
    except ContentError:
        return None
