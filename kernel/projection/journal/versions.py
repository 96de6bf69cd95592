"""The versions that a journal names: what made a summary, judged it, and shows it.

Laws: each grows whenever equal input gives another manifest, verdict or view; what is of a
later version than ours was written by a later release and is not trusted.
"""

from typing import Final

__all__ = ["EVALUATOR_VERSION", "MANIFEST_VERSION", "PROJECTION_VERSION"]

MANIFEST_VERSION: Final = 1
EVALUATOR_VERSION: Final = 1
#: How a block is shown.
PROJECTION_VERSION: Final = 1
