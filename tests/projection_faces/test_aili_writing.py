"""`pcsf aili` adding to logs: what is appended, what is refused, and that nothing else moves."""

import json

import pytest

from kernel.projection.journal.codec import decode
from kernel.projection.log.inheritance import is_journal
from kernel.projection.log.storage import load
from kernel.projection.model import TRANSACTION, Transaction
from kernel.projection.snapshot import take

#: Every verb that appends: a log it does something to, what it is told, the arms it writes.
CHANGES = {
    "sweep": ("observed", ("4",), ["cooling"]),
    "manual on": ("plain", (), ["control"]),
    "decompress": ("folded", ("b1", "b000003"), ["decompress"]),
    "decompress one": ("lifted", ("b000005",), ["decompress"]),
    "decompress raw": ("lifted", ("b5", "b3"), ["decompress"]),
    "recompress": ("opened", ("b2", "b1"), ["recompress", "recompress"]),
    "cache panel on": ("plain", (), ["control"]),
    "off": ("folded", (), ["control"]),
    "restore-all": ("lifted", (), ["control"]),
}


def raw_of(aili, log):
    return [source.message for source in load(aili.path(log)).branch().sources]


def seen(aili, log):
    return json.loads(aili("view", log, "--format", "pi")[1])["messages"]


def run(aili, name, *more):
    verb, *words = name.split()
    log, given, _ = CHANGES[name]
    return aili(verb, log, *words, *given, *more)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_appends_its_transactions_and_nothing_else(aili, name):
    log, _, arms = CHANGES[name]
    before, raw, leaf = aili.bytes(log), raw_of(aili, log), load(aili.path(log)).leaf
    code, out, err = run(aili, name, "--json")
    assert (code, err) == (0, "")
    told = json.loads(out)
    after = aili.bytes(log)
    assert after.startswith(before)
    added = [json.loads(line) for line in after[len(before) :].splitlines()]
    assert [entry["data"]["kind"] for entry in added] == arms
    assert told["written"]
    for entry, said in zip(added, told["append"], strict=True):
        assert (entry["type"], entry["customType"]) == ("custom", TRANSACTION)
        assert (entry["id"], entry["data"]) == (said["entryId"], said["data"])
        assert entry["parentId"] == entry["data"]["base"] == leaf
        assert isinstance(decode(entry["data"]), Transaction)
        leaf = entry["id"]
    assert told["leaf"] == leaf
    assert raw_of(aili, log) == raw
    now = take(load(aili.path(log)))
    assert now.state.fault is None
    assert list(now.projection.messages) == seen(aili, log)


@pytest.mark.parametrize("name", CHANGES)
def test_a_dry_run_says_the_same_and_writes_nothing(aili, name):
    log = CHANGES[name][0]
    before = aili.bytes(log)
    dry = json.loads(run(aili, name, "--json", "--dry-run")[1])
    text = run(aili, name, "--dry-run")[1]
    assert aili.bytes(log) == before
    assert text.count("would append") == len(dry["append"])
    assert not dry["written"]
    done = json.loads(run(aili, name, "--json")[1])
    assert done["tokens"] == dry["tokens"]
    assert done["append"] == dry["append"]
    assert done["catalogId"] == dry["catalogId"]
    assert run(aili, name, "--dry-run")[0] in (0, 1)


def test_text_says_what_was_appended(aili):
    code, out, _ = aili("decompress", "folded", "raw", "b1")
    assert code == 0
    assert out.startswith("appended  ")
    assert "(decompress, tx_" in out
    assert " tokens became " in out.splitlines()[-1]


def test_restore_all_is_the_raw_history_whatever_was_done(aili):
    for log in ("folded", "lifted", "opened", "legacy", "faulted"):
        raw = raw_of(aili, log)
        assert aili("restore-all", log)[0] == 0
        assert seen(aili, log) == raw, log
        assert aili.json("stats", log)["fault"] is None


def test_on_and_off(aili):
    folded, raw = seen(aili, "folded"), raw_of(aili, "folded")
    assert aili("off", "folded")[0] == 0
    assert seen(aili, "folded") == raw
    assert not aili.json("stats", "folded")["enabled"]
    assert aili.json("decompress", "folded", "b1", code=1)["error"]["code"] == "aili-off"
    assert aili("on", "folded")[0] == 0
    assert seen(aili, "folded") == folded


def test_opening_and_closing_gives_the_view_back(aili):
    folded = seen(aili, "folded")
    assert aili("decompress", "folded", "raw", "b1", "b2", "b4")[0] == 0
    assert len(seen(aili, "folded")) > len(folded)
    assert aili("recompress", "folded", "b4", "b1", "b2")[0] == 0
    assert seen(aili, "folded") == folded


def test_one_level_and_all_levels(aili):
    assert aili("decompress", "lifted", "one", "b5")[0] == 0
    assert [item["ref"] for item in aili.json("context", "lifted")["items"]][:3] == [
        "b000001", "b000002", "b000003",
    ]  # fmt: skip
    assert aili("recompress", "lifted", "b5")[0] == 0
    assert aili("decompress", "lifted", "raw", "b5")[0] == 0
    assert next(item["ref"] for item in aili.json("context", "lifted")["items"]) == "m000001"


