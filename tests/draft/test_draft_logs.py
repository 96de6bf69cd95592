"""What drafts need of logs: when the last message was written, and what summaries stand for."""

import pytest
from benchmarks.draft_scoring import LOGS

from kernel.sessions import read_session
from kernel.sessions.times import last_of, utc


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("2026-03-02T08:00:00.000Z", "2026-03-02T08:00:00Z"),
        ("2026-03-02T08:00:00.999999", "2026-03-02T08:00:00Z"),
        ("2026-03-02T08:00:00+02:00", "2026-03-02T06:00:00Z"),
        (1_772_438_400, "2026-03-02T08:00:00Z"),
        (1_772_438_400_000, "2026-03-02T08:00:00Z"),
        ("Monday", None),
        ("", None),
        (True, None),
        (None, None),
        (float("nan"), None),
        (1e300, None),
    ],
)
def test_times(value, told):
    assert utc(value) == told


def test_the_last_that_is_one():
    assert (
        last_of(["2026-03-02T08:00:00Z", "2026-03-02T09:00:00Z", "later"]) == "2026-03-02T09:00:00Z"
    )
    assert last_of([]) is None


@pytest.mark.parametrize(
    ("name", "last", "earlier"),
    [
        ("harbour.jsonl", "2026-03-02T08:17:00Z", 0),
        ("quay.jsonl", "2026-04-05T10:14:00Z", 6),
        ("crane.traj", None, 0),
    ],
)
def test_logs_tell(name, last, earlier):
    plain, whole = read_session(LOGS / name), read_session(LOGS / name, earlier=True)
    assert (plain.last_time, len(plain.earlier)) == (last, 0)
    assert (whole.last_time, len(whole.earlier)) == (last, earlier)
    assert whole.messages == plain.messages
    ids = [message.id for message in (*whole.earlier, *whole.messages)]
    assert len(ids) == len(set(ids))


def test_a_pi_log_keeps_what_its_compaction_took_out(tmp_path):
    lines = (LOGS / "harbour.jsonl").read_text("utf-8").strip().split("\n")
    compaction = (
        '{"type":"compaction","id":"k1","parentId":"h017","timestamp":"2026-03-02T09:00:00.000Z",'
        '"summary":"## Goal\\nLevels","firstKeptEntryId":"h014","tokensBefore":1}'
    )
    path = tmp_path / "compacted.jsonl"
    path.write_text("\n".join([*lines, compaction]) + "\n", "utf-8")
    log = read_session(path, earlier=True)
    assert log.messages[0].text.startswith("[Summary of an earlier compaction]")
    assert [m.id for m in log.earlier][:2] == ["h001", "h002"]
    assert not {m.id for m in log.earlier} & {m.id for m in log.messages}
