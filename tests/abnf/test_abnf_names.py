"""Names that meet: rules called like tokens, core rules, or what a tool reserves for itself."""

import re

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import AbnfError, load, to_gbnf, to_llguidance
from pcsf_lark.abnf.expressions.automaton import matches
from pcsf_lark.abnf.expressions.lower import inline

llguidance = pytest.importorskip("llguidance")

#: Names of rules that are also what a literal or a run is called as a token.
WORDS = ("digits", "char", "chars", "char-2", "sep", "ab", "n1", "digit-2", "start", "root")
LITERALS = ("sep", "ab", "1", "char", "x", "digits")
VALUES = (
    *(f'"{word}"' for word in LITERALS),
    *(f'%s"{word}"' for word in LITERALS),
    "1*DIGIT",
    "2DIGIT",
    "DIGIT",
    "%x61-62",
    "1*%x61-62",
)
CASES = [
    ('a = 1*DIGIT "-" digits\ndigits = 2DIGIT "x"', ["1-12x"], ["12x-12x", "1-12"], ["digits"]),
    ('a = "sep" sep\nsep = ", "', ["sep, "], [", , ", "sepsep"], ["sep"]),
    ('a = sep "sep"\nsep = ", "', [", sep"], [", , ", "sepsep"], ["sep"]),
    ("a = %x61-7A CHAR", ["aa", "a~"], ["~a", "~~"], []),
    ("a = CHAR %x61-7A", ["aa", "~a"], ["a~", "~~"], []),
    ('a = "n1" n1\nn1 = "1"', ["n11"], ["11", "n1n1"], ["n1"]),
    ('a = 1*%x61-62 chars\nchars = "-"', ["ab-"], ["--", "abab"], ["chars"]),
]


def _lark_accepts(lark, text):
    try:
        lark.parse(text)
    except UnexpectedInput:
        return False
    return True


@pytest.mark.parametrize(("text", "good", "bad", "lexical"), CASES)
def test_no_token_takes_the_name_of_another(text, good, bad, lexical):
    grammar = load(text, lexical=lexical)
    lark = grammar.lark("lalr")
    assert [one for one in good + bad if grammar.match(one)] == good
    assert [one for one in good + bad if _lark_accepts(lark, one)] == good


@st.composite
def colliding_grammars(draw):
    names = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4, unique=True))
    elements = st.sampled_from((*VALUES, *names))
    rows = st.lists(elements, min_size=1, max_size=3).map(" ".join)
    lines = [f"all = {draw(rows)}"]
    for number, name in enumerate(names):
        values = st.sampled_from((*VALUES, *names[number + 1 :]))
        choice = st.lists(values, min_size=1, max_size=2).map(" / ".join)
        lines.append(f"{name} = {draw(choice)}")
    return "\n".join(lines), draw(st.lists(st.sampled_from(names), unique=True))


TEXTS = [
    *LITERALS,
    *(one + other for one in (*LITERALS, "A", "b", "12") for other in (*LITERALS, "a", "7")),
    *(f"{one}{one}{other}" for one in LITERALS for other in LITERALS),
]


@settings(max_examples=80, derandomize=True, deadline=None, database=None)
@given(colliding_grammars())
def test_lalr_is_the_language_whatever_rules_are_called(drawn):
    text, lexical = drawn
    note(text)
    grammar = load(text, lexical=lexical, shadow_core=True)
    expr = inline(grammar, "all")
    try:
        lark = grammar.lark("lalr")
    except AbnfError:
        return
    assert [one for one in TEXTS if _lark_accepts(lark, one) != matches(expr, one)] == []


class _Bytes:
    eos_token_id, bos_token_id = 256, None
    tokens = (*(bytes([byte]) for byte in range(256)), b"<end>")
    special_token_ids = (256,)

    def __call__(self, text):
        return list(text)


