"""`pcsf aili compress` and `rescue`: what a live agent would be asked to do."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.aili.options import Common, PiLog, log_of
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from kernel.projection.recovery.checkpoint import CompactionResult
    from pcsf_lark.faces.aili import desk as desks
    from pcsf_lark.faces.aili.log import Opened

__all__ = ["compress", "rescue"]

_OUTCOMES = {"checkpoint-required": "the window is nearly full: rescue comes first"}


class Rescue(enum.StrEnum):
    """Which rescue."""

    covered = "covered"
    native = "native"
    status = "status"


def _required(desk: desks.Desk) -> None:
    from kernel.projection.lifecycle.refusal import Refusal, refuse
    from pcsf_lark.faces.aili.saying import Declined

    outcome = desk.outcome
    if outcome is None or not outcome.done:
        code = "not-done" if outcome is None else outcome.code
        found = refuse(code)
        known = not found.message.startswith("Refused:")
        raise Declined(found if known else Refusal(code, _OUTCOMES.get(code, f"{code}.")))


def compress(
    path: PiLog,
    focus: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FOCUS...]", help="What to summarise, in words. Default: what the plan names."
        ),
    ] = None,
    *,
    common: Common,
) -> None:
    """Print the turn that a live agent would start for one summary; no compaction.

    That is the message to the model, the one-use permit, what the model is told
    beside it, and the plan. A shell has no model: nothing is sent or written.
    With the plan at hand, `pcsf aili call` (aili_compact) appends the summary.

    Examples:
        # See what an agent would be told to summarise.
        pcsf aili compress pi.jsonl
        #=> message   Please make one aili_compact call ...
    """
    from kernel.projection.lifecycle.sealing import writable
    from kernel.projection.provider.suffix import suffix_of
    from pcsf_lark.faces.aili import desk as desks
    from pcsf_lark.faces.aili import text as words
    from pcsf_lark.faces.aili.report import standing, status
    from pcsf_lark.faces.aili.saying import Declined, put, worded

    with log_of(path, common) as now:
        snapshot = now.snapshot
        stop = writable(snapshot)
        if stop is not None:
            raise Declined(worded(stop, snapshot))
        desk = desks.compress(snapshot, " ".join(focus or ()))
        _required(desk)
        permit = desk.permit
        suffix = suffix_of(snapshot, permit=permit, focus=permit.focus if permit else "")
        told = status(snapshot, permit)
        value = {
            **standing(snapshot),
            "message": desk.messages[0],
            "permit": desk.grant,
            "suffix": suffix,
            "plan": {
                name: told[name] for name in ("catalogId", "ranges", "promotions", "excluded")
            },
            "pressure": told["pressure"],
            "calls": desk.counters,
        }
        rows = {
            "message": desk.messages[0],
            "permit": f"one summary, on leaf {snapshot.leaf}, epoch {snapshot.branch.epoch}",
            "pressure": words.pressure_text(told["pressure"]),
        }
        beside = "" if suffix is None else f"\nbeside the view:\n{suffix['content']}"
        put(now, value, f"{words.lines(rows)}\n{words.plan_text(told)}{beside}")


def rescue(
    path: PiLog,
    way: Annotated[
        Rescue,
        typer.Argument(
            metavar="[covered|native|status]",
            help="native: leave it all to Pi's own summary; status: tell where things stand; covered: take summaries that cover what goes.",
        ),
    ] = Rescue.covered,
    *,
    keep: Annotated[
        int | None,
        typer.Option(
            "--keep",
            min=0,
            metavar="N",
            help="Let Pi keep N tokens. Default: 20000.",
            show_default=False,
        ),
    ] = None,
    common: Common,
) -> None:
    """Print what AILI would answer the one compaction of a rescue.

    Either a whole result, put together from summaries that cover what goes, or
    nothing, which leaves the compaction to Pi. Only Pi writes compactions, so
    nothing is written here. `status` tells where things stand.

    Examples:
        # See where a rescue stands.
        pcsf aili rescue pi.jsonl status
        #=> branch       leaf ...
    """
    from pcsf_lark.faces.aili import desk as desks
    from pcsf_lark.faces.aili.report import standing
    from pcsf_lark.faces.aili.saying import put

    with log_of(path, common) as now:
        if way is Rescue.status:
            _where(now)
            return
        desk = desks.rescue(now.snapshot, native=way is Rescue.native, keep=keep)
        _required(desk)
        result = desk.result
        value = {
            **standing(now.snapshot),
            "event": desk.event,
            "compaction": None if result is None else result.as_json(),
            "calls": desk.counters,
        }
        put(now, value, _answer(result, way))


def _answer(result: CompactionResult | None, way: Rescue) -> str:
    from pcsf_lark.faces.aili import text as words

    if result is None:
        why = "the permit skips AILI's plan" if way is Rescue.native else "no summaries cover it"
        return f"nothing: Pi makes its own summary ({why})"
    details = result.details
    rows = {
        "keeps": f"from entry {result.first_kept_entry_id}, about {details['keptTokens']:,} tokens",
        "stands for": f"{counted(details['messages'], 'message')}, "
        f"{counted(details['blockCount'], 'block')}",
        "before": f"{result.tokens_before:,} tokens",
    }
    return f"{words.lines(rows)}\n\n{result.summary}"


def _where(now: Opened) -> None:
    """Say where recovery stands; a coordinator lives in the agent alone."""
    from pcsf_lark.faces.aili import text as words
    from pcsf_lark.faces.aili.report import standing, status
    from pcsf_lark.faces.aili.saying import put

    snapshot = now.snapshot
    pressure = status(snapshot)["pressure"]
    unknown = "Unverified"
    value = {**standing(snapshot), "pressure": pressure, "coordinator": unknown, "permits": unknown}
    rows = {
        "branch": words.place(value),
        "pressure": words.pressure_text(pressure),
        "coordinator": f"{unknown}: it lives in the agent",
        "permits": unknown,
    }
    put(now, value, words.lines(rows))
