"""What people reported from the field: each report is tested as its whole kind.

The reports of kind `kernel` lie in `tests/cases/field-kernel.jsonl`; every one has a
test here that names its source.
"""

import itertools
import json
import re
from pathlib import Path

import pytest
from attrs import evolve

from kernel import (
    CompressionBlock,
    CompressionState,
    CompressRange,
    Config,
    CoreMessage,
    Ports,
    apply_compression,
    check,
    collect,
    process_turn,
    rebuild,
    retrieve,
)
from kernel.config import CompressConfig, TruncateConfig
from kernel.stages.emergency_truncate import MARKER, truncate
from kernel.text import head, tail
from kernel.wire import WIRES, decode, encode_value

CASES = Path(__file__).resolve().parents[1] / "cases" / "field-kernel.jsonl"


def view(messages, state=None, config=None, tokens=0, **more):
    return process_turn(messages, state, config, tokens, **more)


def ids(result):
    return [message.id for message in result.messages]


def codes(problems):
    return [problem.code for problem in problems]


def covering(*raws, **more):
    block = CompressionBlock("b1", "r1", 1, "what was folded", raws, raws, **more)
    return CompressionState(blocks=[block], next_block_id=2)


def test_every_report_has_a_test():
    sources = [json.loads(line)["source"] for line in CASES.read_text("utf-8").splitlines()]
    text = Path(__file__).read_text("utf-8")
    known = set(re.findall(r"[\w.-]+/[\w.-]+#\d+", text))
    for source in sources:
        assert any(name in known for name in re.findall(r"[\w.-]+/[\w.-]+#\d+", source)), source


# -- turns and pairs ------------------------------------------------------------------


def test_part_of_a_parallel_burst_folded(kit):
    """ranxianglei/acp-kernel#286: any part of a burst of up to three calls."""
    messages = kit.history("u c:g c:r o:r o:g u")
    state = kit.state_of(messages)
    applied = apply_compression(
        [kit.span(state, messages, "m3", "m4")], messages, state, kit.open_config
    )
    assert ids(view(messages, applied.state)) == ["m1", "acp_summary_b1", "m2", "m5", "m6"]
    for order in itertools.permutations("gra"):
        burst = kit.history("u c:g c:r c:a " + " ".join(f"o:{name}" for name in order) + " u")
        for size in range(1, 6):
            for chosen in itertools.combinations([m.id for m in burst[1:-1]], size):
                kit.judge(view(burst, covering(*chosen)).messages, burst, chosen)


def test_a_budget_cut_between_sibling_results(kit):
    """use-agent-os/agent-os#3170 and langchain-ai/langmem#126: no cut splits a turn."""
    messages = kit.history("u c:1 c:2 o:1 o:2 t u", size=200)
    state = kit.state_of(messages)
    for start, end in itertools.combinations(range(len(messages)), 2):
        item = kit.span(state, messages, messages[start].id, messages[end].id)
        applied = apply_compression([item], messages, state, kit.open_config)
        effective = set(applied.state.blocks[-1].effective_message_ids)
        turn = {"m2", "m3", "m4", "m5"}
        assert not effective & turn or turn <= effective
        kit.judge(view(messages, applied.state).messages, messages)


def test_a_kept_result_keeps_its_call(kit):
    """langchain-ai/langchain#34282: the zone of the last messages never splits a pair."""
    messages = kit.history("u t t c:z o:z t")
    for keep in range(7):
        config = evolve(kit.open_config, preserve_recent_messages=keep)
        state = kit.state_of(messages, config)
        item = kit.span(state, messages, "m2", "m6")
        applied = apply_compression([item], messages, state, config)
        if not applied.state.blocks:
            continue
        effective = set(applied.state.blocks[0].effective_message_ids)
        assert ("m4" in effective) == ("m5" in effective)
        kit.judge(view(messages, applied.state, config).messages, messages, keep)


