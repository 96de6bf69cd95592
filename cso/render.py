"""State as prompt text under a budget (R49).

Goal and constraints come first and are never cut. Whatever is left out is said
in its place, with its number and ids. Superseded and invalidated items take no
room; marks tell what waits for revision; a stale value shows its age or stays
out, and is never shown as current (R42).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import Factory, define, frozen

from cso import model
from cso.model import CognitiveStateObject, Decision, Fact, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Rendering", "render"]


Row = tuple[str, str]
Rows = list[tuple[str, str | None]]


@frozen
class Rendering:
    """The text, its size in the caller's measure, what was left out by section.

    `left_out` is complete, also where the text names only some ids. `over` is by
    how much what is never cut exceeds the budget, else 0.

    Attributes:
        text: The text.
        size: Its size.
    """

    text: str
    size: int
    left_out: dict[str, tuple[str, ...]]
    over: int = 0


def render(
    cso: CognitiveStateObject,
    budget: int,
    *,
    count: Callable[[str], int] = len,
    ages: Mapping[str, float] | None = None,
) -> Rendering:
    """Write the state for a prompt.

    `budget` is in what `count` measures, by default characters. `ages` gives the
    age in seconds of tool results by scratch id, for items that are STALE.
    """
    fixed = _fixed(cso)
    sections: dict[str, Rows] = {
        "Decisions": [
            (d.decision_id, _decision(d, ages or {})) for d in cso.decisions if _shown(d)
        ],
        "Facts": [(f.fact_id, _fact(f, ages or {})) for f in cso.established_facts if _shown(f)],
        "Remaining": [(entry, f"- {entry}") for entry in cso.goal_state.remaining],
        "Open questions": [(entry, f"- {entry}") for entry in cso.open_questions],
    }
    page = _Page(budget, count, [fixed], count(fixed))
    least = {title: page.least(title, rows) for title, rows in sections.items()}
    for title, rows in sections.items():
        del least[title]
        page.section(title, rows, sum(least.values()))
    text = "\n".join(page.lines) + "\n"
    left_out = {title: names for title, names in page.left_out.items() if names}
    return Rendering(text, count(text), left_out, max(0, count(text) - budget))


def _fixed(cso: CognitiveStateObject) -> str:
    goal = cso.goal_state
    lines = [f"Goal ({goal.mode.value}): {goal.objective or 'none stated'}"]
    if goal.success_test:
        lines.append(f"Done when: {goal.success_test}")
    if cso.constraints:
        lines.append("Constraints (all must hold):")
        lines.extend(f"- {constraint}" for constraint in cso.constraints)
    return "\n".join(lines)


def _shown(item: model.Item) -> bool:
    return item.status in model.LIVE or item.status is Status.ESCALATED


def _mark(item: model.Item, ages: Mapping[str, float]) -> str | None:
    """Give the mark of an item; None if it must not be shown."""
    if item.status is Status.STALE:
        age = ages.get(item.provenance_ref)
        return None if age is None else f" [STALE: {int(age)} s old]"
    return "" if item.status is Status.VALID else f" [{item.status.value}]"


def _fact(fact: Fact, ages: Mapping[str, float]) -> str | None:
    mark = _mark(fact, ages)
    if mark is None:
        return None
    source = fact.provenance.value + (f" {fact.provenance_ref}" if fact.provenance_ref else "")
    return f"- {fact.fact_id}: {fact.statement} ({source}){mark}"


def _decision(decision: Decision, ages: Mapping[str, float]) -> str | None:
    mark = _mark(decision, ages)
    if mark is None:
        return None
    why = f" because {decision.rationale}" if decision.rationale else " (no rationale)"
    no = f"; rejected: {', '.join(decision.alternatives)}" if decision.alternatives else ""
    return f"- {decision.decision_id}: {decision.choice}{why}{no}{mark}"


@define
class _Page:
    """Lines so far; a section takes what fits and says what does not."""

    budget: int
    count: Callable[[str], int]
    lines: list[str]
    used: int
    left_out: dict[str, tuple[str, ...]] = Factory(dict)

    def cost(self, line: str) -> int:
        return self.count("\n" + line)

    def least(self, title: str, rows: Rows) -> int:
        """Say how much room a section needs at least: for its note, or for itself."""
        short = self.cost(f"{title}: {note([], len(rows))}") if rows else 0
        texts = [text for _, text in rows if text is not None]
        if len(texts) < len(rows):
            return short
        return min(short, sum(map(self.cost, (f"{title}:", *texts)))) if rows else 0

    def section(self, title: str, rows: Rows, reserved: int) -> None:
        """Add one section; `reserved` is for the notes of those that follow."""
        if not rows:
            return
        hidden = [name for name, text in rows if text is None]
        wanted = [(name, text) for name, text in rows if text is not None]
        room = self.budget - self.used - reserved - 1
        whole = [f"{title}:", *(text for _, text in wanted)]
        if not hidden and sum(map(self.cost, whole)) <= room:
            block = whole
        else:
            block = self._cut(title, wanted, hidden, room)
        self.lines.extend(block)
        self.used += sum(map(self.cost, block))

    def _cut(self, title: str, wanted: list[Row], hidden: list[str], room: int) -> list[str]:
        """Take rows while the note on the rest still fits; half the room at most for ids."""
        room -= self.cost(f"{title}:") + self.cost(note([""], 10**6))
        ids = [self.count(f"{name}, ") for name, _ in wanted]
        rest = sum(ids) + sum(self.count(f"{name}, ") for name in hidden)
        fitting = taken = 0
        for number, (_, text) in enumerate(wanted):
            taken += self.cost(text)
            rest -= ids[number]
            if taken + min(rest, room // 2) > room:
                taken -= self.cost(text)
                break
            fitting = number + 1
        names = [*hidden, *(name for name, _ in wanted[fitting:])]
        self.left_out[title] = tuple(names)
        told, left = 0, room - taken
        for name in names:
            left -= self.count(f"{name}, ")
            if left < 0:
                break
            told += 1
        line = [note(names[:told], len(names))] if names else []
        shown = [text for _, text in wanted[:fitting]]
        return [f"{title}:", *shown, *line] if shown else [f"{title}: {line[0]}"]


def note(names: list[str], number: int) -> str:
    """Say how many entries were left out, and which, as far as `names` go."""
    if len(names) == number:
        return f"[left out: {number}: {', '.join(names)}]"
    more = f": {', '.join(names)}, and {number - len(names)} more" if names else ""
    return f"[left out: {number}{more}]"
