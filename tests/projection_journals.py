"""Journals for the tests of the projection: transactions made by hand or at random.

journal = Journal(log)                # a LogBuilder of projection_logs
block = journal.fold(log.ids[0:4])    # each verb appends an entry on the log's leaf
journal.lift([block, other])          # T2, or T3, or a restill
journal.open([block]); journal.close(block); journal.cool([result]); journal.switch("off")
journal.state(); journal.view()

wander(journal, rng, steps)           # random verbs that replay without a fault
"""

from attrs import evolve

from kernel.projection.cooling.profiles import profile_of
from kernel.projection.journal.codec import block_id, encode, transaction
from kernel.projection.log.digests import leaf_digest
from kernel.projection.model import (
    TRANSACTION,
    Control,
    CooledResult,
    Cooling,
    Cost,
    Decompress,
    Quality,
    Recompress,
    SemanticCreate,
)
from kernel.projection.replaying.lineage import closure_of, proof_of
from kernel.projection.replaying.reducer import replay
from kernel.projection.view.projector import RawItem, project
from kernel.sessions.pi_entries import Item

QUALITY = Quality(1, 1, "0" * 64, accepted=True)
COST = Cost("anthropic", "claude-x", "1", 4000, 400, 900, 3600, 0.9, 0.25)


class Journal:
    """Appends transactions to a log; `last` is the transaction made last."""

    def __init__(self, log):
        self.log = log
        self.last = None

    def branch(self):
        return self.log.branch(self.log.leaf)

    def state(self):
        return replay(self.branch())

    def view(self):
        branch = self.branch()
        return project(branch, replay(branch))

    def made(self, payload, origin="user"):
        branch = self.branch()
        return transaction(branch.session_id, branch.epoch, branch.leaf, origin, payload)

    def append(self, payload, origin="user"):
        """Append a payload whatever it says; return its transaction."""
        self.last = self.made(payload, origin)
        self.log.custom(TRANSACTION, encode(self.last))
        return self.last

    def tries(self, payload, origin="user"):
        """Return the fault a payload would be, None for none."""
        made = self.made(payload, origin)
        value = {"type": "custom", "customType": TRANSACTION, "data": encode(made)}
        return replay(self.branch(), [Item("next", self.log.leaf, value, 0)]).fault

    # Payloads

    def folding(self, ids, summary="what happened", **changes):
        branch = self.branch()
        digests = {source.entry_id: source.digest for source in branch.sources}
        leaves = [(name, digests.get(name, "0" * 64)) for name in ids]
        return self._create(
            branch, 1, tuple(ids), (), leaves=leaf_digest(leaves), summary=summary, changes=changes
        )

    def lifting(self, names, summary="what all of it was", **changes):
        branch, state = self.branch(), self.state()
        children = [state.blocks[name] for name in names]
        digests = {source.entry_id: source.digest for source in branch.sources}
        ids = tuple(leaf for child in children for leaf in child.source_ids)
        leaves = leaf_digest((name, digests.get(name, "0" * 64)) for name in ids)
        tier = min(3, children[0].tier + 1)
        changes = {"restill": children[0].tier == 3, "mode": "blocks", **changes}
        return self._create(
            branch, tier, ids, tuple(names), leaves=leaves, summary=summary, changes=changes
        )

    def _create(self, branch, tier, ids, children, *, leaves, summary, changes):
        made = SemanticCreate(
            block_id="",
            tier=tier,
            mode="range",
            restill=False,
            topic="topic",
            summary=summary,
            source_ids=ids,
            children=children,
            leaf_digest=leaves,
            leaf_count=len(ids),
            catalog_id="cat_1",
            quality=QUALITY,
            cost=COST,
        )
        made = evolve(made, **changes)
        name = block_id(
            branch.epoch,
            branch.leaf,
            tier=made.tier,
            leaf_digest=made.leaf_digest,
            children=made.children,
            summary=made.summary,
        )
        return evolve(made, block_id=name)

    def opening(self, names, depth="one"):
        blocks = self.state().blocks
        closure = closure_of(blocks, names, depth)
        return Decompress(depth, names, closure, [blocks[name].leaf_digest for name in closure])

    def closing(self, name):
        state = self.state()
        block = state.blocks[name]
        return Recompress(
            name, block.tier, block.children, block.leaf_digest, len(block.source_ids),
            state.opened.get(name, "tx_" + "0" * 24), proof=proof_of(state.blocks, name),
        )  # fmt: skip

    def cooling(self, ids, mode="sweep", **changes):
        sources = {source.entry_id: source for source in self.branch().sources}
        results = []
        for name in ids:
            source = sources[name]
            call, tool = source.message.get("toolCallId", ""), source.message.get("toolName", "")
            profile = profile_of(tool).name
            profile = "retrieval" if profile == "unknown" else profile
            one = CooledResult(name, call, tool, profile, source.digest, 3)
            results.append(evolve(one, **changes))
        return Cooling(mode, results)

    # Verbs

    def fold(self, ids, summary="what happened", **changes):
        return self.append(self.folding(ids, summary, **changes)).payload.block_id

    def lift(self, names, summary="what all of it was", **changes):
        return self.append(self.lifting(names, summary, **changes)).payload.block_id

    def open(self, names, depth="one"):
        return self.append(self.opening(names, depth)).tx_id

    def close(self, name):
        return self.append(self.closing(name)).tx_id

    def cool(self, ids, mode="sweep"):
        return self.append(self.cooling(ids, mode)).tx_id

    def switch(self, action):
        return self.append(Control(action)).tx_id


