"""Every construction ends: in an answer or a told limit, after a bounded amount of work.

Families of grammars that grow: each is tried at a size that would take minutes
or gigabytes without a limit. Bounds are in processor seconds, several times
what an idle core needs.
"""

import functools
import time

import pytest

from pcsf_lark.abnf import AbnfError, MatchError, inspect, load
from pcsf_lark.abnf.kinds import CODES
from pcsf_lark.abnf.matching.chart import Recogniser

SECONDS = 60


def _chain(count):
    """Rules that each hold the next one in a loop, behind a loop of their own."""
    body = "".join(f'r{n} = *"x" *( r{n + 1} "z" )\n' for n in range(count))
    return f'{body}r{count} = "y"\n'


def _doubling(count):
    return "".join(f"a{n} = a{n + 1} a{n + 1}\n" for n in range(count)) + f'a{count} = "y"\n'


def _line(count):
    return "".join(f"a{n} = a{n + 1}\n" for n in range(count)) + f'a{count} = "xx"\n'


def _pairs(count, form):
    """Rules that each hold the next one twice, each time in a form that may be empty."""
    body = "".join(f"a{n} = {form} {form}\n".replace("#", f"a{n + 1}") for n in range(count))
    return f'{body}a{count} = "x"\n'


def _words(count, head=""):
    return "a = " + " / ".join(f'"{head or chr(97 + n % 26)}{n}"' for n in range(count)) + "\n"


FAMILIES = {
    "loops in loops, 330": _chain(330),
    "loops in loops, 1,000": _chain(1_000),
    "doubling, 500": _doubling(500),
    "a line of rules, 2,000": _line(2_000),
    "a line of rules, 8,000": _line(8_000),
    "a line of loops": "".join(f"a{n} = *( *a{n + 1} )\n" for n in range(1_000)) + 'a1000 = "x"\n',
    "pairs of loops, 9": _pairs(9, "*#"),
    "pairs of loops, 25": _pairs(25, "*#"),
    "pairs of options, 22": _pairs(22, "[#]"),
    "a ring": "".join(f'a{n} = "x" a{(n + 1) % 1_500} / "y"\n' for n in range(1_500)),
    "2,000 words": _words(2_000),
    "2,000 words that begin alike": _words(2_000, "word"),
    "100,000 words": _words(100_000),
    "a row of 3,000": "a = " + " ".join(f'"{n} "' for n in range(3_000)) + "\n",
    "a row of loops": "a = " + " ".join(f"*%x{n:X}-{n + 50:X}" for n in range(60, 600)) + "\n",
    "a choice of loops": "a = " + " / ".join(f'*%x{n:X}-{n + 50:X} "q"' for n in range(60, 1_000)),
    "a text of 20,000": f'a = "{"x" * 20_000}"\n',
    "a text of 250,000": f'a = "{"x" * 250_000}"\n',
    "every character": "a = %x00-10FFFF 1*%x80-10FFFF [%x10000-10FFFF]\n",
    "counts of counts": 'a = 1*1000000(1*1000000"x") / *1000000("x" "y")\n',
    "many subsets": 'a = *("x"/"y") "x" 25("x"/"y")\nb = a / *("x"/"y") "y" 25("x"/"y")\n',
    "very ambiguous": 'a = a a a / a a / "x" / ""',
    "nullable loops": "a = " + " ".join(["*b"] * 60) + '\nb = *"x" *"y"\n',
    "5,000 duplicates": "a = x\n" * 5_000,
}


@functools.cache
def _inspected(text):
    return inspect(text)


WAYS = {
    "check": _inspected,
    "match": lambda text: _loaded(text).match("xx"),
    "tree": lambda text: _loaded(text).tree("xx"),
    "translate": lambda text: _loaded(text).translate(),
}
#: Checking translates as well, and trees come from charts: some families tell more.
MORE = {
    "match": ("loops", "pairs", "counts", "subsets", "ambiguous", "text", "line", "every"),
    "tree": ("loops in loops, 330", "pairs", "ambiguous", "ring"),
    "translate": ("text", "330", "every", "ambiguous"),
}
TRIED = [(name, "check") for name in FAMILIES] + [
    (name, way)
    for way, words in MORE.items()
    for name in FAMILIES
    if any(word in name for word in words)
]
#: What may be said of a text instead of an answer.
REFUSALS = {"size-limit", "work-limit", "undefined-rule", "duplicate-rule", "recursive-rule"}


@functools.cache
def _loaded(text):
    return load(text)


def _kinds(way, text):
    """The kinds of problem found or raised; a text that does not match has none."""
    try:
        found = WAYS[way](text)
    except AbnfError as error:
        return {one.kind for one in error.problems}, REFUSALS
    except MatchError:
        return set(), REFUSALS
    return {one.kind for one in found} if way == "check" else set(), set(CODES)


