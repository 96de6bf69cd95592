"""`pcsf cso`: every verb with real files, its exit codes, and what must never be printed."""

import json
import os
import re
import stat
from hashlib import sha256
from random import Random

import pytest
from attrs import evolve
from cso_states import fact
from typer.testing import CliRunner

import cso
import pcsf_lark
from pcsf_lark.faces.cli import app
from pcsf_lark.rules._rule import BASE

SESSION = "crp_sess_cli"
SECRET = sha256(b"the secret of these tests").hexdigest()
TEXT = BASE.replace(
    "L2:NEGATIVE\n", "DISCOVERY | the lag is 4 s | measured\n\nL2:NEGATIVE\n", 1
).replace("\n\nDISCOVERY", "\nDISCOVERY")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder with a capsule and keys, and the place to run in."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.pcsf").write_text(TEXT)
    assert pcsf_lark.conformant(TEXT)
    for name, content in (
        ("k", SECRET),
        ("other", "ab" * 32),
        ("raw", "r" * 32),
        ("lf", SECRET + "\n"),
    ):
        (tmp_path / name).write_text(content)
        (tmp_path / name).chmod(0o600)
    return tmp_path


def pcsf(*arguments, stdin=None):
    """Run a verb: exit code, stdout, stderr. No traceback, no key, ever."""
    done = CliRunner().invoke(app, ["cso", *map(str, arguments)], input=stdin)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    for text in (done.stdout, done.stderr):
        assert SECRET not in text
        assert SECRET.upper() not in text
        assert "Traceback" not in text
    return done.exit_code, done.stdout, done.stderr


def ok(*arguments, stdin=None):
    code, out, err = pcsf(*arguments, stdin=stdin)
    assert code == 0, (out, err)
    return out, err


def keyed(key="k"):
    return "--key-file", key, "--session", SESSION


def load(path):
    return cso.loads(path.read_bytes())


@pytest.fixture
def signed(home):
    """`a.json` unsigned, `s.json` signed, `s2.json` relayed after it."""
    ok("from-capsule", "c.pcsf", "-o", "a.json")
    ok("sign", "a.json", *keyed(), "-o", "s.json")
    ok("relay", "s.json", "s.json", *keyed(), "-o", "s2.json")
    return home


# the bridge


def test_a_capsule_comes_back(home):
    ok("from-capsule", "c.pcsf", "-o", "a.json")
    value = load(home / "a.json")
    assert not value.cso_hmac
    assert not value.verified
    ok("to-capsule", "a.json", "--strict", "-o", "back.pcsf")
    assert (home / "back.pcsf").read_text() == TEXT
    out, _ = ok("from-capsule", "-", stdin=TEXT)
    assert cso.loads(out) == value
    out, _ = ok("to-capsule", "-", stdin=out)
    assert out == TEXT


def test_from_capsule_signs_with_a_key_alone(home):
    ok("from-capsule", "c.pcsf", *keyed(), "-o", "a.json")
    assert load(home / "a.json").cso_hmac


def test_to_capsule_tells_its_losses(home):
    facts = [fact(f"f{n}", statement=f"{n} " + "x" * 60) for n in range(30)]
    base = pcsf_lark.to_cso(TEXT)
    (home / "many.json").write_bytes(
        cso.dumps(evolve(base, established_facts=[*base.established_facts, *facts]))
    )
    out, err = ok("to-capsule", "many.json", "--log", "json")
    assert pcsf_lark.conformant(out)
    figures = json.loads(err)
    kept, total = figures["kept"]["facts"]
    assert total == len(base.established_facts) + 30
    assert kept < total
    assert figures["dropped"][0].keys() == {"id", "layer", "entry", "reason"}
    assert figures["header"].startswith("CRP-Relay-Preservation: 0.")
    code, out, err = pcsf("to-capsule", "many.json", "--strict")
    assert (code, out) == (1, "")
    assert "not all facts are kept" in err
    _, err = ok("to-capsule", "many.json", "-o", "m.pcsf")
    assert "over the cap of 12 entries" in err


