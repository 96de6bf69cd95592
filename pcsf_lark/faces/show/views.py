"""What `pcsf show` is given, found out and made a view of: capsule, state object or chain.

Laws of this module: a file is what its bytes say, not what its name says; a folder
that holds a relay is its chain, and the capsules below it too. State objects that
follow one another by their tags are the chain they are.
"""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import field, frozen

from pcsf_lark.faces.files import STDIN, Trouble, find
from pcsf_lark.faces.pages.capsule_view import capsule_view
from pcsf_lark.faces.show.relay_places import is_folder_alone, is_relay
from pcsf_lark.source import Source
from pcsf_lark.spec import READ_LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    import cso
    from pcsf_lark.faces.pages.documents import View

__all__ = ["Keys", "views"]

_MARK = b"\xef\xbb\xbf"


@frozen
class Keys:
    """The keys that tags are verified with, and the session they are for."""

    ring: Sequence[cso.Key] = field(default=())
    session: str = ""


def views(paths: Sequence[str], keys: Keys | None = None) -> Iterator[View | Trouble]:
    """A view of everything that paths name, relays first; or why there is none."""
    keys = keys or Keys()
    for path in paths:
        if is_relay(path):
            from pcsf_lark.faces.show.relays import relay_view  # noqa: PLC0415 - for relays alone

            yield relay_view(path, keys)
    run: list[tuple[str, bytes]] = []
    for path, given in map(_given, find([path for path in paths if not is_folder_alone(path)])):
        if isinstance(given, bytes):
            run.append((path, given))
            continue
        yield from _states(run, keys)
        run = []
        yield given if isinstance(given, Trouble) else capsule_view(path, given)
    yield from _states(run, keys)


def _given(found: str | Trouble) -> tuple[str, Source | bytes | Trouble]:
    if isinstance(found, Trouble):
        return found.path, found
    try:
        return found, _read(found)
    except Trouble as error:
        return found, error


def _states(run: Sequence[tuple[str, bytes]], keys: Keys) -> Iterator[View]:
    """Views of neighbouring JSON files, which may be a chain together."""
    if run:
        from pcsf_lark.faces.show.states import state_views  # noqa: PLC0415 - brings cso

        yield from state_views(run, keys)


def _read(path: str) -> Source | bytes:
    """A file's capsule text, or the bytes of its JSON; raises Trouble."""
    try:
        if path == STDIN:
            return _taken(sys.stdin.buffer, None)
        with Path(path).open("rb") as stream:
            status = os.fstat(stream.fileno())
            return _taken(stream, status.st_size if stat.S_ISREG(status.st_mode) else None)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Trouble(
            path, "is a folder" if isinstance(error, IsADirectoryError) else reason
        ) from None
    except OverflowError:
        from cso import Limits  # noqa: PLC0415 - for this message alone

        raise Trouble(path, f"more than {Limits().max_bytes:,} bytes") from None


def _taken(stream: BinaryIO, size: int | None) -> Source | bytes:
    """Enough of a stream to know what it is, and then all that such a thing may have."""
    head = stream.read(READ_LIMIT + 1)
    if head.removeprefix(_MARK).lstrip()[:1] not in (b"{", b"["):
        return Source.of(head) if len(head) <= READ_LIMIT else Source(b"", size, oversize=True)
    from cso import Limits  # noqa: PLC0415 - for JSON alone

    data = head + stream.read(Limits().max_bytes + 1 - len(head))
    if len(data) > Limits().max_bytes:
        raise OverflowError
    return data
