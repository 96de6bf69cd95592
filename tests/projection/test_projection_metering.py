"""Metering: bounds from bytes on the wire, wide where nothing is known."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_logs import CJK, PLAIN, LogBuilder, logs

from kernel.projection.log.branch import read_tree
from kernel.projection.metering.bounds import Bounds, bounds, source_bounds, upper
from kernel.projection.metering.families import ESTIMATOR, FAMILIES, UNKNOWN, family_of
from kernel.projection.metering.surfaces import surface_of, surfaces_of
from kernel.projection.metering.weight import NO_WEIGHT, Weight, total, weigh
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.planning.facts import facts_of
from kernel.wire import decode, encode_value
from kernel.wire.source import compact

TRANSCRIPTS = Path(__file__).resolve().parents[2].parent / "shared" / "cases" / "transcripts"
WIRES = UNKNOWN.wires
KNOWN = [family for family in FAMILIES.values() if family is not UNKNOWN]


def said(text, role="user"):
    return {"role": role, "content": [{"type": "text", "text": text}]}


def turn():
    log = LogBuilder()
    log.turn(
        "reading",
        thinking="where is it",
        calls=[("read", {"path": "a.py"}), ("grep", {"pattern": "x"})],
        results=["one\ntwo", "three"],
    )
    return [source.message for source in log.branch().sources]


# The table


@pytest.mark.parametrize("family", KNOWN, ids=lambda family: family.name)
@pytest.mark.parametrize("name", ["narrow", "wide", "message", "part"])
def test_every_known_row_lies_inside_the_unknown(family, name):
    low, high = getattr(family, name)
    floor, ceiling = getattr(UNKNOWN, name)
    assert floor <= low <= high <= ceiling
    assert set(family.wires) <= set(UNKNOWN.wires)


def test_the_unknown_is_as_wide_as_specified():
    assert UNKNOWN.narrow == UNKNOWN.wide == (1, 8)
    assert UNKNOWN.message == (1, 16)
    assert UNKNOWN.part == (4, 64)
    assert set(UNKNOWN.wires) == {"openai", "responses", "anthropic", "gemini"}


@pytest.mark.parametrize(
    ("provider", "model", "name", "narrow"),
    [
        (None, None, "unknown", (1, 8)),
        ("", None, "unknown", (1, 8)),
        ("somebody", "gpt-4o", "unknown", (1, 8)),
        ("openai-completions", None, "openai-completions", (2, 6)),
        ("openai-completions", "gpt-4o", "openai-completions", (2, 6)),
        ("openai-completions", "deepseek-chat", "openai-completions-other", (1, 8)),
        ("openai-responses", "o3-mini", "openai-responses", (2, 6)),
        ("anthropic-messages", "claude-opus-4-5", "anthropic", (2, 6)),
        ("anthropic", "anthropic/claude-sonnet-4", "anthropic", (2, 6)),
        ("anthropic", "kimi-k2", "anthropic-other", (1, 8)),
        ("google-generative-ai", "gemini-2.5-pro", "google-gemini", (2, 7)),
        ("Google", None, "google-gemini", (2, 7)),
        ("google-vertex", "claude-opus", "google-gemini-other", (1, 8)),
    ],
)
def test_family_of(provider, model, name, narrow):
    family = family_of(provider, model)
    assert (family.name, family.narrow) == (name, narrow)
    assert family.estimator == f"{ESTIMATOR}/{name}"


# Weights and bounds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", NO_WEIGHT),
        ("hello", Weight(5)),
        ("héllo", Weight(4, 2)),
        ("会話", Weight(0, 6)),
        ("🔥", Weight(0, 4)),
        ("\ud800", Weight(0, 3)),
        (" " * 40, Weight(40, 0, 40)),
        ("=" * 3, Weight(3)),
        ("=" * 4, Weight(4, 0, 4)),
        ("aaabbbccc", Weight(9)),
        ("x" + "-" * 16 + "y", Weight(18, 0, 16)),
        ("//// aaaa////", Weight(13, 0, 12)),
        (" " * 15 + "}\n" + " " * 15 + "}\n", Weight(34, 0, 30)),
        ("\0" * 9, Weight(9, 0, 9)),
        ("─" * 3, Weight(0, 9)),
        ("─" * 4, Weight(0, 12, idle_wide=12)),
        ("🔥" * 5 + "aaaa" + "é" * 4, Weight(4, 28, 4, idle_wide=28)),
        ("会話会話" + "\ud800" * 4, Weight(0, 24, idle_wide=12)),
        ("é" + " " * 8 + "\u0100\0\0\0\u0100", Weight(11, 6, 8)),
    ],
)
def test_weigh(text, expected):
    assert weigh(text) == expected


@pytest.mark.parametrize(
    ("weight", "family", "expected"),
    [
        (NO_WEIGHT, "unknown", Bounds(0, 0)),
        (Weight(800, 80, 0, 3, 2), "unknown", Bounds(100 + 10 + 2 + 8, 880 + 48 + 128)),
        (
            Weight(600, 80, 0, 3, 2),
            "openai-completions",
            Bounds(100 + 10 + 4 + 8, 300 + 80 + 24 + 96),
        ),
        (
            Weight(600, 80, 0, 3, 2),
            "openai-responses",
            Bounds(100 + 10 + 4 + 8, 300 + 80 + 24 + 96),
        ),
        (Weight(600, 80, 0, 3, 2), "anthropic", Bounds(100 + 10 + 4 + 12, 300 + 80 + 30 + 112)),
        (Weight(700, 80, 0, 3, 2), "google-gemini", Bounds(100 + 10 + 2 + 8, 350 + 80 + 24 + 96)),
        (Weight(800, 0, 800, 1), "unknown", Bounds(0, 816)),
        (Weight(thought=100), "anthropic", Bounds(0, 100)),
    ],
)
def test_bounds_of_a_weight(weight, family, expected):
    assert bounds(weight, FAMILIES[family]) == expected


weights = st.builds(
    lambda narrow, wide, idle, messages, parts, thought: Weight(
        narrow, wide, min(idle, narrow), messages, parts, thought, min(idle, wide)
    ),
    *[st.integers(0, 10_000)] * 6,
)


@given(weights, weights, st.sampled_from(sorted(FAMILIES)))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_bounds_are_ordered_and_grow_and_the_unknown_holds_them(one, two, name):
    family = FAMILIES[name]
    for loose in (False, True):
        small, large = (bounds(w, family, loose=loose) for w in (one, total([one, two])))
        assert 0 <= small.lower <= small.upper
        assert small.lower <= large.lower
        assert small.upper <= large.upper
        wide = bounds(one, UNKNOWN, loose=loose)
        assert wide.lower <= small.lower
        assert small.upper <= wide.upper


def test_bytes_count_and_characters_do_not():
    latin, wide = "a" * 7 + " ", "会話履歴書換不可"
    assert len(latin) == len(wide)
    one, two = (source_bounds([said(text * 100)], FAMILIES["anthropic"]) for text in (latin, wide))
    assert two.lower > 2 * one.lower
    assert two.upper > 2 * one.upper


# Surfaces


@pytest.mark.parametrize("wire", WIRES)
def test_a_surface_is_what_the_serializer_writes(wire):
    messages = [said("hello there"), *turn(), said("so?")]
    history = decode("pi", {"messages": messages})
    body = encode_value(history.messages, history, wire)
    items = next(iter(body.values()))
    surface = surface_of(messages, wire)
    spelled = len(compact(items).encode())
    assert spelled <= surface.serialized <= spelled + 128
    assert surface.text.parts == 4
    assert surface.text.size < surface.serialized
    lost = [
        text
        for text in ("hello there", "a.py", "one", "three", "so?")
        if text not in compact(items)
    ]
    assert lost == []
    assert surface.text.size >= len('hello thereso?reading{"path":"a.py"}one two three')


@pytest.mark.parametrize("wire", WIRES)
def test_thoughts_ids_and_signatures_are_no_text(wire):
    plain, thinking = turn(), turn()
    plain[0] = {**plain[0], "content": [p for p in plain[0]["content"] if p["type"] != "thinking"]}
    renamed = json.loads(json.dumps(plain).replace("call_", "call_of_a_much_longer_name_"))
    assert surface_of(thinking, wire).text == surface_of(plain, wire).text
    assert surface_of(renamed, wire).text == surface_of(plain, wire).text
    assert surface_of(renamed, wire).serialized > surface_of(plain, wire).serialized


@pytest.mark.parametrize("wire", WIRES)
def test_what_a_body_needs_at_its_ends_is_not_counted(wire):
    reply = {"role": "assistant", "content": [{"type": "text", "text": "x" * 100}]}
    assert surface_of([reply], wire).text.size == 100
    assert surface_of([], wire).text == NO_WEIGHT


def test_an_unknown_provider_takes_the_extremes_of_all_wires():
    found = source_bounds(turn(), UNKNOWN)
    each = [bounds(surface.text, UNKNOWN) for surface in surfaces_of(turn(), WIRES)]
    assert found.lower == min(one.lower for one in each)
    assert found.upper >= max(one.upper for one in each)


@given(logs(names=PLAIN))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_facts_never_claim_more_than_a_wire_shows(log):
    """The lower bound a catalog publishes holds on every wire."""
    branch = log.branch()
    facts = [facts_of(source) for source in branch.sources]
    for atom in atoms_of(branch.sources, facts):
        inside = range(atom.first, atom.last + 1)
        if atom.flaw is not None or any(facts[i].binary for i in inside):
            continue
        messages = [branch.sources[i].message for i in inside]
        weight = total(facts[i].weight for i in inside)
        for family in FAMILIES.values():
            measured = source_bounds(messages, family)
            assert bounds(weight, family, loose=True).lower <= measured.lower
            assert measured.lower <= measured.upper


@given(st.text(max_size=300), st.text(max_size=300), st.sampled_from(sorted(FAMILIES)))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_the_most_a_text_can_be_grows_with_it(one, two, name):
    family = FAMILIES[name]
    assert upper(one, family) <= upper(one + two, family)
    assert upper(one, family) >= bounds(weigh(one), family).lower


def test_wide_text_is_measured_on_every_wire():
    for wire in WIRES:
        assert surface_of([said(CJK)], wire).text.size == len(CJK.encode())


# The field: what a provider reported for real requests


def requests(branch):
    """Yield what stands between two answers, the tokens it made, and who counted them."""
    before, between = None, []
    for item in branch.path:
        message = item.value.get("message")
        if item.value.get("type") == "compaction":
            before, between = None, []
        if not isinstance(message, dict):
            continue
        if message["role"] != "assistant":
            between.append(message)
            continue
        usage = message["usage"]
        sent = usage["input"] + usage["cacheRead"] + usage["cacheWrite"]
        if message["stopReason"] in ("error", "aborted") or not sent:
            before, between = None, []
            continue
        if before is not None and between:
            yield between, sent - before, message
        before, between = sent + usage["output"], []


def test_the_bounds_hold_for_what_a_provider_counted():
    source = TRANSCRIPTS / "pi-v3-migrated-two-compactions.jsonl"
    if not source.is_file():
        pytest.skip("the transcripts are not beside this checkout")
    with source.open("rb") as file:
        branch = read_tree(file).branch()
    counted, low, high, outside = 0, 0, 0, 0
    for messages, tokens, answer in requests(branch):
        if tokens <= 50:
            continue
        found = source_bounds(messages, family_of(answer["api"], answer["model"]))
        counted, low, high = counted + tokens, low + found.lower, high + found.upper
        outside += not found.lower <= tokens <= found.upper
    assert low < counted < high
    # One request of some 350 lies a few per cent below its lower bound.
    assert outside <= 2
    assert high < 4 * low
