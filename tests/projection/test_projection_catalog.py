"""The catalog: maximal safe ranges under one id, matched exactly or not at all."""

from itertools import pairwise

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_logs import LogBuilder, chat_log, logs, random_log

from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.log.digests import leaf_digest
from kernel.projection.model import Block, CooledResult, Fault, State, message_ref
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.planning.catalog import (
    Catalog,
    catalog_of,
    is_current,
    match,
    match_blocks,
    match_span,
)
from kernel.projection.planning.facts import FactsMemory, facts_of
from kernel.projection.planning.promotions import promotions
from kernel.projection.planning.protection import protect
from kernel.projection.planning.ranges import SafeRange
from kernel.projection.settings.config import Config, Protection, Restill, Tiers

MISMATCH = "source-summary-scope-mismatch"
SMALL = Config(protection=Protection(preserve_recent_atoms=2, preserve_recent_tokens=0))
READ = ("read", {"path": "a.py"})


def talk(turns=5):
    """Turns of question, call, result and answer; the third question shows a picture."""
    log = LogBuilder()
    for number in range(turns):
        log.user(f"question {number}", picture=number == 2)
        log.turn(calls=[READ], results=[f"result {number}"])
        log.assistant(f"answer {number}")
    return log


def catalog(log, config=SMALL, state=None):
    branch = log.branch()
    return catalog_of(branch, state or State(branch.epoch), config)


def spans(found):
    return [(one.start_ref, one.end_ref) for one in found.ranges]


def code(found):
    assert isinstance(found, Refusal)
    return found.code


def block(number, source_ids, tier=1, **more):
    given = {
        "block_id": f"blk_{number}",
        "number": number,
        "version": 3,
        "tier": tier,
        "restill": False,
        "epoch": "root",
        "entry_id": f"e{number}",
        "tx_id": f"t{number}",
        "mode": "range",
        "topic": "t",
        "summary": "it was done " * 10,
        "source_ids": source_ids,
        "children": (),
        "leaf_digest": "d",
        "turn": number,
    }
    return Block(**{**given, **more})


def state_of(blocks, status=()):
    return State(
        "root",
        blocks={one.block_id: one for one in blocks},
        status={one.block_id: dict(status).get(one.number, "active") for one in blocks},
    )


def blocks_on(branch, cuts, tier=1, **more):
    """One block for each pair of neighbouring cuts, over the sources between them."""
    names = [source.entry_id for source in branch.sources]
    pairs = pairwise(cuts)
    return [block(n, names[a:b], tier, **more) for n, (a, b) in enumerate(pairs)]


# Ranges


def test_ranges_are_the_maximal_runs_around_what_is_protected():
    found = catalog(talk())
    # The picture is source 9; the newest question is source 17, the tail begins behind it.
    assert spans(found) == [("m000001", "m000008"), ("m000010", "m000016")]
    assert found.exclusions == {"binary": 1, "newest-user": 1, "recent-atoms": 2}
    assert [one.atoms for one in found.ranges] == [6, 5]
    assert found.size == 20


def test_a_range_says_exactly_what_it_is():
    log = talk()
    branch = log.branch()
    one = catalog(log).ranges[1]
    members = branch.sources[9:16]
    assert one.source_ids == tuple(source.entry_id for source in members)
    assert one.refs == tuple(source.ref for source in members)
    assert one.source_digest == leaf_digest((s.entry_id, s.digest) for s in members)
    assert one.estimated == sum(facts_of(source).tokens for source in members)
    assert 0 < one.tokens.lower < one.estimated < one.tokens.upper
    assert one.scope_digest == catalog(log).ranges[0].scope_digest
    assert is_current(one, branch)


@given(logs(), st.integers(0, 8), st.sampled_from([0, 50, 12000]))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_ranges_and_exclusions_are_all_there_is(log, recent, tokens):
    branch = log.branch()
    config = Config(
        protection=Protection(preserve_recent_atoms=recent, preserve_recent_tokens=tokens)
    )
    found = catalog_of(branch, State(branch.epoch), config)
    atoms = atoms_of(branch.sources)
    safe = protect(branch.sources, atoms, config)
    inside = {index for one in found.ranges for index in range(one.first, one.last + 1)}
    for atom in atoms:
        members = set(range(atom.first, atom.last + 1))
        assert members <= inside if safe.is_safe(atom.index) else not members & inside
    for left, right in pairwise(found.ranges):
        assert left.last + 1 < right.first
    assert sum(one.atoms for one in found.ranges) + sum(found.exclusions.values()) == len(atoms)


def test_behind_a_fault_nothing_is_recommended():
    log = talk()
    state = State("root", fault=Fault("bad-entry", "e", "why"))
    found = catalog(log, state=state)
    assert (found.ranges, found.blocks) == ((), ())
    assert found.exclusions == {"fault": len(atoms_of(log.branch().sources))}


