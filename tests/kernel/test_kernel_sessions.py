"""Readers: the formats as found, and every defect a log can have."""

import json

import pytest

from kernel import process_turn
from kernel.sessions import FORMATS, count_runs, detect_format, read_session
from kernel.wire import WIRES, encode_value


def write(tmp_path, name, content):
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def pi_log(*entries, version=3):
    head = {"type": "session", "id": "S", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/w"}
    if version:
        head["version"] = version
    return b"".join(json.dumps(e, ensure_ascii=False).encode() + b"\n" for e in (head, *entries))


def entry(name, parent, role="user", text="hi", **more):
    message = {"role": role, "content": [{"type": "text", "text": text}], **more}
    return {
        "type": "message",
        "id": name,
        "parentId": parent,
        "timestamp": f"2026-01-01T00:00:{len(name):02}Z",
        "message": message,
    }


def codes(log):
    return [note.code for note in log.diagnostics]


def texts(log):
    return [message.text for message in log.messages]


LINEAR = [
    entry("a", None, text="one"),
    entry("b", "a", "assistant", "two"),
    entry("c", "b", text="three"),
]


def test_a_plain_log(tmp_path):
    log = read_session(write(tmp_path, "s.jsonl", pi_log(*LINEAR)))
    assert (log.format, log.session_id, log.leaf) == ("pi", "S", "c")
    assert texts(log) == ["one", "two", "three"]
    assert [m.id for m in log.messages] == ["a", "b", "c"]
    assert log.diagnostics == ()


DEFECTS = {
    "a torn last line": (lambda raw: raw + b'{"type":"message","id":"d","pare', ["TORN_LINE"], 3),
    "a broken middle line": (lambda raw: raw.replace(b"\n", b"\n{broken\n", 1), ["BAD_LINE"], 3),
    "a NUL run": (lambda raw: raw.replace(b"\n", b"\n" + b"\0" * 64, 1), ["NUL_RUN"], 3),
    "a byte order mark": (lambda raw: b"\xef\xbb\xbf" + raw, ["BOM"], 3),
    "no last line end": (lambda raw: raw.rstrip(b"\n"), [], 3),
    "CRLF": (lambda raw: raw.replace(b"\n", b"\r\n"), [], 3),
    "blank lines": (lambda raw: raw.replace(b"\n", b"\n\n\n"), [], 3),
    "a line that is no object": (lambda raw: raw.replace(b"\n", b"\n[1]\n", 1), ["BAD_LINE"], 3),
    "a byte that is no UTF-8": (
        lambda raw: raw.replace(b'"two"', b'"tw\xff"'),
        ["NOT_UTF8"],
        3,
    ),
    "a lost header": (lambda raw: raw.split(b"\n", 1)[1], ["NO_HEADER"], 3),
    "a torn header": (lambda raw: raw[9:], ["BAD_LINE", "NO_HEADER"], 3),
}


@pytest.mark.parametrize("label", DEFECTS)
def test_defects_are_named_and_read_past(tmp_path, label):
    damage, want, count = DEFECTS[label]
    log = read_session(write(tmp_path, "s.jsonl", damage(pi_log(*LINEAR))))
    assert codes(log) == want
    assert len(log.messages) == count


def test_two_objects_on_a_line_are_both_read(tmp_path):
    raw = pi_log(*LINEAR).split(b"\n")
    glued = b"\n".join([raw[0], raw[1], raw[2] + raw[3], b""])
    log = read_session(write(tmp_path, "s.jsonl", glued))
    assert codes(log) == ["TWO_OBJECTS"]
    assert texts(log) == ["one", "two", "three"]


def test_ghost_parents_duplicate_ids_and_cycles(tmp_path):
    ghost = read_session(
        write(tmp_path, "g.jsonl", pi_log(LINEAR[0], entry("b", "nobody", "assistant", "two")))
    )
    assert codes(ghost)[0] == "GHOST_PARENT"
    assert texts(ghost) == ["two"]
    twice = read_session(
        write(tmp_path, "t.jsonl", pi_log(*LINEAR[:2], entry("b", "a", "assistant", "again")))
    )
    assert codes(twice)[0] == "DUPLICATE_ID"
    assert texts(twice) == ["one", "again"]
    round_ = read_session(write(tmp_path, "c.jsonl", pi_log(entry("a", "b"), entry("b", "a"))))
    assert "CYCLE" in codes(round_)
    assert len(round_.messages) == 2


def test_branches(tmp_path):
    path = write(tmp_path, "b.jsonl", pi_log(*LINEAR, entry("dd", "a", text="other")))
    log = read_session(path)
    assert (log.leaf, texts(log), codes(log)) == ("dd", ["one", "other"], ["LONGER_BRANCH"])
    assert texts(read_session(path, leaf="c")) == ["one", "two", "three"]
    with pytest.raises(KeyError, match="zz"):
        read_session(path, leaf="zz")


def test_compactions_edits_and_other_entries(tmp_path):
    entries = [
        *LINEAR,
        {"type": "custom", "customType": "x", "id": "d", "parentId": "c"},
        {
            "type": "custom_message",
            "customType": "x",
            "content": "note",
            "id": "e",
            "parentId": "d",
        },
        {
            "type": "compaction",
            "id": "f",
            "parentId": "e",
            "summary": "so far",
            "firstKeptEntryId": "c",
        },
        {"type": "context_edit", "id": "g", "parentId": "f", "targetId": "e", "replacement": None},
        {
            "type": "context_edit",
            "id": "h",
            "parentId": "g",
            "targetId": "c",
            "replacement": {"content": "edited"},
        },
        {"type": "model_change", "id": "i", "parentId": "h", "modelId": "big"},
        {"type": "future_thing", "id": "j", "parentId": "i"},
    ]
    log = read_session(write(tmp_path, "k.jsonl", pi_log(*entries)))
    assert texts(log) == ["[Summary of an earlier compaction]\nso far", "edited"]
    assert [e.type for e in log.entries][:3] == ["compaction", "message", "custom"]
    assert log.model == "big"


def test_version_one_ids_are_stable(tmp_path):
    old = [{k: v for k, v in e.items() if k not in ("id", "parentId")} for e in LINEAR]
    old.append({"type": "compaction", "summary": "so far", "firstKeptEntryIndex": 2})
    path = write(tmp_path, "v1.jsonl", pi_log(*old, version=None))
    first = read_session(path)
    assert texts(first) == ["[Summary of an earlier compaction]\nso far", "two", "three"]
    grown = write(
        tmp_path,
        "grown.jsonl",
        path.read_bytes() + b'{"type":"message","message":{"role":"user","content":"more"}}\n',
    )
    second = read_session(grown)
    assert [m.id for m in second.messages][:3] == [m.id for m in first.messages]
    assert len({m.id for m in second.messages}) == 4


def claude(name, parent, kind, content, **more):
    role = "assistant" if kind == "assistant" else "user"
    message = {
        "role": role,
        "content": content,
        **({"id": more.pop("reply")} if "reply" in more else {}),
    }
    return {
        "uuid": name,
        "parentUuid": parent,
        "isSidechain": False,
        "sessionId": "S",
        "type": kind,
        "timestamp": "2026-01-01",
        "message": message,
        **more,
    }


def use(name):
    return [{"type": "tool_use", "id": name, "name": "Bash", "input": {"command": "ls"}}]


def result(name):
    return [{"type": "tool_result", "tool_use_id": name, "content": f"out {name}"}]


def test_claude_code_replies_are_regrouped(tmp_path):
    lines = [
        {"type": "summary", "summary": "x", "leafUuid": "z"},
        claude("1", None, "user", "go"),
        claude(
            "2",
            "1",
            "assistant",
            [{"type": "thinking", "thinking": "t", "signature": "s"}],
            reply="R",
        ),
        claude("3", "2", "assistant", use("A"), reply="R"),
        claude("4", "3", "user", result("A")),
        claude("5", "3", "assistant", use("B"), reply="R"),
        claude("p", "5", "progress", []),
        claude("6", "5", "user", result("B")),
        {**claude("s", "6", "assistant", "side"), "isSidechain": True},
        claude("7", "6", "assistant", [{"type": "text", "text": "done"}], reply="Q"),
    ]
    path = write(tmp_path, "c.jsonl", "".join(json.dumps(x) + "\n" for x in lines))
    log = read_session(path)
    assert log.format == "claude-code"
    kinds = [m.content_type for m in log.messages]
    assert kinds == [
        "text",
        "reasoning",
        "tool-call",
        "tool-call",
        "tool-result",
        "tool-result",
        "text",
    ]
    assert len(process_turn(log.messages).messages) == 7
    body = encode_value(log.messages, log.history, "anthropic")
    assert [m["role"] for m in body["messages"]] == ["user", "assistant", "user", "assistant"]


def test_codex_rollouts(tmp_path):
    lines = [
        {"type": "session_meta", "payload": {"id": "S"}},
        {"type": "event_msg", "payload": {"type": "user_message", "message": "go"}},
        {
            "type": "response_item",
            "payload": {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "go"}],
            },
        },
        {
            "type": "response_item",
            "payload": {
                "type": "function_call",
                "name": "shell",
                "arguments": "{}",
                "call_id": "c",
            },
        },
        {
            "type": "response_item",
            "payload": {"type": "function_call_output", "call_id": "c", "output": "ok"},
        },
    ]
    path = write(tmp_path, "rollout.jsonl", "".join(json.dumps(x) + "\n" for x in lines))
    log = read_session(path)
    assert (log.format, log.session_id) == ("codex", "S")
    assert codes(log) == ["UNTRIED_FORMAT"]
    assert [m.content_type for m in log.messages] == ["text", "tool-call", "tool-result"]
    lines.append(
        {
            "type": "compacted",
            "payload": {"replacement_history": [{"role": "user", "content": "all of it"}]},
        }
    )
    path = write(tmp_path, "rollout2.jsonl", "".join(json.dumps(x) + "\n" for x in lines))
    assert texts(read_session(path)) == ["all of it"]


