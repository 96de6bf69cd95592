"""Drafts against what a reader labelled: our own small logs, and real ones where at hand."""

import pytest
from benchmarks.draft_scoring import LABELS, LOGS, TRANSCRIPTS, Score, cases, score, trail_gaps

CASES = cases()
OWN = [case for case in CASES if case.path.parent == LOGS]
REAL = [case for case in CASES if case.path.parent == TRANSCRIPTS]
NAMES = sorted({case.path.name for case in CASES})
real = pytest.mark.skipif(not REAL, reason="the transcripts are not at hand")


def total(chosen):
    found = Score()
    for case in chosen:
        found.add(score(case))
    return found


@pytest.mark.parametrize("case", OWN, ids=lambda case: case.name)
def test_our_own_logs_give_what_their_reader_wants(case):
    found = score(case)
    assert found.wrong == []
    assert sum(found.met.values()) >= 0.8 * sum(found.owed.values()), found.missed


@real
@pytest.mark.parametrize("held_out", [False, True], ids=["seen", "held out"])
def test_precision_on_real_logs(held_out):
    found = total([case for case in REAL if case.held_out is held_out])
    for layer, count in found.drafted.items():
        assert found.right[layer] >= 0.8 * count, [row for row in found.wrong if layer]
    assert {"L1", "L2", "L4", "L5", "SEED"} <= set(found.drafted)


@real
def test_the_object_holds_more_than_the_capsule():
    found = total(REAL)
    assert all(found.inside[layer] >= found.met[layer] for layer in found.owed)
    assert found.inside["L4"] >= 0.9 * found.owed["L4"]


@real
def test_enough_is_labelled():
    assert len(REAL) >= 10
    assert len({case.log().format for case in REAL}) >= 4
    assert sum(case.held_out for case in REAL) >= 3
    assert len(list(LABELS.glob("*.json"))) == len(CASES)


@pytest.mark.parametrize("name", NAMES)
def test_no_command_and_no_changed_file_is_missing(name):
    path = next(case.path for case in CASES if case.path.name == name)
    if path.suffix == ".json" and "openhands" not in name:
        pytest.skip("no calls that are named the same everywhere")
    if name in ("sweagent-text-actions-pydicom.traj", "crane.traj"):
        pytest.skip("its commands are written into texts")
    count, missing = trail_gaps(path)
    assert count > 0
    assert missing == []
