"""A configuration: what ``pcsf.toml`` or ``[tool.pcsf]`` says, checked and ready to ask.

Laws of this file: a key or a value that is not known is an error that names
the nearest one; nothing is passed over. Patterns are relative to the file's
folder and work like those of ``.gitignore``: without a slash they match a name
at any depth, with one a path from the top; what is below a match matches too.
"""

from __future__ import annotations

import os
import re
import tomllib
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import field, frozen

from pcsf_lark.diagnostics import Severity
from pcsf_lark.faces.config import NAMES
from pcsf_lark.faces.files import Trouble
from pcsf_lark.rules import NEARLY_SPENT, resolve
from pcsf_lark.spec import LIMIT, PROFILES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["ConfigError", "Settings", "read"]

_T = TypeVar("_T")
_SHARED = NAMES[1]
_SEVERITIES = tuple(severity.value for severity in Severity)


class ConfigError(Trouble):
    """A configuration that cannot be used: which file, which key, what is wrong."""

    def __init__(self, path: str, key: str, reason: str) -> None:
        super().__init__(path, f"{key}: {reason}" if key else reason)


@frozen(eq=False, slots=False, kw_only=True)
class Settings:
    """What holds for the files below a folder; None where the configuration is silent."""

    root: Path
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(factory=dict)
    exclude: tuple[str, ...] = ()
    severity: Mapping[str, Severity] = field(factory=dict)
    fail_on: Severity | None = None
    profile: str | None = None
    budget: int = NEARLY_SPENT

    def excludes(self, path: str) -> bool:
        """Whether a file is to be left alone."""
        return bool(self.exclude) and self._any(self.exclude, path)

    def ignored(self, path: str) -> frozenset[str]:
        """The codes that this file is excused from, beyond ``ignore``."""
        found: frozenset[str] = frozenset()
        for pattern, selectors in self.per_file_ignores.items():
            if self._any((pattern,), path):
                found |= resolve(selectors)
        return found

    @cached_property
    def severities(self) -> Mapping[str, Severity]:
        """Severity by code; where two selectors meet, the narrower one wins."""
        chosen = [(resolve([selector]), severity) for selector, severity in self.severity.items()]
        chosen.sort(key=lambda pair: -len(pair[0]))
        return {code: severity for codes, severity in chosen for code in codes}

    def _any(self, patterns: Iterable[str], path: str) -> bool:
        try:
            # As text: `..` is taken away, links are not followed.
            relative = Path(os.path.abspath(path)).relative_to(self.root).as_posix()  # noqa: PTH100
        except ValueError:  # outside the configuration's folder
            relative = Path(path).name
        return any(_matcher(pattern)(relative) for pattern in patterns)


@cache
def _matcher(pattern: str) -> Callable[[str], re.Match[str] | None]:
    anchored = "/" in pattern.rstrip("/")
    tokens = re.split(r"(\*\*/?|\*|\?)", pattern.strip("/").removeprefix("./"))
    known = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    body = "".join(known.get(token, re.escape(token)) for token in tokens)
    return re.compile(("" if anchored else "(?:.*/)?") + body + "(?:/.*)?", re.DOTALL).fullmatch


def read(path: str, *, asked: bool) -> Settings | None:
    """The settings of a file; None where a ``pyproject.toml`` that nobody asked for has none.

    Raises ConfigError.
    """
    try:
        data = tomllib.loads(Path(path).read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ConfigError(path, "", error.strerror or "cannot be read") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(path, "", f"not TOML: {error}") from None
    prefix = ""
    if Path(path).name == _SHARED:
        prefix, tool = "tool.pcsf.", data.get("tool")
        table = tool.get("pcsf") if isinstance(tool, dict) else None
        if table is None and not asked:
            return None
        data = {} if table is None else table
        if not isinstance(data, dict):
            raise ConfigError(path, "tool.pcsf", "expected a table")
    values: dict[str, Any] = {"root": Path(os.path.abspath(path)).parent}  # noqa: PTH100 - as in `_any`
    for key, value in data.items():
        if key not in _KEYS:
            raise ConfigError(path, prefix + key, _unknown(key, value, prefix))
        try:
            values[key.replace("-", "_")] = _KEYS[key](value)
        except (TypeError, ValueError) as error:
            raise ConfigError(path, prefix + key, str(error)) from None
    return Settings(**values)


def _unknown(key: str, value: Any, prefix: str) -> str:
    if key == "tool" and not prefix and isinstance(value, dict) and "pcsf" in value:
        return f"the table is for {_SHARED}; here its keys stand at the top, without it"
    return f"unknown key; {_nearest(key, _KEYS)}"


def _nearest(word: str, known: Iterable[str]) -> str:
    import difflib  # noqa: PLC0415 - for a misspelt word alone

    words = list(known)
    near = difflib.get_close_matches(word.lower().replace("_", "-"), words, 1)
    return f"did you mean {near[0]!r}?" if near else f"known are {', '.join(words)}"


def _texts(value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, list):
        raise TypeError("expected an array of strings")
    if not all(isinstance(item, str) for item in value):
        raise TypeError("expected strings in the array")
    return tuple(value)


def _selectors(value: Any) -> tuple[str, ...]:
    selectors = _texts(value)
    resolve(selectors)
    return selectors


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("expected a table")
    return value


def _ignores(value: Any) -> dict[str, tuple[str, ...]]:
    return _each(_table(value), _selectors)


def _severity(value: Any) -> Severity:
    return Severity(_one_of(value, _SEVERITIES))


def _severities(value: Any) -> dict[str, Severity]:
    table = _table(value)
    _selectors(list(table))
    return _each(table, _severity)


def _each(table: dict[str, Any], read_value: Callable[[Any], _T]) -> dict[str, _T]:
    """The values of a table; what is wrong with one is told with its key."""
    values = {}
    for key, value in table.items():
        try:
            values[key] = read_value(value)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{key!r}: {error}") from None
    return values


def _profile(value: Any) -> str:
    return _one_of(value, PROFILES)


def _one_of(value: Any, known: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in known:
        hint = f"; {near}" if (near := _nearest(str(value), known)).startswith("did") else ""
        raise ValueError(f"expected one of {', '.join(known)}, found {value!r}{hint}")
    return value


def _budget(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= LIMIT:
        raise ValueError(f"expected bytes from 1 to {LIMIT:,}, found {value!r}")
    return value


#: Each key and what reads its value.
_KEYS: dict[str, Callable[[Any], Any]] = {
    "select": _selectors,
    "ignore": _selectors,
    "per-file-ignores": _ignores,
    "exclude": _texts,
    "severity": _severities,
    "fail-on": _severity,
    "profile": _profile,
    "budget": _budget,
}
