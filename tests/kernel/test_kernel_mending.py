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


def block(text):
    return {"type": "text", "text": text}


def used(name="a"):
    return {"type": "tool_use", "id": name, "name": "f", "input": {}}


def answer(content, name="a"):
    return {"type": "tool_result", "tool_use_id": name, "content": content}


SEALED = {"type": "thinking", "thinking": "hm", "signature": "s"}
THOUGHT = {"text": "hm", "thought": True}
#: A message its provider refuses for being empty or ending in a thought, and what goes out.
REFUSED = {
    "a blank text beside another": (
        "anthropic",
        {"role": "assistant", "content": [block("one"), block("\n")]},
        [{"role": "assistant", "content": [block("one")]}],
    ),
    "a blank text and no other": (
        "anthropic",
        {"role": "assistant", "content": [block(" ")]},
        [{"role": "assistant", "content": [block("(empty)")]}],
    ),
    "a blank content": (
        "anthropic",
        {"role": "user", "content": " "},
        [{"role": "user", "content": [block("(empty)")]}],
    ),
    "a blank text after a thought": (
        "anthropic",
        {"role": "assistant", "content": [SEALED, block("")]},
        [{"role": "assistant", "content": [SEALED, block("(empty)")]}],
    ),
    "a content without parts": (
        "anthropic",
        {"role": "assistant", "content": []},
        [{"role": "assistant", "content": [block("(empty)")]}],
    ),
    "no parts": (
        "gemini",
        {"role": "model", "parts": []},
        [{"role": "model", "parts": [{"text": "(empty)"}]}],
    ),
    "an empty list of parts": (
        "openai",
        {"role": "user", "content": []},
        [{"role": "user", "content": ""}],
    ),
    "an empty list of calls": (
        "openai",
        {"role": "assistant", "content": "hi", "tool_calls": []},
        [{"role": "assistant", "content": "hi"}],
    ),
    "an assistant that says nothing": (
        "openai",
        {"role": "assistant", "content": None, "tool_calls": []},
        [{"role": "assistant", "content": ""}],
    ),
}


@pytest.mark.parametrize("spelled", [True, False])
@pytest.mark.parametrize("label", REFUSED)
def test_what_is_refused_for_being_empty_is_filled_or_left_out(label, spelled):
    wire, item, want = REFUSED[label]
    first = {"role": "user", "parts": [{"text": "go"}]} if wire == "gemini" else ask()
    body = {KEYS.get(wire, "messages"): [first, item, first]}
    history = decode(wire, json.dumps(body) if spelled else body)
    sent = encode_value(process_turn(history.messages, render_tags="none").messages, history)
    assert sent[KEYS.get(wire, "messages")] == [first, *want, first]
    assert check(wire, sent, had_user=True) == []


@pytest.mark.parametrize("wire", ["openai", "anthropic", "gemini", "pi", "responses"])
def test_a_thought_with_a_blank_answer_is_no_last_word_anywhere(wire):
    body = {"messages": [ask(), {"role": "assistant", "content": [SEALED, block(" ")]}, ask()]}
    history = decode("pi" if wire == "anthropic" else "anthropic", body)
    view = process_turn(history.messages, render_tags="none").messages
    assert check(wire, encode_value(view, history, wire), had_user=True) == []


THOUGHTS_APART = {
    "anthropic": ([SEALED], [block("so")], "content", "assistant"),
    "pi": ([{"type": "thinking", "thinking": "hm"}], [block("so")], "content", "assistant"),
    "gemini": ([THOUGHT], [{"text": "so"}], "parts", "model"),
}


@pytest.mark.parametrize("wire", THOUGHTS_APART)
def test_a_thought_joins_the_answer_in_the_next_message(wire):
    thought, said, key, role = THOUGHTS_APART[wire]
    first = {"role": "user", key: [{"text": "go"} if wire == "gemini" else block("go")]}
    items = [first, {"role": role, key: thought}, {"role": role, key: said}]
    history = decode(wire, {KEYS.get(wire, "messages"): items})
    sent = encode_value(process_turn(history.messages, render_tags="none").messages, history)
    assert sent[KEYS.get(wire, "messages")] == [first, {"role": role, key: [*thought, *said]}]


def test_blank_texts_of_a_result_are_left_out_and_the_checker_sees_them():
    said = {"role": "assistant", "content": [used("a"), used("b")]}
    results = [answer([block("x"), block("")], "a"), answer([block(" ")], "b")]
    body = {"messages": [ask(), said, {"role": "user", "content": results}]}
    assert {found.code for found in check("anthropic", body)} == {"BLANK_TEXT"}
    history = decode("anthropic", json.dumps(body))
    sent = encode_value(history.messages, history)
    assert check("anthropic", sent) == []
    assert sent["messages"][2]["content"] == [
        answer([block("x")], "a"),
        answer([block("(empty)")], "b"),
    ]


def test_a_result_bears_the_name_of_its_call_where_wires_match_by_it():
    items = [
        ask(),
        {"role": "assistant", "content": None, "tool_calls": [call("a")]},
        {"role": "tool", "tool_call_id": "a", "name": "other", "content": "x"},
    ]
    history = decode("openai", {"messages": items})
    assert encode_value(history.messages, history)["messages"] == items
    sent = encode_value(history.messages, history, "gemini")["contents"]
    assert sent[2]["parts"][0]["functionResponse"]["name"] == "f"
    assert encode_value(history.messages, history, "pi")["messages"][2]["toolName"] == "f"


def test_repeated_ids_of_one_gemini_turn_are_told_apart():
    calls = [{"functionCall": {"name": "f", "args": {"n": n}, "id": "g"}} for n in (1, 2)]
    done = [{"functionResponse": {"name": "f", "response": {"o": n}, "id": "g"}} for n in "xy"]
    body = [{"parts": [{"text": "go"}]}, {"role": "model", "parts": calls}, {"parts": done}]
    history = decode("gemini", {"contents": body})
    sent = encode_value(history.messages, history)
    assert check("gemini", sent, had_user=True) == []
    named = [part["functionCall"]["id"] for part in sent["contents"][1]["parts"]]
    assert len(set(named)) == 2
    assert {p["functionResponse"]["id"] for p in sent["contents"][2]["parts"]} == set(named)
