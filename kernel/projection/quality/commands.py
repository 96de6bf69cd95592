"""What a shell command is for: which files it touches, what it checks.

Laws: tables over branches; a file is named only where the command names it literally;
the directory a command changes into belongs to its later files.
"""

# ruff: noqa: SIM905 - a table of words reads best as text

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from attrs import field, frozen

from kernel.model import as_tuple
from kernel.projection.quality.shell import Step, core_of, is_literal

__all__ = ["Check", "How", "Touch", "checks_of", "looks_only", "mutates", "touches_of", "work_of"]

How = Literal["read", "changed", "deleted", "moved", "made"]

_LOOKS: Final = frozenset(
    "ls cat head tail less more nl wc grep egrep rg ag find fd tree stat file which type pwd echo printf"
    " diff cmp sort uniq cut awk jq ps env printenv date whoami uname du df test [ true false".split()
)
_READS: Final = frozenset("cat head tail less more nl wc stat file open goto".split())
_GIT_LOOKS: Final = frozenset(
    "status log diff show branch blame rev-parse ls-files remote describe grep".split()
)
_GIT_WRITES: Final = frozenset("commit push merge rebase tag".split())
_RUNNERS: Final[Mapping[str, tuple[str, ...]]] = {
    "npx": (), "bunx": (), "uvx": (), "pnpx": (), "uv": ("run",), "poetry": ("run",), "pdm": ("run",),
    "hatch": ("run",), "pipenv": ("run",), "bundle": ("exec",), "rye": ("run",), "yarn": ("dlx",),
}  # fmt: skip
_TESTERS: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        "pytest py.test tox nox unittest jest vitest mocha ava phpunit rspec ctest nosetests".split(),
        "test",
    ),
    **dict.fromkeys(
        "ruff mypy pyright flake8 pylint eslint biome clippy-driver shellcheck ty golangci-lint".split(),
        "lint",
    ),
    **dict.fromkeys("tsc tsgo ninja cmake gcc g++ javac".split(), "build"),
}
_SCRIPTED: Final = frozenset(
    "npm pnpm yarn bun make just task cargo go mvn gradle gradlew dotnet".split()
)
_SCRIPTS: Final = re.compile(
    r"^(?:\w+:)?(?:(?P<test>tests?|check|ci|verify|e2e|spec)|(?P<lint>lint|clippy|vet|fmt|format|typecheck|types)"
    r"|(?P<build>build|compile))(?:[:-][\w:-]*)?$"
)
_PYTHONS: Final = re.compile(r"^(?:python[\d.]*|node|deno|ruby|php|tsx|ts-node|bash|sh)$")
_TRIAL: Final = re.compile(
    r"(?:^|[/_.-])(?:test|tests|spec|repro|reproduce|check|verify|demo)(?:[/_.-]|$)", re.IGNORECASE
)


@frozen
class Check:
    """A run that proves something: what kind, by which name, on which operands."""

    kind: str
    name: str
    operands: tuple[str, ...] = field(default=(), converter=as_tuple)


@frozen
class Touch:
    """A file a command names: as spelled, as a path from the directory it runs in, and how."""

    spelled: str
    path: str
    how: How


def work_of(steps: Sequence[Step]) -> str:
    """Return the command's work in one line: what is run, without what surrounds it."""
    return " && ".join(" ".join(step.words) for step in core_of(steps))


def _bare(words: Sequence[str]) -> Sequence[str]:
    """Return the words without runners such as npx or `python -m` in front."""
    while len(words) > 1:
        name = words[0].rsplit("/", 1)[-1]
        via = _RUNNERS.get(name)
        if via is not None and (not via or words[1] in via):
            words = words[2:] if via else words[1:]
            while words and words[0].startswith("-"):
                words = words[1:]
        elif _PYTHONS.match(name) and words[1] == "-m" and len(words) > 2:
            words = words[2:]
        else:
            break
    return words


