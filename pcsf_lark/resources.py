"""The files that belong to the package but not among its modules.

`grammar/` (the law and what is generated from it) and `tests/corpus/` stand at
the top of a checkout; a wheel carries both inside the package. Either way they
are found here.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

__all__ = ["corpus", "grammar", "operations"]

_PACKAGE = Path(__file__).parent


def grammar(name: str) -> str:
    """The text of a file of `grammar/`, such as ``pcsf.abnf``."""
    return (_folder("grammar", "grammar") / name).read_text("utf-8")


def corpus() -> Path:
    """The folder of test capsules."""
    return _folder("corpus", "tests/corpus")


def operations() -> Path:
    """The folder of test operations: fit, stitch, stamp."""
    return _folder("ops", "tests/ops")


@cache
def _folder(inside: str, beside: str) -> Path:
    carried = _PACKAGE / "_data" / inside
    return carried if carried.is_dir() else _PACKAGE.parent / beside
