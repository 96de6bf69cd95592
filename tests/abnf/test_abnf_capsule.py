"""One grammar, three readers: generated expressions, LALR and the character-level oracle agree."""

import re
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import apply_errata, lark_name, load_errata, read, to_lark, to_regex
from pcsf_lark.syntax import _generated

GRAMMAR = Path(__file__).parents[2] / "grammar"
PROFILES = ("normal", "repaired")
LINES = ("meta-line", "chain", "integrity", "seed-line", *(f"l{n}-entry" for n in range(1, 6)))
SETTINGS = settings(max_examples=1000, derandomize=True, deadline=None, database=None)

EMPTY = """\
===PCSF:v1===
META: t | d | DEEP | 2026-01-01T00:00Z

L1:SKELETON

L2:NEGATIVE

L3:INTERNAL

L4:RELATION

L5:LOOPS

SEED: One thing.
===END===
"""
FULL = """\
===PCSF:v1.2===
META: a topic | a domain | WORKING | 2026-10-30T23:59Z
CHAIN: hops=0 origin=2026-10-30T23:59Z
INTEGRITY: crc32=0123abcd chars=999

L1:SKELETON
CHOICE | a fact | why: so
PIVOT | x | y

L2:NEGATIVE
L3:INTERNAL | looks like a header | but is none
L2:NEGATIVES | b | c

L3:INTERNAL
DIRECTION: on: and on
UNRESOLVED: L4:RELATION

L4:RELATION
STYLE: terse
SEED: an entry all the same
L: x

L5:LOOPS
PROMISE | do it | HIGH
INCOMPLETE_TASK | LOW | LOW

SEED: The rest, in one sentence.
===END===
"""
BASES = [
    EMPTY,
    FULL,
    EMPTY.removesuffix("\n"),
    FULL.replace("CHAIN: hops=0 origin=2026-10-30T23:59Z\n", ""),
]


def compact(text):
    head, _, body = text.partition("\n\n")
    return head + "\n\n" + body.replace("\n\n", "\n")


BASES += [compact(text) for text in BASES]


@cache
def grammar(profile):
    stages = {"normal": ("repair", "reading"), "repaired": ("repair",)}[profile]
    printed = (GRAMMAR / "pcsf.abnf").read_bytes().decode()
    errata = load_errata((GRAMMAR / "errata.toml").read_text("utf-8"))
    return read(apply_errata(printed, errata, stages=stages))


@cache
def lalr(profile):
    name = {"normal": "pcsf.lark", "repaired": "pcsf.repaired.lark"}[profile]
    starts = ["capsule", *map(lark_name, LINES)]
    text = (GRAMMAR / name).read_text("utf-8")
    return Lark(
        text,
        parser="lalr",
        start=starts,
        strict=True,
        maybe_placeholders=False,
        propagate_positions=True,
    )


@cache
def earley(profile):
    text = to_lark(grammar(profile), "capsule")
    return Lark(text, parser="earley", lexer="dynamic", start="capsule", propagate_positions=True)


def _accepts(lark, text, start):
    try:
        lark.parse(text, start=start)
    except UnexpectedInput:
        return False
    return True


SPACED, COMPACT, REPAIRED = (
    re.compile(pattern, re.ASCII)
    for pattern in (_generated.SPACED, _generated.COMPACT, _generated.REPAIRED)
)


def by_regex(profile, text):
    if profile == "repaired":
        return REPAIRED.fullmatch(text)
    return SPACED.fullmatch(text) or COMPACT.fullmatch(text)


A_BASE = st.sampled_from(BASES)
ALPHABET = "\n |:=-_.aAzZ0T{}~\t\r\x00\x7fé\u017fL1SEMD"
A_LETTER = st.sampled_from(ALPHABET)


@st.composite
def mutants(draw):
    """A valid capsule with up to three small changes of bytes, case, lines or blank lines."""
    text = draw(A_BASE)
    for _ in range(draw(st.integers(0, 3))):
        text = draw(A_CHANGE)(draw, text)
    return text


def _place(draw, text):
    return draw(st.integers(0, max(len(text) - 1, 0)))


def _insert(draw, text):
    at = _place(draw, text)
    return text[:at] + draw(A_LETTER) + text[at:]


def _delete(draw, text):
    at = _place(draw, text)
    return text[:at] + text[at + draw(st.integers(1, 3)) :]


def _replace(draw, text):
    at = _place(draw, text)
    return text[:at] + draw(A_LETTER) + text[at + 1 :]


def _swap_case(draw, text):
    at = _place(draw, text)
    end = at + draw(st.integers(1, 12))
    return text[:at] + text[at:end].swapcase() + text[end:]


def _line(draw, text):
    lines = text.split("\n")
    at = draw(st.integers(0, len(lines) - 1))
    kept = {"drop": [], "double": [lines[at]] * 2, "blank": [lines[at], ""]}
    return "\n".join(lines[:at] + kept[draw(st.sampled_from(sorted(kept)))] + lines[at + 1 :])


