"""The page of a suite run, in HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pcsf_lark.faces.pages.page import page
from pcsf_lark.faces.pages.suite_diagrams import STYLE

if TYPE_CHECKING:
    from pcsf_lark.faces.pages.suite_view import SuiteView

__all__ = ["suite_page"]


def suite_page(view: SuiteView) -> str:
    """The page; raises ``HtmlMissingError`` without the extra."""
    return page(
        "suite.html", f"{view.title}: PCSF conformance", sheets=("suite.css",), css=STYLE, view=view
    )
