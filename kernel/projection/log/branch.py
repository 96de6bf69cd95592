"""A Pi log as a tree, and a branch of it as the sources a model would see.

    tree = read_tree(file)
    branch = tree.branch()          # to the last line, as Pi opens it; or to any entry
    branch.sources                  # the context of its epoch: one source a message

Laws: ids are resolved over the whole file, a projection knows one branch; an epoch is
named by the last compaction of the path; sources are Pi's context in Pi's order, context
edits applied, their digests of the content as stored. Reading is pure and never fails on
content.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from typing import Any

from attrs import field, frozen

from kernel.model import NOTHING, as_tuple
from kernel.projection.log.digests import source_digest
from kernel.projection.log.strays import path_notes, stale_leaf, tree_notes, walk
from kernel.projection.log.usage import Usage, is_settled, latest_usage
from kernel.projection.model import ROOT_EPOCH, Source
from kernel.projection.planning.facts import FactsMemory
from kernel.projection.replaying.hard_limits import Screen
from kernel.sessions.lines import Diagnostic
from kernel.sessions.pi_entries import Item, context_of, edits_of, message_of, read_entries

__all__ = ["Branch", "SessionTree", "read_tree", "source_of"]

_NO_EDITS: Mapping[str, Any] = NOTHING


@frozen
class SessionTree:
    """A session log: its header, and its entries in file order.

    A fork's file names its parent session. What storage finds there: `inherited` holds
    journal entries the copy lacks, by the id of the entry they stood before; `ancestors`
    the ids of the sessions the file descends from; `severed` that not all could be read, and
    `claimed` the ids that the name of the first such file may tell. `marks` holds a mark a
    line, good in this process alone: equal ones stand for equal lines up to there.

    Attributes:
        header: The first line.
        entries: The others.
        diagnostics: What was odd in the file.
    """

    header: Mapping[str, Any]
    entries: tuple[Item, ...] = field(converter=as_tuple)
    diagnostics: tuple[Diagnostic, ...] = field(default=(), converter=as_tuple)
    inherited: Mapping[str, tuple[Item, ...]] = NOTHING
    ancestors: tuple[str, ...] = field(default=(), converter=as_tuple)
    severed: bool = False
    claimed: tuple[str, ...] = field(default=(), converter=as_tuple)
    marks: tuple[int, ...] = field(default=(), converter=as_tuple, eq=False, repr=False)

    @property
    def version(self) -> int:
        """Return the version of the format: 1 where the header does not say."""
        found = self.header.get("version", 1)
        return found if isinstance(found, int) else 0

    @property
    def session_id(self) -> str:
        """Return the id of the session, empty where the header has none."""
        found = self.header.get("id")
        return found if isinstance(found, str) else ""

    @property
    def parent_session(self) -> str | None:
        """Return the path of the session this one was forked from."""
        found = self.header.get("parentSession")
        return found if isinstance(found, str) else None

    @cached_property
    def by_id(self) -> Mapping[str, Item]:
        """Return the entries of the whole file by id; of two with one id the later."""
        return {item.id: item for item in self.entries}

    @property
    def leaf(self) -> str | None:
        """Return the leaf a reader starts from: the last entry of the file."""
        return self.entries[-1].id if self.entries else None

    def knows(self, session_id: str, item: Item) -> bool:
        """Tell whether a journal entry may come from a session: this one, or an ancestor.

        Of an ancestor that could not be read, its file's name tells the id; or the entry is
        older than this file, so that it was copied and not written here.
        """
        if session_id == self.session_id or session_id in self.ancestors:
            return True
        if not self.severed:
            return False
        forked, written = self.header.get("timestamp"), item.value.get("timestamp")
        older = isinstance(forked, str) and isinstance(written, str) and written <= forked
        return older or session_id in self.claimed

    @cached_property
    def digests(self) -> dict[str, str]:
        """Return the digests of sources found so far, by entry id: every entry once."""
        return {}

    @cached_property
    def screen(self) -> Screen:
        """Return the memory of what is known of the sources of this log."""
        return Screen(FactsMemory())

    def recall(self, other: "SessionTree") -> None:
        """Remember the digests an older reading found, if all of it stands here."""
        if other.begins(self):
            self.digests.update(other.digests)

    def begins(self, other: "SessionTree") -> bool:
        """Tell whether all lines of this log stand in another; False where it is not known."""
        count = len(self.marks)
        whole = bool(count) and (not self.entries or self.entries[-1].line <= count)
        return whole and other.marks[count - 1 : count] == self.marks[-1:]

    def branch(self, leaf: str | None = None) -> "Branch":
        """Return the branch to a leaf, the last entry where none is named.

        Raises KeyError for a leaf that is not in the file.
        """
        end = self.leaf if leaf is None else leaf
        if end is None:
            return Branch(self, None, (), (), ROOT_EPOCH, (), self.diagnostics)
        if end not in self.by_id:
            raise KeyError(f"no entry has the id {end!r}: name the id of an entry of this log")
        path = walk(self.by_id, end)
        notes = [*self.diagnostics, *path_notes(self.by_id, path)]
        if leaf is None:
            notes += stale_leaf(self.entries, path)
        if self.inherited:
            path = [one for item in path for one in (*self.inherited.get(item.id, ()), item)]
        context = context_of(path)
        first = context[0] if context else None
        compacted = first is not None and first.value.get("type") == "compaction"
        epoch = first.id if compacted and first is not None else ROOT_EPOCH
        return Branch(self, end, path, context, epoch, self._sources(context), notes)

    def _sources(self, context: Iterable[Item]) -> list[Source]:
        items = list(context)
        edits = edits_of(items)
        found: list[Source] = []
        for item in items:
            source = source_of(item, len(found), edits, self.digests)
            if source is not None:
                found.append(source)
        return found


@frozen
class Branch:
    """A path of a tree, and the context of the epoch at its leaf.

    `path` runs from the root to the leaf, inherited journal entries included; `context`
    holds the entries of the epoch in the order a model meets them, silent ones included.

    Attributes:
        tree: The log.
        leaf: The entry it ends at, None for an empty log.
        epoch: The compaction it begins after.
        sources: The messages of the epoch.
        diagnostics: What was odd on the path.
    """

    tree: SessionTree = field(repr=False)
    leaf: str | None
    path: tuple[Item, ...] = field(converter=as_tuple, repr=False)
    context: tuple[Item, ...] = field(converter=as_tuple, repr=False)
    epoch: str
    sources: tuple[Source, ...] = field(converter=as_tuple, repr=False)
    diagnostics: tuple[Diagnostic, ...] = field(default=(), converter=as_tuple)

    @property
    def session_id(self) -> str:
        """Return the id of the session, empty where the header has none."""
        return self.tree.session_id

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Return the index of every source by its entry id."""
        return {source.entry_id: source.index for source in self.sources}

    @cached_property
    def position(self) -> Mapping[str, int]:
        """Return the place on the path of every entry by id."""
        return {item.id: at for at, item in enumerate(self.path)}

    @cached_property
    def settled(self) -> tuple[int, ...]:
        """Return, for every place of the path, the settled assistant messages before it.

        One number more than the path has entries: the last counts all of them.
        """
        return (0, *accumulate(map(is_settled, self.path)))

    def settled_after(self, entry_id: str) -> int:
        """Return how many settled assistant messages follow an entry of the path."""
        return self.settled[-1] - self.settled[self.position[entry_id] + 1]

    @cached_property
    def usage(self) -> Usage | None:
        """Return the newest usage that speaks of the present context."""
        return latest_usage(self.path)


