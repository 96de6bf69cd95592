"""The smaller parts: arguments, search, steering, reports, counters, text."""

import json
import math

import json_repair
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel import (
    CompressionBlock,
    CompressionState,
    Config,
    CoreMessage,
    Ports,
    apply_compression,
    count_tokens,
    count_words,
    decide_output_steering,
    parse_compress_args,
    process_turn,
    recap,
    status_text,
    structure_of,
    view_text,
)
from kernel.model import with_text
from kernel.ports import cached
from kernel.searching import SearchIndex, SearchOptions, documents_of, search_blocks
from kernel.searching.documents import message_document
from kernel.searching.words import (
    count_term,
    root_of,
    stem,
    words,
)
from kernel.searching.words import (
    count_words as count_search_words,
)
from kernel.text import half_up, head, repair, short_count, tail, units
from kernel.tokens import bpe_counter
from kernel.visitor import Visitor, walk

FIXED = settings(max_examples=200, deadline=None, derandomize=True)

# -- arguments --------------------------------------------------------------------------

summaries = st.text(min_size=1, max_size=40)
entries = st.fixed_dictionaries(
    {
        "startRef": st.from_regex(r"m[0-9]{5}", fullmatch=True),
        "endRef": st.from_regex(r"m[0-9]{5}", fullmatch=True),
        "summary": summaries,
    }
)
documents = st.fixed_dictionaries({"content": st.lists(entries, max_size=5)})


def plain(ranges):
    return [(r.start_ref, r.end_ref, r.summary) for r in ranges]


def wanted(content):
    return [(e["startRef"], e["endRef"], e["summary"]) for e in content]


@FIXED
@given(document=documents, indent=st.sampled_from([None, 2]), ascii_=st.booleans())
def test_well_formed_arguments_in_every_wrapping(document, indent, ascii_):
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_)
    variants = [text, f"```json\n{text}\n```", f"```\n{text}", json.dumps(text), f" \n{text}\n"]
    for variant in variants:
        read = parse_compress_args(variant)
        assert plain(read.ranges) == wanted(document["content"])
        assert read.diagnostics.ok == bool(document["content"])
        assert read.diagnostics.length == units(variant)


@FIXED
@given(document=documents, cut=st.floats(0, 1))
def test_a_cut_document_gives_its_whole_entries(document, cut):
    text = json.dumps(document)
    piece = text[: int(cut * len(text))]
    read = parse_compress_args(piece)
    whole = wanted(document["content"])
    assert plain(read.ranges) == whole[: len(read.ranges)]
    complete = sum(piece.count(json.dumps(e)) and 1 for e in document["content"])
    if len({json.dumps(e) for e in document["content"]}) == len(document["content"]):
        assert len(read.ranges) >= min(complete, len(whole))
    if piece.strip() and piece != text:
        assert read.diagnostics.kind in ("truncated", "malformed-json", "not-object")


# A repair tool guesses where strings hold odd marks; on plain words both must agree.
plain_words = st.from_regex(r"[a-z]{1,8}( [a-z]{1,8}){0,3}", fullmatch=True)
plain_entries = st.builds(lambda e, s: {**e, "summary": s}, entries, plain_words)


@settings(FIXED, max_examples=40)
@given(document=st.fixed_dictionaries({"content": st.lists(plain_entries, max_size=4)}))
def test_forgiven_mistakes_read_as_a_repair_tool_reads_them(document):
    text = json.dumps(document, ensure_ascii=False).replace("]}", ",]}").replace("},{", "}, {")
    oracle = json_repair.loads(text)
    read = parse_compress_args(text)
    assert plain(read.ranges) == wanted(
        oracle.get("content") or [] if isinstance(oracle, dict) else []
    )


@FIXED
@given(text=st.text(max_size=80))
def test_no_text_raises(text):
    read = parse_compress_args(text)
    assert read.diagnostics.ok == bool(read.ranges)


def test_calls_are_stamped_and_modes_accepted():
    read = parse_compress_args(
        {"mode": "range", "startRef": "m1", "endRef": "m2", "summary": "s"}, "call-7"
    )
    assert read.ranges[0].compress_call_id == "call-7"
    read = parse_compress_args(
        {"mode": "message", "topic": "t", "content": [{"messageId": "m1", "summary": "s"}]}
    )
    assert (read.ranges[0].start_ref, read.ranges[0].end_ref, read.ranges[0].topic) == (
        "m1",
        "m1",
        "t",
    )


# -- search -----------------------------------------------------------------------------

latin = st.text(alphabet="abcXYZ019_ .,-é潮汐", max_size=60)


@FIXED
@given(text=latin)
def test_words_are_counted_as_they_are_made(text):
    lowered = text.lower()
    made = words(lowered)
    plain_words = [w for w in made if w.isascii()]
    wide = sum((len(run) + 3) >> 2 for run in _runs(lowered))
    assert count_search_words(lowered) == len(plain_words) + wide
    for word in set(made):
        assert count_term(lowered, word, root_of(word)) == made.count(word)


