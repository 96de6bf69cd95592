"""Random steps on random logs: whatever is planned and appended, the laws hold.

After every step replay has no fault, no wire refuses a view that it takes the raw history
of, and restore-all would give the raw history back exactly.
"""

from attrs import evolve
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from projection_desk import BODY, EASY, Desk, results
from projection_logs import PLAIN, STEPS, log_of

from kernel.projection.controls import control, restore_all
from kernel.projection.cooling.planning import automatic, prune, sweep
from kernel.projection.creating import create
from kernel.projection.journal import encode
from kernel.projection.model import CONTROLS, TRANSACTION, Transaction
from kernel.projection.opening import decompress, recompress
from kernel.projection.projector import project
from kernel.projection.promoting import promote
from kernel.projection.reducer import replay
from kernel.projection.refusal import Refusal
from kernel.projection.views import is_worse
from kernel.sessions.pi_entries import Item

#: Sizes of summaries, small against the bodies of the log.
SHORT = {1: "a summary of some messages. " * 60, 2: "a summary of summaries. " * 20, 3: "all. "}
ORIGINS = st.sampled_from(["model", "user"])
PICK = st.integers(0, 63)


class Lifecycle(RuleBasedStateMachine):
    @initialize(steps=st.lists(st.sampled_from(PLAIN), max_size=8), seed=st.integers(0, 9))
    def start(self, steps, seed):
        self.desk = Desk(log_of(("user", *steps), seed), evolve(EASY))
        self.kept = None
        self.work(0)

    @property
    def now(self):
        """Return the snapshot, taken once for each state of the log."""
        if self.kept is None or self.kept.branch.leaf != self.desk.log.leaf:
            self.kept = self.desk.now
        return self.kept

    def done(self, found):
        """Append what was planned; what was refused changes nothing."""
        assert isinstance(found, Transaction | Refusal)
        if isinstance(found, Transaction):
            assert found.base == self.desk.log.leaf
            self.desk.log.custom(TRANSACTION, encode(found))
            assert found.tx_id in self.now.state.transactions

    @rule(kind=PICK)
    def work(self, kind):
        log = self.desk.log
        log.user("what next")
        log.turn(
            calls=[(("read", "bash", "edit")[kind % 3], {"n": kind % 5})], results=[BODY[:9000]]
        )
        log.assistant("done")
        log.user("and then")

    @rule(name=st.sampled_from(sorted(set(STEPS) - {"keep none"})))
    def step(self, name):
        STEPS[name](self.desk.log, self.desk.log.rng)

    @rule(pick=PICK, origin=ORIGINS)
    def fold(self, pick, origin):
        now = self.now
        if now.catalog.ranges:
            one = now.catalog.ranges[pick % len(now.catalog.ranges)]
            refs = one.refs
            self.done(create(now, "message", refs, topic="t", summary=SHORT[1], origin=origin))

    @rule(pick=PICK, count=st.integers(2, 4), origin=ORIGINS)
    def raise_(self, pick, count, origin):
        now = self.now
        shown = now.state.active()
        if len(shown) > 1:
            start = pick % (len(shown) - 1)
            some = shown[start : start + count]
            said = SHORT[min(3, some[0].tier + 1)]
            refs = [block.ref for block in some]
            self.done(promote(now, refs, topic="t", summary=said, origin=origin))

    @rule(pick=PICK, depth=st.sampled_from(["one", "raw"]), origin=ORIGINS)
    def open(self, pick, depth, origin):
        blocks = list(self.now.state.blocks.values())
        if blocks:
            refs = [blocks[pick % len(blocks)].ref]
            self.done(decompress(self.now, refs, depth, origin))

    @rule(origin=ORIGINS)
    def open_all(self, origin):
        refs = [block.ref for block in self.now.state.active()][:16]
        self.done(decompress(self.now, refs, "raw", origin))

    @rule(pick=PICK, origin=ORIGINS)
    def close(self, pick, origin):
        blocks = list(self.now.state.blocks.values())
        if blocks:
            self.done(recompress(self.now, blocks[pick % len(blocks)].ref, origin))

    @rule()
    def cool(self):
        self.done(automatic(self.now))

    @rule(limit=st.integers(1, 16))
    def sweep(self, limit):
        self.done(sweep(self.now, limit))

    @rule(pick=PICK)
    def prune(self, pick):
        refs = results(self.desk)
        if refs:
            self.done(prune(self.now, [refs[pick % len(refs)]], "model"))

    @rule(action=st.sampled_from(CONTROLS))
    def switch(self, action):
        self.done(control(self.now, action))

    @precondition(lambda self: self.now.state.active() or self.now.state.cooled)
    @rule()
    def restore(self):
        self.done(restore_all(self.now))
        assert list(self.now.projection.messages) == self.raw

    @rule()
    def reread(self):
        """Whatever was given, a log read anew replays to the same state."""
        assert replay(self.desk.log.branch()) == self.now.state

    @property
    def raw(self):
        return [source.message for source in self.now.branch.sources]

    @invariant()
    def no_fault(self):
        if hasattr(self, "desk"):
            assert self.now.state.fault is None
            assert self.now.projection.fault is None

    @invariant()
    def every_provider_takes_the_view(self):
        if hasattr(self, "desk"):
            assert not is_worse(self.raw, list(self.now.projection.messages))

    @invariant()
    def no_two_shown_blocks_overlap(self):
        if hasattr(self, "desk"):
            leaves = [name for block in self.now.state.active() for name in block.source_ids]
            assert len(leaves) == len(set(leaves))

    @invariant()
    def restoring_would_give_the_raw_history(self):
        if not hasattr(self, "desk"):
            return
        now = self.now
        made = restore_all(now)
        if isinstance(made, Refusal):
            assert made.code in ("already-in-force", "empty-log")
            assert list(now.projection.messages) == self.raw
            return
        head = {"type": "custom", "customType": TRANSACTION, "data": encode(made)}
        state = replay(now.branch, (Item("restore", now.branch.leaf, head, 0),))
        view = project(now.branch, state)
        assert state.fault is None
        assert list(view.messages) == self.raw


TestLifecycle = Lifecycle.TestCase
TestLifecycle.settings = settings(
    max_examples=25,
    stateful_step_count=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
