"""Properties over generated grammars and texts."""

import re
from functools import cache
from itertools import product

from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from lark import Lark
from lark.exceptions import UnexpectedInput

from pcsf_lark.abnf import (
    AbnfError,
    Alternation,
    Concatenation,
    Grammar,
    Literal,
    NumRange,
    NumVal,
    Option,
    Prose,
    Reference,
    Repetition,
    Rule,
    analyse,
    check,
    lark_name,
    read,
    to_abnf,
    to_lalr,
    to_lark,
    to_regex,
)
from pcsf_lark.abnf.expressions.automaton import matches
from pcsf_lark.abnf.expressions.lower import inline

SETTINGS = settings(
    max_examples=150,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9-]{0,6}", fullmatch=True)
PRINTABLE = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters='"'))
POINTS = st.integers(0, 0x10FFFF)
COUNTS = st.tuples(st.integers(0, 3), st.none() | st.integers(0, 3)).map(
    lambda pair: (pair[0], None if pair[1] is None else pair[0] + pair[1])
)


def _grown(leaves, max_leaves=12):
    return st.recursive(
        leaves,
        lambda node: st.one_of(
            st.lists(node, min_size=2, max_size=4).map(lambda items: Alternation(tuple(items))),
            st.lists(node, min_size=2, max_size=4).map(lambda items: Concatenation(tuple(items))),
            node.map(Option),
            st.builds(lambda item, count: Repetition(item, *count), node, COUNTS),
        ),
        max_leaves=max_leaves,
    )


def _own(names):
    """The names that are no core rule's."""
    return [name for name in names if name.lower() not in CORE] or ["a"]


#: The names of a grammar's rules, the same wherever one example draws them.
KEYS = st.shared(st.lists(NAMES, min_size=1, max_size=5, unique_by=str.lower), key="rules")
CORE = {rule.key for rule in Grammar(()).scope}
ANY_NODES = _grown(
    st.one_of(
        st.builds(Literal, PRINTABLE, st.booleans()),
        st.lists(POINTS, min_size=1, max_size=3).map(lambda points: NumVal(tuple(points))),
        st.tuples(POINTS, POINTS).map(lambda pair: NumRange(*sorted(pair))),
        st.builds(
            Prose,
            st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters=">")),
        ),
        st.builds(
            lambda names, nth: Reference(names[nth % len(names)]), KEYS.map(_own), st.integers(0, 4)
        ),
        st.sampled_from(["DIGIT", "Alpha", "crlf"]).map(Reference),
    )
)


@st.composite
def any_grammars(draw):
    return Grammar(tuple(Rule(name, draw(ANY_NODES)) for name in _own(draw(KEYS))))


@cache
def _regular(number, count):
    later = [Reference(f"r{other}") for other in range(number + 1, count)]
    leaves = st.sampled_from(
        [
            Literal("a"),
            Literal("b", case_sensitive=True),
            Literal("ab"),
            NumVal((0x61, 0x62)),
            NumRange(0x61, 0x62),
            NumVal((0x2D,)),
            *later,
        ]
    )
    return _grown(leaves, 6)


@st.composite
def regular_grammars(draw):
    """Rules that refer to later rules only, over an alphabet of few letters."""
    count = draw(st.integers(1, 4))
    return Grammar(
        tuple(Rule(f"r{number}", draw(_regular(number, count))) for number in range(count))
    )


TEXTS = ["".join(chars) for size in range(5) for chars in product("ab-", repeat=size)]


def _earley_accepts(lark, text):
    try:
        lark.parse(text)
    except UnexpectedInput:
        return False
    return True


def _attempt(function, *arguments):
    """Return what the function returns and no problems, or None and the problems it raises."""
    try:
        return function(*arguments), ()
    except AbnfError as error:
        return None, error.problems


@SETTINGS
@given(any_grammars())
def test_written_grammars_read_back(grammar):
    assert read(to_abnf(grammar)) == grammar
    assert to_abnf(read(to_abnf(grammar))) == to_abnf(grammar)


@SETTINGS
@given(regular_grammars())
def test_regex_is_the_language(grammar):
    note(to_abnf(grammar))
    expr = inline(grammar, "r0")
    regex = re.compile(to_regex(grammar, "r0"))
    wrong = [text for text in TEXTS if bool(regex.fullmatch(text)) != matches(expr, text)]
    assert wrong == []


@settings(SETTINGS, max_examples=40)
@given(regular_grammars(), st.lists(st.sampled_from(TEXTS), min_size=8, max_size=8))
def test_earley_is_the_language(grammar, texts):
    note(to_abnf(grammar))
    expr = inline(grammar, "r0")
    lark = Lark(to_lark(grammar, "r0"), parser="earley", lexer="dynamic", start="r0")
    assert [text for text in texts if _earley_accepts(lark, text) != matches(expr, text)] == []


@settings(SETTINGS, max_examples=120)
@given(regular_grammars(), st.booleans())
def test_lalr_is_the_language_or_refused(grammar, all_tokens):
    """Where LALR is not refused, it is right: no text is lost to the lexer."""
    note(to_abnf(grammar))
    terminals = [rule.name for rule in grammar.rules[1:]][: None if all_tokens else 1]
    text, problems = _attempt(to_lalr, grammar, ["r0"], terminals)
    if text is None:
        assert {found.kind for found in problems} <= REFUSALS
        return
    lark = Lark(text, parser="lalr", start="r0", strict=True, maybe_placeholders=False)
    note(to_abnf(grammar))
    expr = inline(grammar, "r0")
    wrong = [one for one in TEXTS if _earley_accepts(lark, one) != matches(expr, one)]
    assert wrong == []


REFUSALS = {
    "shift-reduce",
    "reduce-reduce",
    "token-end",
    "token-clash",
    "token-order",
}


@settings(SETTINGS, max_examples=500)
@given(st.text('ab1*=/;"<>%xd-.()[] \t\r\n8', max_size=60))
def test_checking_never_raises(text):
    problems = check(text)
    assert list(problems) == sorted(problems, key=lambda found: found.offset)
    assert all(0 <= found.offset <= len(text) for found in problems)
    if all(found.severity != "error" for found in problems):
        grammar = read(text)
        assert read(to_abnf(grammar)) == grammar


@SETTINGS
@given(any_grammars())
def test_analysis_ends_and_names_rules(grammar):
    facts, problems = _attempt(analyse, grammar)
    if facts is None:
        assert {found.kind for found in problems} == {"unbound-prose"}
        return
    keys = {name.lower() for name in facts.rules}
    assert facts.nullable | facts.recursive <= keys
    assert facts.left_recursive | facts.self_embedding <= facts.recursive
    assert lark_name(grammar.rules[0].name) == grammar.rules[0].name.lower().replace("-", "_")