def _fold(journal, rng):
    items = journal.view().items
    if not items:
        return None
    # Mostly next to a block, so that blocks become neighbours and can be lifted.
    behind = [at + 1 for at, item in enumerate(items[:-1]) if not isinstance(item, RawItem)]
    first = rng.choice(behind) if behind and rng.random() < 0.7 else rng.randrange(len(items))
    run = items[first : first + rng.choice((1, 1, 2, 2, 3, 4, 6))]
    if not all(isinstance(item, RawItem) for item in run):
        return None
    return journal.folding([item.name for item in run], f"summary {rng.random()}")


def _lift(journal, rng):
    active = [block for block in journal.state().active() if block.version == 3]
    if len(active) < 2:
        return None
    order = {source.entry_id: source.index for source in journal.branch().sources}
    active.sort(key=lambda block: order.get(block.source_ids[0], -1))
    alike = [at for at in range(len(active) - 1) if active[at].tier == active[at + 1].tier]
    first = rng.choice(alike) if alike else 0
    return journal.lifting(
        [
            block.block_id
            for block in active[first : first + rng.randint(2, 2 + (rng.random() < 0.3))]
        ],
        f"summary {rng.random()}",
    )


def _open(journal, rng):
    active = [block.block_id for block in journal.state().active()]
    if not active:
        return None
    roots = rng.sample(active, min(len(active), rng.randint(1, 3)))
    return journal.opening(roots, rng.choice(("one", "raw")))


def _close(journal, rng):
    opened = list(journal.state().opened)
    return journal.closing(rng.choice(opened)) if opened else None


def _cool(journal, rng):
    found = [
        item.name
        for item in journal.view().items
        if isinstance(item, RawItem) and item.source.message["role"] == "toolResult"
    ]
    return journal.cooling(rng.sample(found, min(len(found), 2))) if found else None


VERBS = {
    "fold": _fold,
    "lift": _lift,
    "open": _open,
    "close": _close,
    "cool": _cool,
    "manual": lambda _journal, rng: Control(rng.choice(("manual-on", "manual-off"))),
    "off": lambda _journal, _rng: Control("off"),
    "on": lambda _journal, _rng: Control("on"),
    "restore-all": lambda _journal, _rng: Control("restore-all"),
}
#: How often each verb is tried.
USUAL = ("fold",) * 6 + ("lift",) * 5 + ("open",) * 2 + ("close",) * 3 + ("cool", "manual")


def wander(journal, rng, steps, verbs=USUAL):
    """Append random transactions that hold; return how many were appended."""
    done = 0
    for _ in range(steps):
        payload = VERBS[rng.choice(verbs)](journal, rng)
        if payload is not None and journal.tries(payload) is None:
            journal.append(payload)
            done += 1
    return done