@pytest.mark.usefixtures("home")
def test_a_budget_that_cannot_be_kept():
    ok("from-capsule", "c.pcsf", "-o", "a.json")
    code, _, err = pcsf("to-capsule", "a.json", "--budget", "100")
    assert code == 1
    assert "over by" in err
    assert pcsf("to-capsule", "a.json", "--timestamp", "now")[0] == 2
    assert pcsf("to-capsule", "a.json", "--prefer", "x")[0] == 2


# the chain


@pytest.mark.parametrize("master", [(), ("--master",)])
@pytest.mark.parametrize("key", ["k", "raw", "lf"])
def test_sign_verify_relay(home, key, master):
    ok("from-capsule", "c.pcsf", "-o", "a.json")
    ok("sign", "a.json", *keyed(key), *master, "-o", "s.json")
    out, _ = ok("relay", "s.json", "s.json", *keyed(key), *master, "-o", "s2.json")
    assert out.splitlines()[0] == "CRP-Relay-Preservation: 1.00"
    out, _ = ok("verify", "s.json", "s2.json", *keyed(key), *master)
    assert out.startswith("PARTIAL")
    code, out, _ = pcsf("verify", "s.json", "s2.json", *keyed("other"), *master)
    assert code == 1
    assert out.startswith("BROKEN at window 2: tag mismatch (s.json)")
    value = load(home / "s2.json")
    assert value.verified
    key_bytes = cso.parse_key((home / key).read_bytes())
    ring = cso.session_key(key_bytes, SESSION) if master else cso.Key(key_bytes)
    assert (
        cso.verify_chain([load(home / "s.json"), value], ring, SESSION, anchor="x").status
        == "PARTIAL"
    )


def test_a_chain_from_its_genesis_is_valid(home):
    text = re.sub("CHAIN: .*\n", "", TEXT)
    (home / "c.pcsf").write_text(text)
    ok("from-capsule", "c.pcsf", "-o", "a.json")
    ok("sign", "a.json", *keyed(), "-o", "s.json")
    out, _ = ok("verify", "s.json", *keyed())
    assert out.startswith("UNVERIFIED")
    assert pcsf("verify", "s.json", *keyed(), "--require", "valid")[0] == 1
    ok("sign", "a.json", "--prior", "s.json", *keyed(), "-o", "s2.json")
    out, _ = ok("verify", "s.json", "s2.json", *keyed(), "--require", "valid", "--format", "json")
    assert json.loads(out)["status"] == "VALID"


@pytest.mark.parametrize(
    "change",
    [
        lambda raw: raw["goal_state"].update(objective="x"),
        lambda raw: raw.update(window_number=9),
        lambda raw: raw.update(verified=False),
        lambda raw: raw.pop("constraints"),
        lambda raw: raw.update(unknown=1),
        lambda raw: raw.update(cso_hmac="sha256:" + "0" * 64),
        lambda raw: raw.update(prior_cso_hash=""),
    ],
)
def test_a_forged_object_is_broken(signed, change):
    raw = json.loads((signed / "s2.json").read_text())
    change(raw)
    (signed / "forged.json").write_text(json.dumps(raw))
    code, out, _ = pcsf("verify", "s.json", "forged.json", *keyed(), "--format", "json")
    verdict = json.loads(out)
    assert (code, verdict["status"], verdict["index"]) == (1, "BROKEN", 1)
    assert verdict["path"] == "forged.json"
    assert pcsf("relay", "forged.json", "s2.json", *keyed())[0] == 1


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", "\xff", '{"a": NaN}', "\ufeff{}", "[" * 9999]
)
def test_what_is_no_object_is_broken_in_a_chain_and_refused_elsewhere(signed, content):
    (signed / "bad.json").write_text(content)
    code, out, _ = pcsf("verify", "s.json", "bad.json", *keyed())
    assert code == 1
    assert out.startswith("BROKEN")
    for verb in (["check"], ["show"], ["graph"], ["archive"], ["headers"], ["to-capsule"]):
        code, out, err = pcsf(*verb, "bad.json")
        assert code == 1
        assert "bad.json" in out + err


