"""The call protocol: every line gets an answer, and a bad one ends nothing."""

import json
from pathlib import Path

import pytest
from cso_states import given, json_values
from hypothesis import strategies as st

from cso.call import Exchange

KEY = "00" * 32
VECTORS = Path(__file__).parent.parent / "cases" / "cso.jsonl"
CASES = [json.loads(line) for line in VECTORS.read_text(encoding="utf-8").splitlines()]


def ask(exchange, kind, given_, name="x", **more):
    return json.loads(
        exchange.answer(json.dumps({"id": name, "kind": kind, "input": given_, **more}))
    )


def scaled(generator):
    given_ = {"root": "r", "generator": generator}
    return json.dumps({"id": "a", "kind": "invalidate_scale", "input": given_})


# the line → (id, code)
ERRORS = {
    "not JSON": ("{", None, "json"),
    "empty": ("", None, "json"),
    "array": ("[]", None, "request"),
    "text": ('"x"', None, "request"),
    "NaN": ('{"id": "a", "kind": "header", "input": {"x": NaN}}', None, "json"),
    "member twice": ('{"id": "a", "id": "b"}', None, "json"),
    "no id": ('{"kind": "header", "input": {}}', None, "request"),
    "id null": ('{"id": null, "kind": "header", "input": {}}', None, "request"),
    "id an object": ('{"id": {}, "kind": "header", "input": {}}', None, "request"),
    "no kind": ('{"id": "a", "input": {}}', "a", "request"),
    "kind a number": ('{"id": "a", "kind": 1, "input": {}}', "a", "request"),
    "no input": ('{"id": "a", "kind": "header"}', "a", "request"),
    "input an array": ('{"id": "a", "kind": "header", "input": []}', "a", "request"),
    "unknown kind": ('{"id": "a", "kind": "x", "input": {}}', "a", "kind"),
    "input without its member": ('{"id": "a", "kind": "header", "input": {}}', "a", "input"),
    "unknown base": (
        '{"id": "a", "kind": "cso_tamper", "input": {"base": "z", "set": {}}}',
        "a",
        "reference",
    ),
    "short key": (
        '{"id": "a", "kind": "cso_hmac", "input": {"cso": {}, "key_hex": "00", "session_id": "s"}}',
        "a",
        "key",
    ),
    "key not hex": (
        '{"id": "a", "kind": "cso_hmac", "input": {"cso": {}, "key_hex": "zz", "session_id": "s"}}',
        "a",
        "input",
    ),
    "generator out of form": (
        '{"id": "a", "kind": "invalidate_scale", "input": {"generator": "chain: x", "root": "r"}}',
        "a",
        "input",
    ),
    "generator with other syntax": (
        scaled("tree: n{i} depends on n{i**9}, i=1..2"),
        "a",
        "input",
    ),
    "generator too long": (
        scaled("tree: n{i} depends on n{i-1}, i=1..99999999"),
        "a",
        "input",
    ),
    "generator dividing by zero": (
        scaled("tree: n{i} depends on n{i//0}, i=1..2"),
        "a",
        "input",
    ),
    "strict and unknown": (
        '{"id": "a", "kind": "invalidate", "input": {"edges": [], "root": "r", "strict": true}}',
        "a",
        "unknown-id",
    ),
}


@pytest.mark.parametrize(("line", "name", "code"), ERRORS.values(), ids=ERRORS)
def test_errors(line, name, code):
    exchange = Exchange()
    answer = json.loads(exchange.answer(line))
    assert set(answer) == {"id", "error"}
    assert set(answer["error"]) == {"code", "message", "at"}
    assert (answer["id"], answer["error"]["code"]) == (name, code)
    assert answer["error"]["message"]
    # The stream goes on.
    assert ask(exchange, "header", {"line": "CRP-Relay-Revisions: 1"})["output"]["valid"]


KINDS = sorted({case["kind"] for case in CASES} - {"capsule_to_cso", "capsule_budget"})
MEMBERS = sorted({name for case in CASES for name in case["input"]})


@given(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(MEMBERS), json_values, max_size=4))
def test_any_input_gets_an_answer(kind, given_):
    answer = ask(Exchange(), kind, given_)
    assert answer["id"] == "x"
    assert ("output" in answer) != ("error" in answer)


@given(st.text() | st.binary())
def test_any_line_gets_an_answer(line):
    assert json.loads(Exchange().answer(line))["id"] is None


