"""`pcsf explain`: a rule's manual page."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.cli.terminal import say, usage_error
from pcsf_lark.rules import find_rule, resolve
from pcsf_lark.rules._rule import BASE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.rules import Example

__all__ = ["command"]

_MOST, _ROOM = 3, 100


def command(
    rule: Annotated[
        str, typer.Argument(metavar="CODE|NAME", help="Such as C7 or malformed-entry.")
    ],
) -> None:
    """Explain a rule: what holds, why, what to write instead, examples."""
    found = find_rule(rule)
    if found is None:
        try:
            codes = sorted(resolve([rule]))
        except ValueError as error:
            usage_error(str(error))
        usage_error(f"{rule!r} stands for {len(codes)} rules: {', '.join(codes)}; name one")
    say(
        f"{found.code} {found.name} ({found.severity.value}, specification section {found.section})"
    )
    say(f"\n{found.doc}")
    for title, examples in (("Good", found.good), ("Bad", found.bad)):
        shown = ["\n".join(_snippet(example)) for example in examples if example.text != BASE]
        if shown:
            say(f"\n{title}:\n" + "\n\n".join(shown))


def _snippet(example: Example) -> Iterator[str]:
    """How an example differs from the capsule all start from, escaped, at most a few lines."""
    changes = [
        line
        for line in difflib.ndiff(BASE.split("\n"), example.text.split("\n"))
        if line[0] in "+-"
    ]
    added = [line[2:] for line in changes if line[0] == "+"]
    removed = [line[2:] for line in changes if line[0] == "-"]
    if example.profile != "interop":
        yield f"    (--profile {example.profile})"
    if not added:
        yield "    without: " + _escaped(removed[0] or "the blank line")
    for line in added[:_MOST]:
        yield "    " + _escaped(line)
    if len(added) > _MOST:
        yield f"    ... {len(added) - _MOST} more lines"


def _escaped(line: str) -> str:
    text = line.encode("unicode_escape").decode("ascii")
    return text if len(text) <= _ROOM else f"{text[:_ROOM]}..."
