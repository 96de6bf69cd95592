"""The stages and what is better here than in the recorded kernel."""

import pytest
from attrs import evolve

from kernel import (
    STAGES,
    CompressionBlock,
    CompressionState,
    CompressRange,
    Config,
    CoreMessage,
    Ports,
    Stage,
    added,
    apply_compression,
    decompress,
    dropped,
    parse_boundary,
    process_turn,
    release,
    replaced,
    resolve_boundaries,
    retrieve,
    undo,
    validate_config,
)
from kernel.config import (
    ADVISORY,
    CompressConfig,
    FilterConfig,
    MergeConfig,
    NudgeConfig,
    TierConfig,
)
from kernel.query import status
from kernel.stages.emergency_truncate import MARKER, marker
from kernel.stages.filter_messages import Filter, register
from kernel.state import MessageRefs, ref_name
from kernel.text import units


def ids(result):
    return [message.id for message in result.messages]


def block(name, *raws, **more):
    return CompressionBlock(
        name, "r1", more.pop("tier", 1), more.pop("summary", f"sum {name}"), raws, raws, **more
    )


def state_with(*blocks, **more):
    return CompressionState(blocks=blocks, next_block_id=len(blocks) + 1, **more)


def test_the_canonical_order():
    assert [stage.name for stage in STAGES] == [
        "assign-refs",
        "sync-blocks",
        "merge-blocks",
        "prune",
        "ccr-store",
        "filter",
        "hide-compress-calls",
        "nudge-inject",
        "emergency-truncate",
        "render-refs",
    ]


def test_a_host_adds_replaces_and_drops_stages(kit):
    messages = kit.history("u t c:a o:a t u")

    def without_calls(turn, _context):
        return evolve(turn, messages=[m for m in turn.messages if m.content_type != "tool-call"])

    mine = Stage("mine", without_calls)
    for stages in (
        added(mine, side="after", name="prune"),
        added(mine, side="before", name="render-refs"),
    ):
        result = process_turn(messages, stages=stages)
        assert ids(result) == ["m1", "m2", "m5", "m6"]  # the results went with their calls
        kit.judge(result.messages, messages)
    bare = process_turn(messages, stages=dropped("render-refs"))
    assert list(bare.messages) == list(messages)
    shouting = Stage(
        "render-refs",
        lambda turn, _context: evolve(
            turn, messages=[evolve(m, text=(m.text or "").upper()) for m in turn.messages]
        ),
        sound=True,
    )
    loud = process_turn(messages, stages=replaced("render-refs", shouting))
    assert loud.messages[0].text.startswith("U 1")
    with pytest.raises(KeyError, match="assign-refs"):
        dropped("no such stage")


def test_dropping_the_nudge_stage_still_gives_a_decision(kit):
    result = process_turn(kit.history("u t"), stages=dropped("nudge-inject"))
    assert not result.nudge.should_inject
    assert result.state.nudge == CompressionState().nudge


# -- refs -------------------------------------------------------------------------------


def test_refs_go_on_beyond_99999():
    refs = {f"old{n}": ref_name(n) for n in (99_998, 99_999)}
    state = CompressionState(
        message_refs=MessageRefs(refs, {ref: raw for raw, ref in refs.items()})
    )
    messages = [
        CoreMessage("u", "user", "text", "go"),
        CoreMessage("a", "assistant", "text", "x"),
        CoreMessage("b", "assistant", "text", "y"),
    ]
    result = process_turn(messages, state)
    assert [result.state.message_refs.by_raw[m.id] for m in messages] == [
        "m100000",
        "m100001",
        "m100002",
    ]
    assert "m100001</acp>" in result.messages[1].text
    found = resolve_boundaries("M100001", "m100002", messages, result.state)
    assert (found.start_index, found.end_index) == (1, 2)
    item = CompressRange("m100001", "m100002", "far into a long session")
    applied = apply_compression(
        [item],
        messages,
        result.state,
        Config(
            compress=CompressConfig(0, 0, 0), preserve_recent_messages=0, preserve_recent_tokens=0
        ),
    )
    view = process_turn(messages, applied.state)
    assert ids(view) == ["u", "acp_summary_b1"]
    again = process_turn(view.messages, view.state)
    assert list(again.messages) == list(view.messages)
    assert parse_boundary("m100000") is None
    assert parse_boundary("m100000", 100_000).numeric_id == 100_000


