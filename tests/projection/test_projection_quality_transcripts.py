"""Manifests of real logs of every format: complete where it is mechanical, and sound."""

import json
from pathlib import Path

import pytest

from kernel.pairs import pair
from kernel.projection.quality import build, evaluate, normalise, outline, slice_of
from kernel.projection.quality.artifacts import plain_path
from kernel.projection.quality.tooling import PATH_KEYS
from kernel.sessions import count_runs, read_session

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "cases" / "transcripts"
pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the transcripts are not handed out here"
)
LOGS = [
    (path, run)
    for path in sorted(FOLDER.glob("*"))
    if path.suffix in (".jsonl", ".traj", ".json") and ".oracle" not in path.name
    for run in range(count_runs(path))
]
SHELLS = ("bash", "Bash", "execute_bash")
FILE_TOOLS = (
    "read",
    "write",
    "edit",
    "Read",
    "Write",
    "Edit",
    "open",
    "create",
    "str_replace_editor",
)


@pytest.fixture(scope="module", params=LOGS, ids=lambda log: f"{log[0].name}-{log[1]}")
def log(request):
    path, run = request.param
    messages = read_session(path, run=run).messages
    return messages, build(messages)


def test_quotations_and_outline(log):
    messages, manifest = log
    assert manifest.fault is None
    assert build(messages) == manifest
    texts = {message.id: normalise(message.text or "") for message in messages}
    for fact in manifest.facts:
        assert slice_of(texts[fact.message_id], fact.span) == fact.text
    text = outline(manifest)
    assert evaluate(manifest, text).accepted
    assert evaluate(manifest, outline(manifest, soft=True)).accepted
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line.startswith("- ") and not line.startswith("- note"):
            assert not evaluate(manifest, "\n".join(lines[:at] + lines[at + 1 :])).accepted


def test_the_mechanical_trail_is_complete(log):
    messages, manifest = log
    files = {fact.value for fact in manifest.of("artifact")}
    commands = [fact for fact in manifest.of("command") if fact.subkind == "shell"]
    partner = pair(messages)
    unanswered = {fact.index for fact in manifest.of("open") if fact.subkind.startswith("call-")}
    for at, message in enumerate(messages):
        if message.content_type != "tool-call":
            continue
        arguments = json.loads(message.text or "{}")
        if message.tool_name in FILE_TOOLS:
            for path in [plain_path(str(arguments[key])) for key in PATH_KEYS if key in arguments]:
                assert any(known == path or known.endswith("/" + path) for known in files), path
        if message.tool_name in SHELLS:
            assert any(fact.index == at and fact.value == arguments["command"] for fact in commands)
        if at not in partner and message.tool_name != "submit":
            assert at in unanswered


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("mini-swe-agent-chat.json", {"command": 10, "failure": 2}),
        ("sweagent-text-actions-pydicom.traj", {"failure": 4, "artifact": 2}),
        ("claude-code-small-orphan.jsonl", {"command": 6, "ref": 2, "verification": 2}),
        ("openhands-events-gui.json", {"command": 2, "artifact": 3}),
    ],
)
def test_counts_of_short_logs(name, wanted):
    manifest = build(read_session(FOLDER / name).messages)
    counts = {
        kind: sum(1 for fact in manifest.of(kind) if fact.subkind != "said") for kind in wanted
    }
    assert counts == wanted


def test_without_a_status_nothing_is_ok():
    manifest = build(read_session(FOLDER / "sweagent-function-calling.traj").messages)
    states = {
        fact.value: fact.state
        for fact in manifest.of("command")
        if "reproduce" in fact.value and "python" in fact.value
    }
    assert states == {"python reproduce.py": "unknown"}
