"""Where the cursor stands in a command line, and what may stand there.

Laws: pure, over the tree of commands that typer builds; the words before the cursor are
read as the commands themselves would read them, and one that they would refuse spoils
nothing after it.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Candidate", "Place", "candidates", "child", "pieced"]

#: Kind, value, meaning; see the package.
Candidate = tuple[str, str, str]
#: Where bash breaks words that no blank breaks.
_BREAKS = "=:"


class Place(NamedTuple):
    """A value is to stand here: of which command's parameter, after which of its values.

    ``path`` are the command's names without the first, ``given`` the values so far by
    the parameter's name, ``word`` what stands of the value at the cursor.
    """

    path: tuple[str, ...]
    parameter: Any
    given: dict[str, list[str]]
    word: str


def pieced(raw: Sequence[str], *, apart: bool) -> tuple[list[str], str, int]:
    """The words before the one at the cursor, that one, and how much of it the shell keeps.

    ``raw`` are words as they are typed, the one at the cursor last. Quotes are taken off,
    and nothing is expanded. ``apart``: `--format=json` may come as three words.
    """
    *words, typed = [_bare(word) for word in raw] or [""]
    if not apart:
        return words, typed, 0
    joined: list[str] = []
    glued = False
    for word in [*words, typed]:
        breaks = bool(word) and not word.strip(_BREAKS)
        if joined and (breaks or glued):
            joined[-1] += word
        else:
            joined.append(word)
        glued = breaks
    *words, whole = joined
    kept = len(whole) if typed and not typed.strip(_BREAKS) else len(whole) - len(typed)
    return words, whole, kept


def _bare(word: str) -> str:
    """A word as a shell would hand it over, without expansions; quotes may be open."""
    reader = shlex.shlex(word, posix=True, punctuation_chars="")
    reader.whitespace, reader.commenters, reader.whitespace_split = "", "", True
    try:
        return reader.get_token() or ""
    except ValueError:  # a quote or an escape that is not ended yet
        return reader.token or ""


def candidates(root: Any, words: Sequence[str], typed: str) -> Iterator[Candidate]:
    """What may stand at the cursor, after ``words`` and with ``typed`` begun."""
    from pcsf_lark.faces.cli.completion.values import values  # noqa: PLC0415 - its tables, where no value is typed, would be for nothing

    command, path, waiting, given, over = _walked(root, words)
    if waiting is not None:
        yield from values(Place(path, waiting, given, typed))
        return
    if not over and typed.startswith("-") and typed != "-":
        name, sign, rest = typed.partition("=")
        option = _options(command).get(name) if sign else None
        if option is None:
            yield from _named(command, given, typed)
        else:
            for kind, value, meaning in values(Place(path, option, given, rest)):
                yield kind, f"{name}={value}" if kind == "value" else value, meaning
        return
    if _is_group(command):
        yield from _commands(command)
        return
    if not over and typed == "-":
        yield from _named(command, given, typed)
    parameter = _argument(command, len(given.get("", ())))
    if parameter is not None:
        yield from values(Place(path, parameter, given, typed))


def _walked(
    root: Any, words: Sequence[str]
) -> tuple[Any, tuple[str, ...], Any, dict[str, list[str]], bool]:
    """The command reached, its path, the option that waits for a value, what is given."""
    command, waiting, over = root, None, False
    path: tuple[str, ...] = ()
    given: dict[str, list[str]] = {"": []}
    for word in words:
        if waiting is not None:
            given.setdefault(waiting.name, []).append(word)
            waiting = None
        elif word == "--" and not over:
            over = True
        elif word.startswith("-") and word != "-" and not over:
            name, sign, value = word.partition("=")
            option = _options(command).get(name)
            if option is not None:
                given.setdefault(option.name, []).extend([value] if sign else [])
                waiting = None if sign or _is_flag(option) else option
        elif _is_group(command):
            found = child(command, word)
            if found is None:
                return _Nothing, path, None, {}, over
            command, path, given = found, (*path, word), {"": []}
        else:
            parameter = _argument(command, len(given[""]))
            given[""].append(word)
            if parameter is not None:
                given.setdefault(parameter.name, []).append(word)
    return command, path, waiting, given, over


class _Nothing:
    """Stands for a command that there is not: nothing may follow it."""

    params: tuple[Any, ...] = ()


def _is_group(command: Any) -> bool:
    return hasattr(command, "list_commands")


def child(group: Any, name: str) -> Any:
    """A command of a group, whole; None where there is none of that name."""
    if name not in group.list_commands(None):
        return None
    load = getattr(group, "load", None)
    return load(name) if load else group.get_command(None, name)


def _commands(group: Any) -> Iterator[Candidate]:
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        if not command.hidden:
            yield "value", name, _first(command.help or "")


def _is_flag(option: Any) -> bool:
    return bool(option.is_flag or option.count)


def _options(command: Any) -> dict[str, Any]:
    """The command's options by each of their names."""
    return {
        name: parameter
        for parameter in _parameters(command)
        if parameter.param_type_name == "option"
        for name in (*parameter.opts, *parameter.secondary_opts)
    }


def _parameters(command: Any) -> Sequence[Any]:
    """With the option of help, which typer makes only for a call."""
    if command is _Nothing:
        return ()
    import typer  # noqa: PLC0415 - what splits words and walks the tree needs none

    context = typer.Context(command, help_option_names=["-h", "--help"])
    found: Sequence[Any] = command.get_params(context)
    return found


def _named(command: Any, given: dict[str, list[str]], typed: str) -> Iterator[Candidate]:
    """The options that may still be given; short names where nothing else is typed."""
    for name, option in _options(command).items():
        spent = option.name in given and not option.multiple
        if not option.hidden and not spent and (name.startswith("--") or typed == "-"):
            yield "value", name, _first(option.help or "")


def _argument(command: Any, position: int) -> Any:
    """The parameter that takes the value at a position; the last one may take all the rest."""
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            if parameter.nargs == -1 or position < parameter.nargs:
                return parameter
            position -= parameter.nargs
    return None


def _first(text: str) -> str:
    """The first paragraph of a help text, on a line."""
    return " ".join(text.partition("\n\n")[0].split()).rstrip(".")
