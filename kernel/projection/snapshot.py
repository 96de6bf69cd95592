"""A snapshot: one branch of a log at one moment, with all that follows from it.

    now = take(tree, leaf, config)        # leaf None: the last entry, as Pi opens it
    now.projection.messages               # what a provider is sent
    now.catalog, now.pressure             # what may be done, and whether it must

Laws: a snapshot is a function of log, leaf and settings, nothing of it is stored; whatever
fails on the way, a snapshot comes back that shows the exact raw history and says so in a
bounded diagnostic; with AILI off nothing is planned at all. An unknown leaf alone raises.
"""

from collections.abc import Sequence
from typing import Any, Final

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.log.branch import Branch, SessionTree
from kernel.projection.model import Atom, Fault, State
from kernel.projection.planning.atoms import atoms_of
from kernel.projection.planning.catalog import Catalog, catalog_of
from kernel.projection.planning.facts import Facts, FactsMemory
from kernel.projection.planning.pressure import PressureState, WindowUse, state_of, window_use
from kernel.projection.planning.protection import Protected, protect
from kernel.projection.replaying.hard_limits import Screen
from kernel.projection.replaying.reducer import Replay, replay, replayed
from kernel.projection.settings.config import Config
from kernel.projection.view.projector import Projection, RawItem, project
from kernel.sessions.lines import Diagnostic
from kernel.sessions.pi_entries import Item

__all__ = ["Snapshot", "WindowPressure", "edit_notes", "raw_snapshot", "take"]

_IDLE: Final = WindowUse(0, 0, 0)


@frozen
class WindowPressure:
    """How full the window is, and the state that makes; `window` None is unknown."""

    state: PressureState
    use: WindowUse
    window: int | None = None


@frozen
class Snapshot:
    """A branch and what is derived from it.

    `facts` has one value a source; `cursor` is the replay the state came of, if it is kept. With AILI off, and where deriving failed, facts, atoms,
    protection and catalog are empty: nothing may be planned there.

    Attributes:
        tree: The log.
        branch: The branch.
        state: What its journal says.
        projection: The view.
        config: The settings it was made under.
        catalog: What may be folded.
        pressure: How full the window is.
        atoms: What is folded whole or not.
        protection: What is never folded.
        diagnostics: What was odd.
    """

    tree: SessionTree = field(repr=False)
    branch: Branch = field(repr=False)
    state: State = field(repr=False)
    projection: Projection = field(repr=False)
    config: Config = field(repr=False)
    catalog: Catalog
    pressure: WindowPressure
    facts: tuple[Facts, ...] = field(default=(), converter=as_tuple, repr=False)
    atoms: tuple[Atom, ...] = field(default=(), converter=as_tuple, repr=False)
    protection: Protected = field(factory=lambda: Protected(()), repr=False)
    diagnostics: tuple[Diagnostic, ...] = field(default=(), converter=as_tuple)
    cursor: Replay | None = field(default=None, eq=False, repr=False)

    def then(self, item: Item) -> State:
        """Return the state of the branch with an entry behind it, as replay gives it."""
        if self.cursor is None or self.cursor.state() is not self.state:
            return replay(self.branch, (item,))
        ahead = self.cursor.copy()
        ahead.step(item)
        return ahead.state()

    @property
    def enabled(self) -> bool:
        """Tell whether AILI is on, by the settings and by the branch."""
        return self.config.enabled and self.state.controls.enabled

    @property
    def leaf(self) -> str | None:
        """Return the leaf of the branch."""
        return self.branch.leaf


