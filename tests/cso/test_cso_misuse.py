"""Calls that are wrong in themselves are refused as such, whatever Python would make of them."""

import pytest
from cso_states import fact, state

import cso

STATE = state(fact("a"), goal_state=cso.GoalState(mode="AGENTIC", remaining=["a"]))
WRONG = {
    "a text of seeds": lambda: cso.slice_of(STATE, "a"),
    "a text of entries": lambda: cso.advance(STATE, "a"),
    "an age that is none": lambda: cso.freshness(float("nan"), cso.Volatility.REALTIME),
    "an age beyond all": lambda: cso.freshness(float("inf"), cso.Volatility.STATIC),
    "a vast confidence": lambda: fact("b", confidence=10**400),
    "no confidence": lambda: fact("b", confidence=float("nan")),
    "an endless completion": lambda: cso.GoalState(mode="AGENTIC", completion=float("inf")),
}


@pytest.mark.parametrize("call", WRONG.values(), ids=WRONG)
def test_what_is_no_value_is_refused(call):
    with pytest.raises(cso.ContentError, match="expected"):
        call()
