"""The whole draft as a Cognitive State Object: the trail, what was said, what is open.

Laws: constraints and requests stand verbatim; a summary's words count less than entries; a
decision names its reason and what it was chosen over, where the log does; what a capsule
had no room for is here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from attrs import define, field

from cso import CognitiveStateObject, Decision, GoalState, Provenance, minted
from pcsf_lark.draft.cues import content_words
from pcsf_lark.draft.directives import directives
from pcsf_lark.draft.live import goal, requests
from pcsf_lark.draft.loops import open_items
from pcsf_lark.draft.phrases import clause
from pcsf_lark.draft.reasons import idle
from pcsf_lark.draft.trail import Trail, trail
from pcsf_lark.passes.to_cso import RULED_OUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pcsf_lark.draft.finding import Finding
    from pcsf_lark.draft.record import Record
    from pcsf_lark.draft.withholding import Veil

__all__ = ["FINISH", "State", "state_of"]

#: What a draft says of itself.
FINISH: Final = (
    "Drafted from the log without a model: what stands here is quoted, what needs understanding "
    "is missing. A person or a model should finish it."
)
_DECIDED: Final = ("CHOICE", "PIVOT")


@define
class State:
    """An object under way, and the messages behind each of its texts and ids."""

    trail: Trail
    decisions: dict[str, Decision] = field(factory=dict)
    texts: dict[str, dict[str, tuple[int, ...]]] = field(
        factory=lambda: {"constraints": {}, "open_questions": {}, "remaining": {}, "objective": {}}
    )

    def say(self, member: str, text: str, at: Iterable[int]) -> None:
        """Add a text to an array, once."""
        shown = self.trail.veil.hide(text).strip()
        if shown:
            held = self.texts[member]
            held[shown] = tuple(dict.fromkeys((*held.get(shown, ()), *at)))

    def decide(
        self,
        choice: str,
        why: str,
        at: Sequence[int],
        *,
        by: str = "assistant",
        over: Sequence[str] = (),
    ) -> str:
        """Add a decision, or what it was chosen over to one that stands."""
        hide, names = self.trail.veil.hide, self.trail.record.names
        entry, text = names[at[-1]], hide(choice)
        name = self.trail.name("decision", entry, text)
        known = self.decisions.get(name)
        rejected = tuple(dict.fromkeys((*(known.alternatives if known else ()), *map(hide, over))))
        reason = hide(why) or (known.rationale if known else "")
        self.decisions[name] = Decision(
            decision_id=name, choice=text, rationale=reason, alternatives=rejected, window_origin=1,
            provenance=Provenance.USER if by == "user" else Provenance.CONVERSATION, provenance_ref=entry,
        )  # fmt: skip
        self.trail.at[name] = tuple(at)
        return name


def state_of(
    record: Record, findings: Sequence[Finding], veil: Veil
) -> tuple[CognitiveStateObject, State]:
    """The object, and where its parts come from."""
    state = State(trail(record, veil))
    asked = _requests(state)
    _constraints(state)
    _decided(state, findings, asked)
    _chosen(state)
    _open(state, findings)
    live = goal(record)
    if live is not None:
        state.say("objective", clause(live.text), live.at)
    return minted(_object(state)), state


def _object(state: State) -> CognitiveStateObject:
    record = state.trail.record
    items = list(record.manifest.of("open"))
    done = sum(fact.subkind in ("plan-done", "box-done") for fact in items)
    left = sum(1 for _ in open_items(record))
    remaining = tuple(state.texts["remaining"])
    share = done / (done + max(left, len(remaining))) if done else 0.0
    order = {name: at for at, name in enumerate(state.trail.at)}
    known = {**state.trail.facts, **state.decisions}
    return CognitiveStateObject(
        cso_id="unminted",
        window_number=1,
        goal_state=GoalState(
            mode="AGENTIC" if record.actions else "CONVERSATION",
            objective=next(iter(state.texts["objective"]), ""),
            remaining=remaining,
            completion=round(share, 4),
        ),
        established_facts=sorted(
            state.trail.facts.values(),
            key=lambda fact: (min(state.trail.at[fact.fact_id]), order[fact.fact_id]),
        ),
        decisions=tuple(state.decisions.values()),
        dependency_graph=[
            edge
            for edge in state.trail.edges.values()
            if {edge.dependent, edge.depends_on} <= known.keys()
        ],
        constraints=tuple(state.texts["constraints"]),
        open_questions=tuple(state.texts["open_questions"]),
        ext={"draft": _notes(state)},
    )


def _notes(state: State) -> dict[str, Any]:
    """What the draft says of itself and of its log."""
    record = state.trail.record
    log = record.log
    told = {
        "id": record.mark, "format": log.format, "session": log.session_id, "leaf": log.leaf,
        "model": log.model, "last": log.last_time, "size": len(log.entries) or len(record.messages),
    }  # fmt: skip
    cut = {"since": record.since} if record.since else {}
    return {
        **cut,
        "finish": FINISH,
        "log": {name: value for name, value in told.items() if value is not None},
        "messages": sum(record.new(at) for at in range(len(record.messages))),
        "withheld": state.trail.veil.counts,
    }


def _requests(state: State) -> dict[int, str]:
    """Facts of what was asked, verbatim; the ids by message."""
    ids: dict[int, str] = {}
    for item in requests(state.trail.record):
        if state.trail.record.new(item.at[-1]):
            by = "user" if item.by_user else state.trail.record.origin(item.at[0])
            name = state.trail.add("request", item.text, by, *item.at)
            if name is not None:
                ids.setdefault(item.at[0], name)
    return ids


def _constraints(state: State) -> None:
    """What the user sets holds; what templates, plans and summaries say is a fact of theirs."""
    record = state.trail.record
    for fact in record.manifest.of("constraint"):
        if not record.new(fact.index):
            continue
        if fact.by == "user" and fact.subkind == "strong":
            state.say("constraints", fact.text, (fact.index,))
        if fact.subkind == "strong" or fact.by in ("user", "summary"):
            state.trail.add("constraint", fact.text, fact.by, fact.index)
    for _, words, index in directives(record):
        if not record.new(index) and record.origin(index) != "summary":
            continue
        if not any(words in text for text in state.texts["constraints"]):
            state.say("constraints", words, (index,))
            state.trail.add("directive", words, record.origin(index), index)


def _decided(state: State, findings: Sequence[Finding], asked: dict[int, str]) -> None:
    """Decisions and discoveries with their reasons, and what was ruled out."""
    for item in findings:
        if item.layer == "L1":
            kind, said, why = item.fields
            if kind in _DECIDED:
                by = "user" if state.trail.record.origin(item.place) == "user" else "assistant"
                name: str | None = state.decide(said, why, item.at, by=by)
            else:
                by = state.trail.record.origin(item.place)
                name = state.trail.add("finding", said, by, *item.at[::-1])
                state.trail.tie(name, state.trail.add("why", why, by, *item.at[::-1]))
            state.trail.tie(name, asked.get(item.at[0]))
        elif item.layer == "L2":
            option, why, lesson = item.fields
            _rule_out(state, option, why, lesson, item.at)


def _rule_out(state: State, option: str, why: str, lesson: str, at: Sequence[int]) -> None:
    """Tie an option to the decision that took its place, or rule it out by itself."""
    heir = next(
        (d for d in state.decisions.values() if d.choice == state.trail.veil.hide(lesson)), None
    )
    if heir is not None:
        state.decide(lesson, heir.rationale, state.trail.at[heir.decision_id], over=[option])
        return
    name = state.decide(RULED_OUT + option, why, at, over=[option])
    state.trail.tie(state.trail.add("instead", lesson, "assistant", *list(at)[::-1]), name)


def _chosen(state: State) -> None:
    """Decisions the manifest saw that no finding has: choices in so many words."""
    record = state.trail.record
    said = [d.choice for d in state.decisions.values()]
    for fact in record.manifest.of("decision"):
        if not record.new(fact.index) or fact.subkind not in ("chosen", "picked"):
            continue
        words = clause(fact.text)
        if idle(fact.text) or len(content_words(words)) < 3:
            continue
        if any(state.trail.veil.hide(words) in choice or choice in words for choice in said):
            continue
        why = clause(fact.reason.text) if fact.reason is not None else ""
        over = [clause(quote.text) for quote in fact.rejected]
        state.decide(words, why, (fact.index,), by=fact.by, over=over)


def _open(state: State, findings: Sequence[Finding]) -> None:
    for item in findings:
        if item.layer == "L5":
            asks = item.fields[0] == "DEFERRED_QUESTION"
            state.say("open_questions" if asks else "remaining", item.fields[1], item.at)
        elif item.layer == "L3" and item.fields[0] != "DIRECTION":
            state.say("open_questions", item.fields[1], item.at)
        elif item.layer == "L3":
            state.trail.add("direction", item.fields[1], "assistant", *item.at)
    record = state.trail.record
    for fact in record.manifest.of("open"):
        if fact.by == "summary" and fact.subkind == "box-item":
            state.trail.add(
                "left", f"a summary says it remains: {fact.value}", "summary", fact.index
            )
