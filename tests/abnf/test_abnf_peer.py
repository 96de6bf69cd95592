"""Agreement with the `abnf` package where it is right, and where it is not, ours and why."""

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import AbnfError, load, read, scan, to_lark

abnf = pytest.importorskip("abnf")
from abnf.grammars import rfc9051  # noqa: E402


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


def test_a_large_grammar_is_translated_whole():
    grammar, problems = scan("\r\n".join(rfc9051.Rule.grammar))
    assert {one.kind for one in problems} == {"undefined-rule"}
    names = {one.message.split("`")[1] for one in problems}
    stubs = "".join(f'{name} = "?"\r\n' for name in sorted(names))
    whole = read("\r\n".join(rfc9051.Rule.grammar) + "\r\n" + stubs)
    lark = Lark(to_lark(whole, "response"), parser="earley", lexer="dynamic", start="response")
    assert len(whole.rules) == len(grammar.rules) + len(names)
    assert {rule.origin.name for rule in lark.rules} >= {"response", "mailbox_list", "flag"}


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


#: What the peer reads as the RFCs say, as we do. (A trailing `""`, which it long refused, is
#: taken since its version 2.9.)
SHARED = [
    ('a = "aBc"', ["abc", "ABC"], ["ab\u0307c"]),
    ('a = %s"aBc"', ["aBc"], ["abc"]),
    ("a = %x61.62", ["ab"], ["AB"]),
    ('a = ""', [""], ["x"]),
    ('a = "x" ""', ["x"], [""]),
    ('a = "" "x"', ["x"], [""]),
    ('a = 0"a" "b"', ["b"], ["ab"]),
    ('a = *"a" "a"', ["a", "aaa"], [""]),
    ('a = ("a" / "ab") "c"', ["ac", "abc"], ["ab"]),
]


@pytest.mark.parametrize(("text", "good", "bad"), SHARED)
def test_case_and_empty_strings(text, good, bad):
    grammar, peer = load(text), _peer(text)
    assert [one for one in good + bad if grammar.match(one)] == good
    assert [one for one in good + bad if _theirs(peer, one)] == good


def test_case_is_that_of_ascii():
    """RFC 5234 §2.3 ties case to US-ASCII: the Kelvin sign and the long s are no letters of it."""
    grammar = load('a = "ks"')
    assert [one for one in ("ks", "KS", "\u212as", "k\u017f") if grammar.match(one)] == ["ks", "KS"]
    assert not _theirs(_peer('a = "ks"'), "\u212as")


def test_prose_is_refused_where_the_peer_fails_to_match():
    """To the peer prose matches nothing, which looks like a wrong text; here it is a wrong grammar."""
    text = 'a = <the usual> / "x"'
    with pytest.raises(AbnfError, match="describes no text"):
        load(text)
    assert _theirs(_peer(text), "x")
    assert not _theirs(_peer(text), "the usual")
    assert load(text, bind={"the usual": '"y"'}).match("y")