def test_a_hundred_thousand_messages_take_refs():
    messages = [
        CoreMessage(f"x{n}", "user" if n % 2 == 0 else "assistant", "text", "w")
        for n in range(100_010)
    ]
    result = process_turn(messages)
    assert result.state.message_refs.by_raw["x100009"] == "m100010"
    assert result.messages[-1].text == '<acp tokens="1" type="text">m100010</acp>\nw'


def test_what_the_kernel_made_takes_no_ref():
    store_message = CoreMessage("acp_retrieved_m00002", "system", "text", "x")
    host = CoreMessage("acp_summary_mine", "assistant", "text", "a host's own id")
    result = process_turn([CoreMessage("u", "user", "text", "go"), store_message, host])
    assert set(result.state.message_refs.by_raw) == {"u", "acp_summary_mine"}
    assert result.messages[1] is store_message


def test_a_host_id_with_the_reserved_prefix_is_ordinary_content(kit):
    messages = (
        CoreMessage("u", "user", "text", "go"),
        CoreMessage("acp_summary_b9", "assistant", "text", "mine"),
        CoreMessage("v", "user", "text", "on"),
    )
    state = kit.state_of(messages)
    applied = apply_compression(
        [kit.span(state, messages, "acp_summary_b9", "acp_summary_b9")],
        messages,
        state,
        kit.open_config,
    )
    assert applied.state.blocks[0].effective_message_ids == ("acp_summary_b9",)


@pytest.mark.parametrize("strategy", ["all", "text-only", "none"])
def test_render_strategies(kit, strategy):
    messages = kit.history("u r t c:a o:a")
    result = process_turn(messages, render_tags=strategy)
    tagged = {m.content_type for m in result.messages if (m.text or "").startswith("<acp ")}
    want = {
        "all": {"text", "reasoning", "tool-call", "tool-result"},
        "text-only": {"text"},
        "none": set(),
    }
    assert tagged == want[strategy]
    assert len(result.state.message_refs.by_raw) == 5


def test_token_figures_are_frozen(kit):
    messages = kit.history("u t")
    first = process_turn(messages)
    longer = (messages[0], evolve(messages[1], text="much longer " * 50))
    second = process_turn(longer, first.state, ports=Ports(count_tokens=len))
    assert second.messages[1].text.split("\n")[0] == first.messages[1].text.split("\n")[0]
    gone = process_turn(messages[:1], second.state)
    assert set(gone.state.token_snapshot) == {"m00001"}


# -- blocks -----------------------------------------------------------------------------


def test_the_first_active_block_keeps_an_id(kit):
    messages = kit.history("u t t t u")
    state = state_with(block("b1", "m2", "m3"), block("b2", "m3", "m4"), block("b3", "m2"))
    result = process_turn(messages, state)
    by_id = {b.block_id: b for b in result.state.blocks}
    assert by_id["b2"].effective_message_ids == ("m4",)
    assert not by_id["b3"].active
    assert len(result.diagnostics) == 2
    assert ids(result) == ["m1", "acp_summary_b1", "acp_summary_b2", "m5"]
    assert process_turn(messages, result.state).diagnostics == ()


@pytest.mark.parametrize("cascade", [False, True])
def test_a_release_stays_released(kit, cascade):
    messages = kit.history("u t t t t u")
    state = kit.state_of(messages)
    for start, end in (("m2", "m3"), ("m4", "m5")):
        state = apply_compression(
            [kit.span(state, messages, start, end)], messages, state, kit.open_config
        ).state
    state = apply_compression(
        [CompressRange("b1", "b2", "both parts")], messages, state, kit.open_config
    ).state
    assert ids(process_turn(messages, state, kit.open_config)) == ["m1", "acp_summary_b3", "m6"]
    state = release("b3", state, cascade=cascade)
    for _ in range(3):
        result = process_turn(messages, state, kit.open_config)
        want = (
            ["m1", "m2", "m3", "m4", "m5", "m6"]
            if cascade
            else ["m1", "acp_summary_b1", "acp_summary_b2", "m6"]
        )
        assert ids(result) == want
        state = result.state
    assert decompress("b3", state).released
    assert release("b9", state) is state


def test_undo_takes_the_last_fold_back(kit):
    messages = kit.history("u t t t t u")
    states = [kit.state_of(messages)]
    for start, end in (("m2", "m2"), ("m3", "m3")):
        item = kit.span(states[-1], messages, start, end)
        states.append(apply_compression([item], messages, states[-1], kit.open_config).state)
    both = [kit.span(states[-1], messages, "m4", "m4"), CompressRange("b1", "b2", "both")]
    states.append(apply_compression(both, messages, states[-1], kit.open_config).state)
    state = states[-1]
    for before, lost in zip(states[-2::-1], (("b3", "b4"), ("b2",), ("b1",)), strict=True):
        undone = undo(state)
        state = undone.state
        assert undone.block_ids == lost
        assert state.blocks == before.blocks
        assert state.stats == before.stats
        assert ids(process_turn(messages, state, kit.open_config)) == ids(
            process_turn(messages, before, kit.open_config)
        )
    assert undo(state).block_ids == ()


def test_merging_loses_no_word(kit):
    messages = kit.history("u t t t t t u")
    old = {"generation": "old", "survived_count": 9, "compressed_tokens": 7}
    state = state_with(
        block("b1", "m2", topic="one", **old),
        block("b2", "m4", summary="  sum b2\n", **old),
        block("b10", "m6", topic="ten", tier=2, **old),
        block("b3", "m5", summary="x" * 4000, **old),
    )
    result = process_turn(messages, state)
    new = result.state.blocks[-1]
    assert new.direct_block_ids == ("b1", "b2", "b10")
    assert new.summary == "sum b1\n\n---\n\nsum b2\n\n---\n\nsum b10"
    assert (new.tier, new.generation, new.compressed_tokens, new.topic) == (
        1,
        "old",
        21,
        "one; ten",
    )
    assert ids(result) == ["m1", f"acp_summary_{new.block_id}", "m3", "acp_summary_b3", "m7"]
    (effect,) = result.effects
    assert (effect.stage, effect.count) == ("merge-blocks", 3)
    assert effect.first_byte == len(result.messages[0].text.encode())
    assert process_turn(messages, result.state).effects == ()


def test_merging_waits_for_enough_blocks_that_fit(kit):
    messages = kit.history("u t t t u")
    old = {"generation": "old", "survived_count": 9}
    two = state_with(block("b1", "m2", **old), block("b2", "m3", **old))
    assert process_turn(messages, two).effects == ()
    long = state_with(*(block(f"b{n}", f"m{n + 1}", summary="x" * 1400, **old) for n in (1, 2, 3)))
    assert process_turn(messages, long).effects == ()
    config = Config(merge=MergeConfig(max_summary_length=5000))
    assert process_turn(messages, long, config).effects != ()


def test_blocks_grow_old_and_are_never_dropped(kit):
    messages = kit.history("u t u")
    state = state_with(block("b1", "m2"))
    for turn in range(1, 30):
        result = process_turn(messages, state)
        state = result.state
        assert state.blocks[0].survived_count == turn
        assert (state.blocks[0].generation == "old") == (turn >= 5)
        assert "acp_summary_b1" in ids(result)


# -- store and retrieve -------------------------------------------------------------------


def test_what_was_folded_can_be_retrieved(kit):
    messages = kit.history("u t c:a o:a t u")
    state = state_with(block("b1", "m2", "m3", "m4"))
    result = process_turn(messages, state)
    store = result.content_store
    assert list(store.entries) == ["m00002", "m00003", "m00004"]
    assert all(store.entries[ref] is messages[n] for n, ref in enumerate(store.entries, 1))
    again = process_turn(messages, result.state, content_store=store)
    assert again.content_store is store
    for spelling in ("m00004", "m4", " M4 "):
        found = retrieve(store, spelling)
        assert found.found
        assert found.message.id == "acp_retrieved_m00004"
        assert messages[3].text in found.message.text
    for wrong in ("m00001", "m00099", "b1", "", "nonsense"):
        found = retrieve(store, wrong)
        assert not found.found
        assert found.message is None
        assert found.ack


def test_a_retrieved_message_is_never_folded(kit):
    messages = kit.history("u t t u")
    state = kit.state_of(messages)
    found = CoreMessage("acp_retrieved_m00002", "system", "text", "content")
    with_it = (*messages[:2], found, *messages[2:])
    applied = apply_compression(
        [kit.span(state, messages, "m2", "m3")], with_it, state, kit.open_config
    )
    assert applied.state.blocks[0].effective_message_ids == ("m2", "m3")
    result = process_turn(with_it, applied.state, kit.open_config)
    assert "acp_retrieved_m00002" in ids(result)
    assert "acp_retrieved_m00002" not in result.state.message_refs.by_raw


# -- filters --------------------------------------------------------------------------------


def filtering(*filters, **switches):
    config = Config(
        message_filters=FilterConfig(
            enabled=True, filters={n: {"enabled": v} for n, v in switches.items()}
        )
    )
    return {"config": config, "ports": Ports(filters=filters)}


def test_filters_chain_keep_the_last_and_fail_safely(kit):
    messages = kit.history("u t t r t")
    upper = Filter("upper", "1", lambda text, _message: text.upper())
    mark = Filter(
        "mark", "1", lambda text, message: text + "!" if message.role == "assistant" else None
    )
    broken = Filter("broken", "1", lambda _text, _message: 1 / 0)
    last = Filter(
        "last",
        "1",
        lambda text, message: text if message.role == "assistant" else None,
        "keep_last_only",
    )
    result = process_turn(messages, render_tags="none", **filtering(upper, broken, mark, last))
    assert [m.text.strip() for m in result.messages] == ["U 1", "", "", "r 4", "T 5 !"]
    assert result.messages[3] is messages[3]  # signed reasoning is nobody's to edit
    (effect,) = result.effects
    assert (effect.stage, effect.first_byte) == ("filter", 0)
    off = process_turn(messages, render_tags="none", **filtering(upper, upper=False))
    assert list(off.messages) == list(messages)
    none = process_turn(messages, render_tags="none", ports=Ports(filters=(upper,)))
    assert list(none.messages) == list(messages)


def test_a_filter_is_registered_in_one_version():
    first = Filter("f", "1", lambda text, _message: text)
    assert register(register((), first), first) == (first,)
    with pytest.raises(ValueError, match="version 1"):
        register((first,), evolve(first, version="2"))


# -- truncation --------------------------------------------------------------------------------


@pytest.mark.parametrize(("tokens", "size"), [(1000, 64), (9999, 64), (10000, 65), (99999, 65)])
def test_the_marker_has_its_size_and_is_recognised(tokens, size):
    assert units(marker(tokens)) == size
    assert MARKER.fullmatch(marker(tokens))[1] == str(tokens)


def test_truncation_takes_the_largest_first_and_stops(kit):
    messages = [CoreMessage("u", "user", "text", "go")]
    for number, size in enumerate((8_000, 40_000, 20_000)):
        messages += [
            CoreMessage(f"c{number}", "assistant", "tool-call", "{}", "f", f"k{number}"),
            CoreMessage(f"o{number}", "tool", "tool-result", "x" * size, "f", f"k{number}"),
        ]
    messages += kit.history("t t t t t")
    config = Config(model_context_limit=20_000)
    result = process_turn(messages, None, config, 19_500, render_tags="none")
    cut = [m.id for m in result.messages if MARKER.search(m.text or "")]
    assert cut == ["o1"]
    assert result.overflow is None
    severe = process_turn(messages, None, config, 60_000, render_tags="none")
    assert [m.id for m in severe.messages if MARKER.search(m.text or "")] == ["o0", "o1", "o2"]
    assert severe.overflow.tokens_over > 0
    assert severe.effects[0].first_byte == len("go{}") + 2000


# -- folding ------------------------------------------------------------------------------------


def test_widening_reaches_any_distance(kit):
    spec = (
        "u "
        + " ".join(f"c:k{n}" for n in range(40))
        + " "
        + " ".join(f"o:k{n}" for n in range(40))
        + " u"
    )
    messages = kit.history(spec)
    state = kit.state_of(messages)
    applied = apply_compression(
        [kit.span(state, messages, "m2", "m2")], messages, state, kit.open_config
    )
    assert len(applied.state.blocks[0].effective_message_ids) == 80


def test_widening_is_a_fixpoint_over_staggered_pairs(kit):
    messages = kit.history("u c:a c:b o:a c:c o:b c:d o:c c:e o:d t o:e u")
    state = kit.state_of(messages)
    applied = apply_compression(
        [kit.span(state, messages, "m2", "m2")], messages, state, kit.open_config
    )
    assert applied.state.blocks[0].effective_message_ids == tuple(f"m{n}" for n in range(2, 13))


def test_a_mixed_tier_range_leaves_the_other_tier_alone(kit):
    messages = kit.history("u t t t t t u")
    state = kit.state_of(messages)
    for start, end in (("m2", "m2"), ("m3", "m3")):
        state = apply_compression(
            [kit.span(state, messages, start, end)], messages, state, kit.open_config
        ).state
    state = apply_compression(
        [CompressRange("b1", "b2", "tier two")], messages, state, kit.open_config
    ).state
    state = apply_compression(
        [kit.span(state, messages, "m5", "m5")], messages, state, kit.open_config
    ).state
    applied = apply_compression(
        [CompressRange("b3", "b4", "mixed")], messages, state, kit.open_config
    )
    by_id = {b.block_id: b for b in applied.state.blocks}
    assert by_id["b3"].active
    assert not by_id["b4"].active
    assert by_id["b5"].effective_message_ids == ("m4", "m5")
    view = ids(process_turn(messages, applied.state, kit.open_config))
    assert view == ["m1", "acp_summary_b3", "acp_summary_b5", "m6", "m7"]


def test_folding_only_the_pinned_message_is_noted(kit):
    messages = kit.history("u t u")
    state = kit.state_of(messages)
    applied = apply_compression(
        [kit.span(state, messages, "m1", "m1")], messages, state, kit.open_config
    )
    assert applied.result.blocks_created == 1
    assert [note.code for note in applied.result.notes] == ["NOTE_PINNED_ONLY"]
    assert ids(process_turn(messages, applied.state, kit.open_config)) == [
        "acp_summary_b1",
        "m1",
        "m2",
        "m3",
    ]


def test_results_of_equal_ids_belong_to_the_nearest_call(kit):
    messages = kit.history("u c:a o:a t u c:a o:a t u c:a o:a t u")
    state = kit.state_of(messages)
    applied = apply_compression(
        [kit.span(state, messages, "m6", "m6")], messages, state, kit.open_config
    )
    assert applied.state.blocks[0].effective_message_ids == ("m6", "m7")
    result = process_turn(messages, applied.state, kit.open_config)
    assert {"m2", "m3", "m10", "m11"} <= set(ids(result))