def test_a_call_without_result_is_closed_or_dropped(kit):
    """HKUDS/OpenHarness#191: at the live end a wire closes it, elsewhere it goes."""
    live = kit.history("u t u c:x")
    result = view(live)
    assert ids(result) == ["m1", "m2", "m3", "m4"]
    for wire in WIRES:
        assert check(wire, encode_value(result.messages, None, wire), had_user=True) == []
    left = kit.history("u c:x u t")
    assert ids(view(left)) == ["m1", "m3", "m4"]


def test_a_running_call_is_never_folded(kit):
    """Tarquinen/opencode-dynamic-context-pruning#170: nor its turn, whatever the range."""
    for spec in ("u c:a", "u t c:a c:b o:b", "u r c:a", "u c:x o:x r c:a c:b o:a"):
        messages = kit.history(spec)
        state = kit.state_of(messages)
        shown = ids(view(messages))
        for start, end in itertools.combinations_with_replacement(range(len(messages)), 2):
            item = kit.span(state, messages, messages[start].id, messages[end].id)
            applied = apply_compression([item], messages, state, kit.open_config)
            running = {m.id for m in messages if m.tool_call_id == "a"}
            for block in applied.state.blocks:
                assert not running & set(block.effective_message_ids)
            after = ids(view(messages, applied.state))
            assert running & set(shown) <= set(after)
    applied = apply_compression(
        [kit.span(kit.state_of(kit.history("u c:a")), kit.history("u c:a"), "m1", "m2")],
        kit.history("u c:a"),
        kit.state_of(kit.history("u c:a")),
        kit.open_config,
    )
    assert codes(applied.result.warnings) == ["WARN_IN_FLIGHT_EXCLUDED"]


def test_one_result_per_call(kit):
    """bastani-inc/atomic#2051: however often a host repeats one."""
    messages = kit.history("u c:a c:b o:a o:b o:a o:b u")
    result = view(messages)
    assert ids(result) == ["m1", "m2", "m3", "m4", "m5", "m8"]
    kit.judge(result.messages, messages)


def test_hidden_results_are_reported_as_hidden(kit):
    """HKUDS/Vibe-Trading#1350: what is not in view can be told from what is, and fetched."""
    messages = kit.history("u c:q o:q c:q o:q t")
    state = evolve(kit.state_of(messages), blocks=covering("m2", "m3").blocks)
    result = view(messages, state)
    shown = {message.id for message in result.messages}
    stored = result.content_store.entries
    refs = result.state.message_refs.by_raw
    assert {refs["m2"], refs["m3"]} == set(stored)
    assert not {message.id for message in stored.values()} & shown
    assert retrieve(result.content_store, refs["m3"]).message.text.endswith(messages[2].text)
    assert not retrieve(result.content_store, refs["m5"]).found


# -- protection -------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", ["skill", "sk*", None])
def test_protection_holds_in_both_id_lists(kit, pattern):
    """ranxianglei/acp-kernel#32: by name, by prefix, by predicate; and effective = direct + children."""
    messages = kit.history("u t c:s:skill o:s:skill t c:f o:f t u")
    messages = tuple(evolve(m, tool_name=None) if m.id == "m4" else m for m in messages)
    ports = Ports(is_protected=lambda name: name == "skill") if pattern is None else Ports()
    config = evolve(kit.open_config, protected_tools=(pattern,) if pattern else ())
    state = process_turn(messages, None, config, 0, ports=ports).state
    item = kit.span(state, messages, "m1", "m8")
    applied = apply_compression([item], messages, state, config, ports=ports)
    block = applied.state.blocks[0]
    assert not {"m3", "m4"} & {*block.effective_message_ids, *block.direct_message_ids}
    assert set(block.effective_message_ids) == set(block.direct_message_ids)
    result = process_turn(messages, applied.state, config, 0, ports=ports)
    assert {"m3", "m4"} <= set(ids(result))


