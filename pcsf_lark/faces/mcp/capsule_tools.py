"""The tools that judge and write capsules: check, format, fix, fit, stitch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pcsf_lark.api import check_source, chosen, format_source, parse_source
from pcsf_lark.faces.mcp.arguments import Argument
from pcsf_lark.faces.mcp.bounds import CAPSULE, CAPSULES, FINDINGS, SELECTORS
from pcsf_lark.faces.mcp.inputs import (
    CAPSULE_INPUT,
    Answer,
    capsule,
    named,
    one_of,
    source,
)
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.source import Source
from pcsf_lark.spec import LIMIT, PROFILES
from pcsf_lark.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.faces.mcp.inputs import Grant
    from pcsf_lark.model import Capsule
    from pcsf_lark.report import Report

__all__ = [
    "CHECK",
    "FIT",
    "FIX",
    "FORMAT",
    "STITCH",
    "check",
    "fit",
    "fix",
    "format_text",
    "judged",
    "stitch",
]

_SELECTION = (
    Argument(
        "profile",
        "string",
        "Which language: interop (the default) reads both layouts, prose only the spaced one, "
        "abnf the grammar to the letter.",
        choices=PROFILES,
    ),
    Argument(
        "select", "strings", "Only these rules: codes, code prefixes or names.", most=SELECTORS
    ),
    Argument("ignore", "strings", "Not these rules: likewise.", most=SELECTORS),
)
_RESTAMP = Argument("restamp", "boolean", "Replace an INTEGRITY line that does not match.")
_STAMP = Argument("stamp", "boolean", "Add an INTEGRITY line; its bytes count.")
CHECK = (*CAPSULE_INPUT, *_SELECTION)
FORMAT = (*CAPSULE_INPUT, _RESTAMP)
FIX = (
    *CAPSULE_INPUT,
    *_SELECTION,
    Argument("unsafe", "boolean", "Also apply fixes that may change the meaning."),
    _RESTAMP,
)
FIT = (
    *CAPSULE_INPUT,
    Argument("budget", "integer", "The most bytes; default 1200.", most=LIMIT),
    Argument("reserve", "integer", "Bytes of the budget to leave free.", most=LIMIT),
    _STAMP,
)
STITCH = (
    Argument(
        "texts",
        "strings",
        one_of("The capsules' texts, oldest first.", "texts", "paths"),
        least=2,
        most=CAPSULES,
        each=CAPSULE,
    ),
    Argument(
        "paths",
        "strings",
        "Instead files, by paths relative to a root of the server, oldest first.",
        least=2,
        most=CAPSULES,
    ),
    Argument("keep_skeleton", "boolean", "Refuse rather than drop an L1 entry."),
    _STAMP,
)


def check(given: Mapping[str, Any], grant: Grant) -> Answer:
    """Judge a capsule by all rules."""
    name, text = source(given, grant)
    report = check_source(text, profile=given.get("profile", "interop"), codes=_codes(given))
    return Answer(_verdict(name, report), judged(name, report))


def judged(name: str, report: Report) -> dict[str, Any]:
    """A report as JSON, its findings bounded."""
    from pcsf_lark.report.json import as_object  # noqa: PLC0415 - for who asks

    found = as_object(name, report)
    omitted = max(0, len(found["findings"]) - FINDINGS)
    return {**found, "findings": found["findings"][:FINDINGS], "omitted": omitted}


def _verdict(name: str, report: Report) -> str:
    from pcsf_lark.report import formats  # noqa: PLC0415 - likewise

    size = "an unknown number of" if report.bytes is None else f"{report.bytes:,}"
    word = "conformant" if report.conformant else "not conformant"
    head = f"{word}: {size} of {LIMIT:,} bytes, {counted(len(report.findings), 'finding')}"
    lines = [head, *formats.load("agent")([(name, report)], colour=False, summary=False)]
    more = len(lines) - 1 - FINDINGS
    return "\n".join([*lines[: FINDINGS + 1], *([f"and {more:,} more"] if more > 0 else [])])


def _codes(given: Mapping[str, Any]) -> frozenset[str] | None:
    try:
        return chosen(given.get("select"), given.get("ignore"))
    except ValueError as error:
        at = "select" if given.get("select") else "ignore"
        raise Refusal(str(error), "the resource pcsf://rules lists them all", at=at) from None


def format_text(given: Mapping[str, Any], grant: Grant) -> Answer:
    """The canonical text."""
    _, before = source(given, grant)
    text = format_source(before, restamp=given.get("restamp", False))
    changed = text != before.data
    words = f"{'canonical now' if changed else 'canonical already'}: {_size(text)}"
    return Answer(words, {**_written(text), "changed": changed}, (text.decode(),))


def fix(given: Mapping[str, Any], grant: Grant) -> Answer:
    """The text with the fixes of its findings applied."""
    from pcsf_lark.mending import fix_source  # noqa: PLC0415 - for this tool alone

    name, before = source(given, grant)
    if before.oversize:
        raise Refusal(
            "is longer than what is read whole", f"send at most {CAPSULE:,} bytes", at=name
        )
    profile, codes = given.get("profile", "interop"), _codes(given)
    mended = fix_source(
        before,
        profile=profile,
        codes=codes,
        unsafe=given.get("unsafe", False),
        restamp=given.get("restamp", False),
    )
    report = check_source(Source.of(mended.data), profile=profile, codes=codes)
    count = len(mended.applied) + mended.restamped
    members = {
        **_written(mended.data),
        "changed": mended.data != before.data,
        "mended": count,
        "conformant": report.conformant,
    }
    left_over = judged(name, report)
    members |= {key: left_over[key] for key in ("findings", "omitted")}
    words = f"mended {counted(count, 'finding')}; what is left: {_verdict(name, report)}"
    return Answer(words, members, (members["text"],))


def fit(given: Mapping[str, Any], grant: Grant) -> Answer:
    """The capsule within a budget."""
    from pcsf_lark.operations import fittable  # noqa: PLC0415 - for this tool alone
    from pcsf_lark.passes.fit import fit as passes  # noqa: PLC0415 - likewise

    _, tree = capsule(given, grant, fittable)
    budget, reserve = given.get("budget", LIMIT), given.get("reserve", 0)
    done = passes(tree, budget=budget, reserve=reserve, stamp=given.get("stamp", False))
    room = budget - reserve
    size = f"{len(done.text):,} of {room:,} bytes"
    head = f"fits: {size}, {counted(len(done.dropped), 'line')} dropped"
    rows = [dict(row) for row in done.dropped]
    members = {**_written(done.text), "left": room - len(done.text), "dropped": rows}
    return Answer("\n".join([head, *map(_gone, rows)]), members, (done.text.decode(),))


def _gone(row: Mapping[str, Any]) -> str:
    return f"- {row['layer']} {row['entry']} ({row['reason']})"


def stitch(given: Mapping[str, Any], grant: Grant) -> Answer:
    """Capsules of a chain, folded into one."""
    from pcsf_lark.faces.stitching import folded  # noqa: PLC0415 - for this tool alone

    key = named(given, "texts", "paths")
    trees: list[Capsule] = []
    for number, one in enumerate(given[key]):
        single = {"text": one} if key == "texts" else {"path": one}
        try:
            trees.append(capsule(single, grant, parse_source)[1])
        except Refusal as error:
            error.at = f"{key}[{number}]"
            raise
        except ValueError as error:
            error.add_note(f"{key}[{number}]")  # of several, which one
            raise
    options = {"keep_skeleton": given.get("keep_skeleton", False)}
    *_, done = folded(trees, **options, stamp=given.get("stamp", False))
    members = {
        **_written(done.text),
        "dropped": [dict(row) for row in done.log],
        "warnings": list(done.warnings),
    }
    gone = counted(len(done.log), "line")
    words = [f"stitched {len(trees)} capsules: {_size(done.text)}, {gone} dropped"]
    words += [f"warning: {warning}" for warning in done.warnings]
    words += map(_gone, members["dropped"])
    return Answer("\n".join(words), members, (done.text.decode(),))


def _written(text: bytes) -> dict[str, Any]:
    return {"text": text.decode("latin-1"), "bytes": len(text), "left": LIMIT - len(text)}


def _size(text: bytes) -> str:
    return f"{len(text):,} of {LIMIT:,} bytes"
