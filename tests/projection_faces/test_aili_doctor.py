"""`pcsf aili doctor`: every part, what it does not claim, and the repair."""

import json

import pytest

from kernel.projection.doctor import SECTIONS
from kernel.projection.log.storage import load
from kernel.projection.snapshot import take

LOGS = ["plain", "folded", "lifted", "opened", "observed", "legacy", "compacted", "v1", "header"]


@pytest.mark.parametrize("log", LOGS)
def test_every_part_is_reported_and_nothing_is_written(aili, log):
    before = aili.bytes(log)
    told = aili.json("doctor", log)
    assert all(told[name]["status"] in ("ok", "off", "Unverified") for name in SECTIONS)
    assert told["index"]["differences"] == []
    assert told["coordinator"]["status"] == "Unverified"
    assert "provider behaviour" in told["unverified"]
    text = aili("doctor", log)[1]
    assert [line.split()[0] for line in text.splitlines()][1 : 1 + len(SECTIONS)] == list(SECTIONS)
    assert aili.bytes(log) == before


def test_a_fault_is_exit_code_1(aili):
    told = aili.json("doctor", "faulted", code=1)
    assert told["reducer"]["status"] == "fault"
    assert aili("doctor", "faulted")[0] == 1


def test_settings_that_do_not_hold_are_counted(aili):
    aili.easy.write_text('{"nothing": 1, "maxBlockAge": 2}')
    told = aili.json("doctor", "plain")
    assert told["settings"]["count"] == 2


def test_collected_blocks_come_back_only_where_it_is_asked(aili):
    before = aili.bytes("collected")
    code, out, err = aili("stats", "collected", "--json")
    assert code == 0
    assert "REPAIR_PENDING" in err
    assert json.loads(out)["blocks"]["legacy"] == 0
    assert aili.bytes("collected") == before
    code, _, err = aili("doctor", "collected", "--repair")
    assert code == 0
    assert "1 block brought back" in err
    after = aili.bytes("collected")
    assert after.startswith(before)
    (added,) = [json.loads(line) for line in after[len(before) :].splitlines()]
    assert added["customType"] == "aili.compact.repair.v1"
    assert take(load(aili.path("collected"))).state.repaired
    assert aili.json("stats", "collected")["blocks"]["legacy"] == 1
    assert "0 blocks" in aili("doctor", "collected", "--repair")[2]
    assert aili.bytes("collected") == after


@pytest.mark.parametrize(("log", "code"), [("v2", "read-only-version"), ("faulted", "journal-arm")])
def test_repair_is_refused_where_nothing_may_be_written(aili, log, code):
    before = aili.bytes(log)
    assert aili.json("doctor", log, "--repair", code=1)["error"]["code"] == code
    assert aili.bytes(log) == before
