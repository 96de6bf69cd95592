"""The extension of Pi and the plugin of OpenCode, run by node with a host of their shape."""

import json
import shutil
import subprocess
import sys

import forks
import pytest
from projection_journals import Journal
from projection_logs import LogBuilder

from kernel.projection.lifecycle.gating import manifest_of
from kernel.projection.quality import outline
from kernel.sessions import read_session
from pcsf_lark.hooks import agents

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not here")
GONE = ("/no/such/pcsf",)
FAILING = (sys.executable, "-c", "raise SystemExit('no')")
NOISY = (sys.executable, "-c", "print('{ no JSON')")


@pytest.fixture
def host(desk):
    """Run a scenario in a host; the script is what `install` writes, for some pcsf."""

    def run(agent, scenario, pcsf=None, script=None):
        path = desk.base / f"{agent}.mjs"
        path.write_text(script or agents.shown(agent, pcsf or forks.command()), "utf-8")
        host = desk.base / f"host-{agent}.mjs"
        shutil.copy(__file__.replace("test_hook_javascript.py", f"hosts/{agent}.mjs"), host)
        done = subprocess.run(
            [NODE, str(host), str(path)],
            input=json.dumps(scenario),
            capture_output=True,
            text=True,
            cwd=desk.project,
            env=desk.env,
            timeout=120,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        return json.loads(done.stdout)

    return run


@pytest.mark.parametrize("agent", ["pi", "opencode"])
def test_the_command_is_the_one_line_that_install_writes(agent):
    plain = agents.shown(agent, ("pcsf",))
    named = agents.shown(agent, ("/a b/python", "-m", 'x"y'))
    differing = [
        pair
        for pair in zip(plain.splitlines(), named.splitlines(), strict=True)
        if pair[0] != pair[1]
    ]
    assert differing == [('const PCSF = ["pcsf"];', 'const PCSF = ["/a b/python", "-m", "x\\"y"];')]
    assert plain.startswith("// pcsf hook")


# Pi


def folded():
    """A log whose old work stands under accepted summaries."""
    log = LogBuilder()
    parts = []
    for number in range(3):
        name = f"src/part{number}.py"
        ids = [log.user(f"Please look at {name} and tell me about it.")]
        ids += log.turn(
            f"reading {name}", calls=[("read", {"path": name})], results=[f"line of {name}\n" * 40]
        )
        parts.append([*ids, log.assistant(f"It defines {name} and nothing else. " * 6)])
    log.user("Now the next thing. " * 30)
    log.assistant("Here it is. " * 40)
    log.user("And go on.")
    for ids in parts:
        chosen = [source for source in log.branch().sources if source.entry_id in set(ids)]
        Journal(log).fold(list(ids), outline(manifest_of(chosen)))
    return log


def compaction(log, path, **changes):
    told = {"tokensBefore": 777, "settings": {"keepRecentTokens": 400}, "messagesToSummarize": []}
    event = {
        "reason": "threshold",
        "preparation": told,
        "branchEntries": [{"id": entry["id"]} for entry in log.entries],
        **changes,
    }
    return {
        "log": str(path),
        "leaf": log.leaf,
        "events": [{"name": "session_before_compact", "event": event}],
    }


def test_pi_knows_these_events(host, desk):
    found = host("pi", {"cwd": str(desk.project), "events": []})
    assert found["names"] == [
        "session_start",
        "before_agent_start",
        "session_before_compact",
        "session_shutdown",
    ]


def test_pi_gets_a_compaction_that_the_log_proves(host, desk):
    log = folded()
    path = log.write(desk.base / "pi.jsonl")
    before = path.read_bytes()
    found = host("pi", {"cwd": str(desk.project), **compaction(log, path)})
    (answer,) = found["returned"]
    assert list(answer["value"]) == ["compaction"]
    made = answer["value"]["compaction"]
    assert set(made) == {"summary", "firstKeptEntryId", "tokensBefore", "details"}
    assert made["tokensBefore"] == 777
    assert made["firstKeptEntryId"] in {entry["id"] for entry in log.entries}
    assert "## b000001 T1, 4 messages" in made["summary"]
    assert path.read_bytes() == before
    assert found["used"] == []


def test_pi_is_told_nothing_where_nothing_is_proved(host, desk):
    log = LogBuilder()
    log.user("go")
    log.assistant("gone")
    path = log.write(desk.base / "pi.jsonl")
    scenario = {"cwd": str(desk.project), **compaction(log, path)}
    assert host("pi", scenario)["returned"][0]["value"] is None


def test_pi_is_told_nothing_of_an_entry_it_does_not_have(host, desk):
    log = folded()
    path = log.write(desk.base / "pi.jsonl")
    scenario = {"cwd": str(desk.project), **compaction(log, path, branchEntries=[{"id": "other"}])}
    assert host("pi", scenario)["returned"][0]["value"] is None


def test_pi_may_abort_a_compaction(host, desk):
    log = folded()
    path = log.write(desk.base / "pi.jsonl")
    scenario = {"cwd": str(desk.project), **compaction(log, path)}
    scenario["events"][0]["abort"] = 0
    assert host("pi", scenario)["returned"][0]["value"] is None


def test_a_session_of_pi_goes_on_in_the_next(host, desk):
    desk.begin(pushed=False).with_transcript("pi.jsonl")
    session = {"cwd": str(desk.project), "log": str(desk.transcript)}
    first = [
        {"name": "session_start", "event": {"reason": "startup"}},
        {"name": "before_agent_start", "event": {"systemPrompt": "You help."}},
        {"name": "session_shutdown", "event": {"reason": "quit"}},
    ]
    assert [one["value"] for one in host("pi", {**session, "events": first})["returned"]] == [
        None
    ] * 3
    assert desk.windows() == 1
    found = host("pi", {**session, "events": first[:2]})["returned"]
    head = found[0]["value"]["systemPromptAppend"]
    assert list(found[0]["value"]) == ["systemPromptAppend"]
    assert "never drop a row without a warning" in head
    assert found[1]["value"] == {"systemPrompt": f"You help.\n\n{head}"}
    given = {"name": "before_agent_start", "event": {"systemPrompt": f"You help.\n\n{head}"}}
    again = host("pi", {**session, "events": [first[0], given]})["returned"]
    assert again[1]["value"] is None, "once is enough"


def test_a_compaction_of_pi_saves_the_log_too(host, desk):
    log = folded()
    path = log.write(desk.base / "pi.jsonl")
    desk.begin(pushed=False)
    host("pi", {"cwd": str(desk.project), **compaction(log, path)})
    assert desk.reaches(1)


def test_a_reload_of_pi_is_no_end(host, desk):
    desk.begin(pushed=False).with_transcript("pi.jsonl")
    events = [{"name": "session_shutdown", "event": {"reason": "reload"}}]
    host("pi", {"cwd": str(desk.project), "log": str(desk.transcript), "events": events})
    assert desk.windows() == 0


EVENTS = ["session_start", "before_agent_start", "session_before_compact", "session_shutdown"]


@pytest.mark.parametrize("pcsf", [GONE, FAILING, NOISY], ids=["gone", "failing", "noisy"])
@pytest.mark.parametrize("log", [None, "/no/such/log.jsonl"])
def test_nothing_in_pi_s_extension_throws(host, desk, pcsf, log):
    events = [
        {"name": name, "event": event} for name in EVENTS for event in ({}, {"preparation": None})
    ]
    events += [
        {"name": name, "event": event, "bare": True} for name in EVENTS for event in (None, {})
    ]
    found = host("pi", {"cwd": str(desk.project), "log": log, "events": events}, pcsf)
    assert len(found["returned"]) == len(events)
    for one in found["returned"]:
        # What is printed without an error is the head, whatever it says.
        if not (pcsf is NOISY and one["name"] in EVENTS[:2]):
            assert one == {"name": one["name"], "value": None}


# OpenCode

SESSION = "ses_1"


def message(name, role, *parts, **info):
    built = [
        {"id": f"{name}-p{n}", "sessionID": SESSION, "messageID": name, **part}
        for n, part in enumerate(parts)
    ]
    return {"info": {"id": name, "role": role, "sessionID": SESSION, **info}, "parts": built}


def words(text, **more):
    return {"type": "text", "text": text, **more}


def used(call, name, given, output, status="completed"):
    state = {"status": status, "input": given, ("error" if status == "error" else "output"): output}
    return {"type": "tool", "callID": call, "tool": name, "state": state}


def conversation():
    tokens = {"input": 900, "output": 10, "cache": {"read": 0, "write": 0}}
    return [
        message("m1", "user", words("Repair the tide importer. Never change the raw CSV files.")),
        message(
            "m2",
            "assistant",
            {"type": "step-start"},
            {"type": "reasoning", "text": "First the reader.", "metadata": {"signature": "s"}},
            words("I'll read the importer first."),
            used("c1", "read", {"filePath": "importer.py"}, "def read(row): ...\n" * 30),
            {"type": "step-finish", "tokens": tokens},
            tokens=tokens,
        ),
        message(
            "m3",
            "assistant",
            words("I'll convert to UTC, because the epoch column is local time. " * 20),
            used("c2", "bash", {"command": "pytest -q"}, "1 failed", status="error"),
        ),
        message(
            "m4", "user", words("Good. Write the exporter now."), words("<file>", synthetic=True)
        ),
        message(
            "m5",
            "assistant",
            words("I'll write it."),
            used("c3", "write", {}, "", status="running"),
        ),
    ]


def transform(messages):
    return {
        "hook": "experimental.chat.messages.transform",
        "input": {},
        "output": {"messages": messages},
    }


@pytest.fixture
def package(desk):
    """What OpenCode installs for its plugins: the helper that tools are made with."""
    folder = desk.base / "node_modules" / "@opencode-ai" / "plugin"
    folder.mkdir(parents=True)
    (folder / "package.json").write_text('{"type": "module", "main": "index.js"}', "utf-8")
    source = """
    const any = new Proxy(() => any, { get: () => any, apply: () => any });
    export const tool = Object.assign((definition) => definition, { schema: any });
    """
    (folder / "index.js").write_text(source, "utf-8")


def test_opencode_s_plugin_exports_one_function_alone(host, desk):
    """Its loader calls whatever a file exports."""
    found = host("opencode", {"directory": str(desk.project), "messages": [], "steps": []})
    assert found["exported"] == ["function"]
    assert found["tools"] == []
    assert "experimental.chat.messages.transform" not in found["hooks"], "nothing could be folded"


@pytest.mark.usefixtures("package")
def test_a_turn_of_opencode_is_a_turn_of_the_kernel(host, desk):
    messages = conversation()
    scenario = {"directory": str(desk.project), "messages": [], "steps": [transform(messages)]}
    found = host("opencode", scenario)
    assert found["tools"] == ["compress"]
    (turn,) = found["returned"]
    view = turn["messages"]
    assert [one["info"] for one in view] == [one["info"] for one in messages]
    flat = [
        (new, old)
        for one, was in zip(view, messages, strict=True)
        for new, old in zip(one["parts"], was["parts"], strict=True)
    ]
    for new, old in flat:
        assert new["id"] == old["id"]
        if old["type"] == "text":
            assert new["text"].endswith("\n" + old["text"])
            assert "m000" in new["text"].split("\n")[0]
        elif old["type"] == "tool" and old["state"]["status"] != "running":
            name = "error" if old["state"]["status"] == "error" else "output"
            assert new["state"][name].endswith(old["state"][name])
            assert new["state"]["input"] == old["state"]["input"]
        else:
            assert new == old


@pytest.mark.usefixtures("package")
def test_the_model_of_opencode_folds_what_is_old(host, desk):
    more = [
        message(f"n{n}", role, words(f"{role} {n} " + "and so on " * 400))
        for n in range(12)
        for role in ("user", "assistant")
    ]
    for number, one in enumerate(more):
        one["info"]["id"] = f"n{number}"
        one["parts"][0] |= {"id": f"n{number}-p0", "messageID": f"n{number}"}
    messages = [*conversation()[:3], *more]
    summary = "importer.py is read; the epoch column is local time and becomes UTC. " * 3
    fold = {
        "topic": "importer",
        "ranges": [{"startRef": "m00002", "endRef": "m00024", "summary": summary}],
    }
    steps = [
        {
            "hook": "chat.params",
            "input": {"sessionID": SESSION, "model": {"limit": {"context": 50_000}}},
            "output": {},
        },
        transform(messages),
        {"tool": "compress", "args": fold, "sessionID": SESSION},
        {"tool": "compress", "args": {"topic": "x", "ranges": []}, "sessionID": SESSION},
        transform(messages),
    ]
    found = host("opencode", {"directory": str(desk.project), "messages": [], "steps": steps})
    assert found["returned"][2].startswith("1 block(s)"), found["returned"][2]
    assert "nothing was folded" in found["returned"][3] or "0 block(s)" in found["returned"][3]
    view = found["returned"][4]["messages"]
    names = [one["info"]["id"] for one in view]
    assert names[:2] == ["m1", "acp_summary_b1"]
    assert not {"m2", "m3", "n0", "n15"} & {*names}
    assert "n16" in names
    assert names[-1] == "n23"
    told = view[1]
    assert told["info"]["role"] == "user"
    assert told["info"]["sessionID"] == SESSION
    assert summary.strip() in told["parts"][0]["text"]
    state = desk.home / "state" / "pcsf" / "opencode" / f"{SESSION}.json"
    assert state.stat().st_mode & 0o777 == 0o600
    again = host(
        "opencode", {"directory": str(desk.project), "messages": [], "steps": [transform(messages)]}
    )
    assert [one["info"]["id"] for one in again["returned"][0]["messages"]] == names, (
        "kept over a restart"
    )


def test_a_session_of_opencode_goes_on_in_the_next(host, desk):
    desk.begin(pushed=False)
    idle = {
        "hook": "event",
        "input": {"event": {"type": "session.idle", "properties": {"sessionID": SESSION}}},
    }
    system = {
        "hook": "experimental.chat.system.transform",
        "input": {"sessionID": SESSION},
        "output": {"system": ["You help."]},
    }
    scenario = {
        "directory": str(desk.project),
        "messages": conversation(),
        "steps": [system, idle, idle],
    }
    assert host("opencode", scenario)["returned"][0] == {"system": ["You help."]}
    assert desk.windows() == 1
    assert "Never change the raw CSV files" in " ".join(desk.head().constraints)
    (first, told) = host("opencode", {**scenario, "steps": [system]})["returned"][0]["system"]
    assert first == "You help."
    assert "Never change the raw CSV files" in told
    compacting = {
        "hook": "experimental.session.compacting",
        "input": {"sessionID": SESSION},
        "output": {"context": []},
    }
    assert host("opencode", {**scenario, "steps": [compacting]})["returned"] == [{"context": []}]
    assert "nothing to do" in desk.log()[-1]


def test_what_is_saved_of_opencode_is_a_chat(host, desk, tmp_path):
    """The list that the log reader takes: calls with their results, nothing that was injected."""
    keep = tmp_path / "kept.json"
    copying = (
        sys.executable,
        "-c",
        f"import shutil, sys; shutil.copy(sys.argv[-1], {str(keep)!r})",
    )
    idle = {
        "hook": "event",
        "input": {"event": {"type": "session.idle", "properties": {"sessionID": SESSION}}},
    }
    host(
        "opencode",
        {"directory": str(desk.project), "messages": conversation(), "steps": [idle]},
        copying,
    )
    log = read_session(keep)
    kinds = [(one.role, one.content_type) for one in log.history.messages]
    assert kinds.count(("tool", "tool-result")) == 2
    assert kinds.count(("assistant", "tool-call")) == 3
    assert "<file>" not in keep.read_text("utf-8")


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize("pcsf", [GONE, FAILING, NOISY], ids=["gone", "failing", "noisy"])
def test_nothing_in_opencode_s_plugin_throws(host, desk, pcsf):
    messages = conversation()
    names = [
        "event",
        "chat.params",
        "experimental.session.compacting",
        "experimental.chat.system.transform",
    ]
    steps = [
        {"hook": name, "input": given, "output": {}}
        for name in names
        for given in ({}, None, {"sessionID": SESSION})
    ]
    steps += [
        transform(messages),
        transform([]),
        {"tool": "compress", "args": {}, "sessionID": SESSION},
    ]
    scenario = {
        "directory": str(desk.project),
        "messages": messages,
        "broken": True,
        "steps": steps,
    }
    found = host("opencode", scenario, pcsf)
    assert not [one for one in found["returned"] if isinstance(one, dict) and "thrown" in one]
    assert found["returned"][-3] == {"messages": messages}
    assert found["returned"][-1].startswith("nothing was folded")
