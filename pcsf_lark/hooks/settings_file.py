"""Telling an agent of its hooks: a file of settings merged, or a file of our own put there.

Laws: a write is whole or not made; what is not ours stays, or the write is refused, with
what to do by hand; a second write changes nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from typing import TYPE_CHECKING, Any

from pcsf_lark.hooks.claude_settings import Unmergeable, merged

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Refused", "merge_settings", "put_file"]

#: How a file of ours begins.
_MARK = "// pcsf hook"
_LARGEST = 4 << 20
_INDENT = re.compile(r"\{\s*\n([ \t]+)\"")


class Refused(Exception):  # noqa: N818 - a refusal
    """A write that was not made: the file, and why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    def __str__(self) -> str:
        """``path: reason``."""
        return f"{self.path}: {self.reason}"


def merge_settings(path: Path, pcsf: tuple[str, ...]) -> bool:
    """Merge our hooks into Claude Code's settings; whether anything changed. Raises Refused."""

    def made(text: str | None) -> str | None:
        settings = {} if text is None or not text.strip() else _settings(path, text)
        try:
            wanted = merged(settings, pcsf)
        except Unmergeable as error:
            raise Refused(path, f"{error}; merge by hand what --print shows") from None
        return None if wanted == settings else _spelled(path, wanted, text or "")

    return _rewritten(path, made)


def put_file(path: Path, content: str) -> bool:
    """Put our own file in its place; whether anything changed. Raises Refused."""

    def made(text: str | None) -> str | None:
        if text is not None and not text.startswith(_MARK):
            raise Refused(path, "another file of that name is there; move it away first")
        return None if text == content else content

    return _rewritten(path, made)


def _settings(path: Path, text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise Refused(path, "is nested too deeply; merge by hand what --print shows") from None
    except ValueError as error:
        what = (
            "holds comments, which a merge would lose" if _is_jsonc(text) else f"no JSON: {error}"
        )
        raise Refused(path, f"{what}; merge by hand what --print shows") from None
    if not isinstance(value, dict):
        raise Refused(path, "is no JSON object; merge by hand what --print shows")
    return value


def _is_jsonc(text: str) -> bool:
    from kernel.projection.settings.jsonc import JsoncError, loads  # noqa: PLC0415 - to say why, alone

    try:
        loads(text)
    except JsoncError:
        return False
    return True


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _spelled(path: Path, value: dict[str, Any], like: str) -> str:
    """The settings as JSON, indented as they were."""
    indent = _INDENT.match(like.lstrip())
    try:
        text = json.dumps(value, indent=indent[1] if indent else 2, ensure_ascii=False)
        text = json.dumps(value, indent=indent[1] if indent else 2) if _lone(text) else text
        same = json.loads(text, parse_constant=_no_number) == value
    except ValueError as error:
        raise Refused(path, f"cannot be kept as it is: {error}") from None
    if not same:
        raise Refused(path, "cannot be kept as it is: a number would change")
    return text if like and not like.endswith("\n") else text + "\n"


def _lone(text: str) -> bool:
    return any("\ud800" <= one <= "\udfff" for one in text)


def _rewritten(path: Path, made: Callable[[str | None], str | None]) -> bool:
    """Make a file's text anew; nothing happens where that gives None."""
    try:
        target = path.resolve()
        before = _read(path, target)
        text = made(before)
        if text is None:
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        _swapped(path, target, before, text)
    except (OSError, RuntimeError) as error:
        raise Refused(path, getattr(error, "strerror", None) or str(error)) from None
    return True


def _read(path: Path, target: Path) -> str | None:
    try:
        status = target.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        raise Refused(path, f"is no plain file of at most {_LARGEST:,} bytes")
    try:
        return target.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise Refused(path, "is no UTF-8; merge by hand what --print shows") from None


def _swapped(path: Path, target: Path, before: str | None, text: str) -> None:
    beside = target.with_name(f".pcsf-{os.getpid()}-{os.urandom(4).hex()}.tmp")
    mode = stat.S_IMODE(target.stat().st_mode) if before is not None else None
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(beside, flags, 0o600 if mode is not None else 0o666), "wb") as out:
            out.write(text.encode("utf-8"))
            out.flush()
            os.fsync(out.fileno())
        if mode is not None:
            beside.chmod(mode)
        if _read(path, target) != before:
            raise Refused(path, "was changed by somebody else meanwhile; try again")
        beside.replace(target)
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
