"""A capsule as a Cognitive State Object (CRP-SPEC-030): nothing is lost.

The object's own members carry the meaning, `ext.pcsf` carries the rest, so that
`from_cso` gives the very bytes back. What comes in is a prior: confidence 0.5
throughout, unsigned and unverified. The stamp is a checksum and vouches for
nobody.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, TypeVar

from attrs import define, field

from cso import CognitiveStateObject, Decision, Edge, Fact, GoalState, Mode, Provenance, minted
from pcsf_lark.passes.canonical import canonical
from pcsf_lark.passes.complement import NAME, OBJECTIVE, Complement
from pcsf_lark.passes.stamp import is_due

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pcsf_lark.model import (
        Capsule,
        InternalEntry,
        LoopEntry,
        NegativeEntry,
        RelationEntry,
        SkeletonEntry,
    )
    from pcsf_lark.passes.complement import Row

E = TypeVar("E")

__all__ = ["DECIDED", "RULED_OUT", "to_cso"]

#: The L1 types that are decisions; the others are facts.
DECIDED = ("CHOICE", "PIVOT")
#: How the choice of an L2 decision begins; the option itself is its first alternative.
RULED_OUT = "Ruled out: "
_DOING = ("INCOMPLETE_TASK", "PROMISE")
_CONFIDENCE = 0.5
#: The largest integer that JSON carries exactly; `hops` may have any number of digits.
_LARGEST = 2**53 - 1


def to_cso(
    capsule: Capsule, *, mode: Mode | str = Mode.CONVERSATION, into_session: bool = False
) -> CognitiveStateObject:
    """The capsule as an unsigned object; `from_cso` gives its bytes back.

    ``mode`` is the goal's. With ``into_session`` the ids are told apart from those
    of other imports: `pcsf.<8 hex>.l1.1`, of CHAIN's origin and META's time.
    """
    if is_due(capsule):
        capsule = canonical(capsule)
    chain = capsule.chain
    window = min(int(chain.hops) + 1, _LARGEST) if chain else 1
    taken = _Import(_base(capsule) if into_session else NAME, window)
    rows = {
        "L1": _rows(taken.skeleton, capsule.skeleton),
        "L2": _rows(taken.negative, capsule.negative),
        "L3": _rows(taken.internal, capsule.internal),
        "L4": _rows(taken.relation, capsule.relation),
        "L5": _rows(taken.loop, capsule.loops),
    }
    seed = taken.fact("seed", capsule.seed.text)
    kept = Complement(
        version=capsule.version,
        meta=capsule.meta.values,
        seed=seed,
        window=window,
        layout=capsule.layout,
        final_lf=capsule.final_lf,
        chain=chain.values if chain else (),
        stamp=capsule.integrity.values if capsule.integrity else (),
        rows=rows,
    )
    goal = taken.objective
    return minted(
        CognitiveStateObject(
            cso_id="unminted",
            window_number=window,
            goal_state=GoalState(
                mode=mode,
                objective=capsule.meta.topic if goal is None else goal,
                remaining=tuple(taken.remaining),
            ),
            established_facts=tuple(taken.facts),
            decisions=tuple(taken.decisions),
            dependency_graph=tuple(taken.edges),
            constraints=tuple(taken.constraints),
            open_questions=tuple(taken.questions),
            ext={NAME: kept.members()},
        )
    )


def _base(capsule: Capsule) -> str:
    """The prefix of ids, told apart by where and when the capsule comes from."""
    times = (capsule.chain.origin if capsule.chain else "", capsule.meta.timestamp)
    return f"{NAME}.{sha256('|'.join(times).encode()).hexdigest()[:8]}"


def _rows(take: Callable[[int, E], Row], entries: Iterable[E]) -> tuple[Row, ...]:
    """The rows of a layer, its entries numbered from 1."""
    return tuple([take(number, entry) for number, entry in enumerate(entries, 1)])


@define
class _Import:
    """One import under way; the dicts are ordered sets, since arrays hold no text twice."""

    base: str
    window: int
    facts: list[Fact] = field(factory=list)
    decisions: list[Decision] = field(factory=list)
    edges: list[Edge] = field(factory=list)
    constraints: dict[str, None] = field(factory=dict)
    questions: dict[str, None] = field(factory=dict)
    remaining: dict[str, None] = field(factory=dict)
    objective: str | None = None

    def fact(self, name: str, text: str, source: Provenance = Provenance.CONVERSATION) -> str:
        """Add a fact and give its id."""
        made = Fact(
            fact_id=f"{self.base}.{name}",
            statement=text,
            provenance=source,
            confidence=_CONFIDENCE,
            window_origin=self.window,
        )
        self.facts.append(made)
        return made.fact_id

    def decision(self, name: str, choice: str, rationale: str, *rejected: str) -> str:
        """Add a decision and give its id."""
        made = Decision(
            decision_id=f"{self.base}.{name}",
            choice=choice,
            rationale=rationale,
            alternatives=rejected,
            window_origin=self.window,
        )
        self.decisions.append(made)
        return made.decision_id

    def skeleton(self, number: int, entry: SkeletonEntry) -> Row:
        """L1: decisions, and facts that rest on why they hold."""
        name = f"l1.{number}"
        if entry.type in DECIDED:
            return {"type": entry.type, "id": self.decision(name, entry.fact, entry.reason)}
        made = self.fact(name, entry.fact)
        self.edges.append(Edge(made, self.fact(f"{name}.why", entry.reason)))
        if entry.type != "CONSTRAINT":
            return {"type": entry.type, "id": made}
        self.constraints[entry.fact] = None
        return {"type": entry.type, "id": made, "text": entry.fact}

    def negative(self, number: int, entry: NegativeEntry) -> Row:
        """L2: the decision against an option, and the lesson that rests on it."""
        name = f"l2.{number}"
        made = self.decision(name, RULED_OUT + entry.option, entry.reason, entry.option)
        lesson = self.fact(f"{name}.lesson", entry.lesson, Provenance.DERIVED)
        self.edges.append(Edge(lesson, made))
        return {"id": made, "lesson": lesson, "option": entry.option}

    def internal(self, number: int, entry: InternalEntry) -> Row:
        """L3: open questions, the objective, and facts."""
        if entry.type in ("UNCERTAINTY", "UNRESOLVED"):
            self.questions[entry.content] = None
            return {"type": entry.type, "text": entry.content}
        if entry.type == "DIRECTION" and self.objective is None:
            self.objective = entry.content
            return {"type": entry.type, "of": OBJECTIVE}
        felt = entry.type == "INTUITION"
        source = Provenance.DERIVED if felt else Provenance.CONVERSATION
        return {"type": entry.type, "id": self.fact(f"l3.{number}", entry.content, source)}

    def relation(self, number: int, entry: RelationEntry) -> Row:
        """L4: boundaries are constraints, the rest are facts."""
        if entry.dimension == "BOUNDARY":
            self.constraints[entry.state] = None
            return {"dimension": entry.dimension, "text": entry.state}
        return {"dimension": entry.dimension, "id": self.fact(f"l4.{number}", entry.state)}

    def loop(self, _number: int, entry: LoopEntry) -> Row:
        """L5: what is left to do, and what is still asked."""
        (self.remaining if entry.type in _DOING else self.questions)[entry.description] = None
        return {"type": entry.type, "priority": entry.priority, "text": entry.description}