def test_relay_repairs_and_tells(signed):
    value = load(signed / "s.json")
    draft = evolve(
        value,
        established_facts=value.established_facts[1:],
        open_questions=[],
        cso_hmac="",
        verified=False,
    )
    (signed / "lossy.json").write_bytes(cso.dumps(draft))
    out, _ = ok("relay", "s.json", "lossy.json", *keyed(), "--format", "json")
    done = json.loads(out)
    assert done["repaired"] == 1
    assert done["headers"]["CRP-Relay-Preservation"].endswith("; repaired=1")
    assert done["restored"]["facts"] == [value.established_facts[0].fact_id]
    assert len(done["cso"]["established_facts"]) == len(value.established_facts)
    out, err = ok("repair", "s.json", "lossy.json", "--log", "json")
    assert json.loads(err)["repaired"] == 1
    assert not cso.loads(out).cso_hmac
    out, _ = ok("headers", "s2.json", "--prior", "s.json")
    assert "CRP-Relay-Preservation: 1.00" in out
    out, _ = ok("headers", "s2.json", "--format", "json")
    assert "CRP-Relay-Preservation" not in json.loads(out)


@pytest.mark.usefixtures("signed")
def test_a_key_may_change_between_windows():
    code, _, err = pcsf("relay", "s.json", "s.json", *keyed("other"), "-o", "r.json")
    assert code == 1
    assert "BROKEN" in err
    ok("relay", "s.json", "s.json", *keyed("other"), "--prior-key-file", "k", "-o", "r.json")
    ok("verify", "s.json", "r.json", *keyed(), "--key-file", "other")


# what changes an object


CHANGES = {
    "invalidate": ("pcsf.l1.2", "--reason", "wrong"),
    "revise": ("pcsf.l1.1", "--choice", "another", "--rationale", "why", "--because", "news"),
    "advance": ("--done",),
    "answer": (),
    "archive": (),
    "slice": ("pcsf.l1.2",),
}


@pytest.mark.parametrize("verb", CHANGES)
def test_changes_are_unsigned_unless_a_key_is_given(signed, verb):
    value = load(signed / "s2.json")
    rest = CHANGES[verb]
    if verb == "advance":
        rest = (*rest, value.goal_state.remaining[0])
    if verb == "answer":
        rest = (value.open_questions[0], "--ref", "ops")
    if verb == "archive":
        ok("invalidate", "s2.json", "pcsf.l1.2.why", "--reason", "x", *keyed(), "-o", "s2.json")
    before = (signed / "s2.json").read_bytes()
    out, _ = ok(verb, "s2.json", *rest)
    made = cso.loads(out)
    assert not made.cso_hmac
    assert not made.verified
    assert (signed / "s2.json").read_bytes() == before
    ok(verb, "s2.json", *rest, *keyed(), "-o", "n.json")
    assert load(signed / "n.json").cso_hmac
    if verb != "slice":
        ok("verify", "s.json", "s2.json", "n.json", *keyed()) if verb != "archive" else None


@pytest.mark.usefixtures("signed")
def test_invalidate_tells_whom_it_reached():
    out, err = ok("invalidate", "s2.json", "pcsf.l1.2.why", "--reason", "moved", "--log", "json")
    assert json.loads(err)["affected"] == ["pcsf.l1.2"]
    assert cso.loads(out).items()["pcsf.l1.2"].status == "NEEDS_REVISION"
    code, out, err = pcsf("invalidate", "s2.json", "ghost", "--reason", "x")
    assert (code, out) == (1, "")
    assert "ghost" in err


def test_a_fourth_revision_is_for_a_human(signed):
    name = "pcsf.l1.1"
    (signed / "v.json").write_bytes((signed / "s2.json").read_bytes())
    for number in range(1, 4):
        _, err = ok(
            "revise", "v.json", name, "--choice", f"c{number}", "--because", "b", "--log", "json", "-o", "v.json"
        )  # fmt: skip
        name = json.loads(err)["new_id"]
        assert name == f"pcsf.l1.1.r{number}"
    code, _, err = pcsf(
        "revise", "v.json", name, "--choice", "c4", "--because", "b", "-o", "v.json"
    )
    assert code == 1
    assert "a human decides" in err
    assert load(signed / "v.json").items()[name].status == "ESCALATED"
    ok("reaffirm", "v.json", name, "-o", "v.json")
    assert load(signed / "v.json").items()[name].status == "VALID"


def test_revision_window_is_json(signed):
    out, _ = ok("revision-window", "s2.json", "pcsf.l1.1", "--because", "pcsf.l1.2")
    found = json.loads(out)
    assert found["goal"]["mode"] == "AGENTIC"
    assert "pcsf.l1.1" in found["goal"]["objective"]
    assert found["new_fact"] == load(signed / "s2.json").items()["pcsf.l1.2"].statement


