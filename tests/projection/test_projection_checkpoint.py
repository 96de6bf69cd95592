"""Checkpoints: a whole, covered, smaller context for every reason alike, or nothing at all."""

import json

import pytest
from attrs import evolve
from projection_journals import QUALITY, Journal
from projection_logs import CJK, LogBuilder, random_log

from kernel.ports import count_tokens
from kernel.projection.lifecycle.gating import manifest_of
from kernel.projection.quality import outline
from kernel.projection.recovery import checkpoint, coverage
from kernel.projection.recovery.checkpoint import before_compact
from kernel.projection.recovery.compaction import CompactEvent, CompactionResult, read_event
from kernel.projection.recovery.cuts import plan_cut
from kernel.projection.replaying.reducer import replay
from kernel.projection.settings.config import Config, Protection, QualitySettings
from kernel.projection.snapshot import take
from kernel.validity import check

KEEP = 400
EVENT = CompactEvent(keep_recent_tokens=KEEP)


def fold(log, ids, **changes):
    """Fold messages under a summary that keeps their facts."""
    branch = log.branch()
    chosen = [source for source in branch.sources if source.entry_id in set(ids)]
    return Journal(log).fold(list(ids), outline(manifest_of(chosen)), **changes)


def work(log, name, *, size=40):
    """Add a finished piece of work; return the ids of its messages."""
    ids = [log.user(f"Please look at {name} and tell me about it.")]
    ids += log.turn(
        f"reading {name}", calls=[("read", {"path": name})], results=[f"line of {name}\n" * size]
    )
    ids.append(log.assistant(f"It defines {name} and nothing else. " * 6))
    return ids


def worked(pieces=3, **changes):
    """Return a log whose old work is folded and whose newest turn is raw."""
    log = LogBuilder()
    parts = [work(log, f"src/part{number}.py") for number in range(pieces)]
    log.user("Now the next thing. " * 30)
    log.assistant("Here it is. " * 40)
    log.user("And go on.")
    for ids in parts:
        fold(log, ids, **changes)
    return log, parts


def now(log, **changes):
    return take(log.tree(), config=Config(**changes))


def planned(log, event=EVENT, **changes):
    return before_compact(now(log, **changes), event)


def appended(log, result):
    """Let the host append the checkpoint."""
    told = result.as_json()
    log.add(
        "compaction",
        **{key: told[key] for key in ("summary", "firstKeptEntryId", "tokensBefore")},
        fromHook=True,
    )
    return log.branch()


def test_accepted_blocks_make_a_checkpoint():
    log, parts = worked()
    snapshot = now(log)
    result = planned(log)
    sources = snapshot.branch.sources
    tail = sources[len(parts[0]) * 3 :]
    assert result.first_kept_entry_id == tail[0].entry_id
    assert result.tokens_before == snapshot.pressure.use.tokens
    for block in snapshot.state.active():
        assert block.summary in result.summary
    assert result.details["covered"] == 12
    assert [one["ref"] for one in result.details["blocks"]] == ["b000001", "b000002", "b000003"]
    after = appended(log, result)
    assert [source.message for source in after.sources[1:]] == [source.message for source in tail]
    assert after.epoch == log.ids[-1]
    state = replay(after)
    assert state.fault is None
    assert set(state.status.values()) == {"query-only"}
    assert check("pi", [source.message for source in after.sources]) == []


@pytest.mark.parametrize("reason", ["threshold", "overflow"])
def test_every_reason_is_answered_alike(reason):
    log, _ = worked()
    told = {"preparation": {"settings": {"keepRecentTokens": KEEP}}}
    manual = planned(log, {"reason": "manual", **told})
    assert isinstance(manual, CompactionResult)
    assert planned(log, {"reason": reason, "willRetry": True, **told}) == manual
    assert planned(log, EVENT) == manual


