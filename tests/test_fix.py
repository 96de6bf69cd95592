"""Fixes: what each mends, and the laws that hold for all of them on capsules and near misses."""

import random
from itertools import pairwise

import pytest
from attrs import evolve
from capsules import generate, mutate
from hypothesis import given, settings
from hypothesis import strategies as st

import pcsf_lark
from pcsf_lark.mending import fix
from pcsf_lark.model import Integrity
from pcsf_lark.rules import all_rules
from pcsf_lark.rules._rule import BASE
from pcsf_lark.spec import LIMIT

BODY = BASE[BASE.index("L1:") :]
COMPACT = BASE.replace(BODY, BODY.replace("\n\n", "\n"))
STAMPED = pcsf_lark.format(evolve(pcsf_lark.parse(BASE), integrity=Integrity("", ""))).decode()
LOOP = "INCOMPLETE_TASK | measure replica lag | HIGH\n"
CHAIN = "CHAIN: hops=1 origin=2026-05-01T08:00Z\n"

#: What a safe fix turns into ``BASE``.
SAFE = {
    "trailing spaces": BASE.replace("HIGH\n", "HIGH  \n").replace("L5:LOOPS", "L5:LOOPS "),
    "edge spaces": BASE.replace("CHOICE | build", "CHOICE |  build").replace("STYLE: ", "STYLE:  "),
    "edge spaces in SEED and META": BASE.replace("SEED: ", "SEED:  ").replace("META: ", "META:  "),
    "no space after a colon": BASE.replace("STYLE: ", "STYLE:").replace("SEED: ", "SEED:"),
    "a separator without a space": BASE.replace("CHOICE | ", "CHOICE |").replace(" | HIGH", "| HIGH"),
    "crlf": BASE.replace("\n", "\r\n"),
    "old mac line ends": BASE.replace("\n", "\r"),
    "bom": "\ufeff" + BASE,
    "bom and crlf": "\ufeff" + BASE.replace("\n", "\r\n"),
    "tab": BASE.replace("WORKING | ", "WORKING |\t"),
    "final line ends": BASE + "\n\n",
    "no final line end": BASE[:-1],
    "blank lines before": "\n\n" + BASE,
    "every token in lower case": "".join(
        line.lower() if line.startswith(("===", "L")) else line for line in BASE.splitlines(keepends=True)
    ),
    "meta tokens": BASE.replace("META:", "meta:").replace("WORKING", "working").replace("T09:30Z", "t09:30z"),
    "chain tokens": BASE.replace(CHAIN, CHAIN.lower().replace("hops", "HOPS")),
    "entry tokens": BASE.replace("CHOICE", "Choice").replace("UNCERTAINTY", "uncertainty").replace("HIGH", "high"),
    "dimension": BASE.replace("STYLE", "style"),
    "seed token": BASE.replace("SEED", "Seed"),
    "chain above meta": BASE.replace(CHAIN, "").replace("META:", CHAIN + "META:"),
    "leading zeros": BASE.replace("hops=1", "hops=0001"),
    "compact": COMPACT,
    "mixed, a blank line too few": BASE.replace("\n\nL3", "\nL3"),
    "mixed, mostly compact": COMPACT.replace("\nL3", "\n\nL3"),
    "blank lines too many": BASE.replace("\n\nL3", "\n\n\n\nL3").replace("SEED", "\nSEED"),
    "blank line inside a layer": BASE.replace("L4:RELATION\n", "L4:RELATION\n\n"),
    "no blank line above L1": BASE.replace("\n\nL1", "\nL1"),
}  # fmt: skip


@pytest.mark.parametrize("text", SAFE.values(), ids=SAFE)
def test_safe_fixes_give_the_capsule_back(text):
    assert fix(text).decode() == BASE


