"""The arguments of a compress call, read leniently; what was wrong is data.

Models send decoded objects, JSON text, JSON text inside JSON text, fenced text, trailing
commas, raw line ends inside strings, and documents cut in the middle. Each is read as
far as it goes. Law: nothing here raises on content; the diagnosis says what was found.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from attrs import evolve, field, frozen

from kernel.lenient import MISSING, array_start, lenient, unfenced, whole_objects
from kernel.model import CompressRange, as_tuple
from kernel.text import head, trim, units

__all__ = ["Diagnosis", "ParsedArguments", "entry_refs", "parse_compress_args"]

_PREFIX = 800
_START: Final = ("startRef", "startId", "messageId")
_END: Final = ("endRef", "endId", "messageId")


@frozen
class Diagnosis:
    """What a compress call's arguments were: `ok` with at least one range, else a kind.

    Kinds: ok, empty-input, not-object, missing-content, content-not-array,
    malformed-json, truncated, no-valid-ranges.

    Attributes:
        kind: One of the kinds above.
        invalid_items: How many entries were no range.
        keys: The members of the object that came instead.
        raw_prefix: How the text began that could not be read.
        length: Its length in UTF-16 units.
    """

    ok: bool
    kind: str
    invalid_items: int = 0
    keys: tuple[str, ...] | None = None
    raw_prefix: str | None = None
    length: int | None = None


@frozen
class ParsedArguments:
    """The usable ranges and the diagnosis.

    Attributes:
        ranges: What can be used.
        diagnostics: What the arguments were.
    """

    ranges: tuple[CompressRange, ...] = field(converter=as_tuple)
    diagnostics: Diagnosis


def parse_compress_args(arguments: Any, call_id: str | None = None) -> ParsedArguments:
    """Read the arguments of a compress call, decoded or as text.

    Top-level `topic` and `summaryMaxChars` fill entries that lack their own; `call_id` is
    stamped on every range so that the call can later be told from its blocks.
    """
    if not isinstance(arguments, str):
        return _stamped(_from_value(arguments), call_id)
    read = _from_text(arguments)
    diagnosis = evolve(
        read.diagnostics, raw_prefix=head(arguments, _PREFIX), length=units(arguments)
    )
    return _stamped(evolve(read, diagnostics=diagnosis), call_id)


def entry_refs(entry: Any) -> tuple[str, str] | None:
    """Return the boundary refs of one entry of `content`, in whatever spelling it uses."""
    if not isinstance(entry, Mapping):
        return None
    start, end = _first(entry, _START), _first(entry, _END)
    return (start, end) if start and end else None


def _first(entry: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str) and value:
            return value
    return None


def _stamped(read: ParsedArguments, call_id: str | None) -> ParsedArguments:
    if call_id is None:
        return read
    return evolve(read, ranges=[evolve(item, compress_call_id=call_id) for item in read.ranges])


def _failed(kind: str, keys: tuple[str, ...] | None = None, invalid: int = 0) -> ParsedArguments:
    return ParsedArguments((), Diagnosis(ok=False, kind=kind, invalid_items=invalid, keys=keys))


def _from_text(text: str) -> ParsedArguments:
    body = unfenced(trim(text))
    if not body:
        return _failed("empty-input")
    value = lenient(body)
    if isinstance(value, str):
        body = value
        value = lenient(value)
    if value is MISSING:
        return _salvaged(body, array_start(body), {}, None)
    if value is None:
        return _failed("not-object")
    return _from_value(value)


def _from_value(value: Any) -> ParsedArguments:
    if value is None:
        return _failed("empty-input")
    if not isinstance(value, Mapping):
        return _failed("not-object")
    keys = tuple(sorted(value, key=lambda key: key == "content"))
    if "content" not in value:
        single = _range(value, value)
        if single is None:
            return _failed("missing-content", keys)
        return ParsedArguments((single,), Diagnosis(ok=True, kind="ok", keys=keys))
    content = value["content"]
    if isinstance(content, str):
        text = content
        content = lenient(text)
        if isinstance(content, str):
            text = content
            content = lenient(text)
        if content is MISSING:
            return _salvaged(text, text.find("["), value, keys)
    if not isinstance(content, list | tuple):
        return _failed("content-not-array", keys)
    return _entries(content, value, "ok", keys)


def _entries(
    content: Iterable[Any], top: Mapping[str, Any], kind: str, keys: tuple[str, ...] | None
) -> ParsedArguments:
    items = [_range(entry, top) for entry in content]
    ranges = [item for item in items if item is not None]
    invalid = len(items) - len(ranges)
    if not ranges:
        return _failed("no-valid-ranges" if kind == "ok" else kind, keys, invalid)
    return ParsedArguments(ranges, Diagnosis(ok=True, kind=kind, invalid_items=invalid, keys=keys))


def _range(entry: Any, top: Mapping[str, Any]) -> CompressRange | None:
    refs = entry_refs(entry)
    if refs is None:
        return None
    summary = entry.get("summary")
    if not isinstance(summary, str) or not summary:
        return None
    topics = [item for item in (entry.get("topic"), top.get("topic")) if isinstance(item, str)]
    limits = [
        item for item in (entry.get("summaryMaxChars"), top.get("summaryMaxChars")) if _finite(item)
    ]
    return CompressRange(
        *refs, summary, topics[0] if topics else None, limits[0] if limits else None
    )


def _finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _salvaged(
    text: str, start: int, top: Mapping[str, Any], keys: tuple[str, ...] | None
) -> ParsedArguments:
    """Collect the whole objects of a broken array."""
    objects, open_end = whole_objects(text, max(start, 0))
    found = [] if start < 0 else [value for value in map(lenient, objects) if value is not MISSING]
    read = _entries(found, top, "truncated", keys)
    if not read.ranges and not open_end:
        return _failed("malformed-json", keys, read.diagnostics.invalid_items)
    return read
