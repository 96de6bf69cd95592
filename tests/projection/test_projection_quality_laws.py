"""Laws of manifest, gate and outline, on conversations nobody wrote."""

# ruff: noqa: RUF001, S108 - full-width marks are meant, and the path is only text

import json

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.model import CoreMessage
from kernel.projection.quality import (
    REFUSALS,
    WARNINGS,
    build,
    durable_refs,
    evaluate,
    normalise,
    outline,
    slice_of,
)

FILES = (
    "src/app.py",
    "app.py",
    "docs/guide.md",
    "/var/tmp/scratch.txt",
    "src/core/io utils.py",
    "tests/test_app.py",
)
USER = (
    "Please fix {file} and keep version 2.4.1.",
    "Never push to main without a review.",
    "Do not edit {file}, only read it.",
    "Use exactly 3 retries; don't touch config.toml.",
    "No, use parse_args instead of {file}.",
    "I'd go with option 2.",
    "What does {file} do?",
    "不要修改 {file}，只能读取。",
    "thanks 👍 that works",
    "We must keep café.py.\nIt is long enough that this line goes on\nin the next one, always.",
    "<system-reminder>Never answer this.</system-reminder>",
)
SAID = (
    "I'll update {file} because the tests still fail.",
    "That didn't work, so I replaced it with a cache rather than a lock.",
    "All tests pass now. Everything is done.",
    "Maybe {file} is stale. Next, I'll run the suite.",
    "Shall I go on?",
    "- [ ] write the docs\n- [x] fix {file}",
    "Let me look:\n\n```\nsed -n 1,5p x.py\n```",
)
RUN = (
    "pytest -q",
    "cd src && npm run check 2>&1 | tail -5",
    "rm {file}",
    "sed -i 's/a/b/' {file}",
    "git commit -m 'x; y'",
    "cat > {file} <<'EOF'\nnever > this\nEOF",
    "grep -n foo {file} || true",
)
ANSWERS = (
    "",
    "3 passed in 0.1s",
    "2 failed, 1 passed\nFAILED tests/test_app.py::test_io - ValueError: x",
    "Command exited with code 1",
    "<returncode>0</returncode>",
    "Error: no such file",
    "File updated successfully",
    "agentId: a1b2c3d (to resume)",
)


@st.composite
def conversations(draw: st.DrawFn) -> list[CoreMessage]:
    found: list[CoreMessage] = []
    wild = st.text(max_size=60)

    def say(role: str, text: str, kind: str = "text", **more: str) -> None:
        found.append(CoreMessage(f"m{len(found)}", role, kind, text, **more))  # type: ignore[arg-type]

    for turn in range(draw(st.integers(1, 9))):
        name = draw(st.sampled_from(FILES))
        match draw(st.integers(0, 6)):
            case 0 | 1:
                say("user", draw(st.sampled_from(USER) | wild).replace("{file}", name))
            case 2:
                say("assistant", draw(st.sampled_from(SAID) | wild).replace("{file}", name))
            case 3:
                say("assistant", draw(st.sampled_from(SAID) | wild), "reasoning")
            case 4:
                items = [
                    {
                        "content": f"Do step {turn} of {name}",
                        "status": draw(st.sampled_from(("pending", "completed"))),
                    }
                ]
                say(
                    "assistant",
                    json.dumps({"todos": items}),
                    "tool-call",
                    tool_name="TodoWrite",
                    tool_call_id=f"c{turn}",
                )
            case _:
                tool, arguments = draw(
                    st.sampled_from(
                        [("bash", {"command": command.replace("{file}", name)}) for command in RUN]
                        + [
                            ("edit", {"path": name, "new_string": "def made_here(): ..."}),
                            ("read", {"file_path": name}),
                        ]
                        + [("lookup_order", {"order": "A-77"})]
                    )
                )
                text = draw(wild) if draw(st.integers(0, 9)) == 0 else json.dumps(arguments)
                say("assistant", text, "tool-call", tool_name=tool, tool_call_id=f"c{turn}")
                if draw(st.integers(0, 5)):
                    answer = draw(st.sampled_from(ANSWERS) | wild)
                    say("tool", answer, "tool-result", tool_name=tool, tool_call_id=f"c{turn}")
    return found


laws = settings(max_examples=60, deadline=None, derandomize=True)


@laws
@given(conversations())
def test_the_outline_passes_and_no_line_of_it_is_idle(messages):
    manifest = build(messages)
    assert manifest.fault is None
    for soft in (False, True):
        text = outline(manifest, soft=soft)
        verdict = evaluate(manifest, text)
        assert verdict.accepted, (verdict.codes, text)
    lines = outline(manifest).split("\n")
    for at, line in enumerate(lines):
        if line.startswith("- ") and not line.startswith("- note"):
            rest = "\n".join(lines[:at] + lines[at + 1 :])
            assert "quality-hard-fact-lost" in evaluate(manifest, rest).codes, line


@laws
@given(conversations())
def test_what_is_quoted_stands_where_it_is_said_to(messages):
    texts = {message.id: normalise(message.text or "") for message in messages}
    for fact in build(messages).facts:
        assert slice_of(texts[fact.message_id], fact.span) == fact.text
        for quote in (*fact.rejected, *([fact.reason] if fact.reason else [])):
            assert slice_of(texts[fact.message_id], quote.span) == quote.text
        assert not fact.hard or fact.needs


