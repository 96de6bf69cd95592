"""Shell commands, as far as a log's reader must understand them.

Laws: reading is linear and total, any text gives steps; quoted text, comments and here
documents are not taken for operators; nothing is expanded: a word with a variable, a
glob or a substitution is never a path.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import field, frozen

from kernel.model import as_tuple

__all__ = ["Step", "core_of", "is_literal", "is_masked", "steps_of"]

_TOKEN: Final = re.compile(
    r"""(?P<blank>(?:[ \t]|\\\n)+)"""
    r"""|(?P<comment>(?<![^\s;|&])\#[^\n]*)"""
    r"""|(?P<here><<-?[ \t]*(?P<quote>['"]?)(?P<end>\w+)(?P=quote))"""
    r"""|(?P<into>\d?>&\d|&>>?|\d?>>?\|?|\d?<(?![<(]))"""
    r"""|(?P<stop>\|\||&&|\|&?|;;?|&|\n)"""
    r"""|(?P<word>(?:[^\s;|&<>"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+)"""
    r"""|(?P<other>.)""",
    re.DOTALL,
)
_QUOTES: Final = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|\\(.)", re.DOTALL)
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*=")
_KEYWORDS: Final = frozenset(
    (
        "if",
        "then",
        "else",
        "elif",
        "fi",
        "for",
        "while",
        "do",
        "done",
        "case",
        "esac",
        "!",
        "{",
        "}",
    )
)
_WRAPPERS: Final = frozenset(
    ("sudo", "time", "nohup", "env", "command", "exec", "stdbuf", "xvfb-run")
)
_PREPARES: Final = frozenset(("cd", "export", "set", "source", ".", "pushd", "ulimit", "unset"))


@frozen
class Step:
    """One simple command: its words, unquoted, the files it writes, what joined it on.

    `start` and `end` are its place in the whole command; `joined` is the operator before.
    """

    words: tuple[str, ...] = field(converter=as_tuple)
    writes: tuple[str, ...] = field(converter=as_tuple)
    joined: str
    start: int
    end: int

    @property
    def program(self) -> str:
        """Return the program's bare name, "" where there is none."""
        return self.words[0].rsplit("/", 1)[-1] if self.words else ""


class _Open:
    """The step being read."""

    __slots__ = ("end", "joined", "start", "words", "writes")

    def __init__(self, joined: str) -> None:
        self.words: list[str] = []
        self.writes: list[str] = []
        self.joined, self.start, self.end = joined, -1, -1

    def take(self, word: str, start: int, end: int, into: str) -> None:
        """Add a word, or the file behind a redirection."""
        self.start, self.end = (start if self.start < 0 else self.start), end
        if not into:
            self.words.append(word)
        elif ">" in into:
            self.writes.append(word)

    def step(self) -> Step | None:
        """Return the step without keywords, assignments and wrappers before its program."""
        words = self.words
        while words and (
            words[0] in _KEYWORDS or words[0] in _WRAPPERS or _ASSIGNED.match(words[0])
        ):
            words = words[1:]
        if words and words[0] == "timeout":
            words = [word for word in words[1:] if not word.startswith("-")][1:]
        if not words and not self.writes:
            return None
        return Step(words, self.writes, self.joined, self.start, self.end)


def _unquoted(word: str) -> str:
    if not ('"' in word or "'" in word or "\\" in word):
        return word
    return _QUOTES.sub(lambda m: next((part for part in m.groups() if part is not None), ""), word)


def steps_of(command: str) -> list[Step]:
    """Split a command into its simple commands, in order."""
    return [step for step in map(_Open.step, _read(command)) if step is not None]


def _read(command: str) -> Iterator[_Open]:
    current, into, waiting, at = _Open(""), "", [], 0
    while at < len(command):
        token = _TOKEN.match(command, at)
        if token is None:  # pragma: no cover - `other` takes whatever is left
            break
        at, kind = token.end(), token.lastgroup
        if token["here"]:
            waiting.append(token["end"])
        elif kind == "into":
            into = "" if "&" in token[0][1:] else token[0]
        elif kind == "stop":
            yield current
            current, into = _Open(token[0]), ""
            if token[0] == "\n":
                for end in waiting:
                    at = _after_here(command, at, end)
                waiting = []
        elif kind in ("word", "other"):
            current.take(_unquoted(token[0]), token.start(), at, into)
            into = ""
    yield current


def _after_here(command: str, at: int, end: str) -> int:
    """Return where a here document that starts at an index is over."""
    while at < len(command):
        stop = command.find("\n", at)
        stop = len(command) if stop < 0 else stop
        line, at = command[at:stop], stop + 1
        if line.strip() == end:
            break
    return min(at, len(command))


def is_literal(word: str) -> bool:
    """Tell whether a word names one file as it stands."""
    return bool(word) and not any(mark in word for mark in "$`*?[{(<>|") and word[0] not in "-=!#"


def is_masked(steps: Sequence[Step]) -> bool:
    """Tell whether the status of a command may be another's than that of its work.

    A pipe gives the status of its last part, `|| true` and a last `; echo` give their own.
    """
    if any(step.words[:1] == ("set",) and "pipefail" in step.words for step in steps):
        steps = [step for step in steps if not step.joined.startswith("|") or step.joined == "||"]
    if any(step.joined in ("|", "|&", "||", "&") for step in steps):
        return True
    work = [step for step in steps if step.program not in _PREPARES]
    return any(step.joined in (";", "\n") for step in work[1:])


def core_of(steps: Sequence[Step]) -> tuple[Step, ...]:
    """Return the steps that do the work: not the preparation, not what a pipe filters."""
    piped = {"|", "|&"}
    kept = [step for step in steps if step.words and step.program not in _PREPARES]
    return tuple(step for step in kept if step.joined not in piped) or tuple(kept)
