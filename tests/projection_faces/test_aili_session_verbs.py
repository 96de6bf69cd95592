"""`pcsf session` keeps off logs whose view AILI decides, and says who knows them."""

import shutil
from pathlib import Path

import pytest

from kernel.projection.log.inheritance import JOURNAL
from pcsf_lark.faces.aili.guard import COMMANDS, has_journal

VERBS = {
    "view": (),
    "status": (),
    "search": ("word",),
    "plan": (),
    "undo": (),
    "decompress": ("b1",),
    "convert": ("--to", "openai"),
    "compress": ("--range", "m1..m2", "--summary-file", "-"),
}
TIDE = Path(__file__).resolve().parents[1] / "kernel_faces/logs/tide.jsonl"


@pytest.mark.parametrize("log", ["folded", "faulted", "legacy", "collected"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_log_of_aili_is_refused_and_the_right_command_named(aili, verb, log):
    before = aili.bytes(log)
    code, out, err = aili.run("session", verb, aili.path(log), *VERBS[verb], stdin=b"a summary")
    assert (code, out) == (1, "")
    assert f"use `{COMMANDS[verb]}`" in err
    assert aili.bytes(log) == before
    assert not aili.path(f"{log}.jsonl.kernel.json").exists()


def test_the_commands_named_are_there(aili):
    assert set(COMMANDS) == set(VERBS)
    for command in COMMANDS.values():
        verb = command.split()[2]
        assert aili.run("aili", verb, "--help")[0] == 0


def test_any_branch_counts(aili):
    log = aili.path("forked")
    entries = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join([*entries, entries[1].replace(b'"id":"', b'"id":"x')]))
    assert aili.run("session", "view", log)[0] == 1


@pytest.mark.parametrize("log", ["plain", "chat", "compacted", "v1", "v2"])
def test_other_logs_are_not(aili, log):
    assert aili.run("session", "status", aili.path(log))[0] == 0
    shutil.copy(TIDE, aili.folder / "tide.jsonl")
    assert aili.run("session", "view", aili.folder / "tide.jsonl")[0] == 0


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (b'{"type":"custom","customType":"aili.compact.tx.v9","id":"a","parentId":null}', True),
        (b'{"customType":"aili.compact.repair.v1","type":"custom"}', True),
        (b'{"type":"custom", "customType": "aili.compact.tx.v3", "da', True),
        (b'{"a":1}{"type":"custom","customType":"aili.compact.tx.v3"}', True),
        (b'{"type":"message","message":{"role":"user","content":"aili.compact.tx.v3"}}', False),
        (b'{"type":"message","customType":"aili.compact.tx.v3"}', False),
        (b'{"type":"custom","customType":"other","data":"aili.compact.tx.v3"}', False),
        (b'{"type":"message","message":"\\"customType\\":\\"aili.compact.', False),
        (b"aili.compact.", False),
        (b'{"type":"custom","customType":"\\u0061ili.compact.tx.v3"}', True),
        (b'{"type":"custom","customType":"aili\\u002Ecompact.tx.v3"}', True),
        (b'{"type":"\\u0063ustom","custom\\u0054ype":"aili.compact\\u002etx.v3"}', True),
        (b'{"type":"\\u0063ustom","\\u0063ustomType":"\\u0061ili.compact.tx.v3"}', True),
        (b'{"type":"custom","customType":"\\u0061ili.other"}', False),
        (b'{"type":"message","message":{"content":"\\u0061ili.compact. \\"custom\\""}}', False),
    ],
)
def test_what_counts_as_an_entry(tmp_path, line, found):
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"type":"session","version":3,"id":"a"}\n' + line + b"\n")
    assert has_journal(str(path)) is found
    assert JOURNAL == "aili.compact."
