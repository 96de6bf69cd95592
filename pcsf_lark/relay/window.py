"""The next window of a branch: pure, from a head and what is pushed to a signed object.

Check, integrate, verify, repair, compose the head capsule, sign: all of it is done
on values, so that a writer who came second does it again on the new head.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from attrs import evolve

import cso as state_objects
from cso import CognitiveStateObject, GoalState
from cso.altered import altered
from cso.marks import opened
from pcsf_lark.relay import refs
from pcsf_lark.relay.contribution import contribution
from pcsf_lark.relay.gift import gift
from pcsf_lark.relay.growth import Growth, closed, noted
from pcsf_lark.relay.loops import open_loops, renewed
from pcsf_lark.relay.merging import three_way
from pcsf_lark.relay.notes import NAME, SHORT, Notes, Withheld, notes_of, short
from pcsf_lark.relay.sealing import Signer, Window, head_capsule, sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cso.store import Entry
    from pcsf_lark.relay.contribution import Contribution
    from pcsf_lark.relay.incoming import Incoming
    from pcsf_lark.relay.notes import LogRow

__all__ = ["changed", "merged", "pushed", "succeeding"]

#: Namespaces that speak of one object and never pass from a push to a head.
_OWN = ("crp", "pcsf", NAME)
#: How stitching warns of two capsules of one time.
_AS_OLD = "as old as the older one"


def pushed(head: CognitiveStateObject | None, incoming: Incoming, signer: Signer) -> Window:
    """The window that a push makes of a head.

    Raises what integration and relay raise: ConflictError, CycleError,
    EscalationRequired, PreservationError, ChainError.
    """
    before = notes_of(head) if head is not None else None
    if head is not None and before is not None and before.knows(incoming.source):
        return Window(cso=head, notes=before, unchanged="it was pushed before")
    row = before.log(incoming.log) if before is not None and incoming.log else None
    if head is not None and before is not None and row is not None and incoming.is_behind(row):
        return Window(cso=head, notes=before, unchanged="more of this log was pushed before")
    window = head.window_number + 1 if head is not None else 1
    growth = Growth.of(head, incoming.log)
    given = growth.taken(incoming) if growth is not None else incoming.cso
    part = contribution(given, head, incoming.mark, window, growth)
    draft = _integrated(head, part, incoming)
    draft = closed(draft, before, incoming)
    if growth is not None:
        draft = growth.settled(draft, incoming, part.known)
    # What a drafter left out of its capsule it held to be less urgent.
    urgency = "MED" if incoming.kind == "log" else "HIGH"
    known = before.loops if before else ()
    loops = open_loops(known, incoming.capsule, draft, window, urgency=urgency)
    if head is not None and before is not None and loops == before.loops and _same(head, draft):
        return Window(
            cso=head, notes=before, unchanged="it says nothing new", withheld=part.withheld
        )
    old = head_capsule(head)
    capsule = incoming.capsule or gift(head, draft, old, signer.now)
    made = Notes(
        kind=incoming.kind,
        source=incoming.source,
        base=head.cso_hmac if head is not None else "",
        withheld=part.withheld,
        loops=renewed(loops, incoming.cso, window),
        seen=(before.seen if before else "") + short(incoming.source),
        logs=noted(before, incoming, draft),
    )
    done = sealed(
        head, draft, made, signer,
        whole=draft, capsule=capsule, old=old, added=part.added, known=len(part.known),
    )  # fmt: skip
    if row is None:
        return done
    # One log at two times is as old as its last message, and needs no warning of that.
    return evolve(done, warnings=tuple(w for w in done.warnings if _AS_OLD not in w))


def changed(
    head: CognitiveStateObject,
    draft: CognitiveStateObject,
    kind: str,
    signer: Signer,
    *,
    source: str = "",
    withheld: tuple[Withheld, ...] = (),
) -> Window:
    """The window of a change that was made on the head itself, as by `cso.revise`.

    What the draft lost of the head comes back (§5.2 of CRP-SPEC-030).
    """
    before = notes_of(head) or Notes(kind="")
    if source and before.knows(source):
        return Window(cso=head, notes=before, unchanged="it was pushed before")
    whole, _ = state_objects.repair(head, altered(draft, cso_hmac="", verified=False))
    window = head.window_number + 1
    loops = open_loops(before.loops, None, whole, window)
    if _same(head, whole) and loops == before.loops:
        return Window(cso=head, notes=before, unchanged="it changes nothing")
    old = head_capsule(head)
    capsule = gift(head, whole, old, signer.now)
    made = Notes(
        kind=kind,
        source=source,
        base=head.cso_hmac,
        loops=loops,
        seen=before.seen + short(source),
        withheld=withheld,
        logs=before.logs,
    )
    there = head.items()
    added = sum(name not in there for name in whole.items())
    return sealed(head, draft, made, signer, whole=whole, capsule=capsule, old=old, added=added)


def _integrated(
    head: CognitiveStateObject | None, part: Contribution, incoming: Incoming
) -> CognitiveStateObject:
    """The head's next draft with a contribution in it."""
    given = incoming.cso
    foreign = {name: value for name, value in given.ext.items() if name not in _OWN}
    if head is None:
        ext = given.ext.joined(**dict.fromkeys(_OWN))
        return altered(part.cso, goal_state=given.goal_state, ext=ext, window_number=1)
    # How often a log went on is no count of a person's changes of mind.
    limit = sys.maxsize if incoming.log else state_objects.MAX_REVISIONS
    merged, report = state_objects.integrate(head, part.cso, base=head.cso_hmac, limit=limit)
    draft = opened(head) if report.unchanged else merged
    finished = [text for text in dict.fromkeys(part.done) if text in draft.goal_state.remaining]
    if finished:
        draft = state_objects.advance(draft, finished)
    goal = _goal(draft.goal_state, given.goal_state, incoming.steers)
    goal = altered(goal, remaining=tuple(dict.fromkeys((*goal.remaining, *part.again))))
    if incoming.log and incoming.whole is not None:
        goal = altered(goal, completion=incoming.whole.goal_state.completion)
    return altered(
        draft, goal_state=goal, ext=draft.ext.joined(**foreign) if foreign else draft.ext
    )


