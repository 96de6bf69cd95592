"""The verbs on capsules given by programs: what is taken, and what is refused."""

import pytest
from attrs import evolve

import pcsf_lark
from pcsf_lark.model import (
    Chain,
    Integrity,
    InternalEntry,
    LoopEntry,
    Meta,
    NegativeEntry,
    RelationEntry,
    Seed,
    SkeletonEntry,
)
from pcsf_lark.rules._rule import BASE, STAMP
from pcsf_lark.spec import LIMIT, READ_LIMIT

CAPSULE = pcsf_lark.parse(BASE)
CHAIN = "CHAIN: hops=1 origin=2026-05-01T08:00Z\n"
STAMPED = BASE.replace(CHAIN, CHAIN + STAMP)
STALE = STAMPED.replace("short answers", "long answers!")
COMPACT = BASE[: BASE.index("L1:")] + BASE[BASE.index("L1:") :].replace("\n\n", "\n")
LATER = BASE.replace("2026-05-04", "2026-05-05").replace(CHAIN, "")

#: Trees that no conformant text can hold, and the code that says why.
IMPOSSIBLE = [
    ("C9", {"seed": Seed("two\nlines")}),
    ("C9", {"seed": Seed("One. Two.")}),
    ("C9", {"seed": Seed("a | b")}),
    ("C1", {"seed": Seed("caf\u00e9")}),
    ("C1", {"seed": Seed("lone \udc80 surrogate")}),
    ("C4", {"meta": Meta("topic", "domain", "DEEPER", "2026-05-04T09:30Z")}),
    ("C4", {"meta": Meta("topic", "domain", "DEEP", "2026-02-30T09:30Z")}),
    ("C4", {"meta": Meta("to\npic", "domain", "DEEP", "2026-05-04T09:30Z")}),
    ("C12", {"chain": Chain("one", "2026-05-01T08:00Z")}),
    ("C12", {"chain": Chain("1", "yesterday")}),
    ("C7", {"skeleton": (SkeletonEntry("CHOISE", "fact", "reason"),)}),
    ("C8", {"skeleton": (SkeletonEntry("CHOICE", "fact | more", "reason"),)}),
    ("C8", {"negative": (NegativeEntry("", "reason", "lesson"),)}),
    ("C8", {"negative": (NegativeEntry(" edge", "reason", "lesson"),)}),
    ("C7", {"internal": (InternalEntry("DIRECTION: I", "content"),)}),
    ("C7", {"relation": (RelationEntry("STYLE: a", "state"),)}),
    ("C7", {"relation": (RelationEntry("STYLE", "state\nTRUST: smuggled"),)}),
    ("C7", {"loops": (LoopEntry("PROMISE", "description", "URGENT"),)}),
    ("C7", {"loops": (LoopEntry("PROMISE", "a | HIGH\nPROMISE | b", "LOW"),)}),
    ("C6", {"relation": tuple(RelationEntry(name, "s") for name in "ABCDEF")}),
    ("C3", {"version": "v9"}),
    ("C3", {"version": "v1===\n===PCSF:v1"}),
]
VERBS = {
    "fit": pcsf_lark.fit,
    "stamp": pcsf_lark.stamp,
    "unstamp": pcsf_lark.unstamp,
    "stitch as older": lambda capsule: pcsf_lark.stitch(capsule, CAPSULE),
    "stitch as newer": lambda capsule: pcsf_lark.stitch(CAPSULE, capsule),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("code", "change"), IMPOSSIBLE)
def test_a_tree_that_cannot_stand_is_refused(verb, code, change):
    with pytest.raises(pcsf_lark.CapsuleError) as caught:
        VERBS[verb](evolve(CAPSULE, **change))
    assert code in {finding.code for finding in caught.value.diagnostics}


#: What is wrong with a tree beyond the reading limit cannot be told: fitting may not forgive it.
FAR_TOO_LONG = [
    {"loops": tuple(LoopEntry("PROMISE", f"loop {at}", "LOW") for at in range(4000))},
    {"loops": (LoopEntry("NEVER", "a" * READ_LIMIT, "LOW"),)},
    {"loops": (LoopEntry("PROMISE", "a" * READ_LIMIT + "\nSEED: b", "LOW"),)},
    {"relation": (RelationEntry("STYLE", "a" * READ_LIMIT),)},
]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("change", FAR_TOO_LONG, ids=range(len(FAR_TOO_LONG)))
def test_a_tree_beyond_the_reading_limit_is_refused_like_its_text(verb, change):
    with pytest.raises(pcsf_lark.CapsuleError):
        VERBS[verb](evolve(CAPSULE, **change))


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("text", ["", "no capsule", BASE.replace("HIGH", "URGENT"), BASE + "\n"])
def test_text_that_is_no_capsule_is_refused(verb, text):
    with pytest.raises(pcsf_lark.CapsuleError):
        VERBS[verb](text)


