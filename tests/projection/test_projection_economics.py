"""Economics and pressure: what a summary must save, component by component."""

from copy import deepcopy
from functools import cache

import pytest
from attrs import evolve, fields
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_desk import Desk, worked
from projection_logs import CJK, LogBuilder, chat_log

from kernel.projection.lifecycle.creating import create
from kernel.projection.metering.bounds import bounds, source_bounds, upper
from kernel.projection.metering.families import FAMILIES, UNKNOWN
from kernel.projection.metering.weight import Weight
from kernel.projection.model import Block, CooledResult, State
from kernel.projection.planning.charges import charged
from kernel.projection.planning.economics import (
    RESERVE,
    OneTime,
    Proposal,
    Replacement,
    judge,
    one_time_of,
    replacement_of,
    restill_codes,
)
from kernel.projection.planning.facts import facts_of
from kernel.projection.planning.pressure import SEMANTIC, STATES, is_overflow, state_of, window_use
from kernel.projection.provider.suffix import suffix_of
from kernel.projection.recovery.permits import ManualCompactPermit
from kernel.projection.settings.config import (
    Config,
    Economics,
    Pressure,
    QualitySettings,
    Restill,
    Tiers,
)
from kernel.projection.surfaces import SURFACES, Call
from kernel.projection.view.recap import recap_text
from kernel.wire.source import compact

ANTHROPIC = Config(provider="anthropic", model="claude-opus-4-5")
FAMILY = FAMILIES["anthropic"]
READ = ("read", {"path": "a.py"})


def messages(size, count=10):
    """Questions and answers of `size` bytes of text in all."""
    each = size // count
    return [
        {
            "role": ("user", "assistant")[index % 2],
            "content": [{"type": "text", "text": ("some words " * each)[:each]}],
        }
        for index in range(count)
    ]


def proposal(size=60_000, summary="It was done. " * 40, tier=1, **more):
    given = {"refs": ("b000001",), "count": 10, "discovery": "", **more}
    return Proposal(tier, "range", "the work", summary, messages(size), **given)


# Components


def test_every_component_of_a_replacement_is_counted():
    names = [one.name for one in fields(Replacement)]
    assert names == ["wrapper", "refs", "header", "summary", "lineage", "suffix", "provider"]
    base = replacement_of(proposal(), FAMILY)
    assert base.total == sum(getattr(base, name) for name in names)
    assert min(base.wrapper, base.refs, base.header, base.summary, base.provider) > 0
    assert (base.lineage, base.suffix) == (0, 0)


@pytest.mark.parametrize(
    ("component", "change"),
    [
        ("refs", {"refs": ("b000001", "b000002")}),
        ("header", {"topic": "a much longer topic than before"}),
        ("header", {"mode": "message"}),
        ("header", {"count": 1_000_000}),
        ("summary", {"summary": "It was done. " * 41}),
        ("lineage", {"children": ("blk_0123456789abcdef", "blk_fedcba9876543210")}),
        ("suffix", {"suffix": "act now"}),
    ],
)
def test_a_component_of_a_replacement_grows_alone(component, change):
    before = replacement_of(proposal(), FAMILY)
    after = replacement_of(evolve(proposal(), **change), FAMILY)
    differ = [
        one.name
        for one in fields(Replacement)
        if getattr(before, one.name) != getattr(after, one.name)
    ]
    assert differ == [component]
    assert getattr(after, component) > getattr(before, component)


def test_the_wrapper_and_the_provider_depend_on_the_family():
    unknown, known = replacement_of(proposal(), UNKNOWN), replacement_of(proposal(), FAMILY)
    assert unknown.wrapper > known.wrapper
    assert unknown.provider > known.provider


recaps = st.fixed_dictionaries(
    {
        "summary": st.text(max_size=200),
        "topic": st.text(max_size=60),
        "tier": st.integers(1, 3),
        "count": st.integers(1, 99_999),
    }
)


