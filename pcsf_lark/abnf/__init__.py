"""ABNF (RFC 5234, RFC 7405): read, inspect, match, parse, and write for other parsers.

The package stands alone: it knows nothing of capsules. `lark` is imported
when a text is read or a table is built, not before.
"""

from pcsf_lark.abnf.errata import Erratum, ErratumError, apply_errata, load_errata
from pcsf_lark.abnf.imports import only, whole
from pcsf_lark.abnf.inspecting.analysis import Analysis, Overlap, analyse, findings, unused
from pcsf_lark.abnf.inspecting.inspection import inspect
from pcsf_lark.abnf.inspecting.productive import endless, refuse_endless
from pcsf_lark.abnf.kinds import CODES
from pcsf_lark.abnf.loading import Translation, load, ready, translate
from pcsf_lark.abnf.matching.chart import MatchError
from pcsf_lark.abnf.model import (
    Alternation,
    Concatenation,
    Grammar,
    Literal,
    Node,
    NumRange,
    NumVal,
    Option,
    Position,
    Prose,
    Reference,
    Repetition,
    Rule,
)
from pcsf_lark.abnf.names import lark_name
from pcsf_lark.abnf.problems import AbnfError, Problem
from pcsf_lark.abnf.reading.reader import check, read, scan
from pcsf_lark.abnf.writing.to_abnf import to_abnf
from pcsf_lark.abnf.writing.to_gbnf import to_gbnf
from pcsf_lark.abnf.writing.to_lalr import to_lalr
from pcsf_lark.abnf.writing.to_lark import to_lark
from pcsf_lark.abnf.writing.to_llguidance import to_llguidance
from pcsf_lark.abnf.writing.to_railroad import (
    Diagram,
    Palette,
    railroad_diagrams,
    railroad_style,
    to_railroad,
)
from pcsf_lark.abnf.writing.to_regex import to_regex

__all__ = [
    "CODES",
    "AbnfError",
    "Alternation",
    "Analysis",
    "Concatenation",
    "Diagram",
    "Erratum",
    "ErratumError",
    "Grammar",
    "Literal",
    "MatchError",
    "Node",
    "NumRange",
    "NumVal",
    "Option",
    "Overlap",
    "Palette",
    "Position",
    "Problem",
    "Prose",
    "Reference",
    "Repetition",
    "Rule",
    "Translation",
    "analyse",
    "apply_errata",
    "check",
    "endless",
    "findings",
    "inspect",
    "lark_name",
    "load",
    "load_errata",
    "only",
    "railroad_diagrams",
    "railroad_style",
    "read",
    "ready",
    "refuse_endless",
    "scan",
    "to_abnf",
    "to_gbnf",
    "to_lalr",
    "to_lark",
    "to_llguidance",
    "to_railroad",
    "to_regex",
    "translate",
    "unused",
    "whole",
]
