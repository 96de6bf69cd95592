"""What made-up sessions talk about: tables of phrases, each with a place for a part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from random import Random

__all__ = ["CHOICES", "CONSTRAINTS", "QUESTIONS", "REJECTED", "TASKS", "Phrases", "file_of"]

PARTS = (
    "search index", "export job", "login page", "rate limiter", "audit trail", "import wizard",
    "price feed", "mail queue", "report cache", "tenant router", "backup script", "invoice table",
    "date parser", "upload worker", "session store", "settings form", "webhook sender",
    "schema check", "log shipper", "feature switch", "order form", "stock count",
)  # fmt: skip

CONSTRAINTS = (
    "never stop writes to the {} by day",
    "do not change the public names of the {}",
    "never log personal data in the {}",
    "do not add a dependency for the {} without asking",
    "never touch the {} of the old release",
    "do not let the {} answer slower than 300 ms",
)
#: What was decided, and why; each begins with a verb of change.
CHOICES = (
    ("keep the {} in SQLite", "one file is easy to back up"),
    ("split the {} by tenant", "one large tenant slows all others"),
    ("move the {} behind a queue", "bursts of 2,000 a minute starve the rest"),
    ("cache the {} for 90 seconds", "readers outnumber writers by forty"),
    ("rewrite the {} without threads", "two of three faults were races"),
    ("limit the {} to 50 rows a page", "the slowest query reads them all"),
    ("store the {} as UTC", "three offices differ by a day"),
    ("rename the fields of the {}", "two of them mean the same thing"),
    ("retry the {} with growing waits", "the partner refuses bursts"),
    ("drop the old form of the {}", "nobody has used it since spring"),
)
#: What was turned down, why, and what was learned of it.
REJECTED = (
    ("poll the {} every minute", "400 calls an hour for nothing", "ask what changed since"),
    ("lock the {} while it is written", "readers wait for seconds", "write beside it, then swap"),
    ("one table for the {} and its history", "scans read both", "keep history apart"),
    ("a library for the {}", "it pulls in 31 packages", "count what comes with it first"),
    ("guess the encoding of the {}", "wrong in 1 of 50 files", "refuse what is not told"),
    ("rebuild the {} each night", "the night is too short by an hour", "build what changed"),
)
TASKS = (
    "measure the {} under load",
    "write the migration for the {}",
    "delete the old rows of the {}",
    "tell the partners of the new {}",
    "add a test for an empty {}",
    "document the limits of the {}",
    "repair the dashboard of the {}",
    "try the {} with a full disk",
)
QUESTIONS = (
    "who is called when the {} stops",
    "may the {} be late on Sundays",
    "does anyone still read the {}",
)


@define
class Phrases:
    """Phrases in a random order that come once each, over and over with a number behind."""

    chance: Random
    _left: dict[int, list[tuple[str, ...]]] = field(factory=dict)
    _rounds: dict[int, int] = field(factory=dict)

    def take(self, table: tuple[str, ...] | tuple[tuple[str, ...], ...]) -> tuple[str, ...]:
        """The next phrase of a table, its part filled in, and the part behind it."""
        left = self._left.get(id(table))
        if not left:
            left = [
                (
                    *(f"{text}".format(part) for text in ((row,) if isinstance(row, str) else row)),
                    part,
                )
                for row in table
                for part in PARTS
            ]
            self.chance.shuffle(left)
            self._left[id(table)] = left
            self._rounds[id(table)] = self._rounds.get(id(table), 0) + 1
        first, *rest = left.pop()
        rounds = self._rounds[id(table)]
        return (first if rounds == 1 else f"{first} ({rounds})", *rest)


def file_of(part: str) -> str:
    """The file a part is in."""
    return f"src/{part.replace(' ', '_')}.py"
