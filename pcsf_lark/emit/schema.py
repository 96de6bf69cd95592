"""JSON Schemas of what programs get: the objects of both `check` commands and the `ast` tree.

Built from the same tables as the reader, written to `grammar/export/` by
`tools/generate`, and shipped in the wheel.
"""

from __future__ import annotations

from typing import Any

from pcsf_lark.diagnostics import Severity
from pcsf_lark.spec import DEPTHS, LAYERS, LIMIT, PRIORITIES, VERSIONS

__all__ = ["ast_schema", "check_schema", "grammar_schema"]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_TIME = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z$"}
_FIELD = {"type": "string", "pattern": r"^[ -{}-~]+$"}
_DIGITS = {"type": "string", "pattern": r"^[0-9]+$"}
_COUNT = {"type": "integer", "minimum": 1}


def check_schema() -> dict[str, Any]:
    """One file's result of `pcsf check --format json`."""
    capsule = {
        "limit": {"const": LIMIT},
        "left": {"type": ["integer", "null"], "maximum": LIMIT},
        "layout": {"enum": ["spaced", "compact", "mixed", None]},
        "version": {"enum": [*VERSIONS, None]},
    }
    return _result("pcsf check: one file", r"^[A-Z]+[0-9]+$", capsule)


def grammar_schema() -> dict[str, Any]:
    """One file's result of `pcsf grammar check --format json`: what is of capsules alone is null."""
    nothing = {name: {"type": "null"} for name in ("limit", "left", "layout", "version")}
    return _result("pcsf grammar check: one file", r"^G[0-9]{3}$", nothing)


def _result(title: str, code: str, own: dict[str, Any]) -> dict[str, Any]:
    """The schema of a report on one text; ``own``: the members that differ by what it is."""
    place = {
        "line": _COUNT,
        "column": _COUNT,
        "end_line": _COUNT,
        "end_column": _COUNT,
        "offset": {"type": "integer", "minimum": 0},
    }
    edit = _object({"text": {"type": "string"}, **place, "end": {"type": "integer", "minimum": 0}})
    fix = _object(
        {
            "title": {"type": "string"},
            "safe": {"type": "boolean"},
            "edits": {"type": "array", "minItems": 1, "items": edit},
        }
    )
    finding = _object(
        {
            "code": {"type": "string", "pattern": code},
            "name": {"type": "string", "pattern": r"^[a-z0-9]+(-[a-z0-9]+)*$"},
            "severity": {"enum": [severity.value for severity in Severity]},
            "message": {"type": "string"},
            "help": {"type": "string"},
            **place,
            "fix": {"oneOf": [{"type": "null"}, fix]},
        }
    )
    result = _object(
        {
            "path": {"type": "string"},
            "bytes": {"type": ["integer", "null"], "minimum": 0},
            "limit": own["limit"],
            "left": own["left"],
            "conformant": {"type": "boolean"},
            "layout": own["layout"],
            "version": own["version"],
            "findings": {"type": "array", "items": finding},
        }
    )
    return {"$schema": _DIALECT, "title": title, **result}


def ast_schema() -> dict[str, Any]:
    """The tree that `pcsf ast` prints and `pcsf emit` reads."""
    layers = {
        layer.key: {
            "type": "array",
            "maxItems": layer.cap,
            "items": _object({name: _field(name, layer.types) for name in layer.fields}),
        }
        for layer in LAYERS
    }
    meta = {"topic": _FIELD, "domain": _FIELD, "depth": {"enum": list(DEPTHS)}, "timestamp": _TIME}
    stamp = {"crc32": {"type": "string", "pattern": "^[0-9a-f]{8}$"}, "chars": _DIGITS}
    tree = _object(
        {
            "version": {"enum": list(VERSIONS)},
            "layout": {"enum": ["spaced", "compact"]},
            "final_lf": {"type": "boolean"},
            "meta": _object(meta),
            "chain": {"oneOf": [{"type": "null"}, _object({"hops": _DIGITS, "origin": _TIME})]},
            "integrity": {"oneOf": [{"type": "null"}, _object(stamp)]},
            **layers,
            "seed": _FIELD,
            "bytes": {"type": "integer", "minimum": 0, "maximum": LIMIT},
        }
    )
    return {"$schema": _DIALECT, "title": "pcsf ast: a capsule", **tree}


def _field(name: str, types: tuple[str, ...]) -> dict[str, Any]:
    if name == "type":
        return {"enum": list(types)}
    if name == "priority":
        return {"enum": list(PRIORITIES)}
    if name == "dimension":
        return {"type": "string", "pattern": "^[A-Za-z_]+$"}
    return _FIELD


def _object(members: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }
