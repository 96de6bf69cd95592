"""The LALR parser that Lark makes of the generated grammar, and what it says of a line.

`grammar/pcsf.lark` is generated from the ABNF and proved free of conflicts
(``strict``) when it is; here it is loaded without that proof again. Loaded only
when a line must be explained or a second reader is wanted: it costs more than
all else together.
"""

from __future__ import annotations

import gc
from functools import cache
from typing import TYPE_CHECKING

from attrs import frozen
from lark import Lark, UnexpectedCharacters, UnexpectedToken

from pcsf_lark import resources
from pcsf_lark.spec import DEPTHS, LAYERS, PRIORITIES

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LINES", "WHOLE", "Fault", "fault", "parser"]

#: The start symbols of a whole capsule, and of single lines.
WHOLE = ("capsule",)
LINES = (
    *("meta-line", "chain", "integrity", "seed-line"),
    *(f"l{layer.number}-entry" for layer in LAYERS),
)
_GRAMMARS = {"interop": "pcsf.lark", "prose": "pcsf.lark", "abnf": "pcsf.repaired.lark"}

#: What each terminal is called when it is what a line lacks.
_WORDS = {
    "$END": "the end of the line",
    "<END-OF-FILE>": "the end of the line",
    "DEPTH": " or ".join(DEPTHS),
    "DIGITS": "digits",
    "DIMENSION": "a dimension name",
    "FIELD": "text",
    "HEXLOW_8": "eight lower-case hex digits",
    "L1_TYPE": "an L1 type",
    "L3_TYPE": "an L3 type",
    "L5_TYPE": "an L5 type",
    "PRIORITY": " or ".join(PRIORITIES),
    "SENTENCE": "a sentence",
    "TIMESTAMP": "a timestamp YYYY-MM-DDThh:mmZ",
    "_CHAIN_HOPS": "`CHAIN: hops=`",
    "_CHARS": "` chars=`",
    "_COLON_SPACE": "`: `",
    "_INTEGRITY_CRC32": "`INTEGRITY: crc32=`",
    "_META": "`META: `",
    "_ORIGIN": "` origin=`",
    "_SEED": "`SEED: `",
    "_SEP": "` | `",
}


@frozen
class Fault:
    """Where a line leaves its production (a column counted from 0) and what was expected."""

    at: int
    expected: str


@cache
def parser(profile: str, starts: tuple[str, ...]) -> Lark:
    """The parser of a profile's grammar for these start symbols (ABNF rule names)."""
    made = Lark(
        resources.grammar(_GRAMMARS[profile]),
        parser="lalr",
        start=[name.replace("-", "_") for name in starts],
        maybe_placeholders=False,
        propagate_positions=True,
    )
    # More than half of what building made is a tangle of trees that nobody needs now.
    gc.collect()
    return made


def fault(production: str, line: str, profile: str) -> Fault | None:
    """Where and why ``line`` is not of this production; None where it is."""
    try:
        parser(profile, LINES).parse(line, start=production.replace("-", "_"))
    except UnexpectedCharacters as error:
        return Fault(error.column - 1, _words(error.allowed))
    except UnexpectedToken as error:
        at = len(line) if error.token.type == "$END" else error.token.start_pos or 0
        return Fault(at, _words(error.accepts or error.expected))
    return None


def _words(terminals: Iterable[str] | None) -> str:
    words = sorted({_WORDS.get(name, name) for name in terminals or ("$END",)})
    return " or ".join(words)
