"""Limits: deep nesting, large counts and many choices end in an answer or a told limit."""

import re
import sys
import time

import pytest
from lark import Lark

from pcsf_lark.abnf import AbnfError, analyse, check, read, to_abnf, to_lalr, to_lark, to_regex
from pcsf_lark.abnf.reading.syntax import MAX_NESTING


def _nested(levels, kind):
    opening = {"choice": '("x" / "y" 2', "option": '[ "x" *3', "plain": "("}[kind]
    closing = {"choice": ")", "option": "]", "plain": ")"}[kind]
    return f'a = {opening * levels}"z"{closing * levels}\n'


@pytest.mark.parametrize("kind", ["choice", "option", "plain"])
def test_as_deep_as_allowed(kind):
    """All of it works with only half of Python's stack left."""
    limit = sys.getrecursionlimit()
    depth = len(_stack())
    sys.setrecursionlimit(depth + limit // 2)
    try:
        grammar = read(_nested(MAX_NESTING, kind))
        assert read(to_abnf(grammar)) == grammar
        assert analyse(grammar).rules == ("a",)
        assert to_lark(grammar, "a").startswith("a: ")
        assert hash(grammar.rules[0]) == hash(read(to_abnf(grammar)).rules[0])
    finally:
        sys.setrecursionlimit(limit)


def _stack():
    frame, found = sys._getframe(), []
    while frame:
        found.append(frame)
        frame = frame.f_back
    return found


@pytest.mark.parametrize("levels", [MAX_NESTING + 1, 1_000, 10_000])
@pytest.mark.parametrize("kind", ["choice", "option", "plain"])
def test_deeper_is_told(levels, kind):
    found = check(_nested(levels, kind))
    assert [(one.kind, one.line, one.rule) for one in found] == [("nesting-limit", 1, "a")]


def _attempt(function, *arguments):
    """Return what the function returns, or the kinds of the problems it raises."""
    try:
        return function(*arguments)
    except AbnfError as error:
        return {one.kind for one in error.problems}


@pytest.mark.parametrize("kind", ["choice", "option"])
def test_deep_expressions_are_written_or_refused(kind):
    for levels in (10, 30, MAX_NESTING):
        grammar = read(_nested(levels, kind))
        found = _attempt(to_regex, grammar)
        assert found == {"size-limit"} or re.fullmatch(found, "x")
    Lark(to_lark(read(_nested(10, kind)), "a"), parser="earley", start="a")


@pytest.mark.parametrize("count", ["1000000", "500*1000000", "*1000000", "100000*"])
def test_large_counts(count):
    begun = time.process_time()
    grammar = read(f'a = {count}"x"\n')
    assert re.compile(to_regex(grammar))
    assert "a" in to_lark(grammar, "a")
    assert _attempt(to_lalr, grammar, ["a"], []) == {"token-end"}
    assert time.process_time() - begun < 3


def test_counted_groups_are_not_unrolled():
    grammar = read('a = 1000000( 1*"x" "y" LF ) "z"\n')
    assert re.fullmatch(to_regex(grammar), "xy\n" * 9 + "z") is None


def test_one_character_more_than_a_limit_is_told():
    assert not check('a = 1000000"x"')
    assert [one.kind for one in check('a = 1000001"x"')] == ["count-limit"]


def test_prose_cannot_be_written_for_a_parser():
    grammar = read('a = "x" <any other thing>\nb = "y"\n')
    for write in (to_lark, to_regex, lambda one, start: to_lalr(one, [start], [])):
        with pytest.raises(AbnfError) as caught:
            write(grammar, "a")
        found = caught.value.problems
        assert [(one.kind, one.rule, one.line, one.column) for one in found] == [
            ("unbound-prose", "a", 1, 9)
        ]
        assert write(grammar, "b")


def test_grammars_together():
    """Rules of imported grammars are in scope and keep their meaning; the text's own come first."""
    uri = read('host = 1*ALPHA\npath = "/" host\n')
    text = "url = <host> path\nhost = 1*DIGIT\n"
    assert [one.kind for one in check(text)] == ["undefined-rule"]
    regex = re.compile(to_regex(read(text, imports=[uri])))
    assert regex.fullmatch("12/ab")
    assert not regex.fullmatch("12/34")
    assert not regex.fullmatch("ab/cd")


def test_a_core_rule_may_be_shadowed_on_request():
    text = 'a = 1*ALPHA\nALPHA = "_"\n'
    assert [one.kind for one in check(text)] == ["core-rule-redefined"]
    regex = re.compile(to_regex(read(text, shadow_core=True)))
    assert regex.fullmatch("__")
    assert not regex.fullmatch("ab")
