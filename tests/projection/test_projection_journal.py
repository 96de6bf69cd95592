"""The codec of the journal: what was written is read again, and nothing else is."""

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.projection.journal.codec import block_id, decode, encode, transaction
from kernel.projection.model import (
    ARMS,
    CONTROLS,
    Control,
    CooledResult,
    Cooling,
    Cost,
    Decompress,
    Fault,
    Quality,
    Recompress,
    SemanticCreate,
    Transaction,
)

SETTINGS = settings(derandomize=True, deadline=None, max_examples=40)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAME = st.text("abcdef0123456789", min_size=1, max_size=8)
HEX = st.text("0123456789abcdef", min_size=64, max_size=64)
BLOCK = st.text("0123456789abcdef", min_size=16, max_size=16).map("blk_{}".format)
COUNT = st.integers(0, 2**53)
NUMBER = st.floats(-1000, 1000)


def unique(of, low, high):
    return st.lists(of, min_size=low, max_size=high, unique=True).map(tuple)


QUALITY = st.builds(
    Quality, COUNT, COUNT, HEX, st.booleans(), st.booleans(), st.lists(TEXT, max_size=2)
)
COST = st.builds(Cost, TEXT, TEXT, TEXT, COUNT, COUNT, COUNT, COUNT, NUMBER, NUMBER)


@st.composite
def creates(draw):
    tier = draw(st.sampled_from((1, 2, 3)))
    children = draw(unique(BLOCK, 2, 4)) if tier > 1 else ()
    ids = draw(unique(NAME, 1, 5))
    leaves, summary = draw(HEX), draw(TEXT) + "."
    mode = "blocks" if tier > 1 else draw(st.sampled_from(("range", "message")))
    name = block_id(
        "root", "base", tier=tier, leaf_digest=leaves, children=children, summary=summary
    )
    return SemanticCreate(
        name, tier, mode, tier == 3 and draw(st.booleans()), draw(TEXT), summary, ids, children,
        leaves, len(ids), draw(TEXT), draw(QUALITY), draw(COST),
    )  # fmt: skip


@st.composite
def decompressions(draw):
    closure = draw(unique(NAME, 1, 5))
    roots = closure[: draw(st.integers(1, len(closure)))]
    digests = [draw(HEX) for _ in closure]
    return Decompress(draw(st.sampled_from(("one", "raw"))), roots, closure, digests)


RECOMPRESSIONS = st.one_of(
    st.builds(Recompress, BLOCK, st.just(1), st.just(()), HEX, st.integers(1, 9), NAME, proof=HEX),
    st.builds(
        Recompress,
        BLOCK,
        st.sampled_from((2, 3)),
        unique(BLOCK, 2, 16),
        HEX,
        st.integers(2, 9),
        NAME,
        st.integers(1, 9),
        HEX,
    ),
)
RESULTS = st.builds(CooledResult, NAME, NAME, NAME, TEXT, HEX, COUNT, st.none() | NAME)
COOLINGS = st.builds(
    Cooling,
    st.sampled_from(("automatic", "sweep", "prune")),
    st.lists(RESULTS, min_size=1, max_size=3, unique_by=lambda one: one.entry_id),
)
PAYLOADS = {
    "semantic-create": creates(),
    "decompress": decompressions(),
    "recompress": RECOMPRESSIONS,
    "cooling": COOLINGS,
    "control": st.builds(Control, st.sampled_from(CONTROLS)),
}


ANY = st.one_of(*PAYLOADS.values())


def transactions(payloads=ANY):
    origin = st.sampled_from(("model", "user", "automatic"))
    return st.builds(transaction, NAME, st.just("root"), st.just("base"), origin, payloads)


def examples(arm):
    """One transaction of an arm, the same in every run."""
    found = []

    @settings(derandomize=True, database=None, max_examples=15, deadline=None)
    @given(transactions(PAYLOADS[arm]))
    def gather(made):
        found.append(made)

    gather()
    return max(found, key=lambda made: len(json.dumps(encode(made))))


def places(value, at=()):
    """Every place of a JSON value but the root."""
    parts = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in parts:
        yield (*at, key)
        if isinstance(part, dict | list):
            yield from places(part, (*at, key))


def changed(data, place, change):
    """Return a copy with the parent of a place and its key given to a function."""
    out = copy.deepcopy(data)
    parent = out
    for key in place[:-1]:
        parent = parent[key]
    change(parent, place[-1])
    return out


def test_every_arm_has_a_strategy():
    assert set(PAYLOADS) == set(ARMS)


@SETTINGS
@given(transactions())
def test_decoding_gives_what_was_encoded(made):
    data = encode(made)
    assert decode(data) == made
    assert encode(decode(data)) == data
    assert decode(json.loads(json.dumps(data))) == made


@SETTINGS
@given(transactions())
def test_numbers_may_be_spelled_as_javascript_spells_them(made):
    def respelled(value):
        if isinstance(value, dict):
            return {key: respelled(item) for key, item in value.items()}
        if isinstance(value, list):
            return [respelled(item) for item in value]
        whole = isinstance(value, float) and value.is_integer()
        return int(value) if whole else value

    assert decode(respelled(encode(made))) == made