def _swap_lines(draw, text):
    lines = text.split("\n")
    one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


A_CHANGE = st.sampled_from([_insert, _delete, _replace, _swap_case, _line, _swap_lines])


@pytest.mark.parametrize("text", BASES)
def test_valid_capsules(text):
    is_compact = "\n\nL2" not in text
    assert bool(SPACED.fullmatch(text)) == (not is_compact)
    assert bool(COMPACT.fullmatch(text)) == is_compact
    assert bool(REPAIRED.fullmatch(text)) == is_compact
    assert _accepts(lalr("normal"), text, "capsule")
    assert _accepts(lalr("repaired"), text, "capsule") == is_compact


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("text", [BASES[1], BASES[4], BASES[5]])
def test_the_oracle_reads_them_too(profile, text):
    assert _accepts(earley(profile), text, "capsule") == bool(by_regex(profile, text))


@SETTINGS
@given(mutants())
def test_regex_and_lalr_agree_on_mutants(text):
    for profile in PROFILES:
        accepted = _accepts(lalr(profile), text, "capsule")
        assert bool(by_regex(profile, text)) == accepted, profile


@settings(SETTINGS, max_examples=120)
@given(mutants())
def test_the_oracle_agrees_on_some(text):
    for profile in PROFILES:
        accepted = _accepts(earley(profile), text, "capsule")
        assert bool(by_regex(profile, text)) == accepted, profile


@pytest.mark.parametrize(
    ("profile", "text"),
    [("normal", text) for text in BASES] + [("repaired", text) for text in BASES[4:]],
)
def test_captures_are_the_subtrees(profile, text):
    match = by_regex(profile, text)
    assert match is not None
    tree = lalr(profile).parse(text, start="capsule")
    names = {"meta": "meta_line", "seed": "seed_line", "chain": "chain", "integrity": "integrity"}
    names |= {f"L{number}": f"layer{number}" for number in range(1, 6)}
    for group, rule in names.items():
        # The layers of the repaired grammar leave their last line end to the capsule.
        found = [text[sub.meta.start_pos : sub.meta.end_pos] for sub in tree.find_data(rule)]
        wanted = [] if match[group] is None else [match[group]]
        assert [one.removesuffix("\n") for one in found] == [
            one.removesuffix("\n") for one in wanted
        ]
    assert [str(token) for token in tree.scan_values(lambda token: token.type == "OPEN")] == [
        match["open"]
    ]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("rule", LINES)
def test_lines_alone(profile, rule):
    """Each line rule is a start of its own and agrees with its expression, at the end of a text."""
    regex = re.compile(to_regex(grammar(profile), rule), re.ASCII)
    lines = sorted({line for text in BASES for line in text.split("\n")})
    texts = [*lines, *(line + " " for line in lines), *(line.lower() for line in lines)]
    texts += [line.replace(" | ", " |  ") for line in lines] + ["L3:INTERNAL", " | ", "a | b | c"]
    lark = lalr(profile)
    accepted = [text for text in texts if regex.fullmatch(text)]
    assert [text for text in texts if _accepts(lark, text, lark_name(rule))] == accepted
    assert accepted


def _long(line, size):
    head, _, tail = FULL.partition("L2:NEGATIVE\n")
    return head + "L2:NEGATIVE\n" + line * (size // len(line)) + tail


# Long texts without a fault but the last: the closing line is short of a character.
NEARLY = {
    "many entries": lambda size: _long("a | b | c\n", size),
    "one long field": lambda size: FULL.replace("a fact", "a b " * (size // 4) + "c"),
    "two long fields": lambda size: FULL.replace("x | y", f"{'a ' * (size // 4)}| {'b ' * (size // 4)}c"),
    "long dimension": lambda size: FULL.replace("STYLE", "S" * size),
    "long hops": lambda size: FULL.replace("hops=0", "hops=" + "0" * size),
    "spaces": lambda size: FULL.replace("a fact", f"a{' ' * size}b").replace("why", f"c{' ' * size}d"),
    "edge spaces": lambda size: FULL.replace("a fact", "a" + " " * size),
    "no separators": lambda size: _long("a b c d e f\n", size),
    "many separators": lambda size: _long("a | b | c | d\n", size),
    "empty lines": lambda size: _long("a | b | c\n\n", size),
    "long seed": lambda size: FULL.replace("The rest", "a b, c: " * (size // 8)),
}  # fmt: skip


@pytest.mark.parametrize("name", NEARLY)
@pytest.mark.parametrize("size", [1_200, 64 * 1024])
def test_near_misses_take_linear_time(name, size):
    text = NEARLY[name](size)
    assert len(text) > size
    for whole in (text, compact(text)):
        nearly = whole.removesuffix("=\n") + "\n"
        begun = time.process_time()
        matches = [regex.fullmatch(nearly) for regex in (SPACED, COMPACT, REPAIRED)]
        assert time.process_time() - begun < 0.25
        assert matches == [None] * 3