def test_effective_is_direct_and_the_children(kit):
    """ranxianglei/acp-kernel#32: over chains of folds."""
    messages = kit.history("u t t u t t u t t u")
    state = kit.state_of(messages)
    for start, end in (("m2", "m3"), ("m5", "m6"), ("m2", "m8")):
        applied = apply_compression(
            [kit.span(state, messages, start, end)], messages, state, kit.open_config
        )
        state = applied.state
    by_id = {block.block_id: block for block in state.blocks}
    for block in state.blocks:
        inherited = {
            raw for child in block.direct_block_ids for raw in by_id[child].effective_message_ids
        }
        assert set(block.effective_message_ids) == set(block.direct_message_ids) | inherited


def test_zero_preserves_nothing(kit):
    """ranxianglei/opencode-acp#201: and N preserves the last N and the last user message."""
    messages = kit.history("u t u")
    for keep, hidden in ((0, {"m1", "m2", "m3"}), (1, {"m1", "m2"}), (2, {"m1"}), (3, set())):
        config = evolve(kit.open_config, preserve_recent_messages=keep)
        state = kit.state_of(messages, config)
        applied = apply_compression(
            [kit.span(state, messages, "m1", "m3")], messages, state, config
        )
        found = {raw for b in applied.state.blocks for raw in b.effective_message_ids}
        assert found == hidden, keep
    loop = kit.history("u t u c:a o:a c:b o:b c:c o:c")
    config = evolve(kit.open_config, preserve_recent_messages=1)
    state = kit.state_of(loop, config)
    applied = apply_compression([kit.span(state, loop, "m1", "m9")], loop, state, config)
    assert "m3" not in applied.state.blocks[0].effective_message_ids


# -- compress calls and answers ----------------------------------------------------------


@pytest.mark.parametrize("failures", range(6))
def test_the_newest_two_failed_calls_stay_visible(failures):
    """ranxianglei/acp-kernel#104: so that a model sees that repeating does not help."""
    messages = [CoreMessage("u1", "user", "text", "go")]
    for number in range(failures):
        messages += [
            CoreMessage(f"a{number}", "assistant", "tool-call", "{}", "compress", f"k{number}"),
            CoreMessage(f"t{number}", "tool", "tool-result", "error", "compress", f"k{number}"),
        ]
    shown = set(ids(view(messages)))
    newest = range(max(0, failures - 2), failures)
    assert shown == {"u1", *(f"{x}{n}" for n in newest for x in "at")}


def test_a_range_already_folded_is_called_that(kit):
    """ranxianglei/acp-kernel#66: labelled, with the live block, never "add more"."""
    messages = kit.history("u t t t t", size=40)
    config = evolve(kit.open_config, compress=CompressConfig(100, 20000, 50))
    state = kit.state_of(messages, config)
    good = kit.span(state, messages, "m2", "m5", "s" * 60)
    state = apply_compression([good], messages, state, config).state
    again = evolve(good, summary="only twenty-two chars")
    raw = apply_compression([again], messages, state, config)
    (error,) = raw.result.errors
    assert error.code == "EMPTY_REWRAP"
    assert error.params["blocks"] == ["b1"]
    assert error.range == (again.start_ref, again.end_ref)
    pruned = view(messages, state, config, render_tags="none").messages
    (error,) = apply_compression([again], pruned, state, config).result.errors
    assert error.code == "GATE_ALREADY_COMPRESSED"
    assert error.params["liveSpan"] == ["b1", "b1"]


def test_unknown_refs_are_called_unknown_and_refs_never_move(kit):
    """ranxianglei/acp-kernel#96: and #137."""
    messages = kit.history("u t t u t t", size=30)
    config = Config()
    state = kit.state_of(messages, config)
    before = dict(state.message_refs.by_raw)
    wrong = CompressRange("m00090", "m00095", "s" * 60)
    applied = apply_compression([wrong, wrong], messages, state, config)
    assert codes(applied.result.errors) == ["GATE_ALL_UNKNOWN", "UNKNOWN_REF", "UNKNOWN_REF"]
    applied = apply_compression(
        [kit.span(state, messages, "m2", "m3")], messages, state, kit.open_config
    )
    later = view((*messages, *kit.history("u t")[:0]), applied.state).state.message_refs.by_raw
    assert {raw: later[raw] for raw in before} == before


