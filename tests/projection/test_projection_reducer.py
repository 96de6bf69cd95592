"""Replay: what holds is applied whole, what does not is a fault and changes nothing."""

import pytest
from attrs import evolve
from hypothesis import given, settings
from projection_journals import QUALITY, Journal
from projection_logs import LogBuilder, log_of, logs

from kernel.projection.cooling.profiles import PROFILES, profile_of
from kernel.projection.journal.codec import encode, transaction
from kernel.projection.model import TRANSACTION, Control, Cooling, Decompress, Recompress
from kernel.projection.planning import facts as facts_module
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.planning.protection import protect
from kernel.projection.replaying.lineage import proof_of
from kernel.projection.replaying.reducer import Replay, replay
from kernel.projection.settings.config import Config, Protection

SETTINGS = settings(derandomize=True, deadline=None, max_examples=20)


def talk(turns=6):
    """A journal over turns of: user, call with result, reply (ids 4n, 4n+1, 4n+2, 4n+3)."""
    log = LogBuilder()
    for number in range(turns):
        log.user(f"question {number}")
        log.turn(calls=[("read", {"path": f"{number}.py"})], results=[f"text {number}"])
        log.assistant(f"answer {number}")
    # A live end: what comes before it is settled, seen and not the newest question.
    for word in ("so", "then", "well"):
        log.assistant(word)
    log.user("the newest question")
    return Journal(log), list(log.ids)


def tower():
    """Four T1 over two turns each... folded to two T2 and a T3."""
    journal, ids = talk(4)
    low = [journal.fold(ids[4 * n : 4 * n + 4], f"part {n}") for n in range(4)]
    middle = [journal.lift(low[:2], "first half"), journal.lift(low[2:], "second half")]
    return journal, ids, low, middle, journal.lift(middle, "all")


def statuses(journal, names):
    state = journal.state()
    assert state.fault is None, state.fault
    return [state.status[name] for name in names]


# Creation


def test_a_block_stands_for_its_sources():
    journal, ids = talk()
    name = journal.fold(ids[4:8])
    state = journal.state()
    block = state.blocks[name]
    assert state.fault is None
    assert state.active() == (block,)
    assert (block.ref, block.tier, block.version, block.turn) == ("b000001", 1, 3, 15)
    assert block.source_ids == tuple(ids[4:8])
    assert block.tx_id == journal.last.tx_id == state.transactions[-1]
    assert block.entry_id == journal.log.leaf


def test_parents_and_children_change_together():
    journal, _, low, middle, top = tower()
    assert statuses(journal, [*low, *middle, top]) == ["covered"] * 6 + ["active"]
    state = journal.state()
    assert [state.parent[name] for name in low] == [middle[0]] * 2 + [middle[1]] * 2
    assert {state.parent[name] for name in middle} == {top}
    assert [state.blocks[name].tier for name in (low[0], middle[0], top)] == [1, 2, 3]
    assert [block.ref for block in state.blocks.values()][-1] == "b000007"


def test_restill_stays_on_the_third_tier():
    journal, ids = talk(8)
    tops = []
    for half in (0, 16):
        low = [journal.fold(ids[half + 4 * n : half + 4 * n + 4]) for n in range(4)]
        tops.append(journal.lift([journal.lift(low[:2]), journal.lift(low[2:])]))
    again = journal.lift(tops)
    block = journal.state().blocks[again]
    assert (block.tier, block.restill, block.children) == (3, True, tuple(tops))
    assert statuses(journal, [*tops, again]) == ["covered", "covered", "active"]


def _t1_faults():
    return {
        "a gap": (lambda j, ids: j.folding([ids[0], ids[4]]), "lineage-not-contiguous"),
        "disorder": (lambda j, ids: j.folding([ids[3], ids[0]]), "lineage-not-contiguous"),
        "no entry": (lambda j, _: j.folding(["nobody"]), "lineage-source-not-visible"),
        "a covered source": (lambda j, ids: j.folding(ids[20:24]), "lineage-source-not-visible"),
        "half an atom": (lambda j, ids: j.folding(ids[4:6]), "lineage-atom-parted"),
        "its other half": (lambda j, ids: j.folding(ids[6:8]), "lineage-atom-parted"),
        "another digest": (
            lambda j, ids: j.folding(ids[0:4], leaf_digest="f" * 64),
            "lineage-leaf-digest",
        ),
        "a failed gate": (
            lambda j, ids: j.folding(
                ids[0:4], quality=evolve(j.folding(ids[0:1]).quality, accepted=False)
            ),
            "lineage-quality",
        ),
    }


