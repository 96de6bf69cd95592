"""`pcsf cso call` as a process: a line in, a line out, at once, whatever the line."""

import json
import subprocess
import sys
from pathlib import Path

import forks
import pytest

from pcsf_lark.rules._rule import BASE

VECTORS = (Path(__file__).parents[1] / "cases" / "cso.jsonl").read_bytes()
COMMAND = [sys.executable, "-m", "pcsf_lark", "cso", "call"]


def call(data):
    done = forks.run(["cso", "call"], input=data)
    assert done.returncode == 0
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_vector():
    cases = [json.loads(line) for line in VECTORS.splitlines()]
    answers = call(VECTORS)
    assert [answer["id"] for answer in answers] == [case["id"] for case in cases]
    for case, answer in zip(cases, answers, strict=True):
        assert case["expected"].items() <= answer["output"].items(), case["id"]


def test_a_bad_line_ends_nothing():
    good = json.dumps({"id": "a", "kind": "header", "input": {"line": "CRP-Relay-Revisions: 2"}})
    bad = [
        b"",
        b"{",
        b"\xff\xfe",
        b"[]",
        b"null",
        b'{"id": 1}',
        b"[" * 100_000,
        b'"\\ud800"',
        b"\x00",
    ]
    answers = call(b"\n".join([*bad, good.encode()]))  # the last line has no LF
    assert len(answers) == len(bad) + 1
    assert all(answer["error"]["code"] for answer in answers[:-1])
    assert answers[-1]["output"]["valid"]
    assert call(b"") == []


def test_a_huge_line_is_one_error():
    answers = call(b'"' + b"x" * (65 * 1024 * 1024) + b'"\n{}\n')
    assert [answer["error"]["code"] for answer in answers] == ["limit", "request"]


def test_each_answer_comes_at_once():
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for number in range(3):
            process.stdin.write(b'{"id": "%d", "kind": "x", "input": {}}\n' % number)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == str(number)
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.mark.parametrize(
    ("kind", "given", "at"),
    [
        ("capsule_to_cso", {"capsule": "nothing"}, "capsule"),
        ("capsule_to_cso", {"capsule": 1}, "capsule"),
        ("capsule_to_cso", {}, "capsule"),
        ("capsule_budget", {"seed": "x."}, "meta"),
        ("capsule_budget", {"meta": ["a", "b", "c"], "seed": "x."}, "meta"),
        ("capsule_budget", {"meta": ["a", "b", "c", 1], "seed": "x."}, "meta"),
        ("capsule_budget", {"meta": ["a", "b", "c", "d"], "seed": 1}, "seed"),
        ("capsule_budget", {"meta": ["a", "b", "c", "d"], "seed": "s", "chain": 1}, "chain"),
    ],
)
def test_bad_input_about_capsules(kind, given, at):
    from cso.call import Exchange
    from pcsf_lark.faces.cso.call import HANDLERS

    line = json.dumps({"id": "a", "kind": kind, "input": given})
    answer = json.loads(Exchange(more=HANDLERS).answer(line))
    assert answer["error"]["code"] == "input"
    assert answer["error"]["at"] == at


def test_nothing_of_state_objects_is_loaded_for_a_check(tmp_path):
    path = tmp_path / "a.pcsf"
    path.write_text(BASE)
    code = (
        "import sys, pcsf_lark; pcsf_lark.check(open(sys.argv[1]).read());"
        "assert 'cso' not in sys.modules;"
        "from typer.testing import CliRunner; from pcsf_lark.faces.cli import app;"
        "assert CliRunner().invoke(app, ['check', sys.argv[1]]).exit_code == 0;"
        "assert 'cso' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code, path], check=True)
