"""What holds at every hop of every chain (§7.5)."""

import random
from collections import Counter

import capsule_chains as chains
import ops_reference as reference
import pytest
from attrs import evolve

import pcsf_lark
from pcsf_lark.passes.identity import identity
from pcsf_lark.spec import DEPTHS, LAYERS, LIMIT

#: Batches of short chains, at most 12 hops each, and long ones of 200: 2,000 chains in all.
BATCHES, IN_BATCH, LONG, LONG_HOPS = 20, 99, 20, 200


def entries(capsule):
    return Counter((key, entry.line) for key, rows in capsule.layers for entry in rows)


def rows(log):
    return Counter((row["layer"], row["entry"]) for row in log)


def check_hop(old, new, result):
    """Every law that one hop can break."""
    capsule = result.capsule
    assert len(result.text) <= LIMIT
    assert pcsf_lark.conformant(result.text)
    assert pcsf_lark.parse(result.text) == capsule
    assert capsule.size == len(result.text)
    assert (capsule.version, capsule.layout, capsule.final_lf) == ("v1.2", "spaced", True)
    for layer in LAYERS:
        kept = getattr(capsule, layer.attribute)
        assert len(kept) <= layer.cap
        assert len({identity(layer.key)(entry) for entry in kept}) == len(kept)
    assert int(capsule.chain.hops) == (int(old.chain.hops) if old.chain else 0) + 1
    assert capsule.chain.origin == (old.chain.origin if old.chain else old.meta.timestamp)
    assert capsule.seed == new.seed
    meta = capsule.meta
    assert (meta.topic, meta.domain, meta.timestamp) == (
        new.meta.topic, new.meta.domain, new.meta.timestamp,
    )  # fmt: skip
    depths = [DEPTHS.index(c.meta.depth) for c in (old, new, capsule)]
    assert depths[2] == max(depths[:2])
    assert entries(old) + entries(new) == entries(capsule) + rows(result.log)
    assert all(row["freed"] == len(row["entry"]) + 1 for row in result.log)
    check_order(capsule, result.log)


def check_order(capsule, log):
    """Steps come in order, and a HIGH loop goes only when all before it is gone (§5)."""
    steps = [row["step"] for row in log]
    order = ["merge", "cap", "skeleton", 1, 2, 3, 4, 5, 6]
    assert steps == sorted(steps, key=order.index)
    left = [loop.priority for loop in capsule.loops]
    if 2 in steps or 3 in steps:
        assert "LOW" not in left
    if 5 in steps or 6 in steps:
        assert not capsule.internal
        assert set(left) <= {"HIGH"}
    if 6 in steps:
        assert not capsule.negative
        assert len({entry.dimension for entry in capsule.relation}) <= 2


def parse_line(line):
    return pcsf_lark.SkeletonEntry(*line.split(" | "))


def attempt(old, new, **options):
    """The result, or None where there is none; what is told then must be true."""
    try:
        return pcsf_lark.stitch(old, new, **options)
    except pcsf_lark.Unfittable as error:
        told = error
    assert told.needed > LIMIT == told.budget
    assert told.needed == sum(told.obstacles.values())
    return None


def walk(rng, hops):
    """Stitch a chain, sessions that cannot fit left out; how many hops there were."""
    first, *later = [pcsf_lark.parse(text) for text in chains.chain(rng, hops)]
    capsule, done = first, 0
    for new in later:
        result = attempt(capsule, new)
        if result is None:
            continue
        check_hop(capsule, new, result)
        capsule, done = result.capsule, done + 1
    if done:
        before = int(first.chain.hops) if first.chain else 0
        assert int(capsule.chain.hops) == before + done
        assert capsule.chain.origin == (first.chain or first.meta).values[-1]
    return done


@pytest.mark.parametrize("batch", range(BATCHES))
def test_short_chains(batch):
    rng = random.Random(f"short {batch}")
    done = sum(walk(rng, rng.choice([1, 1, 1, 2, 2, 3, 4, 12])) for _ in range(IN_BATCH))
    assert done > IN_BATCH


@pytest.mark.parametrize("number", range(LONG))
def test_long_chains(number):
    assert walk(random.Random(f"long {number}"), LONG_HOPS) > LONG_HOPS // 2


def told(result):
    """A result in the shape of the reference's."""
    if isinstance(result, tuple):
        return result
    return result.text.decode(), [(row["step"], row["layer"], row["entry"]) for row in result.log]


@pytest.mark.parametrize("seed", range(8))
def test_it_is_as_a_plain_reading_of_the_specification_has_it(seed):
    rng = random.Random(f"reference {seed}")
    for _ in range(60):
        old, new = chains.text(rng, 5), chains.text(rng, rng.choice([4, 5, 6]))
        options = {"stamp": rng.random() < 0.3, "keep_skeleton": rng.random() < 0.3}
        outcomes = []
        for stitch, failure in (
            (pcsf_lark.stitch, pcsf_lark.Unfittable),
            (reference.stitch, reference.TooLong),
        ):
            try:
                outcomes.append(told(stitch(old, new, **options)))
            except failure as error:
                outcomes.append(error.args[0])
        assert outcomes[0] == outcomes[1]


def test_the_same_inputs_give_the_same_result():
    rng = random.Random("twice")
    for _ in range(60):
        old, new = chains.text(rng, 5), chains.text(rng, 6)
        assert attempt(old, new) == attempt(pcsf_lark.parse(old), pcsf_lark.parse(new))


@pytest.mark.parametrize("seed", range(4))
def test_with_itself_a_capsule_keeps_its_threads(seed):
    rng = random.Random(f"itself {seed}")
    tried = 0
    for _ in range(60):
        capsule = pcsf_lark.parse(chains.text(rng, 5))
        result = attempt(capsule, capsule)
        if result and all(row["step"] == "merge" for row in result.log):
            tried += 1
            for layer in LAYERS:
                key = identity(layer.key)
                before = [key(entry) for entry in getattr(capsule, layer.attribute)]
                after = [key(entry) for entry in getattr(result.capsule, layer.attribute)]
                assert after == list(dict.fromkeys(before))
    assert tried > 20


def test_keeping_the_skeleton_changes_nothing_where_no_node_had_to_go():
    rng = random.Random("skeleton")
    gone = 0
    for _ in range(200):
        old, new = chains.text(rng, 5), chains.text(rng, 6)
        result = attempt(old, new)
        if result is None:
            continue
        lost = [row for row in result.log if row["step"] == "skeleton"]
        if not lost:
            assert pcsf_lark.stitch(old, new, keep_skeleton=True) == result
            continue
        gone += 1
        with pytest.raises(pcsf_lark.Unfittable):
            pcsf_lark.stitch(old, new, keep_skeleton=True)
        # One node fewer given up would have been too few.
        back = parse_line(lost[-1]["entry"])
        heavier = evolve(result.capsule, skeleton=(back, *result.capsule.skeleton))
        with pytest.raises(pcsf_lark.Unfittable):
            pcsf_lark.fit(heavier)
    assert gone
