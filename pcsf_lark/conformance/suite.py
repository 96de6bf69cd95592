"""The cases of the suite, from its files, for a role and a level.

Laws: names are paths below the corpus without suffix, in sorted order. What a
case expects stands in the files beside it; only the canonical texts that an
encoder and a formatter must give are made here, by this package's own
`format`, so there it is judge and party (tests hold it to the files that are
canonical already).
"""

from __future__ import annotations

import json
import tomllib
from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING, Any

from pcsf_lark import resources
from pcsf_lark.api import format_capsule
from pcsf_lark.conformance.case import Case, Expected
from pcsf_lark.emit import from_json
from pcsf_lark.errors import CapsuleError
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["LEVELS", "ROLES", "cases", "index", "select"]

#: What a decoder may be held to, each level besides the verdicts; `ops` and `grammar` alone.
LEVELS = ("verdict", "codes", "tree", "ops", "grammar")
#: What a command may be.
ROLES = ("decoder", "encoder", "formatter")

_FOLDERS = ("valid", "warn", "invalid", "mixed", "profiles")


def cases(role: str = "decoder", level: str = "verdict") -> tuple[Case, ...]:
    """The cases for a command of a role, at a level (which only decoders have).

    Raises ValueError for a role or a level there is not.
    """
    if role not in ROLES or level not in LEVELS:
        raise ValueError(f"no cases for role {role!r} at level {level!r}")
    return _found(role, level)


@cache
def _found(role: str, level: str) -> tuple[Case, ...]:
    if role == "encoder":
        found = _encoder()
    elif role == "formatter":
        found = _formatter()
    elif level == "ops":
        found = _operations(resources.operations())
    elif level == "grammar":
        found = _grammars(resources.corpus() / "grammar")
    else:
        found = (_decoder(*row, level) for row in _capsules())
    return tuple(sorted(found, key=lambda case: case.name))


def select(
    found: Iterable[Case], run: Iterable[str] = (), skip: Iterable[str] = ()
) -> tuple[list[Case], list[Case]]:
    """Cases whose names fit a pattern of ``run`` (all, if none) and none of ``skip``; those skipped.

    A pattern is a shell glob; what it fits stands for all below it too.
    """
    wanted = [case for case in found if _fits(case.name, tuple(run) or ("*",))]
    skipped = [case for case in wanted if _fits(case.name, tuple(skip))]
    left_out = {case.name for case in skipped}
    return [case for case in wanted if case.name not in left_out], skipped


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(
        fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern.rstrip('/')}/*")
        for pattern in patterns
    )


def index(name: str) -> frozenset[str]:
    """The names in an index file, such as ``v1.2`` or ``compact``; KeyError for one there is not."""
    known = {path.stem: path for path in (resources.corpus() / "index").glob("*.txt")}
    if name not in known:
        raise KeyError(f"no index {name!r}; there are {', '.join(sorted(known))}")
    lines = known[name].read_text("ascii").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("#"))


def _capsules() -> Iterator[tuple[str, bytes, dict[str, Any], Any]]:
    """Name, bytes, ``.expect`` and tree (None where there is none) of every capsule."""
    root = resources.corpus()
    for folder in _FOLDERS:
        for path in (root / folder).rglob("*.pcsf"):
            name = path.relative_to(root).as_posix().removesuffix(".pcsf")
            expect, tree = _beside(path, ".expect"), _beside(path, ".json")
            if folder == "profiles":
                # Commands know the default profile; what another one says is ours to test.
                expect, tree = {**expect, "codes": expect["interop"]}, None
            yield name, path.read_bytes(), expect or {}, tree


def _beside(path: Path, suffix: str) -> Any:
    beside = path.with_name(path.name.removesuffix(".pcsf") + suffix)
    return json.loads(beside.read_text("ascii")) if beside.is_file() else None


def _errors(expect: dict[str, Any]) -> frozenset[str]:
    return frozenset(code for code in expect.get("codes", ()) if code.startswith("C"))


def _decoder(name: str, data: bytes, expect: dict[str, Any], tree: Any, level: str) -> Case:
    errors = _errors(expect)
    expected = Expected(
        exit=int(bool(errors)),
        tree=tree if level == "tree" and not errors else None,
        codes=errors if level == "codes" and errors else None,
    )
    return Case(name, (), data, expected, expect.get("spec", ""), _lines(expect))


def _lines(expect: dict[str, Any]) -> tuple[int, int] | None:
    """The lines that a finding may name, where the file of the answer says so."""
    if not _errors(expect) or not ("line" in expect or "lines" in expect):
        return None
    first, last = expect.get("lines") or (expect["line"], expect["line"])
    return first, last


def _canonical(source: Any) -> Expected:
    try:
        return Expected(exit=0, output=format_capsule(source))
    except CapsuleError:
        return Expected(exit=1)


def _encoder() -> Iterator[Case]:
    """Trees of conformant capsules, and the texts they are written as (D21)."""
    for name, _, expect, tree in _capsules():
        if tree is not None and not _errors(expect):
            data = json.dumps(tree).encode("ascii")
            yield Case(name, (), data, _canonical(from_json(tree)), "D21")


def _formatter() -> Iterator[Case]:
    """Capsules and their canonical texts, which must stay as they are; the rest is refused."""
    for name, data, expect, _ in _capsules():
        if _errors(expect) or len(data) > LIMIT:
            spec = expect.get("spec", "")
            yield Case(name, (), data, Expected(exit=1), spec, _lines(expect))
            continue
        expected = _canonical(data)
        yield Case(name, (), data, expected, "D21")
        if expected.output is not None and expected.output != data:
            yield Case(f"{name}+again", (), expected.output, expected, "D21")


def _operations(root: Path) -> Iterator[Case]:
    """The cases that need no more than ``fit --budget N``, ``stitch OLD NEW`` and ``stamp``."""
    for path in root.rglob("case.toml"):
        folder, about = path.parent, tomllib.loads(path.read_text("utf-8"))
        operation, given = folder.parent.name, about["arguments"]
        if operation == "fit" and (not given or (given[0] == "--budget" and len(given) == 2)):
            arguments = ["fit", *(given or ["--budget", str(LIMIT)])]
            data = (folder / "in.pcsf").read_bytes()
        elif operation == "stitch" and not given and not list(folder.glob("more-*.pcsf")):
            arguments, data = ["stitch", str(folder / "old.pcsf"), str(folder / "new.pcsf")], b""
        elif operation == "stamp" and not given:
            arguments, data = ["stamp"], (folder / "in.pcsf").read_bytes()
        else:
            continue
        out = folder / "out.pcsf"
        answer = out.read_bytes() if out.is_file() and not about["exit"] else None
        name = f"ops/{operation}/{folder.name}"
        section = f"{about['section']}"
        yield Case(name, tuple(arguments), data, Expected(about["exit"], output=answer), section)


def _grammars(root: Path) -> Iterator[Case]:
    """Texts that a grammar takes, and texts that it does not: ``match FILE RULE``, text on stdin."""
    for path in root.glob("*.json"):
        about = json.loads(path.read_text("utf-8"))
        arguments = ("match", str(path.with_suffix(".abnf")), about["start"])
        for verdict, texts in ((0, about["accept"]), (1, about["reject"])):
            for number, text in enumerate(texts, start=1):
                kind = "reject" if verdict else "accept"
                name = f"grammar/{path.stem}/{kind}-{number}"
                data = text.encode("utf-8", "surrogatepass")
                yield Case(name, arguments, data, Expected(verdict), about.get("spec", ""))