@pytest.mark.parametrize("name", _t1_faults())
def test_sources_of_a_first_tier_are_proved(name):
    journal, ids = talk()
    journal.fold(ids[20:24])
    make, code = _t1_faults()[name]
    before = journal.state()
    assert journal.tries(make(journal, ids)).code == code
    journal.append(make(journal, ids))
    after = journal.state()
    assert (after.fault.code, after.fault.entry_id) == (code, journal.log.leaf)
    assert (after.blocks, after.status, after.transactions) == (
        before.blocks,
        before.status,
        before.transactions,
    )


def test_an_unanswered_call_is_never_folded():
    log = log_of(["user", "reply", "unanswered", "reply", "user", "reply"])
    journal = Journal(log)
    assert journal.tries(journal.folding(log.ids[:-2])).code == "lineage-atom-parted"
    assert journal.tries(journal.folding(log.ids[:2])) is None


def test_a_host_summary_and_a_system_message_are_no_raw_sources():
    log = LogBuilder()
    log.user()
    kept = log.user("kept")
    log.compaction(keep=kept)
    log.branch_summary()
    log.message("system", "be kind")
    log.assistant("yes")
    log.user("the newest")
    journal = Journal(log)
    for entry in log.ids[2:5]:
        assert journal.tries(journal.folding([entry])).code == "lineage-source-not-raw"
    assert journal.tries(journal.folding([kept])) is None


def test_a_source_that_was_edited_away_leaves_no_gap():
    journal, ids = talk(2)
    journal.log.edit(ids[3], None)
    assert journal.tries(journal.folding([*ids[:3], ids[4]])) is None
    assert journal.tries(journal.folding(ids[:4])).code == "lineage-source-not-visible"


def _higher_faults():
    return {
        "a gap": (lambda j, t1, _: j.lifting([t1[0], t1[2]]), "lineage-not-contiguous"),
        "disorder": (lambda j, t1, _: j.lifting([t1[1], t1[0]]), "lineage-not-contiguous"),
        "mixed tiers": (lambda j, t1, t2: j.lifting([t1[0], t2]), "lineage-child-tier"),
        "a covered child": (lambda j, t1, _: j.lifting([t1[3], t1[4]]), "lineage-child-not-active"),
        "other leaves": (
            lambda j, t1, _: j.lifting(t1[:2], source_ids=("x",), leaf_count=1),
            "lineage-leaves",
        ),
        "a tier too high": (
            lambda j, t1, _: j.lifting(t1[:2], tier=3),
            "lineage-child-tier",
        ),
        "restill of the first": (
            lambda j, t1, _: j.lifting(t1[:2], tier=3, restill=True),
            "lineage-child-tier",
        ),
        "nobody": (
            lambda j, t1, _: j.lifting(t1[:2], children=("blk_" + "0" * 16, t1[1])),
            "lineage-child-unknown",
        ),
        "another digest": (
            lambda j, t1, _: j.lifting(t1[:2], leaf_digest="e" * 64),
            "lineage-leaf-digest",
        ),
    }


@pytest.mark.parametrize("name", _higher_faults())
def test_children_of_a_higher_tier_are_proved(name):
    journal, ids = talk(6)
    low = [journal.fold(ids[4 * n : 4 * n + 4], f"part {n}") for n in range(5)]
    above = journal.lift(low[3:], "the last two")
    make, code = _higher_faults()[name]
    assert journal.tries(make(journal, low, above)).code == code
    assert journal.tries(journal.lifting(low[:3])) is None


def test_raw_text_between_blocks_keeps_them_apart():
    journal, ids = talk(3)
    ends = [journal.fold(ids[0:4]), journal.fold(ids[8:12])]
    assert journal.tries(journal.lifting(ends)).code == "lineage-not-contiguous"


def test_equal_text_proves_nothing():
    """A parent that quotes its children word for word is refused without their ids."""
    journal, ids = talk(2)
    journal.fold(ids[0:4], "first words")
    journal.fold(ids[4:8], "second words")
    quoting = journal.folding(ids[0:8], "first words second words")
    assert journal.tries(quoting).code == "lineage-source-not-visible"