OBJECT = {"cso_id": "c", "window_number": 1, "goal_state": {"mode": "TOOL"}, "constraints": ["k"]}


def test_tags_chains_and_references():
    exchange = Exchange()
    signing = {"key_hex": KEY, "session_id": "s"}
    first = ask(exchange, "cso_hmac", {"cso": OBJECT, **signing}, "A")["output"]
    assert first["chain_integrity"] == "UNVERIFIED"
    signed = {**OBJECT, "cso_hmac": first["cso_hmac"], "prior_cso_hash": ""}
    for name in ("established_facts", "decisions", "dependency_graph", "open_questions"):
        signed[name] = []
    signed["goal_state"] = {
        "mode": "TOOL",
        "objective": "",
        "remaining": [],
        "success_test": "",
        "completion": 0,
    }
    signed["verified"] = False
    second = {**signed, "window_number": 2, "prior_cso_hash": first["cso_hmac"], "cso_hmac": ""}
    both = ask(exchange, "cso_hmac", {"chain": [signed, second], **signing}, "B")["output"]
    assert both["chain_integrity"] == "VALID"
    whole = {"chain": [signed, {**second, "cso_hmac": both["cso_hmac"]}], **signing}
    assert ask(exchange, "cso_hmac", whole, "C")["output"]["chain_integrity"] == "VALID"
    tampers = [
        ({"base": "C", "set": {"constraints.0": "x"}}, 2),
        ({"base": "C[0]", "set": {"constraints.0": "x"}}, 1),
        ({"base": "C", "set": {"window_number": 9}}, 2),
        ({"base": "C", "set": {"window_number": "x"}}, 2),
        ({"base": "C", "set": {"ext.org.x": 1}}, 2),
        ({"base": "C", "set": {"goal_state.mode": None}}, 2),
    ]
    for given_, window in tampers:
        found = ask(exchange, "cso_tamper", given_)["output"]
        assert (found["chain_integrity"], found["broken_at_window"]) == ("BROKEN", window)
    assert (
        ask(exchange, "cso_tamper", {"base": "C", "set": {}})["output"]["chain_integrity"]
        == "VALID"
    )
    order = ask(exchange, "cso_chain_fault", {"chain": ["C[1]", "C[0]"]})["output"]
    assert (order["chain_integrity"], order["broken_at_window"]) == ("BROKEN", 2)
    assert ask(exchange, "cso_chain_fault", {"chain": ["C[0]", "C[1]"]})["output"] == {
        "chain_integrity": "VALID"
    }
    mixed = ["C[0]", {"base": "C[1]", "set": {"constraints.0": "x"}}]
    found = ask(exchange, "cso_chain_fault", {"chain": mixed})["output"]
    assert (found["chain_integrity"], found["broken_at_window"]) == ("BROKEN", 2)
    missing = ask(exchange, "cso_chain_fault", {"chain": ["C[0]", "C[7]"]})
    assert missing["error"]["code"] == "reference"


def test_windows_by_reference():
    exchange = Exchange()
    rows = [{"window_number": n, "timestamp": "t", "response_hash": f"r{n}"} for n in (1, 2, 3)]
    given_ = {"windows": rows, "key_hex": KEY, "session_id": "s"}
    assert ask(exchange, "window_hmac_chain", given_, "W")["output"]["chain_integrity"] == "VALID"
    changed = {"base": "W", "set": {"windows.1.response_hash": "x"}}
    found = ask(exchange, "window_hmac_chain", changed)["output"]
    assert (found["chain_integrity"], found["broken_at_window"]) == ("BROKEN", 2)
    flags = ask(exchange, "window_hmac_chain", {"untampered": False, "windows": 3})["output"]
    assert (flags["chain_integrity"], flags["broken_at_window"]) == ("BROKEN", 3)


def test_other_members_are_ignored_and_kinds_can_be_added():
    exchange = Exchange(more={"echo": lambda given_, _: {"got": given_}})
    answer = ask(exchange, "echo", {"a": 1}, "E", note="n", expected={"z": 1}, source="s")
    assert answer == {"id": "E", "output": {"got": {"a": 1}}}
    assert "error" in ask(Exchange(), "echo", {})


def test_a_reference_may_not_go_in_circles():
    exchange = Exchange()
    assert (
        ask(exchange, "cso_tamper", {"base": "L", "set": {}}, "L")["error"]["code"] == "reference"
    )
