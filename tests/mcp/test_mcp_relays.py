"""A relay below a root is pushed to and looked at; one that reaches out of it is not."""

import sqlite3

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
