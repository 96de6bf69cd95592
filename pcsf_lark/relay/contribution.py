"""What a pushed object brings to a head: new items under free ids, the rest told.

An item that says the same as one of the head is that one. An item that says the
same as one which was superseded or invalidated is withheld: a session that did not
hear of it must not bring it back. What rests on such an item comes in marked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from cso import Decision, Fact
from cso.altered import altered
from cso.model import RecordKind
from cso.opaque import EMPTY
from cso.references import completed
from pcsf_lark.relay.taking import Taking

if TYPE_CHECKING:
    from cso import CognitiveStateObject, Record
    from pcsf_lark.relay.growth import Growth
    from pcsf_lark.relay.notes import Withheld

__all__ = ["Contribution", "contribution"]


@frozen
class Contribution:
    """The items and texts that are new, ready to be integrated; and what is not in it.

    ``done`` are the entries of the head's goal that it tells as finished, ``again`` the
    questions that its own log had closed and asks anew, ``known`` the items of the head
    that it says as well.
    """

    cso: CognitiveStateObject
    added: int
    known: tuple[str, ...]
    withheld: tuple[Withheld, ...]
    done: tuple[str, ...]
    again: tuple[str, ...] = ()


def contribution(
    given: CognitiveStateObject,
    head: CognitiveStateObject | None,
    mark: str,
    window: int,
    growth: Growth | None = None,
) -> Contribution:
    """Prepare ``given`` for ``head``; ``mark`` tells its ids from others where they clash.

    ``growth`` is what the head has of the log it was drafted from. Raises
    ConflictError for an id that no mark can make free.
    """
    taken = Taking.of(head, mark, window, growth)
    for item in given.items().values():
        taken.place(item)
    edges = taken.edges(completed(given))
    items = [taken.renamed(item) for item in taken.new.values()]
    records = (
        *(_record(r, taken, window) for r in given.revisions if r.target in taken.new),
        *taken.revisions(),
    )
    questions = tuple(q for q in given.open_questions if not taken.answered(q))
    cso = altered(
        given,
        window_number=window,
        prior_cso_hash="",
        cso_hmac="",
        verified=False,
        established_facts=tuple(i for i in items if isinstance(i, Fact)),
        decisions=tuple(i for i in items if isinstance(i, Decision)),
        dependency_graph=edges,
        open_questions=questions,
        revisions=records,
        resolved_questions=tuple(altered(e, window=window) for e in given.resolved_questions),
        ext=EMPTY,
        extra=EMPTY,
    )
    done = tuple(
        text for r in given.revisions if r.kind is RecordKind.ADVANCE for text in r.affected
    )
    known, withheld = tuple(taken.known), tuple(taken.withheld)
    return Contribution(cso, len(items), known, withheld, done, tuple(taken.again))


def _record(record: Record, taken: Taking, window: int) -> Record:
    names = taken.names
    return altered(
        record,
        target=names[record.target],
        superseded_by=names.get(record.superseded_by, record.superseded_by),
        affected=tuple(names.get(name, name) for name in record.affected),
        window=window,
    )