@given(recaps, st.integers(0, 16), st.sampled_from(sorted(FAMILIES)))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_a_replacement_is_never_less_than_the_recap_it_stands_for(made, children, name):
    family = FAMILIES[name]
    refs = [f"b{number:06d}" for number in range(1, children + 1)]
    text = recap_text("b000099", mode="blocks", children=refs, **made)
    shown = {
        "role": "custom",
        "customType": "aili-compact-recap",
        "content": text,
        "display": False,
    }
    asked = Proposal(mode="blocks", source=(), refs=("b000099", *refs), children=refs, **made)
    assert replacement_of(asked, family).total >= source_bounds([shown], family).upper


def test_every_component_of_the_one_time_cost_is_counted():
    names = [one.name for one in fields(OneTime)]
    assert names == [
        "discovery",
        "resent_source",
        "model_output",
        "tool_call",
        "tool_result",
        "quality",
        "cache_invalidation",
        "reserve",
    ]
    cost = one_time_of(proposal(behind=7, resent=messages(60), discovery="{}"), FAMILY, ANTHROPIC)
    assert cost.total == sum(getattr(cost, name) for name in names)
    assert all(getattr(cost, name) > 0 for name in names)
    assert cost.reserve == RESERVE
    assert cost.cache_invalidation == 7
    assert cost.tool_call > cost.model_output >= upper("It was done. " * 40, FAMILY)


@pytest.mark.parametrize(
    ("changed", "change"),
    [
        (["discovery"], {"discovery": "d" * 500}),
        (["resent_source"], {"resent": messages(600)}),
        (["model_output", "tool_call"], {"summary": "It was done. " * 50}),
        (["model_output", "tool_call"], {"topic": "a much longer topic than before"}),
        (["tool_call"], {"refs": ("m000001", "m000002", "m000003")}),
        (["cache_invalidation"], {"behind": 12_000}),
    ],
)
def test_a_component_of_the_one_time_cost_grows_alone(changed, change):
    before = one_time_of(proposal(), FAMILY, ANTHROPIC)
    after = one_time_of(evolve(proposal(), **change), FAMILY, ANTHROPIC)
    differ = [
        one.name for one in fields(OneTime) if getattr(before, one.name) != getattr(after, one.name)
    ]
    assert differ == changed
    assert after.total > before.total


def test_a_discovery_nobody_measured_costs_a_whole_status():
    silent, told = proposal(discovery=None), proposal(discovery="")
    assert (
        one_time_of(silent, FAMILY, ANTHROPIC).discovery
        > one_time_of(told, FAMILY, ANTHROPIC).discovery + 500
    )


def test_no_gate_no_cost_of_a_gate():
    config = evolve(ANTHROPIC, quality=QualitySettings(enabled=False))
    assert one_time_of(proposal(), FAMILY, config).quality == 0


# Judgement


def test_the_cost_is_made_of_the_bounds():
    found = judge(proposal(behind=500), pressure="NORMAL", config=ANTHROPIC)
    assert found.allowed
    cost = found.cost
    assert cost.source_lower == source_bounds(messages(60_000), FAMILY).lower
    assert cost.replacement_upper == found.replacement.total
    assert cost.one_time_upper == found.one_time.total
    assert cost.steady_savings == cost.source_lower - cost.replacement_upper
    assert cost.savings_ratio == round(cost.steady_savings / cost.source_lower, 4)
    assert cost.break_even_turns == round(cost.one_time_upper / cost.steady_savings, 4)
    assert (cost.provider, cost.model) == ("anthropic", "claude-opus-4-5")
    assert cost.estimator == FAMILY.estimator


def saving(tier, steady):
    """A proposal of a tier whose steady savings are exactly so many tokens."""
    summary = "s" * 600
    want = steady + replacement_of(proposal(summary=summary, tier=tier), FAMILY).total
    # One user message: six bytes a token, no envelope for the first message.
    source = [{"role": "user", "content": "xy" * (3 * want)}]
    return evolve(proposal(summary=summary, tier=tier), source=tuple(source))


