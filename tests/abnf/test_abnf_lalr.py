"""Token mode: what becomes a token, what it is followed by, and which conflicts are told."""

import re

import pytest
from lark import Lark
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import AbnfError, read, to_lalr

HEADED = """
file   = *( head / entry )
head   = "HEAD" LF
entry  = text SEP text LF
text   = 1*(%x20-7B / %x7D-7E)
SEP    = " | "
"""


def _lines(text):
    return dict(re.findall(r"^(\w+)(?:\.\d+)?: (.*)$", text, re.MULTILINE))


def _lark(text, *starts):
    return Lark(text, parser="lalr", start=list(starts), strict=True, maybe_placeholders=False)


def _accepts(lark, text, start):
    try:
        lark.parse(text, start=start)
    except UnexpectedInput:
        return False
    return True


def _problems(text, starts, terminals=()):
    with pytest.raises(AbnfError) as caught:
        to_lalr(read(text), starts, terminals)
    return [(found.kind, found.message) for found in caught.value.problems]


def test_headers_outrank_fields_and_look_ahead():
    text = to_lalr(read(HEADED), ["file", "entry"], ["text", "SEP"])
    lark = _lark(text, "file", "entry")
    assert _accepts(lark, "HEAD\na | b\n", "file")
    assert _accepts(lark, "HEADS | b\nHEAD | b\n head | HEAD\n", "file")
    assert not _accepts(lark, "HEADS\n", "file")
    assert lark.parse("HEADS | x\n", start="entry").children == ["HEADS", "x"]
    assert re.search(r"^_HEAD\.1: /.*\(\?=\\n\)/$", text, re.MULTILINE)


def test_a_token_that_overlaps_its_follower_looks_ahead():
    lines = _lines(to_lalr(read(HEADED), ["file"], ["text", "SEP"]))
    assert lines["TEXT"] == r"/[ -{}~]+(?=\n| \| )/"
    text = to_lalr(read(HEADED), ["entry", "text"], ["text", "SEP"])
    assert r"\Z" in _lines(text)["TEXT"]
    lark = _lark(text, "entry", "text")
    assert lark.parse(" a  |  b \n", start="entry").children == [" a ", " b "]


def test_a_token_without_overlap_does_not():
    words = HEADED.replace("1*(%x20-7B / %x7D-7E)", "word *(1*SP word)\nword=1*%x21-7B")
    lines = _lines(to_lalr(read(words), ["entry"], ["text", "SEP"]))
    assert lines["TEXT"] == r"/[!-{]+(?: +[!-{]+)*/"


def test_punctuation_leaves_the_tree_and_values_stay():
    grammar = 'a = "x=" 1*DIGIT ";" 4hex [kind]\nhex = DIGIT / %x61-66\nkind = "A" / "B"\n'
    text = to_lalr(read(grammar), ["a"], ["kind"])
    assert _lines(text)["a"] == "_X DIGITS _SEMICOLON HEX_4 KIND?"
    tree = _lark(text, "a").parse("X=12;00ffb", start="a")
    assert [(token.type, str(token)) for token in tree.children] == [
        ("DIGITS", "12"),
        ("HEX_4", "00ff"),
        ("KIND", "b"),
    ]


def test_nullable_tokens_are_optional_and_never_empty():
    grammar = 'a = pad "x" tail\npad = *SP\ntail = [*"y" *"z"]\n'
    text = to_lalr(read(grammar), ["a"], ["pad", "tail"])
    assert _lines(text)["a"] == "PAD? _X TAIL?"
    lark = _lark(text, "a")
    for good in ("x", " xy", "  xyyzz", "xz"):
        assert _accepts(lark, good, "a")
    assert not _accepts(lark, "xzy", "a")


def test_entries_between_separators_are_turned_to_end_with_them():
    grammar = 'a = b LF c LF\nb = "B" *(LF x)\nc = "C" *(LF x)\nx = "-" 1*DIGIT\n'
    text = to_lalr(read(grammar), ["a", "x"], [])
    lines = _lines(text)
    assert (lines["a"], lines["b"]) == ("b c", "_B _LF (x _LF)*")
    lark = _lark(text, "a", "x")
    for good in ("B\nC\n", "B\n-1\n-2\nC\n-3\n"):
        assert _accepts(lark, good, "a")
    for bad in ("B\nC", "BC\n", "B\n\nC\n", "B\n-1C\n"):
        assert not _accepts(lark, bad, "a")


def test_it_is_not_turned_where_a_use_lacks_the_separator():
    grammar = 'a = b LF c / b c\nb = "B" *(LF "x")\nc = "C"\n'
    assert [kind for kind, _ in _problems(grammar, ["a"])] == ["shift-reduce"]


@pytest.mark.parametrize(
    ("grammar", "kind", "says"),
    [
        ('a-b = *c [c] "y"\nc = "x" "w"\n', "shift-reduce", "a-b"),
        ('a = left-side / right-side\nleft-side = "x"\nright-side = "x"\n', "reduce-reduce", "`left-side` and `right-side`"),
        ('a = one / two\none = "ab"\ntwo = 1*ALPHA\n', "token-clash", '`1*ALPHA` and `"ab"`'),
        ('a = list "x"\nlist = 1*("x" / "y")\n', "token-end", "`list`"),
    ],
)  # fmt: skip
def test_conflicts_are_told_in_abnf(grammar, kind, says):
    found = _problems(grammar, ["a-b" if "a-b" in grammar else "a"], ["list"] * ("list" in grammar))
    assert found[0][0] == kind
    assert says in found[0][1]
    assert "__" not in found[0][1]


def test_a_conflict_offers_earley():
    with pytest.raises(AbnfError) as caught:
        to_lalr(read('a = *c [c] "y"\nc = "x" "w"'), ["a"], [])
    assert "Earley" in caught.value.problems[0].help


@pytest.mark.parametrize(
    ("grammar", "terminals", "kind"),
    [
        ('a = b\nb = "(" [b] ")"\n', ["b"], "recursive-rule"),
        ('a = "x"\n', ["nope"], "undefined-rule"),
        ('a = "x" <some prose>\n', [], "unbound-prose"),
    ],
)
def test_terminals_must_be_regular_and_known(grammar, terminals, kind):
    assert [found for found, _ in _problems(grammar, ["a"], terminals)] == [kind]
