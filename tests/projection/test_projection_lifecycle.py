import json
from copy import deepcopy
from functools import cache
from unittest import mock

import pytest
from attrs import evolve
from projection_desk import BODY, EASY, SAID, Desk, adjoining, observed, results, worked
from projection_logs import LogBuilder

from kernel.projection.cooling.planning import automatic, prune, sweep
from kernel.projection.lifecycle.controls import control, restore_all
from kernel.projection.lifecycle.creating import create
from kernel.projection.lifecycle.opening import decompress, recompress
from kernel.projection.lifecycle.promoting import promote
from kernel.projection.lifecycle.refusal import MAX_REFS, REFUSALS, Refusal, refuse
from kernel.projection.lifecycle.sealing import sealed
from kernel.projection.model import CONTROLS, Recompress, Transaction
from kernel.projection.provider.suffix import suffix_of
from kernel.projection.recovery.permits import ManualCompactPermit
from kernel.projection.settings.config import Economics, Planning, QualitySettings, Restill, Tiers
from kernel.projection.surfaces import SURFACES, Call

SECRET = "sk-ant-api03-" + "QWERTYuiop1234567890asdfGHJK"


def Permit(session_id="S-1", epoch="root", leaf=None):  # noqa: N802 - stands for the class
    return ManualCompactPermit("request", session_id, leaf, epoch)


def folding(desk, at=0, summary=SAID[1], origin="model", **more):
    now = desk.now
    one = now.catalog.ranges[at]
    ends = (one.start_ref, one.end_ref)
    return create(now, "range", ends, topic="t", summary=summary, origin=origin, **more)


def raising(desk, refs, summary=SAID[2], origin="model", **more):
    return promote(desk.now, refs, topic="t", summary=summary, origin=origin, **more)


def folded(**changes):
    desk = Desk(**changes)
    desk.fold()
    return desk


def stacked():
    """b000003 over b000001 and b000002."""
    desk = adjoining(2)
    desk.raise_(["b000001", "b000002"])
    return desk


def opened():
    desk = folded()
    desk.append(decompress(desk.now, ["b000001"], "one", "model"))
    return desk


def legacy():
    log = worked(1)
    first, last = log.ids[0], log.ids[3]
    data = {"version": 1, "id": "old-1", "startId": first, "endId": last, "summary": "old"}
    log.custom("aili.compact.tx.v1", data)
    return Desk(log)


def live(*tools):
    """A desk whose current assistant message calls tools."""
    desk = Desk()
    calls = [(f"live_{at}", tool, {}) for at, tool in enumerate(tools)]
    desk.log.assistant(calls=calls)
    return desk


def called(desk, name, given, **call):
    return SURFACES[name].run(desk.now, given, Call(**call))


def catalogued(desk, **more):
    return {"catalogId": desk.now.catalog.catalog_id, **more}


def pressed(share):
    desk = Desk()
    desk.config = evolve(desk.config, context_window=int(desk.now.pressure.use.tokens / share))
    return desk


def forged_closure():
    desk = stacked()
    now = desk.now
    top = next(block for block in now.state.blocks.values() if block.ref == "b000003")
    child = now.state.blocks[top.children[0]]
    extra = {f"blk_{at:016x}": evolve(child, block_id=f"blk_{at:016x}") for at in range(256)}
    blocks = {
        **now.state.blocks,
        **extra,
        top.block_id: evolve(top, children=(*top.children, *extra)),
    }
    return evolve(now, state=evolve(now.state, blocks=blocks))


def other_gate():
    desk = opened()
    now = desk.now
    blocks = {
        name: evolve(block, quality=evolve(block.quality, evaluator_version=0))
        for name, block in now.state.blocks.items()
    }
    return evolve(now, state=evolve(now.state, blocks=blocks))


def broken_view():
    """No plan is known to break a view: the checker is told to say so."""
    with mock.patch("kernel.projection.lifecycle.sealing.is_worse", return_value=True):
        return folding(Desk())


