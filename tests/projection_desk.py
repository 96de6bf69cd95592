"""A desk for the tests of the lifecycle: a log, settings that let things happen, appends.

desk = Desk(worked(3))                  # three question-call-reply rounds, and a live end
desk.now                                # the snapshot of the log as it stands
desk.fold(0)                            # plan a T1 of the first safe range and append it
desk.append(control(desk.now, "off"))   # append what was planned; fails on a refusal
"""

from copy import deepcopy
from functools import cache

from attrs import evolve
from projection_logs import LogBuilder

from kernel.projection.journal.codec import encode
from kernel.projection.lifecycle.creating import create
from kernel.projection.lifecycle.gating import manifest_of
from kernel.projection.lifecycle.promoting import promote
from kernel.projection.model import TRANSACTION, Transaction
from kernel.projection.quality.outline import outline
from kernel.projection.replaying.reducer import replay
from kernel.projection.settings.config import (
    Config,
    Economics,
    Protection,
    QualitySettings,
    Restill,
    Tiers,
)
from kernel.projection.snapshot import take

#: Settings under which small logs can be folded; the gate is off unless a test wants it.
EASY = Config(
    provider="anthropic",
    model="claude-x",
    quality=QualitySettings(enabled=False),
    protection=Protection(preserve_recent_atoms=1, preserve_recent_tokens=0),
    economics=Economics((1, 1, 1), 0.0, 10**6, 10**6, 10**6),
    tiers=Tiers(
        restill=Restill(
            min_source_tokens=0,
            min_savings_tokens=0,
            min_savings_ratio=0.0,
            min_turns_since_create=0,
        )
    ),
)
BODY = "a line of output that nobody needs twice\n" * 1500
#: Summaries by the tier they make (4: a restill), each long enough to be worth another.
SAID = {
    tier: ("what was said and done, and why it was done so. " * 300)[:size]
    for tier, size in ((1, 14000), (2, 7000), (3, 3600), (4, 1500))
}


def worked(rounds=3, *, tool="bash", body=BODY, log=None):
    """Build rounds of question, call, result and reply, a picture between them, a live end."""
    log = LogBuilder() if log is None else log
    for number in range(rounds):
        log.user(f"question {number}")
        log.turn(calls=[(tool, {"command": f"run {number}"})], results=[f"{number}\n{body}"])
        log.assistant(f"answer {number}")
        # A picture is protected, so that every round is a range of its own.
        log.user("look", picture=True)
    log.user("the newest question")
    return log


class Desk:
    """A log under work. `config` may be changed between steps."""

    def __init__(self, log=None, config=EASY, **changes):
        self.log = worked() if log is None else log
        self.config = evolve(config, **changes)

    @property
    def now(self):
        return take(self.log.tree(), self.log.leaf, self.config)

    def append(self, made):
        assert isinstance(made, Transaction), made
        assert made.base == self.log.leaf
        self.log.custom(TRANSACTION, encode(made))
        now = self.now
        assert now.state.fault is None, now.state.fault
        assert made.tx_id in now.state.transactions
        return made

    def fold(self, at=0, summary=SAID[1], origin="model", **more):
        """Append a T1 of the safe range number `at`."""
        now = self.now
        one = now.catalog.ranges[at]
        ends = (one.start_ref, one.end_ref)
        made = create(now, "range", ends, topic="work", summary=summary, origin=origin, **more)
        return self.append(made)

    def raise_(self, refs, summary=None, origin="model", **more):
        """Append a block of a higher tier over blocks."""
        now = self.now
        below = next(b.tier for b in now.state.blocks.values() if b.ref == refs[0])
        said = SAID[below + 1] if summary is None else summary
        made = promote(now, refs, topic="more", summary=said, origin=origin, **more)
        return self.append(made)

    def outline(self, at=0):
        """Return a summary of the safe range number `at` that the gate accepts."""
        now = self.now
        one = now.catalog.ranges[at]
        return outline(manifest_of(now.branch.sources[one.first : one.last + 1]))

    @property
    def raw(self):
        return [source.message for source in self.now.branch.sources]

    @property
    def shown(self):
        return list(self.now.projection.messages)

    @property
    def active(self):
        return [block.ref for block in self.now.state.active()]

    def status(self, ref):
        state = replay(self.log.branch())
        return next(
            state.status[block.block_id] for block in state.blocks.values() if block.ref == ref
        )


@cache
def _adjoining(rounds, said):
    desk = Desk(LogBuilder())
    for number in range(rounds):
        desk.log.user(f"{said} {number}")
        desk.log.turn(calls=[("bash", {"command": f"run {number}"})], results=[BODY])
        desk.log.assistant(f"answer {number}")
        desk.log.user("the newest question")
        desk.fold()
        desk.log.assistant("a short reply")
    return desk


def adjoining(rounds=4, said="question"):
    """Build a desk with T1 blocks side by side, one a round, made as the log grew."""
    return deepcopy(_adjoining(rounds, said))


def observed(tool="read", answers=2, *, body=BODY, error=False, log=None, arguments=None):
    """Build a log with one result that so many settled answers have seen, and a live end."""
    log = LogBuilder() if log is None else log
    log.user("please look")
    asked = {"path": "src/app.py"} if arguments is None else arguments
    log.turn(calls=[(tool, asked)], results=[body], errors=(0,) if error else ())
    for number in range(answers):
        log.assistant(f"thought {number}")
    log.user("the newest question")
    return log


def results(desk):
    """Return the refs of the tool results of a desk's context, in order."""
    return [
        source.ref
        for source in desk.now.branch.sources
        if source.message.get("role") == "toolResult"
    ]
