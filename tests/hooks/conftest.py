"""A project with a relay, an agent's recorded events in it, and `pcsf` as agents call it."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import forks
import pytest

from pcsf_lark.relay import Repository, of_capsule

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
CAPSULE = """\
===PCSF:v1.2===
META: Tide importer | software | WORKING | 2026-05-03T18:00Z

L1:SKELETON
CHOICE | read stations in order | the archive is sorted

L2:NEGATIVE

L3:INTERNAL

L4:RELATION
WORKING_CONTEXT: the raw CSV files stay as they are

L5:LOOPS
DEFERRED_QUESTION | whose clock is the epoch column | HIGH

SEED: Find out whose clock the importer reads.
===END===
"""


def command(*args):
    return [sys.executable, "-m", "pcsf_lark", *args]


def begun(args, **more):
    """A process from its first line on, for what a fork has behind it."""
    return subprocess.run(command(*args), capture_output=True, check=False, **more)


class Desk:
    """A project's folder, its transcripts, and what `pcsf` says there."""

    def __init__(self, base):
        self.base = base
        self.project = base / "tide"
        self.project.mkdir()
        self.home = base / "home"
        self.home.mkdir()
        self.transcript = base / "session.jsonl"
        self.env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("PCSF", "CLAUDE", "PI_"))},
            "PYTHONPATH": str(ROOT),
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
        }

    def begin(self, *, pushed=True):
        """Begin the relay, as its owner does."""
        with Repository.init(self.project, environ={})[0] as relay:
            if pushed:
                relay.push(of_capsule(CAPSULE), now="2026-05-03T18:00Z")
        return self

    def with_transcript(self, name="claude-code.jsonl"):
        shutil.copy(HERE / "transcripts" / name, self.transcript)
        return self

    def event(self, name, **changes):
        """A recorded event, moved to this project."""
        found = json.loads((HERE / "inputs" / f"{name}.json").read_text("utf-8"))
        found |= {"cwd": str(self.project), "transcript_path": str(self.transcript)}
        return {**found, **changes}

    def run(self, *args, given=b"", cwd=None, begin=forks.run, **env):
        data = given if isinstance(given, bytes) else json.dumps(given).encode()
        return begin(args, input=data, cwd=cwd or self.project, env={**self.env, **env}, timeout=60)

    def hook(self, given, **more):
        """What Claude Code gets; the law holds for every input."""
        done = self.run("hook", "claude-code", given=given, **more)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    def log(self):
        path = self.project / ".pcsf" / "hook.log"
        return path.read_text("utf-8").splitlines() if path.exists() else []

    def windows(self):
        with Repository.open(self.project, environ={}) as relay:
            return len(relay.log())

    def head(self):
        with Repository.open(self.project, environ={}) as relay:
            return relay.head()

    def reaches(self, windows, seconds=30):
        """Wait for what a process in the background does."""
        until = time.monotonic() + seconds
        while self.windows() < windows and time.monotonic() < until:
            time.sleep(0.1)
        return self.windows() == windows


@pytest.fixture
def anew():
    return begun


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)