def unheld():
    return Recompress("blk_" + "0" * 16, 1, (), "0" * 64, 1, "tx_" + "0" * 24)


def restored():
    desk = opened()
    desk.append(restore_all(desk.now))
    return desk


def twice_folded():
    desk = opened()
    desk.fold()
    return desk


def archived():
    desk = folded()
    desk.log.compaction("all of it", keep=desk.log.ids[0])
    return desk


def tiers(**more):
    return evolve(EASY.tiers, **more)


def economics(*minimum, ratio=0.0, turns=10**6):
    return Economics(minimum or (1, 1, 1), ratio, turns, turns, turns)


def edited():
    """A block that an edit of one of its sources has opened."""
    desk = folded()
    desk.log.edit(desk.now.state.active()[0].source_ids[0], "changed")
    return desk


def three_high():
    desk = adjoining(4)
    desk.raise_(["b000001", "b000002"])
    desk.raise_(["b000003", "b000004"])
    desk.raise_(["b000005", "b000006"])
    desk.log.user("more")
    return desk


@cache
def two_high():
    desk = adjoining(8)
    for pair in ((1, 2), (3, 4), (5, 6), (7, 8), (9, 10), (11, 12)):
        desk.raise_([f"b{number:06d}" for number in pair])
    return desk


def restilling(**restill):
    """Two T3 side by side: b000013 and b000014."""
    desk = deepcopy(two_high())
    rules = evolve(EASY.tiers.restill, **restill)
    desk.config = evolve(desk.config, tiers=tiers(restill=rules))
    return desk


def equal_reads():
    log = observed(answers=0)
    return Desk(observed(answers=3, log=log))


def folding_off():
    desk = Desk()
    desk.append(control(desk.now, "off"))
    return decompress(desk.now, ["b000001"], "one", "model")


def apart():
    desk = folded()
    desk.fold()
    return desk


def uneven():
    """b000003 is a T2, b000004 the T1 that follows it."""
    desk = adjoining(3)
    desk.raise_(["b000001", "b000002"])
    return desk


def legacy_pair():
    desk = legacy()
    desk.log.user("and more")
    desk.log.turn(calls=[("bash", {})], results=[BODY])
    desk.log.assistant("done")
    desk.log.user("the newest question")
    desk.fold()
    return desk


def planless(desk):
    desk.config = evolve(desk.config, planning=Planning(enabled=False))
    return desk


def tierless(desk):
    desk.config = evolve(desk.config, tiers=tiers(enabled=False))
    return desk


def recent():
    return Desk(observed(answers=3), protection=evolve(EASY.protection, preserve_recent_atoms=8))


def pruned(log):
    desk = Desk(log)
    return prune(desk.now, results(desk)[:1], "model")


