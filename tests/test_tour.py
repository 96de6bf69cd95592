"""What the documentation shows is what the commands print."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_the_documentation_shows_what_is_printed():
    done = subprocess.run(
        [sys.executable, ROOT / "tools/tour", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
