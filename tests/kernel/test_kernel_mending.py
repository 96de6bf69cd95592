"""Members of the wrong kind: mended or left out before anything reads them, never more."""

import json

import pytest

from kernel import check, process_turn
from kernel.wire import decode, encode, encode_value


def ask(text="go"):
    return {"role": "user", "content": text}


def call(name, **more):
    return {"id": name, "type": "function", "function": {"name": "f", "arguments": "{}"}} | more


MENDED = {
    "a call and a result without ids": (
        "openai",
        [
            ask(),
            {"role": "assistant", "content": None, "tool_calls": [call(None)]},
            {"role": "tool", "content": "done"},
        ],
        ["text", "tool-call", "tool-result"],
    ),
    "ids that are numbers": (
        "openai",
        [
            ask(),
            {"role": "assistant", "content": "", "tool_calls": [call(7)]},
            {"role": "tool", "tool_call_id": 7, "content": {"ok": True}},
        ],
        ["text", "tool-call", "tool-result"],
    ),
    "a call without an answer": (
        "anthropic",
        [
            ask(),
            {"role": "assistant", "content": [{"type": "tool_use", "id": "", "name": 3}]},
            ask("again"),
        ],
        ["text", "text"],
    ),
    "arguments that are an object": (
        "openai",
        [
            ask(),
            {
                "role": "assistant",
                "tool_calls": [{"id": "a", "function": {"name": "f", "arguments": {"x": 1}}}],
            },
            {"role": "tool", "tool_call_id": "a", "content": "y"},
        ],
        ["text", "tool-call", "tool-result"],
    ),
    "a response to nothing": (
        "gemini",
        [
            {"role": "user", "parts": [{"text": "go"}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {}}}]},
        ],
        ["text"],
    ),
    "an item without type and role": ("responses", [ask(), {"a": 1}], ["text", "text"]),
    "what is no item": ("pi", [ask(), None, 3, [], "words"], ["text", "text"]),
    "a lone surrogate": ("openai", [ask("a \ud83d b")], ["text"]),
}
KEYS = {"responses": "input", "gemini": "contents"}


@pytest.mark.parametrize("spelled", [True, False])
@pytest.mark.parametrize("label", MENDED)
def test_what_no_provider_takes_is_mended(label, spelled):
    wire, items, want = MENDED[label]
    body = {KEYS.get(wire, "messages"): items}
    history = decode(wire, json.dumps(body) if spelled else body)
    view = process_turn(history.messages, render_tags="none").messages
    assert [message.content_type for message in view] == want
    assert check(wire, encode_value(view, history), had_user=True) == []
    encode(view, history).encode()


def test_what_is_sound_beside_it_keeps_its_bytes():
    text = '{"messages": [{"role":"user","content":"one",  "n": 1.0e2}, 5]}'
    history = decode("openai", text)
    assert encode(process_turn(history.messages, render_tags="none").messages, history) == (
        '{"messages":[{"role":"user","content":"one",  "n": 1.0e2}]}'
    )
    sound = text.replace(", 5]", "]")
    history = decode("openai", sound)
    view = process_turn(history.messages, render_tags="none").messages
    assert encode(view, history) == sound


@pytest.mark.parametrize("shape", ["openai", "anthropic", "responses", "gemini", "pi"])
@pytest.mark.parametrize("item", [None, 3, [], {}, {"role": []}, {"content": [{}]}])
def test_the_checker_names_a_malformed_body(shape, item):
    body = {KEYS.get(shape, "messages"): [item]}
    assert [found.code for found in check(shape, body)] != []