#: Every code of the table: what provokes it.
PROVOKED = {
    "aili-off": folding_off,
    "already-in-force": lambda: control(Desk().now, "on"),
    "bad-input": lambda: called(Desk(), "aili_prune", {"refs": []}),
    "below-break-even": lambda: folding(Desk(economics=economics(turns=1))),
    "below-minimum-ratio": lambda: folding(Desk(economics=economics(ratio=0.99))),
    "below-minimum-savings": lambda: folding(Desk(economics=economics(10**6, 1, 1))),
    "block-not-active": lambda: decompress(opened().now, ["b000001"], "one", "model"),
    "block-not-decompressed": lambda: recompress(folded().now, "b000001", "model"),
    "checkpoint-required": lambda: folding(pressed(0.95)),
    "children-count": lambda: raising(folded(), ["b000001"]),
    "children-not-contiguous": lambda: raising(apart(), ["b000001", "b000002"]),
    "children-tier-mismatch": lambda: raising(uneven(), ["b000003", "b000004"]),
    "closure-too-large": lambda: decompress(forged_closure(), ["b000003"], "raw", "model"),
    "cooling-durable-ref": lambda: pruned(observed(body=BODY + "task_1f9c77")),
    "cooling-newest-equal": lambda: prune(equal_reads().now, results(equal_reads())[1:], "model"),
    "cooling-no-saving": lambda: pruned(observed(body="short")),
    "cooling-not-a-result": lambda: prune(Desk(observed()).now, ["m000001"], "model"),
    "cooling-not-shown": lambda: prune(folded().now, ["m000003"], "model"),
    "cooling-off": lambda: automatic(Desk(observed(), auto_cooling=False).now),
    "cooling-open-failure": lambda: pruned(observed("bash", 9, error=True)),
    "cooling-profile": lambda: pruned(observed("browser", 9)),
    "cooling-unobserved": lambda: pruned(observed("bash", 2)),
    "duplicate-ref": lambda: decompress(folded().now, ["b000001"] * 2, "one", "model"),
    "empty-log": lambda: control(Desk(LogBuilder()).now, "off"),
    "epoch-query-only": lambda: decompress(archived().now, ["b000001"], "one", "model"),
    "legacy-child": lambda: raising(legacy_pair(), ["b000001", "b000002"]),
    "legacy-recompress": lambda: recompress(legacy().now, "b000001", "user"),
    "lineage-changed": lambda: recompress(other_gate(), "b000001", "model"),
    "manual-mode": lambda: folding(Desk(manual_mode=True)),
    "not-current-call": lambda: called(
        live("bash"), "aili_prune", catalogued(live("bash"), refs=["m000001"])
    ),
    "not-sole-call": lambda: called(
        live("aili_prune", "bash"), "aili_prune", catalogued(Desk(), refs=["m000001"])
    ),
    "nothing-to-cool": lambda: sweep(Desk(observed("bash", 0)).now),
    "overflow-recovery": lambda: folding(pressed(2.0)),
    "overlapping-parent": lambda: recompress(twice_folded().now, "b000001", "model"),
    "permit-mismatch": lambda: folding(Desk(), permit=Permit(epoch="other")),
    "planning-disabled": lambda: raising(planless(adjoining(2)), ["b000001", "b000002"]),
    "protected-result": lambda: prune(recent().now, results(recent())[-1:], "model"),
    "read-only-version": lambda: folding(Desk(worked(1, log=LogBuilder(version=2)))),
    "replay-failed": lambda: sealed(Desk().now, "model", unheld()),
    "restill-disabled": lambda: raising(restilling(enabled=False), ["b000013", "b000014"], SAID[4]),
    "restill-ineligible": lambda: raising(
        restilling(min_children=3), ["b000013", "b000014"], SAID[4]
    ),
    "restored": lambda: recompress(restored().now, "b000001", "model"),
    "roots-overlap": lambda: decompress(stacked().now, ["b000003", "b000001"], "raw", "model"),
    "source-edited": lambda: recompress(edited().now, "b000001", "user"),
    "source-summary-scope-mismatch": lambda: create(
        Desk().now, "range", ("m000001", "m000003"), topic="t", summary="s", origin="model"
    ),
    "stale-catalog": lambda: called(
        Desk(), "aili_prune", {"catalogId": "cat_0", "refs": ["m000001"]}
    ),
    "tiers-disabled": lambda: raising(tierless(adjoining(2)), ["b000001", "b000002"]),
    "too-many-refs": lambda: decompress(
        Desk().now, [f"b{number:06d}" for number in range(1, 18)], "one", "model"
    ),
    "unknown-ref": lambda: decompress(Desk().now, ["b000001"], "one", "model"),
    "view-refused": broken_view,
}


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_every_refusal_can_be_provoked_and_echoes_nothing(code):
    refusal = PROVOKED[code]()
    assert isinstance(refusal, Refusal), refusal
    assert refusal.code == code, refusal
    assert refusal.message.startswith(REFUSALS[code])
    assert len(refusal.message) < 600
    assert len(refusal.refs) <= MAX_REFS
    said = json.dumps([refusal.message, refusal.refs])
    assert not any(text in said for text in ("nobody needs", "question 0", "said and done"))


