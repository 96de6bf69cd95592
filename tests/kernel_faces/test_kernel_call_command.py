"""`pcsf kernel call` itself, as a host starts it: its stream, its options, its endings."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import forks
import pytest

from kernel.call import answer_lines

ROOT = Path(__file__).resolve().parents[2]
CALL = [sys.executable, "-m", "pcsf_lark", "kernel", "call"]
GOOD = b'{"id":1,"op":"countTokens","input":{"text":"abcd"}}\n'


def served(data, *options):
    done = forks.run(["kernel", "call", *options], input=data, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


BAD = [b"{\n", b"[1]\n", b"\xff\xfe\n", b'{"id":NaN}\n', b"\0\n", b"[" * 100_000 + b"\n", b"\r\n"]
BAD += [
    b'{"id":[[1]],"op":"x","input":{}}\n',
    b'{"id":2,"op":"\\ud800","input":{}}\n',
    b'"\xe2\x80\xa8',
]


def test_each_bad_line_is_answered_and_the_stream_goes_on():
    code, out, err = served(GOOD.join(BAD))
    assert (code, err) == (0, b"")
    answers = [json.loads(line) for line in out.split(b"\n")[:-1]]
    # The blank line is passed over, every other one is answered in its place.
    assert sum("output" in answer for answer in answers) == len(BAD) - 1
    errors = [answer for answer in answers if "error" in answer]
    assert len(errors) == len(BAD) - 1
    assert all({"code", "message", "at"} == answer["error"].keys() for answer in errors)


def test_the_command_says_what_the_library_says():
    cases = [
        line
        for line in (ROOT / "tests/cases/kernel.jsonl").read_bytes().splitlines()
        if len(line) < 4000
    ][:80]
    lines = []
    for number, line in enumerate(cases):
        case = json.loads(line)
        request = {"id": number, "op": case.get("op"), "input": case.get("input")}
        lines.append(json.dumps(request, ensure_ascii=False).encode() + b"\n")
    code, out, _ = served(b"".join(lines))
    assert code == 0
    assert out.decode().splitlines() == list(answer_lines(lines))
    assert out.count(b'"output"') > 40


def test_no_input_and_a_last_line_without_an_end():
    assert served(b"") == (0, b"", b"")
    assert served(b"\xef\xbb\xbf" + GOOD.rstrip()) == (0, b'{"id":1,"output":{"tokens":1}}\n', b"")


def test_each_answer_is_flushed():
    process = subprocess.Popen(CALL, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)
    for _ in range(3):
        process.stdin.write(GOOD)
        process.stdin.flush()
        assert process.stdout.readline() == b'{"id":1,"output":{"tokens":1}}\n'
    process.stdin.close()
    assert process.wait(30) == 0
    process.stdout.close()


def test_options_set_the_defaults_and_the_clock():
    messages = [
        {"id": str(n), "role": ("user", "assistant")[n % 2], "contentType": "text", "text": "x" * 9}
        for n in range(6)
    ]
    item = {"startRef": "m2", "endRef": "m5", "summary": "s"}
    config = {"compress": {"minCompressRange": 0, "minSummaryLength": 0}}
    config |= {"preserveRecentMessages": 0, "preserveRecentTokens": 0}
    refs = {str(n): f"m{n + 1:05}" for n in range(6)}
    state = {"messageRefs": {"byRaw": refs, "byRef": {ref: raw for raw, ref in refs.items()}}}
    data = {"messages": messages, "state": state, "ranges": [item]}
    line = json.dumps({"id": "a", "op": "applyCompression", "input": data}).encode() + b"\n"
    refused = json.loads(served(line)[1])["output"]
    assert refused["result"]["blocksCreated"] == 0
    _, out, _ = served(line, "--config", json.dumps(config), "--now", "5")
    block = json.loads(out)["output"]["state"]["blocks"][0]
    assert (block["blockId"], block["createdAt"]) == ("b1", 5)
    _, out, _ = served(line, "--config", json.dumps(config))
    assert json.loads(out)["output"]["state"]["blocks"][0]["createdAt"] == 1700000000000


USAGE = [("--config", "{"), ("--config", "[]"), ("--config", '{"modelContextLimit":-1}')]
USAGE += [("--now", "x"), ("--now", "-1"), ("--fast",), ("more",)]


@pytest.mark.parametrize("options", USAGE)
def test_a_wrong_call_ends_with_two(pcsf, options):
    code, out, err = pcsf("kernel", "call", *options)
    assert (code, out) == (2, "")
    assert err


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_javascript_host_drives_the_command(tmp_path):
    readme = (ROOT / "kernel" / "README.md").read_text("utf-8")
    (sample,) = re.findall(r"```js\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "host.mjs").write_text(sample, "utf-8")
    done = subprocess.run(
        [shutil.which("node"), "host.mjs", *CALL],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == re.findall(r"It prints:\n\n```text\n(.*?)```", readme, re.DOTALL)[1]
