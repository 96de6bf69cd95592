"""A chain as it is shown: its windows in order, where it breaks, what each one changed.

Laws of this module: nothing is read here but through ``load``, which is asked for the
windows that are shown and those before them. Of a long chain the first windows and
the newest are shown; what is left out is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, field, frozen

import cso
from pcsf_lark.faces.pages.chain_graph import chain_drawing
from pcsf_lark.faces.pages.wording import cut, tag
from pcsf_lark.relay.differences import differences
from pcsf_lark.relay.notes import notes_of
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pcsf_lark.faces.pages.chain_links import Entry, Judgement, Link
    from pcsf_lark.faces.pages.graph_view import Drawing

__all__ = ["ChainView", "WindowView", "chain_view"]

#: The windows shown of a long chain, from its beginning and from its end; the changes of each.
_FIRST, _LAST, _CHANGES, _TEXT = 5, 95, 12, 300

#: Kinds of what changes as they are counted, where a difference names its list instead.
_KINDS = {"remaining": "step"}


@frozen(kw_only=True)
class WindowView:
    """A window: where it stands, whether it holds, and what it changed.

    ``state`` is verified, linked, broken or after-break; ``changes`` are (what, kind, name,
    text), from the window with the tag ``compared``.
    """

    number: str
    tag: str
    state: str
    reason: str
    follows: tuple[str, ...]
    link: Link
    counts: tuple[tuple[str, str], ...] = ()
    headers: tuple[str, ...] = ()
    changes: tuple[tuple[str, str, str, str], ...] = ()
    more_changes: int = 0
    compared: str = ""


@frozen(kw_only=True)
class ChainView:
    """All that is shown of a chain; ``gap`` windows are left out after the first shown."""

    name: str
    topic: str
    about: tuple[tuple[str, str], ...]
    judgements: tuple[Judgement, ...]
    windows: tuple[WindowView, ...]
    before_gap: int
    gap: int
    drawing: Drawing | None
    faults: tuple[str, ...] = field(default=())

    kind: str = "chain"

    @property
    def sound(self) -> bool:
        """Whether the exit code is 0."""
        broken = any(one.status == "BROKEN" or one.notes for one in self.judgements)
        return not broken and not self.faults


def chain_view(
    name: str,
    links: Sequence[Link],
    load: Callable[[int], Entry],
    judgements: Sequence[Judgement],
    *,
    session: str = "",
    faults: Sequence[str] = (),
) -> ChainView:
    """What is shown of a chain whose entries stand parents first."""
    total = len(links)
    first, last = (total, 0) if total <= _FIRST + _LAST else (_FIRST, _LAST)
    indices = [*range(first), *range(total - last, total)]
    place = {link.tag: index for index, link in enumerate(links) if link.tag}
    windows = tuple(_window(index, links, place, load, judgements) for index in indices)
    newest = load(total - 1) if total else None
    goal = newest.goal_state.objective if isinstance(newest, cso.CognitiveStateObject) else ""
    branches = sorted({head for link in links for head in link.heads})
    about = [("windows", f"{total:,}"), ("session", session), ("branches", ", ".join(branches))]
    return ChainView(
        name=name,
        topic=cut(goal, _TEXT) or "A chain of state objects",
        about=tuple((what, cut(text, _TEXT)) for what, text in about if text),
        judgements=tuple(evolve(one, at=_place(one.broken, links)) for one in judgements),
        windows=windows,
        before_gap=first,
        gap=total - len(indices),
        drawing=chain_drawing(links),
        faults=tuple(cut(fault, _TEXT) for fault in faults[:_CHANGES]),
    )


def _place(index: int | None, links: Sequence[Link]) -> str:
    """Which window it is, where there is one: by its number, or else by its place."""
    if index is None:
        return ""
    number = links[index].number
    return f"window {number}" if number else f"entry {index + 1}"


def _window(
    index: int,
    links: Sequence[Link],
    place: dict[str, int],
    load: Callable[[int], Entry],
    judgements: Sequence[Judgement],
) -> WindowView:
    link, entry = links[index], load(index)
    state, reason = _state(index, judgements)
    bare = WindowView(
        number=str(link.number) if link.number else "?",
        tag=link.tag,
        state=state,
        reason=reason,
        follows=tuple(tag(parent) for parent in link.parents),
        link=link,
    )
    if isinstance(entry, cso.Unreadable):
        return evolve(bare, state="broken", reason=reason or entry.reason)
    prior = _prior(index, entry, link, place, load)
    changes = differences(prior, entry) if prior is not None else ()
    score = cso.preservation(prior, entry) if prior is not None else None
    return evolve(
        bare,
        counts=_counts(entry),
        headers=tuple(str(header) for header in cso.relay_headers(entry, score, prior=prior)),
        changes=tuple(
            (
                one.what,
                _KINDS.get(one.kind, one.kind),
                cut(one.name, 80),
                _told(one.what, one.old, one.new, one.name),
            )
            for one in changes[:_CHANGES]
        ),
        more_changes=max(len(changes) - _CHANGES, 0),
        compared=tag(prior.cso_hmac) if prior is not None else "",
    )


def _prior(
    index: int,
    entry: cso.CognitiveStateObject,
    link: Link,
    place: dict[str, int],
    load: Callable[[int], Entry],
) -> cso.CognitiveStateObject | None:
    """The window that one continues: of several parents the one that a relay noted."""
    notes = notes_of(entry)
    known = [parent for parent in link.parents if place.get(parent, index) < index]
    known.sort(key=lambda parent: notes is None or parent != notes.base)
    found = load(place[known[0]]) if known else None
    return None if isinstance(found, cso.Unreadable) else found


def _told(what: str, old: str, new: str, name: str) -> str:
    if what in ("changed", "marked"):
        return cut(f"{old or 'nothing'} → {new or 'nothing'}", _TEXT)
    said = new or old
    return "" if said == name else cut(said, _TEXT)


def _state(index: int, judgements: Sequence[Judgement]) -> tuple[str, str]:
    """The worst that any branch knows of a window."""
    found = ("linked", "")
    for one in judgements:
        if one.members is not None and index not in one.members:
            continue
        if one.broken == index:
            return "broken", one.reason
        if one.broken is not None and index > one.broken:
            found = "after-break", ""
        elif one.checked and one.status == "BROKEN" and one.broken is None:
            continue  # nobody knows where
        elif one.checked and found[0] == "linked":
            found = "verified", ""
    return found


def _counts(value: cso.CognitiveStateObject) -> tuple[tuple[str, str], ...]:
    rows = (
        (len(value.established_facts), "fact"),
        (len(value.decisions), "decision"),
        (len(value.constraints), "constraint"),
        (len(value.open_questions), "open question"),
        (len(value.goal_state.remaining), "step"),
    )
    return tuple((noun, counted(number, noun)) for number, noun in rows if number)