def test_there_is_no_other_case():
    assert set(PROVOKED) == set(REFUSALS)


def test_a_refusal_repeats_no_text_that_is_no_ref():
    named = ["my password", "b000001", "m1", "m000001\n", "x000001"]
    assert refuse("unknown-ref", named).refs == ("b000001",)
    assert decompress(Desk().now, ["hunter2"], "one", "user").refs == ()


def test_a_refusal_shows_at_most_sixteen_refs():
    assert len(refuse("unknown-ref", [f"m{at:06d}" for at in range(99)]).refs) == MAX_REFS


# The gate and the economics


def gated(**more):
    return Desk(quality=QualitySettings(**more))


def test_an_accepted_summary_is_recorded_with_its_evidence():
    desk = gated()
    made = desk.fold(summary=desk.outline())
    assert made.payload.quality.accepted
    assert made.payload.quality.enabled
    assert len(made.payload.quality.manifest_digest) == 64
    cost = made.payload.cost
    assert cost.source_lower - cost.replacement_upper == cost.steady_savings > 0
    assert (cost.provider, cost.model, cost.estimator) == (
        "anthropic",
        "claude-x",
        "bytes-1/anthropic",
    )


@pytest.mark.parametrize(
    ("summary", "code"),
    [
        ("nothing of it", "quality-hard-fact-lost"),
        ("  \n ", "quality-summary-empty"),
        ("a lone \ud800 surrogate", "quality-summary-malformed"),
        ("as m009999 says", "quality-hard-fact-lost"),
    ],
)
def test_a_summary_the_gate_refuses_makes_no_block(summary, code):
    log = LogBuilder()
    log.user("You must never delete /srv/data/ledger.db, and keep port 8443 open.")
    log.turn(calls=[("bash", {"command": "make test"})], results=[BODY])
    log.assistant("Decided to use SQLite because it needs no server.")
    log.user("the newest question")
    refusal = folding(Desk(log, quality=QualitySettings()), summary=summary)
    assert isinstance(refusal, Refusal)
    assert refusal.code == code
    assert "ledger" not in refusal.message
    assert "8443" not in refusal.message


def test_a_stale_ref_is_refused_and_a_current_one_is_not():
    desk = gated()
    summary = desk.outline()
    refusal = folding(desk, summary=summary + "\nSee b000007.")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "quality-stale-ref"
    assert isinstance(folding(desk, summary=summary + "\nSee m000002."), Transaction)


def test_the_expert_override_is_recorded():
    made = folded().now.state.active()[0]
    assert made.quality.enabled is False
    assert made.quality.accepted is False


def test_a_parent_answers_for_the_raw_messages_of_its_leaves():
    desk = adjoining(2, "You must never delete /srv/data/ledger.db, question")
    desk.config = evolve(desk.config, quality=QualitySettings())
    refusal = raising(desk, ["b000001", "b000002"], "empty words " * 20)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "quality-hard-fact-lost"
    assert set(refusal.refs) <= {source.ref for source in desk.now.branch.sources}


def test_no_secret_is_echoed_and_none_is_folded():
    log = worked(1)
    log.user(f"use {SECRET}")
    log.assistant("fine")
    log.user("the newest question")
    desk = Desk(log)
    refs = [source.ref for source in desk.now.branch.sources]
    refusal = create(desk.now, "message", refs, topic="t", summary=SECRET, origin="model")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "source-summary-scope-mismatch"
    assert SECRET not in refusal.message


# T1


