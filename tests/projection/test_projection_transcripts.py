"""Real Pi logs: the projection is Pi's own context, and random work on it keeps the laws.

The files lie beside the checkout; where they are absent, nothing is tried. Walks are done
in memory on the whole log, and written by the storage at their end: the bytes that were
there are the same, and what is read again says what was planned.
"""

import json
import random
import shutil
from collections import Counter
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from attrs import evolve
from projection_desk import BODY, EASY
from projection_logs import LogBuilder, spell

from kernel.projection.cooling.planning import automatic, prune, sweep
from kernel.projection.journal.codec import encode
from kernel.projection.lifecycle.controls import control, restore_all
from kernel.projection.lifecycle.creating import create
from kernel.projection.lifecycle.opening import decompress, recompress
from kernel.projection.lifecycle.promoting import promote
from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.log.storage import ReadOnlyLogError, append, load
from kernel.projection.model import CONTROLS, TRANSACTION
from kernel.projection.planning.facts import FactsMemory
from kernel.projection.replaying.reducer import replay
from kernel.projection.settings.config import Config
from kernel.projection.snapshot import take
from kernel.projection.view.checks import is_worse
from kernel.projection.view.projector import project
from kernel.sessions.pi_entries import Item

TRANSCRIPTS = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "transcripts"
LOGS = sorted(TRANSCRIPTS.glob("pi-*.jsonl"))
NEW = [path for path in LOGS if path.name.startswith("pi-v3")]
OLD = [path for path in LOGS if path.name.startswith("pi-v1")]
ORACLES = [
    (path, oracle)
    for path in NEW
    for oracle in sorted(TRANSCRIPTS.glob(f"{path.stem}.*oracle.json"))
]
NOW = datetime(2026, 6, 1, tzinfo=UTC)
#: Summaries by the tier they make, each small against what it may stand for.
SAID = {1: "what was said and done. " * 4, 2: "what all of it was. " * 3, 3: "all of it. " * 2}

#: Steps by how often they come.
STEPS = {
    "talk": 6,
    "compress": 8,
    "promote": 5,
    "decompress": 4,
    "recompress": 5,
    "cool": 3,
    "prune": 3,
    "fork": 2,
    "switch": 1,
}

pytestmark = pytest.mark.skipif(not LOGS, reason="the transcripts are not beside this checkout")


def name_of(value):
    return value.name if isinstance(value, Path) else ""


@pytest.mark.parametrize(("path", "oracle"), ORACLES, ids=name_of)
def test_the_projection_is_what_pi_builds(path, oracle):
    expected = json.loads(oracle.read_text("utf-8"))
    now = take(load(path), expected["leafId"], Config())
    assert [item.id for item in now.branch.context] == [e["id"] for e in expected["entries"]]
    speaking = [(e["id"], e["roles"]) for e in expected["entries"] if e["roles"]]
    shown = zip(now.projection.items, now.projection.messages, strict=True)
    assert [(item.name, [message["role"]]) for item, message in shown] == speaking
    assert now.projection.raw
    assert now.projection.fault is None


def test_a_version_1_log_shows_what_its_migrated_copy_shows():
    (old,) = OLD
    (new,) = (path for path in NEW if path.name.endswith(old.name.removeprefix("pi-v1-")))
    views = [take(load(path)).projection for path in (old, new)]
    assert views[0].messages == views[1].messages
    assert [item.source.digest for item in views[0].items] == [
        item.source.digest for item in views[1].items
    ]


@pytest.mark.parametrize("path", OLD, ids=name_of)
def test_a_version_1_log_is_only_read(path, tmp_path):
    copy = Path(shutil.copy(path, tmp_path))
    copy.chmod(0o644)
    now = take(load(copy), None, EASY)
    assert now.catalog.ranges
    refs = now.catalog.ranges[-1].refs
    made = [
        create(now, "message", refs, topic="t", summary=SAID[1], origin="user"),
        control(now, "off"),
        restore_all(now),
        sweep(now),
    ]
    assert [found.code for found in made] == ["read-only-version"] * len(made)
    with pytest.raises(ReadOnlyLogError, match="version 3"):
        append(copy, now.leaf, TRANSACTION, {}, expected_leaf=now.leaf, now=NOW)
    assert copy.read_bytes() == path.read_bytes()


