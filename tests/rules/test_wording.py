"""Rules that look at wording: what people write and mean, and what only sounds like it."""

import tomllib
from pathlib import Path

import pytest

import pcsf_lark
from pcsf_lark.rules._rule import BASE

FACT = "writes must not stop"
STATE = "I never saw the replica's lag under load."
LOOP = "INCOMPLETE_TASK | measure replica lag | HIGH"


def codes(place, text):
    return {finding.code for finding in pcsf_lark.check(BASE.replace(place, text)).findings}


PLACES = {"fact": FACT, "option": "dump and reload", "state": STATE, "loop": LOOP}
TABLE = tomllib.loads(Path(__file__).with_name("wording.toml").read_text("utf-8"))


def cases(kind):
    return [
        (row["rule"], PLACES[row["place"]], text)
        for row in TABLE[kind]
        for text in row["texts"].splitlines()
    ]


@pytest.mark.parametrize(("rule", "place", "text"), cases("caught"))
def test_caught(rule, place, text):
    assert rule in codes(place, text)


@pytest.mark.parametrize(("rule", "place", "text"), cases("passed"))
def test_passed_over(rule, place, text):
    assert rule not in codes(place, text)


@pytest.mark.parametrize(
    "path", sorted(Path(__file__).with_name("realistic").glob("*.pcsf")), ids=lambda path: path.stem
)
def test_what_people_write_about_their_work_raises_nothing(path):
    """Thirty trades, nine languages, among them security, prompt injection and support bots."""
    assert pcsf_lark.check(path.read_bytes()).findings == ()


@pytest.mark.parametrize(
    "bit",
    [
        "a-",
        "a@",
        "a@b.",
        "sk-",
        "eyJa.",
        "token=",
        "password=a",
        "ignore the ",
        "as we ",
        "0 ",
        "a",
    ],
)
def test_a_long_line_is_looked_through_in_linear_time(bit):
    """Beside a text four times as short: no pattern goes back over what it has seen."""
    from time import process_time

    def cost(size):
        text = BASE.replace(FACT, (bit * size)[:size] + " ://")
        start = process_time()
        pcsf_lark.check(text)
        return process_time() - start

    cost(1000)
    assert cost(32_000) < 0.02 + 8 * min(cost(8_000), cost(8_000))
