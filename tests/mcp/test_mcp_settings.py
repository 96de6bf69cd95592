"""What the page of the server tells users to write for their programs starts a server."""

import json
import os
import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import forks
import pytest

import pcsf_lark.faces.mcp

PAGE = (Path(pcsf_lark.faces.mcp.__file__).parent / "README.md").read_text("utf-8")
#: Under which word each program looks for servers.
WORDS = {"servers", "mcpServers", "context_servers", "mcp_servers"}


def settings():
    for kind, text in re.findall(r"```(json|toml)\n(.*?)```", PAGE, re.DOTALL):
        found = json.loads(text) if kind == "json" else tomllib.loads(text)
        ((word, servers),) = found.items()
        server = servers["pcsf"]
        yield word, [server["command"], *server["args"]]
    for line in re.findall(r"^    (?:claude|codex) mcp add pcsf -- (.*)", PAGE, re.MULTILINE):
        yield line, shlex.split(line)


SETTINGS = dict(settings())


def test_each_form_is_there():
    assert set(SETTINGS) >= WORDS
    assert len(SETTINGS) == len(WORDS) + 2


@pytest.mark.parametrize("command", SETTINGS.values(), ids=SETTINGS)
def test_a_setting_starts_a_server(command, tmp_path):
    (tmp_path / "a.pcsf").write_text("x")
    name, *arguments = (
        part.replace("/path/to/project", str(tmp_path)).replace("${workspaceFolder}", str(tmp_path))
        for part in command
    )
    assert name == "pcsf"
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1"},
    }
    call = {"name": "check", "arguments": {"path": "a.pcsf"}}
    asked = (("initialize", hello), ("tools/call", call))
    with subprocess.Popen(
        [*forks.command(), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=tmp_path,
        env=os.environ,
    ) as process:
        for number, (method, params) in enumerate(asked):
            request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
            process.stdin.write(json.dumps(request).encode() + b"\n")
            process.stdin.flush()
            told = json.loads(process.stdout.readline())
            assert told["id"] == number
        process.stdin.close()
    assert told["result"]["structuredContent"]["bytes"] == 1
    assert process.returncode == 0
