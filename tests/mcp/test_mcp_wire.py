"""The server against what no SDK sends: lines that are no messages, and clients that leave."""

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time

import forks
import pytest
from mcp_samples import CAPSULE, LOG

PATIENCE = 60
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "tests", "version": "1"},
}
#: Busy for minutes: each sentence decides something.
SLOW = json.dumps(
    {
        "messages": [
            {"role": "assistant", "content": f"I decided on {n} because the lock failed. " * 20}
            for n in range(3000)
        ]
    }
)


class Raw:
    """A client that writes what it likes."""

    def __init__(self, *arguments, env=None, anew=False):
        command = forks.COMMAND if anew else forks.command()
        self.process = subprocess.Popen(
            [*command, "mcp", *map(str, arguments)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=env,
        )
        self._lines = queue.Queue()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        self.request(0, "initialize", HELLO)
        assert self.answer()["id"] == 0

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(json.loads(line))

    def send(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def request(self, number, method, params=None):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}
        self.send(json.dumps(message).encode())

    def call(self, number, tool, /, _meta=None, **given):
        params = {"name": tool, "arguments": given}
        self.request(number, "tools/call", params | ({"_meta": _meta} if _meta else {}))

    def answer(self):
        return self._lines.get(timeout=PATIENCE)

    def leave(self):
        """Close the pipes; how the server ended, and what it said outside of the protocol."""
        self.process.stdin.close()
        code = self.process.wait(PATIENCE)
        self._thread.join(PATIENCE)
        self.process.stdout.close()
        with self.process.stderr:
            return code, self.process.stderr.read()


@pytest.fixture
def raw():
    opened = []

    def start(*arguments, **options):
        opened.append(Raw(*arguments, **options))
        return opened[-1]

    yield start
    for one in opened:
        if not one.process.stdout.closed:
            one.process.kill()
            one.leave()


def check(number, text):
    return (
        b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":'
        b'{"name":"check","arguments":{"text":%s}}}' % (number, text)
    )


#: Lines that cannot be served: the code and the id of the answer that each gets.
UNSERVED = {
    "no JSON": (b"hello", -32700, None),
    "a broken object": (b'{"jsonrpc":"2.0","id":4,"method":"ping"', -32700, 4),
    "half a surrogate pair": (check(5, rb'"\ud800"'), -32700, 5),
    "half a pair as id": (rb'{"jsonrpc":"2.0","id":"\ud800","method":"ping"}', -32700, None),
    "a number of ten thousand digits": (check(6, b"9" * 10_000), -32700, 6),
    "nested without end": (check(7, b"[" * 100_000), -32700, 7),
    "nested deeply": (check(8, b"[" * 5_000 + b"]" * 5_000), -32700, 8),
    "too long": (check(9, b'"' + b"x" * (8 * 1024 * 1024) + b'"'), -32600, 9),
    "a number": (b"3", -32600, None),
    "a batch": (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
    "an empty batch": (b"[]", -32600, None),
    "nothing in it": (b"{}", -32600, None),
    "no method": (b'{"jsonrpc":"2.0","id":10}', -32600, 10),
    "a method of another kind": (b'{"jsonrpc":"2.0","id":11,"method":7}', -32600, 11),
    "positional parameters": (b'{"jsonrpc":"2.0","id":"b","method":"ping","params":[]}', -32600, "b"),
    "another protocol": (b'{"id":12,"jsonrpc":"1.0","method":"ping"}', -32600, 12),
    "an id of null": (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
    "an id of a fraction": (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
    "an id of a truth value": (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
}  # fmt: skip


def test_every_line_that_cannot_be_served_is_answered(raw):
    client = raw()
    for name, (line, code, number) in UNSERVED.items():
        client.send(line)
        told = client.answer()
        assert told["jsonrpc"] == "2.0", name
        assert (told["error"]["code"], told["id"]) == (code, number), name
        assert told["error"]["data"]["error"]["mend"], name
        client.request(100, "ping")
        assert client.answer() == {"jsonrpc": "2.0", "id": 100, "result": {}}
    assert client.leave() == (0, b"")


def test_what_is_odd_but_sound_is_served(raw):
    client = raw()
    odd = (
        b"\r" + check(1, b'"a"') + b"\r",
        b"\xef\xbb\xbf" + check(1, b'"a"'),
        b"\n\n" + check(1, b'"\\u0000"'),
        check(1, b'"\xff"'),
        check(1, b"NaN"),
        check(1, b"1e400"),
        check(1, b"9" * 4000),
        check(1, b"[" * 100 + b"]" * 100),
        check(1, b'"a","text":"b"'),
    )
    for line in odd:
        client.send(line)
        told = client.answer()["result"]
        assert told["content"][0]["text"]
    assert client.leave() == (0, b"")


def test_notifications_and_answers_that_nobody_asked_for_are_passed_over(raw):
    client = raw()
    for number in range(500):
        client.send(b'{"jsonrpc":"2.0","method":"notifications/nothing","params":{"a":[1]}}')
        client.send(b'{"jsonrpc":"2.0","id":%d,"result":{}}' % number)
        client.send(
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}'
        )
    client.request(1, "ping")
    assert client.answer()["result"] == {}
    assert client.leave() == (0, b"")


def test_a_client_that_leaves_ends_what_is_at_work(raw):
    client = raw()
    client.call(1, "draft", log=SLOW)
    client.request(2, "ping")
    assert client.answer()["id"] == 2
    time.sleep(0.4)
    began = time.monotonic()
    code, errors = client.leave()
    assert (code, errors) == (0, b"")
    assert time.monotonic() - began < PATIENCE / 4


def test_a_cancelled_call_is_not_answered_and_makes_room(raw):
    client = raw()
    for number in range(1, 9):
        client.call(number, "draft", log=SLOW)
        cancel = {"method": "notifications/cancelled", "params": {"requestId": number}}
        client.send(json.dumps({"jsonrpc": "2.0", **cancel}).encode())
    client.call(100, "check", text=CAPSULE)
    told = client.answer()
    assert told["id"] == 100
    assert told["result"]["structuredContent"]["conformant"]
    assert client.leave() == (0, b"")


def test_a_long_call_says_that_it_is_at_work(raw):
    client = raw()
    client.call(1, "draft", log=SLOW, _meta={"progressToken": "p"})
    told = [client.answer()["params"] for _ in range(2)]
    assert [one["progressToken"] for one in told] == ["p", "p"]
    assert told[0]["progress"] < told[1]["progress"] < told[1]["total"]
    assert client.leave() == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="signals are another matter there")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_leaves_no_copy_of_a_log(raw, tmp_path, name):
    number = getattr(signal, name)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    # Takes a while to read, for which its copy is there.
    (tmp_path / "log.json").write_text(LOG[:-2] + ", ".join(["", *["[[]]"] * 2_000_000]) + "]}")
    client = raw("--root", tmp_path, env={**os.environ, "TMPDIR": str(scratch)}, anew=True)
    client.call(1, "draft", path="log.json")
    patience = time.monotonic() + PATIENCE
    while not any(scratch.glob("pcsf-*/log.json")) and time.monotonic() < patience:
        time.sleep(0.01)
    assert any(scratch.iterdir())
    client.process.send_signal(number)
    assert client.process.wait(PATIENCE) == -number
    assert not any(scratch.iterdir())


def test_lists_have_one_page_and_rules_are_completed(raw):
    client = raw()
    for method in ("tools/list", "prompts/list", "resources/list", "resources/templates/list"):
        client.request(1, method, {"cursor": "x"})
        assert client.answer()["error"]["data"]["error"]["at"] == "cursor"

    def completed(uri, argument, value):
        ref = {"type": "ref/resource", "uri": uri}
        named = {"name": argument, "value": value}
        client.request(1, "completion/complete", {"ref": ref, "argument": named})
        return client.answer()["result"]["completion"]

    assert completed("pcsf://rules/{rule}", "rule", "malformed-e")["values"] == ["malformed-entry"]
    found = completed("pcsf://rules/{rule}", "rule", "c1")
    assert {"C1", "C10", "C11", "C12"} <= set(found["values"])
    assert completed("pcsf://rules/{rule}", "other", "")["values"] == []
    assert completed("pcsf://nothing", "rule", "")["values"] == []
    everything = completed("pcsf://rules/{rule}", "rule", "")
    assert len(everything["values"]) <= 100
    assert everything["total"] >= len(everything["values"])
    client.leave()


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        *((v, v) for v in ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")),
        ("1999-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ],
)
def test_versions_are_negotiated_and_capabilities_are_those_there_are(asked, given):
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    hello["params"] = {**HELLO, "protocolVersion": asked}
    done = forks.run(["mcp"], input=json.dumps(hello))
    told = json.loads(done.stdout)["result"]
    assert told["protocolVersion"] == given
    listed = told["capabilities"]
    assert set(listed) == {"tools", "prompts", "resources", "completions"}
    assert not any(one.get("listChanged") or one.get("subscribe") for one in listed.values())
    assert "reads no files" in told["instructions"]
