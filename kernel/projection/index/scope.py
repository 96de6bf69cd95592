"""The scope of refs: where an `m` or a `b` ref means what it meant when it was given."""

from typing import Final

from attrs import frozen

__all__ = ["REPLAY_VERSION", "Scope"]

#: Grows whenever equal logs replay to other states.
REPLAY_VERSION: Final = 2


@frozen
class Scope:
    """Session, file, branch, epoch, version of replay: a ref holds where all are equal.

    `branch` is the leaf its index was built on, which stays on the path as it grows.
    """

    session_id: str
    path: str
    branch: str
    epoch: str
    replay: int = REPLAY_VERSION
