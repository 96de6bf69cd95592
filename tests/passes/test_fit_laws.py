"""What fitting keeps, drops and refuses (§5, D16)."""

import random

import capsule_chains as chains
import ops_reference as reference
import pytest
from attrs import evolve

import pcsf_lark
from pcsf_lark.emit import canonical
from pcsf_lark.emit.verbatim import verbatim
from pcsf_lark.model import Integrity
from pcsf_lark.passes.measure import bare_size, stamp_size
from pcsf_lark.source import Source
from pcsf_lark.spec import LIMIT


def texts(seed, count, **options):
    rng = random.Random(f"fit {seed}")
    return rng, [chains.text(rng, 5, over=True, **options) for _ in range(count)]


def outcome(text, **options):
    try:
        result = pcsf_lark.fit(text, **options)
    except pcsf_lark.Unfittable as error:
        return error.needed if error.needed == sum(error.obstacles.values()) else error.obstacles
    return result.text.decode(), [(r["step"], r["layer"], r["entry"]) for r in result.dropped]


@pytest.mark.parametrize("seed", range(8))
def test_it_is_as_a_plain_reading_of_the_specification_has_it(seed):
    rng, found = texts(seed, 80)
    for text in found:
        budget = rng.choice([LIMIT, rng.randint(140, LIMIT)])
        options = {"reserve": rng.choice([0, 0, 30]), "stamp": rng.random() < 0.3}
        try:
            expected = reference.fit(text, budget, **options)
        except reference.TooLong as error:
            expected = error.args[0] + options["reserve"]
        assert outcome(text, budget=budget, **options) == expected


@pytest.mark.parametrize("seed", range(4))
def test_what_fits_stands_and_fits_again(seed):
    rng, found = texts(f"again {seed}", 80)
    for text in found:
        budget = rng.randint(300, LIMIT)
        stamp = rng.random() < 0.5
        needed = outcome(text, budget=budget, stamp=stamp)
        if isinstance(needed, int):
            assert needed > budget
            continue
        result = pcsf_lark.fit(text, budget=budget, stamp=stamp)
        assert len(result.text) <= budget
        assert pcsf_lark.conformant(result.text)
        again = pcsf_lark.fit(result.capsule, budget=budget, stamp=stamp)
        assert (again.capsule, again.dropped) == (result.capsule, ())
        assert pcsf_lark.fit(result.text, budget=budget, stamp=stamp).text == result.text


@pytest.mark.parametrize("seed", range(4))
def test_a_smaller_budget_drops_the_same_and_then_more(seed):
    _, found = texts(f"budgets {seed}", 12)
    for text in found:
        dropped = None
        for budget in range(LIMIT, 100, -37):
            now = outcome(text, budget=budget)
            if isinstance(now, int):
                assert isinstance(outcome(text, budget=budget - 37), int)
                break
            if dropped is not None:
                assert now[1][: len(dropped)] == dropped
            dropped = now[1]


def test_sizes_are_computed_as_they_are_written():
    for seed in range(3):
        for text in texts(f"sizes {seed}", 60)[1]:
            capsule = pcsf_lark.operations.fittable(Source.of(text))
            assert verbatim(capsule) == text.encode()
            bare = len(canonical(evolve(capsule, integrity=None)))
            assert bare_size(capsule) == bare
            stamped = canonical(evolve(capsule, integrity=Integrity("", "")))
            assert bare + stamp_size(bare) == len(stamped)


BASE = chains.text(random.Random("base"), 5, chained=False)


def test_no_budget_passes_the_limit():
    found = texts("limit", 60)[1]
    text = max(found, key=lambda t: len(t) if isinstance(outcome(t), tuple) else 0)
    assert len(text) > LIMIT
    assert outcome(text, budget=10**6) == outcome(text)


@pytest.mark.parametrize("budget", [0, -1, 1])
def test_no_room_at_all_is_unfittable(budget):
    with pytest.raises(pcsf_lark.Unfittable) as caught:
        pcsf_lark.fit(BASE, budget=budget)
    assert caught.value.budget == budget


def test_a_negative_reserve_is_a_mistake():
    with pytest.raises(ValueError, match="reserve"):
        pcsf_lark.fit(BASE, reserve=-1)


def test_unfittable_says_what_stands_in_the_way():
    with pytest.raises(pcsf_lark.PcsfError) as caught:
        pcsf_lark.fit(BASE, budget=150, reserve=20, stamp=True)
    error = caught.value
    assert {"frame", "META", "SEED", "INTEGRITY", "reserve"} <= error.obstacles.keys()
    assert error.obstacles["reserve"] == 20
    message = str(error)
    assert f"needs {error.needed:,} bytes of 150" in message
    for name, size in error.obstacles.items():
        assert f"{name} {size:,}" in message
