"""`pcsf show`: a capsule, a state object or a chain at a glance."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from pcsf_lark.faces.cli.delivery import Output, deliver, once, spare
from pcsf_lark.faces.cli.terminal import colours, columns, say, show_report, tell, usage_error
from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.pages.capsule_view import CapsuleView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pcsf_lark.faces.pages.documents import View
    from pcsf_lark.faces.show.views import Keys

__all__ = ["command"]


def command(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH...",
            help="Capsules, state objects (JSON), chains (JSON lines, a relay's folder or store), "
            "folders of capsules, or - for standard input.",
        ),
    ],
    *,
    html: Annotated[
        bool, typer.Option("--html", help="Write one HTML page, which loads nothing.")
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Write Markdown, for an issue or a chat.")
    ] = False,
    key_file: Annotated[
        list[str] | None,
        typer.Option(
            "--key-file",
            metavar="FILE",
            help="Verify tags with this key: a file of mode 600 with 64 hex digits, or at least 32 "
            "raw bytes. Repeat it where keys were rotated. Default: none; a relay brings its own.",
            show_default=False,
        ),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="NAME",
            help="The session that the tags were made for, or whose windows of a store are shown. Default: the only one.",
            show_default=False,
        ),
    ] = None,
    master: Annotated[
        bool,
        typer.Option("--master", help="Take the file for a master key, and derive the session's."),
    ] = False,
    output: Output = None,
) -> None:
    """Show capsules, state objects and chains to a person, on the terminal or as a page.

    A file's content tells which it is. Several are one page, a section for each; state objects
    that follow one another are their chain. What is not conformant is shown as far as it can
    be read, with what is wrong, and exits 1.

    Examples:
        # See what a capsule holds, and where its bytes went.
        pcsf show capsule.pcsf
        #=> Search index  capsule.pcsf
        # Send it to somebody as one file.
        pcsf show --html capsule.pcsf -o capsule.html
        #=> writes capsule.html
        # See a chain of state objects, its tags verified.
        pcsf show --markdown signed.json next.json --key-file key --session s1
        #=> ## ...
    """
    if html and markdown:
        usage_error("give one of --html and --markdown, not both")
    if output is not None and not (html or markdown):
        usage_error("-o needs --html or --markdown: what is drawn for a terminal is not kept")
    once(paths)
    spare(paths, output)
    if html:
        _need_jinja()
    keys = _keys(key_file, session, master=master)
    from pcsf_lark.faces.show.views import views  # noqa: PLC0415 - what it brings is not for help

    found = views(paths, keys)
    raise typer.Exit(_document(found, output, html=html) if html or markdown else _drawn(found))


def _need_jinja() -> None:
    import importlib.util  # noqa: PLC0415 - for --html alone

    if importlib.util.find_spec("jinja2") is None:
        usage_error("HTML pages need the extra `html`: pip install 'pcsf-lark[html]'")


def _keys(key_file: list[str] | None, session: str | None, *, master: bool) -> Keys | None:
    if not key_file:
        if master:
            usage_error("--master goes with --key-file")
        if session is None:
            return None
    elif session is None:
        usage_error("--key-file needs --session: a tag is for one session")
    from pcsf_lark.faces.cli.cso.common import answered, ring  # noqa: PLC0415 - for keys alone
    from pcsf_lark.faces.show.views import Keys  # noqa: PLC0415 - likewise

    with answered():
        return Keys(tuple(ring(key_file or (), session, master=master)), session)


def _code(*, troubled: bool, unsound: bool) -> int:
    return 2 if troubled else int(unsound)


def _document(found: Iterable[View | Trouble], output: str | None, *, html: bool) -> int:
    """Write all views as one document; what cannot be read is told, and is not in it."""
    shown: list[View] = []
    troubled = False
    for view in found:
        if isinstance(view, Trouble):
            troubled = True
            tell(f"pcsf: {view}", err=True)
        else:
            shown.append(view)
    if shown:
        from pcsf_lark.faces.pages import documents  # noqa: PLC0415 - for documents alone

        text = documents.html(shown) if html else documents.markdown(shown)
        deliver(text.encode("utf-8", "backslashreplace"), output)
    elif not troubled:
        say("pcsf: there is nothing to show", err=True)
    return _code(troubled=troubled, unsound=not all(view.sound for view in shown))


def _drawn(found: Iterable[View | Trouble]) -> int:
    """Draw each view on the terminal as it comes; why one is unsound goes to stderr."""
    from pcsf_lark.faces.show.portrait import portrait  # noqa: PLC0415 - brings rich

    colour, width = colours(sys.stdout), columns(sys.stdout)
    troubled = unsound = False
    first = True
    for view in found:
        if isinstance(view, Trouble):
            troubled = True
            tell(f"pcsf: {view}", err=True)
            continue
        unsound = unsound or not view.sound
        if isinstance(view, CapsuleView) and not view.conformant:
            show_report(view.name, view.report, colour=colours(sys.stderr))
            continue
        if not first:
            say("")
        first = False
        portrait(view, colour=colour, width=width)
    return _code(troubled=troubled, unsound=unsound)