def test_the_result_is_json_of_the_hosts_shape():
    log, _ = worked()
    found = json.loads(
        json.dumps(planned(log, CompactEvent(tokens_before=77, keep_recent_tokens=KEEP)).as_json())
    )
    assert set(found) == {"summary", "firstKeptEntryId", "tokensBefore", "details"}
    assert found["tokensBefore"] == 77
    assert len(json.dumps(found["details"])) < 2000
    assert "Please" not in json.dumps(found["details"])


# Coverage


def uncovered():
    log, _ = worked()
    log, parts = LogBuilder(), []
    parts = [work(log, f"src/part{number}.py", size=200) for number in range(3)]
    log.user("And go on. " * 60)
    log.assistant("Here it is. " * 40)
    fold(log, parts[0])
    return log


def cooled():
    """A stub stands for what no block holds."""
    log = LogBuilder()
    parts = [work(log, f"src/part{number}.py") for number in range(3)]
    log.user("Now the next thing. " * 30)
    log.assistant("Here it is. " * 40)
    Journal(log).cool([parts[1][2]])
    fold(log, parts[0])
    fold(log, parts[2])
    return log


def legacy():
    log, parts = LogBuilder(), []
    parts = [work(log, f"src/part{number}.py") for number in range(2)]
    log.user("And go on. " * 60)
    log.custom(
        "aili.compact.tx.v1",
        {
            "version": 1,
            "id": "1",
            "startId": parts[0][0],
            "endId": parts[0][-1],
            "summary": "old words",
        },
    )
    fold(log, parts[1])
    return log


def secret():
    log = LogBuilder()
    first = work(log, "src/part0.py")
    log.user("password = hunter2hunter2 and AKIAIOSFODNN7EXAMPLE")
    last = work(log, "src/part1.py")
    log.user("And go on. " * 60)
    fold(log, first)
    fold(log, last)
    return log


def torn():
    """A call nobody answered stands between the blocks."""
    log = LogBuilder()
    first = work(log, "src/part0.py")
    log.turn("half", calls=[("bash", {"command": "ls"})], results=[], stop="aborted")
    last = work(log, "src/part1.py")
    log.user("And go on. " * 60)
    fold(log, first)
    fold(log, last)
    return log


def empty():
    log = LogBuilder()
    work(log, "src/part0.py")
    return log


def chatter(turns=70):
    """Too many messages between the blocks for an outline."""
    log = LogBuilder()
    first = work(log, "src/part0.py", size=2000)
    for _ in range(turns):
        log.user("ok")
        log.assistant("yes")
    last = work(log, "src/part1.py", size=2000)
    log.user("And go on. " * 60)
    log.assistant("Here it is. " * 40)
    fold(log, first)
    fold(log, last)
    return log


NOTHING = {
    "no block": empty,
    "too much between blocks": chatter,
    "most of it in no block": uncovered,
    "a stub": cooled,
    "a legacy block": legacy,
    "a secret between": secret,
    "a torn call between": torn,
    "the gate switched off": lambda: worked(quality=evolve(QUALITY, enabled=False, accepted=False))[
        0
    ],
    "an older evaluator": lambda: worked(quality=evolve(QUALITY, evaluator_version=0))[0],
}


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_not_covered_is_left_to_the_host(name):
    log = NOTHING[name]()
    snapshot = now(log)
    assert snapshot.state.fault is None
    assert snapshot.enabled
    keep = 1 if name == "no block" else KEEP
    for reason in ("manual", "threshold", "overflow"):
        assert before_compact(snapshot, CompactEvent(reason, keep_recent_tokens=keep)) is None


@pytest.mark.parametrize("version", [1, 2])
def test_ids_of_older_logs_are_given_to_no_host(version):
    log, _ = worked()
    tree = log.tree()
    assert before_compact(take(tree), EVENT) is not None
    old = evolve(tree, header={**tree.header, "version": version})
    assert take(old).state.fault is None
    assert before_compact(take(old), EVENT) is None


