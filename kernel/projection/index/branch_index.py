"""The index of one branch: all that follows from its entries, kept as the branch grows.

    index = BranchIndex(tree, leaf, path="a.jsonl")     # cold: every entry once
    index.append(item)                                  # the next entry: work of its own size
    index.source(index.scope, "m000017"); index.block(index.scope, "b000002")

It holds entries, sources, facts, atoms, sums of tokens, refs, fingerprints, and a cursor of
the reducer with blocks and lineage. Laws: what it holds is what the pure functions give;
refs hold in the scope they were given in (session, file, branch, epoch, version of replay)
and nowhere else; a look-up reads one place; an entry that does not prove to follow on the
leaf is not taken; whatever goes wrong makes the index unhealthy, and an unhealthy index is
asked nothing any more: the pure functions are.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import accumulate, islice
from typing import Any, Final, cast

from attrs import evolve

from kernel.ports import Counter, count_tokens
from kernel.projection.index.counters import Counters, Rows, Table
from kernel.projection.index.scope import Scope
from kernel.projection.log.branch import SessionTree, source_of
from kernel.projection.log.strays import walk
from kernel.projection.model import ROOT_EPOCH, Block, Source, block_ref, message_ref
from kernel.projection.planning.atoms import AtomReader
from kernel.projection.planning.facts import Facts, FactsMemory
from kernel.projection.replaying.hard_limits import Screen
from kernel.projection.replaying.reducer import Replay
from kernel.sessions.pi_entries import Item, context_of, edits_of

__all__ = ["BranchIndex"]

#: Entries after which what came before them is to be read anew.
_UPHEAVALS: Final = ("compaction", "context_edit")


class BranchIndex:
    """What is known of a branch; grows at the leaf only.

    Attributes:
        counters: What it did, in figures.
        fault: The code of what made it useless, None while it holds.
        file: The log's path.
    """

    def __init__(
        self,
        tree: SessionTree,
        leaf: str | None = None,
        *,
        path: str = "",
        counters: Counters | None = None,
        counter: Counter = count_tokens,
    ) -> None:
        """Build from the root.

        Raises KeyError for a leaf that is not in the log.
        """
        self.counters: Counters = Counters() if counters is None else counters
        self.fault: str | None = None
        self.file: str = path
        self._memory = tree.screen.facts if counter is count_tokens else FactsMemory(counter)
        # Its own tree: what is appended is known to the reducer's cursor at once.
        self._tree = evolve(tree)
        self._by_id = cast("dict[str, Item]", self._tree.by_id)
        self._tree.digests.update(tree.digests)
        self.counters.cold_builds += 1
        end = tree.leaf if leaf is None else leaf
        if end is not None and end not in self._by_id:
            raise KeyError(f"no entry has the id {end!r}: name the id of an entry of this log")
        self._build(end)

    @property
    def healthy(self) -> bool:
        """Tell whether the index may be asked."""
        return self.fault is None

    def _build(self, leaf: str | None) -> None:
        """Read the path to a leaf, each entry once."""
        path = walk(self._by_id, leaf) if leaf is not None else []
        self.counters.walked += len(path)
        inherited = self._tree.inherited
        if inherited:
            path = [one for item in path for one in (*inherited.get(item.id, ()), item)]
        context = context_of(path)
        compacted = bool(context) and context[0].value.get("type") == "compaction"
        self.leaf = leaf
        self.scope: Scope = Scope(
            self._tree.session_id, self.file, leaf or "", context[0].id if compacted else ROOT_EPOCH
        )
        self._clear(edits_of(context))
        self.path.extend(path)
        self.context.extend(context)
        step = self.cursor.step
        for item in path:
            step(item)
        self.counters.visited += len(path)
        self._speak_all(context)
        self._note_blocks()

    def _clear(self, edits: Mapping[str, Any]) -> None:
        counters = self.counters
        self.edits = edits
        self.path: Rows[Item] = Rows(counters)
        self.context: Rows[Item] = Rows(counters)
        self.sources: Rows[Source] = Rows(counters)
        self.facts: Rows[Facts] = Rows(counters)
        self.sums: Rows[int] = Rows(counters)
        self.sums.append(0)
        self.reader: AtomReader = AtomReader()
        self.cursor: Replay = Replay(self._tree, Screen(self._memory))
        self._refs: Table[str, int] = Table(counters)
        self._blocks: Table[str, str] = Table(counters)
        self._newest: Table[str, int] = Table(counters)
        self._older: Rows[int] = Rows(counters)
        self._chain = sha256()

    def _speak_all(self, context: Sequence[Item]) -> None:
        """Take all entries of a context: the same as one by one, in less time."""
        digests, edits = self._tree.digests, self.edits
        sources: list[Source] = []
        for item in context:
            source = source_of(item, len(sources), edits, digests)
            if source is not None:
                sources.append(source)
        facts = self._memory.of(sources)
        self.sources.extend(sources)
        self.facts.extend(facts)
        for one in facts:
            self.reader.add(one)
        self.sums.extend(accumulate(one.tokens for one in facts))
        for source in sources:
            self._name(source)

    def _speak(self, item: Item) -> None:
        """Take the next entry of the context: a source, or a silent one."""
        self.context.append(item)
        source = source_of(item, len(self.sources), self.edits, self._tree.digests)
        if source is None:
            return
        facts = self._memory.one(source)
        self.sources.append(source)
        self.facts.append(facts)
        self.reader.add(facts)
        self.sums.append(self.sums[-1] + facts.tokens)
        self._name(source)

    def _name(self, source: Source) -> None:
        """Make a source known by its ref and by its digest."""
        index, digest = source.index, source.digest
        self._refs[message_ref(index)] = index
        self._older.append(self._newest.get(digest, -1))
        self._newest[digest] = index
        self._chain.update(f"{source.entry_id} {digest}\n".encode("utf-8", "surrogatepass"))

    def _note_blocks(self) -> None:
        """Give refs to the blocks that are new."""
        blocks = self.cursor.ledger.blocks
        new = len(blocks) - len(self._blocks)
        for name in islice(reversed(blocks), new):
            self._blocks[block_ref(blocks[name].number)] = name

    def append(self, item: Item, *, inherited: bool = False) -> bool:
        """Take the next entry of the branch.

        False, and nothing has changed, where it does not prove to be that: it hangs on
        another entry, the path has its id, or a parent session has a word before it.
        """
        follows = item.parent == self.leaf and bool(item.id)
        if not self.healthy or inherited or not follows or item.id in self.cursor.ledger.at:
            self.counters.mismatches += 1
            return False
        self.counters.appends += 1
        try:
            self._grow(item)
        except Exception as error:  # noqa: BLE001 - the pure functions take over
            self.doubt(f"append-failed-{type(error).__name__}")
            return False
        return self.healthy

    def _grow(self, item: Item) -> None:
        self._by_id[item.id] = item
        if item.value.get("type") in _UPHEAVALS:
            self.counters.rebuilds += 1
            with self.counters.whole():
                self._build(item.id)
            return
        self.counters.visited += 1
        self.cursor.step(item)
        self.path.append(item)
        self.leaf = item.id
        self._speak(item)
        self._note_blocks()
        ledger = self.cursor.ledger
        sizes = (len(self.path), len(self.sources), len(self._blocks))
        if sizes != (len(ledger.path), self.reader.count, len(ledger.blocks)):
            self.doubt("sizes-differ")
        if ledger.epoch != self.scope.epoch:
            self.doubt("epoch-differs")

    def learn(self, items: Iterable[Item]) -> None:
        """Hear of entries the log has grown by, on whatever branch."""
        self._by_id.update((item.id, item) for item in items)

    def doubt(self, code: str) -> None:
        """Make the index unhealthy; the first reason stays."""
        if self.fault is None:
            self.fault = code

    def _may_ask(self, scope: Scope) -> bool:
        self.counters.lookups += 1
        if scope is not self.scope and scope != self.scope:
            self.counters.mismatches += 1
            return False
        return self.fault is None

    def source(self, scope: Scope, ref: str) -> Source | None:
        """Return the source a message ref names in a scope, None where it names none."""
        at = self._refs.get(ref) if self._may_ask(scope) else None
        return None if at is None else cast("Source", self.sources[at])

    def block(self, scope: Scope, ref: str) -> Block | None:
        """Return the block a block ref names in a scope, None where it names none."""
        name = self._blocks.get(ref) if self._may_ask(scope) else None
        return None if name is None else self.cursor.ledger.blocks[name]

    def entry(self, scope: Scope, entry_id: str) -> Item | None:
        """Return an entry of the branch by its id."""
        if not self._may_ask(scope) or entry_id not in self.cursor.ledger.at:
            return None
        return self._by_id.get(entry_id)

    def alike(self, digest: str) -> tuple[int, ...]:
        """Return the indices of the sources with a digest, newest first: its fingerprint's."""
        found = []
        at = self._newest.get(digest, -1)
        while at >= 0:
            found.append(at)
            at = self._older[at]
        return tuple(found)

    def tokens(self, first: int, last: int) -> int:
        """Return the estimated tokens of the sources from one index to another, both inside."""
        return cast("int", self.sums[last + 1] - self.sums[first])

    def digest(self) -> str:
        """Return the leaf digest of all sources."""
        return self._chain.hexdigest()
