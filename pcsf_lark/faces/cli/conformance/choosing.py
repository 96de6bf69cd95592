"""The cases that a call asks for, and the record of a run on them."""

from __future__ import annotations

import os
import shlex
import signal
from typing import TYPE_CHECKING

from pcsf_lark.faces.cli.conformance.options import Level, Role
from pcsf_lark.faces.cli.terminal import usage_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pcsf_lark.conformance import Case
    from pcsf_lark.conformance.record import Run
    from pcsf_lark.faces.cli.conformance.options import Asking, Choice

__all__ = ["chosen", "scored"]

_SHORTEST, _LONGEST = 0.01, 3600.0


def scored(command: Sequence[str], choice: Choice, asking: Asking) -> Run:
    """Run a command on the cases; a mistake in the call ends with exit code 2."""
    if not _SHORTEST <= asking.timeout <= _LONGEST:  # so that nan is none
        usage_error(f"--timeout takes {_SHORTEST} to {_LONGEST} seconds, not {asking.timeout}")
    if not hasattr(os, "killpg"):
        usage_error("scoring a command needs a POSIX system: what hangs is ended with its group")
    # A command may end without reading what it is given; that must not end us.
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    suite, found, skipped = chosen(choice, retry=asking.skip_must_fail)
    from importlib.metadata import version  # noqa: PLC0415 - for these commands alone

    from pcsf_lark.conformance.record import Run, Selection, recorded  # noqa: PLC0415 - likewise
    from pcsf_lark.faces.scoring import score  # noqa: PLC0415 - likewise

    try:
        outcomes = score(
            command,
            found,
            skipped,
            suite=suite,
            timeout=asking.timeout,
            jobs=asking.jobs or os.cpu_count() or 1,
            retry=asking.skip_must_fail,
        )
    except OSError as error:
        usage_error(f"{command[0]}: {error.strerror}")
    return Run(
        title=f"{shlex.join(command)} ({choice.role.value}, level {choice.level.value})",
        rows=recorded(outcomes),
        command=tuple(command),
        role=choice.role.value,
        level=choice.level.value,
        version=version("pcsf-lark"),
        suite=len(suite),
        selection=Selection(
            run=tuple(choice.run or ()),
            skip=tuple(choice.skip or ()),
            index=tuple(choice.index or ()),
            must_fail=asking.skip_must_fail,
        ),
        timeout=asking.timeout,
    )


def chosen(
    choice: Choice, *, retry: bool = False
) -> tuple[tuple[Case, ...], list[Case], list[Case]]:
    """All cases, those asked for, and those left out.

    Nothing to ask is a mistake in the call; with ``retry`` skipped ones are asked too.
    """
    from pcsf_lark import conformance  # noqa: PLC0415 - for these commands alone
    from pcsf_lark.conformance.suite import index as names_of  # noqa: PLC0415 - likewise

    role, level = choice.role, choice.level
    if role is not Role.decoder and level is not Level.verdict:
        usage_error(f"--level is for decoders; what --as {role.value} writes is held to its bytes")
    suite = found = conformance.cases(role.value, level.value)
    for name in choice.index or ():
        try:
            names = names_of(name)
        except KeyError as error:
            usage_error(str(error.args[0]))
        found = tuple(case for case in found if case.name.partition("+")[0] in names)
    wanted, skipped = conformance.select(found, choice.run or (), choice.skip or ())
    if not wanted and not (retry and skipped):
        usage_error("no case is selected; `pcsf conformance list` names them all")
    return suite, wanted, skipped
