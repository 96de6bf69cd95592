"""The page that every HTML report is: one file, nothing loaded, nothing run.

Laws of this module: a template extends ``page.html`` and fills its blocks; values
are escaped by the template engine, and made visible first where a browser would
hide or obey them; a name that a template does not know is a fault, not a blank.
The same values give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from pcsf_lark.faces.pages.visible import visible
from pcsf_lark.faces.pages.wording import cut

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["HtmlMissingError", "page"]

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPACE = re.compile(r"\s+")


class HtmlMissingError(Exception):
    """The template engine is not installed; the message is the mend."""

    def __init__(self) -> None:
        super().__init__("HTML pages need the extra `html`: pip install 'pcsf-lark[html]'")


@cache
def _environment() -> Environment:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined  # noqa: PLC0415 - an extra
    except ImportError:
        raise HtmlMissingError from None
    made = Environment(
        loader=PackageLoader("pcsf_lark.faces.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalized,
    )
    made.filters.update(number=lambda value: f"{value:,}", cut=cut)
    return made


def _finalized(value: object) -> object:
    """Text as it can be shown; what is markup already was made by a template."""
    return visible(value) if type(value) is str else value


def page(
    template: str, title: str, *, sheets: tuple[str, ...] = (), css: str = "", **values: object
) -> str:
    """An HTML page: ``template`` of this package, which extends ``page.html``.

    ``sheets`` are further style sheets beside the templates, and ``css`` is style as text:
    the policy of the page allows no other style, and no ``style`` attribute. Raises
    ``HtmlMissingError`` without the extra.
    """
    found = _environment()
    style = _tight("".join(map(_sheet, ("page.css", *sheets))) + css)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return found.get_template(template).render(title=title, style=style, digest=digest, **values)


@cache
def _sheet(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text("utf-8")


def _tight(css: str) -> str:
    """The style sheet without comments and with single spaces; `<` would end its element."""
    return _SPACE.sub(" ", _COMMENT.sub("", css)).replace("<", "").strip()
