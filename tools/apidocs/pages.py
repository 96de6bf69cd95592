"""The generated pages: each whole, or the part of a README between two marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apidocs.docstrings import ROOT
from apidocs.markdown import api
from apidocs.public import PAGES, PUBLIC
from apidocs.surface import SURFACE, surface

if TYPE_CHECKING:
    from collections.abc import Callable

    from apidocs.public import Page

__all__ = ["artefacts"]

_BEGIN, _END = "<!-- api: {} -->\n", "<!-- end of api -->\n"


def artefacts(notice: str) -> dict[str, Callable[[], str]]:
    """The writers of every page and of the surface's record."""

    def write(page: Page) -> Callable[[], str]:
        return lambda: _whole(page, notice) if page.title else _section(page, notice)

    return {**{page.path: write(page) for page in PAGES}, SURFACE: lambda: surface(notice)}


def _whole(page: Page, notice: str) -> str:
    head = (
        f"# {page.title}\n\n<!-- {notice} -->\n\n"
        "From the docstrings, with types. What the parts are for and how they are used\n"
        "together: [README.md](README.md).\n\n"
    )
    return head + api(page)


def _section(page: Page, notice: str) -> str:
    """A README as it stands, with what is between the marks anew; raises ValueError without."""
    text = (ROOT / page.path).read_text("utf-8")
    before, begin, rest = text.partition(_BEGIN.format(notice))
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{page.path} lacks the marks {begin!r} and {_END!r}")
    return f"{before}{begin}\n{_modules()}\n{api(page)}\n{end}{after}"


def _modules() -> str:
    """What is public, module by module, with the page of each."""
    own = next(page.path for page in PAGES if page.title is None)
    lines = ["| module | what it is | its names |", "|---|---|---|"]
    for one in PUBLIC:
        away = "" if one.page == own else f"../{one.page}".replace("../pcsf_lark/", "")
        lines.append(f"| `{one.name}` | {one.what} | [here]({away}#{one.name}) |")
    return "\n".join(lines) + "\n"
