"""Random steps on random logs: whatever is planned and appended, the laws hold.

After every step replay has no fault, no wire refuses a view that it takes the raw history
of, and restore-all would give the raw history back exactly.
"""

import random
from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from projection_desk import BODY, Desk, results
from projection_logs import PLAIN, STEPS, LogBuilder, log_of

from kernel.projection.cooling.planning import automatic, prune, sweep
from kernel.projection.journal.codec import encode
from kernel.projection.lifecycle.controls import control, restore_all
from kernel.projection.lifecycle.creating import create
from kernel.projection.lifecycle.opening import decompress, recompress
from kernel.projection.lifecycle.promoting import promote
from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.model import CONTROLS, TRANSACTION, SemanticCreate, Transaction
from kernel.projection.replaying.reducer import replay
from kernel.projection.view.checks import is_worse
from kernel.projection.view.projector import project
from kernel.sessions.pi_entries import Item

#: Sizes of summaries, small against the bodies of the log and against one another.
WORDS = {1: "of messages. " * 330, 2: "of summaries. " * 140, 3: "of all. " * 120}


class Walk:
    """A desk, and steps that plan something by a number and append what comes of it."""

    def __init__(self, log):
        self.desk = Desk(log)
        self.kept = self.checked = None
        self.counts = Counter()

    @property
    def now(self):
        """The snapshot, taken once for each state of the log."""
        if self.kept is None or self.kept.branch.leaf != self.desk.log.leaf:
            self.kept = self.desk.now
        return self.kept

    @property
    def raw(self):
        return [source.message for source in self.now.branch.sources]

    def done(self, found):
        """Append what was planned; what was refused changes nothing."""
        assert isinstance(found, Transaction | Refusal)
        if isinstance(found, Refusal):
            # A plan that its own replay refuses is a rule the planner does not know.
            assert found.code not in ("replay-failed", "view-refused"), found
            self.counts[found.code] += 1
            return
        assert found.base == self.desk.log.leaf
        self.desk.log.custom(TRANSACTION, encode(found))
        assert found.tx_id in self.now.state.transactions
        tier = found.payload.tier if isinstance(found.payload, SemanticCreate) else ""
        self.counts[f"{type(found.payload).__name__}{tier}"] += 1

    # Steps: each takes a number to choose by, and who asks

    def work(self, pick, _origin):
        log = self.desk.log
        log.user("what next")
        tool = ("read", "bash", "edit")[pick % 3]
        body = f"{pick % 4}\n{BODY[:20000]}"
        log.turn(calls=[(tool, {"n": pick % 5})], results=[body], errors=(0,) * (pick % 7 == 0))
        log.assistant("done")
        log.user("and then")

    def entry(self, pick, _origin):
        names = sorted(set(PLAIN) if pick % 4 else set(STEPS) - {"keep none"})
        STEPS[names[pick % len(names)]](self.desk.log, self.desk.log.rng)

    def fold(self, pick, origin):
        now = self.now
        if now.catalog.ranges:
            refs = now.catalog.ranges[pick % len(now.catalog.ranges)].refs
            made = create(now, "message", refs, topic="t", summary=WORDS[1], origin=origin)
            self.done(made)

    def promote(self, pick, origin):
        sets = self.now.catalog.blocks
        if sets:
            one = sets[pick % len(sets)]
            refs, words = one.refs[: 2 + pick % 3], WORDS[one.tier]
            self.done(promote(self.now, refs, topic="t", summary=words, origin=origin))

    def promote_any(self, pick, origin):
        shown = self.now.state.active()
        if len(shown) > 1:
            start = pick % (len(shown) - 1)
            refs = [block.ref for block in shown[start : start + 2]]
            self.done(promote(self.now, refs, topic="t", summary=WORDS[3], origin=origin))

    def open(self, pick, origin):
        blocks = list(self.now.state.active() or self.now.state.blocks.values())
        if blocks:
            depth = "raw" if pick % 3 == 0 else "one"
            self.done(decompress(self.now, [blocks[pick % len(blocks)].ref], depth, origin))

    def open_all(self, _pick, origin):
        refs = [block.ref for block in self.now.state.active()][:16]
        self.done(decompress(self.now, refs, "raw", origin))

    def close(self, pick, origin):
        names = list(self.now.state.opened) if pick % 4 else list(self.now.state.blocks)
        if names:
            ref = self.now.state.blocks[names[pick % len(names)]].ref
            self.done(recompress(self.now, ref, origin))

    def cool(self, _pick, _origin):
        self.done(automatic(self.now))

    def sweep(self, pick, _origin):
        self.done(sweep(self.now, 1 + pick % 16))

    def prune(self, pick, origin):
        refs = results(self.desk)
        if refs:
            self.done(prune(self.now, [refs[pick % len(refs)]], origin))

    def switch(self, pick, _origin):
        self.done(control(self.now, CONTROLS[pick % len(CONTROLS)]))
        # Most of a walk is on: what is off can do nothing.
        self.done(control(self.now, "on"))

    def restore(self, pick, _origin):
        found = restore_all(self.now)
        self.done(found)
        if isinstance(found, Transaction):
            assert list(self.now.projection.messages) == self.raw
        if pick % 4:
            self.done(control(self.now, "on"))

    # Laws

    def check(self):
        """Check the laws where the log is not as it was checked last."""
        now = self.now
        if self.checked == now.branch.leaf:
            return
        self.checked = now.branch.leaf
        assert now.state.fault is None
        assert now.projection.fault is None
        assert not is_worse(self.raw, list(now.projection.messages))
        leaves = [name for block in now.state.active() for name in block.source_ids]
        assert len(leaves) == len(set(leaves))
        self.check_restoring()

    def check_restoring(self):
        now = self.now
        made = restore_all(now)
        if isinstance(made, Refusal):
            assert made.code == "already-in-force"
            assert list(now.projection.messages) == self.raw
            return
        head = {"type": "custom", "customType": TRANSACTION, "data": encode(made)}
        state = replay(now.branch, (Item("restore", now.branch.leaf, head, 0),))
        assert state.fault is None
        assert list(project(now.branch, state).messages) == self.raw


