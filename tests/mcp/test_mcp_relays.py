"""A relay below a root is pushed to and looked at; one that reaches out of it is not."""

import contextlib
import os
import sqlite3
import subprocess
import sys

import pytest
from mcp_samples import CAPSULE, FIRST, LOG, NEWER

import cso
from pcsf_lark.faces.mcp import answering
from pcsf_lark.faces.mcp.confinement import Roots
from pcsf_lark.faces.mcp.inputs import Grant
from pcsf_lark.relay import Repository

NOW = "2026-05-04T09:30Z"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A root with a relay in a folder, and another relay beside the root."""
    monkeypatch.delenv("PCSF_RELAY", raising=False)
    monkeypatch.delenv("PCSF_RELAY_KEY", raising=False)
    for name in ("root/project", "outside"):
        (tmp_path / name).mkdir(parents=True)
        Repository.init(tmp_path / name, session="test")[0].close()
    return tmp_path / "root" / "project"


def ask(tool, given, grant):
    told = answering.answer(tool, given, grant)
    assert not told.failed, told.texts
    return told.members


def windows(folder):
    with Repository.open(folder, keyless=True, environ={}) as relay:
        return relay.windows()


@pytest.mark.parametrize("how", ["store", "root", "relay"])
def test_what_is_pushed_is_the_head(project, how):
    grant, given = {
        "store": (Grant(Roots([str(project.parent)])), {"store": "project"}),
        "root": (Grant(Roots([str(project)])), {}),
        "relay": (Grant(Roots(), relay=str(project)), {}),
    }[how]
    first = ask("relay_push", {"text": CAPSULE, "now": NOW, **given}, grant)
    assert (first["landed"], first["window"]) == (True, 1)
    assert not ask("relay_push", {"text": CAPSULE, "now": NOW, **given}, grant)["landed"]
    second = ask("relay_push", {"text": NEWER, "now": NOW, **given}, grant)
    assert second["window"] == 2
    head = ask("relay_head", given, grant)
    assert head["tag"] == second["tag"]
    assert "one queue a tenant" in head["capsule"]
    assert "lag is in the queue" in head["capsule"]
    prompt = ask("relay_head", {"show": "prompt", "budget": 500, **given}, grant)["prompt"]
    assert "[END OF STATE" in prompt
    whole = ask("relay_head", {"show": "cso", **given}, grant)["cso"]
    assert whole["cso_hmac"] == second["tag"]


def test_each_kind_is_taken(project):
    grant = Grant(Roots([str(project)]))
    (project / "log.json").write_text(LOG)
    for given in ({"text": LOG}, {"path": "log.json"}, {"text": cso.dumps(FIRST).decode()}):
        told = answering.answer("relay_push", {**given, "now": NOW}, grant)
        assert not told.failed, told.texts
    assert windows(project) >= 1


def test_an_empty_relay_and_a_wrong_name_are_told(project):
    grant = Grant(Roots([str(project)]))
    for given, says in (
        ({}, "nothing in this relay yet"),
        ({"store": "."}, "nothing in this relay yet"),
        ({"store": ".pcsf"}, "nothing in this relay yet"),
    ):
        told = answering.answer("relay_head", given, grant)
        assert told.failed
        assert says in told.texts[0]
    ask("relay_push", {"text": CAPSULE}, grant)
    told = answering.answer("relay_head", {"branch": "other"}, grant)
    assert "no branch 'other'; there are main" in told.texts[0]


def _named_in_the_configuration(project, target):
    config = project / ".pcsf" / "config.toml"
    config.write_text(config.read_text().replace('"state.db"', f'"{target}"'))


def _linked(project, name, outside):
    (project / ".pcsf" / name).unlink()
    (project / ".pcsf" / name).symlink_to(outside / ".pcsf" / name)


TRAPS = {
    "store named absolutely": lambda p, o: _named_in_the_configuration(p, o / ".pcsf/state.db"),
    "store named by dots": lambda p, _: _named_in_the_configuration(
        p, "../../../outside/.pcsf/state.db"
    ),
    "store at a URL": lambda p, _: _named_in_the_configuration(p, "postgresql://host/db"),
    "store behind a link": lambda p, o: _linked(p, "state.db", o),
    "key behind a link": lambda p, o: _linked(p, "key", o),
    "configuration behind a link": lambda p, o: _linked(p, "config.toml", o),
}


@pytest.mark.parametrize("trap", TRAPS.values(), ids=TRAPS)
def test_a_relay_whose_parts_lie_elsewhere_is_refused(project, trap):
    outside = project.parent.parent / "outside"
    trap(project, outside)
    grant = Grant(Roots([str(project.parent)]))
    for tool, given in (("relay_push", {"text": CAPSULE}), ("relay_head", {})):
        told = answering.answer(tool, {**given, "store": "project"}, grant)
        assert told.failed
        assert "outside the roots" in told.texts[0]
    assert windows(outside) == 0


def _beside(suffix, target):
    def put(project, outside):
        (project / ".pcsf" / f"state.db{suffix}").unlink(missing_ok=True)
        (project / ".pcsf" / f"state.db{suffix}").symlink_to(outside / target)

    return put


def _executed(*statements):
    def put(project, _):
        with contextlib.closing(sqlite3.connect(project / ".pcsf" / "state.db")) as database:
            for statement in statements:
                database.execute(statement)
            database.commit()

    return put


_ENDLESS = (
    "CREATE VIEW cso_store AS WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) "
    "SELECT other.* FROM other, a"
)
#: What a folder that came from elsewhere, such as a checkout, may hold in place of a relay.
DECEITS = {
    **{
        f"{suffix} leads to {target}": _beside(suffix, target)
        for suffix in ("-journal", "-wal", "-shm", "-turn")
        for target in ("victim", "new")
    },
    "a pipe for a journal": lambda p, _: os.mkfifo(p / ".pcsf" / "state.db-journal"),
    "a pipe for a key": lambda p, _: (
        (p / ".pcsf" / "key").unlink(),
        os.mkfifo(p / ".pcsf" / "key"),
    ),
    "a folder for a store": lambda p, _: (
        (p / ".pcsf" / "state.db").unlink(),
        (p / ".pcsf" / "state.db").mkdir(),
    ),
    "a huge configuration": lambda p, _: (p / ".pcsf" / "config.toml").write_text(
        "# " + "x" * 100_000
    ),
    "a deep configuration": lambda p, _: (p / ".pcsf" / "config.toml").write_text(
        "a = " + "[" * 20_000
    ),
    "a view without end": _executed(
        "ALTER TABLE cso_store RENAME TO other",
        _ENDLESS,
    ),
    "a trigger": _executed(
        "CREATE TRIGGER t AFTER INSERT ON cso_object BEGIN DELETE FROM cso_head; END"
    ),
}


@pytest.mark.parametrize("deceit", DECEITS.values(), ids=DECEITS)
def test_a_relay_that_is_none_is_refused_at_once_and_reaches_nothing(project, deceit):
    outside = project.parent.parent / "outside"
    (outside / "victim").write_text("precious " * 1000)
    deceit(project, outside)
    before = {place.name: place.read_bytes() for place in outside.iterdir() if place.is_file()}
    grant = Grant(Roots([str(project)]))
    for tool, given in (("relay_push", {"text": CAPSULE}), ("relay_head", {})):
        told = answering.answer(tool, given, grant)
        assert told.failed, told.texts
        assert told.members["error"]["code"] != "fault"
    after = {place.name: place.read_bytes() for place in outside.iterdir() if place.is_file()}
    assert after == before


def test_what_a_crash_left_half_done_is_no_reason_to_refuse(project):
    """A journal that is to be rolled back lies beside the store."""
    grant = Grant(Roots([str(project)]))
    ask("relay_push", {"text": CAPSULE}, grant)
    code = (
        "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "c.execute('PRAGMA cache_size = 1'); c.execute('BEGIN IMMEDIATE')\n"
        "c.execute('CREATE TABLE x (y)'); c.execute('INSERT INTO x VALUES (zeroblob(100000))')\n"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, project / ".pcsf" / "state.db"], check=True)
    assert (project / ".pcsf" / "state.db-journal").stat().st_size
    assert ask("relay_head", {}, grant)["window"] == 1


def test_a_link_to_a_relay_elsewhere_is_refused(project):
    outside = project.parent.parent / "outside"
    (project.parent / "link").symlink_to(outside)
    grant = Grant(Roots([str(project.parent)]))
    told = answering.answer("relay_push", {"text": CAPSULE, "store": "link"}, grant)
    assert "out of its root" in told.texts[0]
    assert windows(outside) == 0


def test_the_environment_names_no_other_store(project, monkeypatch):
    outside = project.parent.parent / "outside"
    monkeypatch.setenv("PCSF_RELAY", str(outside))
    ask("relay_push", {"text": CAPSULE}, Grant(Roots([str(project)])))
    assert (windows(project), windows(outside)) == (1, 0)


def test_a_store_that_is_none_is_told(project):
    (project / ".pcsf" / "state.db").write_bytes(b"no database" * 100)
    told = answering.answer("relay_head", {}, Grant(Roots([str(project)])))
    assert told.failed
    assert told.members["error"]["code"] != "fault"
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(project / ".pcsf" / "state.db").execute("select 1 from x").fetchall()