# Opening and closing


def test_opening_one_level_brings_the_children_back():
    journal, _, low, middle, top = tower()
    opened = journal.open([top])
    assert statuses(journal, [*low, *middle, top]) == ["covered"] * 4 + ["active"] * 2 + [
        "decompressed"
    ]
    assert journal.state().opened == {top: opened}
    journal.open([middle[0]])
    assert statuses(journal, [*low, *middle]) == ["active"] * 2 + ["covered"] * 2 + [
        "decompressed",
        "active",
    ]


def test_opening_to_the_raw_opens_the_whole_family():
    journal, _, low, middle, top = tower()
    opened = journal.open([top], "raw")
    everything = [*low, *middle, top]
    assert statuses(journal, everything) == ["decompressed"] * 7
    assert journal.state().opened == dict.fromkeys(everything, opened)
    assert journal.state().parent == {}


def test_closing_brings_back_exactly_what_was():
    journal, *_, top = tower()
    before = journal.state()
    for depth in ("one", "raw"):
        journal.open([top], depth)
        journal.close(top)
        after = journal.state()
        assert after.fault is None
        assert (after.status, after.parent, after.opened) == (before.status, before.parent, {})


def test_a_part_may_be_closed_before_the_whole():
    journal, _, low, middle, top = tower()
    journal.open([top], "raw")
    journal.close(low[1])
    journal.close(middle[1])
    assert statuses(journal, [*low, *middle]) == [
        "decompressed", "active", "covered", "covered", "decompressed", "active",
    ]  # fmt: skip
    journal.close(top)
    assert statuses(journal, [*low, *middle, top]) == ["covered"] * 6 + ["active"]


def _opening_faults():
    return {
        "a covered root": (lambda j, low, _: j.opening([low[0]]), "lineage-root-not-active"),
        "nobody": (
            lambda *_: Decompress("one", ("x",), ("x",), ("0" * 64,)),
            "lineage-root-unknown",
        ),
        "a smaller closure": (
            lambda j, _, top: evolve(j.opening([top]), depth="raw"),
            "lineage-closure",
        ),
        "a larger closure": (
            lambda j, _, top: evolve(j.opening([top], "raw"), depth="one"),
            "lineage-closure",
        ),
        "another digest": (
            lambda j, _, top: evolve(j.opening([top]), leaf_digests=("1" * 64,)),
            "lineage-leaf-digest",
        ),
    }


@pytest.mark.parametrize("name", _opening_faults())
def test_openings_are_proved(name):
    journal, _, low, _, top = tower()
    make, code = _opening_faults()[name]
    assert journal.tries(make(journal, low, top)).code == code


def _closing_faults():
    return {
        "what is shown": (lambda j, _, top: j.closing(top), "lineage-not-decompressed"),
        "nobody": (
            lambda *_: Recompress("blk_" + "0" * 16, 1, (), "0" * 64, 1, "tx", proof="0" * 64),
            "lineage-root-unknown",
        ),
        "another opening": (
            lambda j, low, _: evolve(j.closing(low[0]), decompressed_by="tx_" + "1" * 24),
            "lineage-not-decompressed",
        ),
        "another digest": (
            lambda j, low, _: evolve(j.closing(low[0]), leaf_digest="1" * 64),
            "lineage-changed",
        ),
        "another count": (
            lambda j, low, _: evolve(j.closing(low[0]), leaf_count=2),
            "lineage-changed",
        ),
        "another proof": (
            lambda j, low, _: evolve(j.closing(low[0]), proof="1" * 64),
            "lineage-changed",
        ),
        "the proof of another": (
            lambda j, low, _: evolve(j.closing(low[0]), proof=j.closing(low[1]).proof),
            "lineage-changed",
        ),
        "shown in another way": (
            lambda j, low, _: evolve(j.closing(low[0]), projection_version=2),
            "lineage-changed",
        ),
        "an overlap": (lambda j, low, _: j.closing(low[0]), "lineage-overlap"),
    }


