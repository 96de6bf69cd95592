"""What the fields of the model make of what they are given: tokens, rows, members.

Each has the type of what callers may pass, since a type checker takes it from here.
What is none of it is passed on, for `cso.rules` to refuse by its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

from cso.errors import ContentError
from cso.opaque import JsonObject
from cso.rules import row
from cso.tokens import Mode, Provenance, RecordKind, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cso import model

__all__ = [
    "answers",
    "decisions",
    "edges",
    "facts",
    "kind",
    "members",
    "mode",
    "records",
    "some_source",
    "source",
    "status",
    "texts",
]

_STATUSES = {status.value: status for status in Status}
_SOURCES = {source.value: source for source in Provenance}
_MODES = {mode.value: mode for mode in Mode}
_KINDS = {kind.value: kind for kind in RecordKind}

_Token = TypeVar("_Token", Mode, Provenance, RecordKind, Status)


def _token(known: Mapping[str, _Token], value: object) -> _Token:
    found: Any = known.get(value, value) if isinstance(value, str) else value
    return cast("_Token", found)


def status(value: Status | str) -> Status:
    """A status, or its name."""
    return _token(_STATUSES, value)


def source(value: Provenance | str) -> Provenance:
    """A kind of source, or its name."""
    return _token(_SOURCES, value)


def some_source(value: Provenance | str | None) -> Provenance | None:
    """A kind of source, its name, or None."""
    return None if value is None else _token(_SOURCES, value)


def mode(value: Mode | str) -> Mode:
    """A mode, or its name."""
    return _token(_MODES, value)


def kind(value: RecordKind | str) -> RecordKind:
    """A kind of record, or its name."""
    return _token(_KINDS, value)


def members(value: Mapping[str, Any] | None) -> JsonObject:
    """A JSON object; raises ContentError for what JSON cannot hold."""
    try:
        return JsonObject.of(value)
    except ContentError as error:
        raise ContentError(error.message, at="ext", code=error.code) from None


def texts(values: Iterable[str]) -> tuple[str, ...]:
    """A row of texts."""
    return values if isinstance(values, tuple) else row(values)


def facts(values: Iterable[model.Fact]) -> tuple[model.Fact, ...]:
    """A row of facts."""
    return values if isinstance(values, tuple) else row(values)


def decisions(values: Iterable[model.Decision]) -> tuple[model.Decision, ...]:
    """A row of decisions."""
    return values if isinstance(values, tuple) else row(values)


def edges(values: Iterable[model.Edge]) -> tuple[model.Edge, ...]:
    """A row of edges."""
    return values if isinstance(values, tuple) else row(values)


def records(values: Iterable[model.Record]) -> tuple[model.Record, ...]:
    """A row of records."""
    return values if isinstance(values, tuple) else row(values)


def answers(values: Iterable[model.Resolved]) -> tuple[model.Resolved, ...]:
    """A row of questions with their answers."""
    return values if isinstance(values, tuple) else row(values)