def test_openhands_events(tmp_path):
    def meta(call, of):
        return {
            "tool_call_metadata": {
                "function_name": "run",
                "tool_call_id": call,
                "model_response": {"id": of},
            }
        }

    events = [
        {"id": 0, "source": "user", "action": "message", "args": {"content": "go"}},
        {
            "id": 1,
            "source": "agent",
            "action": "run",
            "args": {"command": "a", "thought": "both"},
            **meta("A", "R"),
        },
        {
            "id": 2,
            "source": "agent",
            "observation": "run",
            "content": "out a",
            "cause": 1,
            **meta("A", "R"),
        },
        {"id": 4, "source": "agent", "action": "run", "args": {"command": "b"}, **meta("B", "R")},
        {
            "id": 5,
            "source": "agent",
            "observation": "run",
            "content": "out b",
            "cause": 4,
            **meta("B", "R"),
        },
        {"id": 6, "source": "agent", "action": "read", "args": {"path": "x"}},
        {"id": 7, "source": "agent", "observation": "read", "content": "text", "cause": 6},
        {"id": 9, "source": "agent", "action": "finish", "message": "all done", "args": {}},
    ]
    path = write(tmp_path, "events.json", json.dumps(events))
    log = read_session(path)
    assert log.format == "openhands"
    assert [m.content_type for m in process_turn(log.messages).messages] == [
        "text",
        "text",
        "tool-call",
        "tool-result",
        "tool-call",
        "tool-result",
        "tool-call",
        "tool-result",
        "text",
    ] or len(process_turn(log.messages).messages) == 9
    runs = [{"instance_id": f"i{n}", "history": events[: n + 1]} for n in range(3)]
    path = write(tmp_path, "output.jsonl", "".join(json.dumps(x) + "\n" for x in runs))
    assert count_runs(path) == 3
    assert len(read_session(path, run=2).messages) > len(read_session(path, run=0).messages)
    with pytest.raises(IndexError):
        read_session(path, run=7)