#: Name to text, and what the unsafe fixes make of it.
UNSAFE = {
    "smart quotes": (BASE.replace("replica's", "replica\u2019s"), BASE),
    "dashes": (BASE.replace("four hours", "four \u2013 hours"), BASE.replace("four hours", "four - hours")),
    "dots": (BASE.replace("numbers first", "numbers first\u2026"), BASE.replace("numbers first", "numbers first...")),
    "accents": (BASE.replace("reload", "r\u00e9l\u00f6\u00e4d"), BASE),
    "windows quotes": (BASE.replace("replica's", "replica\x92s").encode("latin-1"), BASE),
    "a bar that is no pipe": (BASE.replace("four hours", "four\u2502hours"), BASE.replace("four hours", "four/hours")),
    "arrow": (BASE.replace("dump and", "dump \u2192"), BASE.replace("dump and", "dump ->")),
    "no-break space": (BASE.replace("four hours", "four\u00a0hours"), BASE),
    "fence": (f"```text\n{BASE}```\n", BASE),
    "chatter": (f"Here is the capsule:\n\n{BASE}\nHope this helps!\n", BASE),
    "chatter that is not ASCII": (f"Here\u2019s your capsule \U0001f389\n```\n{BASE}```\n\u2705 done\n", BASE),
    "fence with crlf": (f"```\n{BASE}```\n".replace("\n", "\r\n"), BASE),
    "pipe in a field": (BASE.replace("four hours", "four|hours"), BASE.replace("four hours", "four/hours")),
    "a pipe that may separate": (
        BASE.replace("dump and reload | four hours of downtime | size", "dump|reload | four hours of downtime, size"),
        BASE.replace("dump and reload | four hours of downtime | size", "dump | reload | four hours of downtime, size"),
    ),
    "the border of a table's row": (BASE.replace("dump and", "| dump and").replace("first\n", "first |\n", 1), BASE),
    "pipe in L4": (BASE.replace("short answers", "short | answers"), BASE.replace("short answers", "short / answers")),
    "pipe in SEED": (BASE.replace("safe to", "safe|to"), BASE.replace("safe to", "safe/to")),
    "two sentences": (BASE.replace("online once", "online. Once"), BASE.replace("online once", "online; Once")),
    "three sentences": (
        BASE.replace("is safe to build online once", "is safe! It builds online?! Once"),
        BASE.replace("is safe to build online once", "is safe; It builds online; Once"),
    ),
    "loops": (
        BASE.replace(LOOP, "PROMISE | b | LOW\nPROMISE | c | MED\n" + LOOP + "PROMISE | d | MED\n"),
        BASE.replace(LOOP, LOOP + "PROMISE | c | MED\nPROMISE | d | MED\nPROMISE | b | LOW\n"),
    ),
    "copies": (BASE.replace(LOOP, LOOP * 3), BASE.replace(LOOP, LOOP)),
    "hops=0": (BASE.replace("hops=1", "hops=0"), BASE.replace(CHAIN, "")),
    "an old token": (BASE.replace("v1.2", "v1"), BASE),
    "too long": (
        BASE.replace(LOOP, LOOP + "".join(f"PROMISE | tell team {n} {'x' * 150} | LOW\n" for n in range(6))),
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), UNSAFE.values(), ids=UNSAFE)
def test_unsafe_fixes_mend_and_safe_ones_keep_away(text, expected):
    data = text if isinstance(text, bytes) else text.encode()
    mended = fix(data, unsafe=True)
    if expected is not None:
        assert mended.decode() == expected
    assert pcsf_lark.conformant(mended)
    # A safe pass may strip spaces, but what needs judgement is still there.
    safe = fix(data)
    assert fix(safe, unsafe=True) == mended != safe


@pytest.mark.parametrize("between", ["", "\n", "```\n\n```\n", "And the other one:\n\n"])
def test_a_second_capsule_is_no_chatter(between):
    """Which of the two is meant nobody can tell; neither is thrown away."""
    other = BASE.replace("index", "table")
    both = BASE + between + other
    for unsafe in (False, True):
        assert other.strip() in fix(both, unsafe=unsafe).decode()
    (finding,) = pcsf_lark.check(both).findings
    assert finding.code == "C3"
    assert "another one" in finding.message
    assert finding.fix is None


def test_an_over_long_capsule_is_fitted_as_the_specification_says():
    mended = fix(UNSAFE["too long"][0], unsafe=True).decode()
    assert LOOP in mended
    assert "team 0" in mended
    assert "team 5" not in mended


# Stamps


def wrong(text):
    return text.replace("crc32=", "crc32=0", 1).replace("0 chars", " chars", 1)


@pytest.mark.parametrize("unsafe", [False, True])
def test_a_right_stamp_stays_right(unsafe):
    for broken in (
        STAMPED.replace("HIGH", "high"),
        STAMPED.replace("\n\nL3", "\nL3"),
        STAMPED.replace("hops=1", "hops=001"),
    ):
        bare = "".join(line for line in broken.splitlines(keepends=True) if "INTEGRITY" not in line)
        at = broken.index("INTEGRITY")
        from pcsf_lark import integrity

        stamped = integrity.insert(bare.encode(), at)
        mended = fix(stamped, unsafe=unsafe)
        assert mended.decode() == STAMPED
        assert pcsf_lark.conformant(mended)


