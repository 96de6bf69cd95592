"""The verbs on capsules: fit, stitch, stamp, unstamp, diff, and to state objects and back.

The passes expect capsules that can stand; these see to it that they get them:
text is read, a tree made by a program is judged, and what cannot stand is
refused with ``CapsuleError`` before anything is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from pcsf_lark.api import check_source, chosen, parse
from pcsf_lark.errors import CapsuleError
from pcsf_lark.model import Capsule
from pcsf_lark.source import Source, Text
from pcsf_lark.spec import LIMIT
from pcsf_lark.standing import judge, standing
from pcsf_lark.syntax.fast import build, conforms, match

if TYPE_CHECKING:
    from cso import CognitiveStateObject
    from pcsf_lark.passes.diff import Change
    from pcsf_lark.passes.fit import FitResult
    from pcsf_lark.passes.from_cso import Export
    from pcsf_lark.passes.stitch import StitchResult

__all__ = ["diff", "fit", "fittable", "from_cso", "stamp", "stitch", "to_cso", "unstamp"]

#: The faults that fitting mends: what is too long, and a stamp, since it goes.
_MENDED = frozenset({"C2", "C11"})


def fit(
    capsule: Capsule | Text, *, budget: int = LIMIT, reserve: int = 0, stamp: bool = False
) -> FitResult:
    """The capsule within ``budget`` - ``reserve`` bytes, and what was dropped for it (§5).

    Takes a capsule, or the text of one, whose only faults are its size (C2) and
    a stamp that does not match (C11). What fits comes back as it is. No budget
    lets a capsule pass 1,200 bytes. Raises ``CapsuleError`` for any other fault
    and ``Unfittable`` where all that may be dropped is not enough.

    >>> import pcsf_lark
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> done = pcsf_lark.fit(EXAMPLE, budget=660)
    >>> len(pcsf_lark.format(done.capsule))
    654
    >>> [row["entry"] for row in done.dropped]
    ["UNCERTAINTY: I never saw the load of a month's end."]
    """
    from pcsf_lark.passes import fit as passes  # noqa: PLC0415 - each verb loads its own pass

    if isinstance(capsule, Capsule):
        judge(capsule, forgiven=_MENDED)
    else:
        capsule = fittable(Source.of(capsule))
    return passes.fit(capsule, budget=budget, reserve=reserve, stamp=stamp)


def fittable(source: Source) -> Capsule:
    """The tree of a text that ``fit`` takes; raises ``CapsuleError`` for another."""
    matched = match(source.text, "interop")
    if matched is None or not conforms(matched, source.data):
        findings = check_source(source).findings
        broken = tuple(f for f in findings if f.code.startswith("C"))
        if matched is None or any(f.code not in _MENDED for f in broken):
            raise CapsuleError(broken)
    return build(matched)


def stitch(
    old: Capsule | Text,
    new: Capsule | Text,
    *,
    keep_skeleton: bool = False,
    stamp: bool = False,
) -> StitchResult:
    """Fold a session's capsule ``new`` into its predecessor ``old`` (§7).

    The successor is a v1.2 capsule of at most 1,200 bytes; ``log`` has a row
    for each line that is not in it, ``warnings`` what was odd. Where autotrim
    is not enough the oldest L1 entries go, unless ``keep_skeleton``. Raises
    ``CapsuleError`` for an input that is not conformant, ``Unfittable`` where
    the limit cannot be kept.

    >>> import pcsf_lark
    >>> from attrs import evolve
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> meta = evolve(EXAMPLE.meta, timestamp="2026-03-15T09:00Z")
    >>> done = pcsf_lark.stitch(EXAMPLE, evolve(EXAMPLE, meta=meta, loops=()))
    >>> done.capsule.chain.line
    'CHAIN: hops=1 origin=2026-03-14T16:05Z'
    >>> len(done.capsule.loops), done.log[0]["reason"]
    (2, 'the same entry again')
    """
    from pcsf_lark.passes import stitch as passes  # noqa: PLC0415 - likewise

    old = standing(old)
    if isinstance(new, Capsule) and not new.seed.text:
        new = evolve(new, seed=old.seed)  # §7.4; only a program can leave it empty
    return passes.stitch(old, standing(new), keep_skeleton=keep_skeleton, stamp=stamp)


def stamp(capsule: Capsule | Text) -> Capsule:
    """The capsule with INTEGRITY, of its canonical text (§2.10a).

    Raises ``CapsuleError`` for what is not conformant, a stale stamp included,
    and ``Unfittable`` where the line would take it over 1,200 bytes.

    >>> import pcsf_lark
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> pcsf_lark.stamp(EXAMPLE).integrity.line
    'INTEGRITY: crc32=4be81e01 chars=742'
    """
    from pcsf_lark.passes import stamp as passes  # noqa: PLC0415 - likewise

    return passes.stamp(standing(capsule))


def unstamp(capsule: Capsule | Text) -> Capsule:
    """The capsule without INTEGRITY; raises ``CapsuleError`` for what is not conformant."""
    from pcsf_lark.passes import stamp as passes  # noqa: PLC0415 - likewise

    return passes.unstamp(standing(capsule))


def diff(a: Capsule | Text, b: Capsule | Text) -> list[Change]:
    """What changed from ``a`` to ``b``, entry by entry; empty where they are equal.

    Raises ``CapsuleError`` for text that is not conformant.

    >>> import pcsf_lark
    >>> from attrs import evolve
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> first, second = EXAMPLE.loops
    >>> urgent = evolve(EXAMPLE, loops=(first, evolve(second, priority="HIGH")))
    >>> for change in pcsf_lark.diff(EXAMPLE, urgent):
    ...     print(change["kind"], change["layer"], change["key"])
    changed L5 who owns the retry budget?
    """
    from pcsf_lark.passes import diff as passes  # noqa: PLC0415 - likewise

    return passes.diff(*(x if isinstance(x, Capsule) else parse(x) for x in (a, b)))


def to_cso(
    capsule: Capsule | bytes | str, *, mode: str = "CONVERSATION", into_session: bool = False
) -> CognitiveStateObject:
    """The capsule as an unsigned Cognitive State Object; ``from_cso`` gives its bytes back.

    ``mode`` is the goal's: DOCUMENT, CONVERSATION, TOOL or AGENTIC. With
    ``into_session`` the ids are told apart from those of other imports. Raises
    ``CapsuleError`` for what is not conformant and `cso.ContentError` for another
    mode.

    >>> import pcsf_lark
    >>> from pcsf_lark.protocols.template import EXAMPLE
    >>> state = pcsf_lark.to_cso(EXAMPLE)
    >>> state.decisions[0].choice, state.open_questions[-1]
    ('one queue for each tenant', 'who owns the retry budget?')
    >>> pcsf_lark.from_cso(state).text == pcsf_lark.format(EXAMPLE)
    True
    """
    from pcsf_lark.passes import to_cso as passes  # noqa: PLC0415 - likewise

    return passes.to_cso(standing(capsule), mode=mode, into_session=into_session)


def from_cso(
    cso: CognitiveStateObject,
    *,
    budget: int = LIMIT,
    domain: str = "general",
    timestamp: str | None = None,
    prefer: str | None = None,
    strict: bool = False,
    stamp: bool = False,
) -> Export:
    """The object as a capsule within ``budget`` bytes, with exact figures of what is kept.

    See ``passes.from_cso``, which this calls; here ``warnings`` also tell secrets
    and instructions (S rules), since a state object may hold what a capsule must
    not.

    >>> import pcsf_lark
    >>> from cso import CognitiveStateObject, Decision, GoalState
    >>> goal = GoalState(mode="AGENTIC", objective="size the cluster")
    >>> scale = Decision(decision_id="d1", choice="5 nodes", rationale="load", window_origin=1)
    >>> state = CognitiveStateObject(
    ...     cso_id="s", window_number=1, goal_state=goal, decisions=[scale]
    ... )
    >>> made = pcsf_lark.from_cso(state, timestamp="2026-03-14T16:05Z")
    >>> made.capsule.skeleton[0].line, made.kept["decisions"]
    ('CHOICE | 5 nodes | load', (1, 1))
    """
    from pcsf_lark.passes import from_cso as passes  # noqa: PLC0415 - likewise

    made = passes.from_cso(
        cso,
        budget=budget,
        domain=domain,
        timestamp=timestamp,
        prefer=prefer,
        strict=strict,
        stamp=stamp,
    )
    findings = check_source(Source.of(made.text), codes=chosen(["S"])).findings
    told = tuple(f"line {f.span.line}: {f.message} [{f.code}]; {f.help}" for f in findings)
    return evolve(made, warnings=(*made.warnings, *told)) if told else made
