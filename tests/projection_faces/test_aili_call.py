"""`pcsf aili call`: each case of the folder, the stream, its bounds, its endings.

A case has a log, requests (objects, or texts that are sent as they are) and what of each
answer is certain: objects may hold more, lists go on, "*" is anything. `$log`, `$leaf` and
`$catalog` stand for those of the log at the start, `$range` for a summary of its first range.
"""

import io
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from attrs import evolve

from kernel.projection.surfaces import SURFACES
from pcsf_lark.faces.aili import log as aili_log
from pcsf_lark.faces.aili.call import LONGEST, Caller, answer_stream
from pcsf_lark.faces.aili.known import Known
from pcsf_lark.faces.aili.log import Given
from pcsf_lark.faces.aili.ops import OPS

ROOT = Path(__file__).resolve().parents[2]
CASES = sorted((Path(__file__).parent / "calls").glob("*.json"))

SAID = "what was said and done. " * 10


def filled(value, names):
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [filled(one, names) for one in value]
    if isinstance(value, dict):
        return {key: filled(one, names) for key, one in value.items()}
    return value


def fits(expected, found):
    if expected == "*":
        return True
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(
            key in found and fits(one, found[key]) for key, one in expected.items()
        )
    if isinstance(expected, list):
        return isinstance(found, list) and len(found) >= len(expected) and all(
            map(fits, expected, found)
        )  # fmt: skip
    return expected == found and isinstance(expected, bool) == isinstance(found, bool)


def ask(aili, log, op, given=None, **more):
    return {"id": 1, "op": op, "log": str(aili.path(log)), "input": given or {}, **more}


def names_of(aili, log):
    (status,) = aili.call(ask(aili, log, "aili_compact_status"))
    names = {"$log": str(aili.path(log)), "$leaf": status["leaf"], "$catalog": status["catalogId"]}
    ranges = status["output"]["ranges"]
    if ranges:
        ends = {"startRef": ranges[0]["startRef"], "endRef": ranges[0]["endRef"]}
        names["$range"] = {
            "mode": "range", "catalogId": status["catalogId"], "topic": "t", "summary": SAID, **ends,
        }  # fmt: skip
    return names


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case(aili, path):
    case = json.loads(path.read_text("utf-8"))
    names = names_of(aili, case["log"])
    aili.easy.write_text(json.dumps({**aili.settings, **case.get("settings", {})}))
    before = aili.bytes(case["log"])
    requests = [
        one.encode("utf-8", "surrogatepass") + b"\n" if isinstance(one, str) else filled(one, names)
        for one in case["requests"]
    ]
    answers = aili.call(*requests)
    assert len(answers) == len(case["answers"])
    for expected, found in zip(filled(case["answers"], names), answers, strict=True):
        assert fits(expected, found), (expected, found)
        if "error" in found:
            assert found.keys() == {"id", "error"}
            assert found["error"].keys() == {"code", "message", "at"}
        else:
            assert found.keys() == {"id", "output", "catalogId", "leaf"}
    after = aili.bytes(case["log"])
    assert after.startswith(before)
    assert after[len(before) :].count(b"\n") == case.get("appended", 0)


def test_the_ops_are_the_surfaces_and_four_more():
    assert list(OPS) == [*SURFACES, "project", "before_compact", "plan", "doctor"]


def test_every_op_answers_on_every_log_and_appends_nothing(aili):
    for log in ("plain", "folded", "observed", "faulted", "legacy", "header", "v1", "aborted"):
        before = aili.bytes(log)
        answers = aili.call(*[ask(aili, log, op, {}) for op in OPS])
        assert len(answers) == len(OPS)
        for op, answer in zip(OPS, answers, strict=True):
            mutates = op in SURFACES and SURFACES[op].mutates
            needs = mutates or op == "aili_search_context"
            assert ("error" in answer) == needs, (log, op, answer)
        assert aili.bytes(log) == before


def test_a_write_shows_in_the_next_answer(aili):
    (status,) = aili.call(ask(aili, "folded", "aili_compact_status"))
    given = {"catalogId": status["catalogId"], "refs": ["b000002"]}
    done, seen = aili.call(
        ask(aili, "folded", "aili_decompress", given, write=True),
        ask(aili, "folded", "aili_compact_status"),
    )
    assert done["leaf"] == done["output"]["append"][0]["entryId"] == seen["leaf"]
    assert done["catalogId"] == seen["catalogId"] != status["catalogId"]
    assert seen["output"]["blocksTotal"] == 3


def test_another_leaf(aili):
    log = aili.path("forked").read_bytes().splitlines()
    older = json.loads(log[-2])["id"]
    (answer,) = aili.call(ask(aili, "forked", "project", leaf=older))
    assert answer["leaf"] == older
    assert answer["output"]["messages"][-1]["content"][0]["text"] == "the end of one way"


@pytest.mark.parametrize("tail", [b"\n", b""])
def test_a_line_that_is_too_long_is_passed_over(aili, tail):
    long = b'{"id":1,"op":"' + b"x" * (LONGEST * 2) + b'"}' + tail
    caller = Caller(Given("", config=str(aili.easy)))
    good = json.dumps(ask(aili, "folded", "aili_context_recap")).encode()
    data = long + (good if tail else b"")
    answers = [json.loads(one) for one in answer_stream(io.BytesIO(data), caller)]
    assert answers[0]["error"]["code"] == "TOO_LONG"
    assert [one["output"]["total"] for one in answers[1:]] == ([4] if tail else [])