def test_advance_takes_several_and_refuses_strangers(home):
    value = evolve(
        pcsf_lark.to_cso(TEXT), goal_state=cso.GoalState(mode="AGENTIC", remaining=["a", "b", "c"])
    )
    (home / "a.json").write_bytes(cso.dumps(value))
    for rest in (["--done", "a", "--done", "b"], ["--done", "a", "b"]):
        out, _ = ok("advance", "a.json", *rest)
        assert cso.loads(out).goal_state.remaining == ("c",)
    code, _, err = pcsf("advance", "a.json", "--done", "z")
    assert code == 1
    assert "no entry 'z'" in err


def test_tool_results(home):
    seen = fact("cpu", statement="87%", provenance="TOOL", provenance_ref="t1")
    base = pcsf_lark.to_cso(TEXT)
    value = evolve(base, established_facts=[*base.established_facts, seen])
    (home / "a.json").write_bytes(cso.dumps(value))
    (home / "old").write_text("87%")
    (home / "new").write_text("45%")
    out, err = ok("tool-refresh", "a.json", "t1", "--old", "old", "--new", "new", "--log", "json")
    assert cso.loads(out).items()["cpu"].status == "INVALIDATED"
    assert json.loads(err)["facts"] == ["cpu"]
    out, _ = ok("tool-refresh", "a.json", "t1", "--old", cso.output_hash("87%"), "--new", "old")
    assert cso.loads(out) == value
    out, _ = ok("tool-stale", "a.json", "t1")
    assert cso.loads(out).items()["cpu"].status == "STALE"
    assert pcsf("tool-stale", "a.json", "t2")[0] == 1
    assert pcsf("tool-refresh", "a.json", "t1", "--old", "nope", "--new", "new")[0] == 2


def test_archive_writes_the_items_first(signed):
    ok("invalidate", "s2.json", "pcsf.l1.2", "--reason", "x", "-o", "d.json")
    out, err = ok("archive", "d.json")
    assert json.loads(err)["fact_id"] == "pcsf.l1.2"
    assert "pcsf.l1.2" not in cso.loads(out).items()
    ok("archive", "d.json", "--to", "gone.ndjson", "-o", "e.json")
    assert json.loads((signed / "gone.ndjson").read_text())["fact_id"] == "pcsf.l1.2"
    assert pcsf("archive", "d.json", "--to", "no/where")[0] == 2


def test_slice_and_integrate(signed):
    out, err = ok("slice", "s2.json", "pcsf.l1.2", "--log", "json")
    part = cso.loads(out)
    assert set(part.items()) == {"pcsf.l1.2", "pcsf.l1.2.why"}
    assert part.constraints == load(signed / "s2.json").constraints
    assert json.loads(err) == {"dangling": [], "resolved": {}}
    gift = evolve(
        part,
        established_facts=[fact("w3.m.1", statement="new")],
        decisions=[],
        dependency_graph=[],
        ext={"crp": {"branch": "m"}},
    )
    (signed / "gift.json").write_bytes(cso.dumps(gift))
    tag = load(signed / "s2.json").cso_hmac
    out, err = ok("integrate", "s2.json", "gift.json", "--base", tag, "--log", "json")
    assert json.loads(err)["added"] == ["w3.m.1"]
    assert "w3.m.1" in cso.loads(out).items()
    code, out, err = pcsf("integrate", "s2.json", "gift.json", "--base", "sha256:" + "0" * 64)
    assert (code, out) == (1, "")
    assert "[conflict]" in err
    old = load(signed / "s.json").cso_hmac
    assert pcsf("integrate", "s2.json", "gift.json", "--base", old)[0] == 1
    ok("integrate", "s2.json", "gift.json", "--base", old, "--history", "s.json")


# looking


