"""JSON members → model values, strict or lenient (R7).

Strict refuses unknown members, ids outside the header token set and tags out of
form, and writes members at their default no more. Lenient keeps unknown
members, foreign ids and explicit defaults, so the bytes that were signed come
back. Everything else is wrong in both: every fault is collected, then raised
together as one `ContentError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from attrs import NOTHING, define, field, fields, frozen

from cso import model
from cso.altered import altered
from cso.errors import ContentError, Finding, LimitError
from cso.members import members_of
from cso.opaque import JsonObject
from cso.plain import plainly

__all__ = ["DEFAULT_LIMITS", "Limits", "object_of"]


@frozen
class Limits:
    """What an input may be at most: bytes, array elements in all, characters, depth.

    Attributes:
        max_bytes: The whole input.
        items: The elements of all arrays.
        string: The characters of one string.
        depth: How deep values nest.
    """

    max_bytes: int = 64 * 1024 * 1024
    items: int = 1_000_000
    string: int = 1_000_000
    depth: int = 64


DEFAULT_LIMITS = Limits()

# More findings than this help nobody; the rest is counted.
_SHOWN = 100


@define
class _Reader:
    """Collects faults while it builds; `strict` chooses the policy."""

    strict: bool
    limits: Limits
    faults: list[Finding] = field(factory=list)
    items: int = 0

    def fault(self, code: str, at: str, message: str) -> None:
        self.faults.append(Finding(code, at, message))

    def build(self, kind: type[Any], raw: Any, at: str) -> Any:
        """Build one model value from an object; None after a fault."""
        if not isinstance(raw, dict):
            self.fault("type", at, f"expected an object, got {_json_kind(raw)}")
            return None
        known = _SHAPES[kind]
        members: dict[str, Any] = {}
        unknown: dict[str, Any] = {}
        for name, value in raw.items():
            shape = known.get(name)
            where = f"{at}.{name}" if at else name
            if isinstance(value, str) and len(value) > self.limits.string:
                raise LimitError(f"string of {len(value)} characters", at=where)
            if shape is None:
                unknown[name] = value
            else:
                members[name] = self.member(shape, value, where)
        missing = [name for name, shape in known.items() if shape.required and name not in members]
        for name in missing:
            self.fault("missing", at, f"member {name!r} is required")
        if unknown and self.strict:
            self.fault(
                "unknown-member", at, f"unknown members {sorted(unknown)}; lenient keeps them"
            )
        if missing:
            return None
        explicit = {} if self.strict else _explicit(known, raw)
        return self.made(kind, members, unknown, explicit, at)

    def made(
        self,
        kind: type[Any],
        members: dict[str, Any],
        unknown: dict[str, Any],
        explicit: dict[str, Any],
        at: str,
    ) -> Any:
        """Construct, and turn the model's objection into a fault with its place."""
        try:
            if self.strict:
                return kind(**members)
            value = kind(**members, extra=JsonObject.of(unknown))
            # Only what writing would leave out needs to be remembered.
            written = members_of(value) if explicit else {}
            kept = {name: v for name, v in explicit.items() if name not in written}
            return altered(value, extra=JsonObject.of({**unknown, **kept})) if kept else value
        except ContentError as error:
            place = ".".join(part for part in (at, error.at) if part)
            self.fault(error.code, place, error.message)
            return None

    def member(self, shape: _Shape, value: Any, at: str) -> Any:
        """Convert one member's value to what the model takes."""
        if value is None and shape.default is None:
            return None
        if shape.row:
            return self.array(shape, value, at)
        if shape.kind is not None:
            return self.build(shape.kind, value, at)
        if shape.integral and isinstance(value, float) and value.is_integer():
            return int(value)  # 1.0 and 1 are one number in JSON
        return value

    def array(self, shape: _Shape, value: Any, at: str) -> tuple[Any, ...]:
        """Convert an array, element by element."""
        if not isinstance(value, list):
            self.fault("type", at, f"expected an array, got {_json_kind(value)}")
            return ()
        self.items += len(value)
        if self.items > self.limits.items:
            raise LimitError(f"more than {self.limits.items} array elements", at=at)
        if shape.kind is None:
            if any(isinstance(text, str) and len(text) > self.limits.string for text in value):
                raise LimitError("a string is too long", at=at)
            return tuple(value)
        kind, longest = shape.kind, self.limits.string
        built = (
            plainly(kind, raw, longest) or self.build(kind, raw, f"{at}[{n}]")
            for n, raw in enumerate(value)
        )
        return tuple(element for element in built if element is not None)