def test_both_modes_make_the_same_leaves():
    desk = Desk()
    one = desk.now.catalog.ranges[1]
    ranged = folding(desk, 1)
    named = create(desk.now, "message", one.refs, topic="t", summary=SAID[1], origin="model")
    assert ranged.payload.source_ids == named.payload.source_ids == one.source_ids
    assert (ranged.payload.mode, named.payload.mode) == ("range", "message")
    assert ranged.payload.block_id == named.payload.block_id
    assert ranged.tx_id != named.tx_id


def test_equal_plans_on_equal_logs_are_the_same_transaction():
    assert folding(Desk()) == folding(Desk())


@pytest.mark.parametrize("share", [0.1, 0.6, 0.8])
def test_summaries_are_made_below_the_checkpoint(share):
    assert isinstance(folding(pressed(share)), Transaction)


MANUAL = [
    # settings, switches, origin, permit -> made
    (False, (), "model", None, True),
    (True, (), "model", None, False),
    (True, (), "model", Permit(), True),
    (True, (), "user", None, True),
    (True, ("manual-off",), "model", None, True),
    (False, ("manual-on",), "model", None, False),
    (False, ("manual-on",), "model", Permit(), True),
    (False, ("manual-on", "manual-off"), "model", None, True),
]


@pytest.mark.parametrize(("setting", "switches", "origin", "permit", "made"), MANUAL)
def test_manual_gates_summaries_of_the_model_alone(setting, switches, origin, permit, made):
    desk = Desk(manual_mode=setting)
    for action in switches:
        desk.append(control(desk.now, action))
    found = folding(desk, origin=origin, permit=permit)
    assert isinstance(found, Transaction if made else Refusal)


@pytest.mark.parametrize("foreign", ["session_id", "epoch", "leaf"])
def test_a_permit_is_for_its_session_branch_and_epoch(foreign):
    desk = Desk(manual_mode=True)
    given = {"leaf": desk.log.ids[2]}
    assert isinstance(folding(desk, permit=Permit(**given)), Transaction)
    refusal = folding(desk, permit=Permit(**{**given, foreign: "another"}))
    assert refusal.code == "permit-mismatch"


def test_manual_gates_nothing_else():
    desk = Desk(observed("read", 3, log=worked(1, log=worked(1))))
    desk.fold()
    desk.append(control(desk.now, "manual-on"))
    assert isinstance(decompress(desk.now, ["b000001"], "one", "model"), Transaction)
    assert isinstance(automatic(desk.now), Transaction)
    assert isinstance(prune(desk.now, results(desk)[-1:], "model"), Transaction)


def test_planning_off_stops_promotion_and_not_folding():
    desk = planless(adjoining(2))
    assert isinstance(raising(desk, ["b000001", "b000002"]), Refusal)
    assert isinstance(raising(desk, ["b000001", "b000002"], permit=Permit()), Transaction)
    assert isinstance(raising(desk, ["b000001", "b000002"], origin="user"), Transaction)
    desk.log.turn(calls=[("bash", {})], results=[BODY])
    desk.log.assistant("done")
    desk.log.user("the newest question")
    assert isinstance(folding(desk), Transaction)
    assert isinstance(decompress(desk.now, ["b000001"], "one", "model"), Transaction)


# Tiers


def test_tiers_rise_and_show_only_the_top():
    desk = three_high()
    state = desk.now.state
    assert [(block.ref, block.tier) for block in state.active()] == [("b000007", 3)]
    assert desk.status("b000001") == desk.status("b000006") == "covered"
    leaves = [
        name for block in state.blocks.values() if block.tier == 1 for name in block.source_ids
    ]
    assert list(state.active()[0].source_ids) == leaves


def test_a_restill_keeps_the_tier():
    desk = restilling()
    desk.raise_(["b000014", "b000013"], SAID[4])
    block = desk.now.state.active()[0]
    assert (block.tier, block.restill, len(block.children)) == (3, True, 2)


