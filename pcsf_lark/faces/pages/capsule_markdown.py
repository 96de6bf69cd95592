"""A capsule as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.faces.pages.escaping import code, inline, start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.faces.pages.budget import Budget
    from pcsf_lark.faces.pages.capsule_findings import Found
    from pcsf_lark.faces.pages.capsule_view import CapsuleView, EntryView, LayerView

__all__ = ["capsule_markdown"]

#: The cells of the budget's bar.
_CELLS = 40
_FULL, _BLANK = "\N{FULL BLOCK}", "\N{LIGHT SHADE}"
_INTEGRITY = {
    "absent": "Not stamped.",
    "verified": "Stamp verified.",
    "mismatch": "**Stamp does not match**: the file is not what was stamped.",
    "unread": "**Stamp cannot be read.**",
}


def capsule_markdown(view: CapsuleView) -> str:
    """The view as GitHub-flavoured Markdown; nothing of its content becomes structure."""
    return "\n".join(_lines(view)) + "\n"


def _lines(view: CapsuleView) -> Iterator[str]:
    yield f"## {inline(view.topic) or 'A capsule without a topic'}"
    yield ""
    verdict = "✓ conformant" if view.conformant else "✗ **not conformant**"
    yield " · ".join([verdict, *(f"{name} {inline(value)}" for name, value in view.about)])
    yield ""
    if view.seed:
        yield f"> {start(view.seed)}"
        yield ""
    yield from _budget(view.budget)
    if not view.conformant:
        yield from _findings(view)
    for layer in view.layers:
        yield from _layer(layer)
    chain = (
        f"{inline(view.hops)} hop{'s' * (view.hops != '1')} since {inline(view.origin)}."
        if view.hops
        else "No chain."
    )
    yield f"**Lineage** {chain} {_INTEGRITY[view.integrity]}"
    yield ""
    if view.conformant:
        yield from _findings(view)


def _findings(view: CapsuleView) -> Iterator[str]:
    if view.findings:
        yield f"**Findings** ({len(view.findings) + view.more_findings})"
        yield ""
        yield from map(_finding, view.findings)
        if view.more_findings:
            yield f"- and {view.more_findings:,} more"
        yield ""


def _budget(budget: Budget) -> Iterator[str]:
    yield f"**{budget.told}**"
    yield ""
    if budget.used is not None:
        span = max(budget.used, budget.limit)
        full = round(budget.used * _CELLS / span)
        yield f"`{_FULL * full}{_BLANK * (_CELLS - full)}`"
        yield ""
    yield "| " + " | ".join(share.key for share in budget.shares) + " |"
    yield "|" + " ---: |" * len(budget.shares)
    yield "| " + " | ".join(f"{share.size:,}" for share in budget.shares) + " |"
    yield ""


def _layer(layer: LayerView) -> Iterator[str]:
    yield f"### {layer.key} {layer.title} ({layer.count} of {layer.cap})"
    yield ""
    yield from map(_entry, layer.entries)
    if layer.left_out:
        yield f"- and {layer.left_out:,} more"
    if layer.count:
        yield ""


def _entry(entry: EntryView) -> str:
    token = f"**{inline(entry.token)}** " if entry.token else ""
    says = inline(entry.says) if token else start(entry.says)
    more = "".join(f"; _{role}_ {inline(text)}" for role, text in entry.more if text)
    return f"- {token}{says}{more}"


def _finding(found: Found) -> str:
    help_ = f" {inline(found.help)}" if found.help else ""
    return (
        f"- **{found.severity}** {code(found.code)} {found.name} at {code(found.place)}, "
        f"{inline(found.message)}.{help_}"
    )