_NO_DEFAULT = object()


@frozen
class _Shape:
    """How one member is read."""

    required: bool
    row: bool = False
    kind: type[Any] | None = None
    integral: bool = False
    default: Any = _NO_DEFAULT


_NESTED: dict[str, tuple[bool, type[Any] | None]] = {
    "supersedes": (False, model.Link),
    "goal_state": (False, model.GoalState),
    "established_facts": (True, model.Fact),
    "decisions": (True, model.Decision),
    "dependency_graph": (True, model.Edge),
    "revisions": (True, model.Record),
    "resolved_questions": (True, model.Resolved),
    "alternatives": (True, None),
    "depends_on": (True, None),
    "remaining": (True, None),
    "affected": (True, None),
    "open_questions": (True, None),
    "constraints": (True, None),
}
_INTEGRAL = {"window_number", "window_origin", "window", "number", "total"}
_EXTENSIONS = {
    model.Fact: {"status", "supersedes", "superseded_by"},
    model.Decision: {"provenance", "provenance_ref", "status", "supersedes", "superseded_by"},
    model.GoalState: {"total"},
    model.Record: {"kind", "number", "superseded_by"},
    model.CognitiveStateObject: {"revisions", "resolved_questions", "ext"},
}


def _shapes(kind: type[Any]) -> dict[str, _Shape]:
    found = {}
    for attribute in fields(kind):
        if attribute.name == "extra":
            continue
        row, nested = _NESTED.get(attribute.name, (False, None))
        if kind is model.Edge:
            row = False  # an edge's depends_on is one id
        extension = attribute.name in _EXTENSIONS.get(kind, ())
        found[attribute.name] = _Shape(
            required=attribute.default is NOTHING,
            row=row,
            kind=nested,
            integral=attribute.name in _INTEGRAL,
            default=attribute.default if extension else _NO_DEFAULT,
        )
    return found


_SHAPES = {
    kind: _shapes(kind)
    for kind in (
        model.CognitiveStateObject,
        model.Decision,
        model.Edge,
        model.Fact,
        model.GoalState,
        model.Link,
        model.Record,
        model.Resolved,
    )
}


def _explicit(known: dict[str, _Shape], raw: dict[str, Any]) -> dict[str, Any]:
    """Give members that the input wrote though they are at their default."""
    return {
        name: raw[name]
        for name, shape in known.items()
        if shape.default is not _NO_DEFAULT
        and name in raw
        and (tuple(raw[name]) if isinstance(raw[name], list) else raw[name]) == shape.default
    }


def _json_kind(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean"}
    return "null" if value is None else names.get(type(value), "a number")


def object_of(
    raw: Mapping[str, Any],
    *,
    strict: bool,
    limits: Limits,
    judge: Callable[[model.CognitiveStateObject], tuple[Finding, ...]],
) -> model.CognitiveStateObject:
    """Build an object; `judge` gives the findings that strict refuses besides."""
    if not isinstance(raw, Mapping):
        raise ContentError(f"expected an object, got {_json_kind(raw)}", code="type")
    reader = _Reader(strict, limits)
    value = reader.build(model.CognitiveStateObject, dict(raw), "")
    if not reader.faults and strict:
        reader.faults.extend(judge(value))
    if reader.faults:
        first, more = reader.faults[0], len(reader.faults) - 1
        message = first.message + (f" (and {more} more)" if more else "")
        found = tuple(reader.faults[:_SHOWN])
        raise ContentError(message, at=first.at, code=first.code, findings=found)
    built: model.CognitiveStateObject = value
    return built
