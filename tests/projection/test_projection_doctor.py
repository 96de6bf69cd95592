"""The doctor: every part, on every kind of log, in bounds, without a word of a source."""

import json

import pytest
from attrs import evolve
from hypothesis import given, settings
from projection_journals import QUALITY, Journal
from projection_logs import LogBuilder, chat_log, logs

from kernel.projection import diagnosis
from kernel.projection.doctor import SECTIONS, Evidence, doctor
from kernel.projection.index import Indexes
from kernel.projection.log.branch import read_tree
from kernel.projection.provider.caching import Stability
from kernel.projection.provider.identity import Identities, StaticSurface
from kernel.projection.recovery.compaction import CompactEvent
from kernel.projection.recovery.coordinator import CheckpointCoordinator
from kernel.projection.settings.config import Config, IndexSettings, QualitySettings
from kernel.projection.settings.reading import parse
from kernel.projection.snapshot import take

PARTS = (
    "reducer", "repair", "reference", "projection", "quality", "tokenEconomics", "calibration",
    "suffix", "index", "checkpoint", "coordinator", "epoch", "cache",
)  # fmt: skip
WORDS = "xyzzy-plugh-42"


class Host:
    def is_idle(self):
        return True

    def compact(self, request):
        raise AssertionError(request)

    send_user_message = compact


def worked():
    log = chat_log(60, words=(40, 60))
    journal = Journal(log)
    ids = log.path()
    first = journal.fold(ids[0:4])
    second = journal.fold(ids[4:8])
    journal.lift([first, second])
    journal.fold(ids[8:12], quality=evolve(QUALITY, enabled=False, accepted=False))
    results = [
        entry["id"]
        for entry in log.entries
        if entry.get("message", {}).get("toolName") in ("bash", "read", "grep")
    ]
    journal.cool([results[-3]])
    return log


def report_of(log, evidence=None, **config):
    return doctor(take(log.tree(), config=Config(**config)), evidence)


def test_every_part_is_told():
    assert tuple(SECTIONS) == PARTS
    report = report_of(worked())
    assert set(PARTS) < set(report)
    assert json.loads(json.dumps(report)) == report
    for name in PARTS:
        assert report[name]["status"] in ("ok", "off", "fault", "Unverified")
    assert report["reducer"]["replayEqual"]
    assert report["reducer"]["blocks"] == {"covered": 2, "active": 2}
    assert (report["projection"]["blocks"], report["projection"]["cooled"]) == (2, 1)
    assert report["reference"]["lastBlock"] == "b000004"
    assert report["quality"]["withoutEvidence"] == ["b000004"]
    assert report["quality"]["accepted"] == 3
    assert report["calibration"]["reportedTokens"] > 0


def test_what_nothing_proves_is_unverified():
    report = report_of(chat_log(20))
    assert [name for name in PARTS if report[name]["status"] == "Unverified"] == [
        "tokenEconomics",
        "calibration",
        "index",
        "coordinator",
        "cache",
    ]
    for name in ("effective compaction.enabled", "provider behaviour", "extension order", "index"):
        assert name in report["unverified"]
    assert report["checkpoint"]["compactionEnabled"] == "Unverified"
    assert report["checkpoint"]["overflowRetry"] == "Unverified"
    assert report["suffix"]["roleAtProvider"] == "Unverified"
    assert report["projection"]["acceptedByProvider"] == "Unverified"
    assert report["cache"]["identities"]["staticSurfaceIdentity"] == "Unverified"
    assert report["tokenEconomics"]["window"] == "Unverified"


def test_evidence_is_told_and_proves_no_more_than_it_is():
    log = worked()
    tree = log.tree()
    now = take(tree, config=Config(context_window=100_000))
    coordinator = CheckpointCoordinator(Host())
    coordinator.before_compact(now, CompactEvent())
    seen = Stability().after(Identities("a", "b", "none", "c"), {"cacheRead": 5})
    evidence = Evidence(
        Indexes(), "a", coordinator, seen, StaticSurface("anthropic", "claude-x"), compaction=False,
        settings=parse('{"maxBlockAge": 3}')[1],
    )  # fmt: skip
    report = doctor(now, evidence)
    assert report["index"]["status"] == "ok"
    assert report["index"]["differences"] == []
    assert report["index"]["counters"]["audits"] == 1
    assert report["coordinator"]["phase"] == "inFlight"
    assert report["cache"]["status"] == "ok"
    assert report["cache"]["stability"]["hits"] == 1
    assert report["cache"]["session"]["hits"] == 0
    assert report["cache"]["identities"]["staticSurfaceIdentity"].startswith("static_")
    assert report["checkpoint"]["compactionEnabled"] is False
    assert report["settings"] == {
        "count": 1,
        "first": [{"code": "config-deprecated:maxBlockAge", "line": 0}],
    }
    assert "effective compaction.enabled" not in report["unverified"]
    assert {"provider behaviour", "tokenizer and billing", "calibration"} <= set(
        report["unverified"]
    )


