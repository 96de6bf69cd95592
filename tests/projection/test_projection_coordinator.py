"""The coordinator: what it calls, how often, and that nothing makes it call again."""

import random
from itertools import product

import pytest
from attrs import asdict, evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_logs import LogBuilder

from kernel.projection.lifecycle.sealing import semantic
from kernel.projection.recovery.compaction import CompactEvent, CompactionResult
from kernel.projection.recovery.coordination import (
    ACTIVE,
    TERMINAL,
    TRANSITIONS,
    Counters,
    Cycle,
    Event,
    Phase,
    Situation,
    situation_of,
)
from kernel.projection.recovery.coordinator import CheckpointCoordinator
from kernel.projection.settings.config import Config
from kernel.projection.snapshot import take

RESULT = CompactionResult("all of it", "e1", 9)


class Host:
    """Counts what it is asked for; `during` is called while it compacts."""

    def __init__(self, *, idle=True, error=None, during=None):
        self.idle, self.error, self.during = idle, error, during
        self.compacted, self.sent = [], []

    def is_idle(self):
        if self.idle is None:
            raise OSError("gone")
        return self.idle

    def compact(self, request):
        self.compacted.append(request)
        if self.error is not None:
            raise self.error
        if self.during is not None:
            self.during(request)

    def send_user_message(self, text):
        self.sent.append(text)
        if self.error is not None:
            raise self.error

    @property
    def asked(self):
        return len(self.compacted), len(self.sent)


class Planner:
    def __init__(self, result=RESULT):
        self.result, self.events = result, []

    def __call__(self, _snapshot, event):
        self.events.append(event)
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def made(planner=None, **host):
    found = Host(**host)
    return CheckpointCoordinator(found, planner or Planner()), found


def standing(pressure="NORMAL", path="abc", *, session="S", epoch="root", **more):
    return Situation(session, epoch, path[-1], path, pressure, **more)


FULL = standing("CHECKPOINT_REQUIRED")


def talk(**config):
    log = LogBuilder()
    log.user("hi")
    log.assistant("hello")
    return log, take(log.tree(), config=Config(**config))


# The table


def test_every_phase_is_reached_and_every_row_is_of_known_names():
    assert {phase for phase, _ in TRANSITIONS} | set(TRANSITIONS.values()) == set(Phase.__args__)
    assert {event for _, event in TRANSITIONS} == set(Event.__args__)
    assert not ACTIVE & TERMINAL
    for phase in TERMINAL:
        assert {event for one, event in TRANSITIONS if one == phase} == {"schedule", "hook"}


@pytest.mark.parametrize(("phase", "event"), list(product(Phase.__args__, Event.__args__)))
def test_an_event_the_table_does_not_name_changes_nothing(phase, event):
    coordinator, _ = made()
    coordinator.phase = phase
    coordinator._fire(event)
    expected = TRANSITIONS.get((phase, event))
    assert coordinator.phase == (phase if expected is None else expected)
    assert coordinator.counters.ignored == (expected is None)


# One checkpoint a cycle


def test_pressure_leads_to_one_call_and_to_its_epoch():
    coordinator, host = made()
    assert coordinator.settle(FULL).code == "invoked"
    assert (coordinator.phase, host.asked) == ("inFlight", (1, 0))
    coordinator.completed(host.compacted[0])
    assert coordinator.phase == "awaitingEpoch"
    coordinator.observe(standing("NORMAL", "abcd", epoch="d"))
    assert coordinator.phase == "completed"
    assert coordinator.cycle == Cycle(1)


@pytest.mark.parametrize("end", ["none", "completed", "failed"])
def test_repeated_settles_call_once(end):
    coordinator, host = made()
    for _ in range(3):
        coordinator.settle(FULL)
    if end != "none":
        for _ in range(3):
            getattr(coordinator, end)(host.compacted[0])
    for state in ("CHECKPOINT_REQUIRED", "OVERFLOW_RECOVERY", "FORCE_SEMANTIC", "PRESSURE") * 3:
        coordinator.settle(standing(state, "abcde"))
    assert host.asked == (1, 0)


