"""Agreement with the `abnf` package where it is right, and where it is not, ours and why."""

import re

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import analyse, lark_name, read, scan, to_lark, to_regex

abnf = pytest.importorskip("abnf")
from abnf.grammars import rfc3339, rfc3629, rfc3986, rfc5234, rfc5322, rfc5646, rfc9051  # noqa: E402

TABLE = {
    "date-time": (
        rfc3339,
        ["2026-11-30T05:02:00Z", "2026-11-30t05:02:00.25+01:00", "9999-99-99T99:99:99Z"],
        ["2026-11-30", "2026-11-30 05:02:00Z", "2026-11-30T05:02Z", ""],
    ),
    "UTF8-octets": (
        rfc3629,
        ["abc", "\u00c3\u00a9", "\u00f0\u009f\u0098\u0080", ""],
        ["\u00c3", "\u00c0\u0080", "\u00ed\u00a0\u0080"],
    ),
    "URI": (
        rfc3986,
        ["http://10.0.0.1/", "HTTP://a@b:80/c/d?e#f", "urn:x:y", "file:///a", "a://[::1]:8/"],
        ["http://[::1/", "1a:b", "a b", "//host"],
    ),
    "Language-Tag": (
        rfc5646,
        ["de", "zh-Hant-TW", "de-CH-1996", "x-private", "i-klingon", "sl-rozaj-biske", "en-a-bbb"],
        ["", "de_CH", "a-b-c-d-", "de-"],
    ),
    "rulelist": (
        rfc5234,
        ['a = "x"\r\n', "a = 1*(b / %x41-5A)\r\n   ; c\r\nb =/ <p>\r\n"],
        ["a = ", '8a = "x"\r\n'],
    ),
    "address": (
        rfc5322,
        ["a@b.c", '"q"@x', "A B <a@b>", "G: a@b, c@d;"],
        ["@b", "a@@b"],
    ),
}


def _ours(module, start):
    text = "\r\n".join(module.Rule.grammar)
    grammar = read(text)
    lark = Lark(to_lark(grammar, start), parser="earley", lexer="dynamic", start=lark_name(start))
    return grammar, lark


def _accepts(lark, text):
    try:
        lark.parse(text)
    except UnexpectedInput:
        return False
    return True


def _theirs(rule, text):
    try:
        rule.parse_all(text)
    except abnf.ParseError:
        return False
    return True


@pytest.mark.parametrize("start", TABLE)
def test_grammars_of_rfcs(start):
    module, good, bad = TABLE[start]
    grammar, lark = _ours(module, start)
    rule = module.Rule(start)
    texts = good + bad
    assert [text for text in texts if _accepts(lark, text)] == good
    assert [text for text in texts if _theirs(rule, text)] == good
    if analyse(grammar, start).is_regular:
        regex = re.compile(to_regex(grammar, start))
        assert [text for text in texts if regex.fullmatch(text)] == good


def test_a_large_grammar_is_translated_whole():
    grammar, problems = scan("\r\n".join(rfc9051.Rule.grammar))
    assert {one.kind for one in problems} == {"undefined-rule"}
    names = {one.message.split("`")[1] for one in problems}
    stubs = "".join(f'{name} = "?"\r\n' for name in sorted(names))
    whole = read("\r\n".join(rfc9051.Rule.grammar) + "\r\n" + stubs)
    lark = Lark(to_lark(whole, "response"), parser="earley", lexer="dynamic", start="response")
    assert len(whole.rules) == len(grammar.rules) + len(names)
    assert lark.rules


def _peer(text):
    class Rule(abnf.Rule):
        pass

    for line in text.split("\n"):
        Rule.create(line)
    return Rule(text.split(" ")[0])


def test_left_recursion_is_read_where_the_peer_reads_nothing():
    """The peer parses from the top down; Earley takes any context-free grammar."""
    grammar = 'a = a "+" "x" / "x"'
    lark = Lark(to_lark(read(grammar), "a"), parser="earley", lexer="dynamic", start="a")
    for text in ("x", "x+x", "x+x+x"):
        assert _accepts(lark, text)
        assert not _theirs(_peer(grammar), text)


def test_a_core_rule_may_be_repeated_where_the_peer_refuses():
    """RFC 5234 does not forbid what changes nothing, and specifications do it."""
    with pytest.raises(abnf.GrammarError):
        _peer("LF = %x0A")
    assert read("LF = %x0A")["lf"].name == "LF"