def test_a_cooled_body_counts_for_nothing():
    log = LogBuilder()
    log.user("read it")
    _, answer = log.turn(calls=[READ], results=["xy" * 30_000])
    for _ in range(3):
        log.assistant("well")
    log.user("newest")
    log.assistant("well")
    branch = log.branch()
    raw = catalog(log).ranges[0]
    cold = CooledResult(answer, "c", "read", "retrieval", branch.sources[2].digest, 2)
    cooled = catalog(log, state=State("root", cooled={answer: cold})).ranges[0]
    assert raw.tokens.lower > 7000
    assert cooled.tokens.lower < 100
    assert cooled.estimated < 200 < raw.estimated
    assert cooled.source_digest == raw.source_digest


def test_what_is_known_already_gives_the_same_catalog():
    branch = random_log(5, steps=60).branch()
    state = State(branch.epoch)
    facts = FactsMemory().of(branch.sources)
    atoms = atoms_of(branch.sources, facts)
    safe = protect(branch.sources, atoms, SMALL, facts=facts)
    given = catalog_of(branch, state, SMALL, facts=facts, atoms=atoms, protected=safe)
    assert given == catalog_of(branch, state, SMALL)


# The id


def test_equal_branches_have_equal_catalogs():
    assert catalog(talk()) == catalog(talk())


@pytest.mark.parametrize(
    "change",
    [
        lambda log: log.user("one more"),
        lambda log: log.edit(log.ids[1], "shorter"),
        lambda log: log.edit(log.ids[0]),
        lambda log: log.turn(calls=[READ], results=["more"]),
        lambda log: log.compaction("all", keep=log.ids[4]),
        lambda log: log.move(log.ids[-2]),
    ],
)
def test_a_change_of_the_branch_changes_the_id(change):
    log = talk()
    before = catalog(log)
    change(log)
    branch = log.branch(log.leaf)
    after = catalog_of(branch, State(branch.epoch), SMALL)
    assert after.catalog_id != before.catalog_id
    assert code(match(after, before.catalog_id, before.ranges[0].refs)) == "stale-catalog"


@pytest.mark.parametrize(
    "state",
    [
        State("root", transactions=("tx_1",)),
        State("root", repaired=frozenset({"e1"})),
        State("root", fault=Fault("bad-entry", "e", "why")),
    ],
)
def test_a_change_of_the_state_changes_the_id(state):
    assert catalog(talk(), state=state).catalog_id != catalog(talk()).catalog_id


def test_another_session_or_estimator_has_another_id():
    plain = catalog(talk())
    other = LogBuilder("S-9")
    other.entries, other.leaf = talk().entries, talk().leaf
    assert catalog(other).catalog_id != plain.catalog_id
    known = catalog(talk(), evolve(SMALL, provider="anthropic"))
    assert known.catalog_id != plain.catalog_id
    assert spans(known) == spans(plain)


def test_entries_no_model_sees_change_nothing():
    log = talk()
    before = catalog(log)
    log.label(log.ids[0])
    log.custom("demo-ext", {"n": 1})
    log.model_change()
    assert catalog(log) == before


def test_our_own_calls_leave_the_catalog_as_it_was_read():
    log = talk()
    before = catalog(log)
    log.turn(calls=[("aili_compact_status", {})], results=['{"catalogId":"…"}'])
    read = catalog(log)
    assert read.catalog_id == before.catalog_id
    log.turn(calls=[("aili_compact", {"catalogId": read.catalog_id})], results=[])
    acting = catalog(log)
    assert acting.catalog_id == before.catalog_id
    one = before.ranges[0]
    assert match(acting, before.catalog_id, one.refs) == one
    log.user("something else")
    assert catalog(log).catalog_id != before.catalog_id


# Matching


@pytest.fixture(scope="module")
def published():
    return catalog(talk())


def test_every_recommendation_matches_itself(published):
    for one in published.ranges:
        assert match(published, published.catalog_id, one.refs) == one
        assert match(published, published.catalog_id, one.refs[::-1]) == one
        assert match_span(published, published.catalog_id, one.start_ref, one.end_ref) == one


def test_every_other_span_is_refused(published):
    exact = set(spans(published))
    names = [message_ref(index) for index in range(published.size)]
    for first in range(len(names)):
        for last in range(len(names)):
            found = match_span(published, published.catalog_id, names[first], names[last])
            if (names[first], names[last]) in exact:
                assert isinstance(found, SafeRange)
            else:
                assert code(found) == MISMATCH