def test_the_same_refusal_twice_is_final(kit):
    """ranxianglei/acp-kernel#104: the second identical refusal says so."""
    messages = kit.history("u t t u")
    state = kit.state_of(messages, Config())
    item = kit.span(state, messages, "m2", "m3", "s" * 60)
    first = apply_compression([item], messages, state, Config())
    second = apply_compression([item], messages, state, Config(), rejections=first.rejections)
    assert first.result.errors[0].code == "GATE_TOO_SMALL"
    assert "terminal" not in first.result.errors[0].params
    assert second.result.errors[0].params["terminal"] is True
    assert first.state is state
    many = first.rejections
    for number in range(20):
        other = evolve(
            item, end_ref="m00002", start_ref=f"m0000{1 + number % 2}", summary=str(number)
        )
        many = apply_compression(
            [other, item][: 1 + number % 2], messages, state, Config(), rejections=many
        ).rejections
    assert len(many) <= 8


def test_a_failed_range_leaves_no_trace(kit):
    """ranxianglei/opencode-acp#125: each range lands whole or not at all, and no view is empty."""
    messages = kit.history("u t u t u")
    state = kit.state_of(messages)
    bad = [
        kit.span(state, messages, "m4", "m4", " "),
        CompressRange("m00099", "m00002", "x"),
        CompressRange("nonsense", "m00002", "x"),
    ]
    for broken in bad:
        applied = apply_compression(
            [kit.span(state, messages, "m2", "m2"), broken], messages, state, kit.open_config
        )
        alone = apply_compression(
            [kit.span(state, messages, "m2", "m2")], messages, state, kit.open_config
        )
        assert applied.state.blocks == alone.state.blocks
        assert len(applied.result.errors) == 1
        nothing = apply_compression([broken], messages, state, kit.open_config)
        assert evolve(nothing.state, next_run_id=state.next_run_id) == state
        kit.judge(view(messages, nothing.state).messages, messages)


@pytest.mark.parametrize(
    "gone", [[], ["call"], ["m2"], ["m2", "m3", "m4"], ["call", "m2", "m3", "m4"]]
)
def test_coverage_is_decided_by_ids_not_by_the_calls_message(kit, gone):
    """ranxianglei/opencode-acp#145: the summary once and the rest hidden, or all raw; never both."""
    call = CoreMessage("call", "assistant", "tool-call", "{}", "compress", "k1")
    done = CoreMessage("done", "tool", "tool-result", "ok", "compress", "k1")
    history = (*kit.history("u t t t u"), call, done)
    state = covering("m2", "m3", "m4", compress_call_id="k1")
    left = [m for m in history if m.id not in gone and not (m.id == "done" and "call" in gone)]
    result = view(left, state)
    shown = ids(result)
    folded = {"m2", "m3", "m4"} & {m.id for m in left}
    if folded:
        assert shown.count("acp_summary_b1") == 1
        assert not folded & set(shown)
    else:
        assert "acp_summary_b1" not in shown
    kit.judge(result.messages, left, gone)


def test_a_fork_gets_its_blocks_back(kit):
    """ranxianglei/opencode-acp#89: from the compress calls in the history, whatever the raw ids."""
    content = [{"startId": "m00002", "endId": "m00003", "summary": "the middle, folded"}]
    call = CoreMessage(
        "k", "assistant", "tool-call", json.dumps({"content": content}), "compress", "K"
    )
    done = CoreMessage("d", "tool", "tool-result", "ok", "compress", "K")
    history = (*kit.history("u t t u"), call, done, CoreMessage("e", "user", "text", "on"))
    forked = [evolve(m, id=f"fork-{m.id}") for m in history]
    first, second = rebuild(history, kit.open_config), rebuild(forked, kit.open_config)
    assert first.blocks_rebuilt == second.blocks_rebuilt == 1
    left = view(history, first.state, kit.open_config).messages
    right = view(forked, second.state, kit.open_config).messages
    assert [m.text for m in left] == [m.text for m in right]


