"""The projection: what is shown, and that folding and opening are each other's undoing."""

import random

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st
from projection_journals import USUAL, Journal, wander
from projection_logs import PLAIN, LogBuilder, chat_log, log_of, logs, random_log

from kernel.projection.model import Control
from kernel.projection.replaying.reducer import replay
from kernel.projection.view.projector import RECAP, BlockItem, CooledItem, RawItem, project
from kernel.validity import check
from kernel.wire import WIRES, encode_value

SETTINGS = settings(derandomize=True, deadline=None, max_examples=25)
#: Protocol that every provider takes as it stands.
SOUND = ("user", "reply", "call", "parallel", "thinking", "cjk", "note", "bash", "picture")
ALL = (*USUAL, "restore-all")


def talk(turns=4):
    log = LogBuilder()
    for number in range(turns):
        log.user(f"question {number}")
        log.turn(calls=[("read", {"path": f"{number}.py"})], results=[f"text {number}"])
        log.assistant(f"answer {number}")
    # A live end: what comes before it is settled, seen and not the newest question.
    for word in ("so", "then", "well"):
        log.assistant(word)
    log.user("the newest question")
    return Journal(log), list(log.ids)


def refused(view):
    """What the checker says against a view, in Pi's shape and on every wire."""
    found = {"pi": check("pi", list(view.messages), had_input=bool(view.items))}
    for wire in WIRES:
        if wire != "pi":
            body = encode_value(view.settled, view.history, wire)
            found[wire] = check(wire, body, had_input=bool(view.settled))
    return {wire: codes for wire, codes in found.items() if codes}


def same(view, branch):
    """Tell whether a view is the very input."""
    return len(view.messages) == len(branch.sources) and all(
        one is source.message for one, source in zip(view.messages, branch.sources, strict=True)
    )


def unfolded(journal):
    """Tell whether a journal's view is the very input."""
    branch = journal.branch()
    view = project(branch, replay(branch))
    return view.raw and same(view, branch)


def test_a_block_stands_where_its_first_source_stood():
    journal, ids = talk()
    name = journal.fold(ids[4:12], "two turns", topic="the\n middle")
    view = journal.view()
    assert [item.name for item in view.items] == [*ids[:4], name, *ids[12:]]
    recap = view.messages[4]
    assert {**recap, "content": ""} == {
        "role": "custom",
        "customType": RECAP,
        "content": "",
        "display": False,
        "timestamp": 0,
    }
    head, frame, blank, summary = recap["content"].split("\n")
    for word in ("b000001", "T1", "8 messages", "range", "the middle"):
        assert word in head
    assert "earlier conversation" in frame
    assert (blank, summary) == ("", "two turns")
    item = view.items[4]
    assert isinstance(item, BlockItem)
    assert [source.entry_id for source in item.sources] == ids[4:12]
    assert not view.raw


def test_a_recap_names_the_blocks_it_took_in():
    journal, ids = talk(2)
    journal.lift([journal.fold(ids[0:4]), journal.fold(ids[4:8])])
    recap = journal.view().messages[0]
    head = recap["content"].split("\n")[0]
    assert "b000003" in head
    assert "T2" in head
    assert "b000001 b000002" in head


def test_only_the_content_of_a_cooled_result_changes():
    log = LogBuilder()
    log.user("show me")
    call = log.new_call()
    log.assistant(calls=[(call, "read", {})])
    result = log.result(call, "read", "x" * 1234, picture=True, details={"lines": 3})
    for word in ("seen", "and", "done"):
        log.assistant(word)
    journal = Journal(log)
    journal.cool([result])
    view = journal.view()
    branch = journal.branch()
    view = project(branch, replay(branch))
    raw, cooled = branch.sources[2].message, view.messages[2]
    assert isinstance(view.items[2], CooledItem)
    assert list(cooled) == list(raw)
    assert {**cooled, "content": 0} == {**raw, "content": 0}
    (part,) = cooled["content"]
    for word in ("read", "1234", "1 image", "m000003"):
        assert word in part["text"]
    assert [m is s.message for m, s in zip(view.messages, branch.sources, strict=True)] == [
        True, True, False, True, True, True,
    ]  # fmt: skip


def test_a_folded_result_that_was_cooled_shows_again_as_it_was():
    journal, ids = talk(2)
    journal.cool([ids[2]])
    before = journal.view()
    name = journal.fold(ids[0:4])
    assert not any(isinstance(item, CooledItem) for item in journal.view().items)
    journal.open([name], "raw")
    assert journal.view() == before


@pytest.mark.parametrize("how", ["control", "settings", "fault", "nothing"])
def test_the_very_input_comes_back(how):
    journal, ids = talk()
    if how != "nothing":
        journal.fold(ids[0:4])
        journal.cool([ids[6]])
    if how == "control":
        journal.switch("off")
    if how == "fault":
        journal.log.custom("aili.compact.tx.v3", {"version": 3})
    branch = journal.branch()
    state = replay(branch)
    view = project(branch, state, enabled=how != "settings")
    assert view.raw
    assert same(view, branch)
    assert all(isinstance(item, RawItem) for item in view.items)
    assert (view.fault is not None) == (how == "fault")
    if how == "control":
        journal.switch("on")
        assert not journal.view().raw


def test_blocks_of_an_older_epoch_are_not_shown():
    journal, ids = talk()
    journal.fold(ids[0:4])
    kept = journal.fold(ids[8:12])
    journal.log.compaction("until then", keep=ids[8])
    branch = journal.branch()
    assert unfolded(journal)
    assert kept in journal.state().blocks
    assert [source.entry_id for source in branch.sources][1:] == ids[8:]