def _goal(old: GoalState, new: GoalState, steers: bool) -> GoalState:  # noqa: FBT001 - one call
    """The goal of the newer one where it ``steers``, with all that remains; the mode stays."""
    return altered(
        old,
        objective=new.objective if new.objective and steers else old.objective or new.objective,
        success_test=new.success_test or old.success_test,
        remaining=tuple(dict.fromkeys((*old.remaining, *new.remaining))),
        completion=new.completion or old.completion,
    )


def _same(head: CognitiveStateObject, draft: CognitiveStateObject) -> bool:
    """Whether a draft says what its head says."""
    names = ("established_facts", "decisions", "constraints", "open_questions", "goal_state")
    more = ("dependency_graph", "revisions", "resolved_questions")
    if any(getattr(head, name) != getattr(draft, name) for name in (*names, *more)):
        return False
    mine, theirs = ({n: v for n, v in one.ext.items() if n not in _OWN} for one in (head, draft))
    return mine == theirs


def succeeding(
    head: CognitiveStateObject,
    incoming: Incoming,
    signer: Signer,
    entries: Sequence[Entry],
    load: Callable[[str], CognitiveStateObject],
) -> Window | None:
    """The window of an object that continues one of ours; None for another's.

    One made on an older window than the head is merged with what came since.
    """
    given = incoming.cso
    windows = {entry.tag: entry.window_number for entry in entries}
    notes = notes_of(head)
    if given.cso_hmac in windows and notes is not None:
        told = f"it is stored already, as window {windows[given.cso_hmac]}"
        return Window(cso=head, notes=notes, unchanged=told)
    if given.prior_cso_hash not in windows:
        return None
    if given.prior_cso_hash == head.cso_hmac:
        return changed(head, given, "cso", signer, source=incoming.source)
    shared = refs.base_of(entries, given.prior_cso_hash, head.cso_hmac)
    if shared is None:
        return None
    done = three_way(load(shared), head, given)
    return changed(head, done.cso, "cso", signer, source=incoming.source)


def merged(
    ours: CognitiveStateObject,
    theirs: CognitiveStateObject,
    base: CognitiveStateObject,
    signer: Signer,
    *,
    first: str,
    settle: bool = False,
) -> Window:
    """The fan-in window of two heads, which continues the one with the tag ``first``.

    With ``settle``, conflicts go to ``ours``.
    """
    done = three_way(base, ours, theirs, settle=settle)
    draft = state_objects.bind(done.cso, ours, theirs)
    mine, other = (notes_of(one) or Notes(kind="") for one in (ours, theirs))
    newest = sorted((*mine.loops, *other.loops), key=lambda loop: loop.window)
    known = {loop.text: loop for loop in newest}
    loops = open_loops(known.values(), None, draft, draft.window_number)
    older, newer = ours, theirs
    capsules = [head_capsule(one) for one in (ours, theirs)]
    if capsules[0] and (
        not capsules[1] or capsules[0].meta.timestamp >= capsules[1].meta.timestamp
    ):
        older, newer = theirs, ours
    made = Notes(
        kind="merge", base=first, withheld=done.gave_way, loops=loops,
        seen=_united(mine.seen, other.seen), logs=_logs(mine, other),
    )  # fmt: skip
    return sealed(
        ours, draft, made, signer, whole=draft, capsule=head_capsule(newer), old=head_capsule(older)
    )


def _logs(mine: Notes, other: Notes) -> tuple[LogRow, ...]:
    """The logs of both, of each the row that was made of more."""
    rows: dict[str, LogRow] = {}
    for row in (*mine.logs, *other.logs):
        old = rows.get(row.log)
        if old is None or old.size < row.size:
            rows[row.log] = row
    return tuple(rows.values())


def _united(mine: str, other: str) -> str:
    """The digits of all sources, each once."""
    both = (text[at : at + SHORT] for text in (mine, other) for at in range(0, len(text), SHORT))
    return "".join(dict.fromkeys(both))
