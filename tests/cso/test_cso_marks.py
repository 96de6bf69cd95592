"""`ext.crp` as foreign writers may fill it: what is in no known form counts as not there."""

from contextlib import suppress

import pytest
from attrs import evolve
from cso_states import KEY, SESSION, decision, fact, state

import cso

JUNK = (
    *(None, True, 5, 1.5, "x", [], {}, [{}], [5], [None], [[]], {"a": 1}, {"a": {"items": 5}}),
    *([{"id": 5, "digest": 5}], [{"id": "a"}], [{"id": ["a"], "digest": {}}]),
    *({"a": {"items": [[["x"]], 5], "edges": ["e"]}}, ["sha256:" + "0" * 64]),
)
FIRST = cso.relay(
    None, state(fact("a"), fact("b"), decision("d", "a"), open_questions=["q"]), KEY, SESSION
).cso
GIFT = state(fact("n"), cso_id="gift")

OPERATIONS = {
    "archive": lambda x: cso.archive(cso.invalidate(x, "b", "why")[0]),
    "bind": lambda x: cso.bind(x, FIRST),
    "check": cso.check,
    "explain": lambda x: cso.explain(x, "d"),
    "integrate": lambda x: cso.integrate(x, GIFT, base=x.cso_hmac),
    "integrated": lambda x: cso.integrate(FIRST, x, base=FIRST.cso_hmac),
    "relay": lambda x: cso.relay(FIRST, evolve(x, cso_hmac=""), KEY, SESSION),
    "repair": lambda x: (cso.repair(FIRST, x), cso.repair(x, FIRST)),
    "revise": lambda x: cso.revise(x, "d", "c", because="w"),
    "slice": lambda x: cso.slice_of(x, ["d"]),
    "verify": lambda x: cso.verify_chain([FIRST, x], KEY, SESSION),
}


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)
@pytest.mark.parametrize("member", ["archived", "branch", "kid", "merged", "parents", "slice_of"])
def test_operations_answer_or_refuse(operation, member):
    for junk in JUNK:
        for ext in ({"crp": {member: junk}}, {"crp": junk}):
            value = evolve(FIRST, ext=ext)
            before = cso.dumps(value)
            with suppress(cso.CsoError):
                operation(value)
            assert cso.dumps(value) == before


def test_what_is_in_form_counts_beside_what_is_not():
    rows = [{}, {"id": "gone", "digest": "sha256:x"}, 5]
    assert cso.marks.archived(evolve(FIRST, ext={"crp": {"archived": rows}})) == {
        "gone": "sha256:x"
    }
    noted = {"b:1": {"items": ["a", 5, ["x", "y"]], "edges": 5}, "b:2": 5}
    assert cso.marks.merged(evolve(FIRST, ext={"crp": {"merged": noted}})) == {
        "b:1": {"items": ["a", ["x", "y"]]}
    }