@pytest.mark.parametrize(("tier", "least"), [(1, 256), (2, 512), (3, 768)])
def test_the_minimum_of_a_tier(tier, least):
    config = evolve(
        ANTHROPIC, economics=Economics(min_savings_ratio=0.0, max_break_even_normal=1000)
    )
    for steady, codes in ((least, ()), (least - 1, ("below-minimum-savings",))):
        found = judge(saving(tier, steady), pressure="NORMAL", config=config)
        assert found.cost.steady_savings == steady
        assert found.codes == codes


def test_the_ratio():
    config = evolve(
        ANTHROPIC,
        economics=Economics(min_steady_savings_tokens=(1, 1, 1), max_break_even_normal=10**6),
    )
    base = replacement_of(proposal(summary="s" * 600), FAMILY).total
    edge = -(-base // 4)
    allowed = judge(saving(1, edge), pressure="NORMAL", config=config)
    assert allowed.cost.savings_ratio >= 0.20
    assert allowed.allowed
    refused = judge(saving(1, edge - 1), pressure="NORMAL", config=config)
    assert refused.cost.savings_ratio < 0.20001
    assert refused.codes == ("below-minimum-ratio",)


@pytest.mark.parametrize(
    ("pressure", "turns"), [("NORMAL", 8), ("PRESSURE", 4), ("FORCE_SEMANTIC", 1)]
)
def test_break_even_by_pressure(pressure, turns):
    asked = saving(1, 5000)
    rest = one_time_of(asked, FAMILY, ANTHROPIC).total
    for behind, codes in (
        (5000 * turns - rest, ()),
        (5000 * turns - rest + 1, ("below-break-even",)),
    ):
        found = judge(evolve(asked, behind=behind), pressure=pressure, config=ANTHROPIC)
        assert found.codes == codes
    assert found.cost.break_even_turns == pytest.approx(turns, abs=0.001)


@pytest.mark.parametrize(
    ("pressure", "code"),
    [("CHECKPOINT_REQUIRED", "checkpoint-required"), ("OVERFLOW_RECOVERY", "overflow-recovery")],
)
def test_nothing_semantic_starts_when_the_window_is_full(pressure, code):
    best = proposal(size=2_000_000, summary="done")
    assert judge(best, pressure="NORMAL", config=ANTHROPIC).allowed
    assert judge(best, pressure=pressure, config=ANTHROPIC).codes == (code,)


def test_a_summary_longer_than_its_source_saves_nothing():
    found = judge(proposal(size=600, summary="s" * 2000), pressure="NORMAL", config=ANTHROPIC)
    assert found.cost.steady_savings < 0
    assert found.codes == ("below-minimum-savings", "below-minimum-ratio", "below-break-even")


def test_an_unknown_provider_may_be_refused_what_a_known_one_is_granted():
    asked = proposal(size=10_000, summary="It was done. " * 40)
    assert judge(asked, pressure="NORMAL", config=ANTHROPIC).allowed
    assert not judge(asked, pressure="NORMAL", config=Config()).allowed
    assert judge(proposal(size=200_000), pressure="NORMAL", config=Config()).allowed


def test_characters_alone_authorise_nothing():
    """Equally many characters, but a run of blanks is hardly a token."""
    text = proposal(size=60_000)
    blank = [{"role": "user", "content": " " * 60_000}, {"role": "user", "content": "=" * 60_000}]
    assert judge(text, pressure="NORMAL", config=ANTHROPIC).allowed
    assert not judge(evolve(text, source=tuple(blank)), pressure="NORMAL", config=ANTHROPIC).allowed


# Restill

RULES = Restill()
LARGE = {"size": 60_000, "summary": "It was done. " * 40, "tier": 3, "restill": True}
BASE = {**LARGE, "children": ("blk_1", "blk_2"), "turns_since_create": 8}


@pytest.mark.parametrize(
    ("change", "rules", "expected"),
    [
        ({}, {}, ()),
        ({}, {"enabled": False}, ("enabled",)),
        ({"children": ("blk_1",)}, {}, ("minChildren",)),
        ({"children": ("blk_1", "blk_2")}, {"min_children": 3}, ("minChildren",)),
        ({"size": 40_000}, {}, ("minSourceTokens",)),
        ({"summary": "s" * 6001}, {"min_savings_tokens": 0}, ("maxSummaryTokens",)),
        ({"summary": "s" * 5900}, {"min_savings_tokens": 7000}, ("minSavingsTokens",)),
        ({"summary": "s" * 5900}, {"min_savings_ratio": 0.9}, ("minSavingsRatio",)),
        ({"turns_since_create": 7}, {}, ("minTurnsSinceCreate",)),
        ({"turns_since_create": None}, {}, ("minTurnsSinceCreate",)),
    ],
)
def test_the_thresholds_of_a_restill(change, rules, expected):
    config = evolve(ANTHROPIC, tiers=Tiers(restill=evolve(RULES, **rules)))
    asked = proposal(**{**BASE, **change})
    found = judge(asked, pressure="NORMAL", config=config)
    assert restill_codes(asked, found.cost, config) == expected
    assert ("restill-ineligible" in found.codes) == bool(expected)


# Pressure


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        (0, "NORMAL"),
        (54_999, "NORMAL"),
        (55_000, "PRESSURE"),
        (74_999, "PRESSURE"),
        (75_000, "FORCE_SEMANTIC"),
        (89_999, "FORCE_SEMANTIC"),
        (90_000, "CHECKPOINT_REQUIRED"),
        (99_999, "CHECKPOINT_REQUIRED"),
        (100_000, "OVERFLOW_RECOVERY"),
        (10**9, "OVERFLOW_RECOVERY"),
    ],
)
def test_pressure_by_share_of_the_window(tokens, expected):
    assert state_of(tokens, 100_000, config=Config()) == expected
    assert state_of(tokens, 100_000, overflow=True, config=Config()) == "OVERFLOW_RECOVERY"
    assert state_of(tokens, None, config=Config()) == "NORMAL"


