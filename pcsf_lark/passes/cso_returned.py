"""What came from a capsule goes back to where it stood, as it reads today.

An entry whose item was superseded shows what stands for it; one that needs
revision, or is stale, moves to L3; one that was invalidated leaves. Texts of the
arrays are found again by what they say, and an edited one by its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cso import Decision, RecordKind, Status
from cso.lineage import head
from pcsf_lark.passes.complement import OBJECTIVE
from pcsf_lark.passes.cso_text import EMPTY
from pcsf_lark.passes.to_cso import DECIDED, RULED_OUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cso.model import Fact, Item
    from pcsf_lark.passes.complement import Complement, Row
    from pcsf_lark.passes.cso_lines import Draft

__all__ = ["found_again", "returned", "source_of"]

_DOING = ("INCOMPLETE_TASK", "PROMISE")
_ARRAYS = ("constraints", "open_questions", "remaining")
#: For each array, what a text that came in reads today.
Places = dict[str, dict[str, str]]


def returned(draft: Draft, old: Complement) -> None:
    """Add the lines of everything that a complement has a row for."""
    for row in old.rows["L1"]:
        _skeleton(draft, row)
    for row in old.rows["L2"]:
        _negative(draft, row)
    places = _places(draft, old)
    for row in old.rows["L3"]:
        _internal(draft, row, places)
    for row in old.rows["L4"]:
        _relation(draft, row, places)
    for row in old.rows["L5"]:
        if (text := _text(draft, "L5", row, places)) is not None:
            draft.add("L5", text, row["type"], text, row["priority"], authored=True)


def _array(layer: str, row: Row) -> str:
    """Which array of the object holds a row's text."""
    if layer in ("L1", "L4"):
        return "constraints"
    return "remaining" if row["type"] in _DOING else "open_questions"


def _places(draft: Draft, old: Complement) -> Places:
    """For each array, what the texts that came in read today."""
    cso = draft.cso
    came: dict[str, dict[str, None]] = {name: {} for name in _ARRAYS}
    for layer, rows in old.rows.items():
        for row in rows:
            if "text" in row:
                came[_array(layer, row)][row["text"]] = None
    advances = (record for record in cso.revisions if record.kind is RecordKind.ADVANCE)
    ended = {
        "constraints": set[str](),
        "open_questions": {entry.question for entry in cso.resolved_questions},
        "remaining": {entry for record in advances for entry in record.affected},
    }
    now = {
        "constraints": cso.constraints,
        "open_questions": cso.open_questions,
        "remaining": cso.goal_state.remaining,
    }
    return {name: found_again(tuple(came[name]), now[name], ended[name]) for name in _ARRAYS}


def found_again(old: Sequence[str], new: Sequence[str], ended: Iterable[str]) -> dict[str, str]:
    """Map each old text to what it reads today; what is gone is not in the map.

    Exact texts first; then a new text takes the place of an old one that stood
    where it stands now, behind the same neighbour, and was not `ended`.
    """
    gone = set(ended)
    before = [text for text in old if text not in gone or text in new]
    place = {text: at for at, text in enumerate(before)}
    found = {text: text for text in new if text in place}
    at = -1
    for text in new:
        if text in place:
            at = place[text]
        elif at + 1 < len(before) and before[at + 1] not in found:
            at += 1
            found[before[at]] = text
    return found


def _text(draft: Draft, layer: str, row: Row, places: Places) -> str | None:
    """What a row's text reads today; tells it where it is gone."""
    array = _array(layer, row)
    text = places[array].get(row["text"])
    if text is None:
        draft.leave(layer, row["text"], row["text"], "no longer in the object")
        return None
    draft.said.add((array, text))
    return text


def _skeleton(draft: Draft, row: Row) -> None:
    limits = draft.cso.constraints
    bound = row["type"] == "CONSTRAINT" and "text" in row
    item = draft.standing("L1", row["id"], fixed=bound and row["text"] in limits)
    if bound:
        draft.said.add(("constraints", row["text"]))  # its fact speaks for it, whatever it says
    if item is None:
        return
    revised = item.id != row["id"]
    if isinstance(item, Decision):
        kind = row["type"] if row["type"] in DECIDED and not revised else "PIVOT"
        draft.add("L1", item.id, kind, item.choice, item.rationale, authored=not revised)
        return
    kind = "DISCOVERY" if row["type"] in DECIDED else row["type"]
    if bound:
        draft.said.add(("constraints", item.statement))
        if not {row["text"], item.statement} & {*limits}:
            kind = "DISCOVERY"
    fixed = kind == "CONSTRAINT"
    reason = _reason(draft, row["id"], item)
    draft.add("L1", item.id, kind, item.statement, reason, authored=not revised, fixed=fixed)


def _reason(draft: Draft, name: str, item: Fact) -> str:
    """Why an L1 fact holds: its premise, or its source where that does not stand."""
    why = head(draft.items, f"{name}.why")
    premise = draft.items.get(why)
    if premise is None or premise.status is not Status.VALID or isinstance(premise, Decision):
        return source_of(item)
    draft.done.update((why, f"{name}.why"))
    return premise.statement


def source_of(item: Item) -> str:
    """Where an item comes from, in one field."""
    source = item.provenance.value if item.provenance else EMPTY
    return f"{source} {item.provenance_ref}".rstrip()


def _negative(draft: Draft, row: Row) -> None:
    item = draft.standing("L2", row["id"])
    if item is None:
        return
    if not isinstance(item, Decision) or item.id != row["id"]:
        draft.done.discard(item.id)  # taken up after all: it is projected like any other
        draft.leave("L2", row["id"], row["option"], Status.SUPERSEDED.value)
        return
    option = item.alternatives[0] if item.alternatives else item.choice
    if option == row["option"] and item.choice != RULED_OUT + option:
        option = item.choice  # edited, where the alternative was not
    learnt = head(draft.items, row["lesson"])
    lesson = draft.items.get(learnt)
    stands = lesson is not None and lesson.status is Status.VALID
    if lesson is None or isinstance(lesson, Decision) or not stands:
        draft.add("L2", item.id, option, item.rationale, EMPTY)
        return
    draft.done.update((learnt, row["lesson"]))
    draft.add("L2", item.id, option, item.rationale, lesson.statement, authored=True)


def _internal(draft: Draft, row: Row, places: Places) -> None:
    if "id" in row:
        item = draft.standing("L3", row["id"])
        if item is not None:
            said = item.choice if isinstance(item, Decision) else item.statement
            draft.add("L3", item.id, row["type"], said, authored=True)
        return
    if row.get("of") == OBJECTIVE:
        goal = draft.cso.goal_state.objective
        if goal:
            draft.add("L3", OBJECTIVE, row["type"], goal, authored=True)
        else:
            draft.leave("L3", OBJECTIVE, "", "the goal has no objective any more")
        return
    text = _text(draft, "L3", row, places)
    if text is not None:
        draft.add("L3", text, row["type"], text, authored=True)


def _relation(draft: Draft, row: Row, places: Places) -> None:
    name = "".join(
        c if c.isascii() and (c.isalpha() or c == "_") else "_" for c in row["dimension"]
    )
    if "id" in row:
        item = draft.standing("L4", row["id"])
        if item is not None:
            said = item.choice if isinstance(item, Decision) else item.statement
            draft.add("L4", item.id, name or "_", said, authored=True)
        return
    text = _text(draft, "L4", row, places)
    if text is not None:
        draft.add("L4", text, name or "_", text, authored=True, fixed=True)
