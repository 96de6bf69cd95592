"""A state object or a chain drawn for a terminal, as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from pcsf_lark.faces.pages.chain_view import ChainView
from pcsf_lark.faces.pages.state_view import StateView
from pcsf_lark.faces.pages.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from pcsf_lark.faces.pages.chain_links import Judgement
    from pcsf_lark.faces.pages.chain_view import WindowView
    from pcsf_lark.faces.pages.state_view import Listed, Signature, Unreadable

__all__ = ["parts"]

_SOFT = "bright_black"
_STATES = {
    "verified": ("verified", "green"),
    "broken": ("breaks here", "bold red"),
    "after-break": ("after the break", "red"),
    "linked": ("not verified", "yellow"),
}


def parts(view: StateView | ChainView | Unreadable) -> Iterator[RenderableType]:
    """The lines of a view; nothing of its content steers the terminal."""
    yield Text.assemble((_flat(view.topic), "bold"), ("  ", ""), (visible(view.name), _SOFT))
    if isinstance(view, StateView):
        yield from _state(view)
    elif isinstance(view, ChainView):
        yield from _chain(view)
    else:
        yield from _findings(view)


def _flat(text: str) -> str:
    return " ".join(visible(text).split())


def _in(text: Text, by: int = 2) -> Padding:
    return Padding(text, (0, 0, 0, by))


def _state(view: StateView) -> Iterator[RenderableType]:
    about = ", ".join(f"{name} {_flat(value)}" for name, value in view.about)
    yield Text.assemble(_signed(view.signature), ("; " + about, _SOFT))
    if view.success:
        yield Text(f"done when {_flat(view.success)}")
    for title, listed in (
        ("Constraints", view.constraints),
        ("Decisions", view.decisions),
        ("Remaining", view.remaining),
        ("Open questions", view.questions),
        ("Facts", view.facts),
    ):
        yield from _section(title, listed)
    if view.findings:
        yield Text()
        yield Text("Findings", style="bold")
        yield from _findings(view)


def _signed(signed: Signature) -> tuple[str, str]:
    return {
        "verified": ("signature verified", "green"),
        "broken": (f"signature does not hold: {_flat(signed.reason)}", "bold red"),
        "unchecked": ("signed, not verified", "yellow"),
        "unsigned": ("not signed", _SOFT),
    }[signed.state]


def _section(title: str, listed: Listed) -> Iterator[RenderableType]:
    if not listed.count:
        return
    yield Text()
    yield Text.assemble((title, "bold"), (f"  {listed.count:,}", _SOFT))
    for row in listed.rows:
        if isinstance(row, str):
            yield _in(Text(_flat(row)))
            continue
        status = (f" [{row.status}]", "yellow") if row.status else ""
        yield _in(Text.assemble((_flat(row.id), "cyan"), status, f" {_flat(row.says)}"))
        told = "; ".join(f"{role} {_flat(text)}" for role, text in row.more)
        yield _in(Text(told, style=_SOFT), 4)
    if listed.left_out:
        yield _in(Text(f"and {listed.left_out:,} more", style=_SOFT))


def _findings(view: StateView | Unreadable) -> Iterator[RenderableType]:
    for found in view.findings:
        yield _in(Text(_flat(str(found))))
    if view.more_findings:
        yield _in(Text(f"and {view.more_findings:,} more", style=_SOFT))


def _chain(view: ChainView) -> Iterator[RenderableType]:
    yield Text(", ".join(f"{name} {_flat(value)}" for name, value in view.about), style=_SOFT)
    for one in view.judgements:
        yield _judged(one)
    for fault in view.faults:
        yield Text(_flat(fault), style="bold red")
    for index, window in enumerate(view.windows):
        if view.gap and index == view.before_gap:
            yield Text()
            yield Text(f"... {view.gap:,} windows are not shown ...", style=_SOFT)
        yield Text()
        yield from _window(window)


def _judged(one: Judgement) -> Text:
    broken = one.status == "BROKEN"
    style = "bold red" if broken else "green" if one.checked else "yellow"
    told = f"{one.branch}: " * bool(one.branch) + (
        one.status if one.checked or broken else "not verified"
    )
    told += f" at {one.at}" if one.at else ""
    told += f": {_flat(one.reason)}" if one.reason else ""
    return Text(told + "".join(f"; {_flat(note)}" for note in one.notes), style=style)


def _window(window: WindowView) -> Iterator[RenderableType]:
    link = window.link
    state, style = _STATES[window.state]
    why = f": {_flat(window.reason)}" if window.reason else ""
    heads = "".join(f" <- {head}" for head in link.heads)
    more = " ".join(part for part in (link.when, link.kind, _flat(link.topic)) if part)
    yield Text.assemble(
        (f"window {window.number}", "bold"), f" {window.tag[:19]}{heads} ", (state + why, style)
    )
    if more:
        yield _in(Text(more, style=_SOFT))
    for what, kind, name, text in window.changes:
        said = f": {_flat(text)}" if text else ""
        yield _in(Text(f"{what} {kind} {_flat(name)}{said}"))
    if window.more_changes:
        yield _in(Text(f"and {window.more_changes:,} more changes", style=_SOFT))
