"""The kernel's state beside a session log: `LOG.kernel.json`.

Laws: the file is replaced whole or not at all, by one process at a time, and never over
a state its writer has not read; it names its log, and a state of another log is refused.
The content store is not in it: the log has every text.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import frozen

from kernel import CompressionState, state_from_json, to_json
from pcsf_lark.faces.files import Trouble, write
from pcsf_lark.faces.session.log import fingerprint, fits

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kernel.sessions import Log

__all__ = ["Refused", "Stored", "load", "locked", "place_of", "save"]

_VERSION = 1
_PATIENCE = 30.0
_PAUSE = 0.02


class Refused(Exception):  # noqa: N818 - the exit code's own word
    """What was asked for makes no sense here, and why; the log and its state are as before."""


@frozen
class Stored:
    """A state, and the bytes it was read from; None where there was no file."""

    state: CompressionState
    data: bytes | None = None
    leaf: str | None = None


def place_of(path: str) -> str:
    """Where the state of a log lies."""
    return f"{path}.kernel.json"


def load(path: str, log: Log, run: int = 0) -> Stored:
    """Read the state beside a log; raises Trouble, and Refused where it is of another log."""
    place = place_of(path)
    data = _bytes(place)
    if data is None:
        return Stored(CompressionState())
    try:
        document = json.loads(data)
        about, state = document["log"], state_from_json(document["state"])
        _require_sound(document["kernel"], state)
        prefix, name, leaf = dict(about["prefix"]), about.get("path"), about.get("leaf")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise Trouble(place, f"is no state of the kernel ({error!r}); move it away") from None
    if about.get("run", 0) != run:
        raise Refused(f"{place}: is the state of run {about.get('run')}, not of run {run}")
    if not fits(prefix, path, log):
        raise Refused(
            f"{place}: is the state of another log ({name}), or the log was rewritten "
            "since: its beginning differs; move the state away to start anew"
        )
    return Stored(state, data, leaf if isinstance(leaf, str) else None)


def _bytes(place: str) -> bytes | None:
    try:
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(Path(place).stat().st_mode):
                raise Trouble(place, "is no regular file; the state belongs there")
            return Path(place).read_bytes()
    except (OSError, ValueError) as error:
        raise Trouble(place, getattr(error, "strerror", None) or str(error)) from None
    return None


def _require_sound(version: object, state: CompressionState) -> None:
    """Refuse what cannot be a state before anything relies on it."""
    if version != _VERSION:
        raise ValueError(f"version {version!r}, this program knows {_VERSION}")
    refs = state.message_refs
    texts = [*refs.by_raw, *refs.by_raw.values(), *refs.by_ref, *refs.by_ref.values()]
    numbers: list[object] = [state.next_block_id, state.next_run_id]
    numbers += [state.stats.tokens_compressed, state.stats.compression_count]
    numbers += [*dict(state.token_snapshot).values()]
    for block in state.blocks:
        texts += [block.block_id, block.run_id, block.summary, block.topic or ""]
        texts += [*block.effective_message_ids, *block.direct_message_ids, *block.direct_block_ids]
        numbers += [block.tier, block.survived_count, block.created_at]
        numbers += [block.compressed_tokens or 0]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("an id, ref or summary is no text")
    if not all(isinstance(number, int | float) for number in numbers):
        raise TypeError("a count is no number")


@contextlib.contextmanager
def locked(path: str) -> Iterator[None]:
    """Keep other processes of ours from changing the state of a log; raises Trouble.

    The log itself is what is locked, since the state is replaced by each writer.
    """
    try:
        import fcntl  # noqa: PLC0415 - not on every system
    except ImportError:
        yield
        return
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (OSError, ValueError) as error:
        raise Trouble(path, getattr(error, "strerror", None) or str(error)) from None
    try:
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    raise Trouble(path, "another process is changing its state") from None
                time.sleep(_PAUSE)
            except OSError:
                break  # a file system without locks; `save` still compares
        yield
    finally:
        os.close(handle)


def save(path: str, log: Log, stored: Stored, state: CompressionState, run: int = 0) -> None:
    """Put a state beside its log in place of the one that was read; raises Trouble, Refused."""
    place = place_of(path)
    if _bytes(place) != stored.data:
        raise Refused(f"{place}: was changed by another process meanwhile; try again")
    about = {
        "path": str(Path(path).resolve()),
        "format": log.format,
        "session": log.session_id,
        "leaf": log.leaf,
        "run": run,
        "prefix": fingerprint(path, log),
    }
    document: Mapping[str, Any] = {"kernel": _VERSION, "log": about, "state": to_json(state)}
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    write(place, (text + "\n").encode("utf-8", "backslashreplace"))
