"""What a model's program waits for: `pcsf mcp`, a real process, asked over its pipes.

Prints medians over fresh processes: from the start to the answer to `initialize`, then
to the list of tools and to the first and the second check of a capsule.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from typing import Any

from benchmarks.parse import TYPICAL

ROUNDS = 15
TARGET_MS = 700
_HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Client:
    """As little of a client as can be."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pcsf_lark", "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._number = 0

    def tell(self, method: str, params: Any = None, **more: Any) -> None:
        """Send a notification, or with an ``id`` a request."""
        stream = self._process.stdin
        if stream is None:
            raise AssertionError("the process was started without pipes")
        message = {"jsonrpc": "2.0", "method": method, "params": params or {}, **more}
        stream.write(json.dumps(message).encode() + b"\n")
        stream.flush()

    def ask(self, method: str, params: Any = None) -> Any:
        """A request's answer."""
        self._number += 1
        self.tell(method, params, id=self._number)
        stream = self._process.stdout
        if stream is None:
            raise AssertionError("the process was started without pipes")
        for line in stream:
            got = json.loads(line)
            if got.get("id") == self._number:
                return got["result"]
        raise AssertionError("the server has gone")

    def leave(self) -> None:
        """Close the pipes, which ends the server."""
        self._process.communicate()


def _round() -> dict[str, float]:
    check = {"name": "check", "arguments": {"text": TYPICAL.decode()}}
    began = time.perf_counter()
    client = Client()
    asked = (
        ("ready: initialize answered", "initialize", _HELLO),
        ("list of tools", "tools/list", None),
        ("first check", "tools/call", check),
        ("second check", "tools/call", check),
    )
    times = {}
    for name, method, params in asked:
        client.ask(method, params)
        times[name] = time.perf_counter() - began
        if method == "initialize":
            client.tell("notifications/initialized")
        began = time.perf_counter()
    client.leave()
    return times


def _processor_time() -> float:
    """Seconds of a processor that a start takes, the answer to `initialize` included."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _HELLO}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pcsf_lark", "mcp"]
    subprocess.run(command, input=json.dumps(hello).encode(), capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Print the table; 1 where a client waits longer than the target."""
    rounds = [_round() for _ in range(ROUNDS)]
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(f"{ROUNDS} fresh processes; load {load:.1f} on {os.cpu_count()} processors")
    print(f"{'':30}{'median ms':>12}{'fastest ms':>12}{'slowest ms':>12}")
    for name in rounds[0]:
        times = [one[name] * 1e3 for one in rounds]
        print(f"{name:30}{statistics.median(times):12.1f}{min(times):12.1f}{max(times):12.1f}")
    spent = statistics.median(_processor_time() for _ in range(5)) * 1e3
    print(f"{'ready, processor time alone':30}{spent:12.1f}")
    ready = statistics.median(next(iter(one.values())) for one in rounds) * 1e3
    return int(ready > TARGET_MS)


if __name__ == "__main__":
    sys.exit(main())