@pytest.mark.parametrize("arm", ARMS)
def test_a_missing_member_is_refused_with_its_place(arm):
    data = encode(examples(arm))
    checked = 0
    for place in places(data):
        if isinstance(place[-1], int):
            continue
        wrong = decode(changed(data, place, dict.__delitem__), "e1")
        assert isinstance(wrong, Fault), place
        assert wrong.entry_id == "e1"
        assert str(place[-1]) in wrong.message
        checked += 1
    assert checked >= 9


@pytest.mark.parametrize("arm", ARMS)
def test_an_unknown_member_is_refused_on_every_level(arm):
    data = encode(examples(arm))
    levels = [(), *places(data)]
    for place in levels:
        at = data
        for key in place:
            at = at[key]
        if isinstance(at, dict):
            more = changed(data, (*place, "more"), lambda parent, key: parent.__setitem__(key, 1))
            assert isinstance(decode(more), Fault), place


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("junk", [None, True, 7, -1, 1.5, "x", [], {}, [1], float("nan"), "\ud800"])
def test_another_value_is_refused_everywhere(arm, junk):
    data = encode(examples(arm))
    for place in places(data):
        at = data
        for key in place:
            at = at[key]
        if at == junk and type(at) is type(junk):
            continue
        wrong = decode(changed(data, place, lambda parent, key: parent.__setitem__(key, junk)))
        assert isinstance(wrong, Fault), place
        assert wrong.code.startswith("journal-")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (None, "journal-schema"),
        ([], "journal-schema"),
        ({}, "journal-schema"),
        ({"version": 2}, "journal-version"),
        ({"version": 4}, "journal-version"),
        ({"version": True}, "journal-version"),
        ({"version": "3"}, "journal-schema"),
        ({"version": 3, "kind": "merge"}, "journal-arm"),
        ({"version": 3, "kind": 3}, "journal-schema"),
    ],
)
def test_what_is_no_transaction_of_ours_is_named(data, code):
    wrong = decode(data)
    assert isinstance(wrong, Fault)
    assert wrong.code == code
    assert "expected" in wrong.message


#: A change of a valid payload that breaks one limit: arm, member, value.
LIMITS = [
    ("semantic-create", "tier", 4),
    ("semantic-create", "leafCount", 0),
    ("semantic-create", "summary", " \n"),
    ("semantic-create", "sourceIds", ["a", "a"]),
    ("semantic-create", "sourceIds", [""]),
    ("semantic-create", "leafDigest", "A" * 64),
    ("semantic-create", "children", ["blk_0123456789abcdef"]),
    ("semantic-create", "children", ["old"] * 2),
    ("decompress", "roots", []),
    ("decompress", "roots", [f"r{n}" for n in range(17)]),
    ("decompress", "closure", [f"c{n}" for n in range(257)]),
    ("decompress", "closure", ["nobody's"]),
    ("decompress", "leafDigests", []),
    ("decompress", "depth", "two"),
    ("recompress", "leafCount", 0),
    ("recompress", "proof", ""),
    ("recompress", "proof", "A" * 64),
    ("recompress", "children", [f"blk_{n:016x}" for n in range(17)]),
    ("cooling", "results", []),
    ("cooling", "mode", "always"),
    ("control", "action", "reboot"),
]


@pytest.mark.parametrize(("arm", "member", "value"), LIMITS)
def test_limits_hold_even_under_a_matching_digest(arm, member, value):
    """A writer that computes its ids well is refused for what it says."""
    from kernel.projection.log.digests import short

    data = encode(examples(arm))
    data["payload"][member] = value
    payload = data["payload"]
    if arm == "semantic-create":
        keys = ("tier", "leafDigest", "children", "summary")
        said = [data["epoch"], *(payload[key] for key in keys), data["base"]]
        payload["blockId"] = short("blk_", said, 16)
    data["txId"] = short("tx_", {key: data[key] for key in data if key != "txId"}, 24)
    wrong = decode(data)
    assert isinstance(wrong, Fault)
    assert wrong.code == "journal-schema"
    assert f"data.payload.{member}" in wrong.message


def test_an_id_that_is_no_digest_is_refused():
    made = examples("control")
    data = {**encode(made), "txId": "tx_" + "0" * 24}
    assert decode(data).code == "journal-digest"


def test_the_same_plan_on_the_same_leaf_is_the_same_transaction():
    one = transaction("s", "root", "base", "user", Control("off"))
    assert one == transaction("s", "root", "base", "user", Control("off"))
    others = [
        transaction("t", "root", "base", "user", Control("off")),
        transaction("s", "c1", "base", "user", Control("off")),
        transaction("s", "root", "leaf", "user", Control("off")),
        transaction("s", "root", "base", "model", Control("off")),
        transaction("s", "root", "base", "user", Control("on")),
    ]
    assert len({one.tx_id, *(other.tx_id for other in others)}) == 6
    assert all(isinstance(other, Transaction) for other in others)


def test_no_fault_echoes_what_stood_there():
    word = "hunter2"
    for arm in ARMS:
        data = encode(examples(arm))
        for place in places(data):
            wrong = decode(changed(data, place, lambda p, k: p.__setitem__(k, {word: word})))
            assert isinstance(wrong, Fault)
            assert word not in wrong.message