@pytest.mark.parametrize(
    ("start", "end", "why"),
    [
        ("m000001", "m000009", "wider"),
        ("m000001", "m000007", "narrower"),
        ("m000002", "m000008", "narrower"),
        ("m000001", "m000016", "crosses"),
        ("m000010", "m000020", "wider"),
        ("m000009", "m000009", "protected"),
        ("m000008", "m000001", "ends before"),
    ],
)
def test_a_mismatch_says_how_it_differs(published, start, end, why):
    found = match_span(published, published.catalog_id, start, end)
    assert code(found) == MISMATCH
    assert why in found.message
    meant = {ref for span in spans(published) for ref in span}
    assert set(found.refs) <= meant


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda refs: refs[1:], MISMATCH),
        (lambda refs: refs[:-1], MISMATCH),
        (lambda refs: [*refs[:3], *refs[4:]], MISMATCH),
        (lambda refs: [*refs, "m000009"], MISMATCH),
        (lambda refs: [*refs, "m000010"], MISMATCH),
        (lambda refs: [*refs, refs[0]], "duplicate-ref"),
        (lambda refs: [*refs, "m000099"], "unknown-ref"),
        (lambda refs: [*refs, "m000000"], "unknown-ref"),
        (lambda refs: [*refs[:-1], "m8"], "unknown-ref"),
        (lambda refs: [*refs[:-1], "m0000008"], "unknown-ref"),
        (lambda refs: [*refs, "b000001"], "unknown-ref"),
        (lambda refs: [*refs[:-1], "m00000٨"], "unknown-ref"),
        (lambda _refs: [], "unknown-ref"),
    ],
)
def test_a_set_must_be_the_range_exactly(published, change, expected):
    refs = change(list(published.ranges[0].refs))
    assert code(match(published, published.catalog_id, refs)) == expected


def test_another_catalog_is_stale_whatever_it_names(published):
    one = published.ranges[0]
    for name in ("", "cat_0", published.catalog_id.upper()):
        assert code(match(published, name, one.refs)) == "stale-catalog"
        assert code(match_span(published, name, one.start_ref, one.end_ref)) == "stale-catalog"


def test_a_changed_source_is_not_current():
    log = talk()
    one = catalog(log).ranges[0]
    log.entries[0]["message"]["content"] = "another question"
    assert not is_current(one, log.branch())
    assert catalog(log).ranges[0].source_digest != one.source_digest
    assert catalog(log).catalog_id != catalog(talk()).catalog_id


# Blocks


def promoted(branch, blocks, config=SMALL, status=()):
    found, left = promotions(branch, state_of(blocks, status), config)
    return [(one.tier, one.restill, one.refs) for one in found], dict(left)


def test_neighbours_of_one_tier_are_a_set():
    branch = talk(10).branch()
    blocks = blocks_on(branch, [0, 4, 8, 12])
    assert promoted(branch, blocks) == ([(2, False, ("b000001", "b000002", "b000003"))], {})
    seconds = blocks_on(branch, [0, 4, 8], tier=2)
    assert promoted(branch, seconds) == ([(3, False, ("b000001", "b000002"))], {})


@pytest.mark.parametrize(
    ("change", "sets", "left"),
    [
        (lambda b: [b[0], b[2]], [], {"no-neighbour": 2}),
        (lambda b: [b[0], evolve(b[1], tier=2), b[2]], [], {"no-neighbour": 3}),
        (
            lambda b: [evolve(b[0], version=2), *b[1:]],
            [("b000002", "b000003")],
            {"legacy-child": 1},
        ),
        (lambda b: [evolve(b[0], version=1), b[1]], [], {"legacy-child": 1, "no-neighbour": 1}),
        (lambda b: b[::-1], [("b000001", "b000002", "b000003")], {}),
        (lambda _b: [], [], {}),
    ],
)
def test_what_is_no_set_is_counted(change, sets, left):
    branch = talk(10).branch()
    found, counted = promoted(branch, change(blocks_on(branch, [0, 4, 8, 12])))
    assert [refs for _, _, refs in found] == sets
    assert counted == left


def test_blocks_that_are_not_shown_are_in_no_set():
    branch = talk(10).branch()
    blocks = blocks_on(branch, [0, 4, 8, 12])
    for other in ("covered", "decompressed", "disabled", "query-only"):
        assert promoted(branch, blocks, status={1: other}) == ([], {"no-neighbour": 2})


def test_a_message_between_blocks_parts_them():
    branch = talk(10).branch()
    names = [source.entry_id for source in branch.sources]
    blocks = [block(0, names[:4]), block(1, names[5:8])]
    assert promoted(branch, blocks) == ([], {"no-neighbour": 2})


