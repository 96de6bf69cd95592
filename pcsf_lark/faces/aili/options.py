"""What every command of `pcsf aili` takes and how it answers.

    @verb                                  a command that reads
    @verb(writes=True)                     one that appends; it gets --dry-run
    def sweep(now: Opened, limit: …) -> None: …

A decorated function is given the log opened; the command line it makes takes FILE first,
then the function's own arguments, then the options all of them have. Exit codes: 0 done,
1 refused, 2 a wrong call, or what cannot be read or written.
"""

from __future__ import annotations

import functools
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pcsf_lark.faces.aili.log import Given, opened
from pcsf_lark.faces.aili.saying import answered, note

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["verb"]

_KIND = Parameter.KEYWORD_ONLY
_LOG = Annotated[str, typer.Argument(metavar="FILE", help="A Pi session log.")]


def _option(kind: Any, name: str, words: str, default: Any = None, **more: Any) -> Parameter:
    field = name.removeprefix("--").replace("-", "_")
    option = typer.Option(name, help=words, show_default=False, **more)
    return Parameter(field, _KIND, default=default, annotation=Annotated[kind, option])


_COMMON = (
    _option(
        str | None,
        "--leaf",
        "The entry whose branch is taken. Default: the last line's, as Pi opens it.",
        metavar="ID",
    ),
    _option(bool, "--json", "Answer a program: one JSON object.", default=False),
    _option(
        str | None,
        "--config",
        "The one settings file, instead of the user's and the project's.",
        metavar="FILE",
    ),
    _option(
        int | None,
        "--window",
        "Tokens the model's window holds. Default: unknown, and no pressure is seen.",
        metavar="N",
        min=1,
    ),
    _option(
        str | None,
        "--provider",
        "Whose estimates count. Default: the provider in force at the leaf.",
        metavar="NAME",
    ),
    _option(str | None, "--model", "Likewise the model.", metavar="NAME"),
)
_DRY = Parameter(
    "dry",
    _KIND,
    default=False,
    annotation=Annotated[
        bool, typer.Option("--dry-run", help="Write nothing; say what would be appended.")
    ],
)
_PATH = Parameter("path", _KIND, annotation=_LOG)


def verb(work: Callable[..., None] | None = None, *, writes: bool = False) -> Callable[..., Any]:
    """Make a command of a function that is given a log opened, and its own arguments."""
    if work is None:
        return functools.partial(verb, writes=writes)
    own = list(signature(work, eval_str=True).parameters.values())[1:]
    shared = (*_COMMON, *((_DRY,) if writes else ()))
    taken = ("path", *(parameter.name for parameter in shared))

    def command(**values: Any) -> None:
        given = Given(**{name: values.pop(name) for name in taken})
        with answered(given):
            now = opened(given)
            note(now)
            work(now, **values)

    parameters = [_PATH, *(one.replace(kind=_KIND) for one in own), *shared]
    command.__name__, command.__doc__ = work.__name__, work.__doc__
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined] # what typer reads
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command