#: Steps by how often they come.
WEIGHTS = {
    "work": 6,
    "entry": 2,
    "fold": 6,
    "promote": 4,
    "promote_any": 1,
    "open": 3,
    "open_all": 1,
    "close": 4,
    "cool": 2,
    "sweep": 1,
    "prune": 3,
    "switch": 1,
    "restore": 1,
}


class Lifecycle(RuleBasedStateMachine):
    @initialize(steps=st.lists(st.sampled_from(PLAIN), max_size=6), seed=st.integers(0, 9))
    def start(self, steps, seed):
        self.walk = Walk(log_of(("user", *steps), seed))
        for number in range(3):
            self.walk.work(number, "user")

    @rule(
        name=st.sampled_from([name for name, times in WEIGHTS.items() for _ in range(times)]),
        pick=st.integers(0, 255),
        origin=st.sampled_from(["model", "user"]),
    )
    def step(self, name, pick, origin):
        getattr(self.walk, name)(pick, origin)

    @invariant()
    def laws(self):
        if hasattr(self, "walk"):
            self.walk.check()


TestLifecycle = Lifecycle.TestCase
TestLifecycle.settings = settings(
    max_examples=10,
    stateful_step_count=15,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def walked(seed, steps=50):
    rng = random.Random(f"walk {seed}")
    walk = Walk(LogBuilder(seed=seed))
    walk.work(seed, "user")
    for name in rng.choices(list(WEIGHTS), list(WEIGHTS.values()), k=steps):
        getattr(walk, name)(rng.randrange(256), rng.choice(("model", "user")))
        walk.check()
    assert replay(walk.desk.log.branch()) == walk.now.state
    return walk.counts


@pytest.mark.parametrize("seeds", [range(3), range(3, 6)], ids=["first", "second"])
def test_long_walks_use_every_arm_and_keep_the_laws(seeds):
    counts = sum(map(walked, seeds), Counter())
    arms = ("SemanticCreate1", "SemanticCreate2", "Decompress", "Recompress", "Cooling", "Control")
    assert all(counts[arm] > 1 for arm in arms), counts
