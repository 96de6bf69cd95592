"""What the program knows of the values that its parameters take.

A parameter has its choices, or a source here: by its command and name where that differs
from command to command, else by its name. A test holds the tables to the command line:
every parameter that takes a value has a source, or stands in ``FREE``.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pcsf_lark.faces.cli.completion.line import Candidate, Place

    _Source = Callable[[Place], Iterator[Candidate]]

__all__ = ["FREE", "source", "values"]

#: Text of the user's own, or of a kind that cannot be guessed.
FREE = frozenset(
    {
        "anchor", "base", "because", "block", "budget", "choice", "context_time", "date",
        "depends_on", "domain", "done", "focus", "jobs", "keep", "kid", "leaf", "limit", "model",
        "name", "names", "new_id", "now", "offset", "provider", "question", "query", "rationale",
        "reason", "refs", "reserve", "scratch", "session", "since", "span", "stdin_filename",
        "text", "timeout", "timestamp", "tokens", "topic", "wait", "window",
    }
)  # fmt: skip
#: A grammar or a log is looked into for names as far as that.
_MOST = 1 << 20
_RULE = re.compile(r"^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*=(?!/)", re.MULTILINE)


def values(place: Place) -> Iterator[Candidate]:
    """What may stand for a parameter's value."""
    choices = getattr(place.parameter.type, "choices", None)
    if choices is not None:
        for choice in choices:
            yield "value", str(getattr(choice, "value", choice)), ""
        return
    found = source(place.path, place.parameter.name)
    if found is not None:
        yield from found(place)


def source(path: tuple[str, ...], name: str) -> _Source | None:
    """Where the values of a parameter come from, None where they are free text."""
    for end in range(len(path), -1, -1):
        found = _SOURCES.get((*path[:end], name))
        if found is not None:
            return found
    return None


def _files(*patterns: str, stdin: bool = False) -> _Source:
    def found(_place: Place) -> Iterator[Candidate]:
        if stdin:
            yield "value", "-", "standard input"
        yield from (("file", pattern, "") for pattern in patterns)

    return found


def _folders(_place: Place) -> Iterator[Candidate]:
    yield "folder", "", ""


def _fixed(**known: str) -> _Source:
    def found(_place: Place) -> Iterator[Candidate]:
        yield from (("value", name.replace("_", "-"), what) for name, what in known.items())

    return found


def _rules(place: Place) -> Iterator[Candidate]:
    """Codes and names; after a comma the next of a list."""
    from pcsf_lark.rules import all_rules  # noqa: PLC0415 - it loads every rule

    before, comma, _ = place.word.rpartition(",")
    for rule in all_rules():
        what = rule.doc.partition("\n")[0].rstrip(".")
        yield "value", f"{before}{comma}{rule.code}", what
        yield "value", f"{before}{comma}{rule.name}", what


def _explained(place: Place) -> Iterator[Candidate]:
    """Rules, and the findings of grammars."""
    from pcsf_lark.abnf.kinds import CODES  # noqa: PLC0415 - for `explain` alone
    from pcsf_lark.faces.grammar_manual import manual  # noqa: PLC0415 - likewise

    yield from _rules(place)
    for kind, code in CODES.items():
        what = manual(code).partition("\n")[0].rstrip(".")
        yield "value", code, what
        yield "value", kind, what


def _productions(place: Place) -> Iterator[Candidate]:
    """The rules of the grammars that are named before, as far as a look tells."""
    before, comma, _ = place.word.rpartition(",")
    for path in (*place.given.get("path", ()), *place.given.get("paths", ())):
        try:
            with open(os.path.expanduser(path), encoding="utf-8", errors="replace") as stream:  # noqa: PTH111, PTH123 - no need of pathlib
                text = stream.read(_MOST)
        except OSError:
            continue
        for name in _RULE.findall(text):
            yield "value", f"{before}{comma}{name}", ""


def _branches(place: Place) -> Iterator[Candidate]:
    """The branches of the relay at hand, or of the one that `--store` names."""
    from pcsf_lark.relay.glance import branches  # noqa: PLC0415 - for this value alone

    store = place.given.get("store", [None])[-1]
    session = place.given.get("session", [None])[-1]
    for name, tag in branches(store, session).items():
        yield "value", name, f"at {tag[:19]}"