RESTILL = [
    ("min_children", 3, 2),
    ("min_source_tokens", 10**6, 1),
    ("min_savings_tokens", 10**6, 1),
    ("min_savings_ratio", 0.999, 0.01),
    ("max_summary_tokens", 10, 3000),
    ("min_turns_since_create", 99, 0),
]


@pytest.mark.parametrize(("name", "unmet", "met"), RESTILL)
def test_each_threshold_of_a_restill_counts(name, unmet, met):
    desk = restilling(**{name: unmet})
    refusal = raising(desk, ["b000013", "b000014"], SAID[4])
    assert isinstance(refusal, Refusal)
    assert refusal.code == "restill-ineligible"
    rules = evolve(desk.config.tiers.restill, **{name: met})
    desk.config = evolve(desk.config, tiers=tiers(restill=rules))
    assert isinstance(raising(desk, ["b000013", "b000014"], SAID[4]), Transaction)


def test_the_defaults_of_a_restill_are_the_seeds():
    assert Tiers().restill == Restill(
        enabled=True,
        min_children=2,
        min_source_tokens=8000,
        min_savings_tokens=1024,
        min_savings_ratio=0.25,
        max_summary_tokens=3000,
        min_turns_since_create=8,
    )


# Opening and closing


def test_one_level_brings_back_the_children():
    desk = stacked()
    desk.append(decompress(desk.now, ["b000003"], "one", "model"))
    assert desk.active == ["b000001", "b000002"]
    desk.append(recompress(desk.now, "b000003", "model"))
    assert desk.active == ["b000003"]


def test_raw_brings_back_the_messages():
    desk = stacked()
    made = desk.append(decompress(desk.now, ["b000003"], "raw", "model"))
    assert desk.active == []
    assert len(made.payload.closure) == 3
    assert desk.shown == desk.raw
    desk.append(recompress(desk.now, "b000003", "model"))
    assert desk.active == ["b000003"]
    assert desk.status("b000001") == "covered"


def test_opening_undoes_folding_exactly():
    desk = Desk()
    before = desk.shown
    desk.fold()
    assert desk.shown != before
    desk.append(decompress(desk.now, ["b000001"], "raw", "model"))
    assert desk.shown == before


def test_several_roots_open_together_or_not_at_all():
    desk = apart()
    made = desk.append(decompress(desk.now, ["b000002", "b000001"], "raw", "user"))
    assert made.payload.roots == tuple(
        next(b.block_id for b in desk.now.state.blocks.values() if b.ref == ref)
        for ref in ("b000002", "b000001")
    )
    assert desk.active == []
    mixed = folded()
    assert isinstance(decompress(mixed.now, ["b000001", "b000009"], "one", "user"), Refusal)
    assert mixed.active == ["b000001"]


def test_legacy_blocks_open_to_their_messages_and_are_folded_anew():
    desk = legacy()
    assert desk.active == ["b000001"]
    desk.append(decompress(desk.now, ["b000001"], "one", "user"))
    assert desk.shown == desk.raw
    desk.fold()
    block = desk.now.state.active()[0]
    assert (block.ref, block.version, block.tier) == ("b000002", 3, 1)
    assert isinstance(recompress(desk.now, "b000001", "user"), Refusal)


def test_a_child_that_was_opened_since_can_close_alone_or_under_its_parent():
    desk = stacked()
    desk.append(decompress(desk.now, ["b000003"], "one", "model"))
    desk.append(decompress(desk.now, ["b000001"], "raw", "model"))
    assert desk.active == ["b000002"]
    desk.append(recompress(desk.now, "b000003", "model"))
    assert desk.active == ["b000003"]


def test_a_legacy_block_over_a_broken_call_leaves_a_way_back():
    log = LogBuilder()
    log.user("go")
    log.turn(calls=[("bash", {}), ("bash", {})], results=["one"])
    log.user("go on")
    log.assistant("fine")
    data = {"version": 1, "id": "o", "startId": log.ids[0], "endId": log.ids[4], "summary": "s"}
    log.custom("aili.compact.tx.v1", data)
    desk = Desk(log)
    assert desk.shown == desk.raw
    desk.append(restore_all(desk.now))
    assert desk.shown == desk.raw