@pytest.mark.parametrize("state", ["NORMAL", "PRESSURE", "FORCE_SEMANTIC"])
def test_no_lesser_pressure_calls(state):
    coordinator, host = made()
    assert coordinator.settle(standing(state)).code == "no-checkpoint-needed"
    assert host.asked == (0, 0)


def test_a_new_cycle_has_a_checkpoint_of_its_own():
    coordinator, host = made()
    coordinator.settle(FULL)
    coordinator.failed(host.compacted[0])
    coordinator.settle(standing("NORMAL"))
    coordinator.settle(FULL)
    assert host.asked == (2, 0)
    coordinator.observe(standing("CHECKPOINT_REQUIRED", "abcd", epoch="d"))
    coordinator.settle(standing("OVERFLOW_RECOVERY", "abcde", epoch="d"))
    assert host.asked == (3, 0)


def test_a_busy_host_is_called_when_it_is_idle():
    coordinator, host = made(idle=False)
    assert coordinator.settle(FULL).code == "scheduled"
    assert coordinator.settle(FULL).code == "scheduled"
    assert (coordinator.phase, host.asked) == ("scheduled", (0, 0))
    host.idle = True
    assert coordinator.settle(FULL).code == "invoked"
    assert coordinator.settle(FULL).code == "cycle-had-its-checkpoint"
    assert host.asked == (1, 0)
    host.idle = None
    assert made(idle=None)[0].settle(FULL).code == "scheduled"


def test_what_was_scheduled_lapses_with_the_pressure():
    coordinator, host = made(idle=False)
    coordinator.settle(FULL)
    host.idle = True
    coordinator.settle(standing("NORMAL"))
    assert (coordinator.phase, host.asked) == ("abandoned", (0, 0))


def test_callbacks_may_come_before_the_call_returns():
    coordinator, host = made()
    host.during = coordinator.completed
    coordinator.settle(FULL)
    assert coordinator.phase == "awaitingEpoch"
    host.during = lambda request: [coordinator.failed(request), coordinator.completed(request)]
    coordinator.settle(standing("NORMAL"))
    coordinator.settle(FULL)
    assert coordinator.phase == "failed"
    host.during = lambda _: coordinator.observe(standing("NORMAL", "abcd", epoch="d"))
    coordinator.settle(standing("NORMAL"))
    coordinator.settle(FULL)
    assert coordinator.phase == "completed"
    coordinator.completed(host.compacted[-1])
    coordinator.failed(host.compacted[-1])
    assert (coordinator.phase, host.asked) == ("completed", (3, 0))


def test_callbacks_of_an_older_request_are_not_heard():
    coordinator, host = made()
    coordinator.settle(FULL)
    coordinator.failed(host.compacted[0])
    coordinator.rescue(FULL)
    for callback in (coordinator.completed, coordinator.failed):
        callback(host.compacted[0])
        callback("req_999999")
    assert (coordinator.phase, len(host.compacted)) == ("inFlight", 2)
    coordinator.completed(host.compacted[1])
    assert coordinator.phase == "awaitingEpoch"


def test_a_host_that_fails_ends_the_cycle_and_nothing_else():
    coordinator, host = made(error=RuntimeError("no"))
    assert coordinator.settle(FULL).code == "host-failed"
    assert coordinator.phase == "failed"
    coordinator.settle(FULL)
    assert host.asked == (1, 0)
    assert coordinator.rescue(FULL, native=True).code == "host-failed"
    assert coordinator.native is None
    assert coordinator.compress(standing(), "x").code == "host-failed"
    assert coordinator.manual is None
    assert (coordinator.counters.permits_granted, coordinator.counters.permits_expired) == (2, 2)


