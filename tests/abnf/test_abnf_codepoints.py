"""Every code point means itself after Lark and `re` have both read it."""

import re
from itertools import product

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import (
    Grammar,
    NumRange,
    NumVal,
    Reference,
    Repetition,
    Rule,
    to_lalr,
    to_lark,
    to_regex,
)
from pcsf_lark.abnf.expressions.charset import CharSet
from pcsf_lark.abnf.expressions.expr import Chars
from pcsf_lark.abnf.writing.to_regex import expr_regex

BEYOND = [0x100, 0x17F, 0x212A, 0x2028, 0xD800, 0xDFFF, 0xFFFF, 0x10000, 0x1F600, 0x10FFFF]
POINTS = [*range(256), *BEYOND]
META = "\\^$.|?*+()[]{}/-&~#\"'` \n\tabxuUN"


def _lark(definition, **options):
    grammar = Grammar((Rule("a", definition),))
    return Lark(to_lark(grammar, "a"), start="a", **options)


def _accepts(lark, text):
    try:
        lark.parse(text)
    except UnexpectedInput:
        return False
    return True


def test_single_points_in_earley():
    """One grammar of all points in a row: each must be read as itself."""
    points = tuple(POINTS)
    lark = _lark(NumVal(points), parser="earley", lexer="dynamic")
    text = "".join(map(chr, points))
    assert _accepts(lark, text)
    assert not _accepts(lark, text[:-1])


@pytest.mark.parametrize("chunk", range(0, len(POINTS), 38))
def test_each_point_alone(chunk):
    for point in POINTS[chunk : chunk + 38]:
        lark = _lark(NumVal((point,)), parser="earley", lexer="dynamic")
        regex = re.compile(to_regex(Grammar((Rule("a", NumVal((point,))),))))
        for near in {point, max(point - 1, 0), min(point + 1, 0x10FFFF), point ^ 0x20}:
            assert _accepts(lark, chr(near)) == (near == point), hex(point)
            assert bool(regex.fullmatch(chr(near))) == (near == point), hex(point)


def test_pairs_of_meaningful_characters():
    """What one character escapes to must not join up with the next one's."""
    for first, second in product(META, repeat=2):
        text = first + second
        grammar = Grammar((Rule("a", NumVal((ord(first), ord(second)))),))
        assert re.fullmatch(to_regex(grammar), text), text
        lark = Lark(to_lark(grammar, "a"), start="a", parser="earley", lexer="dynamic")
        assert _accepts(lark, text), text


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (0x23, 0x5B),
        (0x5D, 0x7E),
        (0x21, 0x2F),
        (0x5B, 0x60),
        (0, 0x1F),
        (0x80, 0xFF),
        (0x2D, 0x2D),
        (0x7B, 0x7D),
        (0x22, 0x22),
        (0x2F, 0x30),
        (0x5C, 0x5D),
        (0xFFFF, 0x10000),
        (0, 0x10FFFF),
    ],
)
def test_ranges_hold_what_they_span(first, last):
    lark = _lark(Repetition(NumRange(first, last), 1, None), parser="earley", lexer="dynamic")
    regex = re.compile(to_regex(Grammar((Rule("a", NumRange(first, last)),))))
    for point in POINTS:
        assert bool(regex.fullmatch(chr(point))) == (first <= point <= last)
        if point < 128:
            assert _accepts(lark, chr(point)) == (first <= point <= last)


def test_classes_of_meaningful_characters():
    """Any two of them in one class, in plain `re` without a warning."""
    for first, second in product(META, repeat=2):
        regex = re.compile(expr_regex(Chars(CharSet.of(ord(first), ord(second)))))
        assert {char for char in META if regex.fullmatch(char)} == {first, second}


def test_lalr_terminals_hold_them_too():
    points = tuple(range(256))
    grammar = Grammar((Rule("a", Reference("b")), Rule("b", NumVal(points))))
    lark = Lark(to_lalr(grammar, ["a"], ["b"]), start="a", parser="lalr", strict=True)
    assert _accepts(lark, "".join(map(chr, points)))
