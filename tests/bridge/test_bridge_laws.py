"""Capsule → state object → capsule gives the bytes back; whatever the object, a capsule comes out."""

import copy
import json
from pathlib import Path
from random import Random

import pytest
from attrs import evolve
from capsules import generate
from cso_states import KEY, SESSION, any_objects, given, json_values, sound_objects
from hypothesis import strategies as st

import cso
import pcsf_lark
from pcsf_lark import integrity
from pcsf_lark.rules._rule import BASE

CORPUS = Path(__file__).parents[1] / "corpus"
CAPSULES = sorted(
    path
    for folder in ("valid", "warn")
    for path in (CORPUS / folder).rglob("*.pcsf")
    if pcsf_lark.conformant(path.read_bytes())
)
EXT = pcsf_lark.to_cso(BASE).ext.thaw()["pcsf"]


def comes_back(text):
    value = cso.loads(cso.dumps(pcsf_lark.to_cso(text)))  # strict: nothing foreign in it
    assert not [finding for finding in cso.check(value) if not finding.code.startswith("note-")]
    made = pcsf_lark.from_cso(value)
    assert made.text == text
    assert made.capsule == pcsf_lark.parse(text)
    assert made.score == 1
    assert (made.dropped, made.shortened, made.escaped) == ((), (), ())
    assert all(kept == total for name, (kept, total) in made.kept.items() if name != "edges")


def test_the_corpus_is_there():
    assert len(CAPSULES) > 300


@pytest.mark.parametrize("path", CAPSULES, ids=lambda path: path.stem)
def test_get_put_on_the_corpus(path):
    comes_back(path.read_bytes())


@pytest.mark.parametrize("seed", range(8))
def test_get_put_on_generated_capsules(seed):
    rng = Random(seed)
    for _ in range(150):
        comes_back(generate(rng).encode())


@pytest.mark.parametrize("final_lf", [True, False])
@pytest.mark.parametrize("compact", [True, False])
@pytest.mark.parametrize("stamped", ["no", "yes", "leading zeros"])
@pytest.mark.parametrize("hops", ["1", "007", "9" * 40])
def test_get_put_on_every_frame(final_lf, compact, stamped, hops):
    text = BASE.replace("hops=1", f"hops={hops}")
    if compact:
        head, mark, rest = text.partition("L1:")
        text = head + mark + rest.replace("\n\n", "\n")
    text = text if final_lf else text.removesuffix("\n")
    bare = text.encode()
    if stamped != "no":
        at = bare.index(b"\n\n") + 1
        bare = integrity.insert(bare, at)
    if stamped == "leading zeros":
        size = int(bare.partition(b"chars=")[2].split(b"\n")[0])
        bare = bare.replace(b"chars=%d" % size, b"chars=0%d" % (size + 1))
    assert pcsf_lark.conformant(bare)
    comes_back(bare)


def test_get_put_through_a_signed_relay():
    first = cso.relay(None, pcsf_lark.to_cso(BASE), KEY, SESSION).cso
    assert first.verified
    assert pcsf_lark.from_cso(first).text == BASE.encode()


def test_the_stamp_of_a_tree_is_computed():
    tree = pcsf_lark.from_json({**pcsf_lark.to_json(pcsf_lark.parse(BASE)), "integrity": {}})
    text = pcsf_lark.from_cso(pcsf_lark.to_cso(tree)).text
    assert text == pcsf_lark.format(tree)
    assert pcsf_lark.conformant(text)


def exported(value, **options):
    """A capsule and its figures hold together; None where it can't fit."""
    try:
        made = pcsf_lark.from_cso(value, **options)
    except pcsf_lark.BudgetError as error:
        refused = error
        made = None
    if made is None:
        assert sum(refused.obstacles.values()) == refused.needed > refused.budget
        assert str(refused).startswith(f"over by {refused.needed - refused.budget:,}")
        return None
    assert pcsf_lark.conformant(made.text), pcsf_lark.check(made.text).findings
    assert len(made.text) <= min(options.get("budget", 1200), 1200)
    assert pcsf_lark.parse(made.text) == made.capsule
    kept, total = made.kept["facts"]
    live = [f for f in value.established_facts if f.status in cso.LIVE]
    assert total == len(live)
    assert made.score == (cso.Preservation(kept, total)).score == made.preservation_score
    assert all(0 <= k <= n for k, n in made.kept.values())
    assert pcsf_lark.from_cso(value, **options) == made
    again = pcsf_lark.to_cso(made.capsule)
    assert pcsf_lark.from_cso(again).text == made.text
    assert not again.verified
    assert not again.cso_hmac
    return made


@given(any_objects(), examples=150)
def test_any_object_gives_a_capsule(value):
    before = cso.dumps(value)
    exported(value)
    assert cso.dumps(value) == before


@given(
    sound_objects(),
    st.integers(0, 1300),
    st.sampled_from([None, "facts"]),
    st.booleans(),
    examples=150,
)
def test_any_budget_is_kept(value, budget, prefer, stamp):
    exported(value, budget=budget, prefer=prefer, stamp=stamp)


@given(json_values, examples=100)
def test_a_foreign_complement_is_ignored(members):
    exported(evolve(pcsf_lark.to_cso(BASE), ext={"pcsf": members}))


@given(st.sampled_from(sorted(EXT)), json_values, examples=200)
def test_a_damaged_complement_is_ignored_or_harmless(name, members):
    exported(evolve(pcsf_lark.to_cso(BASE), ext={"pcsf": {**copy.deepcopy(EXT), name: members}}))


def test_an_ignored_complement_is_told():
    made = exported(evolve(pcsf_lark.to_cso(BASE), ext={"pcsf": {"version": "v9"}}))
    assert "ext.pcsf" in made.warnings[0]


def test_every_vector_with_the_two_about_capsules():
    cases = Path(__file__).parents[1] / "cases" / "cso.jsonl"
    from cso.call import Exchange
    from pcsf_lark.faces.cso.call import HANDLERS

    exchange, seen = Exchange(more=HANDLERS), 0
    for line in cases.read_text("utf-8").splitlines():
        case, answer = json.loads(line), json.loads(exchange.answer(line))
        assert answer["id"] == case["id"]
        assert case["expected"].items() <= answer["output"].items()
        seen += case["kind"].startswith("capsule_")
    assert seen == 2