def test_manual_mode_is_the_branchs_word(aili):
    assert aili.json("manual", "plain") == {"manual": False, "from": "settings"}
    assert aili("manual", "plain", "on")[0] == 0
    assert aili.json("manual", "plain", "status") == {"manual": True, "from": "branch"}
    assert aili("manual", "plain", "off")[0] == 0
    assert "off, by the branch" in aili("manual", "plain")[1]


def test_the_panel(aili):
    assert aili("cache", "plain", "panel", "on")[0] == 0
    assert aili.json("cache", "plain")["panel"] is True
    assert aili("cache", "plain", "panel", "off")[0] == 0
    assert aili.json("cache", "plain")["panel"] is False


def test_a_sweep_leaves_stubs_that_restore_all_takes_back(aili):
    raw = raw_of(aili, "observed")
    told = aili.json("sweep", "observed", "1")
    assert len(told["append"][0]["data"]["payload"]["results"]) == 1
    stub = seen(aili, "observed")[2]["content"][0]["text"]
    assert stub.startswith("[Result of read cooled: ")
    kinds = [item["kind"] for item in aili.json("context", "observed")["items"]]
    assert kinds.count("cooled") == 1
    assert aili("restore-all", "observed")[0] == 0
    assert seen(aili, "observed") == raw


def test_another_branch_is_written_under_its_leaf(aili):
    tree = load(aili.path("forked"))
    older, newest = [item.id for item in tree.entries][-2:]
    other = json.loads(aili("view", "forked", "--format", "pi")[1])
    told = aili.json("decompress", "forked", "b1", "--leaf", older)
    assert told["append"][0]["parentId"] == older
    assert json.loads(aili("view", "forked", "--format", "pi", "--leaf", newest)[1]) == other
    # The last line is where Pi goes on.
    assert aili.json("stats", "forked")["leaf"] == told["leaf"]
    assert "the session goes on from" in aili("off", "forked", "--leaf", newest)[2]


#: Logs and calls that are refused: by which code.
REFUSALS = [
    ("plain", ("decompress", "b1"), "unknown-ref"),
    ("folded", ("decompress", "b1", "b1"), "duplicate-ref"),
    ("folded", ("decompress", "b1", "b9"), "unknown-ref"),
    ("lifted", ("decompress", "b1"), "block-not-active"),
    ("opened", ("decompress", "b1"), "block-not-active"),
    ("folded", ("recompress", "b1"), "block-not-decompressed"),
    ("opened", ("recompress", "b1", "b1"), "block-not-decompressed"),
    ("collected", ("recompress", "b1"), "legacy-recompress"),
    ("plain", ("on",), "already-in-force"),
    ("plain", ("manual", "off"), "already-in-force"),
    ("plain", ("cache", "panel", "off"), "already-in-force"),
    ("compacted", ("sweep",), "nothing-to-cool"),
    ("faulted", ("off",), "journal-arm"),
    ("faulted", ("decompress", "b1"), "journal-arm"),
    ("faulted", ("sweep",), "journal-arm"),
    ("header", ("off",), "empty-log"),
    ("header", ("restore-all",), "empty-log"),
    ("compacted", ("decompress", "b1"), "unknown-ref"),
    *[
        (log, verb, "read-only-version")
        for log in ("v1", "v2")
        for verb in (
            ("on",), ("off",), ("restore-all",), ("sweep",), ("manual", "on"), ("compress",),
            ("decompress", "b1"), ("recompress", "b1"), ("cache", "panel", "on"),
        )
    ],
]  # fmt: skip


@pytest.mark.parametrize(("log", "words", "code"), REFUSALS)
def test_refusals_leave_the_log_as_it_was(aili, log, words, code):
    before = aili.bytes(log)
    verb, *more = words
    assert aili.json(verb, log, *more, code=1)["error"]["code"] == code
    found, out, err = aili(verb, log, *more)
    assert (found, out) == (1, "")
    assert f"({code})" in err
    assert aili.bytes(log) == before
    if code == "read-only-version":
        assert "open the session once in Pi 0.58.3 or newer" in err


def test_a_newer_version_is_read_and_never_written(aili):
    path = aili.path("folded")
    path.write_bytes(
        path.read_bytes().replace(b'"version":3,"id":"S-1"', b'"version":4,"id":"S-1"')
    )
    before = path.read_bytes()
    assert aili("view", "folded")[0] == 0
    code, _, err = aili("off", "folded")
    assert code == 1
    assert "use a release that knows it" in err
    assert path.read_bytes() == before


def test_one_refusal_refuses_all(aili):
    before = aili.bytes("opened")
    told = aili.json("recompress", "opened", "b1", "b9", code=1)
    assert told["error"]["code"] == "unknown-ref"
    assert aili.bytes("opened") == before


def test_blocks_of_older_versions_open_to_their_messages(aili):
    raw = raw_of(aili, "legacy")
    told = aili.json("context", "legacy")
    assert (told["items"][0]["ref"], told["items"][0]["version"]) == ("b000001", 1)
    assert aili("decompress", "legacy", "one", "b1")[0] == 0
    assert seen(aili, "legacy") == raw
    assert aili.json("recompress", "legacy", "b1", code=1)["error"]["code"] == "legacy-recompress"


def test_everything_appended_is_of_the_journal(aili):
    for name in CHANGES:
        log = CHANGES[name][0]
        known = len(load(aili.path(log)).entries)
        run(aili, name)
        assert all(map(is_journal, load(aili.path(log)).entries[known:]))
