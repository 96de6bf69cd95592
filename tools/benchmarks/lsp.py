"""What an editor waits for: `pcsf lsp`, a real process, asked over its pipes.

Prints medians and the slowest of a hundred: from a change to the first findings
about it, for capsules and grammars, and from a request to its answer.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from benchmarks.parse import TYPICAL
from pcsf_lark import resources

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 100
TARGET_MS = 20
_CAPSULE, _GRAMMAR = "file:///bench/a.pcsf", "file:///bench/b.abnf"
_NOTED = "file:///bench/c.abnf"
_PLACE = {"textDocument": {"uri": _CAPSULE}, "position": {"line": 5, "character": 2}}
_WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}


class Editor:
    """As little of an editor as can be: what it sends, and what comes back for it."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pcsf_lark", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self._number = 0

    def tell(self, method: str, params: Any = None, **more: Any) -> None:
        """Send a notification, or with an ``id`` a request."""
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        body = json.dumps(message).encode()
        stream = self._process.stdin
        if stream is None:
            raise AssertionError("the process was started without pipes")
        stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        stream.flush()

    def ask(self, method: str, params: Any = None) -> Any:
        """A request's answer."""
        self._number += 1
        self.tell(method, params, id=self._number)
        return self._until(lambda got: got.get("id") == self._number)["result"]

    def findings(self, uri: str, version: int) -> list[Any]:
        """What is published of a version of a document, waiting for it."""

        def wanted(got: dict[str, Any]) -> bool:
            told = got.get("params") or {}
            return told.get("uri") == uri and told.get("version") == version

        return list(self._until(wanted)["params"]["diagnostics"])

    def _until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        stream = self._process.stdout
        if stream is None:
            raise AssertionError("the process was started without pipes")
        while True:
            size = 0
            while (line := stream.readline()).strip():
                if line.startswith(b"Content-Length:"):
                    size = int(line.partition(b":")[2])
            if not line:
                raise AssertionError("the server has gone")
            message: dict[str, Any] = json.loads(stream.read(size))
            if wanted(message):
                return message

    def leave(self) -> None:
        """Say goodbye."""
        self.ask("shutdown")
        self.tell("exit")
        self._process.wait()


def _open(editor: Editor, uri: str, language: str, text: str) -> None:
    given = {"uri": uri, "languageId": language, "version": 0, "text": text}
    editor.tell("textDocument/didOpen", {"textDocument": given})
    editor.findings(uri, 0)


def _typing(editor: Editor, uri: str, text: str, word: str) -> list[float]:
    """Seconds from each change to the findings about it, while a word is typed and taken back."""
    times = []
    for version in range(1, ROUNDS + 1):
        typed = text.replace(word, word[: version % len(word)] + "x", 1)
        params = {
            "textDocument": {"uri": uri, "version": version},
            "contentChanges": [{"text": typed}],
        }
        start = time.perf_counter()
        editor.tell("textDocument/didChange", params)
        editor.findings(uri, version)
        times.append(time.perf_counter() - start)
    return times


def _asking(editor: Editor, method: str, params: Any) -> list[float]:
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        editor.ask(method, params)
        times.append(time.perf_counter() - start)
    return times


def main() -> int:
    """Print the table; 1 where a change takes longer than the target."""
    began = time.perf_counter()
    editor = Editor()
    editor.ask("initialize", {"processId": None, "capabilities": {}})
    ready = time.perf_counter() - began
    editor.tell("initialized", {})
    capsule, grammar = TYPICAL.decode(), resources.grammar("pcsf.normal.abnf")
    _open(editor, _CAPSULE, "pcsf", capsule)
    noted = f"; typing\n{grammar}"
    _open(editor, _GRAMMAR, "abnf", grammar)
    _open(editor, _NOTED, "abnf", noted)
    document = {"textDocument": {"uri": _CAPSULE}}
    actions = {**document, "range": _WHOLE, "context": {"diagnostics": []}}
    rows = {
        "capsule: change to findings": _typing(editor, _CAPSULE, capsule, "CONSTRAINT"),
        "grammar: change of a rule to findings": _typing(editor, _GRAMMAR, grammar, "timestamp"),
        "grammar: change of a comment": _typing(editor, _NOTED, noted, "typing"),
        "hover": _asking(editor, "textDocument/hover", _PLACE),
        "completion": _asking(editor, "textDocument/completion", _PLACE),
        "code lens": _asking(editor, "textDocument/codeLens", document),
        "code actions, one broken token": _asking(editor, "textDocument/codeAction", actions),
    }
    editor.leave()
    print(f"ready after {ready * 1e3:,.0f} ms; {len(capsule)} and {len(grammar):,} bytes")
    print(f"{'':40}{'median ms':>12}{'slowest ms':>12}")
    for name, times in rows.items():
        print(f"{name:40}{statistics.median(times) * 1e3:12.1f}{max(times) * 1e3:12.1f}")
    changes = [times for name, times in rows.items() if "change" in name]
    return int(any(statistics.median(times) * 1e3 > TARGET_MS for times in changes))


if __name__ == "__main__":
    sys.exit(main())