def source_of(
    item: Item,
    index: int,
    edits: Mapping[str, Any],
    digests: dict[str, str] | None = None,
) -> Source | None:
    """Return the source an entry of the context adds, None for a silent or omitted one.

    `digests` remembers what was found, by entry id.
    """
    message = message_of(item, edits)
    if message is None:
        return None
    digest = digests.get(item.id) if digests is not None else None
    if digest is None:
        stored = message_of(item, _NO_EDITS) if item.id in edits else message
        digest = source_digest(stored or message)
        if digests is not None:
            digests[item.id] = digest
    return Source(index, item.id, message, digest)


def read_tree(raw: Iterable[bytes]) -> SessionTree:
    """Read a log line by line; nothing about its bytes fails, all of it is noted."""
    notes: list[Diagnostic] = []
    marks: list[int] = []
    header, items = read_entries(_marked(raw, marks), notes)
    if not isinstance(header.get("id"), str):
        notes.append(Diagnostic("NO_HEADER", 1, "no session header with an id comes first"))
    notes += tree_notes(items)
    parent = header.get("parentSession")
    if not isinstance(parent, str):
        return SessionTree(header, items, notes, marks=marks)
    claimed = _named(parent)
    return SessionTree(header, items, notes, severed=True, claimed=claimed, marks=marks)


def _marked(raw: Iterable[bytes], marks: list[int]) -> Iterator[bytes]:
    """Pass lines on, and mark each by itself and all before it; line ends aside."""
    mark = 0
    for line in raw:
        mark = hash((mark, line.rstrip(b"\r\n")))
        marks.append(mark)
        yield line


def _named(path: str) -> tuple[str, ...]:
    """Return the ids the session of a file may have by its name: the stem, and as Pi writes it."""
    stem = path.replace("\\", "/").rsplit("/", 1)[-1].removesuffix(".jsonl")
    return tuple(dict.fromkeys((stem, stem.rsplit("_", 1)[-1])))
