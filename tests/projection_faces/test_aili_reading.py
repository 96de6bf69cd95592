"""`pcsf aili` looking at logs: views, lists, numbers, plans; not one byte is written."""

import json

import pytest

from kernel import check
from kernel.projection.log.storage import load
from kernel.projection.snapshot import take
from kernel.projection.surfaces import SURFACES
from kernel.wire import WIRES, decode

LOGS = [
    "plain", "chat", "covered", "folded", "lifted", "opened", "observed", "faulted", "legacy",
    "collected", "forked", "compacted", "aborted", "v2", "v1",
]  # fmt: skip
READING = {
    "view": (),
    "context": (),
    "stats": (),
    "manual": ("status",),
    "rescue": ("status",),
    "prompt": (),
    "cache": (),
}


@pytest.mark.parametrize("log", [*LOGS, "header"])
def test_every_reading_verb_reads_every_log_and_writes_nothing(aili, log):
    before = aili.bytes(log)
    for verb, more in READING.items():
        code, out, _ = aili(verb, log, *more)
        assert code == 0, verb
        assert out.strip() or log == "header"
        told = aili.json(verb, log, *more)
        assert isinstance(told, dict | list)
    for more in ((), ("native",)):
        assert aili("rescue", log, *more)[0] == 0
    assert aili.bytes(log) == before
    assert sorted(aili.folder.iterdir()) == sorted([*aili.folder.glob("*.jsonl"), aili.easy])


@pytest.mark.parametrize("log", LOGS)
def test_views_are_bodies_and_pi_has_the_exact_messages(aili, log):
    found = take(load(aili.path(log)))
    code, out, _ = aili("view", log, "--format", "pi", easy=False)
    assert code == 0
    assert json.loads(out) == {"messages": list(found.projection.messages)}
    for wire in WIRES:
        if wire != "pi":
            body = json.loads(aili("view", log, "--format", wire)[1])
            assert check(wire, body, had_user=True) == [], wire
            assert decode(wire, json.dumps(body)).messages
    core = json.loads(aili("view", log, "--format", "json")[1])
    assert core == aili.json("view", log)
    assert list(core) == ["messages"]
    assert all(message["id"] for message in core["messages"])


def test_a_view_for_people_names_every_ref(aili):
    out = aili("view", "folded")[1]
    assert out.startswith("b000001\n[user]\n[Earlier conversation b000001 | T1 range | 4 messages")
    assert "\n\nm000024\n[assistant]\na short reply\n" in out
    assert "m000002" not in out


def test_a_fault_is_the_raw_history_and_is_said(aili):
    code, out, err = aili("view", "faulted")
    assert code == 0
    assert "Earlier conversation" not in out
    assert "journal-arm; the raw history is shown (RAW_HISTORY)" in err
    told = aili.json("stats", "faulted")
    assert told["fault"] == "journal-arm"
    assert told["messages"]["raw"] == told["messages"]["view"]


def test_context_lists_refs_sizes_and_reasons(aili):
    told = aili.json("context", "folded")
    assert told["offset"] == 0
    assert told["limit"] == 32
    assert [item["ref"] for item in told["items"]][:2] == ["b000001", "b000002"]
    assert told["items"][0] | {"tokens": 0} == {
        "kind": "block", "ref": "b000001", "tier": 1, "version": 3, "messages": 4,
        "first": "m000001", "last": "m000004", "preview": "work", "tokens": 0,
    }  # fmt: skip
    assert told["items"][-2]["protected"] == "newest-user"
    assert told["items"][-1]["role"] == "assistant"
    text = aili("context", "folded")[1].splitlines()
    assert text[0].startswith("1 to 6 of 6 messages, leaf ")
    assert "T1, 4 messages m000001..m000004" in text[1]
    assert "[newest-user]" in text[-2]


@pytest.mark.parametrize(
    ("more", "refs"),
    [
        ((), ("m000001", "m000032")),
        (("30",), ("m000031", "m000060")),
        (("4", "2"), ("m000005", "m000006")),
        (("0", "64"), ("m000001", "m000060")),
        (("59", "64"), ("m000060", "m000060")),
        (("60",), None),
        (("1000000",), None),
    ],
)
def test_context_is_read_in_pages(aili, more, refs):
    told = aili.json("context", "chat", *more)
    assert told["total"] == 60
    found = [item["ref"] for item in told["items"]]
    assert (found[0], found[-1]) == refs if refs else found == []
    assert aili("context", "chat", *more)[0] == 0