def test_sweagent_and_chat_documents(tmp_path):
    call = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    history = [
        {"role": "system", "content": "sys", "agent": "main"},
        {"role": "user", "content": [{"type": "text", "text": "fix it"}]},
        {
            "role": "assistant",
            "content": "look",
            "thought": "t",
            "action": "ls",
            "tool_calls": [call],
        },
        {"role": "tool", "content": [{"type": "text", "text": "a.py"}], "tool_call_ids": ["c"]},
    ]
    path = write(tmp_path, "x.traj", json.dumps({"trajectory": [], "history": history, "info": {}}))
    log = read_session(path)
    assert log.format == "sweagent"
    assert [m.content_type for m in log.messages] == ["text", "text", "tool-call", "tool-result"]
    assert log.history.system_parts == ("sys",)
    steps = [{"response": "look", "observation": "a.py"}]
    path = write(tmp_path, "y.traj", json.dumps({"trajectory": steps, "info": {}}))
    assert codes(read_session(path)) == ["NO_HISTORY"]
    assert len(read_session(path).messages) == 2
    plain = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    assert texts(read_session(write(tmp_path, "chat.json", json.dumps(plain)))) == ["hi", "ho"]
    tau = [{"task_id": n, "traj": plain[: n + 1]} for n in range(2)]
    path = write(tmp_path, "tau.json", json.dumps(tau))
    assert count_runs(path) == 2
    assert texts(read_session(path, run=1)) == ["hi", "ho"]