def test_overlaps_skip_the_later_range(kit):
    """ranxianglei/acp-kernel#55: in any order of listing."""
    messages = kit.history("u t t t t t u t t u")
    state = kit.state_of(messages)
    spans = [("m1", "m4"), ("m3", "m6"), ("m8", "m9")]
    for order in itertools.permutations(spans):
        items = [kit.span(state, messages, *span) for span in order]
        applied = apply_compression(items, messages, state, kit.open_config)
        assert applied.result.blocks_created == 2
        assert codes(applied.result.warnings) == ["WARN_OVERLAP_SKIPPED"]
        assert {b.end_ref for b in applied.state.blocks} == {"m00004", "m00009"}


@pytest.mark.parametrize(
    "summary",
    [
        "",
        "  \n",
        "Error generating summary: rate limit",
        "openai.RateLimitError: 429",
        "Traceback (most recent call last):\n x",
    ],
)
def test_a_failed_summary_changes_nothing(kit, summary):
    """langchain-ai/langchain#38867: nor does a call without ranges, Aider-AI/aider#5689."""
    messages = kit.history("u t t u")
    state = kit.state_of(messages)
    applied = apply_compression(
        [kit.span(state, messages, "m2", "m3", summary)], messages, state, kit.open_config
    )
    assert applied.result.errors
    assert not applied.state.blocks
    assert ids(view(messages, applied.state)) == ids(view(messages, state))
    nothing = apply_compression([], messages, state, kit.open_config)
    assert nothing.result.blocks_created == 0
    assert not nothing.result.errors
    assert ids(view(messages, nothing.state)) == ids(view(messages, state))


def test_a_summary_may_speak_of_errors(kit):
    """langchain-ai/langchain#38867: the other side of the kind."""
    messages = kit.history("u t t u")
    state = kit.state_of(messages)
    item = kit.span(state, messages, "m2", "m3", "Error handling was moved into the retry loop.")
    assert apply_compression([item], messages, state, kit.open_config).result.blocks_created == 1


def test_a_window_without_a_user_is_folded_with_the_given_summary(kit):
    """langchain-ai/langchain#39261"""
    messages = kit.history("u c:1 o:1 c:2 o:2 c:3 o:3")
    state = kit.state_of(messages)
    item = kit.span(state, messages, "m2", "m5", "two reads, both fine")
    applied = apply_compression([item], messages, state, kit.open_config)
    result = view(messages, applied.state)
    assert ids(result) == ["m1", "acp_summary_b1", "m6", "m7"]
    assert result.messages[1].text.endswith("two reads, both fine")


def test_a_fold_that_repeats_what_it_took_in_is_noted(kit):
    """adolfousier/opencrabs#1649"""
    messages = kit.history("u t t u t u")
    state = kit.state_of(messages)
    state = apply_compression(
        [kit.span(state, messages, "m2", "m3", "first part told")], messages, state, kit.open_config
    ).state
    item = kit.span(state, messages, "m2", "m5", "first part told, then the second")
    applied = apply_compression([item], messages, state, kit.open_config)
    assert codes(applied.result.notes) == ["NOTE_SUMMARY_REPEATS"]
    fresh = apply_compression([evolve(item, summary="all of it")], messages, state, kit.open_config)
    assert fresh.result.notes == ()