def test_check(signed):
    assert ok("check", "s2.json") == ("", "")
    raw = json.loads((signed / "s2.json").read_text())
    raw["dependency_graph"].append({"dependent": "pcsf.l1.1", "depends_on": "ghost"})
    (signed / "bad.json").write_text(json.dumps(raw))
    code, out, _ = pcsf("check", "bad.json")
    assert code == 1
    assert "[dangling]" in out
    code, out, _ = pcsf("check", "bad.json", "--format", "json")
    assert json.loads(out)["findings"][0]["code"] == "dangling"
    raw["unknown"] = 1
    (signed / "bad.json").write_text(json.dumps(raw))
    assert pcsf("check", "bad.json", "--lenient")[0] == 1
    raw["dependency_graph"].pop()
    (signed / "bad.json").write_text(json.dumps(raw))
    assert pcsf("check", "bad.json")[0] == 1
    assert pcsf("check", "bad.json", "--lenient")[0] == 0


@pytest.mark.usefixtures("signed")
def test_explain_graph_show():
    out, _ = ok("explain", "s2.json", "pcsf.l1.2")
    assert out.splitlines()[1].startswith("  fact pcsf.l1.2.why: ")
    out, _ = ok("explain", "s2.json", "pcsf.l1.2", "--format", "json")
    assert [ground["distance"] for ground in json.loads(out)["grounds"]] == [0, 1]
    assert pcsf("explain", "s2.json", "ghost")[0] == 1
    starts = {"mermaid": "flowchart", "dot": "digraph", "json": "{", "text": ""}
    for form, start in starts.items():
        out, _ = ok("graph", "s2.json", "--format", form)
        assert out.startswith(start)
        assert "pcsf.l1.2" in out
    assert pcsf("graph", "s2.json", "--format", "svg")[0] == 2
    out, _ = ok("show", "s2.json")
    assert out.startswith("Goal (CONVERSATION): ")
    out, _ = ok("show", "s2.json", "--budget", "300", "--format", "json")
    assert json.loads(out)["window_number"] == 3
    assert json.loads(out)["left_out"]


def test_content_cannot_steer_the_terminal(home):
    value = evolve(pcsf_lark.to_cso(TEXT), constraints=["red \x1b[31m alarm\x07"])
    (home / "a.json").write_bytes(cso.dumps(value))
    for verb in (["show"], ["to-capsule"], ["check"]):
        _, out, err = pcsf(*verb, "a.json")
        assert "\x1b" not in out + err


# stores and trails


def test_stores_and_trails(signed):
    store = ("--store", "st.db")
    ok("sign", "a.json", *keyed(), *store, "-o", "s.json")
    ok("relay", "s.json", "s.json", *keyed(), *store, "-o", "s2.json")
    out, _ = ok("log", "st.db")
    assert out.splitlines()[0] == f"session {SESSION}: 2 objects"
    assert out.splitlines()[2].endswith("<- main")
    out, _ = ok("log", "st.db", "--format", "json")
    rows = json.loads(out)["sessions"][SESSION]
    assert [row["window_number"] for row in rows] == [2, 3]
    assert rows[1]["parents"] == [rows[0]["tag"]]
    code, _, err = pcsf("relay", "s.json", "s.json", *keyed(), *store, "-o", "s3.json")
    assert code == 1
    assert "[conflict]" in err
    assert not (signed / "s3.json").exists()
    trail, _ = ok("log", "st.db", "--session", SESSION, "--events")
    (signed / "log.ndjson").write_text(trail)
    assert ok("audit", "verify", "log.ndjson", *keyed())[0].startswith("VALID")
    (signed / "log.ndjson").write_text(trail.replace("CSO_RELAYED", "CSO_RELAXED"))
    code, out, _ = pcsf("audit", "verify", "log.ndjson", *keyed(), "--format", "json")
    assert (code, json.loads(out)["status"]) == (1, "BROKEN")
    (signed / "log.ndjson").write_text(trail[:-20])
    assert pcsf("audit", "verify", "log.ndjson", *keyed())[0] == 1
    (signed / "log.ndjson").write_text("")
    assert ok("audit", "verify", "log.ndjson", *keyed())[0].startswith("UNVERIFIED")
    assert pcsf("audit", "verify", "log.ndjson", *keyed(), "--require", "valid")[0] == 1


