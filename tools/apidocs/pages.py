"""The generated pages of the API, and their table of contents in a README between two marks."""

from __future__ import annotations

from posixpath import relpath
from typing import TYPE_CHECKING

from apidocs.docstrings import ROOT
from apidocs.markdown import api
from apidocs.public import PAGES, PUBLIC
from apidocs.surface import SURFACE, surface

if TYPE_CHECKING:
    from collections.abc import Callable

    from apidocs.public import Page

__all__ = ["README", "artefacts", "modules"]

#: The page that people write, with the table of what is public.
README = "pcsf_lark/README.md"

_BEGIN, _END = "<!-- api: {} -->\n", "<!-- end of api -->\n"


def artefacts(notice: str) -> dict[str, Callable[[], str]]:
    """The writers of every page, of the table of modules and of the surface's record."""

    def write(page: Page) -> Callable[[], str]:
        return lambda: _whole(page, notice)

    return {
        **{page.path: write(page) for page in PAGES},
        README: lambda: _contents(notice),
        SURFACE: lambda: surface(notice),
    }


def _whole(page: Page, notice: str) -> str:
    head = (
        f"# {page.title}\n\n<!-- {notice} -->\n\n"
        "From the docstrings, with types. What the parts are for and how they are used\n"
        "together: [README.md](README.md).\n\n"
    )
    return head + api(page)


def _contents(notice: str) -> str:
    """The README as it stands, with what is between the marks anew; raises ValueError without."""
    text = (ROOT / README).read_text("utf-8")
    mark = _BEGIN.format(notice)
    before, begin, rest = text.partition(mark)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError(f"{README} lacks the marks {mark!r} and {_END!r}")
    return f"{before}{begin}\n{modules()}\n{end}{after}"


def modules() -> str:
    """What is public, module by module, with the page of each."""
    here = README.rpartition("/")[0]
    lines = ["| module | what it is | its names |", "|---|---|---|"]
    lines += [
        f"| `{one.name}` | {one.what} | [here]({relpath(one.page, here)}#{one.name}) |"
        for one in PUBLIC
    ]
    return "\n".join(lines) + "\n"