# -- decisions ---------------------------------------------------------------------------------


def growing(config, blocks=(), counts=(300_000, 330_000)):
    chat = [
        CoreMessage(f"w{n}", "user" if n % 4 == 0 else "assistant", "text", "words " * 1400)
        for n in range(40)
    ]
    state = state_with(*blocks)
    for count in counts:
        result = process_turn(chat, state, config, count)
        state = result.state
    return result


def test_t1_waits_for_the_lower_share_of_the_window():
    assert growing(Config(model_context_limit=600_000)).nudge.reason.code == "T1_READY"
    idle = growing(Config(model_context_limit=1_000_000)).nudge
    assert idle.reason.code == "IDLE"
    assert idle.reason.usage_short
    assert not idle.reason.growth_short
    off = Config(model_context_limit=1_000_000, nudge=NudgeConfig(min_context_limit_pct=0))
    assert growing(off).nudge.reason.code == "T1_READY"


@pytest.mark.parametrize(
    ("tier", "count", "due"), [(1, 4, None), (1, 5, 2), (2, 9, None), (2, 10, 3)]
)
def test_counts_of_blocks_ask_for_the_next_tier(tier, count, due):
    blocks = [block(f"b{n + 1}", f"w{n}", tier=tier) for n in range(count)]
    config = Config(model_context_limit=1_000_000)
    result = growing(config, blocks)
    assert result.nudge.tier == due
    assert len(result.nudge.tier_target_blocks) == (count if due else 0)
    first = growing(config, blocks, counts=(300_000,))
    assert not first.nudge.should_inject  # the growth gate stands before the counts
    off = evolve(config, tiers=TierConfig(enabled=False))
    assert not growing(off, blocks).nudge.should_inject
    if due:
        soon = process_turn([CoreMessage("w0", "user", "text", "x")], result.state, config, 331_000)
        assert not soon.nudge.should_inject


def test_advisory_settings_change_nothing():
    config = Config(model_context_limit=600_000)
    loud = evolve(config, nudge=NudgeConfig(frequency=1, iteration_threshold=1, force="strong"))
    assert growing(config).nudge == growing(loud).nudge
    assert status(CompressionState(), 0, config).advisory == ADVISORY


@pytest.mark.parametrize(
    ("config", "count"),
    [
        (Config(), 0),
        (Config(model_context_limit=float("inf")), 1),
        (Config(model_context_limit=float("nan")), 1),
        (Config(promotion_threshold=0), 1),
        (Config(nudge=NudgeConfig(max_context_limit_pct=0.99)), 1),
        (Config(nudge=NudgeConfig(min_context_limit_pct=0.99)), 1),
        (Config(tiers=TierConfig(tier2_trigger=0, tier3_trigger=0)), 3),
    ],
)
def test_contradictions_are_described(config, count):
    assert len(validate_config(config)) == count


@pytest.mark.parametrize(
    ("config", "name"),
    [
        (Config(model_context_limit="x"), "modelContextLimit"),
        (Config(preserve_recent_messages=True), "preserveRecentMessages"),
        (Config(nudge=NudgeConfig(growth_floor=[])), "nudge.growthFloor"),
        (Config(tiers=TierConfig(enabled="no")), "tiers.enabled"),
        (Config(nudge=NudgeConfig(force=5)), "nudge.force"),
        (Config(protected_tools=[5]), "protectedTools"),
    ],
)
def test_values_of_the_wrong_kind_are_described_and_never_raised_on(config, name):
    (fault,) = validate_config(config)
    assert fault.startswith(name)


def test_one_protected_tool_may_be_named_without_a_list():
    assert Config(protected_tools="read*").protected_tools == ("read*",)
