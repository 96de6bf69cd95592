"""What `pcsf aili` says to a person: the values of `aili_report` in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kernel.report import view_text
from kernel.wire.pi import decode
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kernel.projection.snapshot import Snapshot
    from pcsf_lark.faces.aili.writing import Step

__all__ = [
    "appended_text",
    "context_text",
    "lines",
    "place",
    "plan_text",
    "pressure_text",
    "stats_text",
    "view",
]


def lines(rows: Mapping[str, Any]) -> str:
    """Names and values, a line each; what is empty is left out."""
    width = max(map(len, rows), default=0)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in rows.items() if value != "")


def place(report: Mapping[str, Any]) -> str:
    """Where a report was taken, and what holds the projection back."""
    off = "" if report["enabled"] else ", AILI off"
    fault = f", raw history: {report['fault']}" if report["fault"] else ""
    return f"leaf {report['leaf'] or 'none'}, epoch {report['epoch']}{off}{fault}"


def pressure_text(pressure: Mapping[str, Any]) -> str:
    """How full the window is."""
    window = pressure["window"]
    of = f" of {window:,}" if window else ", window unknown"
    return f"{pressure['state']} ({pressure['tokens']:,} tokens{of})"


def context_text(report: Mapping[str, Any]) -> str:
    """The list of a view's messages."""
    first, count = report["offset"], len(report["items"])
    shown = f"{first + 1:,} to {first + count:,}" if count else "none"
    rows = [f"{shown} of {counted(report['total'], 'message')}, {place(report)}"]
    for item in report["items"]:
        if item["kind"] == "block":
            kind = f"T{item['tier']}" if item["version"] == 3 else f"v{item['version']}"
            what = f"{kind}, {counted(item['messages'], 'message')} {item['first']}..{item['last']}"
            why = ""
        else:
            tools = f" {' '.join(item['tools'][:4])}" if item["tools"] else ""
            cooled = " cooled" if item["kind"] == "cooled" else ""
            what = f"{item['role']}{tools}{cooled}"
            why = f" [{item['protected']}]" if item["protected"] else ""
        rows.append(f"{item['ref']} {item['tokens']:>7,}  {what}{why}  {item['preview']}".rstrip())
    return "\n".join(rows)


def stats_text(report: Mapping[str, Any]) -> str:
    """The numbers of a branch."""
    tokens, messages, blocks = report["tokens"], report["messages"], report["blocks"]
    saved = f"{tokens['saved']:,} saved" if tokens["saved"] >= 0 else f"{-tokens['saved']:,} more"
    shown = ", ".join(f"{count} {tier}" for tier, count in blocks["shown"].items() if count)
    statuses = ", ".join(f"{count} {what}" for what, count in blocks["status"].items())
    excluded = ", ".join(f"{count} {why}" for why, count in report["excluded"].items())
    switches = {
        "manual": report["manual"],
        "planning": report["planning"],
        "automatic cooling": report["autoCooling"],
    }
    return lines(
        {
            "session": f"{report['session']}, {place(report)}",
            "messages": f"{messages['view']:,} shown of {messages['raw']:,}",
            "tokens": f"{tokens['view']:,} of {tokens['raw']:,}, {saved} (estimated)",
            "blocks": f"{shown or 'none'} shown" + (f"; {statuses}" if statuses else ""),
            "cooled": counted(report["cooled"], "result"),
            "journal": f"{counted(report['transactions'], 'transaction')}"
            + (f", {report['repaired']} repaired" if report["repaired"] else ""),
            "pressure": pressure_text(report["pressure"]),
            "may fold": f"{counted(report['ranges'], 'range')}, {counted(report['promotions'], 'promotion')}, "
            f"{counted(report['prunable'], 'result')}",
            "left out": excluded,
            "switches": ", ".join(f"{n} {'on' if on else 'off'}" for n, on in switches.items())
            + (", restored" if report["restored"] else ""),
        }
    )


def plan_text(told: Mapping[str, Any]) -> str:
    """What a status recommends, a line each."""
    rows = [f"catalog  {told['catalogId'] or 'none'}"]
    for one in told["ranges"]:
        size = f"{one['tokens']['lower']:,} to {one['tokens']['upper']:,} tokens"
        rows.append(
            f"range    {one['startRef']}..{one['endRef']}: {counted(one['messages'], 'message')}, {size}"
        )
    rows += [f"blocks   {' '.join(one['refs'])}: into T{one['tier']}" for one in told["promotions"]]
    if len(rows) == 1:
        rows.append("range    none: all of it is protected, folded already, or too small")
    return "\n".join(rows)


def appended_text(steps: Sequence[Step], sizes: tuple[int, int], *, dry: bool) -> str:
    """What a change did to the view, and the entries it made."""
    before, after = sizes
    rows = [
        f"{'would append' if dry else 'appended'}  {step.entry_id} "
        f"({step.as_json()['data']['kind']}, {step.transaction.tx_id})"
        for step in steps
    ]
    rows.append(f"view      {before:,} tokens {'would become' if dry else 'became'} {after:,}")
    return "\n".join(rows)


def view(snapshot: Snapshot) -> str:
    """The projection for a person: every message under its ref."""
    found = snapshot.projection
    pieces = []
    for item, message in zip(found.items, found.messages, strict=True):
        ref = item.block.ref if hasattr(item, "block") else item.source.ref
        shown = decode({"messages": [message]}).messages
        pieces.append(f"{ref}\n{view_text(shown)}" if shown else f"{ref}\n(empty)")
    return "\n\n".join(pieces)
