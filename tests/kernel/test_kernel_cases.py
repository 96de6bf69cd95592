"""The recorded cases, through the call protocol.

Every recorded member must be equal, ours may hold more. Where a case records what a
provider would refuse or what loses content, the better result is pinned below with its
reason; the two wire ops are lossless here and tested in `test_kernel_wire`.
"""

import json
from pathlib import Path

import pytest

from kernel.call import Caller, answer_line, expand

CASES = Path(__file__).resolve().parents[1] / "cases" / "kernel.jsonl"
LINES = {json.loads(line)["id"]: line for line in CASES.read_text("utf-8").splitlines()}
WIRE_OPS = {"wireToCore", "wireRoundTrip"}

# The cases were recorded without a lower usage gate.
CALLER = Caller(config={"nudge": {"minContextLimitPct": 0}})

BETTER = {
    "prune-summary-inside-pair": "a summary never stands between a call and its result",
    "prune-orphan-result": "likewise; the result of the covered call goes with it",
    "prune-orphan-compress-call": "a compress call without a result is an orphan like any",
    "apply-pair-then-overlap": "ranges overlap after widening: the later one is skipped",
    "turn-orphans": "no orphan in any view, also without a block",
    "turn-summary-ref-consumed": "a rendered summary takes no ref and no tag",
    "turn-reprune": "a rendered summary takes no ref and no tag",
    "turn-pruned-view-tagged": "a rendered summary takes no ref and no tag",
    "ref-8": "b0 is a block nobody has, not a malformed ref",
    "res-bad": "b0 is a block nobody has, not a malformed ref",
}


def answer(case_id):
    out = json.loads(answer_line(LINES[case_id], CALLER))
    assert "error" not in out, out
    return out["output"]


def missing(want, got, path=""):
    """Yield what is recorded and not so in ours; members ours has more do not count."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key, value in want.items():
            if key not in got:
                yield f"{path}.{key} is missing"
            else:
                yield from missing(value, got[key], f"{path}.{key}")
    elif isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got):
            yield f"{path}: {len(want)} wanted, {len(got)} got"
        for index, (left, right) in enumerate(zip(want, got, strict=False)):
            yield from missing(left, right, f"{path}[{index}]")
    elif want != got or isinstance(want, bool) != isinstance(got, bool):
        yield f"{path}: {want!r:.200} wanted, {got!r:.200} got"


@pytest.mark.parametrize(
    "case_id",
    [
        name
        for name, line in LINES.items()
        if json.loads(line)["op"] not in WIRE_OPS and name not in BETTER
    ],
)
def test_recorded(case_id):
    want = expand(json.loads(LINES[case_id])["output"])
    assert list(missing(want, answer(case_id))) == []


def test_the_better_results_differ_from_the_recorded_ones():
    for case_id in BETTER:
        want = expand(json.loads(LINES[case_id])["output"])
        assert list(missing(want, answer(case_id))), case_id


def ids(output):
    return [message["id"] for message in output["messages"]]


def test_summaries_stand_before_the_turn_they_would_split():
    assert ids(answer("prune-summary-inside-pair")) == ["u1", "acp_summary_b1", "c1", "r1", "x1"]
    assert ids(answer("prune-orphan-result")) == ["u1", "acp_summary_b1", "c1", "r1", "x1"]


def test_no_orphan_in_any_view():
    assert ids(answer("prune-orphan-compress-call")) == ["u1", "acp_summary_b1", "x"]
    assert ids(answer("turn-orphans")) == ["o1", "o5"]


def test_the_later_of_two_ranges_that_overlap_after_widening_is_skipped():
    out = answer("apply-pair-then-overlap")
    assert out["result"]["blocksCreated"] == 1
    assert out["result"]["tokensCompressed"] == 240
    assert out["result"]["warnings"] == [
        {"code": "WARN_OVERLAP_SKIPPED", "params": {"start": "m00004", "end": "m00005"}}
    ]
    assert out["state"]["blocks"][0]["effectiveMessageIds"] == ["a2", "a3", "a4"]


@pytest.mark.parametrize(
    ("case_id", "summary"),
    [
        ("turn-summary-ref-consumed", "acp_summary_b3"),
        ("turn-reprune", "acp_summary_b1"),
        ("turn-pruned-view-tagged", "acp_summary_b1"),
    ],
)
def test_a_rendered_summary_takes_no_ref_and_no_tag(case_id, summary):
    out = answer(case_id)
    shown = next(m for m in out["messages"] if m["id"] == summary)
    assert shown["text"].startswith("[Compressed conversation section]")
    assert summary not in out["state"]["messageRefs"]["byRaw"]
    recorded = json.loads(LINES[case_id])["output"]
    assert ids(out) == ids(recorded)


def test_b0_is_an_unknown_block():
    assert answer("ref-8") == {"kind": "block", "numericId": 0, "raw": "b0"}
    thrown = answer("res-bad")["thrown"]
    assert (thrown["code"], thrown["endpoint"]) == ("UNKNOWN_REF", "end")