def test_another_branch_or_session_abandons_what_was_begun():
    for elsewhere in (standing(path="abx"), standing(path="abc", session="T")):
        coordinator, host = made()
        coordinator.settle(standing("CHECKPOINT_REQUIRED", "abc"))
        coordinator.compress(standing(), "")
        coordinator.observe(elsewhere)
        assert coordinator.phase == "abandoned"
        coordinator.completed(host.compacted[0])
        assert coordinator.phase == "abandoned"
        coordinator.settle(evolve(elsewhere, pressure="CHECKPOINT_REQUIRED"))
        assert len(host.compacted) == 2


def test_news_that_come_late_or_a_move_back_call_for_nothing_twice():
    """Settles of two places of one branch in any order are one stretch of pressure."""
    for pressures in product(("NORMAL", "CHECKPOINT_REQUIRED"), repeat=2):
        coordinator, host = made()
        coordinator.settle(standing("CHECKPOINT_REQUIRED", "abc"))
        for _ in range(5):
            coordinator.settle(standing(pressures[0], "ab"))
            coordinator.settle(standing("CHECKPOINT_REQUIRED", "abc"))
            coordinator.settle(standing(pressures[1], "a"))
        assert (host.asked, coordinator.cycle.number) == ((1, 0), 0)
        assert coordinator.semantic(standing("PRESSURE", "ab")) is not None
        assert coordinator.semantic(standing("PRESSURE", "abc")) is None


def test_a_real_move_back_and_on_is_another_branch():
    coordinator, host = made()
    coordinator.settle(standing("CHECKPOINT_REQUIRED", "abc"))
    coordinator.failed(host.compacted[0])
    assert coordinator.settle(standing("CHECKPOINT_REQUIRED", "ab")).code == (
        "cycle-had-its-checkpoint"
    )
    assert coordinator.settle(standing("CHECKPOINT_REQUIRED", "abx")).code == "invoked"
    assert coordinator.settle(standing("CHECKPOINT_REQUIRED", "abxy")).code == (
        "cycle-had-its-checkpoint"
    )
    assert host.asked == (2, 0)


def test_a_move_back_behind_a_compaction_is_another_cycle():
    coordinator, host = made()
    coordinator.settle(standing("CHECKPOINT_REQUIRED", "abcd", epoch="c"))
    coordinator.completed(host.compacted[0])
    coordinator.settle(standing("CHECKPOINT_REQUIRED", "ab"))
    assert host.asked == (2, 0)


def test_nothing_is_asked_of_a_host_that_has_not_ended_the_last():
    coordinator, host = made()
    coordinator.settle(FULL)
    for path in ("abx", "abc", "abx", "abz"):
        found = coordinator.settle(standing("OVERFLOW_RECOVERY", path))
        assert (found.code, found.request) == ("checkpoint-under-way", host.compacted[0])
    assert host.asked == (1, 0)
    coordinator.failed(host.compacted[0])
    assert coordinator.settle(standing("OVERFLOW_RECOVERY", "abz")).code == "invoked"
    assert host.asked == (2, 0)


def test_what_was_restored_is_folded_with_a_permit_alone():
    coordinator, _ = made()
    restored = standing("FORCE_SEMANTIC", restored=True)
    assert coordinator.semantic(restored) is None
    coordinator.compress(restored)
    assert coordinator.semantic(restored).permit is not None
    assert coordinator.semantic(restored) is None


# What belongs to the user


def test_automatic_compaction_switched_off_stays_off():
    coordinator, host = made()
    off = evolve(FULL, compaction=False)
    for _ in range(4):
        assert coordinator.settle(off).code == "user-disabled-compaction"
    assert (coordinator.counters.withheld, host.asked) == (4, (0, 0))
    assert coordinator.rescue(off).done
    assert host.asked == (1, 0)


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("pressure", ["NORMAL", "FORCE_SEMANTIC", "OVERFLOW_RECOVERY"])
def test_rescue_is_one_call_and_no_message(native, pressure):
    coordinator, host = made()
    found = coordinator.rescue(standing(pressure), native=native)
    assert (found.code, found.request, host.asked) == ("invoked", host.compacted[0], (1, 0))
    assert coordinator.rescue(standing(pressure), native=native).code == "checkpoint-under-way"
    coordinator.settle(standing(pressure))
    assert host.asked == (1, 0)
    assert asdict(coordinator.counters)["messages"] == 0


