"""The wires: lossless for what was not changed, valid for what was, both ways."""

import json
from itertools import combinations, product

import pytest
from attrs import evolve

from kernel import (
    CompressionBlock,
    CompressionState,
    CoreMessage,
    apply_compression,
    check,
    process_turn,
)
from kernel.wire import RULES, WIRES, decode, detect, encode, encode_value, render_nudge, rules_text
from kernel.wire.assemble import OPEN_RESULT

# Odd spelling on purpose: spaces, key order, numbers, escapes, unknown members.
OPENAI = r"""{ "model":"m", "temperature" : 1.0e0,
 "messages": [
  {"role":"system","content":"You tend tide tables."}, {"role": "developer", "content":[{"type":"text","text":"Be brief."}]},
  {"content":[{"type":"text","text":"Look \u0041"},{"type":"image_url","image_url":{"url":"data:image/png;base64,QUJD"}}],"role":"user","name":"kim"},
  {"role":"assistant","content":null,"reasoning_content":"need both","tool_calls":[{"id":"t1","type":"function","function":{"name":"fetch","arguments":"{\"a\": 1.50}"}},{"function":{"arguments":"{}","name":"fetch"},"type":"function","id":"t2"}]},
  {"role":"tool","tool_call_id":"t1","content":"one"},
  {"role":"tool","tool_call_id":"t2","content":[{"type":"text","text":"two"}], "weight": 0.000005},
  {"role":"assistant","content":"<think>\nweigh it\n</think>\nDone.","x_unknown":{"z":1,"a":2}},
  {"role":"user","content":"ok"},{"role":"user","content":"ok"},
  {"role":"assistant","content":null,"function_call":{"name":"old","arguments":"{\"b\":2}"}},
  {"role":"function","name":"old","content":"result"},
  {"role":"assistant","content":"fin","refusal":null},
  {"role":"system","content":"mid note"},
  {"role":"user","content":"bye"}
 ], "tools": [] }"""

ANTHROPIC = r"""{"model":"c","max_tokens":1e3,"system":[{"type":"text","text":"sys"}],
"messages":[{"role":"user","content":"hello"},
{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"sg=="},{"type":"text","text":"calling","cache_control":{"type":"ephemeral"}},{"type":"tool_use","id":"u1","name":"fetch","input":{"b":1.0,"a":2e-7}},{"type":"tool_use","id":"u2","name":"shot","input":{}}]},
{"role":"user","content":[{"type":"tool_result","tool_use_id":"u1","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]},{"type":"tool_result","tool_use_id":"u2","is_error":true},{"type":"text","text":"and this"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]},
{"role":"assistant","content":[{"type":"redacted_thinking","data":"zz"},{"type":"server_tool_use","id":"s1","name":"web_search","input":{"q":"tide"}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[]},{"type":"text","text":"found \u00e9"}]},
{"role":"user","content":[{"type":"document","source":{"type":"text","data":"d"}},{"type":"text","text":"read it"}]},
{"role":"assistant","content":"fin"},{"role":"user","content":"more"}]}"""

RESPONSES = r"""{"model":"r","instructions":"Do well.","input":[
{"role":"developer","content":"dev"},
{"role":"user","content":"plain item without type"},
{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"think"}],"encrypted_content":"gAAA"},
{"type":"function_call","id":"fc_1","call_id":"c1","name":"fetch","arguments":"{ \"a\" : 1 }","status":"completed"},
{"type":"custom_tool_call","call_id":"c2","name":"patch","input":"*** Begin"},
{"type":"function_call_output","call_id":"c1","output":"out \ud83d\ude00"},
{"type":"custom_tool_call_output","call_id":"c2","output":[{"type":"input_text","text":"ok"},{"type":"input_image","image_url":"data:x"}]},
{"type":"reasoning","id":"rs_2","summary":[]},
{"type":"web_search_call","id":"ws_1","status":"completed","action":{"query":"q"}},
{"type":"local_shell_call","call_id":"c3","action":{"command":["ls"]}},
{"type":"local_shell_call_output","call_id":"c3","output":"a.txt"},
{"type":"something_new","payload":[1,2,{"z":0.10}]},
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done","annotations":[]}],"id":"msg_1"},
{"type":"message","role":"user","content":[{"type":"input_text","text":"thanks"}]}],"store":false}"""