def test_what_cannot_be_read_says_so(tmp_path):
    with pytest.raises(ValueError, match="neither"):
        read_session(write(tmp_path, "x.txt", "no json at all"))
    with pytest.raises(ValueError, match="no format"):
        read_session(write(tmp_path, "x.json", "[]"), fmt="smoke")
    empty = read_session(write(tmp_path, "e.json", "[]"))
    assert empty.messages == ()
    assert codes(empty) == ["NO_MESSAGES"]
    with pytest.raises(ValueError, match="branches"):
        read_session(write(tmp_path, "d.json", "[]"), leaf="x")


def test_long_logs_are_read_line_by_line(tmp_path):
    import tracemalloc

    filler = "x" * 2000
    path = write(
        tmp_path,
        "long.jsonl",
        pi_log(*(entry(f"e{n}", f"e{n - 1}" if n else None, text=filler) for n in range(800))),
    )
    size = path.stat().st_size
    tracemalloc.start()
    log = read_session(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(log.messages) == 800
    assert peak < 4 * size


def test_every_format_has_a_name():
    assert set(FORMATS) == {
        "pi",
        "claude-code",
        "codex",
        "openhands-output",
        "openhands",
        "sweagent",
        "chat",
    }


EXPECTED = {
    "claude-code-compact-boundary.jsonl": ("claude-code", ["LONGER_BRANCH"]),
    "claude-code-small-orphan.jsonl": ("claude-code", []),
    "mini-swe-agent-chat.json": ("chat", []),
    "openhands-events-basic.json": ("openhands", []),
    "openhands-events-gui.json": ("openhands", []),
    "pi-v1-two-compactions.jsonl": ("pi", []),
    "pi-v3-alltypes.jsonl": ("pi", ["LONGER_BRANCH", "LONGER_BRANCH"]),
    "pi-v3-migrated-two-compactions.jsonl": ("pi", []),
    "sweagent-function-calling.traj": ("sweagent", []),
    "sweagent-text-actions-pydicom.traj": ("sweagent", []),
    "tau-bench-gpt4o-airline-first40.json": ("chat", ["MORE_RUNS"]),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_real_logs(transcripts, name):
    fmt, notes = EXPECTED[name]
    path = transcripts / name
    if not path.exists():
        pytest.skip(f"{name} is not here")
    assert detect_format(path) == fmt
    log = read_session(path)
    assert codes(log) == notes
    assert log.messages
    for wire in WIRES:
        encode_value(process_turn(log.messages).messages, log.history, wire)


ORACLES = [
    ("pi-v3-alltypes", ""),
    ("pi-v3-alltypes", ".branch"),
    ("pi-v3-alltypes", ".keepnone"),
    ("pi-v3-alltypes", ".leaf-before-branch"),
    ("pi-v3-migrated-two-compactions", ""),
]


@pytest.mark.parametrize(("name", "which"), ORACLES)
def test_pi_projects_as_pi_itself(transcripts, name, which):
    want = json.loads((transcripts / f"{name}{which}.oracle.json").read_text("utf-8"))
    log = read_session(transcripts / f"{name}.jsonl", leaf=want["leafId"])
    assert [{"id": e.id, "type": e.type, "roles": list(e.roles)} for e in log.entries] == want[
        "entries"
    ]
    assert (log.thinking_level, log.model) == (want["thinkingLevel"], want["model"]["modelId"])


def test_version_one_reads_as_its_migration(transcripts):
    old = read_session(transcripts / "pi-v1-two-compactions.jsonl")
    new = read_session(transcripts / "pi-v3-migrated-two-compactions.jsonl")
    assert [(m.role, m.text) for m in old.messages] == [(m.role, m.text) for m in new.messages]


@pytest.mark.parametrize(
    ("mark", "origin"),
    [({"isMeta": True}, "note"), ({"isCompactSummary": True}, "summary"), ({}, None)],
)
def test_what_no_user_wrote_is_told(tmp_path, mark, origin):
    lines = [
        {
            "type": "user",
            "uuid": name,
            "parentUuid": parent,
            "sessionId": "s",
            "message": {"role": "user", "content": text},
            **extra,
        }
        for name, parent, text, extra in (
            ("1", None, "Never run tests.", mark),
            ("2", "1", "Mend it.", {}),
        )
    ]
    path = tmp_path / "told.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    log = read_session(path, fmt="claude-code")
    assert [message.extra.get("origin") for message in log.messages] == [origin, None]


def test_a_path_may_be_a_text_and_an_empty_file_is_called_so(tmp_path):
    path = write(tmp_path, "s.jsonl", pi_log(*LINEAR))
    assert read_session(str(path)).messages == read_session(path).messages
    assert detect_format(str(path)) == "pi"
    with pytest.raises(ValueError, match="is empty"):
        read_session(write(tmp_path, "e.jsonl", b"\n\0\0\n"))
