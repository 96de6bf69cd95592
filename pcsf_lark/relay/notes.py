"""`ext.relay`: what a relayed window says of itself, signed with the rest of it.

| member | meaning |
|---|---|
| `kind` | what was pushed: capsule, cso, log, revision, invalidation, closing, merge |
| `source` | digest of what was pushed, empty for a change |
| `base` | tag of the window that this one continues, empty at genesis |
| `capsule` | the capsule that was stitched to its head capsule, empty where there was none; of a merge, the newer one of the two head capsules |
| `head` | the head capsule |
| `dropped` | `{layer, entry, reason}` of every line that left the head capsule |
| `withheld` | `{id, text, reason}` of what was pushed and not taken up |
| `absent` | `{kind, text, reason}`: constraints and HIGH loops the head capsule lacks |
| `loops` | `[type, text, priority, window]` of the open loops, which the object has no slot for |
| `seen` | 16 hex digits of each of the last 512 sources, in one text |
| `logs` | `[log, size, last, open]` of the last 256 logs: how many entries were read, the last one's time, and each text it has open with its entry; may be absent |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import field, frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cso import CognitiveStateObject

__all__ = [
    "NAME",
    "SHORT",
    "Absent",
    "LogRow",
    "Loop",
    "Lost",
    "Notes",
    "Withheld",
    "notes_of",
    "short",
]

#: The namespace in `ext`.
NAME = "relay"
#: How many digits of a digest a source is remembered by.
SHORT = 16
_SOURCES, _LOGS = 512, 256


@frozen
class Lost:
    """A line that is no longer in the head capsule."""

    layer: str
    entry: str
    reason: str


@frozen
class Withheld:
    """Something that was pushed and not taken up, by its id or the name of its array."""

    id: str
    text: str
    reason: str


@frozen
class Absent:
    """A constraint or HIGH loop that the object holds and the head capsule does not."""

    kind: str
    text: str
    reason: str


@frozen
class Loop:
    """An open loop; ``window`` is the one that named it last."""

    type: str
    text: str
    priority: str
    window: int


@frozen
class LogRow:
    """A log that was pushed: its entries and last time then, and what it has open."""

    log: str
    size: int
    last: str
    open: Mapping[str, str] = field(factory=dict)


_ROWS: dict[str, type[Any]] = {"dropped": Lost, "withheld": Withheld, "absent": Absent}


def _row(values: Any) -> tuple[Any, ...]:
    return tuple(values)


def _newest(values: Any) -> tuple[Any, ...]:
    return tuple(values)[-_LOGS:]


def _last(text: str) -> str:
    return text[-SHORT * _SOURCES :]


@frozen(kw_only=True)
class Notes:
    """The notes of one window; see the table above.

    Attributes:
        kind: What was pushed, or which change was made.
        source: Digest of what was pushed.
        base: Tag of the window before.
        capsule: The capsule that was stitched in.
        head: The head capsule's text.
        dropped: The lines that left the head capsule.
        withheld: What was pushed and not taken up.
        absent: What binds and is not in the head capsule.
        loops: The open loops.
        seen: Digests of the last sources.
        logs: The logs that were read.
    """

    kind: str
    source: str = ""
    base: str = ""
    capsule: str = ""
    head: str = ""
    dropped: tuple[Lost, ...] = field(default=(), converter=_row)
    withheld: tuple[Withheld, ...] = field(default=(), converter=_row)
    absent: tuple[Absent, ...] = field(default=(), converter=_row)
    loops: tuple[Loop, ...] = field(default=(), converter=_row)
    seen: str = field(default="", converter=_last)
    logs: tuple[LogRow, ...] = field(default=(), converter=_newest)

    def log(self, name: str) -> LogRow | None:
        """The row of a log, if it was pushed."""
        return next((row for row in self.logs if row.log == name), None)

    def knows(self, source: str) -> bool:
        """Tell whether what has this digest was pushed before."""
        wanted = short(source)
        at = self.seen.find(wanted)
        while at > 0 and at % SHORT:
            at = self.seen.find(wanted, at + 1)
        return bool(wanted) and at >= 0

    def members(self) -> dict[str, Any]:
        """The JSON of `ext.relay`."""
        found: dict[str, Any] = {
            name: getattr(self, name)
            for name in ("kind", "source", "base", "capsule", "head", "seen")
        }
        for name, kind in _ROWS.items():
            columns = kind.__slots__[: len(kind.__match_args__)]
            found[name] = [
                {column: getattr(row, column) for column in columns} for row in getattr(self, name)
            ]
        found["loops"] = [[one.type, one.text, one.priority, one.window] for one in self.loops]
        found["logs"] = [[row.log, row.size, row.last, dict(row.open)] for row in self.logs]
        return found


def short(source: str) -> str:
    """The digits by which a source is remembered."""
    return source.rpartition(":")[2][:SHORT]


def notes_of(cso: CognitiveStateObject) -> Notes | None:
    """The notes of an object; None where it has none that can be read."""
    given: Any = cso.ext.get(NAME) if cso.ext else None
    try:
        rows = {name: [kind(**row) for row in given[name]] for name, kind in _ROWS.items()}
        loops = [Loop(*row) for row in given["loops"]]
        logs = [LogRow(*row) for row in given.get("logs", ())]
        members: dict[str, Any] = {**rows, "loops": loops, "logs": logs}
        members |= {n: given[n] for n in ("kind", "source", "base", "capsule", "head", "seen")}
        return Notes(**members)
    except (KeyError, TypeError, AttributeError):
        return None