def test_the_newest_user_message_comes_after_the_summary(kit):
    """charmbracelet/crush#2551: and the summary says what it is."""
    messages = kit.history("u t t u")
    for end in ("m2", "m3"):
        state = kit.state_of(messages)
        applied = apply_compression(
            [kit.span(state, messages, "m1", end)], messages, state, kit.open_config
        )
        result = view(messages, applied.state)
        assert result.messages[-1].id == "m4"
        assert result.messages[0].text.startswith("[Compressed conversation section]")


# -- stable bytes -------------------------------------------------------------------------


def test_sent_bytes_do_not_change(kit):
    """ranxianglei/opencode-acp#26: over a growing history, with large outputs."""
    messages = kit.history("u c:1 o:1 u t r c:2 c:3 o:3 o:2 t u", size=10_000)
    state, store, before = None, None, []
    for count in (1, 4, 5, 11, 12):
        result = view(messages[:count], state, None, count * 3000, content_store=store)
        texts = [(m.id, m.text) for m in result.messages]
        assert texts[: len(before)] == before
        state, store, before = result.state, result.content_store, texts


def test_nothing_is_injected_below_the_threshold(kit):
    """Tarquinen/opencode-dynamic-context-pruning#410: and reminders never enter the view."""
    messages = kit.history("u t t u t t")
    result = view(messages, None, Config(), 500, render_tags="none")
    assert list(result.messages) == list(messages)
    loud = view(
        messages, None, evolve(kit.open_config, model_context_limit=100), 99, render_tags="none"
    )
    assert loud.nudge.should_inject
    assert list(loud.messages) == list(messages)


def test_a_turn_over_its_own_view_changes_nothing(kit):
    """Tarquinen/opencode-dynamic-context-pruning#117"""
    messages = kit.history("u t c:a o:a r t u c:b o:b t u")
    state = kit.state_of(messages)
    state = apply_compression(
        [kit.span(state, messages, "m2", "m6")], messages, state, kit.open_config
    ).state
    first = view(messages, state, kit.open_config)
    second = view(first.messages, first.state, kit.open_config)
    third = view(second.messages, second.state, kit.open_config)
    assert list(second.messages) == list(first.messages) == list(third.messages)


# -- overflow and cuts ----------------------------------------------------------------------


def test_nothing_to_drop_means_one_report_and_no_reminder(kit):
    """OpenHands/OpenHands#10873: an overflow no fold can mend."""
    messages = kit.history("s u t")
    config = Config(model_context_limit=1000)
    state = None
    for _ in range(3):
        result = view(messages, state, config, 1500)
        assert not result.nudge.should_inject
        assert result.overflow.tokens_over == 500
        state = result.state
    assert result.overflow.irreducible_tokens > 0


@pytest.mark.parametrize("covered", [False, True])
def test_a_first_message_larger_than_the_window_ends_the_turn(covered):
    """cline/cline#5668: never cut, reported, and no reminder asks to fold it."""
    messages = [
        CoreMessage("u1", "user", "text", "task " * 80_000),
        CoreMessage("a1", "assistant", "text", "ok"),
    ]
    messages += [CoreMessage(f"a{n}", "assistant", "text", "words " * 2000) for n in range(2, 9)]
    config = Config(model_context_limit=50_000)
    result = view(messages, covering("u1") if covered else None, config, 110_000)
    assert result.overflow.irreducible_tokens == 100_000
    assert not result.nudge.should_inject
    assert result.nudge.reason.code == "IRREDUCIBLE"
    pinned = next(m for m in result.messages if m.id == "u1")
    assert pinned.text.endswith(messages[0].text)


def test_a_picture_pins_nothing(kit):
    """CommandCodeAI/command-code#767: a second fold progresses or is refused once."""
    messages = kit.history("u t u t u t u")
    messages = tuple(evolve(m, extra={"images": 1}) if m.id == "m1" else m for m in messages)
    state = kit.state_of(messages)
    hidden = []
    for end in ("m3", "m5"):
        applied = apply_compression(
            [kit.span(state, messages, "m1", end)], messages, state, kit.open_config
        )
        state = applied.state
        hidden.append(len(ids(view(messages, state))))
    assert hidden[1] < hidden[0]