def test_a_differing_index_is_a_fault():
    log = worked()
    tree = log.tree()
    indexes = Indexes()
    indexes.of(tree).sums[2] = 0
    report = doctor(take(tree), Evidence(indexes))
    assert report["index"]["status"] == "fault"
    assert "tokens" in report["index"]["differences"]


def test_a_fault_is_named_by_code_and_entry():
    log = worked()
    entry = log.custom("aili.compact.tx.v9", {"words": WORDS})
    report = report_of(log)
    assert report["reducer"]["fault"] == {"code": "journal-version", "entry": entry}
    assert report["projection"]["raw"]
    for name in ("reducer", "repair", "reference", "projection", "checkpoint"):
        assert report[name]["status"] == "fault"
    assert report["checkpoint"]["answer"] == "native"
    assert [note["line"] for note in report["diagnostics"]["first"]] == [len(log.entries) + 1]


def test_off_is_told_as_off():
    log = worked()
    for report in (report_of(log, enabled=False), report_of(switched_off(log))):
        assert not report["enabled"]
        assert report["projection"]["raw"]
        for name in ("reducer", "projection", "suffix", "checkpoint"):
            assert report[name]["status"] == "off"
        assert report["checkpoint"]["answer"] == "native"
    report = report_of(
        worked(), quality=QualitySettings(enabled=False), index=IndexSettings(enabled=False)
    )
    assert report["quality"]["status"] == report["index"]["status"] == "off"


def switched_off(log):
    Journal(log).switch("off")
    return log


@pytest.mark.parametrize(
    ("mark", "origin"), [(True, "extension"), (None, "Unverified"), (False, "Unverified")]
)
def test_the_origin_of_a_checkpoint_is_proved_by_its_mark_alone(mark, origin):
    log = worked()
    log.compaction("so far", keep=log.ids[8], **({} if mark is None else {"fromHook": mark}))
    report = report_of(log)
    assert report["epoch"]["origin"] == origin
    assert ("native origin" in report["unverified"]) == (origin == "Unverified")
    assert report["epoch"]["queryOnlyBlocks"] == 4
    assert report["checkpoint"]["lastEntryIsCompaction"]


@pytest.mark.parametrize(
    "name", ["reducer", "repair", "reference", "projection", "quality", "calibration", "epoch"]
)
def test_a_part_that_fails_takes_no_other_with_it(monkeypatch, name):
    def fail(*_args, **_more):
        raise RuntimeError(WORDS)

    monkeypatch.setattr(diagnosis, name, fail)
    report = report_of(worked())
    assert report[name] == {"status": "Unverified", "error": "RuntimeError"}
    assert WORDS not in json.dumps(report)
    assert len([part for part in PARTS if report[part].get("error")]) == 1


def test_the_report_is_bounded_and_quotes_nothing():
    log = LogBuilder()
    for number in range(45):
        log.user(f"{WORDS} {number} must never be lost in src/{WORDS}.py")
        log.assistant(f"{WORDS} decided {number}")
    journal = Journal(log)
    ids = log.path()
    for start in range(0, 80, 2):
        journal.fold(ids[start : start + 2], f"{WORDS} in short", topic=WORDS, quality=evolve(QUALITY, enabled=False, accepted=False))  # fmt: skip
    raw = [*log.lines(), *[b"{broken " + WORDS.encode() + b"\n"] * 200, log.lines()[-1]]
    report = doctor(take(read_tree(raw), config=Config(context_window=1000)))
    text = json.dumps(report)
    assert WORDS not in text
    assert len(text) < 20_000
    assert len(report["quality"]["withoutEvidence"]) == 32
    assert report["diagnostics"]["count"] > 200
    assert len(report["diagnostics"]["first"]) == 32


@given(logs(max_steps=20))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_any_log_has_a_report(log):
    before = log.raw()
    report = report_of(log, Evidence(Indexes()), context_window=10_000)
    assert not [name for name in PARTS if "error" in report[name]]
    assert report["reducer"]["replayEqual"]
    assert report["index"]["status"] == "ok"
    assert log.raw() == before
