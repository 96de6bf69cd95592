"""The JSON-lines protocol, and a host in another language that speaks it."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.call import CLOCK, Caller, answer_line, answer_lines, expand
from kernel.call.ops import OPS
from kernel.codec import to_json

ROOT = Path(__file__).resolve().parents[2]
KEYS = [
    *("messages", "state", "config", "tokenCount", "ranges", "steps", "query", "docs", "options"),
    *(
        "blockId",
        "ref",
        "startRef",
        "endRef",
        "summary",
        "text",
        "args",
        "body",
        "format",
        "parsed",
    ),
    *("id", "role", "contentType", "toolCallId", "toolName", "blocks", "content", "nudge", "tiers"),
    *("effectiveMessageIds", "directBlockIds", "messageRefs", "byRaw", "$fill", "contentStore"),
]


def ask(op, caller=None, **data):
    out = json.loads(
        answer_line(json.dumps({"id": 1, "op": op, "input": data}), caller or Caller())
    )
    return out.get("output", out)


def turn(messages, **more):
    return ask("processTurn", messages=[to_json(m) for m in messages], **more)


def test_a_session_over_the_wire(kit):
    chat = kit.chat(40)
    first = turn(chat, tokenCount=500)
    assert len(first["messages"]) == 40
    small = {"compress": {"minCompressRange": 0, "minSummaryLength": 0}, "preserveRecentTokens": 0}
    item = {"startRef": "m00002", "endRef": "m00010", "summary": "the start, folded"}
    messages = [to_json(m) for m in chat]
    applied = ask(
        "applyCompression", messages=messages, state=first["state"], config=small, ranges=[item]
    )
    assert applied["result"]["blocksCreated"] == 1
    assert applied["state"]["blocks"][0]["createdAt"] == CLOCK
    second = turn(chat, tokenCount=500, state=applied["state"], contentStore=first["contentStore"])
    assert len(second["messages"]) == 32
    store = second["contentStore"]
    assert list(store["entries"]) == [f"m{n:05}" for n in range(2, 11)]
    found = ask("retrieve", contentStore=store, ref="m00003")
    assert found["found"]
    assert found["message"]["id"] == "acp_retrieved_m00003"
    assert ask("retrieve", contentStore=store, ref="m00001")["found"] is False
    again = turn(chat, tokenCount=500, state=second["state"], contentStore=store)
    assert again["messages"] == second["messages"]
    assert again["contentStore"] == store


def test_the_further_ops(kit):
    chat = [to_json(m) for m in kit.chat(60)]
    full = {
        "modelContextLimit": 6000,
        "compress": {"minCompressRange": 500},
        "preserveRecentTokens": 0,
    }
    state = ask("processTurn", messages=chat, tokenCount=1)["state"]
    decision = ask("decideNudge", messages=chat, state=state, config=full, tokenCount=5000)
    assert decision["shouldInject"]
    assert decision["reason"] == {
        "code": "OVER-LIMIT_INJECT",
        "tier": 1,
    }
    text = ask("renderNudge", messages=chat, state=state, config=full, tokenCount=5000)["text"]
    assert decision["compressibleRanges"][0]["startRef"] in text
    assert ask("renderNudge", nudge=decision)["text"] == text
    t2 = {"shouldInject": True, "tier": 2, "contextUsage": 0.5, "tierTargetBlocks": ["b1", "b4"]}
    assert '"startRef": "b1", "endRef": "b4"' in ask("renderNudge", nudge=t2)["text"]
    assert ask("decideNudge", messages=chat, config=full, tokenCount=5000)["shouldInject"]
    found = ask("plan", messages=chat, config={**full, "modelContextLimit": 5000})
    assert found["due"]
    assert found["ranges"]
    assert found["savings"] > 0
    blocks = [{"role": "user", "contentType": "text"}]
    steering = ask("decideOutputSteering", blocks=blocks, enabled=True)
    assert (steering["turnClass"], steering["verbosity"]) == ("request", "normal")
    assert ask("decideOutputSteering", messages=chat[:4])["turnClass"] == "tool-loop"


def test_defaults_of_the_stream_and_of_the_line():
    caller = Caller(config={"compress": {"minCompressRange": 7}, "modelContextLimit": 9})
    assert ask("validateConfig", caller, config={"modelContextLimit": 0})["errorCount"] == 1
    assert ask("validateConfig", caller)["errorCount"] == 0
    state = {"blocks": []}
    assert ask("status", caller, state=state, tokenCount=9)["contextUsage"] == 1
    assert (
        ask("status", caller, state=state, tokenCount=9, config={"modelContextLimit": 18})[
            "contextUsage"
        ]
        == 0.5
    )
    late = Caller(now=5)
    item = {"startRef": "m1", "endRef": "m1", "summary": "s"}
    config = {
        "compress": {"minCompressRange": 0, "minSummaryLength": 0},
        "preserveRecentMessages": 0,
        "preserveRecentTokens": 0,
    }
    messages = [{"id": "a", "role": "user", "contentType": "text", "text": "x"}]
    first = ask("processTurn", late, messages=messages)
    out = ask(
        "applyCompression",
        late,
        messages=messages,
        state=first["state"],
        config=config,
        ranges=[item],
    )
    assert out["state"]["blocks"][0]["createdAt"] == 5


def test_fill_is_expanded_by_utf16_units():
    assert expand({"a": [{"$fill": ["ab", 5]}]}) == {"a": ["ababa"]}
    assert expand({"$fill": ["🔥", 4]}) == "🔥🔥"
    assert expand({"$fill": ["x", 0]}) == ""
    assert ask("countTokens", text={"$fill": ["x", 4000]}) == {"tokens": 1000}


BAD = {
    "{": ("BAD_JSON", None),
    "[1]": ("BAD_REQUEST", None),
    '{"id":7,"op":"fly","input":{}}': ("UNKNOWN_OP", 7),
    '{"id":7,"input":{}}': ("UNKNOWN_OP", 7),
    '{"id":7,"op":"countTokens","input":3}': ("BAD_INPUT", 7),
    '{"id":7,"op":"countTokens","input":{}}': ("BAD_INPUT", 7),
    '{"id":7,"op":"processTurn","input":{"messages":5}}': ("BAD_INPUT", 7),
    '{"id":"x","op":"wireToCore","input":{"format":"smoke","body":{}}}': ("BAD_INPUT", "x"),
    "[" * 100_000: ("BAD_JSON", None),
    '{"id":7,"op":"countTokens","input":{"text":NaN}}': ("BAD_JSON", None),
    '{"id":NaN,"op":"countTokens","input":{"text":""}}': ("BAD_JSON", None),
    '{"id":1e999,"op":"countTokens","input":{"text":""}}': ("BAD_REQUEST", None),
    '{"id":[1],"op":"countTokens","input":{"text":""}}': ("BAD_REQUEST", None),
    '{"id":7,"op":"countTokens","input":{"text":{"$fill":["x",1e12]}}}': ("BAD_INPUT", 7),
    '{"id":7,"op":"countTokens","input":{"text":{"$fill":["x",-1]}}}': ("BAD_INPUT", 7),
    '{"id":7,"op":"countTokens","input":{"text":{"$fill":"x"}}}': ("BAD_INPUT", 7),
    '{"id":"' + "\\ud83d" + '","op":"fly"}': ("UNKNOWN_OP", "\ud83d"),
    b'{"id":7,"op":"\xff"}': ("BAD_JSON", None),
    b"\0\0\0": ("BAD_JSON", None),
}


@pytest.mark.parametrize("line", BAD, ids=lambda line: repr(line[:50]))
def test_a_bad_line_is_answered_and_the_stream_goes_on(line):
    good = '{"id":1,"op":"countTokens","input":{"text":"abcd"}}'
    answers = [json.loads(x) for x in answer_lines([good, line, "", good])]
    assert [a.get("output") for a in (answers[0], answers[2])] == [{"tokens": 1}] * 2
    code, request_id = BAD[line]
    assert answers[1]["error"]["code"] == code
    assert answers[1]["id"] == request_id
    assert {"code", "message", "at"} <= answers[1]["error"].keys()


def test_every_op_answers_something_or_says_what_is_missing():
    for op in OPS:
        out = json.loads(answer_line(json.dumps({"id": 1, "op": op, "input": {}})))
        assert ("output" in out) != ("error" in out), op


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    op=st.sampled_from(sorted(OPS)), data=st.dictionaries(st.sampled_from(KEYS), values, max_size=6)
)
def test_no_input_ends_the_stream(op, data):
    out = json.loads(answer_line(json.dumps({"id": 3, "op": op, "input": data})))
    assert out["id"] == 3
    assert ("output" in out) != ("error" in out)


def test_answers_are_one_line_of_valid_utf8():
    text = "line\none\u2028two 🔥 \ud83d"
    line = json.dumps(
        {
            "id": 1,
            "op": "processTurn",
            "input": {
                "messages": [{"id": "a", "role": "user", "contentType": "text", "text": text}]
            },
        }
    )
    out = answer_line(line)
    out.encode()
    assert "\n" not in out


SERVER = "import sys\nfrom kernel.call import answer_lines\nfor answer in answer_lines(sys.stdin):\n    print(answer, flush=True)\n"


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_javascript_host_of_the_readme_runs(tmp_path):
    readme = (ROOT / "kernel" / "README.md").read_text("utf-8")
    (sample,) = re.findall(r"```js\n(.*?)```", readme, re.DOTALL)
    assert len(sample.splitlines()) < 60
    (tmp_path / "host.mjs").write_text(sample, "utf-8")
    (tmp_path / "serve.py").write_text(SERVER, "utf-8")
    command = [shutil.which("node"), "host.mjs", sys.executable, "serve.py"]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr
    want = re.findall(r"It prints:\n\n```text\n(.*?)```", readme, re.DOTALL)[1]
    assert done.stdout == want


def test_the_tour_of_the_readme_runs(capsys):
    readme = (ROOT / "kernel" / "README.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    exec(compile(code, "README", "exec"), {})  # noqa: S102 - our own text
    want = re.findall(r"It prints:\n\n```text\n(.*?)```", readme, re.DOTALL)[0]
    assert capsys.readouterr().out == want
