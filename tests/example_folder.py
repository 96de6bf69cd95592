"""A folder that holds every file the examples in help name, made from the project's own parts.

Nothing in it depends on the time, the network or the order of tests.
"""

import json
import os
import shutil
from pathlib import Path

from attrs import evolve
from command_tree import KEY
from projection_desk import adjoining, observed
from projection_journals import Journal
from typer.testing import CliRunner

import cso
from pcsf_lark.faces.cli import app

ROOT = Path(__file__).resolve().parent.parent
TALK = ROOT / "tests/kernel_faces/logs/claude-code.jsonl"
SESSION = "s1"
NOW = "2026-05-04T09:30Z"

OLDER = """\
===PCSF:v1.2===
META: Search index | software | WORKING | 2026-05-03T16:00Z

L1:SKELETON
CHOICE | Take the queue in the database | No second system to run

L2:NEGATIVE
REJECT | A second cluster | Costs twice as much

L3:INTERNAL
UNCERTAINTY: whether the lag holds at ten times the load

L4:RELATION
TRUST: nobody is on call at night

L5:LOOPS
INCOMPLETE_TASK | Measure the lag | HIGH
DEFERRED_QUESTION | Who owns the index | MED

SEED: Measure the lag before anything else.
===END===
"""
NEWER = (
    OLDER.replace("2026-05-03T16:00Z", NOW)
    .replace("INCOMPLETE_TASK | Measure the lag | HIGH\n", "")
    .replace("index | MED\n", "index | MED\nINCOMPLETE_TASK | Tell the team | LOW\n")
    .replace("Measure the lag before anything else.", "The lag holds, so build it.")
)
GRAMMAR = """\
date  = year "-" month "-" day
year  = 4DIGIT
month = 2DIGIT
day   = 2DIGIT
"""


def _state():
    """Give a state: a fact from a tool, a decision that rests on it, a task and a question."""
    return cso.CognitiveStateObject(
        cso_id="index-1",
        window_number=1,
        goal_state=cso.GoalState(
            mode="AGENTIC", objective="Build the index", remaining=["Tell the team", "Measure"]
        ),
        established_facts=[
            cso.Fact(
                fact_id="f1",
                statement="The lag is 40 ms",
                provenance="TOOL",
                provenance_ref="scratch-1",
                confidence=1.0,
                window_origin=1,
            )
        ],
        decisions=[
            cso.Decision(
                decision_id="d1",
                choice="Keep the queue",
                rationale="40 ms will do",
                window_origin=1,
                depends_on=["f1"],
            )
        ],
        open_questions=["Who owns it?"],
        constraints=["No second cluster"],
    )


def _talk():
    """Give the lines of a session of Claude Code: a long beginning, then many short turns."""
    first = [json.loads(line) for line in TALK.read_text("utf-8").splitlines()]
    lines, parent = first[:8], first[7]["uuid"]
    for number in range(60):
        role = ("user", "assistant")[number % 2]
        said = (
            f"Step {number}: look at station {number % 7}. " + "The lock file is in the way. " * 14
        )
        content = said if role == "user" else [{"type": "text", "text": said}]
        message = {"role": role, "content": content}
        if role == "assistant":
            message |= {"id": f"more_{number}", "model": "m-1"}
        name = f"more-{number}"
        line = {**first[0], "parentUuid": parent, "type": role, "message": message, "uuid": name}
        lines.append({**line, "timestamp": f"2026-01-05T10:{number:02}:00Z"})
        parent = name
    return "".join(json.dumps(line) + "\n" for line in lines)


