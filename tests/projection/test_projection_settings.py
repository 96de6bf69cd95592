"""Settings: every default, JSON with comments, and each way a setting can fail to hold."""

import json
import random

import pytest
from attrs import fields
from hypothesis import given, settings
from hypothesis import strategies as st

from kernel.projection.settings.config import Config, CoolingOverride
from kernel.projection.settings.jsonc import JsoncError, loads
from kernel.projection.settings.reading import merge, parse
from kernel.projection.settings.rules import RULES, SECTIONS

SEED = """{
  "enabled": true,
  "manualMode": false,
  "autoCooling": true,
  "planning": { "enabled": true },
  "quality": { "enabled": true, "warningPolicy": "record" },
  "providerSuffix": { "enabled": true, "maxChars": 2048, "maxTokens": 512 },
  "protection": {
    "preserveRecentAtoms": 8,
    "preserveRecentTokens": 12000,
    "preserveRecentTokenCapRatio": 0.10,
    "preserveLastUserMessage": true
  },
  "tiers": {
    "enabled": true,
    "restill": {
      "enabled": true,
      "minChildren": 2,
      "minSourceTokens": 8000,
      "minSavingsTokens": 1024,
      "minSavingsRatio": 0.25,
      "maxSummaryTokens": 3000,
      "minTurnsSinceCreate": 8
    }
  },
  "index": { "enabled": true, "snapshotLru": 4 }
}"""
ECONOMICS = (256, 512, 768)


def test_the_defaults_are_the_published_ones():
    given_, notes = parse(SEED)
    assert notes == ()
    assert given_ == json.loads(SEED)
    assert merge(given_) == (Config(), ())
    assert merge() == (Config(), ())
    assert Config().economics.min_steady_savings_tokens == ECONOMICS


def walk(value, path=()):
    for one in fields(type(value)):
        inner = getattr(value, one.name)
        camel = "".join(
            part.capitalize() if at else part for at, part in enumerate(one.name.split("_"))
        )
        if hasattr(type(inner), "__attrs_attrs__"):
            yield from walk(inner, (*path, camel))
        else:
            yield ".".join((*path, camel)), inner


def test_every_setting_has_one_rule_and_every_default_keeps_it():
    host = {"contextWindow", "provider", "model", "cooling"}
    found = {name: value for name, value in walk(Config()) if name not in host}
    assert set(found) == set(RULES)
    assert {name: RULES[name].wrong(value) for name, value in found.items()} == dict.fromkeys(found)


JSONC = [
    ("{}", {}),
    ('{"a": 1,}', {"a": 1}),
    ('{"a": [1, 2, /* c */ ] , // end\n}', {"a": [1, 2]}),
    (
        '// first\n{"a": "b // no comment", "c": "/* none */"} /* last */',
        {"a": "b // no comment", "c": "/* none */"},
    ),
    ('{"a": ",}", "b": ",]",}', {"a": ",}", "b": ",]"}),
    ('{"a": "\\"//\\\\", }', {"a": '"//\\'}),
    ('{/**/"a"/***/:/*//*/1}', {"a": 1}),
    ('{"a": 1 /* x */ , /* y */ }', {"a": 1}),
    ('{"x": "会話"} // 🔥', {"x": "会話"}),
    ("[1]//", [1]),
    ('{"a"://\r\n1}', {"a": 1}),
]


@pytest.mark.parametrize(("text", "value"), JSONC)
def test_comments_and_last_commas_are_read(text, value):
    assert loads(text) == value


BROKEN = [
    ("{,}", 1, 2),
    ("[1,,]", 1, 4),
    ('{"a":,}', 1, 6),
    (",", 1, 1),
    ("", 1, 1),
    ("{\n  /* open\n", 2, 3),
    ("{} /*/", 1, 4),
    ('{"a": NaN}', 1, 1),
    ('{"a": -Infinity}', 1, 1),
    ('{"a": 1, "a": 2}', 1, 1),
    ("{'a': 1}", 1, 2),
    ("{a: 1}", 1, 2),
    ('{"a": 01}', 1, 8),
    ('{"a": "x\ny"}', 1, 9),
    ('{"a": 1/**/2}', 1, 12),
    ('{"a": "open', 1, 7),
    ("/* one\n two */ {\n  // three\n  !}", 4, 3),
    ("[" * 100_000, 1, 1),
    ('{"a": ' + "9" * 5000 + "}", 1, 1),
    ("{} {}", 1, 4),
    ("\u00a0{}", 1, 1),
]


