"""Grammars of RFCs: our LALR parsers and our matcher, against the `abnf` package and its Rust backend.

Ours are built by `abnf.load(text, start=..., lexical=...).lark("lalr")`, strict;
the rules named as lexical, which a lexer reads as one piece, are printed with
each table. The peer's tree goes down to single characters, ours to those
rules; a comparison by character is not made. Both build a tree; `match` gives
the verdict alone. Then: how long translating takes.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import textwrap
import time
from typing import TYPE_CHECKING, Any

from attrs import frozen

from benchmarks import rounds
from pcsf_lark import abnf, resources

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]


@frozen
class Contest:
    """An RFC's rule, what is lexical in it, a text, and rules it lacks."""

    rfc: str
    start: str
    lexical: tuple[str, ...]
    text: str
    more: str = ""
    imports: tuple[str, ...] = ()


CONTESTS = (
    Contest(
        "rfc3339", "date-time", ("full-date", "partial-time", "time-offset"),
        "1996-12-19T16:39:57.123456-08:00",
    ),
    Contest(
        "rfc3986", "URI",
        ("scheme", "authority", "path-abempty", "path-absolute", "path-rootless", "query", "fragment"),
        "http://www.example.com:8080/a/b/c/d.html?x=1&y=22#frag",
    ),
    Contest(
        "rfc3987", "IRI",
        (
            "scheme", "iauthority", "ipath-abempty", "ipath-absolute", "ipath-rootless", "iquery",
            "ifragment",
        ),
        "http://r\xe9sum\xe9.example.org:8080/caf\xe9/menu?plat=p\xe2t\xe9#d\xe9but",
        imports=("rfc3986",),
    ),
    Contest(
        "rfc9651", "sf-list", ("bare-item", "key", "OWS"), 'sugar, ("a" "b");x, tea;q=0.5, 12',
        more='OWS = *(SP / HTAB)\ntchar = "!" / %x23-27 / "*" / "+" / "-" / "." / "^" / "_" / '
        '"`" / "|" / "~" / DIGIT / ALPHA\n',
    ),
)  # fmt: skip


def _source(rfc: str) -> str:
    rules = importlib.import_module(f"abnf.grammars.{rfc}").Rule.grammar
    text = rules if isinstance(rules, str) else "\n".join(rules) + "\n"
    return textwrap.dedent(text.replace("\r\n", "\n"))


def _ours(contest: Contest) -> abnf.Grammar:
    return abnf.load(
        _source(contest.rfc) + contest.more,
        start=contest.start,
        lexical=contest.lexical,
        imports=[_source(one) for one in contest.imports],
    )


def _peer(contest: Contest) -> Callable[[], object]:
    """The peer's parser, with the backend that the process was started for."""
    module: Any = importlib.import_module(f"abnf.grammars.{contest.rfc}")
    rule: Any = module.Rule(contest.start)
    return lambda: rule.parse_all(contest.text)


def _in_python(contest: Contest) -> float:
    """Seconds a call of the peer's Python backend: its backend is chosen once in a process."""
    program = (
        "import sys; from benchmarks import grammar, rounds;"
        f"one = next(c for c in grammar.CONTESTS if c.rfc == {contest.rfc!r});"
        "print(rounds.medians({'': grammar._peer(one)})[''])"
    )
    environment = {**os.environ, "ABNF_NO_RUST": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, check=True, text=True
    )
    return float(done.stdout)


def _table(contest: Contest) -> str:
    grammar = _ours(contest)
    parser = grammar.lark("lalr")
    contestants: dict[str, Callable[[], object]] = {
        "ours, Lark LALR (tree)": lambda: parser.parse(contest.text),
        "ours, match (verdict)": lambda: grammar.match(contest.text),
        "abnf, Rust": _peer(contest),
    }
    for call in contestants.values():
        call()
    if not grammar.match(contest.text):
        raise AssertionError(f"{contest.text!r} is no {contest.start}")
    title = f"{contest.rfc} {contest.start}, {len(contest.text)} characters; lexical: "
    title = "\n".join(textwrap.wrap(title + ", ".join(contest.lexical), 96))
    times = rounds.medians(contestants)
    times["abnf, Python"] = _in_python(contest)
    return rounds.table(title, times, "abnf, Rust")


def _translations() -> str:
    """How long it takes from text to a Lark grammar."""
    capsule = resources.grammar("pcsf.normal.abnf")
    lexical = (
        "open,close,depth,timestamp,l1-type,l3-type,dimension,l5-type,priority,SEP,field,sentence"
    )
    http = [_source(one) for one in ("rfc3986", "rfc5322", "rfc4647", "rfc5646")]
    tasks: dict[str, Callable[[], abnf.Translation]] = {
        "PCSF, LALR": lambda: abnf.load(capsule, lexical=lexical.split(",")).translate("lalr"),
        "RFC 9110 with its imports, Accept": lambda: _http(http).translate("auto"),
    }
    rows = []
    for name, call in tasks.items():
        times = []
        for _ in range(5):
            start = time.perf_counter()
            found = call()
            times.append(time.perf_counter() - start)
        rows.append(f"{name:40}{sorted(times)[2] * 1e3:10.1f} ms   {found.parser}")
    return "\n".join(["translate, text to Lark grammar", *rows])


def _http(imports: list[str]) -> abnf.Grammar:
    return abnf.load(_source("rfc9110"), start="Accept", imports=imports)


def main() -> None:
    """Print the tables."""
    for contest in CONTESTS:
        print(_table(contest))
        print()
    print(_translations())
