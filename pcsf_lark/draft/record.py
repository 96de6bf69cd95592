"""The record a draft is made of: messages, who is behind them, sentences, actions, facts.

Laws: one pass over the texts, shared by all that draft; a place is a message and a range
of its normal text; a message is named by its entry of the log; what lies before `since`
is read, so that outcomes are known, and not drafted.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from kernel.projection.quality.artifacts import artifacts
from kernel.projection.quality.decisions import decisions
from kernel.projection.quality.failures import failures
from kernel.projection.quality.goals_constraints import goals_and_constraints
from kernel.projection.quality.manifest import Manifest, manifest_of
from kernel.projection.quality.open_work import open_work
from kernel.projection.quality.origins import own_words
from kernel.projection.quality.reading import Reading, read
from kernel.projection.quality.trail import commands
from kernel.projection.quality.verification import verification
from kernel.projection.quality.wording import sentences_of
from pcsf_lark.draft.identity import log_id

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kernel.model import CoreMessage
    from kernel.projection.quality.reading import Action
    from kernel.sessions import Log

__all__ = ["LONGEST", "Record", "Sentence", "record_of"]

#: A longer stretch is a paste, not a sentence.
LONGEST: Final = 400

_EXTRACTORS: Final = (
    goals_and_constraints,
    decisions,
    artifacts,
    commands,
    failures,
    verification,
    open_work,
)
_REPEAT: Final = re.compile(r"_\d+\Z")
#: What only a program says: the end of a recorded run, spelled into the last words.
_MACHINE: Final = re.compile(r"###\w+###")
_CODE: Final = re.compile(
    r"\A[{\[<│$]|[;{}]\Z|=>|\A(?:at|import|from|return|const|let|var) \S+[({]"
)


@frozen
class Sentence:
    """A sentence of a message: what it says, where it stands among its message's own."""

    index: int
    at: int
    start: int
    end: int
    text: str

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.text.endswith("?")


@frozen
class Record:
    """A log made ready.

    ``names`` gives the entry of each message, by its index; ``mark`` is the log's own name.
    """

    log: Log
    messages: tuple[CoreMessage, ...]
    reading: Reading
    manifest: Manifest
    names: tuple[str, ...]
    since: int = 0
    mark: str = ""
    _sentences: dict[int, tuple[Sentence, ...]] = field(factory=dict, alias="sentences")
    _spoken: dict[tuple[str, ...], list[int]] = field(factory=dict, alias="spoken")
    _ran: list[int] = field(factory=list, alias="ran")

    @property
    def actions(self) -> tuple[Action, ...]:
        """Everything that was run."""
        return self.reading.actions

    def new(self, index: int) -> bool:
        """Whether a message is one to draft from."""
        return index >= self.since

    def origin(self, index: int) -> str:
        """Who is behind a message."""
        return self.reading.origins[index]

    def spoken(self, *origins: str) -> list[int]:
        """The indices of the texts of some origins, those before `since` included."""
        if origins not in self._spoken:
            self._spoken[origins] = self.reading.spoken(*origins)
        return self._spoken[origins]

    def sentences(self, index: int) -> tuple[Sentence, ...]:
        """The sentences of a message, code left out; none of one that is not there (-1)."""
        if index < 0:
            return ()
        if index not in self._sentences:
            self._sentences[index] = tuple(self._split(index))
        return self._sentences[index]

    def _split(self, index: int) -> list[Sentence]:
        text = self.reading.texts[index]
        found: list[Sentence] = []
        for low, high in own_words(text):
            for start, end in sentences_of(text[low:high]):
                words = text[low + start : low + end]
                if len(words) <= LONGEST and not _CODE.search(words) and not _MACHINE.search(words):
                    found.append(Sentence(index, len(found), low + start, low + end, words))
        return found

    def turns(self) -> list[int]:
        """The indices of the texts of the user, in order."""
        return self.spoken("user")

    def before(self, index: int, origin: str) -> int:
        """The index of the last text of an origin before a message, -1 where there is none."""
        found = self.spoken(origin)
        at = bisect_left(found, index)
        return found[at - 1] if at else -1

    def after(self, index: int, origin: str) -> int:
        """The index of the first text of an origin after a message, -1 where there is none."""
        found = self.spoken(origin)
        at = bisect_right(found, index)
        return found[at] if at < len(found) else -1

    def between(self, low: int, high: int, *origins: str) -> list[int]:
        """The indices of the texts of some origins between two messages, neither included."""
        found = self.spoken(*origins)
        return found[bisect_right(found, low) : bisect_left(found, high)]

    def ran_between(self, low: int, high: int) -> bool:
        """Whether the assistant ran anything between two messages."""
        if not self._ran:
            self._ran.extend(action.index for action in self.actions if not action.by_user)
        at = bisect_right(self._ran, low)
        return at < len(self._ran) and self._ran[at] < high


def record_of(log: Log, since: str | None = None) -> Record:
    """Read a log; raises KeyError where no entry has the id `since`."""
    messages = (*log.earlier, *log.messages)
    reading = read(messages, str)
    names = _names(log, messages)
    return Record(
        log,
        messages,
        reading,
        manifest_of(reading, _EXTRACTORS),
        names,
        0 if since is None else _place(since, messages, names, log) + 1,
        log_id(log, messages),
    )


def _names(log: Log, messages: Sequence[CoreMessage]) -> tuple[str, ...]:
    """The entry of each message: parts of one entry are numbered behind its id."""
    known = {entry.id for entry in log.entries} | {message.id for message in messages}
    names = []
    for message in messages:
        bare = _REPEAT.sub("", message.id)
        # Ids that are digests number what was said twice: two messages, not two parts.
        part = bare in known and not bare.startswith("h_")
        names.append(bare if part else message.id)
    return tuple(names)


def _place(since: str, messages: Sequence[CoreMessage], names: Sequence[str], log: Log) -> int:
    """The index of the last message of an entry, or of the last one before it."""
    found = [at for at, message in enumerate(messages) if since in (names[at], message.id)]
    if found:
        return found[-1]
    order = [entry.id for entry in log.entries]
    if since not in order:
        raise KeyError(f"no entry has the id {since!r}: name the id of an entry of this log")
    silent = set(order[: order.index(since) + 1])
    return max((at for at, name in enumerate(names) if name in silent), default=-1)
