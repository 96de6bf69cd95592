"""Views as one document: an HTML page, or Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.faces.pages.capsule_markdown import capsule_markdown
from pcsf_lark.faces.pages.capsule_view import CapsuleView
from pcsf_lark.faces.pages.page import page
from pcsf_lark.faces.pages.wording import cut

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pcsf_lark.faces.pages.chain_view import ChainView
    from pcsf_lark.faces.pages.state_view import StateView, Unreadable

    View = CapsuleView | StateView | ChainView | Unreadable

__all__ = ["html", "markdown"]

#: The most characters of Markdown of several views; an issue holds 65,536.
_MOST = 64_000
#: The most characters of a page's title, which stands on a tab and in a list of files.
_TITLE = 160


def html(views: Sequence[View]) -> str:
    """One page; several views are its sections, below a table of contents."""
    alone = all(isinstance(view, CapsuleView) for view in views)
    sheets = ("parts.css",) if alone else ("parts.css", "state.css")
    return page("show.html", _title(views), sheets=sheets, views=views)


def markdown(views: Sequence[View]) -> str:
    """The same as GitHub-flavoured Markdown, to be pasted into an issue or a chat.

    The first view is there whole, each further one where there is room; the rest are counted.
    """
    text, shown = "", 0
    for view in views:
        written = _written(view)
        if shown and len(text) + len(written) > _MOST:
            break
        text += "\n" * bool(shown) + written
        shown += 1
    left = len(views) - shown
    return f"{text}\nNot shown for want of room: {left:,} more.\n" if left else text


def _title(views: Sequence[View]) -> str:
    if len(views) == 1:
        return cut(views[0].topic or views[0].name, _TITLE)
    kinds = {view.kind for view in views}
    noun = kinds.pop() if len(kinds) == 1 else "part"
    return f"{len(views)} {noun}s" if noun != "unreadable" else f"{len(views)} files"


def _written(view: View) -> str:
    if isinstance(view, CapsuleView):
        return capsule_markdown(view)
    from pcsf_lark.faces.pages import state_markdown  # noqa: PLC0415 - a capsule needs no cso

    return state_markdown.written(view)
