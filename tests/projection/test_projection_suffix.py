"""The suffix: when there is one, what it may cost, and that nothing of it stays."""

import pytest
from attrs import evolve, frozen
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_journals import Journal
from projection_logs import LogBuilder, chat_log, logs

from kernel.ports import count_tokens
from kernel.projection.provider.suffix import SUFFIX, is_suffix, suffix_of, with_suffix
from kernel.projection.settings.config import Config, Planning, ProviderSuffix
from kernel.projection.snapshot import take
from kernel.text import units
from kernel.validity import check

TOKENS = {
    "NORMAL": 10_000,
    "PRESSURE": 60_000,
    "FORCE_SEMANTIC": 80_000,
    "CHECKPOINT_REQUIRED": 95_000,
    "OVERFLOW_RECOVERY": 120_000,
}
WINDOW = 100_000


@frozen
class Leave:
    session_id: str = "S-1"
    epoch: str = "root"


def config(**changes):
    return Config(context_window=WINDOW, **changes)


def at(state, log=None, **changes):
    """Return a snapshot under a pressure, with old work that may be compressed."""
    log = log or chat_log(120, words=(200, 300))
    log.user("go on")
    log.assistant("I will", tokens=TOKENS[state])
    now = take(log.tree(), config=config(**changes))
    assert now.pressure.state == state
    return now


def text_of(note):
    assert set(note) == {"role", "customType", "content", "display", "timestamp"}
    assert (note["role"], note["customType"]) == ("custom", "aili-compact-provider-suffix")
    assert (note["display"], note["timestamp"]) == (False, 0)
    assert units(note["content"]) <= 2048
    assert count_tokens(note["content"]) <= 512
    return note["content"]


def test_there_is_none_in_normal_with_nothing_to_do():
    now = at("NORMAL")
    assert now.catalog.ranges
    assert suffix_of(now) is None
    assert suffix_of(at("NORMAL", LogBuilder()), permit=Leave()) is None


@pytest.mark.parametrize("state", ["PRESSURE", "FORCE_SEMANTIC"])
def test_pressure_names_the_catalog_and_its_ranges(state):
    now = at(state)
    said = text_of(suffix_of(now))
    assert state in said
    assert now.catalog.catalog_id in said
    for one in now.catalog.ranges:
        assert f"{one.start_ref}..{one.end_ref}" in said


@pytest.mark.parametrize("state", ["CHECKPOINT_REQUIRED", "OVERFLOW_RECOVERY"])
def test_nothing_semantic_is_asked_for_before_a_checkpoint(state):
    now = at(state)
    said = text_of(suffix_of(now, permit=Leave()))
    assert state in said
    assert "Do not call aili_compact" in said
    assert "catalogId" not in said


def test_a_permit_is_an_action_in_normal():
    now = at("NORMAL")
    said = text_of(suffix_of(now, permit=Leave(), focus=" the \n parser\ud800 "))
    assert "one aili_compact call" in said
    assert "focus: the parser\ufffd" in said
    for other in (Leave("S-2"), Leave(epoch="e")):
        assert suffix_of(now, permit=other) is None


def test_a_cycle_that_had_its_attempt_asks_no_more():
    assert suffix_of(at("PRESSURE"), attempted=True) is None
    assert suffix_of(at("FORCE_SEMANTIC"), attempted=True) is None
    assert suffix_of(at("CHECKPOINT_REQUIRED"), attempted=True) is not None


SILENT = {
    "suffix off": {"provider_suffix": ProviderSuffix(enabled=False)},
    "planning off": {"planning": Planning(enabled=False)},
    "manual mode": {"manual_mode": True},
}


@pytest.mark.parametrize("name", SILENT)
def test_settings_silence_it(name):
    log = chat_log(120, words=(200, 300))
    log.assistant("I will", tokens=TOKENS["FORCE_SEMANTIC"])
    now = take(log.tree(), config=config(**SILENT[name]))
    assert suffix_of(now) is None
    assert (suffix_of(now, permit=Leave()) is None) == (name == "suffix off")


def test_aili_off_and_a_fault_have_none():
    assert (
        suffix_of(take(chat_log(120).tree(), config=Config(enabled=False)), permit=Leave()) is None
    )
    log = chat_log(120, words=(200, 300))
    Journal(log).switch("off")
    assert suffix_of(take(log.tree(), config=config()), permit=Leave()) is None
    log.custom("aili.compact.tx.v9", {})
    now = take(log.tree(), config=config())
    assert suffix_of(now, permit=Leave()) is None
    log = chat_log(120, words=(200, 300))
    log.custom("aili.compact.tx.v9", {})
    now = take(log.tree(), config=config())
    assert now.state.fault is not None
    assert suffix_of(now, permit=Leave()) is None


