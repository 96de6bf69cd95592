"""Traps of real logs, one file each: what must and must not come of a small conversation.

`talk` holds user, assistant, think and call rows; the expectations are named below.
"""

import json
from pathlib import Path

import pytest
from draft_talks import messages

import cso
import pcsf_lark
from kernel.sessions import read_session
from pcsf_lark.draft import draft

HERE = Path(__file__).parent
TRAPS = sorted((HERE / "traps").glob("*.json"))
KNOWN = {
    *("why", "talk", "never", "nowhere", "seed", "empty", "constraints", "remaining", "facts"),
    *("no_facts", "lines", "not_lines", "open_questions", "withheld"),
}
MEMBERS = {"L1": "skeleton", "L2": "negative", "L3": "internal", "L4": "relation", "L5": "loops"}


@pytest.fixture(params=TRAPS, ids=lambda path: path.stem)
def case(request, tmp_path):
    trap = json.loads(request.param.read_text("utf-8"))
    assert set(trap) <= KNOWN
    path = tmp_path / "talk.json"
    path.write_text(json.dumps({"messages": messages(trap["talk"])}), "utf-8")
    return trap, draft(read_session(path, fmt="chat"), now="2026-01-02T03:04Z")


def lines(made, layer):
    return [entry.line for entry in getattr(made.capsule, MEMBERS[layer])]


def test_the_draft_stands(case):
    _, made = case
    report = pcsf_lark.check(made.text)
    errors = [f for f in report.findings if f.severity is pcsf_lark.Severity.ERROR]
    assert report.conformant
    assert errors == []
    assert [f for f in cso.check(made.cso) if not f.code.startswith("note-")] == []
    assert made.capsule.meta.timestamp == "2026-01-02T03:04Z"


def test_no_capsule_falls_for_it(case):
    trap, made = case
    text = made.text.decode()
    for words in trap.get("never", ()):
        assert words not in text
    for layer in trap.get("empty", ()):
        assert lines(made, layer) == []
    for layer, wanted in trap.get("lines", {}).items():
        for words in wanted:
            assert any(words in line for line in lines(made, layer)), lines(made, layer)
    for layer, unwanted in trap.get("not_lines", {}).items():
        for words in unwanted:
            assert not any(words in line for line in lines(made, layer))
    assert trap.get("seed", "") in made.capsule.seed.text


def test_no_object_falls_for_it(case):
    trap, made = case
    everything = cso.dumps(made.cso).decode() + json.dumps(made.sources) + made.text.decode()
    for words in trap.get("nowhere", ()):
        assert words not in everything
    statements = [fact.statement for fact in made.cso.established_facts]
    for words in trap.get("facts", ()):
        assert any(words in text for text in statements), statements
    for words in trap.get("no_facts", ()):
        assert not any(words in text for text in statements)
    if "constraints" in trap:
        assert list(made.cso.constraints) == trap["constraints"]
    if "remaining" in trap:
        assert list(made.cso.goal_state.remaining) == trap["remaining"]
    if "open_questions" in trap:
        held = made.cso.open_questions
        assert len(held) == len(trap["open_questions"])
        assert all(words in text for words, text in zip(trap["open_questions"], held, strict=True))
    assert set(trap.get("withheld", ())) <= set(made.withheld)
    assert made.withheld == made.sources["withheld"]
