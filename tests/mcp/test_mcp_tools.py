"""What each tool answers, and what it says of calls that it cannot do."""

import json
import os
import tempfile
from pathlib import Path

import forks
import jsonschema
import pytest
from mcp_samples import CAPSULE, FIRST, GOOD, HISTORY, LOG, MESSAGES, NEWER, SECOND, SESSION, folded

import cso
from pcsf_lark import api
from pcsf_lark.faces.mcp import answering
from pcsf_lark.faces.mcp.arguments import schema
from pcsf_lark.faces.mcp.bounds import CAPSULE as MOST
from pcsf_lark.faces.mcp.bounds import CHAIN, FINDINGS
from pcsf_lark.faces.mcp.confinement import Roots
from pcsf_lark.faces.mcp.inputs import Grant
from pcsf_lark.faces.mcp.tools import MEMBERS, TOOLS

NOTHING = Grant(Roots())


@pytest.fixture
def grant(tmp_path):
    """A root with files for every tool."""
    files = {
        "a.pcsf": CAPSULE,
        "b.pcsf": NEWER,
        "log.json": LOG,
        "first.json": cso.dumps(FIRST).decode(),
        "second.json": cso.dumps(SECOND).decode(),
        "long.pcsf": "x" * 100_000,
        "key": "6b" * 32,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "key").chmod(0o600)
    return Grant(Roots([str(tmp_path)]))


def ask(tool, given, grant=NOTHING):
    """An answer, which is what its tool says it is, or a refusal with a mend."""
    told = answering.answer(tool, given, grant)
    assert json.loads(json.dumps(told.members)) == told.members
    assert all(isinstance(text, str) and "Traceback" not in text for text in told.texts)
    if told.failed:
        error = told.members["error"]
        assert error["message"]
        assert error["mend"]
        assert error["code"] != "fault"
    else:
        for name, kind in TOOLS[tool].gives.items():
            jsonschema.validate(told.members[name], {"type": kind})
    return told


@pytest.mark.parametrize(("tool", "given"), GOOD.items(), ids=GOOD)
def test_a_call_without_files_is_answered(tool, given):
    told = ask(tool, given)
    assert not told.failed
    assert told.texts[0]


@pytest.mark.parametrize(
    ("tool", "given", "same"),
    [
        *((tool, {"path": "a.pcsf"}, {"text": CAPSULE}) for tool in ("format", "fix", "fit")),
        ("stitch", {"paths": ["a.pcsf", "b.pcsf"]}, {"texts": [CAPSULE, NEWER]}),
        ("draft", {"path": "log.json"}, {"log": LOG}),
        (
            "cso_explain",
            {"path": "first.json", "id": "f1"},
            {"object": cso.members_of(FIRST), "id": "f1"},
        ),
        (
            "cso_verify",
            {"paths": ["first.json", "second.json"], "session": SESSION, "key_path": "key"},
            {
                "objects": [cso.members_of(FIRST), cso.members_of(SECOND)],
                "session": SESSION,
                "key_path": "key",
            },
        ),
        ("kernel_search", {"path": "log.json", "query": "queue"}, {"log": LOG, "query": "queue"}),
    ],
)
def test_a_file_is_as_good_as_its_text(grant, tool, given, same):
    now = {"now": "2026-05-04T09:30Z"} if tool == "draft" else {}
    told = ask(tool, {**given, **now}, grant)
    assert not told.failed
    assert told == ask(tool, {**same, **now}, grant)