@pytest.mark.parametrize(
    ("verb", "more"),
    [
        ("context", ("0", "65")),
        ("context", ("0", "0")),
        ("context", ("-1",)),
        ("context", ("x",)),
        ("sweep", ("17",)),
        ("sweep", ("0",)),
        ("manual", ("maybe",)),
        ("rescue", ("now",)),
        ("cache", ("panel",)),
        ("cache", ("panel", "maybe")),
        ("cache", ("on",)),
        ("prompt", ("again",)),
        ("decompress", ()),
        ("decompress", ("raw",)),
        ("decompress", ("m000001",)),
        ("decompress", ("b",)),
        ("decompress", ("one", *[f"b{n}" for n in range(1, 18)])),
        ("recompress", ()),
        ("recompress", ("b1x",)),
        ("recompress", ("b" + "9" * 20,)),
        ("view", ("--format", "yaml")),
        ("view", ("--window", "0")),
        ("view", ("--leaf", "nothere")),
        ("view", ("--config", "gone.jsonc")),
        ("view", ("more",)),
        ("stats", ("--dry-run",)),
        ("mend", ()),
    ],
)
def test_wrong_calls_are_usage_errors(aili, verb, more):
    before = aili.bytes("folded")
    code, out, err = aili(verb, "folded", *more, easy="--config" not in more)
    assert (code, out) == (2, "")
    assert err
    assert aili.bytes("folded") == before


def test_stats_add_up(aili):
    told = aili.json("stats", "lifted")
    assert told["blocks"]["shown"] == {"T1": 2, "T2": 1, "T3": 0}
    assert told["blocks"]["status"] == {"covered": 2, "active": 3}
    assert told["transactions"] == 5
    tokens = told["tokens"]
    assert tokens["raw"] - tokens["view"] == tokens["saved"] > 0
    assert aili.json("stats", "plain")["tokens"]["saved"] == 0
    assert "1 T2 shown" in aili("stats", "lifted")[1].replace("2 T1, ", "")


def test_a_window_makes_pressure(aili):
    raw = aili.json("stats", "plain", "--window", "200000")["pressure"]
    full = aili.json("stats", "plain", "--window", str(raw["tokens"]))["pressure"]
    assert (raw["state"], full["state"]) == ("NORMAL", "OVERFLOW_RECOVERY")
    assert aili.json("stats", "plain")["pressure"]["window"] is None


def test_the_branch_is_that_of_the_last_line_or_of_a_leaf(aili):
    tree = load(aili.path("forked"))
    leaves = [item.id for item in tree.entries][-2:]
    told = [aili.json("context", "forked", "--leaf", leaf) for leaf in leaves]
    assert aili.json("context", "forked") == told[1]
    assert [one["items"][-1]["preview"] for one in told] == ["the end of one way", "another way"]
    assert "another way" not in aili("view", "forked", "--leaf", leaves[0])[1]


# -- compress and rescue: what an agent would do ---------------------------------------


def test_compress_is_one_message_and_no_call(aili):
    before = aili.bytes("plain")
    told = aili.json("compress", "plain", "the", "first", "round")
    assert told["calls"] == {"compactCalls": 0, "messages": 1}
    assert told["message"].endswith("Focus: the first round")
    assert told["permit"]["uses"] == 1
    assert told["permit"]["leaf"] == told["leaf"]
    assert told["permit"]["focus"] == "the first round"
    assert told["plan"]["ranges"]
    assert told["plan"]["catalogId"] in told["suffix"]["content"]
    text = aili("compress", "plain")[1]
    first = told["plan"]["ranges"][0]
    assert f"range    {first['startRef']}..{first['endRef']}: " in text
    assert aili.bytes("plain") == before


def test_compress_plans_even_in_manual_mode_and_with_planning_off(aili):
    aili.easy.write_text(json.dumps({"manualMode": True, "planning": {"enabled": False},
        "protection": {"preserveRecentAtoms": 1, "preserveRecentTokens": 0}}))  # fmt: skip
    assert aili.json("compress", "plain")["plan"]["ranges"]


@pytest.mark.parametrize(
    ("log", "more", "code"),
    [
        ("plain", ("--window", "100"), "checkpoint-required"),
        ("v2", (), "read-only-version"),
        ("v1", (), "read-only-version"),
        ("faulted", (), "journal-arm"),
    ],
)
def test_compress_refuses_where_no_summary_could_be_made(aili, log, more, code):
    assert aili.json("compress", log, *more, code=1)["error"]["code"] == code


def test_rescue_is_one_call_and_no_message(aili):
    before = aili.bytes("covered")
    told = aili.json("rescue", "covered", "--keep", "400")
    assert told["calls"] == {"compactCalls": 1, "messages": 0}
    assert told["event"]["reason"] == "manual"
    assert told["compaction"].keys() == {"summary", "firstKeptEntryId", "tokensBefore", "details"}
    out = aili("rescue", "covered", "--keep", "400")[1]
    assert told["compaction"]["summary"] in out
    assert f"from entry {told['compaction']['firstKeptEntryId']}, " in out
    assert aili.bytes("covered") == before


