"""How names are declared: parameters with types, what a value is made of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import griffe

from apidocs.loading import found

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apidocs.reading import Member, Name

__all__ = ["made_by", "parameters", "type_of"]

_VALUES = ("attrs.frozen", "attrs.define", "frozen", "define")
_WRAPPED = re.compile(r"(?:ClassVar|Final)\[(.*)\]|(?:ClassVar|Final)")

_MARKS = {griffe.ParameterKind.var_positional: "*", griffe.ParameterKind.var_keyword: "**"}


def parameters(given: Iterable[griffe.Parameter]) -> list[str]:
    """Parameters as they are written, with the marks that part their kinds."""
    pieces = []
    kinds = griffe.ParameterKind
    before = None
    for one in given:
        if one.kind is kinds.keyword_only and before not in (
            kinds.keyword_only,
            kinds.var_positional,
        ):
            pieces.append("*")
        if before is kinds.positional_only and one.kind is not before:
            pieces.append("/")
        mark = _MARKS.get(one.kind, "") if one.kind else ""
        default = None if mark else one.default
        pieces.append(mark + _declared(one.name, one.annotation, default))
        before = one.kind
    return pieces


def _declared(name: str, annotation: object, default: object) -> str:
    typed = f"{name}: {annotation}" if annotation is not None else name
    if default is None:
        return typed
    return f"{typed} = {default}" if annotation is not None else f"{typed}={default}"


def type_of(obj: griffe.Object) -> str:
    """A field's, property's or value's type as it is written."""
    annotation = getattr(obj, "annotation", None)
    if annotation is None:
        return ""
    wrapped = _WRAPPED.fullmatch(str(annotation))
    return (wrapped[1] or "") if wrapped else str(annotation)


def made_by(name: Name) -> list[str] | None:
    """What a class is called with; None where callers do not make one."""
    obj = name.obj
    assert isinstance(obj, griffe.Class)  # noqa: S101 - callers know
    written = obj.all_members.get("__init__")
    if isinstance(written, griffe.Alias):
        written = written.final_target
    if isinstance(written, griffe.Function):
        return parameters(list(written.parameters)[1:])
    values = [one for one in obj.decorators if one.callable_path.startswith(_VALUES)]
    if not values or any(one.startswith("_") and _stored(obj, one) for one in obj.members):
        return None
    named = "kw_only=True" in str(values[0].value)
    return _fields(name.members, named=named)


def taken(obj: griffe.Object) -> str:
    """The type that a field's converter takes, where it says more than any."""
    value = getattr(obj, "value", None)
    if not isinstance(value, griffe.ExprCall):
        return ""
    for argument in value.arguments:
        if isinstance(argument, griffe.ExprKeyword) and argument.name == "converter":
            path = getattr(argument.value, "canonical_path", "")
            function = found(path)
            if isinstance(function, griffe.Function) and len(function.parameters) > 0:
                annotation = str(function.parameters[0].annotation)
                return "" if "Any" in annotation else re.sub(r"\b[a-z]\w*\.", "", annotation)
    return ""


def _stored(obj: griffe.Class, name: str) -> bool:
    """Whether a private name is a field."""
    one = obj.members[name]
    return isinstance(one, griffe.Attribute) and "instance-attribute" in one.labels


def _fields(members: Iterable[Member], *, named: bool) -> list[str]:
    pieces, after = (["*"] if named else []), []
    for one in members:
        value = str(getattr(one.obj, "value", ""))
        if one.kind != "field" or "init=False" in value:
            continue
        piece = _declared(one.name, taken(one.obj) or type_of(one.obj) or None, one.default)
        if "kw_only=True" in value and not named:
            after.append(piece)
        else:
            pieces.append(piece)
    return [*pieces, *(["*", *after] if after else [])]