def test_rescue_waits_for_idle_and_does_nothing_meanwhile():
    coordinator, host = made(idle=False)
    assert coordinator.rescue(standing(), native=True).code == "not-idle"
    assert (host.asked, coordinator.native, coordinator.phase) == ((0, 0), None, "idle")


def test_rescue_takes_over_what_waits():
    coordinator, host = made(idle=False)
    coordinator.settle(FULL)
    host.idle = True
    assert coordinator.rescue(FULL).done
    coordinator.completed(host.compacted[0])
    assert coordinator.phase == "awaitingEpoch"
    assert coordinator.rescue(FULL).done
    assert host.asked == (2, 0)


def test_compress_is_one_message_and_no_call():
    coordinator, host = made()
    found = coordinator.compress(standing("PRESSURE"), " the \n parser\ud800 ")
    assert (found.code, host.asked) == ("turn-started", (0, 1))
    assert host.sent[0].endswith("Focus: the parser\ufffd")
    assert len(host.sent[0]) < 200
    assert coordinator.compress(standing("PRESSURE")).code == "permit-outstanding"
    assert host.asked == (0, 1)
    assert len(made()[1].sent) == 0


def test_the_permit_of_compress_is_for_one_use_in_its_turn():
    coordinator, _ = made()
    coordinator.compress(standing(path="abc"), "x")
    coordinator.settle(standing(path="abc"))
    permit = coordinator.manual
    assert (permit.session_id, permit.epoch, permit.leaf, permit.focus) == ("S", "root", "c", "x")
    assert coordinator.semantic(standing(path="abcd")).permit == permit
    assert coordinator.semantic(standing(path="abcd")) is None
    coordinator.compress(standing(path="abcde"))
    coordinator.settle(standing(path="abcdefg"))
    assert coordinator.semantic(standing(path="abcdefg")) is None
    assert (coordinator.counters.permits_used, coordinator.counters.permits_expired) == (1, 1)


def test_the_permit_of_compress_opens_manual_mode_for_its_session_and_epoch():
    _, now = talk(manual_mode=True)
    coordinator, _ = made()
    coordinator.compress(situation_of(now))
    permit = coordinator.semantic(situation_of(now)).permit
    assert semantic(now, "model", None).code == "manual-mode"
    assert semantic(now, "model", permit) is None
    assert semantic(now, "model", evolve(permit, epoch="other")).code == "permit-mismatch"


@pytest.mark.parametrize(
    "elsewhere", [standing(session="T"), standing(path="abx"), standing(path="abcd", epoch="d")]
)
def test_no_permit_outlives_its_session_branch_or_epoch(elsewhere):
    coordinator, _ = made()
    coordinator.compress(standing(), "x")
    assert coordinator.semantic(elsewhere) is None
    assert coordinator.counters.permits_expired == 1


def test_no_summary_is_begun_before_a_checkpoint():
    coordinator, host = made()
    assert coordinator.compress(FULL).code == "checkpoint-required"
    coordinator.compress(standing())
    assert coordinator.semantic(FULL) is None
    assert host.asked == (0, 1)


def test_status_reads_and_does_nothing():
    coordinator, host = made()
    coordinator.rescue(standing(), native=True)
    before, asked = coordinator.status(), host.asked
    for _ in range(3):
        assert coordinator.status() == before
    assert host.asked == asked
    assert before["permits"] == {"nativeOnly": True, "manual": False}


# One semantic attempt a cycle


def test_a_cycle_has_one_semantic_attempt():
    coordinator, _ = made()
    pressed = standing("PRESSURE")
    assert coordinator.semantic(standing()) is None
    assert coordinator.semantic(pressed).permit is None
    for state in ("PRESSURE", "FORCE_SEMANTIC", "CHECKPOINT_REQUIRED", "PRESSURE"):
        assert coordinator.semantic(standing(state, "abcd")) is None
    coordinator.settle(standing("NORMAL", "abcde"))
    assert coordinator.semantic(standing("PRESSURE", "abcdef")) is not None
    assert coordinator.counters.semantic_attempts == 2