GEMINI = r"""{"systemInstruction":{"parts":[{"text":"sys"}]},"contents":[
{"role":"user","parts":[{"text":"go"},{"inlineData":{"mimeType":"image/png","data":"QUJD"}}]},
{"role":"model","parts":[{"text":"plan","thought":true},{"functionCall":{"name":"fetch","args":{"b":1.0,"a":2}},"thoughtSignature":"sig"},{"functionCall":{"name":"fetch","args":{}}}]},
{"role":"user","parts":[{"functionResponse":{"name":"fetch","response":{"output":"one"}}},{"functionResponse":{"name":"fetch","response":{"rows":[1,2.50]}}}]},
{"role":"model","parts":[{"text":"done"},{"executableCode":{"code":"1+1"}}]},
{"role":"user","parts":[{"text":"ok"}]}],"generationConfig":{"temperature":0.0}}"""

PI = r"""[{"role":"user","content":[{"type":"text","text":"task"},{"type":"image","data":"QUJD","mimeType":"image/png"}],"timestamp":1767225600000},
{"role":"assistant","content":[{"type":"thinking","thinking":"plan","thinkingSignature":"c2ln"},{"type":"text","text":"listing"},{"type":"toolCall","id":"call_a|fc_1","name":"bash","arguments":{"command":"ls"}},{"type":"toolCall","id":"call_b","name":"read","arguments":{"path":"a.txt"}}],"usage":{"cost":{"total":0.000175}},"stopReason":"toolUse"},
{"role":"toolResult","toolCallId":"call_a|fc_1","toolName":"bash","content":[{"type":"text","text":"a.txt"}],"isError":false},
{"role":"toolResult","toolCallId":"call_b","toolName":"read","content":[{"type":"text","text":"hello"}],"isError":false},
{"role":"bashExecution","command":"pwd","output":"/w","exitCode":0},
{"role":"custom","customType":"ext","content":"remember","display":false},
{"role":"assistant","content":[{"type":"text","text":"two files"}],"stopReason":"stop"},
{"role":"compactionSummary","summary":"earlier"},
{"role":"user","content":"next"}]"""

BODIES = {
    "openai": OPENAI,
    "anthropic": ANTHROPIC,
    "responses": RESPONSES,
    "gemini": GEMINI,
    "pi": PI,
}


def covered(messages, chosen):
    block = CompressionBlock("b1", "r1", 1, "what was folded", chosen, chosen)
    return process_turn(
        messages, CompressionState(blocks=[block], next_block_id=2), render_tags="none"
    )


@pytest.mark.parametrize("wire", WIRES)
def test_an_unchanged_history_goes_back_byte_for_byte(wire):
    body = BODIES[wire]
    history = decode(wire, body)
    view = process_turn(history.messages, render_tags="none").messages
    assert encode(view, history) == body


@pytest.mark.parametrize("wire", WIRES)
def test_decoded_values_go_back_as_equal_values(wire):
    body = json.loads(BODIES[wire])
    history = decode(wire, body)
    assert encode_value(history.messages, history) == body


@pytest.mark.parametrize("wire", WIRES)
def test_detection(wire):
    assert detect(json.loads(BODIES[wire])) == wire


@pytest.mark.parametrize("wire", WIRES)
def test_what_is_left_beside_a_fold_keeps_its_bytes(wire):
    """Fold any two neighbours: each host message that lost nothing is its slice."""
    history = decode(wire, BODIES[wire])
    messages = history.messages
    for start in range(len(messages) - 1):
        chosen = [m.id for m in messages[start : start + 2]]
        result = covered(messages, chosen)
        text = encode(result.messages, history)
        body = json.loads(text)
        problems = check(wire, body, had_user=True)
        assert not problems, (wire, chosen, problems)
        shown = {m.id for m in result.messages}
        lost = {history.origins[m.id].item for m in messages if m.id not in shown}
        touched = set(lost)
        for item in list(lost):
            touched |= {item - 1, item + 1}
        for index, item in enumerate(history.source.items):
            if index not in touched and not (wire in ("anthropic", "gemini", "pi") and index == 0):
                assert item.text in text, (wire, chosen, index)


