"""Strict JSON for frozen values: every member there, none besides, each of its type.

    read(Control, {"action": "on"}, "payload")    -> Control, or SchemaError is raised

Laws: names are the camelCase of the fields; an optional value is a null that is written
out; a whole number may stand where a fraction is asked for, a boolean never stands for a
number; text that has no UTF-8 form is no text. A misfit says where and what was expected,
never what stood there.
"""

import math
from collections.abc import Callable, Mapping
from functools import cache
from types import UnionType
from typing import Any, Final, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import attrs

from kernel.codec import camel

__all__ = ["SchemaError", "members", "read", "write"]

T = TypeVar("T")
Reader = Callable[[Any, str], Any]

_SAFE: Final = 2**53


class SchemaError(ValueError):
    """A value that is not what the schema says at `where`."""

    def __init__(self, where: str, expected: str) -> None:
        super().__init__(f"at {where}: expected {expected}")
        self.where = where
        self.expected = expected


def members(data: Any, names: frozenset[str], where: str) -> Mapping[str, Any]:
    """Return a JSON object that has exactly these members."""
    if not isinstance(data, Mapping):
        raise SchemaError(where, "an object")
    for name in sorted(names - data.keys()):
        raise SchemaError(f"{where}.{name}", "a value; the member is missing")
    if len(data) > len(names):
        raise SchemaError(where, f"no member besides {', '.join(sorted(names))}")
    return data


def read(cls: type[T], data: Any, where: str) -> T:
    """Read a value of a frozen class from its JSON object."""
    plan = _plan(cast("Any", cls))
    found = members(data, frozenset(plan), where)
    return cls(
        **{name: reader(found[key], f"{where}.{key}") for key, (name, reader) in plan.items()}
    )


def write(value: Any) -> Any:
    """Spell a value as JSON, every member of it."""
    if attrs.has(type(value)):
        return {
            camel(item.name): write(getattr(value, item.name)) for item in attrs.fields(type(value))
        }
    if isinstance(value, tuple):
        return [write(item) for item in value]
    return value


@cache
def _plan(cls: type) -> Mapping[str, tuple[str, Reader]]:
    hints = get_type_hints(cls)
    fields = attrs.fields(cast("Any", cls))
    return {camel(item.name): (item.name, _reader(hints[item.name])) for item in fields}


def _reader(kind: Any) -> Reader:
    """Return what reads a value of a field's type."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return _one_of(inner)
    if origin is tuple:
        return _many(_reader(inner[0]))
    if origin is UnionType:
        return _optional(_reader(next(item for item in inner if item is not type(None))))
    if attrs.has(kind):
        return lambda value, where: read(kind, value, where)
    return _PLAIN[kind]


def _one_of(allowed: tuple[Any, ...]) -> Reader:
    words = ", ".join(map(str, allowed))
    kind = type(allowed[0])

    def reader(value: Any, where: str) -> Any:
        if type(value) is not kind or value not in allowed:
            raise SchemaError(where, f"one of {words}")
        return value

    return reader


def _many(item: Reader) -> Reader:
    def reader(value: Any, where: str) -> Any:
        if not isinstance(value, list):
            raise SchemaError(where, "a list")
        return tuple(item(part, f"{where}[{at}]") for at, part in enumerate(value))

    return reader


def _optional(item: Reader) -> Reader:
    return lambda value, where: None if value is None else item(value, where)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise SchemaError(where, "a text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise SchemaError(where, "a text without lone surrogates") from None
    return value


def _whole(value: Any, where: str) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) > _SAFE:
        raise SchemaError(where, "a whole number")
    return value


def _fraction(value: Any, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise SchemaError(where, "a number")
    if not math.isfinite(value) or abs(value) > _SAFE:
        raise SchemaError(where, "a finite number")
    return float(value)


def _switch(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise SchemaError(where, "true or false")
    return value


_PLAIN: Final[Mapping[Any, Reader]] = {
    str: _text,
    int: _whole,
    float: _fraction,
    bool: _switch,
}