def test_planning_off_takes_only_the_permitted_attempt():
    coordinator, _ = made()
    pressed = standing("FORCE_SEMANTIC", planning=False)
    assert coordinator.semantic(pressed) is None
    coordinator.compress(pressed)
    assert coordinator.semantic(pressed).permit is not None
    assert coordinator.settle(standing("CHECKPOINT_REQUIRED", planning=False)).done


# The hook


@pytest.mark.parametrize("reason", ["manual", "threshold", "overflow"])
def test_the_hook_plans_once_for_one_event(reason):
    _, now = talk()
    planner = Planner()
    coordinator, host = made(planner)
    event = CompactEvent(reason, tokens_before=5)
    answers = [coordinator.before_compact(now, event) for _ in range(4)]
    assert answers == [RESULT] * 4
    assert (len(planner.events), coordinator.counters.replays, host.asked) == (1, 3, (0, 0))
    assert coordinator.phase == "inFlight"
    coordinator.completed()
    assert coordinator.phase == "awaitingEpoch"


def test_a_compaction_of_the_host_is_the_cycles_checkpoint():
    _, now = talk()
    coordinator, host = made()
    coordinator.before_compact(now, CompactEvent("threshold"))
    full = evolve(situation_of(now), pressure="CHECKPOINT_REQUIRED")
    assert coordinator.settle(full).code == "cycle-had-its-checkpoint"
    assert host.asked == (0, 0)
    # How it ended may never be told: the user's rescue is not held up by it.
    assert coordinator.rescue(full).done


def test_a_planner_that_raises_gives_nothing():
    log, now = talk()
    before = log.raw()
    coordinator, host = made(Planner(RuntimeError("secret text")))
    assert coordinator.before_compact(now, {"reason": "overflow"}) is None
    assert coordinator.before_compact(now, {"reason": "overflow"}) is None
    assert (coordinator.counters.plans, host.asked, log.raw()) == (1, (0, 0), before)


def test_answers_are_remembered_in_bounds_and_by_leaf():
    log, now = talk()
    planner = Planner()
    coordinator, _ = made(planner)
    for number in range(40):
        coordinator.before_compact(now, CompactEvent(tokens_before=number))
    assert (len(coordinator._answers), len(planner.events)) == (16, 40)
    log.user("more")
    coordinator.before_compact(take(log.tree()), CompactEvent(tokens_before=39))
    assert len(planner.events) == 41


def test_off_means_no_plan_no_memory_no_call():
    _, off = talk(enabled=False)
    planner = Planner()
    coordinator, host = made(planner)
    closed = situation_of(off)
    assert not closed.enabled
    full = evolve(closed, pressure="OVERFLOW_RECOVERY")
    for reason in ("manual", "threshold", "overflow"):
        assert coordinator.before_compact(off, CompactEvent(reason)) is None
    assert coordinator.settle(full).code == "aili-off"
    assert coordinator.rescue(full).code == "aili-off"
    assert coordinator.rescue(full, native=True).code == "aili-off"
    assert coordinator.compress(full, "x").code == "aili-off"
    assert coordinator.semantic(full) is None
    assert planner.events == []
    assert len(coordinator._answers) == 0
    assert (coordinator.counters, coordinator.cycle, coordinator.phase) == (
        Counters(),
        Cycle(),
        "idle",
    )
    assert host.asked == (0, 0)


def test_off_gives_the_input_back_as_it_came():
    log, _ = talk()
    off = take(log.tree(), config=Config(enabled=False))
    assert all(
        message is source.message
        for message, source in zip(off.projection.messages, off.branch.sources, strict=True)
    )


# The native-only permit


def native():
    log, now = talk()
    planner = Planner()
    coordinator, host = made(planner)
    coordinator.rescue(situation_of(now), native=True)
    return log, now, coordinator, host, planner


