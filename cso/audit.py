"""The audit trail: an append-only list of tagged events (SPEC-011, R46, R47).

Each event is linked to the one before by its tag, and ordered by `seq`, never by
time. Nothing filters events: WARN and CRITICAL are always kept. The text form is
one canonical JSON object a line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from cso import jcs
from cso.chain import ChainStatus, Verdict
from cso.check import is_tag
from cso.errors import ContentError
from cso.keys import Key, candidates, key_ring
from cso.opaque import JsonObject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "EVENT_TYPES",
    "Event",
    "EventDraft",
    "append",
    "dump_events",
    "load_events",
    "tagged",
    "verify_events",
]

EVENT_TYPES = (
    "CONTRADICTION_DETECTED",
    "CONTRADICTION_RESOLVED",
    "CSO_ARCHIVED",
    "CSO_RELAYED",
    "CSO_REPAIRED",
    "ITEM_INVALIDATED",
    "OVERSIGHT_TRIGGERED",
    "REVISION",
)
"""The types this package writes; others are kept and verified all the same."""

_DOMAIN = "crp-evt-v1"
_MEMBERS = ("seq", "event_type", "timestamp", "window_id", "data", "hmac")


def _frozen_data(value: Mapping[str, Any] | None) -> JsonObject:
    return JsonObject.of(value)


@frozen
class EventDraft:
    """An event not yet in a trail; `timestamp` is the caller's clock, as text.

    Attributes:
        event_type: What happened, such as REVISION.
        window_id: The window it happened in.
        data: What there is to say, as JSON.
    """

    event_type: str
    timestamp: str
    window_id: str
    data: JsonObject = field(converter=_frozen_data)


@frozen
class Event:
    """An entry of a trail: a draft with its place and its tag.

    Attributes:
        seq: Its place, from 1.
        event_type: What happened, such as REVISION.
        timestamp: The caller's clock, as text.
        window_id: The window it happened in.
        data: What there is to say, as JSON.
        hmac: Its tag, over the entry before too.
    """

    seq: int
    event_type: str
    timestamp: str
    window_id: str
    data: JsonObject = field(converter=_frozen_data)
    hmac: str = ""


def _message(event: Event, previous: str) -> bytes:
    data_hash = jcs.digest(event.data.text.encode())
    row = [event.event_type, event.timestamp, data_hash, event.window_id, previous]
    return f"{_DOMAIN}\n{event.seq}\n".encode() + jcs.canonical(row)


def tagged(draft: EventDraft, key: Key, seq: int, previous: str) -> Event:
    """Give the event that follows the tag `previous` (empty at the start) as `seq`."""
    bare = Event(seq, draft.event_type, draft.timestamp, draft.window_id, draft.data)
    tag = key.sign(_message(bare, previous))
    return Event(seq, draft.event_type, draft.timestamp, draft.window_id, draft.data, tag)


def append(
    trail: Sequence[Event], drafts: Iterable[EventDraft], key: Key | bytes
) -> tuple[Event, ...]:
    """Give the trail with the drafts tagged and appended; `seq` begins at 1."""
    signer = key if isinstance(key, Key) else Key(key)
    events = list(trail)
    for draft in drafts:
        last = events[-1] if events else None
        events.append(
            tagged(draft, signer, (last.seq if last else 0) + 1, last.hmac if last else "")
        )
    return tuple(events)


def verify_events(
    trail: Sequence[Event | str],
    keys: Key | bytes | Mapping[str, Key | bytes] | Iterable[Key | bytes],
) -> Verdict:
    """Judge a trail: VALID, BROKEN at an index, or UNVERIFIED if empty.

    An entry given as text is a line that could not be read. A trail that does not
    begin at 1 is PARTIAL from its second event on.
    """
    ring = key_ring(keys)
    previous, last, partial = "", 0, False
    for index, event in enumerate(trail):
        if isinstance(event, str):
            return Verdict(ChainStatus.BROKEN, event, index, last + 1)
        if index == 0 and event.seq > 1:
            partial = True  # what it follows is not here, so its tag cannot be judged
        elif event.seq != last + 1:
            return Verdict(ChainStatus.BROKEN, f"seq {event.seq} after {last}", index, last + 1)
        elif not is_tag(event.hmac):
            return Verdict(ChainStatus.BROKEN, "bad syntax: not a tag", index, event.seq)
        elif not any(
            k.matches(_message(event, previous), event.hmac) for k in candidates(ring, "")
        ):
            return Verdict(ChainStatus.BROKEN, "tag mismatch", index, event.seq)
        previous, last = event.hmac, event.seq
    if not trail:
        return Verdict(ChainStatus.UNVERIFIED, "empty trail")
    if partial:
        return Verdict(ChainStatus.PARTIAL, "starts after the first event")
    return Verdict(ChainStatus.VALID)


def dump_events(trail: Iterable[Event]) -> bytes:
    """Write a trail as lines of canonical JSON."""
    return b"".join(jcs.canonical(_members(event)) + b"\n" for event in trail)


def _members(event: Event) -> dict[str, Any]:
    row = {name: getattr(event, name) for name in _MEMBERS}
    return {**row, "data": event.data.thaw()}


def load_events(data: bytes) -> tuple[Event | str, ...]:
    """Read lines of JSON; a line that is no event becomes a text that says why.

    The last line may lack its LF only if it is whole.
    """
    lines = data.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    return tuple(_event(line) for line in lines)


def _event(line: bytes) -> Event | str:
    try:
        raw = jcs.parse(line)
        if not isinstance(raw, dict) or set(raw) != set(_MEMBERS):
            return f"bad syntax: expected the members {', '.join(_MEMBERS)}"
        texts = [raw[name] for name in ("event_type", "timestamp", "window_id", "hmac")]
        if type(raw["seq"]) is not int or not all(isinstance(text, str) for text in texts):
            return "bad syntax: seq is an integer, the rest are strings"
        return Event(raw["seq"], texts[0], texts[1], texts[2], raw["data"], texts[3])
    except ContentError as error:
        return f"bad syntax: {error}"