@pytest.mark.parametrize(
    ("count", "sizes"), [(2, [2]), (16, [16]), (17, [15, 2]), (18, [16, 2]), (33, [16, 15, 2])]
)
def test_long_runs_are_cut_into_sets_of_at_most_sixteen(count, sizes):
    branch = talk(40).branch()
    found, left = promoted(branch, blocks_on(branch, range(0, 2 * count + 1, 2)))
    assert [len(refs) for _, _, refs in found] == sizes
    assert left == {}


def test_tiers_switched_off_recommend_nothing():
    branch = talk(10).branch()
    blocks = blocks_on(branch, [0, 4, 8])
    config = evolve(SMALL, tiers=Tiers(enabled=False))
    assert promoted(branch, blocks, config) == ([], {"tiers-disabled": 2})


@pytest.mark.parametrize(
    ("rules", "more", "left"),
    [
        ({}, {}, {}),
        ({"enabled": False}, {}, {"restill-disabled": 2}),
        ({"min_children": 3}, {}, {"restill-min-children": 2}),
        ({}, {"summary": "short"}, {"restill-min-source-tokens": 2}),
        ({}, {"turn": 13}, {"restill-min-turns-since-create": 2}),
    ],
)
def test_a_restill_needs_its_thresholds(rules, more, left):
    branch = talk(10).branch()
    assert branch.settled[-1] == 20
    given = {"summary": "it was done and tested; " * 2000, "turn": 12, **more}
    blocks = blocks_on(branch, [0, 4, 8], tier=3, **given)
    config = evolve(SMALL, tiers=Tiers(restill=evolve(Restill(), **rules)))
    found, counted = promoted(branch, blocks, config)
    assert counted == left
    assert found == ([] if left else [(3, True, ("b000001", "b000002"))])


def test_a_set_says_what_it_is():
    branch = talk(10).branch()
    blocks = blocks_on(branch, [0, 4, 8])
    found = catalog_of(branch, state_of(blocks), SMALL)
    one = found.blocks[0]
    assert one.block_ids == ("blk_0", "blk_1")
    assert one.source_ids == tuple(source.entry_id for source in branch.sources[:8])
    assert one.source_digest == leaf_digest((s.entry_id, s.digest) for s in branch.sources[:8])
    assert one.turns == 20 - 1
    assert 0 < one.tokens.lower < one.tokens.upper
    assert found.ranges[0].start_ref == "m000010"
    assert found.exclusions["covered"] == 6


@pytest.mark.parametrize(
    ("refs", "status", "expected"),
    [
        (("b000001", "b000002"), {}, None),
        (("b000003", "b000002", "b000001"), {}, None),
        (("b000001",), {}, "children-count"),
        ((), {}, "children-count"),
        (tuple(f"b{n:06d}" for n in range(1, 18)), {}, "children-count"),
        (("b000001", "b000001"), {}, "duplicate-ref"),
        (("b000001", "b000099"), {}, "unknown-ref"),
        (("b000001", "m000001"), {}, "unknown-ref"),
        (("b000001", "b000003"), {}, "children-not-contiguous"),
        (("b000001", "b000002"), {1: "decompressed"}, "block-not-active"),
        (("b000001", "b000002"), {1: "covered"}, "block-not-active"),
        (("b000001", "b000002"), {0: "query-only"}, "epoch-query-only"),
        (("b000003", "b000004"), {}, "children-tier-mismatch"),
        (("b000004", "b000005"), {}, "legacy-child"),
    ],
)
def test_block_refs_are_a_set_or_refused(refs, status, expected):
    branch = talk(10).branch()
    blocks = blocks_on(branch, [0, 4, 8, 12, 16, 20])
    blocks[3:] = [evolve(blocks[3], tier=2), evolve(blocks[4], version=2)]
    state = state_of(blocks, status)
    published = catalog_of(branch, state, SMALL)
    known = {"branch": branch, "state": state, "config": SMALL}
    found = match_blocks(published, published.catalog_id, refs, **known)
    if expected is None:
        assert found.refs == tuple(sorted(refs))
    else:
        assert code(found) == expected
    assert code(match_blocks(published, "cat_0", refs, **known)) == "stale-catalog"


# Work


def test_a_long_branch_is_catalogued_by_reading_each_source_a_few_times():
    reads = []

    class Counting(tuple):
        __slots__ = ()

        def __getitem__(self, key):
            reads.append(1 if isinstance(key, int) else len(range(*key.indices(len(self)))))
            return super().__getitem__(key)

    branch = chat_log(4000).branch()
    facts = Counting(facts_of(source) for source in branch.sources)
    found = catalog_of(branch, State(branch.epoch), Config(context_window=200_000), facts=facts)
    assert isinstance(found, Catalog)
    assert found.ranges[0].first == 0
    assert sum(reads) <= 6 * len(facts)
