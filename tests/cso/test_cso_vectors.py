"""Every vector of `cases/cso.jsonl`, replayed through the call protocol."""

import json
from pathlib import Path

import pytest

from cso.call import Exchange

LINES = (
    (Path(__file__).parent.parent / "cases" / "cso.jsonl").read_text(encoding="utf-8").splitlines()
)
CASES = [json.loads(line) for line in LINES]

# These kinds are about capsules, which this package does not know.
ELSEWHERE = {"capsule_to_cso", "capsule_budget"}


@pytest.fixture(scope="module")
def answers():
    exchange = Exchange()
    return {
        case["id"]: json.loads(exchange.answer(line))
        for case, line in zip(CASES, LINES, strict=True)
    }


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["kind"] not in ELSEWHERE], ids=lambda case: case["id"]
)
def test_vector(case, answers):
    answer = answers[case["id"]]
    assert answer["id"] == case["id"]
    assert "error" not in answer
    output = answer["output"]
    assert {name: output.get(name) for name in case["expected"]} == case["expected"]