def _runs(text):
    run, out = "", []
    for char in text + " ":
        if "\u3400" <= char <= "\u9fff":
            run += char
        elif run:
            out.append(run)
            run = ""
    return out


@pytest.mark.parametrize(
    ("word", "want"),
    [
        ("stories", "story"),
        ("boxes", "box"),
        ("glass", "glass"),
        ("reading", "read"),
        ("red", "red"),
        ("calibration", "calibrat"),
        ("movement", "move"),
        ("kindness", "kind"),
        ("quickly", "quick"),
        ("is", "is"),
    ],
)
def test_stems(word, want):
    assert stem(word) == want


def corpus(kit, count):
    return [message_document(f"m{n:05}", m.text, m.role) for n, m in enumerate(kit.chat(count), 1)]


def test_the_bounded_hybrid_equals_the_full_one(kit):
    documents = corpus(kit, 300)
    index = SearchIndex(documents)
    for number in range(0, 300, 7):
        query = " ".join(documents[number].text.split()[2:4])
        for limit in (1, 3, 10):
            options = SearchOptions(limit=limit)
            best = index.search(query, options)
            weights = options.weights()
            from kernel.searching.engine import ALGORITHMS

            every = ALGORITHMS["hybrid"](index, query)
            ranked = sorted(every, key=lambda p: (-every[p] * weights[documents[p].weight_key], p))
            want = [
                documents[p].ref
                for p in ranked
                if every[p] * weights[documents[p].weight_key] >= 0.01
            ][:limit]
            assert [hit.ref for hit in best] == want


def test_leaving_texts_early_changes_no_hit(kit):
    documents = corpus(kit, 9000)
    index = SearchIndex(documents)
    from kernel.searching.engine import ALGORITHMS

    for number, limit in ((11, 1), (4001, 10), (8998, 50)):
        first, second = documents[number].text.split()[2:4]
        for query in (f"{first}q {second}z", f"{first} {second}x", "zzqq xxyy", "qj"):
            every = ALGORITHMS["hybrid"](index, query)
            for more in ({}, {"tool": 3.0}, {"user": 0.0, "assistant": -1.0}):
                options = SearchOptions(limit=limit, role_weights=more)
                weights = options.weights()
                scored = {p: every[p] * weights[documents[p].weight_key] for p in every}
                ranked = sorted(scored, key=lambda p: (-scored[p], p))
                want = [(documents[p].ref, scored[p]) for p in ranked if scored[p] >= 0.01]
                found = index.search(query, options)
                assert [(hit.ref, hit.score) for hit in found] == want[:limit]


def test_semantic_search_needs_its_port(kit):
    documents = corpus(kit, 20)

    def embed(texts):
        return [[text.count(vowel) for vowel in "aeiou"] for text in texts]

    options = SearchOptions(algorithm="semantic", limit=3, role_weights={"user": 1, "tool": 1})
    found = search_blocks(documents, documents[4].text, CompressionState(), options, embed=embed)
    assert found[0].ref == "m00005"
    assert math.isclose(found[0].score, 1)
    assert search_blocks(documents, "x", CompressionState(), options) == []


def test_folded_blocks_and_messages_are_found(kit):
    messages = kit.history("u t t u")
    state = kit.state_of(messages)
    item = kit.span(
        state, messages, "m2", "m3", "the harbour gauge was recalibrated", topic="gauge"
    )
    state = apply_compression([item], messages, state, kit.open_config).state
    dead = evolve(state, blocks=[evolve(state.blocks[0], active=False)])
    for one in (state, dead):
        hits = search_blocks(documents_of(messages, one), "recalibrated gauges", one)
        assert (hits[0].kind, hits[0].ref) == ("block", "b1")
    assert search_blocks([], "", state) == []


# -- steering ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "want"),
    [
        ("u", ("request", "normal", None)),
        ("u t", ("reply", "normal", None)),
        ("u r", ("reasoning", "normal", None)),
        ("u c:a", ("tool-loop", "terse", None)),
        ("u c:a o:a " * 3, ("tool-loop", "terse", None)),
        ("u " + "c:a c:b o:b o:a " * 3, ("tool-loop", "terse", None)),
        ("u " + "r c:a o:a " * 4, ("tool-loop", "minimal", "medium")),
        ("u " + "t c:a o:a " * 7, ("tool-loop", "minimal", "medium")),
        ("u " + "c:a o:a " * 8, ("tool-loop", "minimal", "low")),
        ("u " + "c:a o:a " * 8 + "u", ("request", "normal", None)),
        ("u " + "c:a o:a " * 8 + "u c:a o:a", ("tool-loop", "terse", None)),
        ("", ("request", "normal", None)),
    ],
)
def test_output_steering(kit, spec, want):
    structure = structure_of(kit.history(spec))
    found = decide_output_steering(structure, enabled=True)
    assert (found.turn_class, found.verbosity, found.effort_clamp) == want
    off = decide_output_steering(structure)
    assert (off.turn_class, off.verbosity, off.effort_clamp) == (want[0], "normal", None)


