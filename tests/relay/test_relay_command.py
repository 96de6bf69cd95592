"""`pcsf relay`: every verb with real files, its exit codes, and what must never be printed."""

import json
import os
import re
import stat
import time

import pytest
from relay_samples import NOW, text
from typer.testing import CliRunner

import cso
import pcsf_lark
from pcsf_lark.faces.cli import app

SECRET = "5b" * 32


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A project with a relay in it and three capsules, and the place to run in."""
    monkeypatch.chdir(tmp_path)
    for name in ("PCSF_RELAY", "PCSF_RELAY_KEY"):
        monkeypatch.delenv(name, raising=False)
    ok("init", "--session", "test")
    (tmp_path / ".pcsf/key").write_text(SECRET)
    for number, skeleton in enumerate(("CHOICE | a | b", "DISCOVERY | c | d", "CHOICE | e | f"), 1):
        loop = f"PROMISE | p{number} | HIGH"
        given = text(
            [skeleton], [], [], ["BOUNDARY: never x"], [loop], time=f"2026-05-0{number}T09:30Z"
        )
        (tmp_path / f"{number}.pcsf").write_text(given)
    return tmp_path


def pcsf(*arguments, stdin=None):
    """Run a verb: exit code, stdout, stderr. No traceback, no key, ever."""
    done = CliRunner().invoke(app, ["relay", *map(str, arguments)], input=stdin)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    for said in (done.stdout, done.stderr):
        assert SECRET not in said
        assert "Traceback" not in said
    return done.exit_code, done.stdout, done.stderr


def ok(*arguments, stdin=None):
    code, out, err = pcsf(*arguments, stdin=stdin)
    assert code == 0, (out, err)
    return out


def bad(code, *arguments, stdin=None):
    found, out, err = pcsf(*arguments, stdin=stdin)
    assert found == code, (out, err)
    assert err
    return err


def test_init_again_changes_nothing(home):
    assert "there already" in ok("init")
    found = json.loads(ok("init", "--format", "json"))
    assert found["new"] is False
    assert found["session"] == "test"
    assert (home / ".pcsf/key").read_text() == SECRET


def test_init_elsewhere_with_a_key_of_the_environment(home, monkeypatch):
    monkeypatch.setenv("PCSF_RELAY_KEY", SECRET)
    out = ok("init", "other")
    assert "PCSF_RELAY_KEY" in out
    assert not (home / "other/.pcsf/key").exists()
    assert "expected a name" in bad(2, "init", "third", "--session", "a b")


def test_push_prints_headers_and_what_was_dropped(home):
    out = ok("push", "1.pcsf", "--now", NOW)
    assert re.match(
        r"window 1 sha256:[0-9a-f]{12} on main: capsule, \d+ new\nCRP-Relay-Revisions: 0\n", out
    )
    (home / "loop.pcsf").write_text(text([], [], ["INTUITION: i"], [], ["PROMISE | p1 | LOW"]))
    (home / "other.pcsf").write_text(text([], [], ["INTUITION: j"], [], ["PROMISE | p1 | HIGH"]))
    ok("push", "loop.pcsf")
    out = ok("push", "other.pcsf")
    assert "CRP-Relay-Preservation: 1.00" in out
    assert "dropped: L3: INTUITION: i (replaced by a later one)" in out
    assert "dropped: L5: PROMISE | p1 | LOW (replaced by a later one)" in out
    out = ok("push", "other.pcsf")
    assert out.startswith("nothing to do: it was pushed before; main is at window 3")
    found = json.loads(ok("push", "other.pcsf", "--format", "json"))
    assert (found["landed"], found["window"]) == (False, 3)


def test_push_takes_objects_and_standard_input(home):
    ok("push", "-", stdin=(home / "1.pcsf").read_text())
    value = cso.dumps(pcsf_lark.to_cso((home / "2.pcsf").read_bytes())).decode()
    found = json.loads(ok("push", "-", "--format", "json", stdin=value))
    assert (found["kind"], found["window"], found["headers"]["CRP-Relay-Preservation"]) == (
        "cso",
        2,
        "1.00",
    )
    whole = ok("head", "--cso")
    assert "stored already" in ok("push", "-", stdin=whole)
    assert "DISCOVERY | c" in ok("head", "--capsule")


def test_what_is_refused_is_told_and_stores_nothing(home):
    ok("push", "1.pcsf")
    (home / "bad.pcsf").write_text((home / "2.pcsf").read_text().replace("HIGH", "URGENT"))
    (home / "notes.txt").write_text("# some notes\n")
    (home / "broken.json").write_text("{")
    assert "C7" in bad(1, "push", "bad.pcsf")
    assert "neither a capsule" in bad(1, "push", "notes.txt")
    assert bad(2, "push", "nowhere.pcsf")
    assert "C3" in bad(1, "push", "notes.txt", "--as", "capsule")
    assert bad(1, "push", "notes.txt", "--as", "cso")
    assert "--now" in bad(2, "push", "2.pcsf", "--now", "yesterday")
    assert "no branch" in bad(1, "push", "2.pcsf", "--branch", "nowhere")
    assert len(json.loads(ok("log", "--format", "json"))) == 1


def test_a_secret_is_told(home):
    (home / "s.pcsf").write_text(text([f"CHOICE | use {'AKIA' + 'IOSFODNN7EXAMPLA'} | it works"]))
    code, _, err = pcsf("push", "s.pcsf")
    assert code == 0
    assert "S001" in err


def test_head_in_every_form(home):
    assert "nothing yet" in bad(1, "head")
    ok("push", "1.pcsf")
    ok("push", "2.pcsf")
    out = ok("head")
    assert "window 2" in out
    assert "constraint: never x" in out
    found = json.loads(ok("head", "--format", "json"))
    assert found["constraints"] == ["never x"]
    assert found["verified"] is True
    assert pcsf_lark.conformant(ok("head", "--capsule"))
    assert cso.loads(ok("head", "--cso")).cso_hmac == found["tag"]
    prompt = ok("head", "--prompt")
    assert "| DISCOVERY | c | d" in prompt
    assert len(ok("head", "--prompt", "--budget", "0")) < len(prompt)
    ok("head", "--capsule", "-o", "h.pcsf")
    assert (home / "h.pcsf").read_text() == ok("head", "--capsule")
    bad(2, "head", "--capsule", "--cso")


@pytest.mark.usefixtures("home")
def test_looking_back():
    for number in (1, 2, 3):
        ok("push", f"{number}.pcsf", "--now", f"2026-05-0{number}T10:00Z")
    rows = ok("log").split("\n")
    assert re.fullmatch(r"3 sha256:[0-9a-f]{12} 2026-05-03T10:00Z capsule.* <- main", rows[0])
    assert rows[2].startswith("1 ")
    assert "window 2" in ok("show", "HEAD~1")
    assert cso.loads(ok("show", "1", "--cso")).window_number == 1
    assert json.loads(ok("show", "1", "--format", "json"))["kind"] == "capsule"
    assert "nothing is called" in bad(1, "show", "99")
    code, out, _ = pcsf("diff", "1", "2")
    assert code == 1
    assert "added fact" in out
    assert ok("diff", "2", "2") == "" or ok("diff", "2", "2") == "\n"
    code, out, _ = pcsf("diff", "1", "--format", "json")
    assert code == 1
    assert json.loads(out)["equal"] is False


def test_verify(home):
    ok("push", "1.pcsf")
    assert "UNVERIFIED" in ok("verify")
    assert pcsf("verify", "--require", "valid")[0] == 1
    ok("push", "2.pcsf")
    out = ok("verify", "--require", "valid")
    assert "main: VALID, 2 windows" in out
    assert "alike: 2 of 2" in out
    found = json.loads(ok("verify", "--format", "json"))
    assert found["valid"] is True
    assert found["branches"][0]["status"] == "VALID"
    (home / "old").write_text(SECRET)
    (home / "old").chmod(0o600)
    (home / ".pcsf/key").write_text("6c" * 32)
    code, out, _ = pcsf("verify")
    assert code == 1
    assert "BROKEN at window 1" in out
    ok("verify", "--key-file", "old")
    assert "another key" in bad(1, "head")
    ok("head", "--unchecked")


@pytest.mark.usefixtures("home")
def test_branch_merge_and_switch():
    ok("push", "1.pcsf")
    assert "* main" in ok("branch", "work")
    ok("push", "2.pcsf", "--branch", "work")
    ok("push", "3.pcsf")
    assert "exists already" in bad(1, "branch", "work")
    out = ok("merge", "work", "--now", NOW)
    assert "merge" in out
    assert "merged already" in ok("merge", "work")
    assert "* work" in ok("branch", "work", "--switch")
    assert json.loads(ok("branch", "--format", "json"))["current"] == "work"
    assert "window 2" in ok("head")
    assert ok("verify", "--require", "valid").count("VALID") == 3
    bad(2, "branch", "--switch")
    bad(2, "branch", "12")


@pytest.mark.usefixtures("home")
def test_revise_invalidate_and_close():
    ok("push", "1.pcsf")
    value = cso.loads(ok("head", "--cso"))
    name = value.decisions[0].decision_id
    out = ok("revise", name, "--choice", "z", "--rationale", "y", "--because", "x")
    assert f"revised: {name}.r1" in out
    assert "CRP-Relay-Revision-Target" in out
    assert "PIVOT | z | y" in ok("head", "--capsule")
    for number in (1, 2):
        ok("revise", f"{name}.r{number}", "--choice", "w", "--because", "v")
    code, out, _ = pcsf(
        "revise", f"{name}.r3", "--choice", "u", "--because", "t", "--format", "json"
    )
    assert code == 1
    assert json.loads(out)["result"] == "ESCALATED"
    assert "unknown-id" in bad(1, "revise", "ghost", "--choice", "u", "--because", "t")
    fact = value.established_facts[0].fact_id
    assert json.loads(ok("invalidate", fact, "--reason", "r", "--format", "json"))["affected"] == []
    out = ok("close", "p1")
    assert "dropped: L5: PROMISE | p1 | HIGH (done)" in out
    assert "PROMISE" not in ok("head", "--capsule")
    assert bad(1, "close", "p1")
    ok("verify", "--require", "valid")


def test_gc_deletes_old_leftovers_alone(home):
    ok("push", "1.pcsf")
    old, new = home / ".pcsf/.pcsf-1-ab.tmp", home / ".pcsf/.state.db.abcdefgh.new"
    for path in (old, new):
        path.write_text("x")
    hours_ago = time.time() - 7200
    os.utime(old, (hours_ago, hours_ago))
    for path in (home / ".pcsf").iterdir():
        if path not in (old, new):
            os.utime(path, (hours_ago, hours_ago))
    assert "would delete" in ok("gc", "--dry-run")
    assert old.exists()
    out = ok("gc")
    assert "deleted" in out
    assert "all kept: 1" in out
    assert sorted(p.name for p in (home / ".pcsf").iterdir()) == [
        ".gitignore", ".pcsf-head", ".state.db.abcdefgh.new", "config.toml", "key", "state.db", "state.db-turn",
    ]  # fmt: skip
    ok("verify")


def test_troubles_are_told(home, monkeypatch):
    ok("push", "1.pcsf")
    (home / ".pcsf/key").chmod(0o644)
    for verb in (["push", "2.pcsf"], ["head"], ["verify"]):
        assert "its mode is 644" in bad(2, *verb)
    ok("log")
    (home / ".pcsf/key").chmod(0o600)
    monkeypatch.chdir("/")
    assert "pcsf relay init" in bad(2, "head")
    ok("head", "--store", home)
    monkeypatch.setenv("PCSF_RELAY", str(home / ".pcsf/state.db"))
    ok("head")
    monkeypatch.setenv("PCSF_RELAY", "postgresql://me:hunter2@localhost:1/x")
    err = bad(2, "head", "--unchecked", "--session", "s")
    assert "hunter2" not in err
    (home / ".pcsf/state.db").write_bytes(b"")
    assert "empty" in bad(1, "head", "--store", home)


def session_log(*said):
    """A chat of the user and an assistant, as a document of messages."""
    roles = ("user", "assistant")
    return json.dumps([{"role": roles[n % 2], "content": one} for n, one in enumerate(said)])


def test_a_log_is_drafted_and_pushed(home):
    said = ["Please fix the parser. Never push to main.", "I will read parser.py first.", "Go on."]
    (home / "log.json").write_text(session_log(*said))
    out = ok("push", "log.json", "--now", NOW)
    assert "window 1" in out
    assert ": log, " in out
    assert "Never push to main" in " ".join(cso.loads(ok("head", "--cso")).constraints)
    assert "Never push to main" in ok("head", "--capsule")
    assert "pushed before" in ok("push", "log.json", "--now", NOW)
    assert "save it to" in bad(2, "push", "-", stdin=session_log(*said))
    assert bad(1, "push", "log.json", "--since", "no such entry")
    (home / "torn.jsonl").write_text('{"type": "nothing known"}\n')
    assert "log" in bad(1, "push", "torn.jsonl")


def test_everything_in_the_folder_is_its_owners(home):
    ok("push", "1.pcsf")
    assert stat.S_IMODE((home / ".pcsf").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "verb",
    [
        *("init", "push", "head", "log", "show", "diff", "branch"),
        *("merge", "verify", "revise", "invalidate", "close", "gc"),
    ],
)
def test_every_verb_has_help(verb):
    assert "Usage" in ok(verb, "--help")


def test_a_secret_that_reaches_the_head_is_warned_of(home):
    given = text(["CHOICE | use AKIAIOSFODNN7EXAMPLQ for now | no other key was there"])
    (home / "leak.pcsf").write_text(given)
    from cso import codec
    from pcsf_lark.relay import of_capsule

    (home / "leak.json").write_bytes(codec.dumps(of_capsule(given).cso))
    for name in ("leak.json", "leak.pcsf"):
        code, _, err = pcsf("push", name)
        assert code == 0
        assert "S001" in err, name


def test_what_was_tampered_with_is_told_as_damage(home):
    import sqlite3

    ok("push", "1.pcsf")
    with sqlite3.connect(home / ".pcsf/state.db") as database:
        database.execute("UPDATE cso_object SET body = CAST(body AS TEXT)")
    database.close()
    for verb in (("head", "--capsule"), ("push", "2.pcsf")):
        assert "is not what was written" in bad(1, *verb)


def test_another_key_is_told_also_where_nothing_is_new(home):
    ok("push", "1.pcsf")
    (home / ".pcsf/key").write_text("6c" * 32)
    assert "tag" in bad(1, "push", "1.pcsf")


def test_a_prompt_that_nobody_verified_says_so(home):
    ok("push", "1.pcsf")
    (home / ".pcsf/key").unlink()
    assert "was not verified" in ok("head", "--prompt", "--unchecked")


@pytest.mark.usefixtures("home")
def test_the_log_names_what_was_pushed():
    ok("push", "1.pcsf")
    assert "capsule of 'Search index'" in ok("log")
    assert json.loads(ok("log", "--format", "json"))[0]["topic"] == "Search index"


def test_a_pipe_is_not_waited_for(home):
    os.mkfifo(home / "pipe")
    assert "no plain file" in bad(2, "push", "pipe")


def test_logs_are_read_as_a_draft_reads_them(home):
    from benchmarks.draft_scoring import LOGS

    log = LOGS / "harbour.jsonl"
    ok("push", log, "--leaf", "h003", "--format", "json")
    state = cso.loads(ok("head", "--cso").encode())
    assert not any("pytest" in fact.statement for fact in state.established_facts)
    assert bad(1, "push", log, "--leaf", "h999")
    assert bad(1, "push", log, "--log-format", "chat")
    assert bad(2, "push", "1.pcsf", "--leaf", "h003")
    os.utime(home / "1.pcsf")
    (home / "old.traj").write_bytes((LOGS / "crane.traj").read_bytes())
    os.utime(home / "old.traj", (0, 1_700_000_000))
    ok("push", "old.traj", "--branch", "main")
    assert "2023-11-14T22:13Z" in ok("log", "--format", "json") + ok("head", "--capsule") + ok(
        "show", "--format", "json"
    )
