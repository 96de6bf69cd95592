"""Counters of the index, and lists and tables that tell when somebody walks over them.

Laws: what is counted is work done, one for one; a row or a table that is walked outside of
a pass that was declared is a scan, and the tripwire counts it; reading or setting one
place of it is none.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from attrs import asdict, define, field

__all__ = ["Counters", "Rows", "Table"]

Value = TypeVar("Value")
Key = TypeVar("Key")


@define
class Counters:
    """What an index has done.

    `visited` counts entries that were indexed, `walked` those passed on the way to a root
    or to a known leaf; `passes` whole walks that were declared, `scans` those that were not.
    """

    cold_builds: int = 0
    rebuilds: int = 0
    appends: int = 0
    visited: int = 0
    walked: int = 0
    lookups: int = 0
    hits: int = 0
    misses: int = 0
    evictions: int = 0
    mismatches: int = 0
    fallbacks: int = 0
    audits: int = 0
    passes: int = 0
    scans: int = 0
    _declared: int = field(default=0, repr=False)

    @contextmanager
    def whole(self) -> Iterator[None]:
        """Declare a pass over everything."""
        self.passes += 1
        self._declared += 1
        try:
            yield
        finally:
            self._declared -= 1

    def walk(self) -> None:
        """Count a walk that nobody declared."""
        if not self._declared:
            self.scans += 1

    def as_json(self) -> dict[str, int]:
        """Return the counts by name."""
        return {name: count for name, count in asdict(self).items() if not name.startswith("_")}


class Rows(list[Value]):
    """A list that grows at its end and counts walks over it."""

    __slots__ = ("_counters",)

    def __init__(self, counters: Counters) -> None:
        """Start empty."""
        super().__init__()
        self._counters = counters

    def __iter__(self) -> Iterator[Value]:
        """Walk, and count it."""
        self._counters.walk()
        return super().__iter__()

    def __reversed__(self) -> Iterator[Value]:
        """Walk backwards, and count it."""
        self._counters.walk()
        return super().__reversed__()

    def __contains__(self, value: object) -> bool:
        """Search, and count it."""
        self._counters.walk()
        return super().__contains__(value)

    def __getitem__(self, place: Any) -> Any:
        """Return one place; a part is a walk."""
        if isinstance(place, slice):
            self._counters.walk()
        return super().__getitem__(place)


class Table(dict[Key, Value]):
    """A table that counts walks over it."""

    __slots__ = ("_counters",)

    def __init__(self, counters: Counters) -> None:
        """Start empty."""
        super().__init__()
        self._counters = counters

    def __iter__(self) -> Iterator[Key]:
        """Walk, and count it."""
        self._counters.walk()
        return super().__iter__()

    def items(self) -> Any:
        """Walk, and count it."""
        self._counters.walk()
        return super().items()

    def values(self) -> Any:
        """Walk, and count it."""
        self._counters.walk()
        return super().values()
