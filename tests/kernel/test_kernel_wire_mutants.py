"""Damaged bodies of every wire: parts lost, repeated, moved or blank; the law holds after all."""

import copy
import json
import random

import pytest
from attrs import evolve

from kernel import CompressionBlock, CompressionState, check, process_turn
from kernel.wire import WIRES, decode, encode

TURNS = 60
KEYS = {"responses": "input", "gemini": "contents"}


def text(words):
    return {"type": "text", "text": words}


SAMPLES = {
    "openai": [
        {"role": "user", "content": [text("go"), text("on")]},
        {
            "role": "assistant",
            "content": "both",
            "reasoning_content": "need both",
            "tool_calls": [
                {"id": f"c{n}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
                for n in (1, 2)
            ],
        },
        {"role": "tool", "tool_call_id": "c2", "content": [text("two")]},
        {"role": "tool", "tool_call_id": "c1", "content": "one"},
        {"role": "assistant", "content": [text("done")], "reasoning_content": "fine"},
        {"role": "user", "content": "more"},
    ],
    "anthropic": [
        {"role": "user", "content": [text("go"), text("on")]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"},
                text("both"),
                {"type": "tool_use", "id": "c1", "name": "f", "input": {}},
                {"type": "tool_use", "id": "c2", "name": "g", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [text("one"), text("1")]},
                {"type": "tool_result", "tool_use_id": "c2", "content": "two"},
                text("go on"),
            ],
        },
        {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "z"}, text("so")]},
        {"role": "user", "content": "more"},
    ],
    "responses": [
        {"role": "user", "content": "go"},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "function_call", "id": "fc", "call_id": "c1", "name": "f", "arguments": "{}"},
        {"type": "custom_tool_call", "id": "ct", "call_id": "c2", "name": "g", "input": "x"},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": "two"},
        {"type": "function_call_output", "call_id": "c1", "output": "one"},
        {"type": "reasoning", "id": "rs_2", "summary": []},
        {"type": "message", "id": "m", "role": "assistant", "content": []},
        {"role": "user", "content": "more"},
    ],
    "gemini": [
        {"role": "user", "parts": [{"text": "go"}, {"text": "on"}]},
        {
            "role": "model",
            "parts": [
                {"text": "hm", "thought": True},
                {"functionCall": {"name": "f", "args": {}}},
                {"functionCall": {"name": "g", "args": {}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "f", "response": {"output": "one"}}},
                {"functionResponse": {"name": "g", "response": {"output": "two"}}},
            ],
        },
        {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "so"}]},
        {"role": "user", "parts": [{"text": "more"}]},
    ],
    "pi": [
        {"role": "user", "content": [text("go"), text("on")]},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "toolCall", "id": "c1", "name": "f", "arguments": {}},
                {"type": "toolCall", "id": "c2", "name": "g", "arguments": {}},
            ],
        },
        {"role": "toolResult", "toolCallId": "c1", "toolName": "f", "content": [text("one")]},
        {"role": "toolResult", "toolCallId": "c2", "toolName": "g", "content": [text("two")]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, text("so")]},
        {"role": "user", "content": "more"},
    ],
}


def damaged(rng, items):
    """Lose, repeat, move or blank something, up to four times."""
    items = copy.deepcopy(items)
    for _ in range(rng.randint(1, 4)):
        lists = [items]
        for item in items:
            lists += [item[key] for key in ("content", "parts", "tool_calls") if key in item]
        chosen = rng.choice([found for found in lists if isinstance(found, list) and found] or [[]])
        if not chosen:
            break
        at = rng.randrange(len(chosen))
        kind = rng.randrange(4)
        if kind == 0:
            del chosen[at]
        elif kind == 1:
            chosen.insert(rng.randrange(len(chosen) + 1), copy.deepcopy(chosen[at]))
        elif kind == 2:
            chosen.insert(rng.randrange(len(chosen)), chosen.pop(at))
        elif isinstance(chosen[at].get("text"), str):
            chosen[at]["text"] = rng.choice(["", " ", "\n"])
        elif isinstance(chosen[at].get("content"), str):
            chosen[at]["content"] = ""
    return items


@pytest.mark.parametrize("wire", WIRES)
def test_no_damage_makes_a_view_that_is_refused(kit, wire):
    rng = random.Random(wire)
    for _ in range(TURNS):
        items = damaged(rng, SAMPLES[wire])
        history = decode(wire, json.dumps({KEYS.get(wire, "messages"): items}))
        messages = history.messages
        had_user = any(message.role == "user" for message in messages)
        covered = [message.id for message in messages if rng.random() < 0.3]
        block = CompressionBlock("b1", "r1", 1, "what was folded", covered, covered)
        folded = evolve(CompressionState(), blocks=[block], next_block_id=2)
        for state in (None, folded) if covered else (None,):
            tags = rng.choice(["all", "text-only", "none"])
            view = process_turn(messages, state, kit.open_config, render_tags=tags).messages
            for shape in WIRES if messages else ():
                body = json.loads(encode(view, history, shape))
                assert check(shape, body, had_user=had_user) == [], (items, covered, tags, shape)
