"""A folder with a copy of every small log, and the command run in this process."""

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pcsf_lark.faces.cli import app

LOGS = Path(__file__).parent / "logs"
TRANSCRIPTS = Path(__file__).resolve().parents[3] / "shared" / "cases" / "transcripts"
OPEN = json.dumps({"preserveRecentTokens": 0, "preserveRecentMessages": 3})
SUMMARY = "The importer took epochs for local time; they are UTC. Mended in tide.py, tests pass."


class Command:
    """`pcsf` in a folder: exit code, stdout, stderr."""

    def __init__(self, folder):
        self.folder = folder
        self.runner = CliRunner()

    def __call__(self, *arguments, stdin=b""):
        done = self.runner.invoke(app, [str(item) for item in arguments], input=stdin)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.exit_code, done.stdout, done.stderr

    def session(self, name, log, *arguments, stdin=b""):
        """Run a subcommand of `pcsf session` on a log of the folder."""
        return self("session", name, self.folder / log, *arguments, stdin=stdin)

    def fold(self, log, span, *more, config=OPEN, summary=SUMMARY):
        """Fold a range."""
        given = ("--range", span, "--summary-file", "-", "--config", config, *more)
        return self.session("compress", log, *given, stdin=summary.encode())

    def state(self, log):
        """Read the state beside a log."""
        return json.loads((self.folder / f"{log}.kernel.json").read_text("utf-8"))


@pytest.fixture
def pcsf(tmp_path):
    for path in LOGS.iterdir():
        shutil.copy(path, tmp_path / path.name)
    return Command(tmp_path)
