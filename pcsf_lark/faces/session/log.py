"""Session logs at the edge: reading one, and telling it from another.

Law: a log is read, never written. Its fingerprint holds while the log only grows: the
bytes read of a line-based log, the messages read of a document, which is written anew
each time.
"""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel.sessions import detect_format, read_session
from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.progress import doing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kernel import CoreMessage
    from kernel.sessions import Log

__all__ = ["fingerprint", "fits", "read_log", "written"]

#: Formats that grow by lines; the others are documents.
_GROWING = frozenset({"pi", "claude-code", "codex", "openhands-output"})
_CHUNK = 1 << 20


def read_log(
    path: str,
    *,
    fmt: str | None = None,
    leaf: str | None = None,
    run: int = 0,
    earlier: bool = False,
) -> Log:
    """Read a log, and tell on a terminal how far it is; raises Trouble.

    With ``earlier`` also the messages that its compaction summaries stand for.
    """
    if run < 0:
        raise Trouble(path, f"there is no run {run}; they are counted from 0")
    try:
        size = Path(path).stat().st_size
        with doing(f"reading {Path(path).name}", size, "bytes") as watch:
            name = detect_format(Path(path)) if fmt is None else fmt
            log = read_session(
                Path(path), fmt=name, leaf=leaf, run=run, watch=watch, earlier=earlier
            )
    except OSError as error:
        reason = error.strerror
        if isinstance(error, IsADirectoryError):
            reason = "is a folder; name a file"
        raise Trouble(path, reason or str(error)) from None
    except KeyError as error:
        raise Trouble(path, str(error.args[0])) from None
    except IndexError:
        raise Trouble(path, f"there is no run {run}; they are counted from 0") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise Trouble(path, f"cannot be read as a session: {_short(error)}") from None
    except (MemoryError, RecursionError):
        raise Trouble(path, "cannot be read as a session: too large or too deep") from None
    if not log.messages:
        lost = "".join(f"; line {note.line}: {note.message}" for note in log.diagnostics[:3])
        raise Trouble(path, f"holds no messages (read as {name}); is it a session log?{lost}")
    return log


def written(path: str) -> str:
    """When a file was last written: as close to its last message as can be told."""
    moment = datetime.fromtimestamp(Path(path).stat().st_mtime, UTC)
    return moment.strftime("%Y-%m-%dT%H:%MZ")


def _short(error: Exception) -> str:
    text = str(error)
    return text if len(text) <= 300 else text[:300] + "…"


def fingerprint(path: str, log: Log) -> dict[str, Any]:
    """What tells this log from another, now and when it has grown."""
    size = Path(path).stat().st_size
    if log.format in _GROWING and size:
        return {"bytes": size, "sha256": _bytes_digest(path, size)}
    count = len(log.messages)
    return {"messages": count, "sha256": _message_digest(log.messages)}


def fits(prefix: Mapping[str, Any], path: str, log: Log) -> bool:
    """Whether a log begins with what a fingerprint was taken of."""
    size, count = prefix.get("bytes"), prefix.get("messages")
    if isinstance(size, int):
        return prefix.get("sha256") == _bytes_digest(path, size)
    if isinstance(count, int) and count <= len(log.messages):
        return prefix.get("sha256") == _message_digest(log.messages[:count])
    return False


def _bytes_digest(path: str, size: int) -> str | None:
    """The digest of the first bytes, None where there are not as many."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as stream:
        while size > 0:
            chunk = stream.read(min(size, _CHUNK))
            if not chunk:
                return None
            digest.update(chunk)
            size -= len(chunk)
    return digest.hexdigest()


def _message_digest(messages: Sequence[CoreMessage]) -> str:
    digest = hashlib.sha256()
    for message in messages:
        for part in (message.id, message.role, message.content_type, message.text or ""):
            digest.update(f"{len(part)}:{part}".encode("utf-8", "replace"))
    return digest.hexdigest()
