"""The state beside a log: whose it is, that it is whole, and two processes at once."""

import json
import os
import subprocess
import sys

import pytest

from kernel import config_from_json, state_from_json
from pcsf_lark.faces.session.state import Refused, load, locked, save
from pcsf_lark.faces.session.work import opened

SUMMARY = "What these messages held, told in one sentence that is long enough for a summary."
LOOSE = json.dumps(
    {"preserveRecentTokens": 0, "preserveRecentMessages": 0, "compress": {"minCompressRange": 0}}
)


def test_the_state_names_its_log_and_keeps_no_texts(pcsf):
    pcsf.fold("tide.jsonl", "m2..m16")
    document = pcsf.state("tide.jsonl")
    about = document["log"]
    size = (pcsf.folder / "tide.jsonl").stat().st_size
    assert about["path"] == str((pcsf.folder / "tide.jsonl").resolve())
    assert (about["leaf"], about["format"], about["prefix"]["bytes"]) == ("e017", "pi", size)
    text = json.dumps(document)
    assert "contentStore" not in text
    assert "station 00" not in text
    assert [b.block_id for b in state_from_json(document["state"]).blocks] == ["b1"]
    assert list(pcsf.folder.glob(".pcsf-*")) == []


def test_a_log_that_grew_keeps_its_state(pcsf):
    pcsf.fold("tide.jsonl", "m2..m16")
    line = {"type": "message", "id": "e018", "parentId": "e017", "timestamp": "2026-01-06"}
    line["message"] = {"role": "assistant", "content": [{"type": "text", "text": "Written."}]}
    with (pcsf.folder / "tide.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n" + '{"torn')
    code, out, err = pcsf.session("view", "tide.jsonl")
    assert code == 0
    assert "Compressed conversation section" in out
    assert "m00023</acp>\nWritten." in out
    assert "TORN_LINE" in err


def test_a_document_that_grew_keeps_its_state(pcsf):
    path = pcsf.folder / "openai.json"
    assert pcsf.fold("openai.json", "m2..m16")[0] == 0
    body = json.loads(path.read_text("utf-8"))
    body["messages"].append({"role": "assistant", "content": "Written."})
    path.write_text(json.dumps(body, indent=2), "utf-8")
    code, out, _ = pcsf.session("view", "openai.json")
    assert code == 0
    assert "Compressed conversation section" in out
    body["messages"][1]["content"] = "Something else."
    path.write_text(json.dumps(body), "utf-8")
    assert pcsf.session("view", "openai.json")[0] == 1


def spoiled(raw):
    return raw.replace(b"an hour off", b"two hours off", 1)


@pytest.mark.parametrize("command", [("view",), ("status",), ("plan",), ("undo",)])
def test_a_state_of_another_log_is_refused(pcsf, command):
    pcsf.fold("tide.jsonl", "m2..m16")
    (pcsf.folder / "tide.jsonl.kernel.json").rename(pcsf.folder / "claude-code.jsonl.kernel.json")
    before = (pcsf.folder / "claude-code.jsonl.kernel.json").read_bytes()
    code, out, err = pcsf.session(command[0], "claude-code.jsonl")
    assert (code, out) == (1, "")
    assert "state of another log" in err
    assert (pcsf.folder / "claude-code.jsonl.kernel.json").read_bytes() == before
    assert pcsf.fold("claude-code.jsonl", "m2..m16")[0] == 1


@pytest.mark.parametrize("change", [spoiled, lambda raw: raw[:5000], lambda raw: b"\n" + raw])
def test_a_rewritten_log_is_another_log(pcsf, change):
    pcsf.fold("tide.jsonl", "m2..m16")
    path = pcsf.folder / "tide.jsonl"
    path.write_bytes(change(path.read_bytes()))
    assert pcsf.session("view", "tide.jsonl")[0] == 1