def _capsules(folder):
    stamped = ("stamp", "capsule.pcsf", "-o", "stamped.pcsf")
    long = NEWER.replace(
        "L3:INTERNAL\n", "L3:INTERNAL\n" + "UNCERTAINTY: " + "so much " * 100 + "x\n"
    )
    head, _, rest = NEWER.partition("\n\nL1:")
    texts = {
        "older.pcsf": OLDER,
        "capsule.pcsf": NEWER,
        "compact.pcsf": head + "\n\nL1:" + rest.replace("\n\n", "\n"),
        "noon.pcsf": OLDER.replace("T16:", "T17:").replace("nobody is", "one is"),
        "idea.pcsf": OLDER.replace("T16:", "T18:").replace("A second", "A larger"),
        "broken.pcsf": NEWER.replace("SEED: ", "SEED:  "),
        "long.pcsf": long,
        "grammar.abnf": GRAMMAR.replace("\n", "\r\n"),
        "summary.txt": "The reader of tide.py was read, and the readings of March look right: the offset comes later.\n",
        "before.txt": "lag 40 ms\n",
        "after.txt": "lag 90 ms\n",
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    _run(*stamped)
    (folder / "capsule.json").write_text(_run("ast", "capsule.pcsf").stdout, "utf-8")


def _logs(folder):
    talk = _talk()
    for name in ("session.jsonl", "folded.jsonl"):
        (folder / name).write_text(talk, "utf-8")
    fold = ("--range", "m00001..m00007", "--summary-file", "summary.txt")
    _run("session", "compress", "folded.jsonl", *fold)
    desk = adjoining(3)
    desk.log.write(folder / "pi.jsonl")
    shutil.copy("pi.jsonl", "off-pi.jsonl")
    _run("aili", "off", "off-pi.jsonl")
    observed("read", 4, log=observed("read", 3)).write(folder / "read-pi.jsonl")
    journal = Journal(desk.log)
    journal.open([journal.state().active()[0].block_id])
    desk.log.write(folder / "opened-pi.jsonl")


def _objects(folder):
    key = folder / "key"
    key.write_text(KEY, "utf-8")
    key.chmod(0o600)
    (folder / "state.json").write_bytes(cso.dumps(_state()))
    signing = ("--key-file", "key", "--session", SESSION)
    _run("cso", "sign", "state.json", *signing, "--store", "store.db", "-o", "signed.json")
    draft = cso.loads((folder / "state.json").read_bytes())
    (folder / "draft.json").write_bytes(
        cso.dumps(cso.advance(draft, ["Measure"])).replace(
            b'"window_number":1', b'"window_number":0'
        )
    )
    relay = ("cso", "relay", "signed.json", "draft.json", *signing)
    _run(*relay, "-o", "next.json", "--store", "store.db")
    trail = _run("cso", "log", "store.db", "--session", SESSION, "--events")
    (folder / "trail.jsonl").write_bytes(trail.stdout_bytes)
    for name, item in (("marked.json", "f1"), ("revised.json", "d1")):
        words = ("--choice", "The lag is 90 ms", "--because", "measured anew")
        _run("cso", "revise", "state.json", item, *words, "-o", name)
    _run("cso", "slice", "signed.json", "d1", "-o", "part.json")
    part = cso.loads((folder / "part.json").read_bytes())
    found = evolve(part.established_facts[0], fact_id="f2", statement="One queue will do")
    part = evolve(part, established_facts=[*part.established_facts, found])
    (folder / "part.json").write_bytes(cso.dumps(part))


def _relay():
    _run("relay", "init", "--session", SESSION)
    _run("relay", "push", "older.pcsf", "--now", "2026-05-03T16:00Z")
    _run("relay", "branch", "idea")
    _run("relay", "push", "noon.pcsf", "--now", "2026-05-03T17:00Z")
    _run("relay", "push", "idea.pcsf", "--branch", "idea", "--now", "2026-05-03T18:00Z")


def _run(*arguments):
    done = CliRunner().invoke(app, list(arguments))
    if done.exit_code:
        raise AssertionError(f"pcsf {' '.join(arguments)}: {done.output}") from done.exception
    return done


def build(folder):
    """Fill a folder; the working folder is changed meanwhile."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        _capsules(folder)
        _logs(folder)
        _objects(folder)
        _relay()
    finally:
        os.chdir(before)
