"""``python -m pcsf_lark``, and what the `pcsf` script calls."""

from __future__ import annotations

import gc
import signal
from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line."""
    # An interrupt before the command line can answer it ends the process, without a word.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Imports leave no garbage worth a search; the command line turns it on again.
    gc.disable()
    from pcsf_lark.faces.cli import main as run  # noqa: PLC0415 - after the line above

    run()


if __name__ == "__main__":
    main()
