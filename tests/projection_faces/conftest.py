"""A folder of Pi logs of every kind, and `pcsf` run in this process, at home in that folder."""

import json
import shutil

import pytest
from projection_desk import adjoining, observed, worked
from projection_journals import Journal
from projection_logs import LogBuilder, chat_log, log_of
from typer.testing import CliRunner

from kernel.projection.lifecycle.gating import manifest_of
from kernel.projection.quality.outline import outline
from pcsf_lark.faces.cli import app

#: The settings of the desk, as a file says them; economics can only be tightened there.
SETTINGS = {
    "quality": {"enabled": False},
    "protection": {"preserveRecentAtoms": 1, "preserveRecentTokens": 0},
    "tiers": {"restill": {"minSourceTokens": 0, "minSavingsTokens": 0, "minSavingsRatio": 0}},
}


def _lifted():
    desk = adjoining(4)
    desk.raise_(["b000001", "b000002"])
    return desk.log


def _opened():
    desk = adjoining(3)
    journal = Journal(desk.log)
    for block in journal.state().active():
        journal.open([block.block_id])
    return desk.log


def _faulted():
    log = adjoining(2).log
    log.custom("aili.compact.tx.v3", {"version": 3, "kind": "surprise"})
    return log


def _legacy():
    log = chat_log(24)
    ids = log.ids
    data = {"version": 1, "id": "old", "startId": ids[0], "endId": ids[7], "summary": "long ago"}
    log.custom("aili.compact.tx.v1", data)
    log.user("and on")
    return log


def _collected():
    log = _legacy()
    log.custom(
        "aili.compact.tx.v2", {"version": 2, "kind": "deactivate", "id": "old", "reason": "gc"}
    )
    return log


def _forked():
    log = adjoining(2).log
    start = log.leaf
    log.user("one way")
    log.assistant("the end of one way")
    log.move(start)
    log.user("another way")
    return log


def _covered():
    """Build a log whose old work is folded under summaries that keep its facts."""
    log = LogBuilder()
    parts = []
    for name in ("src/a.py", "src/b.py", "src/c.py"):
        ids = [log.user(f"Please look at {name} and tell me about it.")]
        body = f"line of {name}\n" * 40
        ids += log.turn(f"reading {name}", calls=[("read", {"path": name})], results=[body])
        parts.append([*ids, log.assistant(f"It defines {name} and nothing else. " * 6)])
    log.user("Now the next thing. " * 30)
    log.assistant("Here it is. " * 40)
    log.user("And go on.")
    for ids in parts:
        chosen = [source for source in log.branch().sources if source.entry_id in set(ids)]
        Journal(log).fold(ids, outline(manifest_of(chosen)))
    return log


LOGS = {
    "plain": lambda: worked(3),
    "chat": lambda: chat_log(60),
    "covered": _covered,
    "folded": lambda: adjoining(4).log,
    "lifted": _lifted,
    "opened": _opened,
    "observed": lambda: observed("read", 4, log=observed("read", 3)),
    "faulted": _faulted,
    "legacy": _legacy,
    "collected": _collected,
    "forked": _forked,
    "compacted": lambda: log_of(("user", "call", "reply", "compaction", "user", "reply"), 3),
    "aborted": lambda: log_of(("user", "call", "aborted", "user", "parallel", "unanswered"), 4),
    "header": LogBuilder,
    "v2": lambda: worked(2, log=LogBuilder(version=2)),
}


def _v1():
    """A log of version 1: no ids, no parents."""
    log = chat_log(20, version=1)
    for entry in log.entries:
        entry.pop("id")
        entry.pop("parentId")
    return b"".join(json.dumps(line).encode() + b"\n" for line in (log.header, *log.entries))


class Command:
    """`pcsf aili` in a folder: exit code, stdout, stderr; settings that let things happen."""

    settings = SETTINGS

    def __init__(self, folder):
        self.folder = folder
        self.runner = CliRunner()
        self.easy = folder / "easy.jsonc"
        self.easy.write_text("// for tests\n" + json.dumps(SETTINGS), "utf-8")

    def run(self, *arguments, stdin=b""):
        done = self.runner.invoke(app, [str(item) for item in arguments], input=stdin)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.stdout, done.stderr

    def __call__(self, verb, log, *arguments, easy=True):
        """Run a verb on a log of the folder."""
        more = ("--config", self.easy) if easy else ()
        return self.run("aili", verb, self.path(log), *arguments, *more)

    def json(self, verb, log, *arguments, code=0, **more):
        """Run a verb for a program; return the one object it prints."""
        found, out, err = self(verb, log, *arguments, "--json", **more)
        assert found == code, (found, out[-400:], err)
        return json.loads(out)

    def call(self, *requests, easy=True):
        """Send requests (values, or bytes as they are); return the answers."""
        lines = [
            one if isinstance(one, bytes) else json.dumps(one).encode() + b"\n" for one in requests
        ]
        more = ("--config", self.easy) if easy else ()
        code, out, _ = self.run("aili", "call", *more, stdin=b"".join(lines))
        assert code == 0
        return [json.loads(line) for line in out.splitlines()]

    def path(self, log):
        name = str(log)
        return self.folder / (name if "." in name else f"{name}.jsonl")

    def bytes(self, log):
        return self.path(log).read_bytes()


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Every log, written once."""
    folder = tmp_path_factory.mktemp("logs")
    for name, make in LOGS.items():
        make().write(folder / f"{name}.jsonl")
    (folder / "v1.jsonl").write_bytes(_v1())
    return folder


@pytest.fixture
def aili(built, tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    for path in built.iterdir():
        shutil.copy(path, work / path.name)
    return Command(work)