def test_random_bytes_are_answered_one_for_one(aili):
    rng = random.Random(7)
    good = json.dumps(ask(aili, "plain", "aili_context_recap")).encode()
    lines = []
    for _ in range(200):
        line = bytearray(good)
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(line))
            line[at : at + rng.randint(0, 3)] = bytes(
                rng.choices(range(1, 256), k=rng.randint(0, 3))
            )
        lines.append(bytes(line).replace(b"\n", b"").replace(b"\r", b"") + b"\n")
    lines.append(b"[" * 100_000 + b"\n")
    lines.append(b'{"id":' + b"9" * 10_000 + b"}\n")
    before = aili.bytes("plain")
    answers = aili.call(*lines)
    assert len(answers) == len([line for line in lines if line.strip()])
    assert all(("error" in one) != ("output" in one) for one in answers)
    assert aili.bytes("plain") == before


def test_blank_lines_and_no_input(aili):
    assert aili.call(b"") == []
    assert aili.call(b"\n  \n\r\n") == []


def test_the_process_flushes_every_answer_and_ends_with_its_input(aili):
    command = [sys.executable, "-m", "pcsf_lark", "aili", "call", "--config", str(aili.easy)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=aili.folder, env=environment
    )
    for op in ("plan", "nothing"):
        process.stdin.write(json.dumps(ask(aili, "plain", op)).encode() + b"\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        assert ("output" in answer) == (op == "plan")
    process.stdin.close()
    assert process.wait(30) == 0
    process.stdout.close()


def test_a_named_settings_file_that_is_not_there_is_told_at_the_start(aili):
    line = json.dumps(ask(aili, "plain", "plan")).encode()
    code, out, err = aili.run("aili", "call", "--config", "gone.jsonc", stdin=line)
    assert (code, out) == (2, "")
    assert "gone.jsonc: No such file" in err


def test_a_named_settings_file_that_goes_is_an_answer(aili):
    caller = Caller(Given("", config=str(aili.easy)))
    line = json.dumps(ask(aili, "plain", "plan")).encode()
    assert "error" not in json.loads(caller.answer(line))
    aili.easy.unlink()
    assert json.loads(caller.answer(line))["error"]["code"] == "UNREADABLE"


@pytest.mark.parametrize("name", [0, -1, 2**53 - 1, 1 - 2**53, 1.5, "9007199254740993", None])
def test_an_id_comes_back_as_it_was_given(aili, name):
    (answer,) = aili.call({**ask(aili, "plain", "plan"), "id": name})
    assert "error" not in answer
    assert (answer["id"], type(answer["id"])) == (name, type(name))


@pytest.mark.parametrize("name", [2**53, -(2**53), 2**53 + 1, 10**30, 10**400])
def test_an_id_that_would_not_come_back_as_it_was_is_refused(aili, name):
    (answer,) = aili.call({**ask(aili, "plain", "plan"), "id": name})
    assert answer["id"] is None
    assert (answer["error"]["code"], answer["error"]["at"]) == ("BAD_REQUEST", "id")


@pytest.mark.parametrize("count", [0, -1, -(10**30)])
def test_a_message_has_at_least_the_call_itself(aili, count):
    (answer,) = aili.call(ask(aili, "plain", "plan", siblings=count))
    assert (answer["error"]["code"], answer["error"]["at"]) == ("BAD_REQUEST", "siblings")


def test_a_leaf_that_is_not_there_is_told_without_words_of_the_command_line(aili):
    (answer,) = aili.call(ask(aili, "plain", "plan", leaf="nothere"))
    assert (answer["error"]["code"], answer["error"]["at"]) == ("UNREADABLE", "leaf")
    assert "--" not in answer["error"]["message"]
    assert "nothere" in answer["error"]["message"]
    assert "--leaf" in aili("view", "plain", "--leaf", "nothere")[2]


def test_a_log_is_read_again_only_where_it_changed(aili, monkeypatch):
    known = Known()
    reads = []
    load = aili_log.load
    monkeypatch.setattr(aili_log, "load", lambda path: reads.append(path) or load(path))
    given = Given(str(aili.path("folded")), config=str(aili.easy))
    first = known.opened(given)
    count = len(reads)
    assert known.opened(given) is first
    assert len(reads) == count
    # By its growing, by settings, and every other branch on its own.
    assert aili("off", "folded")[0] == 0
    assert not known.opened(given).snapshot.enabled
    aili.easy.write_text('{"enabled": false}')
    assert not known.opened(given).snapshot.config.enabled
    older = first.tree.entries[4].id
    assert known.opened(evolve(given, leaf=older)).snapshot.leaf == older
    for log in ("plain", "chat", "lifted", "opened"):
        known.opened(Given(str(aili.path(log))))
    del reads[:]
    known.opened(given)
    assert reads


def test_a_log_with_a_parent_session_is_never_kept(aili):
    path = aili.path("folded")
    path.write_bytes(path.read_bytes().replace(b'"cwd"', b'"parentSession":"plain.jsonl","cwd"', 1))
    known = Known()
    given = Given(str(path))
    assert known.opened(given) is not known.opened(given)
