"""Laws of writing: formatting is idempotent, reading undoes it, JSON carries all."""

import random

import pytest
from attrs import evolve
from capsules import generate, texts
from hypothesis import HealthCheck, given, settings

import pcsf_lark
from pcsf_lark.model import Integrity, NegativeEntry, RelationEntry
from pcsf_lark.rules._rule import BASE

SETTINGS = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def formatted(text):
    """The canonical bytes, None where they would pass the limit."""
    try:
        return pcsf_lark.format(text)
    except pcsf_lark.CapsuleError as error:
        if {finding.code for finding in error.diagnostics} != {"C2"}:
            raise
        return None


def laws(text):
    capsule = pcsf_lark.parse(text)
    assert pcsf_lark.from_json(pcsf_lark.to_json(capsule)) == capsule
    once = formatted(text)
    if once is None:
        assert len(text) > 1150
        return
    again = pcsf_lark.parse(once)
    assert again == capsule
    assert again.layout == "spaced"
    assert again.final_lf
    assert pcsf_lark.format(once) == once
    assert pcsf_lark.format(capsule) == once
    report = pcsf_lark.check(once)
    assert report.conformant
    assert not {"V001", "V002"} & {finding.code for finding in report.findings}


@SETTINGS
@given(texts())
def test_laws(text):
    laws(text)


def test_laws_in_bulk():
    rng = random.Random(11)
    for _ in range(1500):
        laws(generate(rng))


def test_format_keeps_a_stamp_true_and_adds_none():
    bare = pcsf_lark.parse(BASE)
    assert pcsf_lark.format(bare) == BASE.encode()
    stamped = pcsf_lark.format(evolve(bare, integrity=Integrity("", "")))
    assert b"\nINTEGRITY: crc32=" in stamped
    assert pcsf_lark.check(stamped).findings == ()
    assert pcsf_lark.parse(stamped) == evolve(bare, integrity=Integrity("00000000", "1"))
    assert pcsf_lark.parse(stamped) != bare


def test_format_refuses_what_is_not_conformant():
    for text, code in [(BASE.replace("HIGH", "high"), "C7"), ("", "C3"), (BASE + "x" * 1200, "C2")]:
        with pytest.raises(pcsf_lark.CapsuleError) as caught:
            pcsf_lark.format(text)
        assert code in {finding.code for finding in caught.value.diagnostics}


def test_restamp_forgives_a_stale_stamp_alone():
    from pcsf_lark.api import format_capsule

    stamped = pcsf_lark.format(evolve(pcsf_lark.parse(BASE), integrity=Integrity("", "")))
    stale = stamped.replace(b"HIGH", b"LOW")
    with pytest.raises(pcsf_lark.CapsuleError):
        format_capsule(stale)
    fresh = format_capsule(stale, restamp=True)
    assert pcsf_lark.parse(fresh).loops[0].priority == "LOW"
    with pytest.raises(pcsf_lark.CapsuleError):
        format_capsule(stale.replace(b"LOW", b"low"), restamp=True)


@pytest.mark.parametrize("spare", range(-3, 4))
def test_a_compact_capsule_near_the_limit_stays_as_it_is(spare):
    """Spaced it needs five bytes more; where they are not there, C2 says so."""
    compact = BASE[: BASE.index("L1:")] + BASE[BASE.index("L1:") :].replace("\n\n", "\n")
    room = 1200 - len(compact) - 5 - spare
    compact = compact.replace("short answers", "s" * room + "short answers")
    if spare >= 0:
        assert len(pcsf_lark.format(compact)) == 1200 - spare
    else:
        with pytest.raises(pcsf_lark.CapsuleError, match="C2"):
            pcsf_lark.format(compact)
    assert pcsf_lark.conformant(compact)


