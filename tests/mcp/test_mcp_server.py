"""The server as models' programs meet it: a real process, the SDK's own client, its pipes."""

import concurrent.futures
import json
import os
import subprocess
import sys

import forks
import jsonschema
import mcp_client
import pytest
from mcp import MCPError
from mcp_samples import CAPSULE, FIRST, GOOD, NEWER, SECOND, SESSION

import cso
from pcsf_lark.faces.mcp.bounds import CALLS, MESSAGE
from pcsf_lark.faces.mcp.library import entries
from pcsf_lark.faces.mcp.tools import TOOLS
from pcsf_lark.protocols.compress import compress_prompt
from pcsf_lark.relay import Repository

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A server with a root that has files, a relay and traps, and a key from its start."""
    place = tmp_path_factory.mktemp("mcp")
    root = place / "root"
    root.mkdir()
    (place / "secret.pcsf").write_text(CAPSULE)
    (root / "a.pcsf").write_text(CAPSULE)
    (root / "link.pcsf").symlink_to(place / "secret.pcsf")
    os.mkfifo(root / "pipe.pcsf")
    Repository.init(root, session="test")[0].close()
    (place / "key").write_text("6b" * 32)
    (place / "key").chmod(0o600)
    options = ("--root", root, "--key-file", place / "key")
    with mcp_client.session(*options, errors=place / "errors", anew=True) as session:
        yield session
    assert (place / "errors").read_text() == ""


@pytest.fixture(scope="module")
def earlier():
    """A server without a root, and a client of the protocol before the newest."""
    with mcp_client.session(mode="legacy") as session:
        yield session


def test_the_server_says_what_it_is(server):
    assert server.client.server_info.name == "pcsf"
    assert "1,200 bytes" in server.client.instructions
    assert {tool.name for tool in server.wait(server.client.list_tools()).tools} == set(TOOLS)


def test_tools_say_what_they_do_to_the_world(server):
    tools = server.wait(server.client.list_tools()).tools
    writing = {tool.name for tool in tools if not tool.annotations.read_only_hint}
    assert writing == {"relay_push"}
    assert all(tool.description and tool.title and tool.output_schema for tool in tools)


CALLS_OF_ALL = {
    **GOOD,
    "relay_push": {"text": CAPSULE, "now": "2026-05-04T09:30Z"},
    "relay_head": {"show": "prompt"},
    "cso_verify": {
        "objects": [cso.members_of(FIRST), cso.members_of(SECOND)],
        "session": SESSION,
    },
}


@pytest.mark.parametrize("tool", TOOLS)
def test_each_tool_answers(server, tool):
    """The client itself holds the answer against the tool's schema."""
    told = server.call(tool, **CALLS_OF_ALL[tool])
    assert not told.is_error, told.content[0].text
    assert told.content[0].text
    assert set(TOOLS[tool].gives) <= told.structured_content.keys()


@pytest.mark.parametrize("tool", TOOLS)
def test_each_tool_refuses_what_it_does_not_know(server, tool):
    """Some clients hold refusals against the schema of answers, too."""
    listed = server.wait(server.client.list_tools()).tools
    schemas = {one.name: one.output_schema for one in listed}
    for given in ({"bogus": 1}, dict.fromkeys(CALLS_OF_ALL[tool], 3.5)):
        told = server.call(tool, **given)
        assert told.is_error
        assert told.structured_content["error"]["mend"]
        assert "Traceback" not in told.content[0].text
        jsonschema.validate(told.structured_content, schemas[tool])


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("link.pcsf", "out of its root"),
        ("pipe.pcsf", "no regular file"),
        ("../secret.pcsf", "`..`"),
        ("/etc/hostname", "absolute"),
        ("nothing.pcsf", "there is no"),
    ],
)
def test_files_beyond_the_root_are_not_read(server, path, says):
    assert not server.call("check", path="a.pcsf").is_error
    for tool in ("check", "fix", "draft", "kernel_plan", "relay_push"):
        told = server.call(tool, path=path)
        assert told.is_error
        assert says in told.content[0].text


def test_an_unknown_tool_is_told_which_there_are(server):
    told = server.call("sh", command="id")
    assert told.is_error
    assert "the tools are check, format" in told.content[0].text


