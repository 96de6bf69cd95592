"""`pcsf conformance report`: a run as a page, for people to read."""

from __future__ import annotations

import enum
import importlib.util
import re
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.cli.conformance.choosing import scored
from pcsf_lark.faces.cli.conformance.options import Asking, Choice
from pcsf_lark.faces.cli.delivery import Output, deliver, spare
from pcsf_lark.faces.cli.terminal import trouble, usage_error
from pcsf_lark.faces.files import STDIN, Trouble, read_text

if TYPE_CHECKING:
    from pcsf_lark.conformance.record import Run

__all__ = ["report"]

#: Bytes of a record that are read: far more than the suite can fill.
_MOST = 64 * 1024 * 1024
_DATE = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")


class Form(enum.StrEnum):
    """What is written."""

    html = "html"
    markdown = "markdown"


def report(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULTS.json | -- COMMAND...",
            help="The record of a run (- for standard input), or what to score.",
        ),
    ],
    *,
    html: Annotated[bool, typer.Option("--html", help="Write one self-contained page.")] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Write Markdown, short enough for a comment.")
    ] = False,
    output: Output = None,
    name: Annotated[
        str,
        typer.Option(
            metavar="TEXT", help="Call what is scored so, with its version. Default: the command."
        ),
    ] = "",
    date: Annotated[
        str, typer.Option(metavar="YYYY-MM-DD", help="Show this date. Default: none.")
    ] = "",
    choice: Choice,
    asking: Asking,
) -> None:
    """Write a run as a page to publish: scores, and what to mend.

    Runs a command as `pcsf conformance run` does, or takes the record that
    `run --format json` wrote: one word that ends in .json, or -, is a record.
    Scores by level, kind, rule and section; each wrong answer with the input,
    what was expected, what was answered, and the diagrams of the grammar it
    rests on. The same record gives the same page. Exits 1 unless all passed.

    Examples:
        # Score a decoder, and publish the page with its release.
        pcsf conformance report --html -o report.html --run valid/minimal -- true
        #=> writes report.html
        # Make the page later, of a record that is kept.
        pcsf conformance run --run valid/minimal --format json -- true >results.json
        pcsf conformance report results.json --markdown --name 'true 9.1'
        #=> # PCSF conformance: true 9.1
    """
    if html == markdown:
        usage_error("a report is --html or --markdown; name one of them")
    if date and not _DATE.fullmatch(date):
        usage_error(f"--date takes a day as YYYY-MM-DD, not {date!r}")
    if _is_record(what):
        spare(what, output)
    form = Form.html if html else Form.markdown
    if form is Form.html:
        _require_html()
    found = _record(what[0], choice, asking) if _is_record(what) else scored(what, choice, asking)
    deliver(_rendered(form, found, name, date).encode("utf-8"), output)
    raise typer.Exit(0 if found.clean else 1)


def _require_html() -> None:
    """Exit 2 before anything runs where the page could not be made."""
    from pcsf_lark.faces.pages.page import HtmlMissingError  # noqa: PLC0415 - for HTML alone

    if importlib.util.find_spec("jinja2") is None:
        trouble(HtmlMissingError())


def _is_record(what: list[str]) -> bool:
    return len(what) == 1 and (what[0] == STDIN or what[0].endswith(".json"))


def _record(path: str, choice: Choice, asking: Asking) -> Run:
    """The run that a file is the record of."""
    if choice != Choice() or asking != Asking():
        usage_error(f"{path} is the record of a run; options of runs belong to `-- COMMAND...`")
    try:
        text = read_text(path, _MOST)
    except Trouble as error:
        trouble(error)
    if text is None:
        usage_error(f"{path}: is longer than {_MOST:,} bytes; no record of a run is")
    from pcsf_lark.conformance.record_json import from_json  # noqa: PLC0415 - for records alone

    try:
        return from_json(text)
    except ValueError as error:
        usage_error(f"{path}: {error}")


def _rendered(form: Form, run: Run, name: str, date: str) -> str:
    from pcsf_lark.faces.pages.suite_view import suite_view  # noqa: PLC0415 - not for the help

    view = suite_view(run, name=name, date=date)
    if form is Form.html:
        from pcsf_lark.faces.pages.suite_page import suite_page  # noqa: PLC0415 - not for Markdown

        return suite_page(view)
    from pcsf_lark.faces.pages.suite_markdown import suite_markdown  # noqa: PLC0415 - not for HTML

    return suite_markdown(view)