def test_an_entry_without_an_id_of_its_own_is_no_first_kept_entry():
    log, _ = worked()
    tree = log.tree()
    kept = planned(log).first_kept_entry_id
    items = [
        evolve(item, value={key: one for key, one in item.value.items() if key != "id"})
        if item.id == kept
        else item
        for item in tree.entries
    ]
    assert before_compact(take(evolve(tree, entries=items)), EVENT) is None


def test_blocks_of_the_gate_cover_nothing_while_a_stub_or_a_legacy_block_is_before_them():
    legacy_state = now(legacy()).state
    assert sorted(block.version for block in legacy_state.active()) == [1, 3]
    assert len(now(cooled()).state.cooled) == 1


def test_a_summary_that_was_never_judged_does_not_pass_now():
    log, parts = LogBuilder(), []
    parts = work(log, "src/part0.py")
    log.user("We must never delete src/keep.py. Do not use eval.")
    parts += [
        log.ids[-1],
        log.assistant("I changed src/part0.py and the tests fail: TypeError in src/part0.py"),
    ]
    log.user("And go on. " * 60)
    Journal(log).fold(parts, "all is well")
    snapshot = now(log)
    assert [block.quality.accepted for block in snapshot.state.active()] == [True]
    assert planned(log) is None


def rest():
    """Two messages stand between the blocks."""
    log = LogBuilder()
    first = work(log, "src/part0.py")
    log.user("We must keep src/part0.py as it is.")
    log.assistant("Understood.")
    last = work(log, "src/part1.py")
    log.user("And go on. " * 60)
    log.assistant("Here it is. " * 40)
    fold(log, first)
    fold(log, last)
    return log


def test_a_small_rest_is_told_in_outline_where_the_gate_is_on():
    log = rest()
    result = planned(log)
    assert result is not None
    assert "must keep src/part0.py" in result.summary
    assert result.details["outlined"] == 2
    assert result.details["covered"] == 8
    assert planned(log, quality=QualitySettings(enabled=False)) is None


def test_the_messages_an_outline_stands_for_are_counted():
    assert planned(chatter(60)).details["outlined"] == 120
    assert planned(chatter(65)) is None


def test_calls_of_our_own_tools_between_blocks_need_no_summary():
    log = LogBuilder()
    first = work(log, "src/part0.py")
    log.turn(calls=[("aili_compact", {"mode": "range"})], results=["made b000001"])
    last = work(log, "src/part1.py")
    log.user("And go on. " * 60)
    log.assistant("Here it is. " * 40)
    fold(log, first)
    fold(log, last)
    result = planned(log, quality=QualitySettings(enabled=False))
    assert result is not None
    assert result.details["outlined"] == 0


def test_a_parent_covers_what_its_children_did():
    log, parts = LogBuilder(), []
    parts = [work(log, f"src/part{number}.py") for number in range(2)]
    log.user("And go on. " * 60)
    log.assistant("Here it is. " * 40)
    names = [fold(log, ids) for ids in parts]
    sources = [
        source for source in log.branch().sources if source.entry_id in {*parts[0], *parts[1]}
    ]
    Journal(log).lift(names, outline(manifest_of(sources)))
    result = planned(log)
    assert [(one["ref"], one["tier"]) for one in result.details["blocks"]] == [("b000003", 2)]
    assert result.details["covered"] == 8


# The cut


def test_the_cut_is_never_at_a_result_and_parts_no_block():
    log, _ = worked(5)
    found = 0
    for keep in (1, 50, 150, 300, 450, 800, 5000):
        result = planned(log, CompactEvent(keep_recent_tokens=keep))
        if result is None:
            continue
        found += 1
        sources = {source.entry_id: source for source in log.branch().sources}
        first = sources[result.first_kept_entry_id]
        assert first.message["role"] != "toolResult"
        owners = [block for block in now(log).state.active() if first.entry_id in block.source_ids]
        assert all(block.source_ids[0] == first.entry_id for block in owners)
        assert result.details["keptTokens"] <= 1.25 * keep
    assert found >= 3