def test_what_is_written_is_what_the_library_writes():
    report = api.check(CAPSULE)
    checked = ask("check", {"text": CAPSULE}).members
    assert (checked["conformant"], checked["bytes"]) == (True, report.bytes)
    assert [f["code"] for f in checked["findings"]] == [f.code for f in report.findings]
    assert ask("format", {"text": CAPSULE}).members["text"].encode() == api.format_capsule(CAPSULE)
    fitted = ask("fit", GOOD["fit"]).members
    assert fitted["bytes"] <= len(CAPSULE) - 10
    assert fitted["dropped"]
    assert api.conformant(ask("stitch", GOOD["stitch"]).members["text"])
    mended = ask("fix", GOOD["fix"])
    assert (mended.members["text"], mended.members["mended"]) == (CAPSULE, 1)
    assert mended.texts[1] == CAPSULE
    assert api.conformant(ask("draft", GOOD["draft"]).members["text"])
    resumed = ask("resume", GOOD["resume"]).members
    assert resumed["stale"]
    assert "does the load of a month's end fit?" in resumed["questions"]


def _texts(value):
    """Whatever is said in JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


#: What an answer in words may leave to its JSON: places, names and measures.
_ASIDE = {"fix": {"fix"}, "check": {"fix"}, "draft": {"withheld"}, "resume": {"now"}}


@pytest.mark.parametrize(("tool", "given"), GOOD.items(), ids=GOOD)
def test_who_is_shown_texts_alone_is_told_as_much(tool, given):
    """Some programs show models the texts, others the JSON: either must do."""
    told = ask(tool, given)
    shown = " ".join("\n".join(told.texts).split())
    members = {k: v for k, v in told.members.items() if k not in _ASIDE.get(tool, ())}
    for text in _texts(members):
        lines = [line for line in text.splitlines() if len(line) > 12]
        for line in lines:
            short = " ".join(line.split())[:40]
            assert short in shown or json.dumps(line)[1:30] in shown, (tool, line)
    spoken = json.dumps(told.members)
    for text in told.texts[1:]:
        assert json.dumps(text)[1:40] in spoken or json.loads(text) in told.members.values()


@pytest.mark.parametrize("tool", TOOLS)
def test_who_reads_the_schema_alone_knows_which_arguments_exclude_each_other(tool):
    """Providers of models refuse `anyOf` and the like at the top of a schema."""
    arguments = {one.name: one for one in TOOLS[tool].arguments}
    groups = ("text", "path"), ("texts", "paths"), ("log", "path"), ("objects", "paths")
    for first, *others in (*groups, ("object", "path"), ("log", "path", "messages")):
        if {first, *others} <= arguments.keys():
            about = arguments[first].about
            assert "exactly one of" in about
            assert all(f"`{name}`" in about for name in (first, *others))
    assert set(schema(tuple(arguments.values()))) == {
        *("type", "properties", "required", "additionalProperties"),
    }


@pytest.mark.parametrize("tool", TOOLS)
def test_members_of_answers_are_told(tool):
    for name in TOOLS[tool].gives:
        assert MEMBERS[name].endswith(".")


def test_a_history_may_be_that_of_a_chat():
    chat = [{"role": one["role"], "content": one["text"]} for one in MESSAGES]
    told = ask("kernel_plan", {"messages": chat})
    assert told.members == ask("kernel_plan", {"log": json.dumps({"messages": chat})}).members
    assert told.members["tokenCount"] > 1000
    assert "message 7:" in ask("kernel_search", {"messages": chat, "query": "message 7"}).texts[0]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"messages": [{"id": "1", "role": "robot", "text": "a"}]},
            "`messages[0].role`: is 'robot'",
        ),
        ({"messages": [{"id": "1", "contentType": "html", "text": "a"}]}, "one of text, tool-call"),
        ({"messages": [{"id": "1", "role": "user"}]}, "`messages[0]`: has no `text`"),
        ({"messages": [{"id": "1", "text": ["a"]}]}, "`messages[0].text`"),
        ({"state": {"block": []}}, "LOG.kernel.json"),
        ({"config": {"modelContextLimits": 1}}, "there is no setting 'modelContextLimits'"),
        ({"config": {"nudge": {"often": 1}}}, "`config.nudge`: there is no setting 'often'"),
        ({"config": {"nudge": 3}}, "send an object of maxContextLimitPct"),
        ({"config": {"modelContextLimit": "many"}}, "give a number"),
    ],
)
def test_a_history_that_was_not_meant_so_is_refused(given, says):
    told = ask("kernel_plan", {"messages": MESSAGES, **given})
    assert told.failed
    assert says in told.texts[0]


def test_a_log_whose_name_is_as_long_as_may_be_is_read(tmp_path):
    name = "l" * 250 + ".json"
    (tmp_path / name).write_text(LOG)
    assert not ask("kernel_plan", {"path": name}, Grant(Roots([str(tmp_path)]))).failed


def test_a_plan_names_a_command_for_a_log_that_is_there(tmp_path):
    log = json.dumps({"messages": [{"role": m["role"], "content": m["text"]} for m in MESSAGES]})
    (tmp_path / "a log.json").write_text(log)
    named = ask("kernel_plan", {"path": "a log.json"}, Grant(Roots([str(tmp_path)])))
    assert "pcsf session compress 'a log.json' --range m00001.." in named.texts[0]
    for given in ({"log": log}, {"messages": MESSAGES}):
        told = ask("kernel_plan", given)
        assert told.members["ranges"]
        assert "pcsf session" not in told.texts[0]


def test_an_offset_beyond_the_end_is_told():
    told = ask("kernel_decompress", {**GOOD["kernel_decompress"], "offset": 10**8})
    assert told.failed
    assert told.texts[0].startswith("`offset`: is 100,000,000")


def test_selectors_choose_rules():
    text = CAPSULE.replace("BOUNDARY", "boundary").replace("v1.2", "v1")[:-1]

    def codes(**given):
        found = ask("check", {"text": text, **given}).members["findings"]
        return {finding["code"] for finding in found}

    assert {"Q005", "Q018"} <= codes()
    assert codes(select=["Q005"]) == {"Q005"}
    assert codes(ignore=["missing-final-line-end"]) == codes() - {"Q018"}


def test_findings_are_bounded_and_counted():
    found = ask("check", {"text": "===PCSF:v1===\n" + "x|\n" * 2000}).members
    assert len(found["findings"]) == FINDINGS
    assert found["omitted"] == len(api.check("===PCSF:v1===\n" + "x|\n" * 2000).findings) - FINDINGS


def test_a_long_file_is_judged_by_its_size(grant):
    found = ask("check", {"path": "long.pcsf"}, grant).members
    assert [f["code"] for f in found["findings"]] == ["C2"]
    assert found["bytes"] == 100_000


@pytest.mark.parametrize(
    ("tool", "given", "code", "says"),
    [
        ("nothing", {}, "arguments", "the tools are check, format"),
        ("check", {}, "arguments", "send exactly one"),
        ("check", {"text": "a", "path": "a"}, "arguments", "send one of them alone"),
        ("check", {"text": "x" * (MOST + 1)}, "arguments", "at most 65,536 characters"),
        ("check", {"text": CAPSULE, "select": ["Z9"]}, "arguments", "Z9"),
        ("check", {"text": CAPSULE, "profile": "loose"}, "arguments", "interop"),
        ("check", {"path": "../secret"}, "path", "relative to a root"),
        ("check", {"path": "nothing.pcsf"}, "absent", "there is no"),
        ("format", {"text": "x"}, "not-conformant", "C3"),
        ("format", {"path": "long.pcsf"}, "not-conformant", "C2"),
        ("fix", {"path": "long.pcsf"}, "arguments", "65,536"),
        ("fit", {"text": CAPSULE, "budget": 10}, "unfittable", "needs"),
        ("fit", {"text": CAPSULE, "budget": 1201}, "arguments", "from 0 to 1,200"),
        ("stitch", {"texts": [CAPSULE]}, "arguments", "2 to 16"),
        ("stitch", {"texts": [CAPSULE, "x"]}, "not-conformant", "texts[1]"),
        ("stitch", {"paths": ["a.pcsf", "../b"]}, "path", "paths[1]"),
        ("stitch", {"texts": [CAPSULE] * 17}, "arguments", "17 items"),
        ("resume", {"text": CAPSULE, "now": "today"}, "arguments", "2026-05-04T09:30Z"),
        ("resume", {"text": "x"}, "not-conformant", "C3"),
        ("explain", {"rule": "Z9"}, "arguments", "pcsf://rules"),
        ("explain", {"rule": "C"}, "arguments", "name one"),
        ("draft", {"log": "no log"}, "log", "cannot be read as a session"),
        ("draft", {"log": "[]"}, "log", "no messages"),
        ("draft", {"log": LOG, "since": "zzz"}, "arguments", "an entry of the log"),
        ("draft", {"log": LOG, "leaf": "zzz"}, "log", "leaf"),
        ("draft", {"log": LOG, "log_format": "pi"}, "log", "log"),
        ("draft", {"log": "[" * 100_000}, "log", "recursion"),
        ("cso_verify", {"objects": [{}], "session": "s"}, "key", "--key-file"),
        ("cso_verify", {"objects": [{}] * (CHAIN + 1), "session": "s"}, "arguments", "1 to 64"),
        ("cso_verify", {"objects": [{}], "session": "a\nb"}, "arguments", "one line"),
        ("cso_verify", {"paths": ["a"], "session": "s", "key_path": "../k"}, "path", "key_path"),
        (
            "cso_verify",
            {"paths": ["a.pcsf"], "session": "s", "key_path": "a.pcsf"},
            "trouble",
            "mode",
        ),
        ("cso_explain", {"object": {}, "id": "f1"}, "missing", "required"),
        ("cso_explain", {"object": cso.members_of(FIRST), "id": "f9"}, "unknown-id", "f9"),
        ("cso_explain", {"path": "a.pcsf", "id": "f1"}, "json", "JSON"),
        ("kernel_plan", {}, "arguments", "send exactly one"),
        ("kernel_plan", {"messages": [{"id": 3, "text": {}}]}, "arguments", "`messages[0].id`"),
        ("kernel_plan", {"messages": MESSAGES, "state": {"blocks": 3}}, "arguments", "shape"),
        (
            "kernel_plan",
            {"messages": MESSAGES, "config": {"modelContextLimit": 0}},
            "arguments",
            "above 0",
        ),
        (
            "kernel_plan",
            {"messages": MESSAGES, "config": {"modelContextLimit": "x"}},
            "arguments",
            "give a number",
        ),
        ("kernel_search", {"log": "no log", "query": "x"}, "log", "cannot be read"),
        ("kernel_decompress", {**HISTORY, "block": "b9"}, "arguments", "there are: b1"),
        ("relay_push", {"text": CAPSULE}, "relay", "--root"),
        ("relay_push", {"text": "x"}, "kind", "neither a capsule"),
        ("relay_push", {"text": "{}", "kind": "cso"}, "missing", "required"),
        ("relay_push", {"text": CAPSULE.replace("CHOICE", "choice")}, "not-conformant", "C7"),
        ("relay_head", {"store": "nothing"}, "absent", "there is no"),
        ("relay_head", {"store": "a.pcsf"}, "path", "name a folder"),
        ("relay_head", {"store": "postgresql://host/db"}, "path", "an address"),
    ],
)
def test_a_call_that_cannot_be_done_says_what_to_send(grant, tool, given, code, says):
    told = ask(tool, given, grant)
    assert told.failed
    assert told.members["error"]["code"] == code
    assert says in told.texts[0]
    assert str(Path(tempfile.gettempdir(), "pcsf-")) not in told.texts[0]  # no private copy


def test_chains_are_judged(grant):
    call = {"session": SESSION, "key_path": "key"}
    # The key is 32 bytes of k, in hex.
    assert (
        ask("cso_verify", {**call, "paths": ["first.json", "second.json"]}, grant).members["status"]
        == "VALID"
    )
    forged = {**cso.members_of(SECOND), "open_questions": ["forged"]}
    told = ask("cso_verify", {**call, "objects": [cso.members_of(FIRST), forged]}, grant)
    assert told.members["status"] == "BROKEN"
    assert told.texts[0].startswith("BROKEN at window 2")
    other = ask("cso_verify", {**call, "paths": ["first.json"], "session": "other"}, grant)
    assert other.members["status"] == "BROKEN"


def test_a_log_without_times_is_of_when_it_was_written(grant, tmp_path):
    os.utime(tmp_path / "log.json", (1_700_000_000, 1_700_000_000))
    assert "2023-11-14T22:13Z" in ask("draft", {"path": "log.json"}, grant).members["text"]


def test_no_answer_shows_a_key(grant):
    for given in ({"paths": ["key"]}, {"paths": ["first.json"]}):
        told = ask("cso_verify", {**given, "session": SESSION, "key_path": "key"}, grant)
        assert "6b" * 16 not in json.dumps(told)


def test_a_block_is_read_page_by_page(monkeypatch):
    whole = ask("kernel_decompress", GOOD["kernel_decompress"]).members["text"]
    assert "message 3:" in whole
    assert "message 11:" not in whole
    monkeypatch.setattr("pcsf_lark.faces.mcp.kernel_tools.PAGE", 1000)
    pages, offset = [], 0
    while offset is not None:
        told = ask("kernel_decompress", {**GOOD["kernel_decompress"], "offset": offset}).members
        pages.append(told["text"])
        offset = told["next_offset"]
    assert len(pages) > 2
    assert "".join(pages) == whole


def test_a_log_is_worked_on_with_the_state_beside_it(tmp_path):
    log = {"messages": [{"role": m["role"], "content": m["text"]} for m in MESSAGES]}
    (tmp_path / "log.json").write_text(json.dumps(log))
    (tmp_path / "summary").write_text("One queue a tenant was chosen. " * 8)
    more = ["--range", "m00003..m00010", "--summary-file", "summary"]
    forks.run(["session", "compress", "log.json", *more], cwd=tmp_path).check_returncode()
    grant = Grant(Roots([str(tmp_path)]))
    told = ask("kernel_decompress", {"path": "log.json", "block": "b1"}, grant)
    assert "message 3:" in told.members["text"]
    state = json.loads((tmp_path / "log.json.kernel.json").read_text())
    given = {"log": json.dumps(log), "state": state, "block": "b1"}
    assert ask("kernel_decompress", given).members == told.members
    (tmp_path / "log.json").write_text(LOG)
    changed = ask("kernel_plan", {"path": "log.json"}, grant)
    assert changed.texts[0].startswith("`path`: log.json.kernel.json: is the state of another log")
    assert tempfile.gettempdir() + "/pcsf-" not in changed.texts[0]
    (tmp_path / "log.json.kernel.json").unlink()
    (tmp_path / "log.json.kernel.json").symlink_to("/etc/hostname")
    assert "out of its root" in ask("kernel_plan", {"path": "log.json"}, grant).texts[0]


def test_an_unsound_text_is_an_answer_still():
    told = ask("kernel_search", {"messages": [{"id": "1", "text": "lag \ud800"}], "query": "lag"})
    assert json.dumps(told.members, ensure_ascii=False).encode()
    assert told.texts[0].encode()


def test_a_long_answer_is_refused(monkeypatch):
    monkeypatch.setattr("pcsf_lark.faces.mcp.answering._MOST", 100)
    told = ask("explain", {"rule": "C7"})
    assert told.failed
    assert told.members["error"]["code"] == "size"


def test_a_fault_of_ours_is_told_without_a_traceback(monkeypatch):
    def broken(*_):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("pcsf_lark.faces.mcp.reading_tools.explain", broken)
    told = answering.answer("explain", {"rule": "C7"}, NOTHING)
    assert told.failed
    assert told.members["error"]["code"] == "fault"
    assert "ZeroDivisionError: division by zero" in told.texts[0]


def test_the_sample_has_a_block():
    assert folded()["blocks"]
