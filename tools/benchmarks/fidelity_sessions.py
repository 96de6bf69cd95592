"""One made-up session as a push: a capsule, a state object, or a log that is drafted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from attrs import frozen

from benchmarks.fidelity_words import file_of
from cso import CognitiveStateObject, Decision, Fact, GoalState, Mode, Provenance
from cso.codec import minted
from kernel.sessions import chat
from pcsf_lark.draft import draft
from pcsf_lark.model import (
    Capsule,
    InternalEntry,
    LoopEntry,
    Meta,
    NegativeEntry,
    RelationEntry,
    Seed,
    SkeletonEntry,
)
from pcsf_lark.passes.fit import fit
from pcsf_lark.relay import of_capsule, of_draft, of_object
from pcsf_lark.spec import VERSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.relay import Incoming

__all__ = ["Content", "pushed_as"]

Row = tuple[str, ...]


@frozen(kw_only=True)
class Content:
    """What a session has to say; the rows are those of the phrase tables, part last."""

    hop: int
    now: str
    constraints: Row
    again: Row
    choices: tuple[Row, ...]
    rejected: tuple[Row, ...]
    loops: tuple[tuple[str, str], ...]
    doubt: str

    @property
    def task(self) -> str:
        """What it was about."""
        return f"work on the {self.choices[0][-1]}, part {self.hop + 1}"

    @property
    def trail(self) -> Row:
        """Files changed and tests run, as a draft says it."""
        parts = [row[-1] for row in self.choices]
        files = [f"changed: {file_of(part)}" for part in parts]
        tests = [f"ok: pytest -q tests/test_{part.replace(' ', '_')}.py" for part in parts[:2]]
        return (*files, *tests)


def pushed_as(kind: str, content: Content) -> Incoming:
    """The push; ``kind`` is capsule, cso or log."""
    return {"capsule": _capsule, "cso": _object, "log": _log}[kind](content)


def _capsule(content: Content) -> Incoming:
    """As a model writes it: within the limit, one file told of."""
    bound = [(text, "agreed with the owner") for text in (*content.constraints, *content.again)]
    made = Capsule(
        version=VERSIONS[-1],
        meta=Meta(content.task, "software", "WORKING", content.now),
        skeleton=(
            *(SkeletonEntry("CONSTRAINT", *row) for row in bound),
            *(SkeletonEntry("CHOICE", row[0], row[1]) for row in content.choices),
            SkeletonEntry("OUTCOME", content.trail[0], "part of the work of this session"),
        ),
        negative=tuple(NegativeEntry(*row[:3]) for row in content.rejected),
        internal=(
            InternalEntry("DIRECTION", f"I was going to {content.task}."),
            *(
                [InternalEntry("UNCERTAINTY", f"I do not know {content.doubt}.")]
                * bool(content.doubt)
            ),
        ),
        relation=(
            RelationEntry("STYLE", "short answers, numbers first"),
            RelationEntry("TRUST", "may commit, asks before a release"),
        ),
        loops=tuple(
            LoopEntry("DEFERRED_QUESTION" if urgency == "LOW" else "INCOMPLETE_TASK", text, urgency)
            for text, urgency in content.loops
        ),
        seed=Seed(f"Session {content.hop + 1} settled how to {content.choices[-1][0]}"),
    )
    return of_capsule(fit(made).capsule)


def _object(content: Content) -> Incoming:
    """As a program writes it: the trail in full, what remains without urgency."""
    taken = [
        Decision(
            decision_id=f"d{number}", choice=row[0], rationale=row[1], window_origin=1,
            alternatives=[row[0] for row in content.rejected] if not number else (),
        )
        for number, row in enumerate(content.choices)
    ]  # fmt: skip
    facts = [
        Fact(
            fact_id=f"t{number}", statement=text, provenance=Provenance.TOOL, confidence=0.9,
            window_origin=1, provenance_ref=f"s{content.hop}.{number}",
        )
        for number, text in enumerate(content.trail)
    ]  # fmt: skip
    made = CognitiveStateObject(
        cso_id="unminted",
        window_number=1,
        goal_state=GoalState(
            mode=Mode.AGENTIC,
            objective=content.task,
            remaining=[text for text, urgency in content.loops if urgency == "HIGH"],
        ),
        established_facts=facts,
        decisions=taken,
        constraints=(*content.constraints, *content.again),
        open_questions=[content.doubt] if content.doubt else (),
    )
    return of_object(minted(made))


def _log(content: Content) -> Incoming:
    """As a log tells it, drafted."""
    return of_draft(draft(chat.read(list(_talk(content))), now=content.now))


def _talk(content: Content) -> Iterator[dict[str, Any]]:
    calls = 0

    def ran(words: str, name: str, result: str, **arguments: str) -> Iterator[dict[str, Any]]:
        nonlocal calls
        calls += 1
        function = {"name": name, "arguments": json.dumps(arguments)}
        call = {"id": f"c{calls}", "type": "function", "function": function}
        yield {"role": "assistant", "content": words, "tool_calls": [call]}
        yield {"role": "tool", "tool_call_id": f"c{calls}", "content": result}

    terms = " ".join(f"{text[0].upper()}{text[1:]}." for text in content.constraints)
    yield {"role": "user", "content": f"Please {content.task}. {terms}".strip()}
    for option, reason, lesson, part in content.rejected:
        yield {"role": "assistant", "content": f"We could {option}, that would be quickest."}
        yield {"role": "user", "content": f"No, not for the {part}: {reason}. Rather {lesson}."}
    for choice, reason, part in content.choices:
        words = f"I'll {choice} because {reason}."
        yield from ran(words, "edit", "done", path=file_of(part), oldText="a", newText="b")
        test = f"pytest -q tests/test_{part.replace(' ', '_')}.py"
        yield from ran("Let me run its tests.", "bash", "4 passed in 0.12s", command=test)
    last = [text for text, urgency in content.loops if urgency != "LOW"]
    done = "That part is done."
    yield {"role": "assistant", "content": f"{done} I'll {last[-1]} next." if last else done}