def test_unreadable_stores(signed):
    ok("sign", "a.json", *keyed(), "--store", "st.db", "-o", "s.json")
    whole = (signed / "st.db").read_bytes()
    assert pcsf("log", "nope.db")[0] == 2
    assert not (signed / "nope.db").exists()
    assert pcsf("log", "st.db", "--session", "other")[0] == 1
    assert pcsf("log", "st.db", "--events")[0] == 2
    for name, data in (
        ("empty.db", b""),
        ("text.db", b"no store " * 99),
        ("cut.db", whole[:-4096]),
    ):
        (signed / name).write_bytes(data)
        code, out, err = pcsf("log", name)
        assert (code, out) == (1, "")
        assert "[store-damaged]" in err
    for url in ("postgresql://me:pass@127.0.0.1:1/x", "mysql://x", "nonsense://", "://"):
        code, _, err = pcsf("log", url)
        assert code in (1, 2)
        assert "pass" not in err.replace("password", "")


# keys and files


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o601])
def test_a_key_that_others_may_use_is_refused(signed, mode):
    (signed / "k").chmod(mode)
    for verb in (["sign", "a.json"], ["verify", "s.json"], ["relay", "s.json", "s.json"]):
        code, out, err = pcsf(*verb, *keyed())
        assert (code, out) == (2, "")
        assert "chmod 600" in err


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"short", SECRET[:31].encode(), b"x" * 31, b"k" * 100_000]
)
def test_a_torn_key_is_refused_without_showing_it(signed, content):
    (signed / "k").write_bytes(content)
    code, out, err = pcsf("sign", "a.json", *keyed())
    assert (code, out) == (2, "")
    assert (
        len(content) < 5
        or content[:5].decode() not in err.replace("short", "", 0)
        or content == b"short"
    )


def test_a_cut_hex_key_is_noticed(signed):
    (signed / "k").write_text(SECRET[:50])
    _, err = ok("sign", "a.json", *keyed(), "-o", "x.json")
    assert "not 64" in err
    assert SECRET[:50] not in err
    assert pcsf("verify", "s.json", *keyed())[0] == 1


@pytest.mark.usefixtures("signed")
def test_key_options_go_together():
    assert pcsf("sign", "a.json")[0] == 2
    assert pcsf("sign", "a.json", "--key-file", "k")[0] == 2
    assert pcsf("archive", "a.json", "--key-file", "k")[0] == 2
    assert pcsf("archive", "a.json", "--session", "s")[0] == 2
    assert pcsf("archive", "a.json", "--master")[0] == 2
    assert pcsf("sign", "a.json", "--key-file", "nope", "--session", "s")[0] == 2
    assert pcsf("sign", "a.json", "--key-file", ".", "--session", "s")[0] == 2
    assert pcsf("sign", "a.json", "--key-file", "-", "--session", "s", stdin=SECRET)[0] == 2
    assert pcsf("sign", "a.json", "--key-file", "k", "--session", "a\nb")[0] == 2
    assert pcsf("sign", "a.json", "--key-file", "k", "--session", "a\udcff")[0] == 2
    assert pcsf("verify", "a.json", "--key-file", "k", "--session", "a\udcff")[0] == 2
    assert pcsf("audit", "verify", "c.pcsf", "--key-file", "k", "--master")[0] == 2


def test_a_pipe_is_no_key(signed):
    os.mkfifo(signed / "pipe", 0o600)
    assert stat.S_ISFIFO((signed / "pipe").stat().st_mode)
    assert pcsf("sign", "a.json", "--key-file", "pipe", "--session", "s")[0] == 2


@pytest.mark.parametrize("path", ["nope.json", "."])
@pytest.mark.usefixtures("home")
def test_files_that_cannot_be_read(path):
    for verb in ("check", "show", "graph", "headers", "to-capsule", "from-capsule", "archive"):
        code, out, err = pcsf(verb, path)
        assert (code, out) == (2, "")
        assert path in err
    assert pcsf("verify", path, *keyed())[0] == 2
    assert pcsf("audit", "verify", path, *keyed())[0] == 2


def test_a_huge_file_is_refused(home):
    with (home / "huge.json").open("wb") as stream:
        stream.truncate(64 * 1024 * 1024 + 1)
    code, _, err = pcsf("show", "huge.json")
    assert code == 2
    assert "more than 67,108,864 bytes" in err


def test_standard_input_is_read_once(signed):
    assert pcsf("relay", "-", "-", *keyed(), stdin="{}")[0] == 2
    assert pcsf("verify", "-", "-", *keyed(), stdin="{}")[0] == 2
    out, _ = ok("verify", "-", *keyed(), stdin=(signed / "s.json").read_text())
    assert out.startswith("PARTIAL")


