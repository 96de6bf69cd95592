"""Differences told by threads: what they say, and that they say all."""

import random

import capsule_chains as chains
import pytest
from attrs import evolve

import pcsf_lark
from pcsf_lark.model import Chain, Integrity, Meta, RelationEntry, Seed
from pcsf_lark.spec import LAYERS

BASE = pcsf_lark.Capsule(
    version="v1.2",
    meta=Meta("topic", "domain", "WORKING", "2026-01-01T00:00Z"),
    relation=tuple(RelationEntry(name, "state") for name in ("STYLE", "TRUST", "MODE", "PACE")),
    seed=Seed("One sentence"),
)
STYLE, TRUST, MODE, PACE = BASE.relation


def changes(a, b):
    """Each change without its texts."""
    return [(c["kind"], c["layer"], c["key"], c["from"], c["to"]) for c in pcsf_lark.diff(a, b)]


RELATIONS = [
    ("nothing", (STYLE, TRUST, MODE, PACE), []),
    ("added in front", (RelationEntry("VOCAB", "x"), *BASE.relation), [("added", "L4", "VOCAB", None, 0)]),
    ("removed in front", (TRUST, MODE, PACE), [("removed", "L4", "STYLE", 0, None)]),
    ("moved to the end", (TRUST, MODE, PACE, STYLE), [("moved", "L4", "STYLE", 0, 3)]),
    ("moved to the front", (PACE, STYLE, TRUST, MODE), [("moved", "L4", "PACE", 3, 0)]),
    ("swapped", (STYLE, MODE, TRUST, PACE), [("moved", "L4", "TRUST", 1, 2)]),
    (
        "changed in place",
        (STYLE, RelationEntry("TRUST", "more"), MODE, PACE),
        [("changed", "L4", "TRUST", 1, 1)],
    ),
    (
        "changed and moved",
        (RelationEntry("PACE", "slow"), STYLE, TRUST, MODE),
        [("changed", "L4", "PACE", 3, 0), ("moved", "L4", "PACE", 3, 0)],
    ),
    (
        "another case is another thread",
        (RelationEntry("style", "state"), TRUST, MODE, PACE),
        [("removed", "L4", "STYLE", 0, None), ("added", "L4", "style", None, 0)],
    ),
    ("emptied", (), [("removed", "L4", e.dimension, i, None) for i, e in enumerate(BASE.relation)]),
    (
        "a repeat added",
        (STYLE, RelationEntry("STYLE", "again"), TRUST, MODE, PACE),
        [("added", "L4", "STYLE", None, 1)],
    ),
    (
        "a repeat before the equal one",
        (RelationEntry("STYLE", "again"), STYLE, TRUST, MODE, PACE),
        [("added", "L4", "STYLE", None, 0)],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("relation", "expected"), [r[1:] for r in RELATIONS], ids=[r[0] for r in RELATIONS]
)
def test_entries(relation, expected):
    assert changes(BASE, evolve(BASE, relation=relation)) == expected


HEADERS = [
    ({"version": "v1"}, [("changed", "VERSION", "version", "v1.2", "v1")]),
    ({"seed": Seed("Another")}, [("changed", "SEED", "text", "One sentence", "Another")]),
    (
        {"meta": Meta("topic", "law", "DEEP", "2026-01-01T00:00Z")},
        [("changed", "META", "domain", "domain", "law"), ("changed", "META", "depth", "WORKING", "DEEP")],
    ),
    (
        {"chain": Chain("02", "2025-01-01T00:00Z")},
        [("added", "CHAIN", "hops", None, "2"), ("added", "CHAIN", "origin", None, "2025-01-01T00:00Z")],
    ),
    ({"integrity": Integrity("0" * 8, "9")}, [("added", "INTEGRITY", "stamp", None, "INTEGRITY: crc32=00000000 chars=9")]),
    ({"layout": "compact", "final_lf": False, "size": 5}, []),
]  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), HEADERS)
def test_header_lines(change, expected):
    found = pcsf_lark.diff(BASE, evolve(BASE, **change))
    assert [(c["kind"], c["layer"], c["key"], c["old"], c["new"]) for c in found] == expected
    assert all(c["from"] is c["to"] is None for c in found)


def test_hops_are_numbers_and_stamp_values_follow_from_the_text():
    a = evolve(BASE, chain=Chain("7", "2025-01-01T00:00Z"), integrity=Integrity("0" * 8, "9"))
    b = evolve(BASE, chain=Chain("007", "2025-01-01T00:00Z"), integrity=Integrity("1" * 8, "8"))
    assert pcsf_lark.diff(a, b) == []


def applied(a, found):
    """The layers of ``a`` after the changes, made by their places alone."""
    layers = {}
    for layer in LAYERS:
        mine = [change for change in found if change["layer"] == layer.key]
        gone = {c["from"] for c in mine if c["kind"] in ("removed", "moved")}
        changed = {c["from"]: c["new"] for c in mine if c["kind"] == "changed"}
        put = {c["to"]: c["new"] for c in mine if c["kind"] in ("added", "moved")}
        lines = [entry.line for entry in getattr(a, layer.attribute)]
        stay = [changed.get(at, line) for at, line in enumerate(lines) if at not in gone]
        layers[layer.key] = merged = []
        while stay or put:
            merged.append(put.pop(len(merged)) if len(merged) in put else stay.pop(0))
    return layers


@pytest.mark.parametrize("seed", range(6))
def test_changes_are_all_there_is(seed):
    rng = random.Random(f"diff {seed}")
    for _ in range(60):
        a, b = (pcsf_lark.parse(chains.text(rng, 5)) for _ in range(2))
        if rng.random() < 0.5:
            b = pcsf_lark.parse(pcsf_lark.stitch(a, b).text) if rng.random() < 0.5 else a
        found = pcsf_lark.diff(a, b)
        assert (found == []) == (a == b)
        assert applied(a, found) == {key: [e.line for e in rows] for key, rows in b.layers}
        back = pcsf_lark.diff(b, a)
        swap = {"added": "removed", "removed": "added"}
        for kind in ("added", "removed", "changed"):
            mine = {(c["layer"], c["key"], c["old"], c["new"]) for c in found if c["kind"] == kind}
            theirs = {
                (c["layer"], c["key"], c["new"], c["old"])
                for c in back
                if c["kind"] == swap.get(kind, kind)
            }
            assert mine == theirs


def test_text_is_read_and_refused():
    text = pcsf_lark.format(BASE)
    assert pcsf_lark.diff(text, BASE) == []
    with pytest.raises(pcsf_lark.CapsuleError):
        pcsf_lark.diff(text, b"nothing")
