"""Claude Code's events, as recorded: what is answered, what is pushed, and silence for all else."""

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from cso import ChainStatus, CognitiveStateObject, GoalState, Mode
from pcsf_lark.hooks import starting
from pcsf_lark.hooks.scene import scene_of
from pcsf_lark.relay import Repository, of_object

INPUTS = Path(__file__).parent / "inputs"
NAMES = sorted(path.stem for path in INPUTS.glob("*.json"))
STARTS = [name for name in NAMES if name.startswith("session-start")]
SAVES = [name for name in NAMES if name.startswith(("session-end", "pre-compact"))]
OTHERS = sorted({*NAMES} - {*STARTS, *SAVES})


def context(output):
    answer = json.loads(output)
    assert list(answer) == ["hookSpecificOutput"]
    assert answer["hookSpecificOutput"]["hookEventName"] == "SessionStart"
    assert set(answer["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    return answer["hookSpecificOutput"]["additionalContext"]


def test_every_event_is_there():
    assert (len(STARTS), len(SAVES), len(OTHERS)) == (5, 7, 2)


@pytest.mark.parametrize("name", STARTS)
def test_a_start_is_given_the_head(desk, name):
    desk.begin()
    told = context(desk.hook(desk.event(name)))
    with Repository.open(desk.project, environ={}) as relay:
        assert told == relay.prompt()
    assert "whose clock is the epoch column" in told
    assert len(told) <= starting.MOST
    assert f"SessionStart {name.rpartition('-')[2]}" in desk.log()[-1]


@pytest.mark.parametrize("name", SAVES)
def test_an_end_and_a_compaction_push_the_draft(desk, name):
    desk.begin().with_transcript()
    assert desk.hook(desk.event(name)) == b""
    assert desk.windows() == 2
    head = desk.head()
    told = " ".join([*head.constraints, *(fact.statement for fact in head.established_facts)])
    assert "Never change the raw CSV files" in told
    assert "importer.py" in told
    assert "window 2" in desk.log()[-1]


@pytest.mark.parametrize("name", OTHERS)
def test_other_events_are_passed_over(desk, name):
    desk.begin().with_transcript()
    assert desk.hook(desk.event(name)) == b""
    assert desk.windows() == 1
    assert desk.log() == []


def test_a_session_goes_on_in_the_next(desk):
    desk.begin(pushed=False).with_transcript()
    assert desk.hook(desk.event("session-start-startup")) == b""
    assert "nothing was pushed yet" in desk.log()[-1]
    desk.hook(desk.event("pre-compact-auto"))
    assert "Use UTC in the exporter" in context(desk.hook(desk.event("session-start-compact")))
    desk.hook(desk.event("session-end-other"))
    assert desk.windows() == 1, "what was pushed before the compaction is not pushed again"
    assert "nothing to do" in desk.log()[-1]
    with desk.transcript.open("a", encoding="utf-8") as stream:
        last = json.loads(desk.transcript.read_text("utf-8").splitlines()[-1])
        new = {"role": "user", "content": "Never print a bearing without its station."}
        more = {**last, "uuid": "more", "parentUuid": last["uuid"], "type": "user", "message": new}
        stream.write(json.dumps(more) + "\n")
    desk.hook(desk.event("session-end-other"))
    assert desk.windows() == 2
    assert any("bearing" in text for text in desk.head().constraints)
    with Repository.open(desk.project, environ={}) as relay:
        verdict = relay.verify()
    assert verdict.sound
    assert verdict.branches[0].verdict.status is ChainStatus.VALID


def test_a_project_without_a_relay_is_left_alone(desk):
    desk.with_transcript()
    for name in NAMES:
        assert desk.hook(desk.event(name)) == b""
    assert list(desk.project.iterdir()) == []


@pytest.mark.parametrize(
    ("torn", "told"),
    [
        ("key", "no key"),
        ("config.toml", "cannot be used|no .pcsf|relay init"),
        ("state.db", "the store is gone"),
    ],
)
def test_a_relay_that_is_not_whole_is_told_in_the_log_alone(desk, torn, told):
    desk.begin().with_transcript()
    (desk.project / ".pcsf" / torn).unlink()
    for name in ("session-start-startup", "session-end-other"):
        assert desk.hook(desk.event(name)) == b""
        assert any(words in desk.log()[-1] for words in told.split("|")), desk.log()


def test_a_key_that_others_may_read_is_not_used(desk):
    desk.begin()
    (desk.project / ".pcsf" / "key").chmod(0o644)
    assert desk.hook(desk.event("session-start-startup")) == b""
    assert "chmod 600" in desk.log()[-1]


def test_no_log_line_holds_the_key(desk):
    desk.begin().with_transcript()
    key = (desk.project / ".pcsf" / "key").read_text("ascii").strip()
    for name in ("session-start-startup", "pre-compact-auto", "session-end-other"):
        desk.hook(desk.event(name))
    (desk.project / ".pcsf" / "state.db").write_bytes(b"no database" * 999)
    desk.hook(desk.event("session-start-startup"))
    assert key not in "\n".join(desk.log())


HOSTILE = {
    "nothing": b"",
    "blank": b"  \n",
    "no JSON": b"{nope",
    "a list": b"[]",
    "a number": b"17",
    "null": b"null",
    "an empty object": b"{}",
    "half an event": b'{"hook_event_name": "SessionStart", "cwd": "',
    "no UTF-8": b'{"hook_event_name": "\xff\xfe"}',
    "deep": b'{"a":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
    "large": b'{"hook_event_name": "SessionStart", "x": "' + b"y" * (6 << 20) + b'"}',
    "a name of another kind": b'{"hook_event_name": ["SessionStart"]}',
    "a number no double can hold": b'{"hook_event_name": "SessionStart", "x": 1'
    + b"0" * 9999
    + b"}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_event_is_met_with_silence(desk, name):
    desk.begin()
    assert desk.hook(HOSTILE[name]) == b""
    assert len(desk.log()) == 1
    assert desk.windows() == 1


BAD = {
    "cwd": [None, 7, "", "/no/such/folder", "\0", "x" * 9999, "\ud800", {"a": 1}],
    "transcript_path": [None, 7, "", "/no/such/log.jsonl", "\0", "x" * 9999, "\ud800", "/dev/zero"],
}


@pytest.mark.parametrize(("member", "at"), [(k, i) for k, v in BAD.items() for i in range(len(v))])
def test_members_of_any_kind_harm_nothing(desk, member, at):
    desk.begin()
    assert desk.hook(desk.event("session-end-other", **{member: BAD[member][at]})) == b""
    assert desk.windows() == 1
    assert len(desk.log()) == 1


def test_a_folder_a_pipe_and_an_empty_file_are_no_transcripts(desk):
    desk.begin()
    os.mkfifo(desk.base / "pipe")
    (desk.base / "empty").touch()
    for name in ("pipe", "empty", "tide"):
        path = str(desk.base / name)
        assert desk.hook(desk.event("session-end-other", transcript_path=path)) == b""
        assert "BadLog" in desk.log()[-1]
    assert desk.windows() == 1


def test_a_transcript_that_is_being_written_is_read_as_far_as_it_goes(desk):
    desk.begin().with_transcript()
    with desk.transcript.open("ab") as stream:
        stream.write(b'{"parentUuid":null,"type":"user","message":{"role":"user","content":"ne')
    assert desk.hook(desk.event("session-end-other")) == b""
    assert desk.windows() == 2


def test_garbage_for_a_transcript_pushes_nothing(desk):
    desk.begin()
    desk.transcript.write_bytes(bytes(range(256)) * 50)
    assert desk.hook(desk.event("session-end-other")) == b""
    assert desk.windows() == 1
    assert len(desk.log()) == 1


def test_an_agent_that_does_not_close_its_pipe_is_answered(desk):
    desk.begin()
    reading, writing = os.pipe()
    os.write(writing, json.dumps(desk.event("session-start-startup")).encode())
    found = {}

    def hook():
        found["done"] = subprocess.run(
            [sys.executable, "-m", "pcsf_lark", "hook", "claude-code"],
            stdin=reading,
            capture_output=True,
            cwd=desk.project,
            env=desk.env,
            timeout=30,
            check=False,
        )

    thread = threading.Thread(target=hook)
    thread.start()
    thread.join()
    os.close(writing)
    os.close(reading)
    assert "epoch column" in context(found["done"].stdout)


def test_the_project_comes_before_the_folder_of_the_moment(desk, tmp_path):
    desk.begin()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    given = desk.event("session-start-startup", cwd=str(elsewhere))
    assert desk.hook(given, cwd=elsewhere) == b""
    assert context(desk.hook(given, cwd=elsewhere, CLAUDE_PROJECT_DIR=str(desk.project)))


def test_below_the_project_is_in_the_project(desk):
    desk.begin()
    below = desk.project / "a" / "b"
    below.mkdir(parents=True)
    assert context(desk.hook(desk.event("session-start-resume", cwd=str(below)), cwd=desk.base))


def test_another_folder_s_modules_are_not_run(desk, anew):
    """A project may hold any file, also one named like a module of Python's."""
    desk.begin().with_transcript()
    for name in ("json.py", "typing.py", "sqlalchemy.py", "attrs.py"):
        (desk.project / name).write_text("raise SystemExit('not mine')\n", "utf-8")
    # As the installed script does, which has no current folder among its paths.
    assert desk.hook(desk.event("session-end-other"), cwd=desk.base, begin=anew) == b""
    assert desk.windows() == 2


def test_words_after_the_command_do_not_block(desk):
    desk.begin()
    done = desk.run("hook", "claude-code", "--strange", "x", given=desk.event("pre-compact-auto"))
    assert done.returncode == 0


def test_a_store_that_only_the_project_names_is_not_sent_a_session(desk):
    desk.begin().with_transcript()
    config = desk.project / ".pcsf" / "config.toml"
    text = config.read_text("utf-8").replace('"state.db"', '"postgresql://u@127.0.0.1:1/x"')
    config.write_text(text, "utf-8")
    key = {"PCSF_RELAY_KEY": "5b" * 32}
    for name in ("session-start-startup", "session-end-other"):
        assert desk.hook(desk.event(name), **key) == b""
        assert "named by the project alone" in desk.log()[-1]


def test_a_server_that_is_not_there_is_waited_for_within_bounds(desk):
    desk.begin()
    store = {"PCSF_RELAY": "postgresql://u:secret@127.0.0.1:1/x"}
    assert desk.hook(desk.event("session-start-startup"), **store) == b""
    assert "secret" not in "\n".join(desk.log())


def test_a_log_in_another_place(desk):
    path = desk.base / "elsewhere.log"
    desk.begin()
    desk.hook(desk.event("session-start-startup"), PCSF_HOOK_LOG=str(path))
    assert desk.log() == []
    assert len(path.read_text("utf-8").splitlines()) == 1
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_state_too_long_for_an_agent_is_cut_to_the_capsule(desk):
    desk.begin()
    rules = tuple(f"rule {n}: " + "as it was said " * 30 for n in range(40))
    goal = GoalState(mode=Mode.CONVERSATION, objective="Tide importer")
    long = CognitiveStateObject(cso_id="x", window_number=1, goal_state=goal, constraints=rules)
    with Repository.open(desk.project, environ={}) as relay:
        relay.push(of_object(long))
        assert len(relay.prompt(budget=0)) > starting.MOST
    told = starting.context(scene_of([str(desk.project)]))
    assert 0 < len(told) <= starting.MOST
    assert "===PCSF:v1" in told
    assert "[END OF STATE" in told