# Controls


@pytest.mark.parametrize("action", CONTROLS)
def test_a_switch_is_appended_once(action):
    desk = folded()
    opposite = {"on": "off", "manual-off": "manual-on", "cache-panel-off": "cache-panel-on"}
    if action in opposite:
        desk.append(control(desk.now, opposite[action]))
    made = desk.append(control(desk.now, action))
    assert made.origin == "user"
    assert control(desk.now, action).code == "already-in-force"


def test_an_unknown_switch_is_a_misuse():
    with pytest.raises(ValueError, match="no switch"):
        control(Desk().now, "sideways")


def test_off_shows_the_very_messages_and_refuses_all_but_on():
    desk = folded()
    desk.append(control(desk.now, "off"))
    now = desk.now
    sources = now.branch.sources
    assert all(a is b.message for a, b in zip(now.projection.messages, sources, strict=True))
    for refused in (
        decompress(now, ["b000001"], "one", "user"),
        recompress(now, "b000001", "user"),
        sweep(now),
        automatic(now),
        prune(now, ["m000003"], "user"),
        create(now, "range", ("m000001", "m000004"), topic="t", summary="s", origin="user"),
        promote(now, ["b000001", "b000002"], topic="t", summary="s", origin="user"),
    ):
        assert refused.code == "aili-off"
    desk.append(control(desk.now, "on"))
    assert desk.active == ["b000001"]
    assert desk.shown != desk.raw


def test_settings_that_switch_aili_off_switch_everything_off():
    desk = folded()
    desk.config = evolve(desk.config, enabled=False)
    assert desk.shown == desk.raw
    assert decompress(desk.now, ["b000001"], "one", "user").code == "aili-off"


def test_restore_all_gives_the_raw_history_and_ends_automatic_cooling():
    desk = Desk(observed("read", 3, log=worked(2)))
    desk.fold()
    desk.append(automatic(desk.now))
    assert desk.shown != desk.raw
    desk.append(restore_all(desk.now))
    assert desk.shown == desk.raw
    assert desk.now.state.controls.auto_cooling is False
    assert automatic(desk.now).code == "restored"
    assert prune(desk.now, results(desk)[-1:], "model").code == "restored"
    assert isinstance(sweep(desk.now), Transaction)
    assert recompress(desk.now, "b000001", "model").code == "restored"
    desk.append(recompress(desk.now, "b000001", "user"))
    assert desk.active == ["b000001"]


def test_switching_on_again_ends_what_restore_all_ordered():
    desk = Desk(observed("read", 3, log=worked(2)))
    desk.fold()
    desk.append(restore_all(desk.now))
    desk.append(control(desk.now, "on"))
    assert isinstance(automatic(desk.now), Transaction)
    # What it switched off still comes back by its user's word alone.
    assert recompress(desk.now, "b000001", "model").code == "restored"
    assert isinstance(recompress(desk.now, "b000001", "user"), Transaction)


FAULTY = {"version": 3, "kind": "control"}


def test_a_fault_refuses_every_mutator_with_its_code_until_restore_all():
    desk = folded()
    desk.log.custom("aili.compact.tx.v3", FAULTY)
    now = desk.now
    code = now.state.fault.code
    for refused in (
        decompress(now, ["b000001"], "one", "user"),
        sweep(now),
        control(now, "manual-on"),
        control(now, "off"),
        create(now, "range", ("m000001", "m000004"), topic="t", summary="s", origin="user"),
    ):
        assert refused.code == code
    assert desk.shown == desk.raw
    desk.append(restore_all(desk.now))
    assert desk.shown == desk.raw
    assert decompress(desk.now, ["b000001"], "one", "user").code == "epoch-query-only"
    desk.fold(origin="user")
    assert len(desk.active) == 1