@pytest.mark.parametrize("wire", WIRES)
def test_tags_go_into_texts_and_nowhere_else(wire):
    history = decode(wire, BODIES[wire])
    view = process_turn(history.messages).messages
    body = encode(view, history)
    value = json.loads(body)
    assert not check(wire, value, had_user=True)
    untagged = json.loads(BODIES[wire])

    def stripped(item):
        if isinstance(item, dict):
            return {k: stripped(v) for k, v in item.items()}
        if isinstance(item, list):
            return [stripped(v) for v in item]
        if isinstance(item, str) and item.startswith("<acp "):
            return item[item.index("\n") + 1 :]
        return item

    for key in ("arguments", "input", "thinking", "reasoning_content", "encrypted_content", "args"):
        for found in members(value, key):
            assert "<acp " not in json.dumps(found) or key == "input", (wire, key)
    assert "<acp " in body
    if wire == "openai":  # an inline think block is rebuilt around the tagged text
        untagged["messages"][6]["content"] = "weighed"
        value["messages"][6]["content"] = "weighed"
    if wire in ("anthropic", "pi"):
        return  # a string content that gets a tag becomes parts; checked above
    assert stripped(value) == untagged


def members(value, key):
    if isinstance(value, dict):
        for name, item in value.items():
            if name == key:
                yield item
            yield from members(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from members(item, key)


@pytest.mark.parametrize(("source", "target"), list(product(WIRES, WIRES)))
def test_every_history_can_be_shown_in_every_shape(source, target):
    history = decode(source, BODIES[source])
    view = process_turn(history.messages).messages
    body = encode_value(view, history, target)
    assert not check(target, body, had_user=True)
    again = decode(target, body)
    texts = " ".join(message.text or "" for message in again.messages)
    for message in history.messages:
        if (
            message.content_type == "text"
            and message.role in ("user", "assistant")
            and message.text[:1] != "["
        ):
            assert message.text.split("\n[")[0] in texts, (source, target, message)


@pytest.mark.parametrize(("source", "target"), list(product(WIRES, WIRES)))
def test_any_fold_of_any_history_in_any_shape(source, target):
    history = decode(source, BODIES[source])
    messages = history.messages
    for chosen in combinations([m.id for m in messages], 2):
        body = encode_value(covered(messages, chosen).messages, history, target)
        assert not check(target, body, had_user=True), (source, target, chosen)


@pytest.mark.parametrize("wire", WIRES)
def test_results_carry_their_tools_name(wire):
    history = decode(wire, BODIES[wire])
    results = [m for m in history.messages if m.content_type == "tool-result"]
    assert results
    assert all(m.tool_name for m in results)


@pytest.mark.parametrize("wire", WIRES)
def test_ids_do_not_depend_on_position(wire):
    history = decode(wire, BODIES[wire])
    body = json.loads(BODIES[wire])
    shorter = history.items_of(body)
    del shorter[-1]
    later = decode(wire, body)
    assert [m.id for m in later.messages] == [m.id for m in history.messages][: len(later.messages)]
    assert len({m.id for m in history.messages}) == len(history.messages)


@pytest.mark.parametrize("wire", WIRES)
def test_a_call_in_flight_is_closed(kit, wire):
    messages = kit.history("u c:a c:b o:b")
    body = encode_value(process_turn(messages).messages, None, wire)
    assert not check(wire, body, had_user=True)
    assert json.dumps(body).count(json.dumps(OPEN_RESULT)[1:-1]) == 1


@pytest.mark.parametrize("wire", ["anthropic", "pi", "gemini"])
def test_a_summary_joins_the_user_text_beside_it(kit, wire):
    messages = kit.history("u t u t u")
    state = kit.state_of(messages)
    applied = apply_compression(
        [kit.span(state, messages, "m2", "m4")], messages, state, kit.open_config
    )
    view = process_turn(messages, applied.state, kit.open_config).messages
    assert [m.role for m in view] == ["user", "system", "user"]
    body = encode_value(view, None, wire)
    items = body["contents"] if wire == "gemini" else body["messages"]
    assert len(items) == 1
    assert len(items[0]["parts" if wire == "gemini" else "content"]) == 3


@pytest.mark.parametrize("wire", ["openai", "responses"])
def test_a_summary_is_a_system_message_where_there_are_any(kit, wire):
    messages = kit.history("u t u")
    state = kit.state_of(messages)
    applied = apply_compression(
        [kit.span(state, messages, "m2", "m2")], messages, state, kit.open_config
    )
    body = encode_value(process_turn(messages, applied.state, kit.open_config).messages, None, wire)
    items = body["input"] if wire == "responses" else body["messages"]
    assert [item["role"] for item in items] == ["user", "system", "user"]


def test_recurring_call_ids_get_new_names_where_they_must(kit):
    messages = kit.history("u c:a o:a c:a o:a c:a c:b o:b o:a u")
    for wire in WIRES:
        assert not check(wire, encode_value(messages, None, wire), had_user=True)
    calls = [
        b["id"]
        for m in encode_value(messages, None, "anthropic")["messages"]
        if isinstance(m["content"], list)
        for b in m["content"]
        if b["type"] == "tool_use"
    ]
    assert len(set(calls)) == 4
    chat = encode_value(messages, None, "openai")["messages"]
    assert [c["id"] for m in chat for c in m.get("tool_calls", ())] == ["a", "a", "a", "b"]


def test_foreign_ids_are_brought_into_the_narrow_alphabet():
    history = decode("pi", PI)
    body = encode_value(history.messages, history, "anthropic")
    ids = {
        b["id"]
        for m in body["messages"]
        if isinstance(m["content"], list)
        for b in m["content"]
        if b["type"] == "tool_use"
    }
    assert ids == {"call_a_fc_1", "call_b"}


def test_long_foreign_ids_are_shortened_and_own_ones_are_not():
    long = "call_" + "x" * 60
    messages = [
        CoreMessage("c", "assistant", "tool-call", "{}", "f", long),
        CoreMessage("o", "tool", "tool-result", "x", "f", long),
    ]
    body = encode_value(messages, None, "openai")
    name = body["messages"][0]["tool_calls"][0]["id"]
    assert len(name) <= 40
    assert body["messages"][1]["tool_call_id"] == name
    own = {"messages": [{"role": "user", "content": "q"}, *body["messages"]]}
    text = json.dumps(own).replace(name, long)
    history = decode("openai", text)
    assert encode(history.messages, history) == text


@pytest.mark.parametrize("wire", WIRES)
def test_any_subset_folded_of_any_short_source(kit, histories, wire):
    """A source of each valid history, in the wire's own text, with every subset covered."""
    for number, letters in enumerate(h for h in histories if len(h) <= 4):
        if number % 3:
            continue
        first = process_turn(kit.letters(letters), render_tags="none").messages
        body = encode(first, None, wire)
        history = decode(wire, body)
        messages = history.messages
        had_user = any(m.role == "user" for m in messages)
        for mask in range(1 << len(messages)):
            chosen = [m.id for bit, m in enumerate(messages) if mask >> bit & 1]
            block = CompressionBlock("b1", "r1", 1, "what was folded", chosen, chosen)
            state = CompressionState(blocks=[block] if chosen else [], next_block_id=2)
            tags = "all" if mask % 2 else "none"
            text = encode(process_turn(messages, state, render_tags=tags).messages, history)
            assert chosen or text == body
            assert not check(wire, json.loads(text), had_user=had_user), (letters, chosen)


def test_unsigned_reasoning_is_not_sent_where_a_signature_is_asked_for(kit):
    messages = [
        evolve(m, extra={}) if m.content_type == "reasoning" else m for m in kit.history("u r t")
    ]
    body = encode_value(messages, None, "anthropic")
    assert [b["type"] for b in body["messages"][1]["content"]] == ["text"]


def test_a_changed_argument_list_is_written_anew():
    history = decode("openai", OPENAI)
    messages = [
        evolve(m, text='{"new":1}')
        if m.tool_call_id == "t1" and m.content_type == "tool-call"
        else m
        for m in history.messages
    ]
    body = encode_value(messages, history)
    calls = body["messages"][3]["tool_calls"]
    assert calls[0]["function"]["arguments"] == '{"new":1}'
    assert calls[1] == json.loads(OPENAI)["messages"][3]["tool_calls"][1]


ODD = {
    "a result without content": (
        "anthropic",
        {
            "messages": [
                {"role": "user", "content": "q"},
                {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}],
                },
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a"}]},
            ]
        },
    ),
    "a custom tool call": (
        "openai",
        {
            "messages": [
                {"role": "user", "content": "q"},
                {
                    "role": "assistant",
                    "tool_calls": [
                        {"type": "custom", "id": "a", "custom": {"name": "patch", "input": "raw"}}
                    ],
                },
                {"role": "tool", "tool_call_id": "a", "content": "ok"},
            ]
        },
    ),
    "a message with null content": (
        "responses",
        {
            "input": [
                {"type": "message", "role": "user", "content": None},
                {"role": "user", "content": "x"},
            ]
        },
    ),
    "an empty assistant": (
        "pi",
        [
            {"role": "user", "content": "q"},
            {"role": "assistant", "content": [], "stopReason": "aborted"},
            {"role": "user", "content": "again"},
        ],
    ),
    "a text as input": ("responses", {"input": "just text", "instructions": "  "}),
    "no messages": ("openai", {"messages": []}),
    "ids that are names of object members": (
        "openai",
        {
            "messages": [
                {"role": "user", "content": "constructor"},
                {
                    "role": "assistant",
                    "tool_calls": [
                        {
                            "id": "__proto__",
                            "type": "function",
                            "function": {"name": "toString", "arguments": "{}"},
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": "__proto__", "content": "x"},
            ]
        },
    ),
}


@pytest.mark.parametrize("label", ODD)
def test_odd_bodies_survive(label):
    wire, body = ODD[label]
    text = json.dumps(body)
    history = decode(wire, text)
    assert encode(process_turn(history.messages, render_tags="none").messages, history) == text


def test_the_recorded_ids_of_messages():
    history = decode("responses", {"input": "just text"})
    assert history.messages[0].id == "h_1997f6d05f796b5a"


def test_unknown_wires_are_a_misuse():
    with pytest.raises(ValueError, match="openai"):
        decode("smoke", {})
    with pytest.raises(ValueError, match="name the wire"):
        encode([], None)


def test_rules_are_replaced_only_with_the_risk_accepted():
    assert "own words" not in rules_text({"how-to": "own words"})
    replaced = rules_text({"how-to": "own words", "philosophy": 5}, accept_risk=True)
    assert "own words" in replaced
    assert RULES["philosophy"] in replaced


def test_reminders_say_what_may_be_folded(kit):
    chat = kit.chat(400)
    config = evolve(kit.open_config, model_context_limit=20_000)
    result = process_turn(chat, None, config, 16_000)
    text = render_nudge(result.nudge)
    for item in result.nudge.compressible_ranges:
        assert f"{item.start_ref}..{item.end_ref}" in text
    assert "80 %" in text
    quiet = process_turn(chat[:5], None, config, 10)
    assert render_nudge(quiet.nudge) == ""


def item(kind, **more):
    return {"type": kind, **more}


PAIRS = {
    "function_call": {"name": "f", "arguments": "{}"},
    "custom_tool_call": {"name": "f", "input": "x"},
    "local_shell_call": {"action": {"type": "exec", "command": ["ls"]}},
    "shell_call": {"action": {"commands": ["ls"]}},
    "apply_patch_call": {"operation": {"type": "delete_file", "path": "a"}},
    "computer_call": {"action": {"type": "screenshot"}, "pending_safety_checks": []},
}
SHOT = {"type": "computer_screenshot", "image_url": "data:image/png;base64,QUJD"}
OUTPUTS = {
    **dict.fromkeys(PAIRS, "done"),
    "shell_call": [{"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}],
    "computer_call": SHOT,
}


@pytest.mark.parametrize("kind", PAIRS)
def test_every_kind_of_call_keeps_its_output_and_is_closed_by_its_own(kind):
    first = {"role": "user", "content": "go"}
    asked = item(kind, id="x_1", call_id="c1", **PAIRS[kind])
    output = item(f"{kind}_output", call_id="c1", output=OUTPUTS[kind])
    text = json.dumps({"input": [first, asked, output]})
    history = decode("responses", text)
    assert [m.content_type for m in history.messages] == ["text", "tool-call", "tool-result"]
    assert encode(history.messages, history) == text
    tagged = encode_value(process_turn(history.messages).messages, history)["input"]
    assert type(tagged[2]["output"]) is type(OUTPUTS[kind])
    waiting = decode("responses", {"input": [first, asked]})
    closed = encode_value(process_turn(waiting.messages).messages, waiting)
    assert check("responses", closed) == []
    assert closed["input"][2]["type"] == f"{kind}_output"
    assert (SHOT["type"] in str(closed)) == (kind == "computer_call")


def test_a_local_shell_output_may_name_its_call_by_its_own_id():
    first = {"role": "user", "content": "go"}
    asked = item("local_shell_call", id="lsh_1", call_id="c1", **PAIRS["local_shell_call"])
    items = [first, asked, item("local_shell_call_output", id="c1", output="a.txt")]
    text = json.dumps({"input": items})
    history = decode("responses", text)
    assert encode(process_turn(history.messages, render_tags="none").messages, history) == text


def test_items_whose_reasoning_is_gone_and_repeated_items_lose_their_ids():
    items = [
        {"role": "user", "content": "go"},
        item("reasoning", id="rs_1", summary=[]),
        item("function_call", id="fc_1", call_id="c1", name="f", arguments="{}"),
        item("function_call_output", call_id="c1", output="x"),
        item("reasoning", id="rs_2", summary=[]),
        item("message", id="msg_1", role="assistant", content=[]),
        item("message", id="msg_1", role="assistant", content=[]),
        {"role": "user", "content": "more"},
    ]
    history = decode("responses", {"input": items})
    thoughts = [m.id for m in history.messages if m.content_type == "reasoning"]
    sent = encode_value(covered(history.messages, thoughts[:1]).messages, history)["input"]
    kept = [(found.get("type"), found.get("id")) for found in sent if "call_id" not in found]
    assert [found.get("id") for found in sent if found.get("call_id") == "c1"] == [None, None]
    assert [found for found in kept if found[0] in ("reasoning", "message")][-3:] == [
        ("reasoning", "rs_2"),
        ("message", "msg_1"),
        ("message", None),
    ]


NAMELESS = {
    "a call and its result": ("u c o t", ["call_1"]),
    "two of each": ("u c c o o u", ["call_1", "call_2"]),
    "a call nobody answers": ("u c u", []),
    "a call at the live end": ("u c", []),
    "a result nobody asked for": ("u o t", []),
    "a result that answers no call of the turn before": ("u c t o", ["call_1"]),
    "a result while a named call waits": ("u c:a o", []),
    "a result between a named call and its own": ("u c:a o o:a t", []),
}


@pytest.mark.parametrize("label", NAMELESS)
def test_calls_and_results_without_ids_are_paired_or_told_as_text(kit, label):
    spec, named = NAMELESS[label]
    spelled = " ".join(f"{word}:" if word in "co" else word for word in spec.split())
    messages = kit.history(spelled)
    view = process_turn(messages, config=kit.open_config).messages
    kit.judge(view, messages, label)
    sent = encode_value(view, None, "openai")["messages"]
    assert [call["id"] for m in sent for call in m.get("tool_calls", ())] == named


def test_no_lone_surrogate_leaves_through_a_summary_or_a_wire():
    messages = [CoreMessage("u", "user", "text", "a \ud83d"), CoreMessage("v", "user", "text", "b")]
    block = CompressionBlock("b1", "r1", 1, "gone \udca9", ["v"], ["v"], topic="\ud83d")
    state = CompressionState(blocks=[block], next_block_id=2)
    view = process_turn(messages, state, render_tags="none").messages
    assert view[1].text == "[Compressed conversation section] — \ufffd\ngone \ufffd"
    for wire in WIRES:
        assert check(wire, encode_value(view, None, wire), had_user=True) == []