def test_rescue_native_leaves_its_one_hook_to_the_host():
    _, now, coordinator, host, planner = native()
    event = CompactEvent("manual", host.compacted[0])
    assert coordinator.before_compact(now, event) is None
    assert coordinator.before_compact(now, event) is None
    assert planner.events == []
    assert (coordinator.counters.native, coordinator.counters.permits_used) == (1, 1)
    coordinator.completed(host.compacted[0])
    coordinator.rescue(situation_of(now))
    assert coordinator.before_compact(now, CompactEvent("manual", host.compacted[1])) == RESULT
    assert host.asked == (2, 0)


STRANGERS = {
    "the host's own command": CompactEvent("manual"),
    "another request": CompactEvent("manual", "req_000099"),
    "a threshold": CompactEvent("threshold", "req_000001"),
    "an overflow": CompactEvent("overflow", "req_000001"),
}


@pytest.mark.parametrize("name", STRANGERS)
def test_no_other_hook_gets_the_native_permit(name):
    _, now, coordinator, host, planner = native()
    assert coordinator.before_compact(now, STRANGERS[name]) == RESULT
    assert len(planner.events) == 1
    assert coordinator.counters.permits_used == 0
    assert coordinator.before_compact(now, CompactEvent("manual", host.compacted[0])) is None


def test_the_native_permit_is_bound_to_its_leaf_and_ends_with_its_request():
    log, now, coordinator, host, planner = native()
    log.user("more")
    later = take(log.tree())
    assert coordinator.before_compact(later, CompactEvent("manual", host.compacted[0])) == RESULT
    _, now, coordinator, host, planner = native()
    coordinator.failed(host.compacted[0])
    assert coordinator.native is None
    assert coordinator.before_compact(now, CompactEvent("manual", host.compacted[0])) == RESULT
    assert coordinator.counters.permits_expired == 1
    assert len(planner.events) == 1


def test_a_plain_rescue_and_the_hosts_command_plan_first():
    _, now = talk()
    planner = Planner()
    coordinator, host = made(planner)
    assert coordinator.before_compact(now, CompactEvent("manual")) == RESULT
    coordinator.completed()
    coordinator.rescue(situation_of(now))
    assert coordinator.before_compact(now, CompactEvent("manual", host.compacted[0])) == RESULT
    assert (len(planner.events), coordinator.counters.native) == (2, 0)


# Any order of anything

VERBS = st.sampled_from(
    ["settle", "settle", "semantic", "complete", "error", "hook", "observe", "late", "status"]
)


@given(st.lists(st.tuples(VERBS, st.sampled_from(["PRESSURE", "FORCE_SEMANTIC", "CHECKPOINT_REQUIRED", "OVERFLOW_RECOVERY"])), max_size=60), st.integers(0, 999))  # fmt: skip
@settings(max_examples=150, deadline=None, derandomize=True)
def test_one_cycle_never_calls_or_attempts_twice(steps, seed):
    rng = random.Random(seed)
    _, now = talk()
    coordinator, host = made()
    here = situation_of(now)
    for verb, pressure in steps:
        host.idle = rng.random() < 0.7
        at = evolve(here, pressure=pressure)
        request = rng.choice([*host.compacted, None, "req_777777"])
        if verb == "settle":
            coordinator.settle(at)
        elif verb == "semantic":
            coordinator.semantic(at)
        elif verb == "complete":
            coordinator.completed(request)
        elif verb == "error":
            coordinator.failed(request)
        elif verb == "observe":
            coordinator.observe(at)
        elif verb == "late":
            coordinator.completed("req_000001")
        elif verb == "status":
            coordinator.status()
        elif host.compacted:
            # The only hook of this cycle is that of the call that was made.
            coordinator.phase in ACTIVE and coordinator._fire("hook")
    assert len(host.compacted) <= 1
    assert host.sent == []
    assert coordinator.counters.semantic_attempts <= 1
    assert coordinator.cycle.number == 0
