"""Traces of crashes: what runtimes write when they end a program with exit code 1.

Laws: a row matches what a runtime alone writes, never words that a program
might say of a capsule, such as `line 3: not found` or `bad (FormatError)`;
where the two cannot be told apart there is no row. No such table is complete,
so a refusal must be proved besides (see ``proving``).
"""

from __future__ import annotations

import re

__all__ = ["crashed"]

# Each anchored to whole lines: a diagnostic may quote any text of a capsule.
_TRACES = (
    # Python, also inside an exception group, and where the interpreter itself fails.
    r"[ |+]*(?:Exception Group )?Traceback \(most recent call last\):",
    r" +File \".+\", line \d+(?:, in .+)?\n(?:.*\n){0,3}(?:Syntax|Indentation|Tab)Error: ",
    r"Fatal Python error: ",
    r"\S*python[\d.]*(?:\.exe)?: (?:No module named |can't open file |Error while finding module)",
    # Node, Bun and Deno; older Nodes end with the trace, which shows their own loader.
    r"Node\.js v\d+\.\d+\.\d+$",
    r"Bun v\d+\.\d+\.\d+",
    r" +at .+\((?:node:internal|internal/modules)/",
    r"error: Uncaught (?:\(in promise\) )?\w",
    # The Java machine and its launcher, .NET.
    r"Exception in thread \"",
    r"\tat [\w.$/<>]+\(\w+\.(?:java|kt|scala|groovy|clj):\d+\)$",
    r"Error: (?:Unable to access jarfile|Could not find or load main class|LinkageError) ",
    r"Unhandled exception\. \w+\.",
    # Ruby: file, line, method and class; Perl; Lua; PHP; Elixir; Haskell.
    r"\S+:\d+:in [`'].+\((?:\w+::)*[A-Z]\w*(?:Error|Exception)\)$",
    r".+ at \S+\.p[lm] line \d+(?:, <\w*> (?:line|chunk) \d+)?\.$",
    r".+ at \S+ line \d+, <\w*> (?:line|chunk) \d+\.$",
    r"stack traceback:$",
    r"(?:PHP )?Fatal error: +(?:Uncaught|Allowed memory)",
    r"\*\* \((?:\w+\.)*\w+(?:Error|Exit|exit)\)",
    r"CallStack \(from HasCallStack\):",
    # Go and Rust end with codes of their own, and so do the systems' signals; a wrapper hides them.
    r"goroutine \d+ \[running",
    r"thread '.+' (?:\(\d+\) )?panicked at ",
    r"Segmentation fault(?: \(core dumped\))?$",
    r"==\d+==ERROR: \w+Sanitizer",
    # Shells.
    r"\S+: line \d+: .+: (?:unbound variable|command not found|bad substitution)$",
    r"\S+: line \d+: +\d+ (?:Segmentation fault|Aborted|Killed|Bus error)",
    r"\S+: \d+: \w+: parameter not set$",
)
_CRASH = re.compile(f"^(?:{'|'.join(_TRACES)})".encode(), re.MULTILINE)


def crashed(errors: bytes) -> bool:
    """Whether standard error holds the trace of a crash."""
    return _CRASH.search(errors) is not None