# -- reports ----------------------------------------------------------------------------


def test_reports(kit):
    messages = kit.history("u t c:a:grep o:a:grep t u", size=90)
    state = kit.state_of(messages)
    state = apply_compression(
        [kit.span(state, messages, "m2", "m2", topic="first words")],
        messages,
        state,
        kit.open_config,
    ).state
    view = process_turn(messages, state, kit.open_config, render_tags="none")
    text = status_text(view.messages, view.state, kit.open_config)
    assert view_text(view.messages).count("[assistant") == 2
    assert "[tool tool-result grep]" in view_text(view.messages)
    assert "1 active of 1" in text
    assert "grep" in text
    assert "first words" in text
    assert "nudge.frequency" in text
    assert "1 %" in status_text(view.messages, view.state, Config(model_context_limit=10**9))
    assert recap(view.state).startswith("b1")
    assert (
        recap(view.state, view.messages, scope="ranges")
        .splitlines()[0]
        .startswith("m00001..m00001")
    )
    assert "grep" in recap(view.state, view.messages, scope="messages", tool="grep")


def test_a_blocks_size_is_its_own():
    blocks = [
        CompressionBlock("b1", "r1", 1, "one", ["a"], ["a"], compressed_tokens=100, active=False),
        CompressionBlock("b2", "r1", 2, "two", [], ["a"], ["b1"], compressed_tokens=7),
    ]
    assert "7 tokens before" in recap(CompressionState(blocks=blocks))


# -- visitors ---------------------------------------------------------------------------


class Drop(Visitor):
    def visit_reasoning(self, message):  # noqa: ARG002 - the shape of a visit
        return None


class Shout(Visitor):
    def visit_text(self, message):
        return with_text(message, message.text.upper())


def test_a_visitor_keeps_changes_and_leaves_out(kit):
    messages = kit.history("u r t c:a o:a")
    assert walk(messages, Visitor()) is messages
    assert [m.id for m in walk(messages, Drop())] == ["m1", "m3", "m4", "m5"]
    loud = walk(messages, Shout())
    assert [m.text[0] for m in loud] == ["U", "r", "T", "{", "o"]
    assert loud[1] is messages[1]


# -- counters and text --------------------------------------------------------------------

any_text = st.text(max_size=50)


@FIXED
@given(text=any_text, limit=st.integers(0, 60))
def test_cuts_and_lengths(text, limit):
    text = repair(text)
    assert units(text) == len(text.encode("utf-16-le")) // 2
    assert units(head(text, limit)) in (min(limit, units(text)), min(limit, units(text)) - 1)
    assert units(tail(text, limit)) in (min(limit, units(text)), min(limit, units(text)) - 1)


def test_rounding_is_half_up():
    assert [half_up(x) for x in (0.5, 1.5, 2.5, -0.5, 2.4)] == [1, 2, 3, 0, 2]
    assert [short_count(n) for n in (0, 999, 1000, 1250, 2250, 9949, 9950, 9999, 10000, 10500)] == [
        "0",
        "999",
        "1.0K",
        "1.3K",
        "2.3K",
        "9.9K",
        "9.9K",
        "10.0K",
        "10K",
        "11K",
    ]


def test_lone_surrogates_are_repaired():
    assert repair("a\ud83db") == "a\ufffdb"
    assert repair("🔥é") == "🔥é"


@FIXED
@given(text=any_text)
def test_counters_agree_on_nothing_and_never_fail(text):
    for counter in (count_tokens, count_words, cached(count_tokens)):
        assert (counter(text) > 0) == bool(text.strip() or (text and counter is not count_words))


def test_one_counter_serves_a_whole_turn(kit):
    calls = []

    def counter(text):
        calls.append(text)
        return 7

    result = process_turn(kit.history("u t"), ports=Ports(count_tokens=counter))
    assert set(result.state.token_snapshot.values()) == {7}
    assert result.nudge.context_breakdown.text == 14
    assert calls


def test_pictures_have_a_fixed_price():
    message = CoreMessage("a", "user", "text", "look", extra={"images": 2})
    assert process_turn([message]).nudge.context_breakdown.text == 2401


def test_the_byte_pair_counter_works_offline(monkeypatch):
    import socket

    def refuse(*_args, **_kwargs):
        raise OSError("no network in tests")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    count = bpe_counter()
    assert count("hello world") == 2
    assert count("<|endoftext|>") > 1
    assert count("x" * 100_001) == count_tokens("x" * 100_001)
