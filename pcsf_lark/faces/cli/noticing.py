"""What `prompt resume` and `resume` share: the capsule, and what the rules found in it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from pcsf_lark.errors import CapsuleError
from pcsf_lark.faces.cli.delivery import source
from pcsf_lark.faces.cli.terminal import colours, show_refusal, usage_error
from pcsf_lark.faces.noticing import notice
from pcsf_lark.values import is_real_time, is_timestamp

if TYPE_CHECKING:
    from pcsf_lark.protocols.notice import Notice

__all__ = ["noticed", "timestamp"]


def noticed(path: str, *, now: str | None = None, context_time: str | None = None) -> Notice:
    """Read a capsule and judge it; exits 1 where it is not conformant, 2 where it is not there."""
    text = source(path)
    try:
        return notice(text, now=now, context_time=context_time)
    except CapsuleError as error:
        show_refusal(path, error, colour=colours(sys.stderr), source=text)
        raise typer.Exit(1) from None


def timestamp(option: str, value: str | None) -> str | None:
    """The value of an option that takes a time; exits 2 where it is none."""
    if value is not None and not (is_timestamp(value) and is_real_time(value)):
        usage_error(f"{option} takes a time such as 2026-05-04T09:30Z, not {value!r}")
    return value