def test_chars_with_leading_zeros():
    digits = STAMPED.partition("chars=")[2].partition("\n")[0]
    longer = STAMPED.replace(f"chars={digits}", f"chars=00{int(digits) + 2}")
    assert [f.code for f in pcsf_lark.check(longer).findings] == ["V002"]
    assert fix(longer).decode() == STAMPED


def test_what_restores_the_stamped_bytes_makes_the_stamp_right():
    for damage in (
        STAMPED.replace("\n", "\r\n"),
        "\ufeff" + STAMPED,
        STAMPED.replace("HIGH", "HIGH "),
    ):
        assert not pcsf_lark.conformant(damage)
        assert fix(damage).decode() == STAMPED


STALE = {
    "changed text": STAMPED.replace("four hours", "five hours"),
    "cut": STAMPED.replace("four ", ""),
    "and compact": STAMPED.replace("four", "five").replace(BODY.replace("four", "five"), BODY.replace("\n\n", "\n").replace("four", "five")),
    "and zeros": STAMPED.replace("four", "five").replace("hops=1", "hops=01"),
    "and unsorted": STAMPED.replace(LOOP, "PROMISE | b | LOW\n" + LOOP),
    "and a wrong token": STAMPED.replace("HIGH", "high").replace("four", "five"),
}  # fmt: skip


def stamp_of(data):
    """The first INTEGRITY line, in whatever case; what mending brought back to its right bytes is right."""
    return next(
        line for line in data.splitlines() if line.upper().startswith(b"INTEGRITY:")
    ).rstrip()


@pytest.mark.parametrize("text", STALE.values(), ids=STALE)
def test_a_stale_stamp_stays_unless_asked_for(text):
    data = text.encode()
    for unsafe in (False, True):
        mended = fix(data, unsafe=unsafe)
        assert stamp_of(mended) == stamp_of(data)
        assert not pcsf_lark.conformant(mended)
        anew = fix(data, unsafe=unsafe, restamp=True)
        assert pcsf_lark.conformant(anew)
        assert stamp_of(anew) != stamp_of(data)
        assert fix(anew, unsafe=unsafe) == anew


def test_no_stamp_on_a_capsule_that_is_still_broken():
    broken = STAMPED.replace("HIGH", "URGENT")
    assert fix(broken, unsafe=True, restamp=True).decode() == broken


# Laws


def faults(data):
    return [f.code for f in pcsf_lark.check(data).findings if f.code.startswith("C")]


def assert_laws(data):
    before = faults(data)
    for unsafe in (False, True):
        for restamp in (False, True):
            mended = fix(data, unsafe=unsafe, restamp=restamp)
            assert fix(mended, unsafe=unsafe, restamp=restamp) == mended
            assert len(mended) <= max(LIMIT, len(data))
            after = faults(mended)
            assert before or not after
            if "C1" not in before:  # which hides what else is wrong with its lines
                assert len(after) <= len(before)
            if not restamp and "C11" in after:
                assert stamp_of(mended).lower() == stamp_of(data).lower()


@given(st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_laws_on_near_misses(rng):
    text = generate(rng)
    assert_laws(text.encode())
    assert_laws(mutate(rng, text).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.code)
def test_laws_on_every_bad_example(rule):
    for example in rule.bad:
        if example.profile == "interop":
            assert_laws(example.data)


def test_near_the_limit_nothing_grows_over_it():
    rng = random.Random(11)
    for _ in range(30):
        text = generate(rng, layouts=("compact",))
        room = LIMIT - len(text)
        grown = text.replace("META: ", "META: " + "x" * (room - rng.randint(0, 4)), 1)
        if len(grown) <= LIMIT:
            assert_laws(grown.encode())


def test_only_what_is_wanted_is_mended():
    text = BASE.replace("HIGH", "high").replace("hops=1", "hops=01")
    assert fix(text, select=["V"]).decode() == BASE.replace("HIGH", "high")
    assert fix(text, ignore=["V"]).decode() == BASE.replace("hops=1", "hops=01")


def test_text_beyond_the_read_limit_is_left_alone():
    assert fix(b"x" * 70_000) == b""  # nothing was read, nothing is written


def test_every_fix_is_typed_and_placed():
    seen = {True: 0, False: 0}
    for rule in all_rules():
        for example in rule.bad:
            for finding in pcsf_lark.check(example.data, profile=example.profile).findings:
                if finding.fix is None:
                    continue
                seen[finding.fix.safe] += 1
                assert finding.fix.title
                spans = sorted((e.span.offset, e.span.end) for e in finding.fix.edits)
                assert spans
                assert all(0 <= a <= b <= len(example.data) for a, b in spans)
                assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert min(seen.values()) > 5