@pytest.mark.parametrize("verb", VERBS)
def test_text_bytes_and_tree_are_taken_alike(verb):
    results = [VERBS[verb](given) for given in (BASE, BASE.encode(), CAPSULE)]
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("verb", ["stamp", "unstamp", "stitch as older", "stitch as newer"])
def test_a_stamp_that_does_not_match_is_refused(verb):
    with pytest.raises(pcsf_lark.CapsuleError) as caught:
        VERBS[verb](STALE)
    assert {finding.code for finding in caught.value.diagnostics} == {"C11"}


def test_fitting_drops_a_stamp_that_does_not_match():
    result = pcsf_lark.fit(STALE)
    assert result.text.decode() == STALE.replace(STAMP, "")
    assert [(row["step"], row["layer"], row["entry"]) for row in result.dropped] == [
        (0, "INTEGRITY", STAMP.rstrip("\n"))
    ]
    assert result.dropped[0]["freed"] == len(STAMP)
    stamped = pcsf_lark.fit(STALE, stamp=True)
    assert pcsf_lark.conformant(stamped.text)
    assert stamped.capsule.integrity
    assert len(stamped.dropped) == 1


def test_a_stamp_that_a_program_left_stale_goes_too():
    edited = evolve(pcsf_lark.parse(STAMPED), seed=Seed("Another sentence"))
    result = pcsf_lark.fit(edited)
    assert [row["step"] for row in result.dropped] == [0]
    assert pcsf_lark.conformant(result.text)


def test_a_stamp_yet_to_be_computed_is_computed():
    wanted = evolve(CAPSULE, integrity=Integrity("", ""))
    result = pcsf_lark.fit(wanted)
    assert result.text.decode() == STAMPED
    assert result.dropped == ()
    assert pcsf_lark.stamp(wanted) == pcsf_lark.stamp(CAPSULE)


def test_stamp_and_unstamp():
    stamped = pcsf_lark.stamp(BASE)
    assert pcsf_lark.format(stamped).decode() == STAMPED
    assert pcsf_lark.fit(stamped).text.decode() == STAMPED
    assert pcsf_lark.stamp(stamped) == stamped
    assert pcsf_lark.fit(pcsf_lark.unstamp(stamped)).text.decode() == BASE
    compact = pcsf_lark.parse(COMPACT)
    assert pcsf_lark.unstamp(compact) is compact
    assert pcsf_lark.fit(pcsf_lark.stamp(COMPACT)).text.decode() == STAMPED


def test_results_stand_where_their_text_stands():
    for capsule in (pcsf_lark.stitch(BASE, LATER).capsule, pcsf_lark.stamp(COMPACT)):
        text = pcsf_lark.fit(capsule).text
        read = pcsf_lark.parse(text)
        assert read == capsule
        assert read.seed.span == capsule.seed.span
        assert [e.span for _, rows in read.layers for e in rows] == [
            e.span for _, rows in capsule.layers for e in rows
        ]


def test_an_empty_seed_of_the_newer_capsule_falls_back_to_the_older_one():
    result = pcsf_lark.stitch(CAPSULE, evolve(CAPSULE, seed=Seed("")))
    assert result.capsule.seed == CAPSULE.seed
    with pytest.raises(pcsf_lark.CapsuleError):
        pcsf_lark.stitch(evolve(CAPSULE, seed=Seed("")), CAPSULE)


def test_a_compact_capsule_at_the_limit_is_taken():
    room = LIMIT - len(COMPACT)
    full = COMPACT.replace("is known.", "is known" + "n" * room + ".")
    capsule = pcsf_lark.parse(full)
    assert capsule.size == LIMIT
    assert pcsf_lark.fit(capsule).text.decode() == full
    assert len(pcsf_lark.stitch(capsule, LATER).text) <= LIMIT
    with pytest.raises(pcsf_lark.Unfittable) as caught:
        pcsf_lark.stamp(capsule)
    assert caught.value.needed == LIMIT + 5 + 37
    longer = evolve(capsule, seed=Seed(capsule.seed.text[:-1] + "n."))
    with pytest.raises(pcsf_lark.CapsuleError):
        pcsf_lark.stitch(longer, LATER)
    assert pcsf_lark.fit(longer).dropped


def test_inputs_are_left_as_they_are():
    old, new = pcsf_lark.parse(BASE), pcsf_lark.parse(LATER)
    pcsf_lark.stitch(old, new, stamp=True)
    pcsf_lark.fit(old, budget=400)
    assert (old, new) == (pcsf_lark.parse(BASE), pcsf_lark.parse(LATER))


def test_huge_hops_are_counted():
    many = evolve(CAPSULE, chain=Chain("9" * 200, "2026-05-01T08:00Z"))
    assert pcsf_lark.stitch(many, LATER).capsule.chain.hops == "1" + "0" * 200


def test_errors_can_be_told_apart_and_carried():
    import pickle

    error = pcsf_lark.Unfittable(1300, 1200, {"SEED": 1300})
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (again.needed, again.budget, again.obstacles) == (1300, 1200, {"SEED": 1300})
    assert isinstance(error, pcsf_lark.PcsfError)
    assert not isinstance(error, pcsf_lark.CapsuleError)