def _check(words: Sequence[str]) -> Check | None:
    words = _bare(words)
    if not words:
        return None
    name = words[0].rsplit("/", 1)[-1]
    operands = tuple(word for word in words[1:] if not word.startswith("-"))
    if name in _TESTERS:
        head = (name, operands[0]) if name in ("ruff", "biome") and operands else (name,)
        return Check(_TESTERS[name], " ".join(head), operands[len(head) - 1 :])
    if name in _SCRIPTED:
        for at, word in enumerate(operands[:2]):
            found = _SCRIPTS.match(word)
            if found is not None:
                return Check(
                    str(found.lastgroup), " ".join((name, *operands[: at + 1])), operands[at + 1 :]
                )
        return Check("build", name) if name == "make" and not operands else None
    if _PYTHONS.match(name) and operands and _TRIAL.search(operands[0]):
        return Check("run", operands[0].rsplit("/", 1)[-1], operands[1:])
    return None


_ASKS: Final = frozenset({"--version", "--help", "-h", "--collect-only", "--co", "--list-tests"})


def checks_of(steps: Sequence[Step]) -> list[Check]:
    """Return the tests, builds and linters a command runs; who only asks about one runs none."""
    found = [_check(step.words) for step in core_of(steps) if not _ASKS.intersection(step.words)]
    return [check for check in found if check is not None]


def looks_only(steps: Sequence[Step]) -> bool:
    """Tell whether a command only shows what is there."""
    return bool(steps) and all(_is_look(step) for step in core_of(steps))


def _is_look(step: Step) -> bool:
    if step.writes and any(not name.startswith("/dev/") for name in step.writes):
        return False
    if step.program == "git":
        words = [word for word in step.words[1:] if not word.startswith("-")]
        return bool(words) and words[0] in _GIT_LOOKS
    if step.program == "sed":
        return not _in_place(step)
    return step.program in _LOOKS


def mutates(steps: Sequence[Step]) -> bool:
    """Tell whether a command changes something a later reader relies on."""
    git = any(s.program == "git" and set(s.words[1:4]) & _GIT_WRITES for s in steps)
    return git or any(touch.how != "read" for touch in touches_of(steps))


def _in_place(step: Step) -> bool:
    return any(
        re.match(r"-[a-zA-Z]*i", word) or word.startswith("--in-place") for word in step.words[1:]
    )


def touches_of(steps: Sequence[Step]) -> Iterator[Touch]:
    """Yield the files a command names literally, in order."""
    here = ""
    for step in steps:
        if step.program in ("cd", "pushd") and len(step.words) > 1:
            here = posixpath.join(here, step.words[1]) if is_literal(step.words[1]) else ""
        for name, how in [*_operands(step), *((name, "changed") for name in step.writes)]:
            if is_literal(name) and not name.startswith("/dev/"):
                yield Touch(name, posixpath.join(here, name), how)


def _operands(step: Step) -> list[tuple[str, How]]:
    words = list(step.words)
    program = step.program
    if program == "git" and len(words) > 1:
        program, words = f"git {words[1]}", words[1:]
    rest = [word for word in words[1:] if not word.startswith("-")]
    if program in ("sed", "perl"):
        return _edited(step, rest)
    if program in ("mv", "git mv", "cp") and len(rest) > 1:
        return _moved(program, rest)
    if program in ("rm", "unlink", "git rm"):
        return [(name, "deleted") for name in rest]
    if program in ("touch", "tee"):
        return [(name, "changed") for name in rest]
    if program in ("mkdir", "rmdir"):
        return [(name, "made") for name in rest]
    if program in _READS:
        return [(name, "read") for name in rest if "." in name or "/" in name]
    return []


def _edited(step: Step, rest: list[str]) -> list[tuple[str, How]]:
    """Return the files of sed: those behind its script."""
    if "-e" not in step.words and "-f" not in step.words:
        rest = [word for word in rest if word][1:]
    how: How = "changed" if _in_place(step) else "read"
    return [(name, how) for name in rest if "." in name.rsplit("/", 1)[-1]]


def _moved(program: str, rest: list[str]) -> list[tuple[str, How]]:
    *sources, target = rest
    found: list[tuple[str, How]] = []
    for name in sources:
        found.append((name, "read" if program == "cp" else "moved"))
        last = target.rsplit("/", 1)[-1]
        into = len(sources) > 1 or last in ("", ".", "..") or "." not in last
        end = posixpath.join(target, name.rstrip("/").rsplit("/", 1)[-1]) if into else target
        found.append((end, "changed"))
    return found