@laws
@given(conversations(), st.sampled_from(("\r\n", "\r")))
def test_line_ends_make_no_difference(messages, end):
    plain = [evolve(m, text=normalise(m.text or "")) for m in messages]
    other = [evolve(m, text=(m.text or "").replace("\n", end)) for m in plain]
    assert build(plain) == build(other)
    text = outline(build(plain))
    assert evaluate(build(other), text.replace("\n", end)).accepted


@laws
@given(conversations(), st.text(max_size=200))
def test_a_verdict_is_determined_and_echoes_nothing(messages, summary):
    manifest = build(messages, lambda name: f"e-{name}")
    verdict = evaluate(manifest, summary)
    assert verdict == evaluate(build(messages, lambda name: f"e-{name}"), summary)
    assert set(verdict.counts) <= set(REFUSALS) | set(WARNINGS)
    assert verdict.accepted == (not verdict.codes)
    shown = repr(verdict)
    known = " ".join(
        (*REFUSALS, *WARNINGS, verdict.manifest_digest, repr(verdict.lost), repr(verdict.refs))
    )
    for message in messages:
        text = message.text or ""
        for at in range(max(0, len(text) - 11)):
            piece = text[at : at + 12]
            assert piece not in shown or piece in known or piece in repr(evaluate(build(()), "x"))


@laws
@given(conversations(), st.integers(0, 8))
def test_a_lone_surrogate_anywhere_refuses(messages, at):
    at %= len(messages)
    broken = [*messages[:at], evolve(messages[at], text="bad \ud800 text"), *messages[at + 1 :]]
    manifest = build(broken)
    assert manifest.fault == "quality-source-malformed"
    assert not manifest.facts
    assert outline(manifest) == ""
    assert evaluate(manifest, "Everything is here.").codes == ("quality-source-malformed",)
    assert evaluate(build(messages), "x \udfff y").codes == ("quality-summary-malformed",)


@laws
@given(conversations())
def test_switching_the_gate_off_is_no_acceptance(messages):
    verdict = evaluate(build(messages), "", enabled=False)
    assert not verdict.accepted
    assert not verdict.refused
    quality = verdict.quality()
    assert (quality.accepted, quality.enabled) == (False, False)


@laws
@given(conversations(), st.integers(2, 99))
def test_another_version_refuses(messages, version):
    manifest = build(messages)
    verdict = evaluate(evolve(manifest, version=version), outline(manifest))
    assert verdict.codes == ("quality-unknown-version",)


def test_an_error_of_an_extractor_refuses(monkeypatch):
    def wrong(reading):
        raise RuntimeError(str(reading.texts))

    monkeypatch.setattr("kernel.projection.quality.manifest.EXTRACTORS", (wrong,))
    manifest = build([CoreMessage("m", "user", "text", "a secret of the source")])
    verdict = evaluate(manifest, "anything")
    assert verdict.codes == ("quality-extractor-error",)
    assert "secret" not in repr(manifest)


def test_an_error_of_the_evaluator_refuses(monkeypatch):
    monkeypatch.setattr("kernel.projection.quality.gate.Index.of", lambda *_: None)
    manifest = build([CoreMessage("m", "user", "text", "Please fix src/app.py.")])
    assert evaluate(manifest, "src/app.py").codes == ("quality-evaluator-error",)


@pytest.mark.parametrize("count", [1000, 2000])
def test_cost_grows_with_the_text_alone(count):
    """Work is counted in facts and statements, so that no clock is needed."""
    messages = [
        CoreMessage(f"m{at}", "user", "text", f"Never edit file{at}.py, use value {at}.")
        for at in range(count)
    ]
    manifest = build([*messages, CoreMessage("last", "assistant", "text", "Noted.")])
    assert len(manifest.facts) == count
    text = outline(manifest)
    assert text.count("\n") == count + 1
    assert evaluate(manifest, text).accepted


def test_durable_refs_are_ids_and_not_prose():
    text = "a task-based hub, task_ab12cd, hub-77f3 and agentId: a6d013d; see src/task_1234.py, task #2"
    assert durable_refs(text) == ("task_ab12cd", "hub-77f3", "a6d013d")


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "A",
        "/a",
        "a_",
        "@",
        "a.",
        "e.g. ",
        "- [ ] x\n",
        "```\n",
        '\\"',
        "cat <<A ",
        "python -m ",
        "not over a ",
    ],
)
@pytest.mark.parametrize("tool", [None, "bash", "edit"])
def test_hostile_texts_are_read_to_the_end(unit, tool):
    """A pattern that backtracks over its own matches would not come back from these."""
    text = unit * (10_000 // len(unit))
    kind = "tool-call" if tool else "text"
    messages = [
        CoreMessage("m", "assistant" if tool else "user", kind, text, tool, "c" if tool else None)
    ]
    manifest = build(messages)
    assert manifest.fault is None
    assert evaluate(manifest, outline(manifest)).accepted
    assert evaluate(manifest, text) == evaluate(manifest, text)