def test_what_may_not_change_is_all_below_a_block():
    """Every block of its closure, their leaves, verdicts, and how they are shown."""
    journal, _, low, middle, top = tower()
    blocks = dict(journal.state().blocks)
    whole = proof_of(blocks, top)
    others = {"leaf_digest": "1" * 64, "projection_version": 2, "quality": None, "tier": 3}
    for name in (*low, *middle):
        for member, value in others.items():
            changed = {**blocks, name: evolve(blocks[name], **{member: value})}
            assert proof_of(changed, top) != whole, (name, member)
    assert proof_of({**blocks, low[0]: evolve(blocks[low[0]], topic="other")}, top) == whole


@pytest.mark.parametrize("version", [-1, 0, 2, 99])
def test_a_block_of_a_view_nobody_knows_is_not_shown(version):
    journal, ids = talk(2)
    made = journal.folding(ids[:4], projection_version=version)
    assert journal.tries(made).code == "lineage-projection-version"


@pytest.mark.parametrize("name", _closing_faults())
def test_closings_are_proved(name):
    journal, ids, low, _, top = tower()
    journal.open([top], "raw")
    if name == "an overlap":
        journal.fold(ids[0:8], "another summary")
    elif name == "what is shown":
        journal.close(top)
    make, code = _closing_faults()[name]
    assert journal.tries(make(journal, low, top)).code == code


def test_a_parent_may_not_take_a_child_another_parent_has():
    journal, _, low, middle, top = tower()
    journal.open([top])
    journal.open([middle[0]])
    journal.open([middle[1]])
    other = journal.lift(low[1:3], "another pair")
    assert journal.tries(journal.closing(middle[0])).code == "lineage-overlap"
    journal.open([other])
    assert journal.tries(journal.closing(middle[0])) is None


@pytest.mark.parametrize("depth", ["one", "raw"])
def test_no_automatism_opens_or_closes(depth):
    journal, *_, top = tower()
    assert journal.tries(journal.opening([top], depth), "automatic").code == "replay-needs-user"
    journal.open([top], depth)
    assert journal.tries(journal.closing(top), "automatic").code == "lineage-needs-user"


def test_a_closure_of_256_blocks_opens_and_one_of_257_does_not():
    log = LogBuilder()
    journal = Journal(log)
    ids = [log.assistant(f"message {n}") for n in range(257)]
    log.user("the newest question")
    cursor = Replay(journal.branch().tree)
    names = []

    def put(payload):
        # The replay is asked directly: 257 folds through the builder would be slow.
        made = transaction("S-1", "root", log.leaf, "user", payload)
        log.custom(TRANSACTION, encode(made))
        from kernel.sessions.pi_entries import Item

        entry = log.entries[-1]
        cursor.step(Item(entry["id"], entry["parentId"], entry, 0))
        assert cursor.state().fault is None, cursor.state().fault
        return payload

    for item in journal.branch().path:
        cursor.step(item)
    base = journal.folding(ids[:1])
    for name in ids[:256]:
        leaves = cursor.scope.leaf_digest([name])
        from kernel.projection.journal.codec import block_id

        bid = block_id("root", log.leaf, tier=1, leaf_digest=leaves, children=(), summary="s")
        put(evolve(base, block_id=bid, summary="s", source_ids=(name,), leaf_digest=leaves))
        names.append(bid)
    assert len(names) == 256

    def opening(roots):
        digests = [cursor.state().blocks[name].leaf_digest for name in roots]
        return Decompress("raw", roots, roots, digests)

    from kernel.projection.replaying.lineage import proof_of_decompress

    assert proof_of_decompress(cursor.ledger, opening(names)) is None
    leaves = cursor.scope.leaf_digest(ids[256:])
    bid = block_id("root", log.leaf, tier=1, leaf_digest=leaves, children=(), summary="s")
    put(evolve(base, block_id=bid, summary="s", source_ids=(ids[256],), leaf_digest=leaves))
    assert proof_of_decompress(cursor.ledger, opening([*names, bid])) == "lineage-closure-size"


# What no T1 takes, whoever planned it

SECRET = "the key is AKIA" + "ABCDEFGHIJKLMNOP"