def test_a_tail_that_is_too_long_is_left_to_the_host():
    log, _ = worked()
    log.assistant("A very long answer. " * 400)
    assert planned(log, CompactEvent(keep_recent_tokens=100)) is None


@pytest.mark.parametrize(
    "text", [CJK, "会話の履歴は決して書き換えない。" * 4, "plain words of a talk " * 4, "🔥" * 40]
)
def test_the_kept_tail_is_near_the_measure_by_the_one_counter(text):
    log = LogBuilder()
    for _ in range(10):
        log.user(text)
        log.assistant(text)
    branch = log.branch()
    one = count_tokens(text) + 4
    for keep in (4 * one, 7 * one + 3, 10 * one):
        cut = plan_cut(branch, keep)
        assert abs(cut.tail - keep) <= 0.25 * keep
        assert cut.tail == one * (20 - cut.first)
        assert cut.first > 0


def test_the_second_pass_begins_at_what_the_first_kept():
    log = LogBuilder()
    ids = {}
    for number in (1, 2, 3):
        ids[f"u{number}"] = log.user(f"question {number} " * 20)
        ids[f"a{number}"] = log.assistant(f"answer {number} " * 20)
    log.compaction("the first record", keep=ids["u2"])
    ids["u4"] = log.user("question 4 " * 20)
    ids["a4"] = log.assistant("answer 4 " * 20)
    branch = log.branch()
    names = [source.entry_id for source in branch.sources]
    assert names[1:] == [ids[name] for name in ("u2", "a2", "u3", "a3", "u4", "a4")]
    cut = plan_cut(branch, 130)
    assert names[cut.first] == cut.entry_id == ids["u4"]
    fold(log, [ids[name] for name in ("u2", "a2", "u3", "a3")])
    result = planned(log, CompactEvent(keep_recent_tokens=130))
    assert "the first record" in result.summary
    assert (result.details["carried"], result.details["covered"]) == (1, 4)
    after = appended(log, result)
    assert [source.entry_id for source in after.sources[1:]] == [ids["u4"], ids["a4"]]


def test_nothing_follows_a_compaction_until_something_does():
    log, _ = worked()
    appended(log, planned(log))
    assert plan_cut(log.branch(), 10) is None
    assert planned(log) is None
    ids = work(log, "src/new.py")
    log.user("And go on. " * 60)
    log.assistant("Here it is. " * 40)
    assert plan_cut(log.branch(), KEEP) is not None
    kept = [source.entry_id for source in log.branch().sources if source.entry_id not in set(ids)][
        1:-2
    ]
    fold(log, [*kept, *ids])
    result = planned(log)
    assert result is not None
    assert "b000001" in result.summary
    assert result.details["carried"] == 1


def test_a_context_that_is_kept_whole_has_no_cut():
    log = LogBuilder()
    assert plan_cut(log.branch(), 10) is None
    log.user("hi")
    assert plan_cut(log.branch(), 0) is None
    log.assistant("hello")
    assert plan_cut(log.branch(), 1000) is None
    assert plan_cut(log.branch(), 1).entry_id == log.leaf


