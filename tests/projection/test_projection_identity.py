"""Cache identities: what changes them, what does not, and that none of them claims a hit."""

import pytest
from attrs import evolve
from hypothesis import given, settings
from projection_journals import Journal
from projection_logs import LogBuilder, chat_log, logs

from kernel.projection.provider.caching import (
    SessionTotals,
    Stability,
    cache_report,
    session_totals,
)
from kernel.projection.provider.identity import (
    Identities,
    StaticSurface,
    full_provider_input_identity,
    identities,
    logical_provider_prefix_identity,
    static_surface_identity,
    suffix_fingerprint,
)
from kernel.projection.settings.config import Config
from kernel.projection.snapshot import take

SURFACE = StaticSurface("anthropic", "claude-x", "be brief", ({"name": "read", "b": 1},), "guide")
NOTE = {"role": "custom", "customType": "aili-compact-provider-suffix", "content": "x"}

STATIC = [
    {"provider": "openai"},
    {"model": "claude-y"},
    {"system": "be brief "},
    {"system": "be brie", "guidance": "fguide"},
    {"tools": ({"b": 1, "name": "read"},)},
    {"tools": ({"name": "read", "b": 2},)},
    {"tools": ()},
    {"guidance": ""},
    {"system": "", "guidance": "be briefguide"},
]


@pytest.mark.parametrize("change", STATIC)
def test_the_static_surface_is_exact_to_the_byte(change):
    assert static_surface_identity(evolve(SURFACE, **change)) != static_surface_identity(SURFACE)
    assert static_surface_identity(evolve(SURFACE)) == static_surface_identity(SURFACE)


def test_texts_do_not_run_together():
    found = {
        static_surface_identity(StaticSurface(*pieces))
        for pieces in [
            ("ab", "c"),
            ("a", "bc"),
            ("abc", ""),
            ("", "abc"),
            ("a", "b", "c"),
            ("1:a", ""),
        ]
    }
    assert len(found) == 6
    assert static_surface_identity(StaticSurface("\ud800")) != static_surface_identity(
        StaticSurface("?")
    )


def of(log, suffix=None, config=None):
    return identities(SURFACE, take(log.tree(), config=config or Config()), suffix)


def test_without_a_suffix_the_word_is_none():
    found = of(chat_log(20))
    assert found.suffix == "none"
    assert suffix_fingerprint(None) == "none"
    assert list(found.as_json()) == [
        "staticSurfaceIdentity",
        "logicalProviderPrefixIdentity",
        "suffixFingerprint",
        "fullProviderInputIdentity",
    ]
    assert len({*found.as_json().values()}) == 4


def test_a_suffix_changes_the_full_input_and_not_the_prefix():
    log = chat_log(20)
    bare, noted, other = of(log), of(log, NOTE), of(log, {**NOTE, "content": "y"})
    assert bare.logical_prefix == noted.logical_prefix == other.logical_prefix
    assert bare.static_surface == noted.static_surface
    assert len({bare.suffix, noted.suffix, other.suffix}) == 3
    assert len({bare.full_input, noted.full_input, other.full_input}) == 3


def test_what_a_model_is_not_shown_leaves_the_prefix_and_moves_the_branch():
    log = chat_log(20)
    before = of(log)
    log.label(log.ids[0])
    after = of(log)
    assert after.logical_prefix == before.logical_prefix
    assert after.full_input != before.full_input


def test_a_fold_a_stub_and_an_edit_change_the_prefix():
    log = LogBuilder()
    log.user("one")
    log.turn(calls=[("read", {})], results=["the body"])
    for word in ("so", "then", "two"):
        log.assistant(word)
    log.user("three")
    seen = [of(log).logical_prefix]
    journal = Journal(log)
    result = log.ids[2]
    journal.cool([result])
    seen.append(of(log).logical_prefix)
    journal.fold(log.ids[0:3])
    seen.append(of(log).logical_prefix)
    log.edit(log.ids[3], "two, but other")
    seen.append(of(log).logical_prefix)
    assert len(set(seen)) == 4
    journal.switch("off")
    assert len({*seen, of(log).logical_prefix}) == 5