def test_calls_at_the_same_time_are_each_answered(server):
    texts = [CAPSULE.replace("Search index", f"Topic {number}") for number in range(CALLS // 2)]
    calls = [("format", {"text": text}) for text in texts]
    calls += [("explain", {"rule": "C7"}) for _ in texts[: CALLS // 4]]
    answers = server.all(calls)
    assert not any(one.is_error for one in answers)
    assert [one.structured_content["text"] for one in answers[: len(texts)]] == texts


def test_too_many_calls_at_a_time_are_told_so(server):
    answers = server.all([("stitch", {"texts": [CAPSULE, NEWER]})] * (CALLS * 4))
    refused = [one.structured_content["error"] for one in answers if one.is_error]
    assert len(answers) - len(refused) >= CALLS
    assert {error["code"] for error in refused} <= {"busy"}
    assert not server.call("explain", rule="C7").is_error


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_message_that_is_too_long_is_answered_and_the_server_lives(server, mode, request):
    if mode == "legacy":
        server = request.getfixturevalue("earlier")
    with pytest.raises(MCPError, match=f"more than {MESSAGE:,} bytes"):
        server.call("check", text="x" * (MESSAGE + 1))
    told = server.call("check", text="x" * (MESSAGE // 2))
    assert told.is_error
    assert "at most 65,536 characters" in told.content[0].text
    assert not server.call("explain", rule="C7").is_error


def test_prompts_are_those_of_the_command_line(server):
    prompts = {one.name: one for one in server.wait(server.client.list_prompts()).prompts}
    assert {
        name: [(arg.name, arg.required) for arg in one.arguments] for name, one in prompts.items()
    } == {"compress": [("notes", False), ("draft", False)], "resume": [("capsule", True)]}

    def text(name, given=None):
        return server.wait(server.client.get_prompt(name, given)).messages[0].content.text

    assert text("compress") == compress_prompt()
    assert text("compress", {"notes": "n", "draft": CAPSULE}) == compress_prompt("n", CAPSULE)
    assert text("resume", {"capsule": CAPSULE}).endswith(CAPSULE)
    for name, given, says in (
        ("resume", {}, "`capsule`: is missing"),
        ("resume", {"capsule": "x"}, "not a conformant capsule"),
        ("compress", {"draft": "x"}, "not a conformant capsule"),
        ("compress", {"note": "x"}, "there is no argument 'note'"),
        ("other", {}, "the prompts are compress, resume"),
    ):
        with pytest.raises(MCPError, match=says):
            text(name, given)


def test_resources_are_the_tables_and_the_grammar(server):
    found = server.wait(server.client.list_resources()).resources
    assert {one.uri for one in found} == set(entries())

    def text(uri):
        return server.wait(server.client.read_resource(uri)).contents[0].text

    for one in found:
        assert text(one.uri) == entries()[one.uri].write()
    assert {row["code"] for row in json.loads(text("pcsf://rules"))} >= {"C0", "C12", "S001"}
    assert json.loads(text("pcsf://tables"))["limit"] == 1200
    assert text("pcsf://rules/malformed-entry") == text("pcsf://rules/C7")
    assert server.wait(server.client.list_resource_templates()).resource_templates
    for uri in (
        "pcsf://rules/Z9",
        "pcsf://grammar/../pyproject.toml",
        "pcsf://grammar/nothing",
        "file:///etc/passwd",
        "",
    ):
        with pytest.raises(MCPError, match="no "):
            text(uri)


def test_clients_of_the_earlier_protocol_are_served(earlier):
    assert earlier.client.protocol_version.startswith("2025")
    assert not earlier.call("check", text=CAPSULE).is_error
    told = earlier.call("check", path="a.pcsf")
    assert told.is_error
    assert "--root" in told.content[0].text


def talk(lines, *arguments):
    """What a server writes for some lines, and how it ends."""
    return forks.run(["mcp", *arguments], input=b"".join(line + b"\n" for line in lines))


def test_the_stream_holds_the_protocol_alone_and_the_server_ends_with_it():
    done = talk([b"no JSON", b"[1,", b"\xff\xfe", b"{}", json.dumps(HELLO).encode()])
    assert done.returncode == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    assert answers[-1]["result"]["serverInfo"]["name"] == "pcsf"
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--root", "nothing"], b"pcsf: nothing: No such file or directory"),
        (["--root", "pyproject.toml"], b"is no folder"),
    ],
)
def test_a_wrong_start_is_told(arguments, says):
    done = talk([], *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stdout == b""


@pytest.mark.parametrize("lacking", ["mcp", "mcp_types"])
def test_without_the_sdk_the_command_says_what_installs_it(tmp_path, lacking):
    code = (
        f"import sys; sys.modules['{lacking}'] = None; sys.argv[1:] = ['mcp']\n"
        "from pcsf_lark.__main__ import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 2
    assert done.stderr.endswith(b"pip install 'pcsf-lark[mcp]'\n")


def test_the_sdk_is_whole_once_it_is_asked_for():
    code = (
        "from pcsf_lark.faces.mcp import sdk; sdk.defer()\n"
        "import sys, mcp.server.stdio\n"
        "assert 'mcp.client' not in sys.modules and 'mcp.server.mcpserver' not in sys.modules\n"
        "from mcp import Client; from mcp.server import MCPServer; import mcp\n"
        "assert mcp.server.MCPServer is MCPServer and mcp.Client is Client\n"
        "assert not hasattr(mcp, 'nothing')"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_writers_at_the_same_time_lose_nothing(tmp_path):
    """Two servers push to one relay."""
    Repository.init(tmp_path, session="test")[0].close()
    with (
        mcp_client.session("--root", tmp_path) as one,
        mcp_client.session("--root", tmp_path) as other,
        concurrent.futures.ThreadPoolExecutor(2) as pool,
    ):

        def push(session, names):
            calls = [
                ("relay_push", {"text": CAPSULE.replace("one queue", f"{n} queue")}) for n in names
            ]
            return session.all(calls)

        done = pool.map(push, (one, other), (("red", "green", "blue"), ("cyan", "pink", "grey")))
        assert not any(told.is_error for answers in done for told in answers)
    with Repository.open(tmp_path) as relay:
        assert relay.windows() == 6