TOKENIZER = llguidance.LLTokenizer(llguidance.TokenizerWrapper(_Bytes()))
#: Grammars that call a rule what the exports call their own first one.
RESERVED = [
    ('start = "x" b\nb = "y"', ["xy"], ["x", "yx"]),
    ('a = "x" start\nstart = "q" [ "," Start ]', ["xq", "xq,q"], ["q", "xx"]),
    ('root = "x" b\nb = "y"', ["xy"], ["x", "yx"]),
    ('a = root "y"\nroot = "x" [Root] / root-2\nroot-2 = "z"', ["xy", "zy", "xzy"], ["x", "z"]),
    ('a = <start> <root>\nstart = "s"\nroot = "r"', ["sr"], ["s", "r", "rs"]),
]


@pytest.mark.parametrize(("text", "good", "bad"), RESERVED)
@pytest.mark.parametrize("form", ["llguidance", "gbnf"])
def test_exports_rename_what_they_need_themselves(form, text, good, bad):
    grammar = load(text)
    first = grammar.rules[0].name
    if form == "gbnf":
        written = to_gbnf(grammar, first)
        heads = re.findall(r"^(\S+) ::=", written, re.MULTILINE)
        assert len(set(heads)) == len(heads)
        written = llguidance.gbnf_to_lark.gbnf_to_lark(written)
    else:
        written = to_llguidance(grammar, first, [])
    assert llguidance.LLMatcher.validate_grammar(written, TOKENIZER) == ""
    engine = llguidance.LLMatcher(TOKENIZER, written)

    def accepts(one):
        mine = engine.deep_copy()
        data = one.encode()
        return mine.try_consume_tokens(list(data)) == len(data) and mine.is_accepting()

    assert [one for one in good + bad if accepts(one)] == good


SHADOWED = 'a = 1*DIGIT "-" DIGIT\nDIGIT = "x" / DIGIT "y"'


def test_a_shadowed_core_rule_is_a_rule_like_any_other():
    grammar = load(SHADOWED, shadow_core=True)
    assert grammar.match("xyx-xyy")
    assert [child.data for child in grammar.tree("x-xy").find_data("digit")] == ["digit"] * 3
    for parser in ("auto", "earley"):
        lark = grammar.lark(parser)
        assert [one for one in ("x-xy", "x-", "1-1") if _lark_accepts(lark, one)] == ["x-xy"]


@pytest.mark.parametrize("digit", ["%x30-39", '"0" / %x31-39', "%d48-57"])
def test_a_core_rule_defined_again_the_same_stays_one(digit):
    grammar = load(f"a = 2DIGIT LF\nDIGIT = {digit}\n")
    assert not list(grammar.tree("12\n").find_data("digit"))
    assert "digit" not in grammar.translate("lalr").text.replace("DIGIT", "")


def test_only_punctuation_moves_between_rules():
    """Entries end with their separator only where no tree holds it: another stays where it was."""
    text = 'a = b sep c\nb = "B" *(sep x)\nx = "x"\nc = "C"\nsep = '
    fixed = load(text + '","', lexical=["sep"]).lark("lalr")
    assert [child.data for child in fixed.parse("B,x,C").children] == ["b", "c"]
    loose = load(text + '"," / ";"', lexical=["sep"])
    with pytest.raises(AbnfError, match="sep"):
        loose.lark("lalr")
    tree = loose.lark("auto").parse("B,x;C")
    assert [child.data for child in tree.children] == ["b", "sep", "c"]


def test_letters_are_one_text_in_ascii_alone():
    """To Unicode the Kelvin sign is a `k`; to ABNF it is another character, which a tree must hold."""
    grammar = load('a = b "1"\nb = %x6B / %x212A', lexical=["b"])
    lark = Lark(grammar.translate("lalr").text, parser="lalr", start="a")
    assert lark.parse("\u212a1").children == ["\u212a"]
    same = load('a = b "1"\nb = "k"', lexical=["b"]).lark("lalr")
    assert same.parse("K1").children == []
