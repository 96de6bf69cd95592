"""A start's text is kept until anything it depends on changes, and only for who has the key."""

import os
import sqlite3
import subprocess
import sys

import pytest

from pcsf_lark.hooks import recall, starting
from pcsf_lark.hooks.scene import Scene, scene_of
from pcsf_lark.relay import Repository, of_capsule


@pytest.fixture(autouse=True)
def _bare(monkeypatch):
    for name in ("PCSF_RELAY", "PCSF_RELAY_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def started(desk):
    """The project after a start: its folder, and what was said."""
    desk.begin()
    scene = scene_of([str(desk.project)])
    said = starting.context(scene)
    assert recall.recalled(scene.folder) == said
    return scene.folder, said


def test_a_second_start_does_not_open_the_store(started, desk, monkeypatch):
    _, said = started
    monkeypatch.setattr(Scene, "repository", lambda _: pytest.fail("opened"))
    assert starting.context(scene_of([str(desk.project)])) == said


@pytest.mark.usefixtures("started")
def test_a_second_start_loads_no_database(desk):
    code = (
        "import sys; from pcsf_lark.hooks.starting import context; "
        "from pcsf_lark.hooks.scene import scene_of; context(scene_of(['.'])); "
        "print(sorted({'sqlalchemy', 'cso', 'lark', 'pcsf_lark.relay'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=desk.project,
        env=desk.env,
        capture_output=True,
        check=True,
    )
    assert done.stdout.strip() == b"[]"


def test_a_push_is_seen(started, desk):
    folder, said = started
    text = (
        "===PCSF:v1.2===\nMETA: Gauges | software | WORKING | 2026-05-04T09:30Z\n\nL1:SKELETON\n\n"
        "L2:NEGATIVE\n\nL3:INTERNAL\n\nL4:RELATION\n\nL5:LOOPS\n\nSEED: Read the gauges.\n===END===\n"
    )
    with Repository.open(desk.project) as relay:
        relay.push(of_capsule(text))
    assert recall.recalled(folder) is None
    assert starting.context(scene_of([str(desk.project)])) != said
    assert "Gauges" in recall.recalled(folder)


def test_an_end_leaves_the_next_start_its_text(desk):
    desk.begin().with_transcript()
    desk.hook(desk.event("session-end-other"))
    text = recall.recalled(desk.project / ".pcsf")
    with Repository.open(desk.project) as relay:
        assert text == relay.prompt()


CHANGES = {
    "another key": lambda folder: (folder / "key").write_text("ab" * 32 + "\n", "ascii"),
    "a key of others": lambda folder: (folder / "key").chmod(0o640),
    "no key": lambda folder: (folder / "key").unlink(),
    "another branch": lambda folder: _replace(folder / "config.toml", b'"main"', b'"side"'),
    "a store elsewhere": lambda folder: _replace(folder / "config.toml", b"state.db", b"other.db"),
    "no configuration": lambda folder: (folder / "config.toml").unlink(),
    "no store": lambda folder: (folder / "state.db").unlink(),
    "a store written to": lambda folder: _written(folder / "state.db"),
    "a touched store": lambda folder: os.utime(folder / "state.db", (1, 1)),
    "an open journal": lambda folder: (folder / "state.db-journal").touch(),
    "text of another": lambda folder: _replace(
        folder / recall.NAME, b"Constraints", b"Injections!"
    ),
    "half of it": lambda folder: os.truncate(folder / recall.NAME, 200),
    "none of it": lambda folder: os.truncate(folder / recall.NAME, 0),
    "a longer one": lambda folder: _replace(folder / recall.NAME, b"\n", b"\n\n"),
}


def _replace(path, old, new):
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))


def _written(path):
    before = path.stat()
    connection = sqlite3.connect(path)
    connection.execute("update cso_session set last_event = last_event || 'x'")
    connection.commit()
    connection.close()
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("name", CHANGES)
def test_what_does_not_fit_is_not_used(started, name):
    folder, _ = started
    CHANGES[name](folder)
    assert recall.recalled(folder) is None


def test_a_link_or_a_pipe_in_its_place_is_not_read(started, desk):
    folder, _ = started
    kept = folder / recall.NAME
    other = desk.base / "other"
    kept.rename(other)
    kept.symlink_to(other)
    assert recall.recalled(folder) is None
    kept.unlink()
    os.mkfifo(kept)
    assert recall.recalled(folder) is None


@pytest.mark.parametrize("name", ["PCSF_RELAY", "PCSF_RELAY_KEY"])
def test_what_the_environment_names_is_not_kept(started, monkeypatch, name):
    folder, _ = started
    monkeypatch.setenv(name, "5b" * 32)
    assert recall.recalled(folder) is None
    assert recall.fingerprint(folder) == b""


def test_what_is_kept_is_its_owner_s_alone_and_no_matter_of_git(started, desk):
    folder, _ = started
    assert (folder / recall.NAME).stat().st_mode & 0o777 == 0o600
    done = subprocess.run(
        ["git", "init", "-q", str(desk.project)], capture_output=True, check=False, env=desk.env
    )
    if done.returncode:
        pytest.skip("git is not here")
    shown = subprocess.run(
        ["git", "status", "--short", "-uall"],
        cwd=desk.project,
        capture_output=True,
        check=True,
        env=desk.env,
    )
    assert recall.NAME.encode() not in shown.stdout
    assert b"hook.log" not in shown.stdout


def test_a_folder_that_cannot_be_written_keeps_nothing(started, monkeypatch):
    folder, said = started
    (folder / recall.NAME).unlink()
    monkeypatch.setattr(recall.os, "open", _refusing(os.open))
    recall.keep(folder, recall.fingerprint(folder), said)
    assert not (folder / recall.NAME).exists()
    assert [one for one in folder.iterdir() if one.suffix == ".tmp"] == []


def _refusing(real):
    def opened(path, flags, *rest):
        if flags & os.O_CREAT:
            raise PermissionError(13, "no", path)
        return real(path, flags, *rest)

    return opened
