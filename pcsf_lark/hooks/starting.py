"""At the start of a session: the head as context, as much of it as agents take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.hooks.recall import fingerprint, keep, recalled

if TYPE_CHECKING:
    from pcsf_lark.hooks.scene import Scene
    from pcsf_lark.relay import Repository

__all__ = ["MOST", "context", "kept"]

#: Characters of context; what is longer, Claude Code puts into a file instead.
MOST = 10_000
#: How many of them the state object gets, tried in turn; goal and constraints are never cut.
_BUDGETS = (6_000, 4_000, 2_000, 800, 0)


def context(scene: Scene) -> str:
    """`pcsf relay head --prompt` within the bound, empty before the first push.

    Where goal and constraints alone are too long, the head capsule is given alone.
    """
    before = fingerprint(scene.folder)
    text = recalled(scene.folder)
    if text is None:
        text = _made(scene)
        keep(scene.folder, before, text)
    return text


def kept(relay: Repository) -> None:
    """Make the text of a head that was just pushed, for the next start to find."""
    folder = relay.home.folder
    before = fingerprint(folder)
    if before:
        keep(folder, before, _text(relay))


def _made(scene: Scene) -> str:
    with scene.repository() as relay:
        return _text(relay)


def _text(relay: Repository) -> str:
    from pcsf_lark.relay import fenced, notes_of  # noqa: PLC0415 - a silent hook needs none of it

    for budget in _BUDGETS:
        text = relay.prompt(budget=budget)
        if _length(text) <= MOST:
            return text
    head = relay.head()
    notes = notes_of(head) if head is not None else None
    if head is None or notes is None or not notes.head:
        return ""
    what = "The state is too long to stand here; `pcsf relay head --prompt` has all of it."
    text = fenced(f"{what}\n\n{notes.head}", window=head.window_number)
    return text if _length(text) <= MOST else ""


def _length(text: str) -> int:
    """Characters as the agents count them: UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
