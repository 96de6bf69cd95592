"""The exports that constrain a writer, proved with llguidance itself over a byte tokenizer.

The engine must take every valid capsule, and stop at a faulty one at the first
byte after which no valid capsule is possible; what it lets through at random
must be conformant, save for what no grammar can see.
"""

import functools
import random
from pathlib import Path

import pytest

import pcsf_lark
from pcsf_lark.abnf.matching.chart import Recogniser
from pcsf_lark.export import LAYOUTS, export, generation

llguidance = pytest.importorskip("llguidance")

CORPUS = Path(__file__).parent.parent / "corpus"
FILES = sorted(CORPUS.rglob("*.pcsf"))
#: Faults that no grammar can see: size, the stamp's values, how many sentences.
UNSEEN = {"C2", "C11"}


class _Bytes:
    """A tokenizer with a token for each byte."""

    eos_token_id, bos_token_id = 256, None
    tokens = (*(bytes([byte]) for byte in range(256)), b"<end>")
    special_token_ids = (256,)

    def __call__(self, text):
        return list(text)


TOKENIZER = llguidance.LLTokenizer(llguidance.TokenizerWrapper(_Bytes()))


def matcher(text):
    assert llguidance.LLMatcher.validate_grammar(text, TOKENIZER) == ""
    return llguidance.LLMatcher(TOKENIZER, text)


def taken(engine, data):
    """How many bytes the engine takes, and whether it may stop there."""
    engine = engine.deep_copy()
    count = engine.try_consume_tokens(list(data))
    return count, count == len(data) and engine.is_accepting()


@functools.cache
def small():
    return [path for path in FILES if path.stat().st_size < 4096 and "profiles" not in path.parts]


@functools.cache
def checked(path):
    return pcsf_lark.check(path.read_bytes())


@functools.cache
def charts():
    """How far each text is viable, and whether it is a capsule, by the grammar's own chart."""
    recogniser = Recogniser(generation(), "capsule")
    found = {path: recogniser.chart(path.read_bytes().decode("latin-1")) for path in small()}
    return {path: (chart.offset, chart.accepted) for path, chart in found.items()}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_valid_capsule_is_taken(layout):
    engine, count = matcher(export("llguidance", layout)), 0
    for path in small():
        report = checked(path)
        if report.conformant:
            admitted = layout in ("any", report.layout)
            assert taken(engine, path.read_bytes())[1] == admitted, path
            count += admitted
    assert count >= 40


@pytest.mark.parametrize("form", ["llguidance", "gbnf"])
def test_faults_are_refused_at_the_first_byte(form):
    """Where the chart of the grammar ends, no capsule begins like that: the engine ends there too."""
    text = export(form)
    if form == "gbnf":
        # The engine's own reader of GBNF: it shares nothing with our writer.
        text = llguidance.gbnf_to_lark.gbnf_to_lark(text)
    engine = matcher(text)
    wrong = [path for path, ends in charts().items() if taken(engine, path.read_bytes()) != ends]
    assert wrong == []
    assert sum(not accepted for _, accepted in charts().values()) >= 500


def test_only_what_no_grammar_sees_gets_through():
    engine = matcher(export("llguidance"))
    for path in small():
        data = path.read_bytes()
        report = checked(path)
        codes = {one.code for one in report.findings if one.code.startswith("C")}
        if taken(engine, data)[1] and not report.conformant:
            assert codes <= UNSEEN | {"C9"}, path
            assert "C9" not in codes or _marks(data) > 1, path


def _marks(data):
    return sum(data.partition(b"\nSEED: ")[2].count(mark) for mark in b".!?")


def walk(engine, rng, steps=6000):
    """Bytes that the engine allows, drawn at random but with a wish to come to an end."""
    engine, text = engine.deep_copy(), bytearray()
    while len(text) < steps:
        mask = int.from_bytes(engine.compute_bitmask(), "little")
        allowed = [byte for byte in range(257) if mask >> byte & 1]
        if 256 in allowed and (len(allowed) == 1 or rng.random() < 0.7):
            assert engine.is_accepting()
            return bytes(text)
        assert allowed, bytes(text[-40:])
        choice = [byte for byte in allowed if byte < 256]
        favourites = [byte for byte in choice if byte in b"\n |:"]
        byte = rng.choice(favourites if favourites and rng.random() < 0.3 else choice)
        assert engine.consume_token(byte)
        text.append(byte)
    raise AssertionError("the walk does not end")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_random_walks_end_in_conformant_capsules(layout):
    engine, rng, layouts = matcher(export("llguidance", layout)), random.Random(layout), set()
    for _ in range(20):
        data = walk(engine, rng)
        report = pcsf_lark.check(data)
        codes = {one.code for one in report.findings if one.code.startswith("C")}
        if len(data) <= 65536:
            assert codes <= UNSEEN | {"C9"}, data
            layouts.add(report.layout)
        if "C9" in codes:
            (seed,) = [one for one in report.findings if one.code == "C9"]
            assert "sentence" in seed.message
    assert layouts == ({"spaced", "compact"} if layout == "any" else {layout})


@pytest.mark.parametrize(
    ("stamp", "legal"),
    [
        ("2024-02-29T00:00Z", True),
        ("2023-02-29T00:00Z", False),
        ("2000-02-29T23:59Z", True),
        ("1900-02-29T00:00Z", False),
        ("0000-02-29T00:00Z", False),
        ("0004-02-29T00:00Z", True),
        ("0001-01-01T00:00Z", True),
        ("0000-01-01T00:00Z", False),
        ("9999-12-31T23:59Z", True),
        ("2026-04-31T00:00Z", False),
        ("2026-13-01T00:00Z", False),
        ("2026-00-10T00:00Z", False),
        ("2026-01-00T00:00Z", False),
        ("2026-01-32T00:00Z", False),
        ("2026-01-01T24:00Z", False),
        ("2026-01-01T00:60Z", False),
        ("2026-01-01t00:00Z", False),
    ],
)
def test_dates_exist(stamp, legal):
    recogniser = Recogniser(generation(), "timestamp")
    assert recogniser.accepts(stamp) == legal


def test_days_of_seven_years_and_leap_days_of_all():
    from datetime import date, timedelta

    recogniser = Recogniser(generation(), "date", fused=True)
    day, known = date(1999, 1, 1), set()
    while day.year < 2005:
        known.add(day.isoformat())
        day += timedelta(days=1)
    for year in (1999, 2000, 2004):
        for month in range(14):
            for number in range(33):
                text = f"{year}-{month:02}-{number:02}"
                assert recogniser.accepts(text) == (text in known)
    leap = [year for year in range(10000) if recogniser.accepts(f"{year:04}-02-29")]
    assert leap == [y for y in range(1, 10000) if y % 4 == 0 and (y % 100 or y % 400 == 0)]