@pytest.mark.parametrize(("text", "line", "column"), BROKEN)
def test_what_is_broken_is_named_with_its_place(text, line, column):
    with pytest.raises(JsoncError) as caught:
        loads(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    given_, notes = parse(text)
    assert given_ == {}
    assert [(note.code, note.line) for note in notes] == [("config-syntax", line)]
    assert len(notes[0].message) < 200


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(alphabet='ab"\\/*,]}{[:\n会🔥'),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('ab",/*]}'), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


def commented(value, rng):
    """Spell a value with a comment or a comma wherever one may stand."""

    def gap():
        return rng.choice(["", " ", "\n", "/* , } ] */", '// "quoted" ,]\n', "/**/", "\t"])

    def last(count):
        return rng.choice(["", ","]) + gap() if count else ""

    if isinstance(value, dict):
        body = ",".join(
            f"{gap()}{json.dumps(key, ensure_ascii=False)}{gap()}:{commented(one, rng)}"
            for key, one in value.items()
        )
        return f"{gap()}{{{body}{last(len(value))}{gap()}}}{gap()}"
    if isinstance(value, list):
        body = ",".join(commented(one, rng) for one in value)
        return f"{gap()}[{body}{last(len(value))}{gap()}]{gap()}"
    return f"{gap()}{json.dumps(value, ensure_ascii=False)}{gap()}"


@given(json_values, st.integers(0, 2**32))
@settings(max_examples=120, deadline=None, derandomize=True)
def test_any_value_with_comments_is_the_value(value, seed):
    assert loads(commented(value, random.Random(seed))) == value


@given(st.text(alphabet='{}[]",:/*\\ \n1ae', max_size=40))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_no_text_fails_otherwise_and_json_is_read_as_json(text):
    try:
        expected = json.loads(text, object_pairs_hook=only_once, parse_constant=float.fromhex)
    except ValueError:
        expected = None
    try:
        found = loads(text)
    except JsoncError:
        found = None
    if expected is not None:
        assert found == expected


def only_once(pairs):
    if len(dict(pairs)) < len(pairs):
        raise ValueError
    return dict(pairs)


def test_a_long_comment_costs_its_length():
    text = "{" + " " * 200_000 + "/*" + "x" * 200_000 + "*/" + '"a": [' + "1, " * 20_000 + "],}"
    assert len(loads(text)["a"]) == 20_000


LEFT_OUT = [
    ({"nope": 1}, "config-unknown-key", "at nope: no such setting; there are autoCooling"),
    ({"quality": {"strict": True}}, "config-unknown-key", "at quality.strict: no such setting; there are enabled, warningPolicy"),
    ({"enabled": "yes"}, "config-type", "at enabled: expected true or false"),
    ({"enabled": 1}, "config-type", "at enabled: expected true or false"),
    ({"planning": True}, "config-type", "at planning: expected an object"),
    ({"tiers": {"restill": []}}, "config-type", "at tiers.restill: expected an object"),
    ({"quality": {"warningPolicy": "ignore"}}, "config-type", "expected one of record, reject"),
    ({"quality": {"warningPolicy": ["record"]}}, "config-type", "expected one of record, reject"),
    ({"providerSuffix": {"maxChars": 4096}}, "config-weakens", "expected at most 2048"),
    ({"providerSuffix": {"maxTokens": 513}}, "config-weakens", "expected at most 512"),
    ({"providerSuffix": {"maxTokens": 0}}, "config-type", "expected a whole number from 1"),
    ({"protection": {"preserveRecentAtoms": -1}}, "config-type", "a whole number from 0"),
    ({"protection": {"preserveRecentAtoms": 8.5}}, "config-type", "a whole number from 0"),
    ({"protection": {"preserveRecentAtoms": True}}, "config-type", "a whole number from 0"),
    ({"protection": {"preserveRecentTokens": 1e300}}, "config-type", "a whole number from 0"),
    ({"protection": {"preserveRecentTokens": float("inf")}}, "config-type", "a whole number"),
    ({"protection": {"preserveRecentTokenCapRatio": 1.5}}, "config-type", "a number from 0 to 1"),
    ({"protection": {"preserveLastUserMessage": False}}, "config-weakens", "expected true"),
    ({"tiers": {"restill": {"minChildren": 1}}}, "config-type", "from 2 to 16"),
    ({"tiers": {"restill": {"minSavingsRatio": "0.25"}}}, "config-type", "a number from 0 to 1"),
    ({"economics": {"minSteadySavingsTokens": [255, 512, 768]}}, "config-weakens", "at least"),
    ({"economics": {"minSteadySavingsTokens": 256}}, "config-type", "three whole numbers"),
    ({"economics": {"minSavingsRatio": 0.1}}, "config-weakens", "at least 0.2"),
    ({"economics": {"maxBreakEvenForceSemantic": 2}}, "config-weakens", "at most 1"),
    ({"index": {"snapshotLru": 0}}, "config-type", "from 1 to 16"),
    ({"contextWindow": 1000}, "config-unknown-key", "at contextWindow: no such setting"),
    ({"tiers.enabled": False}, "config-unknown-key", "at ?: no such setting"),
    ({"cooling": {}}, "config-type", "at cooling: expected a list"),
    ({"cooling": [{"profile": "retrieval"}]}, "config-cooling", "at cooling[0]: expected an object"),
    ({"cooling": [{"tool": "x", "age": 1}]}, "config-cooling", "its keys are tool, profile"),
    ({"cooling": [{"tool": "x", "minObservations": -1}]}, "config-cooling", "from 0"),
    ({"cooling": [{"tool": "x", "profile": 3}]}, "config-cooling", "the name of a profile"),
]  # fmt: skip


@pytest.mark.parametrize(("given_", "code", "message"), LEFT_OUT)
def test_what_does_not_hold_is_left_out_and_named(given_, code, message):
    checked, notes = parse(json.dumps(given_)) if "Infinity" not in json.dumps(given_) else ({}, ())
    if notes:
        assert [note.code for note in notes] == [code]
        assert message in notes[0].message
        assert merge(checked) == (Config(), ())
    config, merged = merge(given_)
    assert config == Config()
    assert [note.code for note in merged] == [code]
    assert message in merged[0].message


WEAK = [
    ({"tool": "re*", "profile": "retrieval"}, "cooling-override-wildcard"),
    ({"tool": "aili_compact", "profile": "retrieval"}, "cooling-override-weakens"),
    ({"tool": "task", "profile": "execution-evidence"}, "cooling-override-weakens"),
    ({"tool": "read", "minObservations": 1}, "cooling-override-weakens"),
    ({"tool": "read", "profile": "all"}, "cooling-override-profile"),
]


@pytest.mark.parametrize(("override", "code"), WEAK)
def test_overrides_of_cooling_only_tighten(override, code):
    config, notes = merge(
        {"cooling": [override]}, {"cooling": [{"tool": "mine", "profile": "retrieval"}]}
    )
    assert config.cooling == (CoolingOverride("mine", "retrieval"),)
    assert [note.code for note in notes] == [code]


@pytest.mark.parametrize("value", [0, 40, "old", None, {"turns": 3}])
def test_a_maximal_block_age_is_read_and_does_nothing(value):
    for given_ in ({"maxBlockAge": value}, {"tiers": {"maxBlockAge": value, "enabled": True}}):
        checked, notes = parse(json.dumps(given_))
        assert [note.code for note in notes] == ["config-deprecated:maxBlockAge"]
        assert merge(checked) == (Config(), ())


def test_the_project_stands_over_the_user_setting_by_setting():
    user = {
        "manualMode": True,
        "tiers": {"restill": {"minChildren": 4, "minSourceTokens": 9000}},
        "economics": {"minSteadySavingsTokens": [300, 600.0, 900]},
        "cooling": [
            {"tool": "lookup", "profile": "retrieval", "minObservations": 3},
            {"tool": "read", "minObservations": 5},
        ],
    }
    project = {
        "manualMode": False,
        "tiers": {"restill": {"minChildren": 3}},
        "pressure": {"pressure": 0.5},
        "cooling": [{"tool": "read", "minObservations": 9.0}],
    }
    config, notes = merge(user, project)
    assert notes == ()
    assert config.manual_mode is False
    assert (config.tiers.restill.min_children, config.tiers.restill.min_source_tokens) == (3, 9000)
    assert config.economics.min_steady_savings_tokens == (300, 600, 900)
    assert config.pressure.pressure == 0.5
    assert config.cooling == (
        CoolingOverride("lookup", "retrieval", 3),
        CoolingOverride("read", None, 9),
    )
    assert isinstance(config.cooling[1].min_observations, int)


@pytest.mark.parametrize(
    "pressure", [{"pressure": 0.8}, {"checkpointRequired": 0.1}, {"overflowRecovery": 0}]
)
def test_thresholds_that_do_not_ascend_are_none(pressure):
    config, notes = merge({}, {"pressure": pressure})
    assert config == Config()
    assert [note.code for note in notes] == ["config-pressure-order"]


def test_bytes_are_utf_8_with_or_without_a_mark():
    assert parse(b'\xef\xbb\xbf{"enabled": false}') == ({"enabled": False}, ())
    assert parse('\ufeff{"enabled": false}'.encode()) == parse(b'{"enabled": false}')
    given_, notes = parse('{"enabled": false} // é'.encode("latin-1"))
    assert given_ == {}
    assert [note.code for note in notes] == ["config-not-utf8"]
    assert [note.code for note in parse("[]")[1]] == ["config-not-object"]


def test_diagnostics_are_bounded_and_quote_no_strange_key():
    given_ = {f"key{number}": 1 for number in range(500)}
    notes = parse(json.dumps(given_))[1]
    assert len(notes) == 65
    assert notes[-1].code == "config-more"
    note = parse(json.dumps({"a secret\n" * 500: 1}))[1][0]
    assert note.message.startswith("at ?: ")
    assert len(note.message) < 400


def test_sections_are_the_parents_of_settings():
    assert {"tiers", "tiers.restill", "cooling", "pressure"} <= SECTIONS
    assert not SECTIONS & set(RULES)


@given(json_values)
@settings(max_examples=120, deadline=None, derandomize=True)
def test_any_mapping_merges_to_settings(value):
    given_ = (
        value if isinstance(value, dict) else {"tiers": value, "cooling": value, "enabled": value}
    )
    config, _ = merge(given_, {"quality": value})
    assert isinstance(config, Config)
    assert config.protection.preserve_last_user_message