@pytest.mark.parametrize("pressure", ["NORMAL", "PRESSURE", "FORCE_SEMANTIC"])
def test_behind_restore_all_only_the_users_word_folds(pressure):
    """Nothing that planning, a suffix or a model begins; a permit makes it the user's own."""
    desk = adjoining(3)
    desk.append(restore_all(desk.now))
    desk.log.user("go on")
    level = {"NORMAL": 0.1, "PRESSURE": 0.6, "FORCE_SEMANTIC": 0.8}[pressure]
    desk.config = evolve(desk.config, context_window=int(desk.now.pressure.use.tokens / level))
    now = desk.now
    assert now.pressure.state == pressure
    assert suffix_of(now) is None
    one = now.catalog.ranges[0]
    ends = (one.start_ref, one.end_ref)
    said = {"topic": "t", "summary": SAID[1]}
    for origin in ("model", "automatic"):
        assert create(now, "range", ends, **said, origin=origin).code == "restored"
        found = promote(now, ["b000001", "b000002"], **said, origin=origin)
        assert found.code == "restored"
    assert create(now, "range", ends, **said, origin="user").origin == "user"
    permit = ManualCompactPermit("req_1", now.branch.session_id, now.leaf, now.branch.epoch, "")
    made = create(now, "range", ends, **said, origin="model", permit=permit)
    assert made.origin == "user"
    assert (suffix_of(now, permit=permit) is None) == (not now.catalog.ranges)
    desk.append(made)
    assert len(desk.active) == 1


@pytest.mark.parametrize("version", [1, 2])
def test_behind_restore_all_an_older_binary_folds_nothing(version):
    desk = folded()
    desk.append(restore_all(desk.now))
    ids = desk.log.ids
    data = {"version": version, "id": "old", "startId": ids[0], "endId": ids[3], "summary": "s"}
    desk.log.custom(
        f"aili.compact.tx.v{version}", data | {"kind": "block"} if version == 2 else data
    )
    assert desk.now.state.fault is None
    assert desk.shown == desk.raw
    assert (desk.now.state.status["old"], desk.active) == ("disabled", [])
    assert recompress(desk.now, "b000002", "user").code == "legacy-recompress"
    desk.append(control(desk.now, "on"))
    assert desk.shown == desk.raw


def test_a_new_epoch_keeps_old_blocks_for_queries():
    desk = archived()
    now = desk.now
    assert desk.active == []
    assert recompress(now, "b000001", "user").code == "epoch-query-only"
    assert promote(now, ["b000001", "b000001"], topic="t", summary="s", origin="model").code in (
        "duplicate-ref",
        "epoch-query-only",
    )
    assert desk.fold().payload.tier == 1


def test_planning_off_begins_nothing_of_itself():
    desk = planless(Desk())
    one = desk.now.catalog.ranges[0] if desk.now.catalog.ranges else Desk().now.catalog.ranges[0]
    ends = (one.start_ref, one.end_ref)
    said = {"topic": "t", "summary": SAID[1]}
    assert create(desk.now, "range", ends, **said, origin="automatic").code == "planning-disabled"
    for origin in ("model", "user"):
        assert isinstance(create(desk.now, "range", ends, **said, origin=origin), Transaction)


def test_a_verdict_of_an_older_gate_or_view_does_not_come_back():
    for member in ("manifest_version", "evaluator_version", "projection_version"):
        desk = folded()
        desk.append(decompress(desk.now, ["b000001"], "raw", "user"))
        now = desk.now
        name, block = next(iter(now.state.blocks.items()))
        if member == "projection_version":
            older = evolve(block, projection_version=0)
        else:
            older = evolve(block, quality=evolve(block.quality, **{member: 0}))
        state = evolve(now.state, blocks={name: older})
        assert recompress(evolve(now, state=state), "b000001", "user").code == "lineage-changed"
