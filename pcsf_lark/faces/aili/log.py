"""A Pi log at the edge of the projection: read, its settings found, its branch activated.

    now = opened(Given("session.jsonl", leaf="ab12cd34"))
    now.snapshot          # what would be published for that branch
    now.notes             # what was odd about the settings files

Law: nothing here writes; a log that is not as it should be is read as far as it goes, and
what no session header begins is no session log.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from kernel.projection.activation import activate
from kernel.projection.log.storage import load
from kernel.projection.log.strays import walk
from pcsf_lark.faces.aili.settings import Settings, settings_of
from pcsf_lark.faces.files import Trouble

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kernel.projection.log.branch import SessionTree
    from kernel.projection.planning.facts import FactsMemory
    from kernel.projection.settings.config import Config
    from kernel.projection.snapshot import Snapshot
    from kernel.sessions.lines import Diagnostic
    from kernel.sessions.pi_entries import Item

__all__ = ["MIGRATION", "Given", "Opened", "UnknownLeaf", "opened", "read"]

#: How a log of version 1 or 2 comes to be one that can be written.
MIGRATION = "open the session once in Pi 0.58.3 or newer, which rewrites it as version 3"


@frozen
class Given:
    """What a command is told of a log beside its own arguments."""

    path: str
    leaf: str | None = None
    config: str | None = None
    window: int | None = None
    provider: str | None = None
    model: str | None = None
    json: bool = False
    dry: bool = False


class UnknownLeaf(Trouble):  # a kind of Trouble
    """No entry of the log has the id that was named as a leaf; `what` says so for any caller."""

    def __init__(self, path: str, leaf: str) -> None:
        self.what = f"no entry has the id {leaf!r}"
        super().__init__(path, f"{self.what}; --leaf takes the id of an entry")


@frozen
class Opened:
    """A log, the snapshot of a branch of it, and where its settings came from."""

    given: Given
    snapshot: Snapshot
    settings: Settings

    @property
    def files(self) -> tuple[str, ...]:
        """The settings files that were read."""
        return self.settings.files

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """What of the settings does not hold."""
        return self.settings.notes

    @property
    def tree(self) -> SessionTree:
        """The log as it was read."""
        return self.snapshot.tree


def read(path: str) -> SessionTree:
    """Read a Pi log; raises Trouble."""
    try:
        tree = load(Path(path))
    except (MemoryError, RecursionError):
        raise Trouble(path, "cannot be read as a session: too large or too deep") from None
    except (OSError, ValueError, RuntimeError) as error:  # the last for a link to itself
        reason = getattr(error, "strerror", None) or str(error)
        if isinstance(error, IsADirectoryError):
            reason = "is a folder; name a file"
        raise Trouble(path, reason) from None
    if not isinstance(tree.header.get("id"), str):
        raise Trouble(path, "is no Pi session log: no session header comes first")
    return tree


def opened(given: Given, *, memory: FactsMemory | None = None) -> Opened:
    """Read a log and activate a branch of it, without writing; raises Trouble."""
    tree = read(given.path)
    leaf = tree.leaf if given.leaf is None else given.leaf
    if leaf is not None and leaf not in tree.by_id:
        raise UnknownLeaf(given.path, leaf)
    path = () if leaf is None else walk(tree.by_id, leaf)
    settings = settings_of(given.config, tree.header.get("cwd"))
    config = _hosted(settings.config, given, path)
    first = [tree]

    def again() -> SessionTree:
        return first.pop() if first else read(given.path)

    snapshot = activate(again, None, config, leaf=given.leaf, memory=memory)
    return Opened(given, snapshot, settings)


def _hosted(config: Config, given: Given, path: Sequence[Item]) -> Config:
    """Add what a host knows: the window, and the model in force at the leaf."""
    provider, model = _model_at(path)
    return evolve(
        config,
        context_window=given.window,
        provider=given.provider or provider,
        model=given.model or (model if given.provider in (None, provider) else None),
    )


def _model_at(path: Sequence[Item]) -> tuple[str | None, str | None]:
    for item in reversed(path):
        message = item.value.get("message")
        if item.value.get("type") == "model_change":
            return _text(item.value, "provider"), _text(item.value, "modelId")
        if isinstance(message, dict) and message.get("role") == "assistant":
            return _text(message, "provider"), _text(message, "model")
    return None, None


def _text(value: Mapping[str, object], name: str) -> str | None:
    found = value.get(name)
    return found if isinstance(found, str) else None