@pytest.mark.parametrize(("name", "way"), TRIED)
def test_every_family_ends(name, way):
    begun = time.process_time()
    kinds, allowed = _kinds(way, FAMILIES[name])
    assert kinds <= allowed
    assert time.process_time() - begun < SECONDS


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("loops in loops, 330", "lalr-size"),
        ("doubling, 500", "size-limit"),
        ("2,000 words that begin alike", "lalr-size"),
        ("a line of rules, 2,000", "size-limit"),
        ("a line of rules, 8,000", "size-limit"),
        ("a text of 250,000", "not-checked"),
        ("100,000 words", "size-limit"),
    ],
)
def test_a_check_says_what_was_too_large(name, kind):
    found = _inspected(FAMILIES[name])
    assert kind in {one.kind for one in found}
    assert all(one.help for one in found)
    assert "fault of" not in "".join(one.message for one in found)


def test_an_answer_where_there_is_one():
    """The limits refuse what explodes, and nothing that is merely large."""
    assert load(_chain(250)).match("xx")
    assert load(_words(2_000)).translate("lalr").parser == "lalr"
    assert load(_line(400)).translate("lalr").parser == "lalr"
    assert load(_line(2_000)).match("XX")
    text = f'a = "{"x" * 2_000}"\n'
    assert load(text).match("x" * 2_000)
    assert load(text).translate("lalr").build().parse("x" * 2_000).data == "a"


def test_every_character_is_a_class_that_builds_at_once():
    """Lark's check of collisions spells classes out: large ones are written by what they lack."""
    grammar = load(
        "a = %x00-10FFFF\nb = %x80-10FFFF\nc = %x10000-10FFFF\nd = %x00-7F / %xA0-10FFFF"
    )
    begun = time.process_time()
    for start, good, bad in (
        ("a", ["\0", "\n", "\U0010ffff"], []),
        ("b", ["\x80", "\U0010ffff"], ["\x7f", "\n"]),
        ("c", ["\U00010000", "\U0010ffff"], ["\uffff"]),
        ("d", ["\n", "\x7f", "\xa0"], ["\x80", "\x9f"]),
    ):
        lark = load("\n".join(f"{r.name} = {t}" for r, t in _texts(grammar)), start=start).lark(
            "lalr"
        )
        for one in good:
            assert lark.parse(one).data == start
        for one in bad:
            with pytest.raises(Exception, match="No terminal matches"):
                lark.parse(one)
    assert time.process_time() - begun < 4


def _texts(grammar):
    from pcsf_lark.abnf.writing.to_abnf import node_abnf

    return [(rule, node_abnf(rule.definition)) for rule in grammar.rules]


def test_a_regular_grammar_has_a_limit_of_work_as_well():
    grammar = load('a = 1*1000000(1*1000000"a")')
    assert grammar.match("a" * 60)
    with pytest.raises(AbnfError, match="at offset") as caught:
        Recogniser(grammar, "a", fused=True).accepts("a" * 400, limit=50_000)
    (found,) = caught.value.problems
    assert (found.kind, bool(found.help)) == ("work-limit", True)


@pytest.mark.parametrize(
    "text",
    [
        'a = "x" a / ""',
        'a = "x" b / "y"\nb = "x" a / ""',
        'a = *"x" [a]',
        'a = ("x" / "y") ("x" a / "")',
    ],
)
def test_recursion_to_the_right_is_linear(text):
    """Nothing follows the call, so matching keeps no place to come back to."""
    grammar = load(text)
    recogniser = Recogniser(grammar, "a", fused=True)
    size = 100_000
    for one in ("x" * size, "x" * (size - 1) + "y", "x" * size + "z"):
        short = one[-21:] if size % 2 == 0 else one[-20:]
        assert recogniser.accepts(one) in (True, False)
        expected = Recogniser(grammar, "a").accepts(short)
        assert recogniser.accepts(short) == expected


@pytest.mark.parametrize(
    ("text", "size"), [('a = "(" [a] ")"', 1_000), ('a = a "x" / ""', 3_000), ('a = *"x"', 3_000)]
)
def test_work_is_linear_where_the_grammar_is_deterministic(text, size):
    texts = ["(" * n + ")" * n if "(" in text else "x" * n for n in (size, 2 * size)]
    recogniser = Recogniser(load(text), "a")
    for one in texts:
        assert recogniser.chart(one, limit=12 * len(one)).accepted


def test_too_much_work_says_what_it_may_be():
    with pytest.raises(AbnfError, match="rules that end with themselves") as caught:
        Recogniser(load('a = "x" a / ""'), "a").chart("x" * 3_000, limit=50_000)
    assert [one.kind for one in caught.value.problems] == ["work-limit"]
