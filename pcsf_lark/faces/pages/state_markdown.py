"""State objects and chains as Markdown; a graph is drawn by Mermaid, which GitHub renders.

An issue holds 65,536 characters: of what would not fit, the number is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.faces.pages.chain_view import ChainView
from pcsf_lark.faces.pages.escaping import code, inline, start
from pcsf_lark.faces.pages.mermaid import mermaid
from pcsf_lark.faces.pages.state_view import StateView
from pcsf_lark.faces.pages.wording import cut

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pcsf_lark.faces.pages.chain_links import Judgement
    from pcsf_lark.faces.pages.chain_view import WindowView
    from pcsf_lark.faces.pages.state_view import ItemView, Listed, Signature, Unreadable

__all__ = ["written"]

#: The most characters of a text, a section and the windows of a chain.
_TEXT, _SECTION, _WINDOWS = 300, 6_000, 30_000


def written(view: StateView | ChainView | Unreadable) -> str:
    """The view as GitHub-flavoured Markdown; nothing of its content becomes structure."""
    if isinstance(view, StateView):
        lines = _state(view)
    elif isinstance(view, ChainView):
        lines = _chain(view)
    else:
        lines = _unreadable(view)
    return "\n".join(lines) + "\n"


def _short(text: str) -> str:
    return inline(cut(text, _TEXT))


def _state(view: StateView) -> Iterator[str]:
    yield f"## {_short(view.topic)}"
    yield ""
    about = (f"{name} {_short(value)}" for name, value in view.about)
    kept = ["preserved what came before it"] if view.preserved else []
    yield " · ".join([_signed(view.signature), *kept, *about])
    yield ""
    if view.success:
        yield f"Done when {_short(view.success)}"
        yield ""
    yield from _section("Constraints", view.constraints)
    yield from _section("Decisions", view.decisions)
    if view.drawing:
        yield "### What rests on what"
        yield ""
        yield from mermaid(view.drawing)
        yield ""
    yield from _section("Remaining", view.remaining)
    yield from _section("Open questions", view.questions)
    yield from _section("Facts", view.facts)
    yield from _section("Answered questions", view.answered)
    yield from _section("What was changed, and why", view.records)
    if view.findings:
        yield f"### Findings ({len(view.findings) + view.more_findings:,})"
        yield ""
        yield from _findings(view)


def _section(title: str, listed: Listed) -> Iterator[str]:
    if not listed.count:
        return
    yield f"### {title} ({listed.count:,})"
    yield ""
    rows = (_item(row) if not isinstance(row, str) else _text(row) for row in listed.rows)
    yield from _bounded(rows, listed.count, _SECTION)
    yield ""


def _bounded(rows: Iterable[str], total: int, room: int) -> Iterator[str]:
    """Rows as long as there is room, at least one, and how many there are beyond."""
    shown = 0
    for row in rows:
        room -= len(row) + 1
        if shown and room < 0:
            break
        shown += 1
        yield row
    if shown < total:
        yield f"- and {total - shown:,} more"


def _text(text: str) -> str:
    return f"- {start(cut(text, _TEXT))}"


def _item(item: ItemView) -> str:
    status = f" **{item.status}**" if item.status else ""
    says = _short(item.says)
    if item.status in ("INVALIDATED", "SUPERSEDED"):
        says = f"~~{says}~~"
    more = "".join(f"; _{role}_ {_short(text)}" for role, text in item.more)
    return f"- {code(cut(item.id, 80))}{status} {says}{more}"


def _signed(signed: Signature) -> str:
    told = {
        "verified": "✓ signature verified",
        "broken": f"✗ **signature does not hold** ({_short(signed.reason)})",
        "unchecked": "signed, not verified",
        "unsigned": "not signed",
    }[signed.state]
    return f"{told} {code(signed.tag[:19])}".rstrip()


def _findings(view: StateView | Unreadable) -> Iterator[str]:
    for found in view.findings:
        at = f", at {code(cut(found.at, 80))}" if found.at else ""
        yield f"- {start(cut(found.message, _TEXT))} {code(found.code)}{at}"
    if view.more_findings:
        yield f"- and {view.more_findings:,} more"


def _unreadable(view: Unreadable) -> Iterator[str]:
    yield f"## {_short(view.topic)}"
    yield ""
    yield code(view.name)
    yield ""
    yield from _findings(view)


def _chain(view: ChainView) -> Iterator[str]:
    yield f"## {_short(view.topic)}"
    yield ""
    yield " · ".join(f"{name} {_short(value)}" for name, value in view.about)
    yield ""
    for one in view.judgements:
        yield f"- {_judged(one)}"
    for fault in view.faults:
        yield f"- ✗ {_short(fault)}"
    yield ""
    if view.drawing:
        yield "### Branches"
        yield ""
        yield from mermaid(view.drawing, "LR")
        yield ""
    yield "### Windows"
    yield ""
    total = len(view.windows) + view.gap
    # The newest first: those that are cut off are the least needed.
    yield from _bounded(map(_window, reversed(view.windows)), total, _WINDOWS)


def _judged(one: Judgement) -> str:
    branch = f"{code(one.branch)} " if one.branch else ""
    if one.status == "BROKEN":
        told = "✗ **broken**" + (f" at {one.at}" if one.at else "") + f": {_short(one.reason)}"
    elif not one.checked:
        told = f"not verified: {_short(one.reason)}"
    else:
        told = f"✓ {one.status.lower()}" + (f" ({_short(one.reason)})" if one.reason else "")
    return branch + told + "".join(f"; ✗ {_short(note)}" for note in one.notes)


def _window(window: WindowView) -> str:
    link = window.link
    state = {
        "verified": "✓ verified",
        "broken": f"✗ **breaks here**: {_short(window.reason)}",
        "after-break": "✗ after the break",
        "linked": "not verified",
    }[window.state]
    heads = "".join(f" ← {code(head)}" for head in link.heads)
    of = f" of {_short(link.topic)}" if link.topic else ""
    parts = [state, *([inline(link.kind) + of] if link.kind else []), link.when]
    parts += [f"{number} {name}" for name, number in link.lost if number]
    lines = [f"- **Window {window.number}** {code(window.tag[:19])}{heads}: "]
    lines[0] += " · ".join(part for part in parts if part)
    for what, kind, name, text in window.changes:
        said = f": {_short(text)}" if text else ""
        lines.append(f"  - {what} {kind} **{_short(name)}**{said}")
    if window.more_changes:
        lines.append(f"  - and {window.more_changes:,} more changes")
    return "\n".join(lines)
