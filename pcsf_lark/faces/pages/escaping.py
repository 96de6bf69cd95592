"""Content in Markdown, such that it stays content.

What GitHub and others make structure of is escaped: markup, HTML, tables, links
written out or in brackets, mentions, references, emoji names, formulas. The places
of the last ones are found in the text after it was read as Markdown, where no
escape reaches: a zero-width space stands between there.
"""

from __future__ import annotations

import re

from pcsf_lark.faces.pages.visible import visible

__all__ = ["code", "inline", "start"]

_MARKUP = re.compile(r"[\\`*\[\]|~]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "$": "&#36;"}
_ENTITY = re.compile("[&<>$]")
#: Where a link, mention, reference or emoji would begin; a break goes behind it.
_LINKED = re.compile(
    r"@|\#(?=\w)|\bGH-(?=\d)|\bwww(?=\.)|\b(?:https?|ftp|mailto|xmpp)(?=:)|:(?=[\w+-]+:)",
    re.IGNORECASE,
)
_BREAK = "&#8203;"
_BLOCK = re.compile(r"(?:[#+=-]|\d{1,9}(?=[.)]))")


def inline(text: str) -> str:
    """Text inside a line; its own line ends become spaces."""
    flat = " ".join(visible(text).split())
    flat = _ENTITY.sub(lambda match: _ENTITIES[match[0]], flat)
    flat = _MARKUP.sub(r"\\\g<0>", flat)
    # Entities were written above: their `#` is followed by a digit, so it is left alone.
    return re.sub(
        r"&(?:amp|lt|gt|#36);|" + _LINKED.pattern,
        lambda match: match[0] if match[0][0] == "&" else match[0] + _BREAK,
        flat,
        flags=re.IGNORECASE,
    )


def start(text: str) -> str:
    """Text that begins a line or an item, where `#`, `-` and `1.` would have a meaning."""
    found = inline(text)
    match = _BLOCK.match(found)
    if match is None:
        return found
    if match[0].isdigit():
        return f"{match[0]}\\{found[match.end() :]}"
    return "\\" + found


def code(text: str) -> str:
    """Text as it stands, between as many backticks as it needs; for places inside a line."""
    flat = " ".join(visible(text).split())
    if not flat:
        return ""
    longest = max((len(run) for run in re.findall("`+", flat)), default=0)
    fence = "`" * (longest + 1)
    edge = " " if flat[0] == "`" or flat[-1] == "`" else ""
    return f"{fence}{edge}{flat}{edge}{fence}"