def test_a_pictures_cost_does_not_depend_on_its_encoding():
    """markusylisiurunen/tau#452 and vllm-project/agentic-api#255"""

    def body(size):
        source = {"type": "base64", "media_type": "image/png", "data": "A" * size}
        return {
            "messages": [
                {"role": "user", "content": "look"},
                {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "t", "name": "shot", "input": {}}],
                },
                {
                    "role": "user",
                    "content": [
                        {
                            "type": "tool_result",
                            "tool_use_id": "t",
                            "content": [{"type": "image", "source": source}],
                        }
                    ],
                },
            ]
        }

    def total(size):
        history = decode("anthropic", body(size))
        return view(history.messages).nudge.context_breakdown.tool

    assert total(100) == total(5_000_000)
    assert 1200 <= total(100) < 1300


def test_truncation_leaves_reasoning_alone(kit):
    """openclaw/openclaw#97645: signed bytes go whole or stay whole."""
    messages = [
        CoreMessage("u", "user", "text", "go"),
        CoreMessage("r", "assistant", "reasoning", "think " * 5000, extra={"signature": "S"}),
        CoreMessage("c", "assistant", "tool-call", '{"q":1}', "fetch", "K"),
        CoreMessage("o", "tool", "tool-result", "data " * 5000, "fetch", "K"),
        *kit.history("t t t t t u"),
    ]
    config = Config(model_context_limit=10_000, truncate=TruncateConfig(0.5))
    result = view(messages, None, config, 12_000, render_tags="none")
    by_id = {m.id: m for m in result.messages}
    assert by_id["r"] == messages[1]
    assert by_id["c"] == messages[2]
    assert len(by_id["o"].text) < len(messages[3].text)
    (effect,) = result.effects
    before = sum(len(m.text.encode()) for m in messages[:3])
    assert effect.first_byte == before + 2000


@pytest.mark.parametrize("text", ["xxxxx🔥", "🔥" * 9, "x" + "🔥" * 9, "a🔥b" * 5])
def test_no_cut_splits_a_code_point(text):
    """vertesia/llumiverse#462 and anthropics/claude-code#56064"""
    for limit in range(12):
        for part in (head(text, limit), tail(text, limit)):
            part.encode()
            assert len(part.encode("utf-16-le")) // 2 <= limit
        assert text.startswith(head(text, limit))
        assert text.endswith(tail(text, limit))


def test_a_cut_output_is_valid_text_and_never_cut_again():
    """vertesia/llumiverse#462: also with surrogates broken on input."""
    text = "🔥" * 3000 + "x" + "🔥" * 3000
    messages = [
        CoreMessage("u", "user", "text", "go \ud83d"),
        CoreMessage("c", "assistant", "tool-call", "{}", "fetch", "K"),
        CoreMessage("o", "tool", "tool-result", text, "fetch", "K"),
        CoreMessage("t", "assistant", "text", "end"),
    ]
    config = Config(model_context_limit=1000, preserve_recent_messages=0)
    cut, _, saved = truncate(messages, config, 5000, Ports())
    assert saved > 0
    assert MARKER.search(cut[2].text)
    cut[2].text.encode()
    again, indices, _ = truncate(cut, config, 5000, Ports())
    assert again is cut
    assert indices == []
    for message in view(messages).messages:
        message.text.encode()


def test_collect_shows_what_a_block_hides(kit):
    """ranxianglei/opencode-acp#126: a fold can always be read back."""
    messages = kit.history("u t c:a o:a u")
    state = kit.state_of(messages)
    state = apply_compression(
        [kit.span(state, messages, "m2", "m4")], messages, state, kit.open_config
    ).state
    found = collect("b1", state, messages)
    assert found.count == 3
    assert all(message.text in found.text for message in messages[1:4])