def test_the_thresholds_are_one_table_of_the_settings():
    config = Config(pressure=Pressure(0.1, 0.2, 0.3, 0.4))
    shares = [state_of(tokens, 100, config=config) for tokens in (9, 10, 20, 30, 40)]
    assert tuple(shares) == STATES
    assert frozenset(STATES[:3]) == SEMANTIC


def estimate(branch):
    return sum(facts_of(source).tokens for source in branch.sources)


def test_use_is_the_reported_usage_and_what_follows():
    log = LogBuilder()
    log.user("hello")
    log.assistant("hi", tokens=40_000)
    log.user("xy" * 2000)
    branch = log.branch()
    use = window_use(branch)
    after = facts_of(branch.sources[-1]).tokens
    assert (use.tokens, use.reported, use.estimated) == (40_000 + after, 40_000, after)
    assert 1000 <= after <= 1010


@pytest.mark.parametrize(
    "build",
    [
        lambda log: log.compaction("all of it", keep=log.ids[0]),
        lambda log: log.edit(log.ids[0], "short"),
        lambda log: log.custom("aili.compact.tx.v3", {"payload": {"blockId": "b"}}),
        lambda log: log.custom("aili.compact.tx.v3", {"payload": {"action": "restore-all"}}),
        lambda log: log.custom("aili.compact.tx.v1", {"version": 1}),
    ],
)
def test_usage_of_another_view_is_ignored(build):
    log = LogBuilder()
    log.user("hello")
    log.assistant("hi", tokens=190_000)
    build(log)
    log.user("and now")
    branch = log.branch()
    use = window_use(branch)
    assert use.reported == 0
    assert use.tokens == estimate(branch) < 1000
    log.assistant("fresh", tokens=7000)
    assert window_use(log.branch()).tokens == 7000


@pytest.mark.parametrize("action", ["manual-on", "manual-off", "cache-panel-on", "cache-panel-off"])
def test_a_switch_that_changes_no_view_keeps_the_usage(action):
    log = LogBuilder()
    log.user("hello")
    log.assistant("hi", tokens=90_000)
    log.custom("aili.compact.tx.v3", {"payload": {"action": action}})
    assert window_use(log.branch()).tokens == 90_000