def test_the_parts_of_the_full_input_are_told_apart():
    whole = {"session_id": "s", "leaf": "l", "epoch": "e", "projection": "p"}
    first = full_provider_input_identity("a", "none", **whole)
    changes = [{"session_id": "t"}, {"leaf": None}, {"epoch": "root"}, {"projection": "q"}]
    found = {full_provider_input_identity("a", "none", **{**whole, **one}) for one in changes}
    found |= {
        first,
        full_provider_input_identity("b", "none", **whole),
        full_provider_input_identity("a", "x", **whole),
    }
    assert len(found) == 7


@given(logs(max_steps=20))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_projection_and_its_messages_have_one_identity(log):
    now = take(log.tree())
    found = identities(SURFACE, now)
    assert found.logical_prefix == logical_provider_prefix_identity(now.projection.messages)
    assert identities(SURFACE, take(log.tree())) == found


# Caches


def reply(log, **usage):
    log.message("assistant", [{"type": "text", "text": "ok"}], usage=usage, stopReason="stop")


def test_session_totals_are_what_providers_reported():
    log = LogBuilder()
    log.user("hi")
    reply(log, input=10, output=2, cacheRead=0, cacheWrite=90)
    reply(log, input=1.0, output=3, cacheRead=90, cacheWrite=0)
    reply(log)
    reply(log, input=True, output=-1, cacheRead="7", cacheWrite=2**60)
    log.message("assistant", "ok", usage=None)
    found = session_totals(log.tree())
    assert found == SessionTotals(5, 2, 1, 11, 5, 90, 90)
    section = cache_report(found, Stability())["session"]
    assert section == {
        "requests": 5, "reported": 2, "input": 11, "output": 5, "cacheRead": 90, "cacheWrite": 90, "hits": 1,
    }  # fmt: skip


def test_without_usage_nothing_is_a_hit():
    log = LogBuilder()
    log.user("hi")
    reply(log)
    totals = session_totals(log.tree())
    same = Identities("a", "b", "none", "c")
    seen = Stability()
    for _ in range(5):
        seen = seen.after(same)
    report = cache_report(totals, seen)
    assert set(report) == {"session", "stability"}
    assert report["session"]["hits"] == report["session"]["cacheRead"] == "Unverified"
    assert report["stability"]["hits"] == "Unverified"
    assert (report["stability"]["requests"], report["stability"]["sameFullInput"]) == (5, 4)


def test_stability_counts_requests_like_the_one_before():
    one, two = Identities("a", "b", "none", "c"), Identities("a", "x", "none", "y")
    seen = Stability().after(one)
    assert cache_report(SessionTotals(), seen)["stability"]["sameFullInput"] == "Unverified"
    seen = seen.after(two, {"cacheRead": 0}).after(two, {"cacheRead": 50}).after(one, {"input": 3})
    found = cache_report(SessionTotals(), seen)["stability"]
    assert found == {
        "requests": 4,
        "reported": 2,
        "sameStaticSurface": 3,
        "sameLogicalPrefix": 1,
        "sameSuffix": 3,
        "sameFullInput": 1,
        "hits": 1,
    }


def test_the_sections_do_not_feed_each_other():
    log = LogBuilder()
    log.user("hi")
    reply(log, cacheRead=5)
    report = cache_report(session_totals(log.tree()), Stability())
    assert report["session"]["hits"] == 1
    assert report["stability"]["hits"] == "Unverified"
    seen = Stability().after(Identities("a", "b", "none", "c"), {"cacheRead": 7})
    report = cache_report(SessionTotals(), seen)
    assert report["session"]["hits"] == "Unverified"
    assert report["stability"]["hits"] == 1
