"""Conversations with the facts they hold and the verdicts on summaries of them, from files."""

import json
from pathlib import Path

import pytest

from kernel.model import CoreMessage
from kernel.projection.quality import REFUSALS, WARNINGS, build, evaluate, outline

FOLDER = Path(__file__).parent / "quality"
CASES = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.glob("*.json"))
}
KINDS = {
    "user": ("user", "text"),
    "assistant": ("assistant", "text"),
    "thought": ("assistant", "reasoning"),
}


def conversation(case):
    """Messages m0, m1, …; a result answers the last call."""
    found, call, tool = [], "", ""
    for at, (kind, *rest) in enumerate(case["messages"]):
        if kind in ("call", "raw"):
            call, tool = f"c{at}", rest[0]
            text = rest[1] if kind == "raw" else json.dumps(rest[1], ensure_ascii=False)
            found.append(CoreMessage(f"m{at}", "assistant", "tool-call", text, tool, call))
        elif kind == "result":
            found.append(CoreMessage(f"m{at}", "tool", "tool-result", rest[0], tool, call))
        else:
            found.append(CoreMessage(f"m{at}", *KINDS[kind], rest[0]))
    return found


def shown(fact):
    """A fact as the files spell it."""
    return {
        "kind": fact.kind,
        "subkind": fact.subkind,
        "text": fact.text,
        "value": fact.value,
        "hardness": fact.hardness,
        "state": fact.state,
        "by": fact.by,
        "span": [fact.span.start, fact.span.end],
        "reason": fact.reason and fact.reason.text,
        "rejected": [quote.text for quote in fact.rejected],
    }


def matches(fact, wanted):
    return all(shown(fact)[key] == value for key, value in wanted.items())


@pytest.fixture(params=CASES)
def case(request):
    found = CASES[request.param]
    return found, build(conversation(found), marks=found.get("marks", {}))


def test_facts(case):
    found, manifest = case
    assert manifest.fault is None
    for wanted in found["facts"]:
        assert any(matches(fact, wanted) for fact in manifest.facts), (
            wanted,
            list(map(shown, manifest.facts)),
        )
    for unwanted in found["absent"]:
        assert not [fact for fact in manifest.facts if matches(fact, unwanted)], unwanted


def test_verdicts(case):
    found, manifest = case
    for wanted in found["summaries"]:
        options = {
            key: wanted[key] for key in ("policy", "refs", "durable", "completion") if key in wanted
        }
        verdict = evaluate(manifest, wanted["text"], **options)
        about = (wanted["text"], verdict, [shown(f) for f in manifest.hard()])
        assert list(verdict.codes) == wanted["codes"], about
        assert verdict.accepted == (not wanted["codes"])
        if "warnings" in wanted:
            assert list(verdict.warnings) == wanted["warnings"], about


def test_outline(case):
    _, manifest = case
    assert evaluate(manifest, outline(manifest)).accepted
    assert evaluate(manifest, outline(manifest, soft=True)).accepted


def test_every_code_is_tried():
    tried = {
        code
        for case in CASES.values()
        for summary in case["summaries"]
        for code in summary["codes"]
    }
    warned = {
        code for case in CASES.values() for s in case["summaries"] for code in s.get("warnings", ())
    }
    # The rest needs broken text, another version or a fault of ours: see the laws.
    assert set(REFUSALS) - tried == {
        "quality-summary-malformed",
        "quality-source-malformed",
        "quality-unknown-version",
        "quality-extractor-error",
        "quality-evaluator-error",
    }
    assert warned == set(WARNINGS)