@pytest.mark.parametrize("said", ["ascii words " * 400, "会話の履歴" * 400, "🔥" * 400, "a"])
@pytest.mark.parametrize(
    ("chars", "tokens"), [(2048, 512), (200, 512), (2048, 40), (1, 1), (9999, 9999)]
)
def test_limits_hold_for_any_focus_and_any_setting(said, chars, tokens):
    now = at("NORMAL", provider_suffix=ProviderSuffix(max_chars=chars, max_tokens=tokens))
    note = suffix_of(now, permit=Leave(), focus=said)
    if note is None:
        assert chars == 1
        return
    assert units(text_of(note)) <= chars
    assert count_tokens(note["content"]) <= tokens
    ids = [line.split()[1] for line in note["content"].split("\n") if line.startswith("catalogId")]
    assert ids in ([], [now.catalog.catalog_id])


def test_many_ranges_are_cut_line_by_line():
    now = at("FORCE_SEMANTIC")
    one = now.catalog.ranges[0]
    many = [evolve(one, first=2 * n, last=2 * n, atoms=1) for n in range(400)]
    note = suffix_of(evolve(now, catalog=evolve(now.catalog, ranges=many)))
    lines = [line for line in text_of(note).split("\n") if line.startswith("range")]
    known = {f"range {one.start_ref}..{one.end_ref}:" for one in many}
    assert 10 < len(lines) < 100
    assert all(line[: line.index(":") + 1] in known for line in lines)


def test_the_view_comes_back_as_it_was_without_one():
    view = at("NORMAL").projection.messages
    assert with_suffix(view, None) is view


def test_there_is_one_at_most_and_it_stands_last():
    now = at("PRESSURE")
    view, note = now.projection.messages, suffix_of(now)
    once = with_suffix(view, note)
    assert once == (*view, note)
    twice = with_suffix(once, note)
    assert [index for index, message in enumerate(twice) if is_suffix(message)] == [len(view)]
    assert list(with_suffix(once, None)) == list(view)


def test_it_never_parts_a_call_from_its_result():
    log = chat_log(120, words=(200, 300))
    log.assistant("I will", tokens=TOKENS["FORCE_SEMANTIC"])
    note = suffix_of(take(log.tree(), config=config()))
    assert note is not None
    log.turn(calls=[("bash", {}), ("read", {})], results=["one"], tokens=TOKENS["FORCE_SEMANTIC"])
    open_turn = take(log.tree(), config=config())
    assert suffix_of(open_turn) is None
    assert with_suffix(open_turn.projection.messages, note) == open_turn.projection.messages
    log.result("call_" + str(log._calls), "read")
    closed = take(log.tree(), config=config())
    assert is_suffix(with_suffix(closed.projection.messages, suffix_of(closed))[-1])


def test_it_is_in_no_log_no_ref_and_no_state():
    log = chat_log(120, words=(200, 300))
    log.assistant("I will", tokens=TOKENS["FORCE_SEMANTIC"])
    before = log.raw()
    now = take(log.tree(), config=config())
    sent = with_suffix(now.projection.messages, suffix_of(now))
    assert log.raw() == before
    assert SUFFIX not in before.decode()
    assert len(sent) == len(now.branch.sources) + 1
    again = take(log.tree(), config=config())
    assert again.catalog == now.catalog
    assert suffix_of(again) == suffix_of(now)


@given(logs(max_steps=15), st.sampled_from(sorted(TOKENS)))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_no_view_gets_worse_by_it(log, state):
    log.user("go on")
    log.assistant("I will", tokens=TOKENS[state])
    now = take(log.tree(), config=config())
    note = suffix_of(now, permit=Leave())
    view = now.projection.messages
    sent = with_suffix(view, note or {"role": "custom", "customType": SUFFIX, "content": "x"})
    assert sorted(x.code for x in check("pi", sent)) == sorted(x.code for x in check("pi", view))


@pytest.mark.parametrize("odd", [{}, [], {"id": []}, 7, True, None, 1.5, "", "\ud800"], ids=repr)
@pytest.mark.parametrize("where", ["call", "result", "both"])
def test_ids_of_any_type_are_no_reason_to_fail(odd, where):
    call = {"type": "toolCall", "id": "a" if where == "result" else odd, "name": "read"}
    result = {"role": "toolResult", "toolCallId": "a" if where == "call" else odd, "content": []}
    view = [{"role": "user", "content": "go"}, {"role": "assistant", "content": [call]}, result]
    note = {"role": "custom", "customType": SUFFIX, "content": "x"}
    waits = not isinstance(call["id"], str) or call["id"] != result["toolCallId"]
    assert len(with_suffix(view, note)) == len(view) + (not waits)
