"""Session logs → histories: Pi, Claude Code, SWE-agent, OpenHands, Codex, chat documents.

    log = read_session(Path("session.jsonl"))
    log.messages       # core messages, as a model would see them
    log.diagnostics    # torn lines, ghost parents, other branches, …

Laws: files are read line by line where the format allows, never written; what cannot be
read is named and passed over; the same file always gives the same ids. Line-based
formats: pi, claude-code, codex, openhands-output. Documents: sweagent, openhands, chat.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from os import PathLike
from pathlib import Path
from typing import IO, Any, Final

from kernel.sessions import chat, claude_code, codex, openhands, pi, sweagent
from kernel.sessions.detect import detect_document, detect_line
from kernel.sessions.lines import Diagnostic, bounded, read_lines
from kernel.sessions.log import Entry, Log

__all__ = ["FORMATS", "Diagnostic", "Entry", "Log", "count_runs", "detect_format", "read_session"]

_LINES: Final[Mapping[str, Callable[[Iterable[bytes], str | None], Log]]] = {
    "pi": pi.read,
    "claude-code": claude_code.read,
    "codex": codex.read,
}
#: Formats whose log keeps what a compaction took out of the context.
_COMPACTED: Final = {"pi": pi.read, "claude-code": claude_code.read}
#: The names of the formats.
FORMATS: Final = (*_LINES, "openhands-output", "openhands", "sweagent", "chat")
_HEAD = 20
# A document is read whole, at several times its size; a line-based log may be any size.
_LARGEST: Final = 256 * 1024 * 1024

Watch = Callable[[int], None]


def detect_format(path: str | PathLike[str]) -> str:
    """Name the format of a log by its first objects; raises ValueError for a file that is none."""
    path = Path(path)
    with _opened(path) as file:
        for number, line in enumerate(read_lines(_headed(bounded(file)), [])):
            if number == 0 and not _is_line_based(path, line.text):
                break
            found = detect_line(line.value)
            if found is not None:
                return found
    return detect_document(_document(path)[0])


def _opened(path: Path) -> IO[bytes]:
    """Open a log; a pipe would be waited for, and could not be read twice."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise ValueError(f"{path.name} is no regular file: save the log to one first")
    return path.open("rb")


def _headed(file: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the first lines, so that a long document is not read as one."""
    for number, line in enumerate(file):
        if number >= _HEAD:
            return
        yield line


def _is_line_based(path: Path, first: str) -> bool:
    """Tell whether the first object is a line of its own and not the whole document."""
    if detect_line(json.loads(first)) is not None:
        return True
    return path.suffix == ".jsonl"


def _document(path: Path) -> tuple[Any, str]:
    with _opened(path) as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise ValueError(
            f"{path.name} is no line-based log, and larger than {_LARGEST >> 20} MiB, the most "
            f"for a JSON document: split it, or name its format if it has lines"
        )
    text = data.decode("utf-8-sig", "replace")
    if not text.strip("\0 \t\r\n"):
        raise ValueError(f"{path.name} is empty")
    try:
        return json.loads(text), text
    except (ValueError, RecursionError) as error:
        raise ValueError(
            f"{path.name} is neither a line-based log nor a JSON document ({error}): "
            f"name its format, one of {', '.join(FORMATS)}"
        ) from error


def read_session(
    path: str | PathLike[str],
    *,
    fmt: str | None = None,
    leaf: str | None = None,
    run: int = 0,
    watch: Watch | None = None,
    earlier: bool = False,
) -> Log:
    """Read a log; `leaf` chooses a branch by entry id, `run` a run of a file of several.

    `watch` is told the bytes read so far, line by line; `earlier` asks for the messages
    that a compaction summary stands for, too. Raises ValueError for an unreadable file or
    format, KeyError for an unknown leaf, IndexError for a run that is not there.

    >>> import json
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "talk.json")
    ...     _ = path.write_text(json.dumps({"messages": [{"role": "user", "content": "Use UTC."}]}))
    ...     log = read_session(path)
    >>> log.format, log.messages[0].text
    ('chat', 'Use UTC.')
    """
    path = Path(path)
    name = detect_format(path) if fmt is None else fmt
    if name in _LINES:
        with _opened(path) as file:
            if earlier and name in _COMPACTED:
                return _COMPACTED[name](bounded(file, watch), leaf, earlier=True)
            return _LINES[name](bounded(file, watch), leaf)
    if leaf is not None:
        raise ValueError(f"a log of format {name} has no branches: leave the leaf out")
    if name not in FORMATS:
        raise ValueError(f"no format is called {name!r}: use one of {', '.join(FORMATS)}")
    if name == "openhands-output":
        return openhands.read_runs(_runs(path, watch), run)
    document, text = _document(path)
    if name == "openhands":
        return openhands.read(document)
    if name == "sweagent":
        return sweagent.read(document)
    return chat.read(document, run, text)


def _runs(path: Path, watch: Watch | None = None) -> list[Mapping[str, Any]]:
    with _opened(path) as file:
        lines = read_lines(bounded(file, watch), [])
        return [line.value for line in lines if isinstance(line.value, Mapping)]


def count_runs(path: str | PathLike[str]) -> int:
    """Return how many runs a file holds; 1 for a log of one session.

    Raises ValueError for a file that is no log.
    """
    path = Path(path)
    name = detect_format(path)
    if name == "openhands-output":
        return len(_runs(path))
    if name == "chat":
        runs = chat.runs_of(_document(path)[0])
        return len(runs) if runs is not None else 1
    return 1
