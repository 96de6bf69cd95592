"""Chains of sessions to hand on: made up from a seed, or cut from a log.

A made-up session pushes a capsule, an object or a small log, as a project of some months
would: few new constraints and old ones said again, decisions and what they were chosen
over, loops of every urgency of which most are closed some sessions later, files and
commands. The same seed makes the same chain.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from attrs import define, evolve, field, frozen

from benchmarks.fidelity_scoring import Item, items_of
from benchmarks.fidelity_sessions import Content, pushed_as
from benchmarks.fidelity_words import CHOICES, CONSTRAINTS, QUESTIONS, REJECTED, TASKS, Phrases
from kernel.sessions import count_runs, read_session
from pcsf_lark.draft import draft
from pcsf_lark.passes.from_cso import from_cso
from pcsf_lark.relay import of_draft

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kernel.sessions import Log
    from pcsf_lark.model import Capsule
    from pcsf_lark.relay import Incoming

__all__ = ["CROWDED", "USUAL", "Hop", "Profile", "cut_log", "made_up"]

#: How many messages a stretch of a log has at least.
_LEAST = 4


@frozen
class Hop:
    """What one session hands on; ``closes`` are the loops that it closed before.

    ``capsule`` is what a relay of capsules alone would be handed.
    """

    given: Incoming
    capsule: Capsule
    items: tuple[Item, ...]
    closes: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Incoming, now: str, closes: tuple[str, ...] = ()) -> Hop:
        """A push and what it hands on."""
        capsule = given.capsule or from_cso(given.cso, timestamp=now).capsule
        return cls(given, capsule, items_of(given), closes)


@frozen
class Profile:
    """How a made-up project goes on.

    ``first`` constraints in the first session and a new one later with the chance
    ``fresh``; ``closed`` is the chance that a session closes an open loop, by urgency,
    and ``stuck`` the share of loops that nobody ever closes.
    """

    name: str
    first: int
    fresh: float
    closed: tuple[tuple[str, float], ...] = (("HIGH", 0.4), ("MED", 0.2), ("LOW", 0.1))
    stuck: float = 0.2


USUAL = Profile("usual projects", first=3, fresh=0.1)
CROWDED = Profile("a new constraint each session", first=6, fresh=1.0)


def moment(hop: int) -> str:
    """When a session ended."""
    return f"2026-{3 + hop // 28:02}-{1 + hop % 28:02}T16:{hop % 60:02}Z"


@define
class _Project:
    """What the sessions so far have left: constraints, and open loops by urgency."""

    profile: Profile
    chance: Random
    phrases: Phrases
    bound: list[str] = field(factory=list)
    open: dict[str, str] = field(factory=dict)
    stuck: set[str] = field(factory=set)

    def closes(self) -> tuple[str, ...]:
        """Loops that this session closes."""
        rates = dict(self.profile.closed)
        done = [
            text
            for text, priority in self.open.items()
            if text not in self.stuck and self.chance.random() < rates[priority]
        ]
        for text in done:
            del self.open[text]
        return tuple(done)

    def content(self, hop: int) -> Content:
        """What this session has to say."""
        chance, take = self.chance, self.phrases.take
        fresh = self.profile.first if not hop else chance.random() < self.profile.fresh
        loops = [(take(TASKS)[0], "HIGH")] * (chance.random() < 0.5)
        loops += [(take(TASKS)[0], "MED")] * (chance.random() < 0.6)
        loops += [(take(QUESTIONS)[0], "LOW")] * (chance.random() < 0.5)
        if not hop:
            loops += [
                (take(TASKS)[0], "MED"),
                (take(QUESTIONS)[0], "LOW"),
                (take(TASKS)[0], "HIGH"),
            ]
        again = [(t, p) for t, p in self.open.items() if p != "LOW" and chance.random() < 0.3]
        return Content(
            hop=hop,
            now=moment(hop),
            constraints=tuple(take(CONSTRAINTS)[0] for _ in range(int(fresh))),
            again=tuple(text for text in self.bound if chance.random() < 0.25)[:3],
            choices=tuple(take(CHOICES) for _ in range(chance.randint(1, 3))),
            rejected=tuple(take(REJECTED) for _ in range(chance.randint(0, 2))),
            loops=tuple(dict((*again[:2], *loops)).items()),
            doubt=take(QUESTIONS)[0] if chance.random() < 0.3 else "",
        )

    def took(self, items: tuple[Item, ...]) -> None:
        """Remember what a session handed on."""
        for item in items:
            if item.kind == "constraints" and item.text not in self.bound:
                self.bound.append(item.text)
            elif item.open:
                if item.text not in self.open and self.chance.random() < self.profile.stuck:
                    self.stuck.add(item.text)
                self.open[item.text] = item.kind.split(" ", 1)[0]


def made_up(profile: Profile, seed: int, hops: int = 50) -> list[Hop]:
    """A chain of a first session and ``hops`` more."""
    chance = Random(f"{profile.name} {seed}")  # noqa: S311 - no secret, and the same each time
    project = _Project(profile, chance, Phrases(chance))
    made = []
    for number in range(hops + 1):
        closes = project.closes()
        content = project.content(number)
        kind = "capsule" if not number else chance.choice(("capsule",) * 3 + ("cso", "log"))
        hop = Hop.of(pushed_as(kind, content), content.now, closes)
        project.took(hop.items)
        made.append(hop)
    return made


def cut_log(path: Path, hops: int = 50) -> list[Hop]:
    """A log as a chain: of a file of several runs each one, else of one log its stretches.

    Each is drafted as if it were a session of its own. Raises ValueError for a file that
    is no log.
    """
    made = []
    for number, log in enumerate(_parts(path, hops)):
        now = moment(number)
        own = evolve(log, last_time=None, session_id=f"part {number}")
        made.append(Hop.of(of_draft(draft(own, now=now)), now))
    return made


def _parts(path: Path, hops: int) -> Iterator[Log]:
    runs = count_runs(path)
    if runs > 1:
        for run in range(min(runs, hops + 1)):
            yield read_session(path, run=run, earlier=True)
        return
    log = read_session(path, earlier=True)
    messages = (*log.earlier, *log.messages)
    count = max(min(hops + 1, len(messages) // _LEAST), 1)
    for number in range(count):
        low, high = (len(messages) * at // count for at in (number, number + 1))
        history = evolve(log.history, messages=messages[low:high])
        yield evolve(log, history=history, earlier=())