def test_a_branch_shows_its_own_blocks():
    journal, ids = talk()
    fork = journal.log.leaf
    one = journal.fold(ids[0:4])
    folded = journal.log.leaf
    journal.log.move(fork)
    journal.log.user("another way")
    assert unfolded(journal)
    other = journal.fold(ids[4:8])
    assert [i.name for i in journal.view().items if isinstance(i, BlockItem)] == [other]
    branch = journal.log.branch(folded)
    shown = [i.name for i in project(branch, replay(branch)).items if isinstance(i, BlockItem)]
    assert shown == [one]


def test_a_block_over_sources_that_were_edited_away_stands_for_the_rest():
    journal, ids = talk(2)
    journal.log.edit(ids[0], None)
    journal.log.edit(ids[4], "shorter")
    name = journal.fold(ids[1:4])
    view = journal.view()
    assert [item.name for item in view.items] == [name, *ids[4:]]
    assert len(view.items[0].sources) == 3
    assert view.messages[1]["content"] == "shorter"
    # An edit that changes nothing is none.
    journal.log.edit(ids[0], None)
    assert [item.name for item in journal.view().items] == [name, *ids[4:]]


def test_a_view_that_breaks_a_law_is_not_shown():
    """A state no replay gives: the projector does not trust it either."""
    journal, ids = talk(2)
    name = journal.fold(ids[0:4])
    branch, state = journal.branch(), journal.state()
    half = evolve(state.blocks[name], source_ids=tuple(ids[2:4]))
    view = project(branch, evolve(state, blocks={name: half}))
    assert view.raw
    assert same(view, branch)
    assert view.fault.code == "view-refused"


@pytest.mark.parametrize("seed", range(6))
def test_no_provider_refuses_a_view(seed):
    log = log_of(("user", *random.Random(seed).choices(SOUND, k=18), "user"), seed)
    journal = Journal(log)
    assert refused(journal.view()) == {}
    for step in range(10):
        wander(journal, random.Random(100 * seed + step), 2)
        view = journal.view()
        assert view.fault is None
        assert refused(view) == {}


@SETTINGS
@given(logs(min_steps=6, max_steps=20), st.integers(0, 10**6))
def test_a_view_breaks_no_law_the_raw_history_keeps(log, seed):
    journal = Journal(log)
    wander(journal, random.Random(seed), 10)
    branch, view = journal.branch(), journal.view()
    raw = project(branch, replay(branch), enabled=False)
    assert refused(view).keys() <= {"pi"}
    known = [wrong.code for wrong in refused(raw).get("pi", [])]
    for wrong in refused(view).get("pi", []):
        known.remove(wrong.code)


@SETTINGS
@given(logs(PLAIN, 4, 20), st.integers(0, 10**6))
def test_restore_all_gives_the_raw_history(log, seed):
    journal = Journal(log)
    wander(journal, random.Random(seed), 14, ALL)
    journal.switch("restore-all")
    assert journal.state().fault is None
    assert unfolded(journal)


@SETTINGS
@given(logs(SOUND, 4, 16), st.integers(0, 10**6))
def test_opening_undoes_folding(log, seed):
    """To the raw after a fold, one level after a lift: the view is what it was."""
    journal = Journal(log)
    rng = random.Random(seed)
    wander(journal, rng, 8)
    before, blocks = journal.view(), set(journal.state().blocks)
    if not wander(journal, rng, 12, ("fold", "lift")):
        return
    new = [block for name, block in journal.state().blocks.items() if name not in blocks]
    for block in reversed(new):
        journal.open([block.block_id], "raw" if block.tier == 1 else "one")
        assert journal.state().fault is None
    assert journal.view().items == before.items
    assert journal.view().messages == before.messages


@SETTINGS
@given(logs(SOUND, 4, 16), st.integers(0, 10**6), st.sampled_from(("one", "raw")))
def test_closing_undoes_opening(log, seed, depth):
    journal = Journal(log)
    wander(journal, random.Random(seed), 12, ("fold", "lift", "cool"))
    before = journal.view()
    shown = [block.block_id for block in journal.state().active()]
    if not shown:
        return
    for name in shown:
        journal.open([name], depth)
    if depth == "raw":
        assert not any(isinstance(item, BlockItem) for item in journal.view().items)
    for name in shown:
        journal.close(name)
    assert journal.view() == before


@SETTINGS
@given(logs(min_steps=4, max_steps=20), st.integers(0, 10**6))
def test_every_source_is_shown_once(log, seed):
    """Every source of the branch stands in exactly one item, whatever the log is like."""
    journal = Journal(log)
    wander(journal, random.Random(seed), 12, (*ALL, "off", "on"))
    branch, view = journal.branch(), journal.view()
    shown = [
        source.entry_id
        for item in view.items
        for source in (item.sources if isinstance(item, BlockItem) else (item.source,))
    ]
    assert sorted(shown) == sorted(source.entry_id for source in branch.sources)
    assert len(view.items) == len(view.messages)
    assert project(branch, replay(branch)) == view
    assert len({item.name for item in view.items}) == len(view.items)


def test_long_logs_project():
    log = chat_log(2000)
    journal = Journal(log)
    ids = [source.entry_id for source in journal.branch().sources]
    users = [s.index for s in journal.branch().sources if s.message["role"] == "user"]
    journal.fold(ids[users[10] : users[400]])
    view = journal.view()
    assert len(view.messages) == len(ids) - (users[400] - users[10]) + 1
    assert refused(view) == {}


def test_a_view_is_the_same_in_every_reading():
    for seed in range(5):
        journal = Journal(random_log(seed, 20))
        wander(journal, random.Random(seed), 10)
        assert journal.view() == journal.view()
        journal.append(Control("off"))
        assert unfolded(journal)
