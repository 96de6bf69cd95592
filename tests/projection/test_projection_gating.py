"""The manifest of raw messages: what marks are known, and what refuses every summary."""

import pytest
from projection_logs import chat_log, text

from kernel.model import CoreMessage
from kernel.projection.lifecycle.gating import manifest_of
from kernel.projection.model import Source
from kernel.projection.quality import build, evaluate, outline
from kernel.projection.quality.matching import Index
from kernel.projection.quality.statements import statements_of

BROKEN = "bad \ud800 text"


def sources(*messages):
    return [Source(at, f"e{at}", message, f"d{at}") for at, message in enumerate(messages)]


def result(said, **more):
    call = {"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": "deploy x"}}
    return sources(
        {"role": "assistant", "content": [call], "stopReason": "toolUse"},
        {
            "role": "toolResult",
            "toolCallId": "c",
            "toolName": "bash",
            "content": [text(said)],
            **more,
        },
    )


@pytest.mark.parametrize(
    ("more", "state"),
    [
        ({}, "unknown"),
        ({"isError": False}, "done"),
        ({"isError": True}, "failed"),
        ({"isError": None}, "unknown"),
    ],
)
def test_a_missing_mark_is_no_mark(more, state):
    (fact,) = manifest_of(result("it went on", **more)).of("command")
    assert fact.state == state


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": BROKEN},
        {"role": "user", "content": [text(BROKEN)]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": BROKEN}]},
        {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "c", "name": "x", "arguments": {"a": [BROKEN]}}],
        },
        {
            "role": "assistant",
            "content": [{"type": "toolCall", "id": "c", "name": "x", "arguments": {BROKEN: 1}}],
        },
        {"role": "toolResult", "toolCallId": "c", "toolName": BROKEN, "content": []},
        {"role": "bashExecution", "command": "ls", "output": BROKEN},
        {"role": "compactionSummary", "summary": BROKEN},
    ],
)
def test_a_lone_surrogate_anywhere_in_a_source_refuses(message):
    manifest = manifest_of(sources({"role": "user", "content": "fine 👍"}, message))
    assert manifest.fault == "quality-source-malformed"
    assert evaluate(manifest, "Everything is here.").codes == ("quality-source-malformed",)


def test_what_no_model_is_shown_refuses_nothing():
    message = {
        "role": "toolResult",
        "toolCallId": "c",
        "toolName": "x",
        "content": [],
        "details": {"a": BROKEN},
    }
    assert manifest_of(sources(message)).fault is None


def test_arguments_too_deep_to_read_refuse():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    call = {"type": "toolCall", "id": "c", "name": "x", "arguments": {"deep": deep}}
    manifest = manifest_of(sources({"role": "assistant", "content": [call]}))
    assert manifest.fault == "quality-extractor-error"


def test_the_outline_of_a_long_log_costs_work_of_its_own_size(monkeypatch):
    """Twice the messages are about twice the statements asked, not four times."""
    asked = {}
    plain = Index._meets

    def counting(self, at, need):
        asked[size] = asked.get(size, 0) + 1
        return plain(self, at, need)

    monkeypatch.setattr(Index, "_meets", counting)
    facts = {}
    for size in (300, 600):
        manifest = manifest_of(chat_log(size).branch().sources)
        facts[size] = sum(1 for _ in manifest.hard())
        summary = outline(manifest)
        assert evaluate(manifest, summary).accepted
    assert asked[600] <= 2.5 * asked[300] * facts[600] / (2 * facts[300])
    assert asked[600] <= 200 * facts[600]


def test_lines_of_marks_alone_are_no_statements():
    said = CoreMessage("n", "assistant", "text", "Noted.")
    manifest = build([CoreMessage("m", "user", "text", "Never touch a.py."), said])
    summary = "|\n" * 200_000 + "Never touch a.py."
    assert len(statements_of(summary)) == 1
    assert evaluate(manifest, summary).accepted
