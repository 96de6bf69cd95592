"""Text folded to the width of a screen: between words, by the columns that they take.

Laws: no word is cut, and none is lost; lines that fit stay as they are; what goes on below
a line is indented under it.
"""

from __future__ import annotations

import re

from pcsf_lark.report.text import width

__all__ = ["folded"]

_LEAD = re.compile(r"\s*(?:[-+*] |\d+\. )?")
#: Narrower than this nothing can be read, however it is folded.
_LEAST = 20


def folded(text: str, columns: int | None, *, taken: int = 0, hang: int | None = None) -> str:
    """Each line of a text in at most ``columns``; None leaves it as it is.

    ``taken`` columns of the first line are used already. What is folded is indented as
    its line is and two columns more, or by ``hang``.
    """
    if columns is None:
        return text
    columns = max(columns, _LEAST)
    lines = text.split("\n")
    if len(lines) == 1:
        return _folded(text, columns, taken, hang)
    return "\n".join(
        _folded(line, columns, 0 if n else taken, hang) for n, line in enumerate(lines)
    )


def _folded(line: str, columns: int, taken: int, hang: int | None) -> str:
    if taken + width(line) <= columns:
        return line
    found = _LEAD.match(line)
    lead = found.group() if found else ""
    indent = " " * min(len(lead) + 2 if hang is None else hang, columns // 2)
    done: list[str] = []
    here, used = lead, taken + width(lead)
    empty = not taken  # whether a word too long for the line may stand in it at once
    for gap, word in re.findall(r"(\s*)(\S+)", line[len(lead) :]):
        needs = width(gap) + width(word)
        if used + needs > columns and not empty:
            done.append(here.rstrip())
            here, used = indent + word, len(indent) + width(word)
        else:
            here, used = here + gap + word, used + needs
        empty = False
    return "\n".join([*done, here])