def test_rescue_native_skips_the_plan_and_still_calls_once(aili):
    told = aili.json("rescue", "covered", "native", "--keep", "400")
    assert told["compaction"] is None
    assert told["calls"] == {"compactCalls": 1, "messages": 0}
    assert "Pi makes its own summary" in aili("rescue", "covered", "native")[1]


def test_rescue_without_cover_leaves_it_to_pi(aili):
    assert aili.json("rescue", "plain")["compaction"] is None
    assert "no summaries cover it" in aili("rescue", "plain")[1]


def test_rescue_status_claims_nothing_a_shell_cannot_know(aili):
    told = aili.json("rescue", "covered", "status")
    assert (told["coordinator"], told["permits"]) == ("Unverified", "Unverified")


def test_rescue_and_compress_are_refused_while_aili_is_off(aili):
    assert aili("off", "covered")[0] == 0
    for verb in ("rescue", "compress"):
        assert aili.json(verb, "covered", code=1)["error"]["code"] == "aili-off"
    assert aili("rescue", "covered", "status")[0] == 0


# -- prompt, cache, settings ------------------------------------------------------------


def test_prompt_shows_the_tools_and_the_suffix(aili):
    told = aili.json("prompt", "plain")
    assert [tool["name"] for tool in told["tools"]] == list(SURFACES)
    assert told["suffix"] is None
    tokens = aili.json("stats", "plain")["pressure"]["tokens"]
    told = aili.json("prompt", "plain", "reload", "--window", str(int(tokens / 0.6)))
    assert told["suffix"]["customType"] == "aili-compact-provider-suffix"
    assert told["settings"] == [str(aili.easy)]
    assert "Do not call aili_compact" in aili("prompt", "plain", "--window", str(tokens))[1]


def test_cache_keeps_its_sections_apart_and_claims_no_hit(aili):
    told = aili.json("cache", "chat")
    assert told["session"]["requests"] == told["session"]["reported"] > 0
    assert told["stability"]["hits"] == "Unverified"
    assert told["identities"]["suffixFingerprint"] == "none"
    assert set(told["identities"]) == {
        "staticSurfaceIdentity", "logicalProviderPrefixIdentity", "suffixFingerprint",
        "fullProviderInputIdentity",
    }  # fmt: skip
    text = aili("cache", "chat")[1]
    assert "stability hits" in text
    assert "panel" in text


def test_settings_come_from_user_and_project(aili):
    user = aili.folder.parent / "home/.pi/agent/aili-compact.jsonc"
    project = aili.folder / ".pi/aili-compact.jsonc"
    for place in (user, project):
        place.parent.mkdir(parents=True)
    user.write_text('{"manualMode": true, "autoCooling": false, /* old */ "maxBlockAge": 3}')
    told = aili.json("stats", "plain", easy=False)
    assert (told["manual"], told["autoCooling"]) == (True, False)
    project.write_text('{"manualMode": false,}')
    code, out, err = aili("stats", "plain", "--json", easy=False)
    told = json.loads(out)
    assert (code, told["manual"], told["autoCooling"]) == (0, False, False)
    assert "config-deprecated:maxBlockAge" in err
    assert aili.json("prompt", "plain", easy=False)["settings"] == [str(user), str(project)]
    # A named file stands for both.
    assert aili.json("stats", "plain")["autoCooling"] is True


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"{", "config-syntax"),
        (b"\xff", "config-not-utf8"),
        (b"[]", "config-not-object"),
        (b'{"enabeld": true}', "enabeld"),
        (b'{"quality": {"enabled": 1}}', "quality.enabled"),
        (b'{"protection": {"preserveLastUserMessage": false}}', "config-weakens"),
        (b" " * (1 << 21), "more than"),
    ],
)
def test_settings_that_do_not_hold_are_noted_and_left_out(aili, data, word):
    place = aili.folder / ".pi/aili-compact.jsonc"
    place.parent.mkdir()
    place.write_bytes(data)
    code, _, err = aili("stats", "plain", easy=False)
    assert code == 0
    assert word in err


def test_settings_that_are_no_file_are_noted(aili):
    place = aili.folder / ".pi/aili-compact.jsonc"
    place.mkdir(parents=True)
    code, _, err = aili("stats", "plain", easy=False)
    assert code == 0
    assert "config-unreadable" in err
    assert aili("stats", "plain", "--config", place, easy=False)[0] == 2
