"""The index of branches: incremental, bounded, and never what readability hangs on.

    indexes = Indexes()                                  # at most 4 branches, least used goes
    indexes.snapshot(tree, leaf, config, path=file)      # equals take(tree, leaf, config)

Laws: an index equals the pure functions after every step; what does not prove to be the
same branch grown is read anew; an unhealthy index is not asked.
"""

from kernel.projection.index.branch_index import BranchIndex
from kernel.projection.index.counters import Counters
from kernel.projection.index.oracle import differences
from kernel.projection.index.scope import REPLAY_VERSION, Scope
from kernel.projection.index.store import LIMIT, Indexes

__all__ = ["LIMIT", "REPLAY_VERSION", "BranchIndex", "Counters", "Indexes", "Scope", "differences"]