def test_failed_answers_report_nothing():
    log = LogBuilder()
    log.user("hello")
    log.assistant("hi", tokens=30_000)
    log.assistant("half", stop="aborted", tokens=99_000)
    assert window_use(log.branch()).reported == 30_000


@pytest.mark.parametrize(
    "said",
    [
        "prompt is too long: 213462 tokens > 200000 maximum",
        "This model's maximum context length is 128000 tokens",
        "Your input exceeds the context window of this model",
        "The input token count (1196265) exceeds the maximum number of tokens allowed",
        "context_length_exceeded",
    ],
)
def test_an_overflow_a_provider_reports(said):
    log = LogBuilder()
    log.user("hello")
    log.assistant("", stop="error", error=said)
    use = window_use(log.branch())
    assert use.overflow
    assert (
        state_of(use.tokens, 200_000, overflow=use.overflow, config=Config()) == "OVERFLOW_RECOVERY"
    )
    log.compaction("all of it", keep=None)
    assert not window_use(log.branch()).overflow


@pytest.mark.parametrize(
    ("stop", "said"), [("error", "overloaded"), ("error", None), ("stop", "prompt is too long")]
)
def test_other_ends_are_no_overflow(stop, said):
    assert not is_overflow({"role": "assistant", "stopReason": stop, "errorMessage": said})


def test_an_answer_after_an_overflow_ends_it():
    log = LogBuilder()
    log.user("hello")
    log.assistant("", stop="error", error="prompt is too long")
    log.assistant("hi", tokens=9000)
    assert not window_use(log.branch()).overflow


def test_the_estimate_is_of_the_view_not_of_the_history():
    log = LogBuilder()
    log.user("xy" * 20_000)
    log.turn(calls=[READ], results=["yx" * 20_000])
    log.user("z")
    log.custom("aili.compact.tx.v3", {})
    branch = log.branch()
    first, result = branch.sources[0].entry_id, branch.sources[2]
    block = Block(
        block_id="blk",
        number=0,
        version=3,
        tier=1,
        restill=False,
        epoch="root",
        entry_id="e",
        tx_id="t",
        mode="range",
        topic="",
        summary="short",
        source_ids=[first],
        children=(),
        leaf_digest="d",
        turn=0,
    )
    cold = CooledResult(result.entry_id, "c", "read", "retrieval", result.digest, 2)
    state = State(
        "root", blocks={"blk": block}, status={"blk": "active"}, cooled={result.entry_id: cold}
    )
    assert window_use(branch).tokens > 20_000
    assert window_use(branch, state=state).tokens < 500


def test_threshold_and_cut_use_one_counter():
    log = LogBuilder()
    for _ in range(20):
        log.user(CJK * 20)
    branch = log.branch()
    assert window_use(branch).tokens == estimate(branch)


def test_the_use_of_a_long_branch_with_usage_reads_its_end_only():
    branch = chat_log(3000).branch()
    facts = [facts_of(source) for source in branch.sources]
    touched = []

    class Watched(list):
        def __getitem__(self, key):
            touched.append(key)
            return super().__getitem__(key)

    window_use(branch, Watched(facts))
    assert len(touched) <= 5


def test_a_weight_of_thoughts_counts_in_the_upper_bound_only():
    assert bounds(Weight(thought=10), FAMILY).lower == 0


# What callers charge


@cache
def _ranges(count):
    return Desk(worked(count, body="a line of output that nobody needs\n" * 80))


@pytest.mark.parametrize("count", [1, 12, 64])
def test_a_discovery_is_charged_as_much_as_the_status_answers(count):
    now = _ranges(count).now
    assert len(now.catalog.ranges) == count
    answer = SURFACES["aili_compact_status"].run(now, {"limit": 64}, Call()).output
    one = now.catalog.ranges[0]
    name = f"range {one.start_ref}..{one.end_ref}:"
    found = charged(now, None, name, ())
    assert len(answer["ranges"]) == count
    assert upper(found["discovery"], FAMILY) >= upper(compact(answer), FAMILY)
    assert len(found["discovery"]) < len(compact(answer)) + 2048
    assert (found["suffix"], found["resent"]) == ("", ())


