"""Reading capsules: the floor, the fast reader, Lark, and what others have.

Prints, for an empty, a typical and a full capsule, the median time of each
reader and its ratio to a hand-written `str.split` reader that yields tuples.
"""

from __future__ import annotations

import importlib
import os
import sys
import zlib
from typing import TYPE_CHECKING, Any

import pcsf_lark
from benchmarks import hand, rounds
from pcsf_lark import Source, resources
from pcsf_lark.api import check_source, chosen
from pcsf_lark.syntax import lark_reader

if TYPE_CHECKING:
    from collections.abc import Callable

_CONFORMANCE = chosen(["C"])

EMPTY = b"""\
===PCSF:v1.2===
META: new thread | general | SURFACE | 2026-11-01T00:00Z

L1:SKELETON

L2:NEGATIVE

L3:INTERNAL

L4:RELATION

L5:LOOPS

SEED: Nothing has been decided yet
===END===
"""
TYPICAL = b"""\
===PCSF:v1.2===
META: Moving the billing jobs off cron | software | WORKING | 2026-06-26T20:17Z

L1:SKELETON
CHOICE | jobs run from a queue with one worker a tenant | one slow tenant must not delay the rest
CONSTRAINT | no job may run twice within an hour | the payment provider has no idempotency keys
DISCOVERY | 3 of 41 jobs were never scheduled | the old crontab had DOS line ends

L2:NEGATIVE
distributed lock in Redis | it expired in mid-job under load | a lock that expires is a hint
one big worker | a crash loses every tenant's turn | isolate by tenant first

L3:INTERNAL
UNCERTAINTY: I never saw how month end behaves.

L4:RELATION
STYLE: short answers, numbers first
BOUNDARY: asks before any change to production

L5:LOOPS
INCOMPLETE_TASK | replay last month's jobs against the queue | HIGH
DEFERRED_QUESTION | who owns the retry budget? | MED

SEED: Isolation by tenant matters more than throughput in this move.
===END===
"""


def _full() -> bytes:
    """The typical capsule with a stamp and as many loops as go into 1,200 bytes."""
    text = TYPICAL.decode()
    loop = "PROMISE | send the owner of job {} its new schedule | LOW\n"
    text = text.replace("Z\n\nL1", "Z\nCHAIN: hops=4 origin=2026-06-01T08:00Z\n\nL1")
    at = text.index("\nSEED:")
    for number in range(4):
        if len(text) + len(loop) + 40 < 1200:
            text = text[:at] + loop.format(number) + text[at:]
    tree = pcsf_lark.to_json(pcsf_lark.parse(text))
    return pcsf_lark.format(pcsf_lark.from_json({**tree, "integrity": {"crc32": "", "chars": ""}}))


def _abnf(*, rust: bool) -> Callable[[str], object] | None:
    """The whole-capsule parser of the `abnf` package over our normal grammar, if installed."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "abnf"]:
        del sys.modules[name]
    os.environ["ABNF_NO_RUST"] = "" if rust else "1"
    try:
        package: Any = importlib.import_module("abnf")
    except ImportError:
        return None

    class Capsule(package.Rule):  # type: ignore[misc] # its base is untyped
        """A registry of rules of its own."""

    # It takes no redefinition of a core rule, not even an identical one.
    lines = resources.grammar("pcsf.normal.abnf").splitlines()
    text = "\r\n".join(line for line in lines if line and not line.startswith(("LF ", ";")))
    Capsule.load_grammar(text + "\r\n")
    return Capsule("capsule").parse_all  # type: ignore[no-any-return]


def main() -> None:
    """Print the tables."""
    peers = {
        "abnf, Rust backend (tree)": _abnf(rust=True),
        "abnf, pure Python (tree)": _abnf(rust=False),
    }
    for name, data in (("empty", EMPTY), ("typical", TYPICAL), ("full", _full())):
        print(rounds.table(f"{name} capsule, {len(data):,} bytes", _times(data, peers), "hand"))
        print()


def _times(data: bytes, peers: dict[str, Callable[[str], object] | None]) -> dict[str, float]:
    text = data.decode()
    hand.read(data)
    if not pcsf_lark.check(data).conformant:
        raise AssertionError("the sample is no conformant capsule")
    contestants: dict[str, Callable[[], object]] = {
        "floor (isascii, crc32)": lambda: (data.isascii(), zlib.crc32(data)),
        "hand": lambda: hand.read(data),
        "verdict (grammar, all C rules)": lambda: pcsf_lark.conformant(data),
        "parse to AST, fast reader": lambda: pcsf_lark.parse(data),
        "check, C rules": lambda: check_source(Source.of(data), codes=_CONFORMANCE),
        "check, all rules": lambda: pcsf_lark.check(data),
        "parse to AST, Lark LALR": lambda: lark_reader.read(text),
    }
    for peer, parse in peers.items():
        if parse is not None:
            parse(text)
            contestants[peer] = lambda parse=parse: parse(text)  # type: ignore[misc]
    return rounds.medians(contestants)
