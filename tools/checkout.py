"""Where the scripts beside this file stand, and the Python that can run them."""

import importlib.util
import os
import sys
from pathlib import Path

#: The checkout.
ROOT = Path(__file__).resolve().parent.parent
_PYTHON = ROOT / ".venv-dev/bin/python"


def ready(*more: str) -> None:
    """Let the checkout's packages be imported, in the Python that has what they need.

    A script that is run by a Python without that, or without the packages named, goes
    on in the environment that `sh tools/test` makes; without one it says so and ends.
    """
    if any(importlib.util.find_spec(name) is None for name in ("attrs", "lark", "typer", *more)):
        if not _PYTHON.exists() or Path(sys.prefix).resolve() == _PYTHON.parent.parent.resolve():
            sys.exit("run `sh tools/test` once: it makes the environment that this script needs")
        os.execv(_PYTHON, [str(_PYTHON), *sys.argv])  # noqa: S606 - this script, anew
    sys.path[:0] = [str(ROOT), str(ROOT / "tools")]