def take(
    tree: SessionTree,
    leaf: str | None = None,
    config: Config | None = None,
    *,
    memory: FactsMemory | None = None,
) -> Snapshot:
    """Return the snapshot of a branch; `memory` keeps facts of sources between snapshots.

    Raises KeyError for a leaf that is not in the log.

    >>> from kernel.projection import read_tree, take
    >>> now = take(read_tree([
    ...     b'{"type":"session","version":3,"id":"s1","timestamp":"2026-03-01T08:00:00.000Z","cwd":"/"}',
    ...     b'{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-01T08:00:01.000Z",'
    ...     b'"message":{"role":"user","content":"Use UTC."}}',
    ... ]))
    >>> now.projection.messages[0]["content"], now.projection.raw
    ('Use UTC.', True)
    """
    settings = Config() if config is None else config
    branch = tree.branch(leaf)
    try:
        return _derived(tree, branch, settings, memory)
    except Exception as error:  # noqa: BLE001 - whatever fails, the raw history is shown
        return raw_snapshot(branch, settings, "snapshot-failed", type(error).__name__)


def _derived(
    tree: SessionTree, branch: Branch, config: Config, memory: FactsMemory | None
) -> Snapshot:
    screen = tree.screen if memory is None else Screen(memory)
    cursor = replayed(branch, screen)
    state = cursor.state()
    view = project(branch, state, enabled=config.enabled)
    fault = state.fault or view.fault
    notes = [*branch.diagnostics, *edit_notes(branch, state), *_fault_notes(branch, fault)]
    if not (config.enabled and state.controls.enabled):
        return _bare(branch, state, view, config, notes)
    sources = branch.sources
    facts = screen.facts.of(sources)
    atoms = atoms_of(sources, facts)
    safe = protect(sources, atoms, config, facts=facts, state=state)
    known: dict[str, Any] = {"facts": facts, "atoms": atoms, "protected": safe}
    return Snapshot(
        tree,
        branch,
        state,
        view,
        config,
        catalog_of(branch, state, config, **known),
        _pressure(branch, facts, state, config),
        facts,
        atoms,
        safe,
        notes,
        cursor,
    )


def _pressure(
    branch: Branch, facts: Sequence[Facts], state: State, config: Config
) -> WindowPressure:
    use = window_use(branch, facts, state)
    window = config.context_window
    name = state_of(use.tokens, window, overflow=use.overflow, config=config)
    return WindowPressure(name, use, window)


def raw_snapshot(branch: Branch, config: Config, code: str, detail: str = "") -> Snapshot:
    """Return the exact raw history of a branch, faulted by a code nothing gets past.

    `detail` is bounded and holds no text of a source.
    """
    fault = Fault(code, branch.leaf or "", f"the raw history is shown: {code} {detail}".rstrip())
    state = State(branch.epoch, fault=fault)
    messages = [source.message for source in branch.sources]
    view = Projection(map(RawItem, branch.sources), messages, raw=True, fault=fault)
    notes = [*branch.diagnostics, *_fault_notes(branch, fault)]
    return _bare(branch, state, view, config, notes)


def _bare(
    branch: Branch, state: State, view: Projection, config: Config, notes: Sequence[Diagnostic]
) -> Snapshot:
    nothing = Catalog("", branch.session_id, branch.epoch, "", len(branch.sources))
    idle = WindowPressure("NORMAL", _IDLE, config.context_window)
    return Snapshot(branch.tree, branch, state, view, config, nothing, idle, diagnostics=notes)


def edit_notes(branch: Branch, state: State) -> list[Diagnostic]:
    """Name the blocks that edits of their sources have opened, each at the line of its edit."""
    text = "is open for good: a source of it was edited since"
    return [
        Diagnostic("BLOCK_EDITED", _line(branch, state.opened[name]), f"{block.ref} {text}")
        for name, block in state.blocks.items()
        if state.status[name] == "edited"
    ]


def _line(branch: Branch, entry_id: str) -> int:
    at = branch.position.get(entry_id)
    return 0 if at is None else branch.path[at].line


def _fault_notes(branch: Branch, fault: Fault | None) -> list[Diagnostic]:
    """Say in bounded words that the raw history is shown, and why."""
    if fault is None:
        return []
    line = _line(branch, fault.entry_id)
    return [Diagnostic("RAW_HISTORY", line, f"{fault.code}; the raw history is shown")]
