"""A project with a relay, an agent's recorded events in it, and `pcsf` as agents call it."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pcsf_lark.hooks import claude_code
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

    def run(self, *args, given=b"", cwd=None, **env):
        data = given if isinstance(given, bytes) else json.dumps(given).encode()
        return subprocess.run(
            command(*args),
            input=data,
            capture_output=True,
            cwd=cwd or self.project,
            env={**self.env, **env},
            timeout=60,
            check=False,
        )

    def hook(self, given, cwd=None, **env):
        """What Claude Code gets; the law holds for every input."""
        done = self.run("hook", "claude-code", given=given, cwd=cwd, **env)
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout

    def forked(self, given):
        """The same without a process begun anew: all that it imports is there already."""
        data = given if isinstance(given, bytes) else json.dumps(given).encode()
        paths = [self.base / name for name in ("forked.in", "forked.out", "forked.err")]
        paths[0].write_bytes(data)
        sys.stdout.flush()
        child = os.fork()
        if not child:
            try:
                for number, path in enumerate(paths):
                    flags = os.O_RDONLY if not number else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                    os.dup2(os.open(path, flags), number)
                os.environ.clear()
                os.environ.update(self.env)
                os.chdir(self.project)
                sys.stdout, sys.stderr = open(1, "w"), open(2, "w")  # noqa: SIM115
                claude_code.serve()
                sys.stdout.flush()
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        assert paths[2].read_bytes() == b""
        return paths[1].read_bytes()

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
def desk(tmp_path):
    return Desk(tmp_path)