class Walk:
    """Random steps on a tree; every transaction is an entry of it, in memory."""

    def __init__(self, path, seed):
        self.rng = random.Random(f"{path.name} {seed}")
        self.tree = load(path)
        self.memory = FactsMemory()
        self.leaf = self.start = self.tree.leaf
        self.made = []
        self.seen = {}
        self.counts = Counter()
        self.now = self.taken()

    def taken(self):
        return take(self.tree, self.leaf, EASY, memory=self.memory)

    @property
    def raw(self):
        return [source.message for source in self.now.branch.sources]

    def done(self, found):
        if isinstance(found, Refusal):
            assert found.code not in ("replay-failed", "view-refused"), found
            self.counts[found.code] += 1
            return
        assert found.base == self.leaf
        data = encode(found)
        self.add({"type": "custom", "customType": TRANSACTION, "data": data})
        self.now = self.taken()
        self.counts[data["kind"]] += 1
        self.check(found)

    def add(self, value):
        """Append an entry in memory."""
        name = f"{len(self.made):08x}"
        item = Item(name, self.leaf, {**value, "id": name, "parentId": self.leaf}, 0)
        digests = self.tree.digests
        self.tree = evolve(self.tree, entries=(*self.tree.entries, item))
        self.tree.digests.update(digests)
        self.made.append((name, self.leaf, value))
        self.leaf = name

    def check(self, found):
        now = self.now
        assert now.state.fault is None
        assert now.projection.fault is None
        assert found.tx_id in now.state.transactions
        leaves = [name for block in now.state.active() for name in block.source_ids]
        assert len(leaves) == len(set(leaves))
        self.seen[self.leaf] = now.state
        if len(self.made) % 8 == 0:
            assert not is_worse(self.raw, now.projection.messages)
        if len(self.made) % 4 == 0:
            self.check_restoring()

    def check_restoring(self):
        made = restore_all(self.now)
        if isinstance(made, Refusal):
            assert made.code == "already-in-force"
            assert list(self.now.projection.messages) == self.raw
            return
        value = {"type": "custom", "customType": TRANSACTION, "data": encode(made)}
        state = replay(self.now.branch, (Item("restore", self.leaf, value, 0),))
        view = project(self.now.branch, state)
        assert (state.fault, list(view.messages)) == (None, self.raw)

    # Steps

    def compress(self):
        # The longest ranges take long to judge.
        ranges = [one for one in self.now.catalog.ranges if len(one.source_ids) <= 40]
        if ranges:
            one = self.rng.choice(ranges)
            refs = one.refs
            self.done(create(self.now, "message", refs, topic="t", summary=SAID[1], origin="model"))

    def promote(self):
        if self.now.catalog.blocks:
            one = self.rng.choice(self.now.catalog.blocks)
            refs = one.refs[: self.rng.randint(2, 5)]
            said = SAID[one.tier]
            self.done(promote(self.now, refs, topic="t", summary=said, origin="model"))

    def decompress(self):
        shown = [block.ref for block in self.now.state.active()]
        if shown:
            refs = self.rng.sample(shown, min(len(shown), self.rng.choice((1, 1, 2))))
            self.done(decompress(self.now, refs, self.rng.choice(("one", "raw")), "user"))

    def recompress(self):
        opened = [name for name in self.now.state.opened if name in self.now.state.blocks]
        if opened:
            ref = self.now.state.blocks[self.rng.choice(opened)].ref
            self.done(recompress(self.now, ref, self.rng.choice(("user", "model"))))

    def cool(self):
        plan = self.rng.choice((automatic, lambda now: sweep(now, self.rng.randint(1, 3))))
        self.done(plan(self.now))

    def prune(self):
        results = [s.ref for s in self.now.branch.sources if s.message.get("role") == "toolResult"]
        if results:
            self.done(prune(self.now, [self.rng.choice(results)], "model"))

    def talk(self):
        """Let the session go on: a question, a call with its result, a reply."""
        log = LogBuilder()
        log.user("what next")
        call = (self.rng.choice(("read", "bash", "edit")), {"n": self.rng.randrange(4)})
        log.turn(calls=[call], results=[BODY[: self.rng.randrange(12000)]])
        log.assistant("done")
        log.user("and then")
        for entry in log.entries:
            call = f"call_{len(self.made)}"
            body = entry["message"]
            if body["role"] == "toolResult":
                body["toolCallId"] = f"call_{len(self.made) - 1}"
            for part in body["content"]:
                if part["type"] == "toolCall":
                    part["id"] = call
            self.add({"type": "message", "message": body})
        self.now = self.taken()

    def fork(self):
        """Go on from elsewhere: a little back, where a step ended, anywhere in the file."""
        path = [item.id for item in self.now.branch.path]
        back = path[-self.rng.randint(1, min(20, len(path)))]
        places = [back, self.rng.choice([self.start, *self.seen]), self.start]
        if not self.rng.randrange(8):
            places = [self.rng.choice(self.tree.entries).id]
        self.leaf = self.rng.choice(places)
        self.now = self.taken()
        self.counts["fork"] += 1

    def switch(self):
        self.done(control(self.now, self.rng.choice(CONTROLS)))
        self.done(control(self.now, "on"))

    def steps(self, count):
        for name in self.rng.choices(list(STEPS), list(STEPS.values()), k=count):
            getattr(self, name)()
        return self

    def written(self, path):
        """Append everything to a copy, under the leaves it was planned on."""
        last = self.tree.entries[len(self.tree.entries) - len(self.made) - 1].id
        for name, leaf, value in self.made:
            if value["type"] == "custom":
                data = value["data"]
                append(path, leaf, TRANSACTION, data, expected_leaf=last, now=NOW, entry_id=name)
            else:
                with path.open("ab") as log:
                    log.write(spell({**value, "id": name, "parentId": leaf}))
            last = name


@cache
def walked(path):
    return Walk(path, 1).steps(200 if path.stat().st_size > 100_000 else 300)


@pytest.mark.parametrize("path", NEW, ids=name_of)
def test_random_work_keeps_the_laws(path, tmp_path):
    walk = walked(path)
    assert walk.counts["fork"] > 5
    copy = Path(shutil.copy(path, tmp_path))
    copy.chmod(0o644)
    before = copy.read_bytes()
    walk.written(copy)
    after = copy.read_bytes()
    assert after.startswith(before)
    assert after[len(before) :].count(b"\n") == len(walk.made)
    tree = load(copy)
    for leaf, state in walk.seen.items():
        assert replay(tree.branch(leaf)) == state


@pytest.mark.skipif(not NEW, reason="no log of version 3")
def test_the_walks_use_every_arm():
    counts = walked(max(NEW, key=lambda path: path.stat().st_size)).counts
    arms = ("semantic-create", "decompress", "recompress", "cooling", "control")
    assert all(counts[arm] > 1 for arm in arms), counts