@pytest.mark.usefixtures("signed")
def test_an_output_that_cannot_be_written():
    code, _, err = pcsf("archive", "a.json", "-o", "no/where.json")
    assert code == 2
    assert "not written" in err


def test_what_is_no_capsule_is_refused(home):
    (home / "c.pcsf").write_text(TEXT.replace("HIGH", "URGENT"))
    code, out, err = pcsf("from-capsule", "c.pcsf")
    assert (code, out) == (1, "")
    assert "C7" in err or "C8" in err


@pytest.mark.parametrize("verb", ["", "nope", "audit"])
def test_wrong_calls(verb):
    code = CliRunner().invoke(app, ["cso", verb] if verb else ["cso"]).exit_code
    assert code == 2


def test_every_verb_has_help():
    out = CliRunner().invoke(app, ["cso", "--help"]).stdout
    verbs = [
        "from-capsule",
        "to-capsule",
        "sign",
        "verify",
        "relay",
        "check",
        "repair",
        "invalidate",
        "revise",
        "reaffirm",
        "revision-window",
        "advance",
        "answer",
        "tool-refresh",
        "tool-stale",
        "archive",
        "slice",
        "integrate",
        "explain",
        "graph",
        "show",
        "headers",
        "audit",
        "log",
        "call",
    ]
    for verb in verbs:
        assert verb in out
        assert CliRunner().invoke(app, ["cso", verb, "--help"]).exit_code == 0


@pytest.mark.parametrize("seed", range(3))
def test_damaged_files_are_answered(signed, seed):
    rng = Random(seed)
    whole = (signed / "s2.json").read_bytes()
    for _ in range(8):
        data = bytearray(whole)
        for _ in range(rng.choice([1, 3, 50])):
            data[rng.randrange(len(data))] = rng.randrange(256)
        cut = data[: rng.randrange(len(data))] if rng.random() < 0.5 else data
        (signed / "d.json").write_bytes(cut)
        for rest in (
            ("check", "d.json"),
            ("to-capsule", "d.json"),
            ("graph", "d.json"),
            ("relay", "s2.json", "d.json", *keyed()),
            ("invalidate", "d.json", "pcsf.l1.2", "--reason", "x"),
        ):
            assert pcsf(*rest)[0] in (0, 1)
        assert pcsf("verify", "s.json", "d.json", *keyed())[0] == 1
        assert pcsf("relay", "d.json", "s2.json", *keyed())[0] == 1


@pytest.mark.parametrize(
    ("to", "output"), [("s.json", "out.json"), ("./s.json", None), ("o", "o"), ("-", None)]
)
def test_archived_items_are_not_appended_to_an_object(home, to, output):
    ok("from-capsule", "c.pcsf", "-o", "s.json")
    ok("invalidate", "s.json", "pcsf.seed", "--reason", "r", "-o", "s.json")
    before = (home / "s.json").read_bytes()
    code, _, err = pcsf("archive", "s.json", "--to", to, *(("-o", output) if output else ()))
    assert code == 2
    assert "--to" in err
    assert (home / "s.json").read_bytes() == before


def test_json_stays_json_whatever_it_holds(home):
    ok("from-capsule", "c.pcsf", "-o", "s.json")
    says = "ltr \u202e del \x7f csi \x9b2J"
    odd = evolve(load(home / "s.json"), established_facts=[fact("a", statement=says)])
    (home / "s.json").write_bytes(cso.dumps(odd))
    for verb in (("graph", "s.json"), ("explain", "s.json", "a"), ("show", "s.json")):
        out, _ = ok(*verb, "--format", "json")
        assert not set(out) & set("\u202e\x7f\x9b")
        assert says in str(json.loads(out)) or repr(says)[1:-1] in str(json.loads(out))


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "target", [".", "postgresql://user:secretpw@host:port/x", "://", "nosuch://u:secretpw@h/x"]
)
def test_what_is_no_store_is_told(target):
    code, out, err = pcsf("log", target)
    assert (code, out) == (2, "")
    assert err.startswith("pcsf: ")
    assert "secretpw" not in err
    assert "fault of pcsf" not in err
