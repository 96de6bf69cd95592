"""Every real transcript, folded at random hundreds of times: always valid, in all shapes."""

import random

import pytest
from attrs import evolve

from kernel import CompressRange, Config, apply_compression, check, plan, process_turn, release
from kernel.config import CompressConfig, MergeConfig
from kernel.sessions import count_runs, read_session
from kernel.wire import WIRES, encode, encode_value

FOLDS = 300
CHECKS = 12
OPEN = Config(
    compress=CompressConfig(0, 20000, 0),
    preserve_recent_messages=0,
    preserve_recent_tokens=0,
    merge=MergeConfig(1200, 3),
)


def logs(folder):
    for path in sorted(folder.iterdir()):
        if path.suffix in (".jsonl", ".traj", ".json") and ".oracle." not in path.name:
            yield path


def random_range(rng, state):
    active = [block.block_id for block in state.blocks if block.active]
    if active and rng.random() < 0.2:
        left, right = rng.choice(active), rng.choice(active)
    else:
        refs = list(state.message_refs.by_ref)
        at = rng.randrange(len(refs))
        left, right = refs[at], refs[min(len(refs) - 1, at + rng.randrange(12))]
    return CompressRange(left, right, f"Folded: {rng.random()}, what it held in short.")


def judged(view, log, label):
    had_user = any(message.role == "user" for message in log.messages)
    assert check("core", view, had_user=had_user) == [], label
    for wire in WIRES:
        found = check(wire, encode_value(view, log.history, wire), had_user=had_user)
        assert found == [], (label, wire, found[:3])


def storm(log, seed, folds, checks):
    """Fold at random, release now and then, and judge the view along the way."""
    rng = random.Random(seed)
    messages = log.messages
    result = process_turn(messages, None, OPEN)
    judged(result.messages, log, "plain")
    state = result.state
    landed = 0
    for number in range(folds):
        item = random_range(rng, state)
        applied = apply_compression([item], messages, state, OPEN)
        state = applied.state
        landed += applied.result.blocks_created
        owners = [raw for b in state.blocks if b.active for raw in b.effective_message_ids]
        assert len(owners) == len(set(owners))
        if state.blocks and rng.random() < 0.03:
            state = release(rng.choice(state.blocks).block_id, state)
        if number % max(1, folds // checks) == 0:
            result = process_turn(messages, state, OPEN)
            state = result.state
            judged(result.messages, log, number)
    return landed


def test_storms(transcripts):
    seen = 0
    for path in logs(transcripts):
        runs = count_runs(path)
        folds = FOLDS if runs == 1 else FOLDS // 10
        for run in range(runs):
            log = read_session(path, run=run)
            landed = storm(log, f"{path.name}:{run}", folds, CHECKS if runs == 1 else 3)
            seen += landed > 0
    assert seen > 0


@pytest.mark.parametrize("name", ["tau-bench-gpt4o-airline-first40.json"])
def test_call_ids_that_recur_stay_with_their_turns(transcripts, name):
    """11 of the 40 conversations use one id in several turns."""
    path = transcripts / name
    recurring = 0
    for run in range(count_runs(path)):
        log = read_session(path, run=run)
        calls = [m.tool_call_id for m in log.messages if m.content_type == "tool-call"]
        recurring += len(set(calls)) != len(calls)
        view = process_turn(log.messages, render_tags="none").messages
        assert list(view) == list(log.messages)
        assert encode_value(view, log.history) == encode_value(log.messages, log.history)
        judged(view, log, run)
    assert recurring == 11


def test_a_plan_for_a_real_log_can_be_carried_out(transcripts):
    for path in logs(transcripts):
        log = read_session(path)
        config = Config(model_context_limit=30_000)
        state = process_turn(log.messages, None, config).state
        found = plan(log.messages, state, config)
        for item in found.ranges[:4]:
            summary = "What these messages held, in the words of whoever folds them, long enough."
            spec = CompressRange(item.start_ref, item.end_ref, summary)
            applied = apply_compression([spec], log.messages, state, config)
            assert applied.result.blocks_created == 1, (path.name, item, applied.result)
            before = process_turn(log.messages, state, config).messages
            after = process_turn(log.messages, applied.state, config).messages
            assert len(encode(after, log.history)) < len(encode(before, log.history))


def test_refs_in_the_view_of_a_real_log_are_unique(transcripts):
    for path in logs(transcripts):
        log = read_session(path)
        result = process_turn(log.messages)
        refs = [result.state.message_refs.by_raw[m.id] for m in log.messages]
        assert len(set(refs)) == len(refs)
        assert evolve(result.state) == result.state