def test_what_stands_in_the_log_is_charged_as_it_stands():
    desk = deepcopy(_ranges(1))
    desk.log.assistant("done")
    said = "x y " * 777
    desk.log.turn(calls=[("aili_compact_status", {})], results=[said])
    one = desk.now.catalog.ranges[0]
    name = f"range {one.start_ref}..{one.end_ref}:"
    assert charged(desk.now, None, name, ())["discovery"] == said


@pytest.mark.parametrize("level", [0.1, 0.6, 0.8])
def test_a_suffix_is_charged_where_there_is_one(level):
    desk = deepcopy(_ranges(3))
    desk.config = evolve(desk.config, context_window=int(desk.now.pressure.use.tokens / level))
    now, suffix = desk.now, suffix_of(desk.now)
    one = now.catalog.ranges[0]
    name = f"range {one.start_ref}..{one.end_ref}:"
    found = charged(now, None, name, ())
    assert (suffix is None) == (level < 0.5)
    if suffix is not None:
        assert found["suffix"] == found["discovery"] == suffix["content"]
    asked = create(
        now,
        "range",
        (one.start_ref, one.end_ref),
        topic="t",
        summary="It was done.",
        origin="model",
    )
    cost = asked.payload.cost
    bare = replacement_of(evolve(proposal(summary="It was done."), topic="t"), FAMILY)
    assert (cost.replacement_upper > bare.total + upper(found["suffix"], FAMILY) - 64) or not suffix


@pytest.mark.parametrize(("level", "again"), [(0.1, True), (0.6, True), (0.8, False)])
def test_a_turn_of_its_own_sends_the_source_once_more(level, again):
    desk = deepcopy(_ranges(3))
    desk.config = evolve(desk.config, context_window=int(desk.now.pressure.use.tokens / level))
    now = desk.now
    permit = ManualCompactPermit("req_1", now.branch.session_id, now.leaf, now.branch.epoch, "")
    one = now.catalog.ranges[0]
    source = [one.message for one in now.branch.sources[one.first : one.last + 1]]
    assert (charged(now, permit, "", source)["resent"] == source) == again
    ends = (one.start_ref, one.end_ref)
    said = {"topic": "t", "summary": "It was done.", "origin": "model"}
    name = f"range {one.start_ref}..{one.end_ref}:"
    costs = []
    for leave in (None, permit):
        cost = create(now, "range", ends, **said, permit=leave).payload.cost
        found = charged(now, leave, name, source)["discovery"]
        costs.append(cost.one_time_upper - upper(found, FAMILY, messages=2, parts=2))
    assert costs[1] - costs[0] == source_bounds(source, FAMILY).upper * again


@given(st.integers(0, 60_000), st.integers(0, 3000))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_source_sent_again_is_the_same_tokens_as_the_source(size, words):
    """The bound on turns holds for every number of tokens the source may be."""
    source = messages(size)
    asked = proposal(size=size, summary="w " * words, resent=source)
    assert asked.resent == asked.source
    found = judge(asked, pressure="NORMAL", config=ANTHROPIC)
    once = found.one_time.total - found.one_time.resent_source
    lower, upper_ = found.source.lower, found.source.upper
    steady = lower - found.replacement.total
    if steady > 0:
        worst = max((once + n) / (n - found.replacement.total) for n in (lower, upper_))
        assert found.cost.break_even_turns >= worst - 1e-3
        assert ("below-break-even" in found.codes) == (worst > 8)


@pytest.mark.parametrize("run", [*" \t\n-=_*#./A0x", "\0", "─", "会", "🔥"])
@pytest.mark.parametrize("length", [4, 15, 80, 60_000])
def test_runs_of_whatever_character_authorise_nothing(run, length):
    body = ((run * length + "};")[: max(length + 2, 1)] * (60_000 // length))[:60_000]
    kept = proposal(size=60_000)
    blank = evolve(kept, source=({"role": "user", "content": body},))
    share = judge(blank, pressure="NORMAL", config=ANTHROPIC).source.lower
    assert share <= len(body.replace(run, "").encode()) // 6 + 16
