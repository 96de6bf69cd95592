"""Window chains as the package `crprotocol` computes them, for interop (R48).

Six fields joined by U+241F; the parents of a fan-in sorted and joined by `|`.
`compat="concatenation"` is the literal reading of SPEC-011: it is ambiguous (windows 1 and
12 of sessions `a1` and `a` collide) and here only to check foreign tags.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from attrs import frozen

from cso.chain import ChainStatus, Verdict
from cso.keys import Key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Compat", "Window", "chain_tags", "verify_windows", "window_message", "window_tag"]


class Compat(StrEnum):
    """Whose way of making one message of a window's fields is followed."""

    CRPROTOCOL = "crprotocol"
    CONCATENATION = "concatenation"


_BETWEEN = {Compat.CRPROTOCOL: "\u241f", Compat.CONCATENATION: ""}
"""What stands between the fields."""


@frozen(kw_only=True)
class Window:
    """What a window tag covers besides its session and parents."""

    window_number: int
    timestamp: str
    response_hash: str
    dpe_report_hash: str = ""


def window_message(
    session: str,
    window: Window,
    parents: Iterable[str] = (),
    compat: Compat | str = Compat.CRPROTOCOL,
) -> bytes:
    """Give the bytes under a window's tag; ValueError for a `compat` that is none."""
    fields = (
        session,
        str(window.window_number),
        window.timestamp,
        window.response_hash,
        window.dpe_report_hash,
        "|".join(sorted(parents)),
    )
    return _BETWEEN[Compat(compat)].join(fields).encode()


def window_tag(
    key: Key | bytes,
    session: str,
    window: Window,
    parents: Iterable[str] = (),
    compat: Compat | str = Compat.CRPROTOCOL,
) -> str:
    """Give a window's tag; no parent at genesis, one in a line, more in a fan-in."""
    signer = key if isinstance(key, Key) else Key(key)
    return signer.sign(window_message(session, window, parents, compat))


def chain_tags(
    key: Key | bytes,
    session: str,
    windows: Iterable[Window],
    compat: Compat | str = Compat.CRPROTOCOL,
) -> tuple[str, ...]:
    """Give the tags of a linear chain, from genesis on."""
    tags: list[str] = []
    for window in windows:
        tags.append(window_tag(key, session, window, tags[-1:], compat))
    return tuple(tags)


def verify_windows(
    key: Key | bytes,
    session: str,
    windows: Sequence[Window],
    tags: Sequence[str],
    *,
    parent: str | None = None,
    compat: Compat | str = Compat.CRPROTOCOL,
) -> Verdict:
    """Judge a linear chain of windows by recomputing its tags in order.

    PARTIAL when it starts from a given `parent` tag; UNVERIFIED for an empty chain
    or a lone first window.
    """
    signer = key if isinstance(key, Key) else Key(key)
    previous = parent or ""
    for index, (window, tag) in enumerate(zip(windows, tags, strict=True)):
        signed = window_message(session, window, (previous,) if previous else (), compat)
        if not signer.matches(signed, tag):
            return Verdict(ChainStatus.BROKEN, "tag mismatch", index, window.window_number)
        previous = tag
    if parent:
        return Verdict(ChainStatus.PARTIAL, "starts from a given tag")
    if len(windows) < 2:
        return Verdict(ChainStatus.UNVERIFIED, "nothing to link")
    return Verdict(ChainStatus.VALID)
