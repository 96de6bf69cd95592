"""What replay itself keeps from a T1, whoever planned it: all of protection no setting touches.

    protected_leaf(scope, source_ids, screen)      the code of what may not be folded, or None

Newest user message, unfinished turn, binary, secret: read from the sources as the view
shows them at the transaction. Laws: never stricter than `protection`, so that what the
planner offers replays; only the leaves of a T1 that is being created are read for content,
each once a log, since facts are remembered.
"""

from collections.abc import Sequence
from typing import Final

from kernel.projection.model import Source
from kernel.projection.planning.facts import Facts, FactsMemory
from kernel.projection.planning.protection import CONTROL_PREFIX, SETTLED
from kernel.projection.replaying.scope import Scope

__all__ = ["Screen", "protected_leaf"]

_ASKERS: Final = (("user",), ("custom", "bashExecution"))


class Screen:
    """What is known of sources at replay; `facts` may be shared between readings of logs."""

    __slots__ = ("_codes", "facts")

    def __init__(self, facts: FactsMemory) -> None:
        """Remember nothing but what `facts` does."""
        self.facts: FactsMemory = facts
        # By source digest: what content forbids of a source that no edit changed.
        self._codes: dict[str, str | None] = {}

    def of(self, scope: Scope, at: int) -> Facts:
        """Return the facts of the source at a place, as it is shown."""
        entry_id = scope.items[at].id
        return self.facts.one(Source(at, entry_id, scope.shown(entry_id), scope.digest(entry_id)))

    def content(self, scope: Scope, entry_id: str) -> str | None:
        """Return the code of why a source's content may not be folded."""
        if scope.edited(entry_id):
            return _forbidden(self.of(scope, scope.place[entry_id]))
        digest = scope.digest(entry_id)
        if digest not in self._codes:
            self._codes[digest] = _forbidden(self.of(scope, scope.place[entry_id]))
        return self._codes[digest]


def _forbidden(known: Facts) -> str | None:
    if known.binary:
        return "lineage-binary"
    return None if known.secret is None else "lineage-secret"


def protected_leaf(scope: Scope, source_ids: Sequence[str], screen: Screen) -> str | None:
    """Return why a T1 may not take visible sources, which are in order."""
    first, last = scope.place[source_ids[0]], scope.place[source_ids[-1]]
    newest = _newest_asked(scope)
    if newest is not None and first <= newest <= last:
        return "lineage-newest-user"
    if last >= _finished(scope, screen):
        return "lineage-unfinished-turn"
    found = (screen.content(scope, name) for name in source_ids)
    return next((code for code in found if code is not None), None)


def _newest_asked(scope: Scope) -> int | None:
    """Return the place of the newest question that is in the view."""
    for roles in _ASKERS:
        at = max((scope.newest(role) for role in roles), default=-1)
        if at >= 0:
            return at
    return None


def _finished(scope: Scope, screen: Screen) -> int:
    """Return the place up to which turns are finished: a later answer has read them."""
    end = len(scope.items)
    while end:
        head = scope.head(end - 1)
        if not (scope.omitted(scope.items[head].id) or _is_control(screen.of(scope, head))):
            break
        end = head
    for at in scope.answers_before(end):
        known = screen.of(scope, at)
        if known.role == "assistant" and known.stop in SETTLED:
            return at if known.calls else at + 1
    return 0


def _is_control(known: Facts) -> bool:
    return (
        known.role == "assistant"
        and bool(known.tools)
        and all(name.startswith(CONTROL_PREFIX) for name in known.tools)
    )