BROKEN = {
    "empty": b"",
    "no json": b"{",
    "binary": bytes(range(256)),
    "a list": b"[]",
    "another version": b'{"kernel":2,"log":{"prefix":{}},"state":{}}',
    "no log": b'{"kernel":1,"state":{}}',
    "odd blocks": b'{"kernel":1,"log":{"prefix":{}},"state":{"blocks":[{"effectiveMessageIds":3}]}}',
    "odd refs": b'{"kernel":1,"log":{"prefix":{}},"state":{"messageRefs":{"byRaw":{"a":4}}}}',
    "odd counts": b'{"kernel":1,"log":{"prefix":{}},"state":{"nextBlockId":"x"}}',
    "odd stamps": b'{"kernel":1,"log":{"prefix":{}},"state":{"stats":{"compressionCount":[]}}}',
    "deep": b"[" * 100_000,
}


@pytest.mark.parametrize("label", BROKEN)
def test_a_broken_state_is_named(pcsf, label):
    place = pcsf.folder / "tide.jsonl.kernel.json"
    place.write_bytes(BROKEN[label])
    code, out, err = pcsf.session("view", "tide.jsonl")
    assert (code, out) == (2, "")
    assert "is no state of the kernel" in err
    assert pcsf.fold("tide.jsonl", "m2..m16")[0] == 2
    assert place.read_bytes() == BROKEN[label]


def test_a_state_that_is_no_file_is_named(pcsf):
    (pcsf.folder / "tide.jsonl.kernel.json").mkdir()
    assert "is no regular file" in pcsf.session("view", "tide.jsonl")[2]
    os.mkfifo(pcsf.folder / "openai.json.kernel.json")
    code, _, err = pcsf.session("view", "openai.json")
    assert (code, "is no regular file" in err) == (2, True)


def test_nobody_writes_over_a_state_he_has_not_read(pcsf):
    path = str(pcsf.folder / "tide.jsonl")
    config = config_from_json(json.loads(LOOSE))
    mine = opened(path, config)
    assert pcsf.fold("tide.jsonl", "m2..m16")[0] == 0
    with pytest.raises(Refused, match="changed by another process"):
        save(path, mine.log, mine.stored, mine.state)
    theirs = load(path, mine.log)
    assert [block.block_id for block in theirs.state.blocks] == ["b1"]


def start(folder, span):
    command = [sys.executable, "-m", "pcsf_lark", "session", "compress", "tide.jsonl"]
    command += ["--range", span, "--summary-file", "summary", "--config", LOOSE]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_a_writer_waits_for_the_one_before(pcsf):
    (pcsf.folder / "summary").write_text(SUMMARY)
    with locked(str(pcsf.folder / "tide.jsonl")):
        waiting = start(pcsf.folder, "m2..m5")
        with pytest.raises(subprocess.TimeoutExpired):
            waiting.wait(1.5)
        assert not (pcsf.folder / "tide.jsonl.kernel.json").exists()
    assert waiting.wait(30) == 0
    waiting.communicate()


def test_two_processes_fold_one_log(pcsf):
    """Different ranges both land, one range lands once; the state is whole at every moment."""
    (pcsf.folder / "summary").write_text(SUMMARY)
    spans = ["m2..m4", "m5..m7", "m8..m10", "m11..m13", "m2..m4", "m5..m7"]
    running = [start(pcsf.folder, span) for span in spans]
    place = pcsf.folder / "tide.jsonl.kernel.json"
    while any(process.poll() is None for process in running):
        if place.exists():
            json.loads(place.read_text("utf-8"))
    outcomes = [(process.returncode, *process.communicate()) for process in running]
    assert sorted(code for code, _, _ in outcomes) == [0, 0, 0, 0, 1, 1], outcomes
    state = state_from_json(pcsf.state("tide.jsonl")["state"])
    assert sorted(block.block_id for block in state.blocks) == ["b1", "b2", "b3", "b4"]
    hidden = [raw for block in state.blocks for raw in block.effective_message_ids]
    assert len(hidden) == len(set(hidden))
    assert all(b"Traceback" not in err for _, _, err in outcomes)