def _hard():
    """Logs whose first message but one is what may not be folded, and the code of why."""

    def of(build, *, newest=True, answered=True):
        log = LogBuilder()
        log.user("first")
        build(log)
        if answered:
            log.assistant("done")
        if newest:
            log.user("the newest question")
        return log

    return {
        "nothing odd": (of(lambda log: log.turn(calls=[("read", {})])), None),
        "the newest question": (of(lambda log: log.user("and?"), newest=False), "newest-user"),
        "a newest note": (of(lambda log: log.custom_message("note"), newest=False), None),
        "a secret": (of(lambda log: log.user(SECRET)), "secret"),
        "a secret in a call": (
            of(lambda log: log.turn(calls=[("bash", {"command": SECRET})], results=["x"])),
            "secret",
        ),
        "a secret in a result": (
            of(lambda log: log.turn(calls=[("bash", {})], results=[SECRET])),
            "secret",
        ),
        "a picture": (of(lambda log: log.user("look", picture=True)), "binary"),
        "an open turn": (
            of(lambda log: log.turn(calls=[("read", {})]), answered=False),
            "unfinished-turn",
        ),
        "a question without an answer": (
            of(lambda log: log.user("so?"), answered=False),
            "unfinished-turn",
        ),
        "an answer that failed": (
            of(lambda log: log.turn(calls=[("read", {})]) and log.assistant("x", stop="error"),
               answered=False),
            "unfinished-turn",
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", _hard())
def test_what_no_setting_opens_no_transaction_folds(name):
    log, code = _hard()[name]
    journal = Journal(log)
    second = log.ids[1]
    branch = journal.branch()
    atoms = atoms_of(branch.sources)
    atom = next(one for one in atoms if one.first == 1)
    ids = [source.entry_id for source in branch.sources[atom.first : atom.last + 1]]
    assert ids[0] == second
    fault = journal.tries(journal.folding(ids))
    assert (fault and fault.code) == (code and f"lineage-{code}")
    # Replay is no stricter than the planner.
    bare = Config(protection=Protection(preserve_recent_atoms=0, preserve_recent_tokens=0))
    reasons = protect(branch.sources, atoms, bare).reasons
    assert (reasons[atom.index] is None) == (code is None)


def test_what_an_edit_took_out_is_no_reason_and_what_it_put_in_is():
    log = LogBuilder()
    held = log.user(SECRET)
    free = log.assistant("nothing")
    log.assistant("done")
    log.user("the newest question")
    log.edit(held, "the key is gone")
    log.edit(free, SECRET)
    journal = Journal(log)
    assert journal.tries(journal.folding([held])) is None
    assert journal.tries(journal.folding([free])).code == "lineage-secret"
    log.edit(log.ids[3], None)
    assert journal.tries(journal.folding([held])).code == "lineage-newest-user"


@given(logs())
@SETTINGS
def test_replay_is_never_stricter_than_protection(log):
    journal = Journal(log)
    branch = journal.branch()
    atoms = atoms_of(branch.sources)
    bare = Config(protection=Protection(preserve_recent_atoms=0, preserve_recent_tokens=0))
    for atom, reason in zip(atoms, protect(branch.sources, atoms, bare).reasons, strict=True):
        ids = [source.entry_id for source in branch.sources[atom.first : atom.last + 1]]
        fault = journal.tries(journal.folding(ids))
        if reason is None:
            assert fault is None, (atom, fault)
        elif reason in ("secret", "binary", "newest-user", "unfinished-turn"):
            assert fault is not None, (atom, reason)


@pytest.mark.parametrize("member", ["manifest_version", "evaluator_version"])
@pytest.mark.parametrize("version", [-3, 99])
def test_a_gate_nobody_knows_is_not_trusted(member, version):
    journal, ids = talk(2)
    made = journal.folding(ids[:4], quality=evolve(QUALITY, **{member: version}))
    assert journal.tries(made).code == "lineage-quality-version"


def test_only_the_leaves_of_a_new_block_are_read_for_content(monkeypatch):
    read = []
    real = facts_module.facts_of
    monkeypatch.setattr(
        facts_module,
        "facts_of",
        lambda source, *more: read.append(source.entry_id) or real(source, *more),
    )
    journal, ids = talk(6)
    journal.fold(ids[0:4])
    journal.fold(ids[4:8])
    branch = journal.branch()
    read.clear()
    replay(branch)
    assert set(ids[:8]) <= set(read)
    assert len(read) == len(set(read)) < 12
    replay(branch)
    assert len(read) == len(set(read))


# Cooling


def _cooling_faults():
    return {
        "no result": (lambda j, ids: j.cooling([ids[0]]), "cooling-no-result"),
        "no entry": (
            lambda j, ids: Cooling("sweep", [evolve(j.cooling([ids[2]]).results[0], entry_id="x")]),
            "cooling-not-visible",
        ),
        "another call": (lambda j, ids: j.cooling([ids[2]], call_id="z"), "cooling-identity"),
        "another tool": (lambda j, ids: j.cooling([ids[2]], tool="bash"), "cooling-identity"),
        "another digest": (lambda j, ids: j.cooling([ids[2]], digest="1" * 64), "cooling-digest"),
        "a cooled result": (lambda j, ids: j.cooling([ids[6]]), "cooling-twice"),
        "a covered result": (lambda j, ids: j.cooling([ids[10]]), "cooling-not-visible"),
        "an earlier resolution": (
            lambda j, ids: j.cooling([ids[2]], resolution=ids[0]),
            "cooling-resolution",
        ),
        "a resolution that is no result": (
            lambda j, ids: j.cooling([ids[2]], resolution=ids[3]),
            "cooling-resolution",
        ),
        "a weaker profile": (
            lambda j, ids: j.cooling([ids[2]], profile="unknown"),
            "cooling-profile",
        ),
        "nobody's profile": (lambda j, ids: j.cooling([ids[2]], profile="x"), "cooling-profile"),
        "too few answers": (
            lambda j, ids: j.cooling([ids[2]], observations=1),
            "cooling-unobserved",
        ),
        "more answers than were given": (
            lambda j, ids: j.cooling([ids[2]], observations=99),
            "cooling-unobserved",
        ),
    }


@pytest.mark.parametrize("name", _cooling_faults())
def test_cooled_results_are_proved(name):
    journal, ids = talk(4)
    again = journal.log.turn(calls=[("read", {"path": "0.py"})], results=["text 0"])[1]
    other = journal.log.turn(calls=[("read", {"path": "1.py"})], results=["text 1"])[1]
    journal.log.assistant("seen")
    journal.cool([ids[6]])
    journal.fold(ids[8:12])
    make, code = _cooling_faults()[name]
    assert journal.tries(make(journal, ids)).code == code
    assert journal.tries(journal.cooling([ids[2]], resolution=again)) is None
    assert journal.tries(journal.cooling([ids[2]], resolution=other)).code == "cooling-resolution"


def test_one_wrong_result_cools_none():
    journal, ids = talk(2)
    both = journal.cooling([ids[2], ids[6]])
    wrong = evolve(both, results=(both.results[0], evolve(both.results[1], digest="1" * 64)))
    journal.append(wrong)
    assert journal.state().cooled == {}
    assert journal.state().fault.code == "cooling-digest"


@pytest.mark.parametrize("mode", ["automatic", "sweep", "prune"])
@pytest.mark.parametrize("origin", ["automatic", "user", "model"])
def test_no_cooling_is_followed_that_no_settings_allow(mode, origin):
    """By the built-in rules of every tool: overrides can only be stricter."""
    log = LogBuilder()
    log.user("go")
    tools = ("read", "bash", "edit", "task", "aili_prune", "mine", "not a name")
    found = {tool: log.turn(calls=[(tool, {})], results=["text"])[1] for tool in tools}
    for number in range(4):
        log.assistant(f"answer {number}")
    log.user("the newest question")
    journal = Journal(log)
    for tool, result in found.items():
        for name, profile in PROFILES.items():
            cooling = journal.cooling([result], mode, profile=name)
            fault = journal.tries(cooling, origin)
            own = profile_of(tool)
            fits = own.name == "unknown" or profile.strictness >= own.strictness
            named = profile.cools == "by-itself" or (mode == "prune" and origin != "automatic")
            allowed = fits and named and profile.cools != "never" and tool != "not a name"
            assert (fault is None) == allowed, (tool, name)
            assert allowed or fault.code == "cooling-profile"


@pytest.mark.parametrize("mode", ["automatic", "prune"])
def test_errors_cool_only_with_a_success_of_the_same_call(mode):
    log = LogBuilder()
    log.user("go")
    error = log.turn(calls=[("read", {"path": "a"})], results=["no"], errors=(0,))[1]
    later = {
        "same": log.turn(calls=[("read", {"path": "a"})], results=["yes"])[1],
        "other arguments": log.turn(calls=[("read", {"path": "b"})], results=["yes"])[1],
        "other tool": log.turn(calls=[("grep", {"path": "a"})], results=["yes"])[1],
        "an error": log.turn(calls=[("read", {"path": "a"})], results=["no"], errors=(0,))[1],
    }
    later |= {"a reply": log.assistant("one"), "the call": log.ids[log.ids.index(error) - 1]}
    journal = Journal(log)

    def code(resolution, seen=5):
        made = journal.cooling([error], mode, resolution=resolution, observations=seen)
        fault = journal.tries(made, "automatic" if mode == "automatic" else "user")
        return fault and fault.code

    assert code(None) == "cooling-unresolved-error"
    assert code(later["same"]) is None
    assert code(later["same"], 4) == "cooling-unobserved"
    for name, entry in later.items():
        assert name == "same" or code(entry) == "cooling-resolution", name
    unseen = log.turn(calls=[("read", {"path": "a"})], results=["yes"])[1]
    assert code(unseen) == "cooling-resolution"


# Switches


def test_switches_are_what_was_said_last():
    journal, _ = talk(1)
    for action in ("off", "manual-on", "cache-panel-on", "on"):
        journal.switch(action)
    controls = journal.state().controls
    assert (controls.enabled, controls.manual, controls.cache_panel) == (True, True, True)
    for action in ("manual-off", "cache-panel-off", "off"):
        journal.switch(action)
    controls = journal.state().controls
    assert (controls.enabled, controls.manual, controls.cache_panel) == (False, False, False)
    assert controls.auto_cooling is None


@pytest.mark.parametrize("origin", ["model", "automatic"])
def test_only_the_user_switches(origin):
    journal, _ = talk(1)
    assert journal.tries(Control("restore-all"), origin).code == "replay-needs-user"


def test_restore_all_stands_above_every_automatism():
    journal, ids, low, middle, top = tower()
    journal.log.turn(calls=[("read", {})], results=["text"])
    result = journal.log.leaf
    for word in ("so", "then", "well"):
        journal.log.assistant(word)
    journal.cool([result])
    restored = journal.switch("restore-all")
    state = journal.state()
    assert statuses(journal, [*low, *middle, top]) == ["disabled"] * 7
    assert (state.cooled, state.parent) == ({}, {})
    assert (state.controls.auto_cooling, state.controls.restored) == (False, True)
    assert set(state.opened.values()) == {restored}
    fold, close = journal.folding(ids[0:4], "anew"), journal.closing(top)
    assert journal.tries(fold, "automatic").code == "replay-restored"
    assert journal.tries(close, "automatic").code == "lineage-needs-user"
    assert journal.tries(close, "model").code == "lineage-needs-user"
    assert journal.tries(fold, "model").code == "replay-restored"
    for mode, origin in (
        ("automatic", "automatic"),
        ("automatic", "user"),
        ("sweep", "automatic"),
        ("prune", "model"),
        ("sweep", "model"),
    ):
        assert journal.tries(journal.cooling([result], mode), origin).code == "replay-restored"
    assert journal.tries(journal.cooling([result])) is None
    assert journal.tries(fold, "user") is None
    journal.append(close)
    assert statuses(journal, [*low, *middle, top]) == ["covered"] * 6 + ["active"]


def test_switching_on_again_is_the_users_word_on_cooling():
    journal, _ = talk(1)
    for action in ("restore-all", "off", "on"):
        journal.switch(action)
    controls = journal.state().controls
    assert (controls.enabled, controls.auto_cooling, controls.restored) == (True, None, False)


# Epochs, forks, faults


def test_a_compaction_makes_what_was_query_only():
    journal, ids, low, _, top = tower()
    journal.switch("restore-all")
    journal.append(journal.closing(top))
    epoch = journal.log.compaction("all of it", keep=ids[12])
    state = journal.state()
    assert state.epoch == epoch
    assert set(state.status.values()) == {"query-only"}
    assert (state.parent, state.opened, state.active()) == ({}, {}, ())
    assert (state.controls.auto_cooling, state.controls.restored) == (False, False)
    for payload in (journal.opening([top]), journal.closing(top), journal.lifting(low[:2])):
        assert journal.tries(payload) is not None
    again = journal.fold(ids[12:16], "kept")
    assert statuses(journal, [top, again]) == ["query-only", "active"]
    assert journal.state().blocks[again].ref == "b000008"


def test_a_transaction_of_another_epoch_is_a_fault():
    journal, ids = talk(2)
    made = journal.made(journal.folding(ids[4:8]))
    journal.log.compaction("x", keep=ids[4])
    stale = transaction("S-1", "root", journal.log.leaf, "user", made.payload)
    journal.log.custom(TRANSACTION, encode(stale))
    assert journal.state().fault.code == "journal-digest"
    journal, ids = talk(2)
    journal.log.compaction("x", keep=ids[4])
    old = transaction("S-1", "root", journal.log.leaf, "user", Control("off"))
    journal.log.custom(TRANSACTION, encode(old))
    assert journal.state().fault.code == "replay-stale-epoch"


def test_an_entry_under_another_leaf_is_a_fault():
    journal, _ = talk(2)
    made = journal.made(Control("off"))
    journal.log.user("somebody was quicker")
    journal.log.custom(TRANSACTION, encode(made))
    assert journal.state().fault.code == "replay-stale-base"


def test_an_entry_of_another_session_is_a_fault():
    journal, _ = talk(1)
    foreign = transaction("S-9", "root", journal.log.leaf, "user", Control("off"))
    journal.log.custom(TRANSACTION, encode(foreign))
    assert journal.state().fault.code == "replay-foreign-session"


def test_a_fork_that_leaves_labels_out_keeps_its_blocks():
    journal, ids = talk(3)
    journal.log.label(ids[0])
    name = journal.fold(ids[0:4])
    journal.log.label(ids[1])
    other = journal.fold(ids[4:8])
    state = Journal(journal.log.fork(parent_session="old.jsonl")).state()
    assert state.fault is None
    assert [block.block_id for block in state.active()] == [name, other]
    orphan = journal.log.fork()
    assert Journal(orphan).state().fault.code == "replay-foreign-session"


def test_a_transaction_that_stands_twice_counts_once():
    journal, ids = talk(2)
    journal.fold(ids[0:4])
    before = journal.state()
    journal.log.custom(TRANSACTION, encode(journal.last))
    assert journal.state() == before


def test_branches_are_replayed_apart():
    journal, ids = talk(2)
    fork = journal.log.leaf
    one = journal.fold(ids[0:4], "one")
    journal.log.move(fork)
    other = journal.fold(ids[0:8], "other")
    assert list(journal.state().blocks) == [other]
    assert list(replay(journal.log.branch(journal.log.ids[-2])).blocks) == [one]


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        (TRANSACTION, {"version": 3}, "journal-schema"),
        (TRANSACTION, {"version": 4}, "journal-version"),
        ("aili.compact.tx.v4", {}, "journal-version"),
        ("aili.compact.repair.v2", {}, "journal-version"),
        ("aili.compact.repair.v1", {}, "repair-schema"),
        ("aili.compact.tx.v1", {"version": 1}, "legacy-schema"),
        ("aili.compact.tx.v2", {"version": 2, "kind": "merge"}, "legacy-schema"),
    ],
)
def test_an_entry_nobody_can_follow_stops_the_journal(name, data, code):
    journal, ids = talk(3)
    block = journal.fold(ids[0:4])
    bad = journal.log.custom(name, data)
    journal.append(journal.folding(ids[4:8]))
    journal.switch("off")
    state = journal.state()
    assert (state.fault.code, state.fault.entry_id) == (code, bad)
    assert list(state.blocks) == [block]
    assert state.controls.enabled
    journal.log.compaction("the end of it", keep=ids[8])
    assert journal.state().fault is None
    assert journal.state().status == {block: "query-only"}


def test_restore_all_leaves_a_fault_behind():
    journal, ids = talk(3)
    block = journal.fold(ids[0:4])
    journal.log.custom(TRANSACTION, None)
    journal.switch("restore-all")
    state = journal.state()
    assert state.fault is None
    assert state.status == {block: "query-only"}
    assert state.controls.auto_cooling is False
    assert journal.tries(journal.closing(block)).code == "lineage-not-decompressed"
    assert journal.tries(journal.folding(ids[0:4], "anew")) is None


def test_custom_entries_of_others_are_nothing_to_us():
    journal, _ = talk(1)
    before = journal.state()
    for name in ("aili.compactor", "demo", "aili.compact.note", 7, None):
        journal.log.custom(name, {"version": 9})
    assert journal.state() == before