def test_the_checkpoint_must_relieve_the_pressure_it_is_for():
    log, _ = worked()
    used = now(log).pressure.use.tokens
    assert planned(log, context_window=used * 2) is not None
    assert planned(log, context_window=used // 3) is None


# Never an error, never a cancel


def test_off_and_fault_leave_everything_to_the_host():
    log, _ = worked()
    assert planned(log, enabled=False) is None
    Journal(log).switch("off")
    assert planned(log) is None
    log, _ = worked()
    log.custom("aili.compact.tx.v9", {})
    assert now(log).state.fault is not None
    assert planned(log) is None


@pytest.mark.parametrize(
    "name",
    ["pieces_of", "reach_of", "cuts_of", "is_worse", "context_of", "count_tokens", "leaf_digest"],
)
def test_an_error_anywhere_is_nothing(monkeypatch, name):
    log, _ = worked()
    snapshot = now(log)

    def fail(*_args, **_more):
        raise RuntimeError("no")

    monkeypatch.setattr(checkpoint, name, fail)
    assert before_compact(snapshot, EVENT) is None


@pytest.mark.parametrize("name", ["gate", "manifest_of", "outline", "leaf_digest"])
def test_an_error_of_the_gate_is_nothing(monkeypatch, name):
    log = rest()
    snapshot = now(log)
    assert before_compact(snapshot, EVENT) is not None

    def fail(*_args, **_more):
        raise MemoryError

    monkeypatch.setattr(coverage, name, fail)
    assert before_compact(snapshot, EVENT) is None


def test_a_view_that_would_be_worse_is_nothing(monkeypatch):
    log, _ = worked()
    monkeypatch.setattr(checkpoint, "is_worse", lambda *_: True)
    assert planned(log) is None


@pytest.mark.parametrize("snapshot", [None, 3, "x", {}, object()])
def test_no_argument_raises(snapshot):
    assert before_compact(snapshot, EVENT) is None
    assert before_compact(snapshot, snapshot) is None


EVENTS = [
    (None, CompactEvent()),
    ([], CompactEvent()),
    ({"reason": ["manual"], "request": 4}, CompactEvent()),
    ({"reason": "overflow", "request": "r", "tokensBefore": 9.0}, CompactEvent("overflow", "r", 9)),
    ({"preparation": {"tokensBefore": -1, "settings": {"keepRecentTokens": True}}}, CompactEvent()),
    ({"preparation": {"tokensBefore": 5, "settings": {"keepRecentTokens": 0}}}, CompactEvent("manual", None, 5, 0)),
    ({"preparation": {"tokensBefore": float("nan")}, "keepRecentTokens": 9}, CompactEvent()),
    ({"keepRecentTokens": 9}, CompactEvent("manual", None, None, 9)),
]  # fmt: skip


@pytest.mark.parametrize(("value", "event"), EVENTS)
def test_any_json_is_an_event(value, event):
    assert read_event(value) == event


SOUND = ("user", "reply", "thinking", "call", "parallel", "failed", "bash", "hidden bash", "cjk", "note", "custom", "label", "summarised move", "compaction")  # fmt: skip
FEW = Config(protection=Protection(preserve_recent_atoms=2, preserve_recent_tokens=0))


def folded(seed):
    """Return a random log whose safe ranges are folded, all but a few."""
    log = random_log(seed, steps=40, names=SOUND)
    for one in take(log.tree(), config=FEW).catalog.ranges:
        if log.rng.random() < 0.9:
            fold(log, one.source_ids)
    if log.rng.random() < 0.3:
        log.turn("more", calls=[("read", {"path": "a.py"})], results=["line " * 50])
    return log


def test_any_log_gives_a_whole_checkpoint_or_nothing():
    found = 0
    for seed in range(40):
        log = folded(seed)
        snapshot = take(log.tree(), config=FEW)
        before = [source.message for source in snapshot.branch.sources]
        result = before_compact(
            snapshot, CompactEvent(keep_recent_tokens=(100, 300, 900)[seed % 3])
        )
        if result is None:
            continue
        found += 1
        after = appended(log, result)
        codes = [wrong.code for wrong in check("pi", [one.message for one in after.sources])]
        raw = [wrong.code for wrong in check("pi", before)]
        assert all(codes.count(code) <= raw.count(code) for code in codes)
        assert after.sources[1].message["role"] != "toolResult"
        kept = [one.message for one in after.sources[1:]]
        assert kept == before[len(before) - len(kept) :]
        assert replay(after).fault is None
    assert found >= 6