def _refs(place: Place) -> Iterator[Candidate]:
    yield "value", "HEAD", "the newest window of the current branch"
    yield from _branches(place)


def _indices(_place: Place) -> Iterator[Candidate]:
    from pcsf_lark.conformance.indexing import INDICES  # noqa: PLC0415 - for `--index` alone

    yield from (("value", name, what) for name, what in INDICES.items())


def _cases(place: Place) -> Iterator[Candidate]:
    """Names of test cases, a folder at a time."""
    from pcsf_lark import resources  # noqa: PLC0415 - for `--run` and `--skip` alone

    before = place.word.rpartition("/")[0]
    index = resources.corpus() / "index"
    here = f"{before}/" if before else ""
    for listed in sorted(index.glob("level-*.txt")):
        for line in listed.read_text("utf-8").splitlines():
            if line.startswith(here) and not line.startswith("#"):
                name, slash, _ = line.removeprefix(here).partition("/")
                yield "value", f"{here}{name}{slash}", ""


def _sources() -> dict[tuple[str, ...], _Source]:
    capsule, state = _files("*.pcsf", stdin=True), _files("*.json", "*.cso", stdin=True)
    log = _files("*.jsonl", "*.json", "*.traj")
    grammar = _files("*.abnf", "*.txt", stdin=True)
    anything = _files("*")
    store = _files("*.db", "*.sqlite", "*.sqlite3")
    shells = _fixed(bash="", zsh="", fish="")
    found: dict[tuple[str, ...], _Source] = {
        ("install_completion",): shells,
        ("show_completion",): shells,
        ("select",): _rules,
        ("ignore",): _rules,
        ("rule",): _explained,
        ("branch",): _branches,
        ("into",): _branches,
        ("other",): _branches,
        ("ref",): _refs,
        ("a",): _refs,
        ("b",): _refs,
        ("relay", "branch", "name"): _branches,
        ("start",): _productions,
        ("lexical",): _productions,
        ("bind",): _files(),
        ("imports",): _files("*.abnf", "*.txt"),
        ("index",): _indices,
        ("conformance", "run"): _cases,
        ("run",): _files(),
        ("skip",): _cases,
        ("command",): anything,
        ("what",): anything,
        ("config",): _files("*.toml"),
        ("aili", "decompress", "words"): _fixed(one="", raw=""),
        ("aili", "cache", "panel"): _fixed(panel="", on="", off=""),
        ("store",): store,
        ("relay",): store,
        ("folder",): _folders,
        ("cwd",): _folders,
        ("root",): _folders,
        ("diff", "a"): capsule,
        ("diff", "b"): capsule,
        ("agent",): _fixed(claude_code="", pi="", opencode="", other=""),
        ("from-json",): _files("*.json"),
        ("prompt", "session"): _files("*.txt", "*.md", "*.jsonl", stdin=True),
        ("prompt", "draft"): capsule,
        ("capsule",): capsule,
        ("emit", "path"): _files("*.json", stdin=True),
        ("new", "source"): _files("*.json", stdin=True),
        ("relay", "push", "path"): _files("*.pcsf", "*.json", "*.jsonl", stdin=True),
        ("cso", "from-capsule", "path"): capsule,
        ("cso", "audit", "verify", "path"): _files("*.jsonl", "*.log", stdin=True),
        ("draft", "cso"): anything,
        ("draft", "path"): log,
        ("hook", "log"): log,
    }
    for name in ("path", "paths", "old", "new", "more"):
        found[(name,)] = capsule
        found["cso", name] = state
        found["session", name] = log
        found["aili", name] = log
        found["grammar", name] = grammar
    for name in ("prior", "base_path", "contribution", "history"):
        found[(name,)] = state
    for name in (
        "output",
        "baseline",
        "key_file",
        "prior_key_file",
        "sources",
        "summary_file",
        "to",
    ):
        found[(name,)] = anything
    for group in ("session", "kernel", "aili"):
        found[group, "config"] = _files("*.json")
    return found


_SOURCES = _sources()