CHANGED = [
    ("fact", lambda c: evolve(c, skeleton=(evolve(c.skeleton[0], fact="a | b"),)), "C8"),
    ("two lines", lambda c: evolve(c, negative=(NegativeEntry("a | b | c\nd", "e", "f"),)), "C7"),
    ("state", lambda c: evolve(c, relation=(RelationEntry("STYLE", "x\nMODE: y"),)), "C7"),
    ("name", lambda c: evolve(c, relation=(RelationEntry("STYLE: x", "y"),)), "C7"),
    ("topic", lambda c: evolve(c, meta=evolve(c.meta, topic="a | b")), "C8"),
    ("topic line", lambda c: evolve(c, meta=evolve(c.meta, topic="a\nb")), "C4"),
    ("depth", lambda c: evolve(c, meta=evolve(c.meta, depth="deep")), "C4"),
    ("time", lambda c: evolve(c, meta=evolve(c.meta, timestamp="2026-02-30T00:00Z")), "C4"),
    ("seed", lambda c: evolve(c, seed=evolve(c.seed, text="One. Two.")), "C9"),
    ("seed line", lambda c: evolve(c, seed=evolve(c.seed, text="One\nTwo")), "C9"),
    ("hops", lambda c: evolve(c, chain=evolve(c.chain, hops="many")), "C12"),
    (
        "hops and origin",
        lambda c: evolve(c, chain=evolve(c.chain, hops="007", origin="1\n")),
        "C12",
    ),
    ("origin", lambda c: evolve(c, chain=evolve(c.chain, origin="1\n")), "C12"),
    ("version", lambda c: evolve(c, version="v2"), "C3"),
    ("version line", lambda c: evolve(c, version="v1===\n===PCSF:v1"), "C3"),
    ("unicode", lambda c: evolve(c, seed=evolve(c.seed, text="\u2019")), "C1"),
    ("surrogate", lambda c: evolve(c, seed=evolve(c.seed, text="\udcff")), "C1"),
    ("empty seed", lambda c: evolve(c, seed=evolve(c.seed, text="")), "C9"),
    ("empty hops", lambda c: evolve(c, chain=evolve(c.chain, hops="")), "C12"),
    ("empty topic", lambda c: evolve(c, meta=evolve(c.meta, topic="")), "C8"),
    ("edge", lambda c: evolve(c, meta=evolve(c.meta, domain=" x")), "C8"),
    ("type", lambda c: evolve(c, loops=(evolve(c.loops[0], type="TODO"),)), "C7"),
    ("many", lambda c: evolve(c, negative=c.negative * 9), "C6"),
    ("long", lambda c: evolve(c, seed=evolve(c.seed, text="x" * 1200)), "C2"),
]


@pytest.mark.parametrize(("change", "code"), [c[1:] for c in CHANGED], ids=[c[0] for c in CHANGED])
def test_what_no_text_can_hold_is_refused_by_its_rule(change, code):
    with pytest.raises(pcsf_lark.CapsuleError) as caught:
        pcsf_lark.format(change(pcsf_lark.parse(BASE)))
    assert {finding.code for finding in caught.value.diagnostics} == {code}


TREE = pcsf_lark.to_json(pcsf_lark.parse(BASE))
MISSHAPEN = [
    (None, "$"),
    ([], "$"),
    ({}, "$"),
    ({**TREE, "more": 1}, "$"),
    ({k: v for k, v in TREE.items() if k != "seed"}, "$"),
    ({**TREE, "seed": 1}, "seed"),
    ({**TREE, "meta": None}, "meta"),
    ({**TREE, "meta": {**TREE["meta"], "topic": None}}, "meta.topic"),
    ({**TREE, "chain": {"hops": 1, "origin": ""}}, "chain.hops"),
    ({**TREE, "L1": {}}, "L1"),
    ({**TREE, "L1": [{}]}, "L1[0]"),
    ({**TREE, "L2": [*TREE["L2"], {**TREE["L2"][0], "reason": []}]}, "L2[1].reason"),
    ({**TREE, "L4": ["STYLE: x"]}, "L4[0]"),
]


@pytest.mark.parametrize(("tree", "path"), MISSHAPEN)
def test_misshapen_json_names_the_place(tree, path):
    with pytest.raises(pcsf_lark.JsonError) as caught:
        pcsf_lark.from_json(tree)
    assert caught.value.path == path
    assert path in str(caught.value)


def test_ignored_members():
    tree = {k: v for k, v in TREE.items() if k not in ("layout", "final_lf", "bytes", "chain")}
    capsule = pcsf_lark.from_json(tree)
    assert capsule.chain is None
    assert pcsf_lark.from_json({**TREE, "layout": "compact", "bytes": 3}) == pcsf_lark.parse(BASE)
