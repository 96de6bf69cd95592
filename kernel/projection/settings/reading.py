"""Settings files: the user's and the project's, JSON with comments, project over user.

    user, notes = parse(text)                    # what a file says, as far as it holds
    config, more = merge(user, project)          # over the defaults

Laws: reading is pure, opening the files is the face's; a file is never created, moved or
rewritten; what is unknown, of a wrong type, out of bounds or weaker than a protection that
no setting may weaken is left out, and a diagnostic says where, what and how to mend it; a
file that cannot be read leaves the defaults. Keys are the camelCase of `config`'s names.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from kernel.model import NOTHING
from kernel.projection.cooling.profiles import check_overrides
from kernel.projection.settings.config import Config, CoolingOverride, Pressure
from kernel.projection.settings.jsonc import JsoncError, loads
from kernel.projection.settings.rules import RULES, SECTIONS, is_whole
from kernel.sessions.lines import Diagnostic

__all__ = ["DEPRECATED", "PROJECT_FILE", "USER_FILE", "merge", "parse"]

#: Where Pi keeps them: under the home directory, and under the project.
USER_FILE: Final = ".pi/agent/aili-compact.jsonc"
PROJECT_FILE: Final = ".pi/aili-compact.jsonc"
#: Settings that are still read, and do nothing.
DEPRECATED: Final = ("maxBlockAge",)
_MOST_NOTES: Final = 64
_KEY: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_OVERRIDE: Final = ("tool", "profile", "minObservations")


def parse(text: str | bytes) -> tuple[Mapping[str, Any], tuple[Diagnostic, ...]]:
    """Return what a settings file says, and what of it does not hold.

    Bytes are UTF-8, with or without a byte order mark. The overrides are nested like the
    file and hold only settings that are valid by themselves.
    """
    try:
        plain = text.decode("utf-8") if isinstance(text, bytes) else text
        value = loads(plain.removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        at = f"byte {error.start} is no UTF-8; save the file as UTF-8; the defaults hold"
        return NOTHING, (Diagnostic("config-not-utf8", 0, at),)
    except JsoncError as error:
        at = f"column {error.column}: {error.what}; mend the file; the defaults hold"
        return NOTHING, (Diagnostic("config-syntax", error.line, at),)
    if not isinstance(value, Mapping):
        at = "expected an object of settings; the defaults hold"
        return NOTHING, (Diagnostic("config-not-object", 1, at),)
    notes = _Notes()
    return _checked(value, (), notes), notes.all()


def merge(
    user: Mapping[str, Any] = NOTHING, project: Mapping[str, Any] = NOTHING
) -> tuple[Config, tuple[Diagnostic, ...]]:
    """Return the settings in force: defaults, over them the user's, over them the project's.

    What does not hold is left out here too, so that any mapping may be given. Overrides of
    cooling add up, a later word on the same tool holds.
    """
    notes = _Notes()
    files = [_checked(given, (), notes) for given in (user, project)]
    config = Config()
    for given in files:
        config = _applied(config, {key: one for key, one in given.items() if key != "cooling"})
    if not _ascends(config.pressure):
        reason = "the thresholds must ascend; the defaults hold for all four"
        notes.add("config-pressure-order", "pressure", reason)
        config = evolve(config, pressure=Pressure())
    overrides = [_override(one) for given in files for one in given.get("cooling", ())]
    held, weak = check_overrides(overrides)
    notes.extend(weak)
    return evolve(config, cooling=held), notes.all()


class _Notes:
    """Diagnostics, each once, a bounded number of them."""

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}

    def add(self, code: str, at: str, reason: str) -> None:
        self._found.setdefault(Diagnostic(code, 0, f"at {at}: {reason}"))

    def extend(self, notes: Iterable[Diagnostic]) -> None:
        self._found.update(dict.fromkeys(notes))

    def all(self) -> tuple[Diagnostic, ...]:
        found = tuple(self._found)
        if len(found) <= _MOST_NOTES:
            return found
        rest = Diagnostic("config-more", 0, f"{len(found) - _MOST_NOTES} more settings left out")
        return (*found[:_MOST_NOTES], rest)


def _checked(value: Any, path: tuple[str, ...], notes: _Notes) -> dict[str, Any]:
    """Return the members of a section that hold."""
    found: dict[str, Any] = {}
    if not isinstance(value, Mapping):
        notes.add("config-type", _named(path), "expected an object")
        return found
    for key, one in value.items():
        here = (*path, str(key))
        dotted = ".".join(here) if _KEY.fullmatch(str(key)) else ""
        if key in DEPRECATED:
            reason = "age switches no block off; remove the setting"
            notes.add(f"config-deprecated:{key}", _named(here), reason)
        elif dotted == "cooling":
            found[key] = list(_overrides(one, notes))
        elif dotted in SECTIONS:
            inner = _checked(one, here, notes)
            if inner:
                found[key] = inner
        elif dotted not in RULES:
            notes.add("config-unknown-key", _named(here), _known(path))
        else:
            wrong = RULES[dotted].wrong(one)
            if wrong is None:
                found[key] = one
            else:
                notes.add(wrong[0], _named(here), f"{wrong[1]}; the setting is left out")
    return found


def _named(path: Iterable[str]) -> str:
    """Spell a path; a key that is spelled as no key is not quoted."""
    return ".".join(key if _KEY.fullmatch(key) else "?" for key in path) or "the top"


def _known(path: tuple[str, ...]) -> str:
    prefix = "".join(f"{key}." for key in path)
    names = {
        name[len(prefix) :].split(".")[0] for name in (*RULES, *SECTIONS) if name.startswith(prefix)
    }
    return f"no such setting; there are {', '.join(sorted(names - {''}))}"


def _overrides(value: Any, notes: _Notes) -> Iterator[Mapping[str, Any]]:
    """Yield the overrides of cooling that are of the right shape."""
    if not isinstance(value, list | tuple):
        notes.add("config-type", "cooling", "expected a list of {tool, profile, minObservations}")
        return
    for number, one in enumerate(value):
        reason = _misshapen(one)
        if reason is None:
            yield one
        else:
            notes.add("config-cooling", f"cooling[{number}]", f"{reason}; the override is left out")


def _misshapen(one: Any) -> str | None:
    if not isinstance(one, Mapping) or not isinstance(one.get("tool"), str):
        return "expected an object whose tool is the exact name of a tool"
    if any(key not in _OVERRIDE for key in one):
        return f"its keys are {', '.join(_OVERRIDE)}"
    profile, count = one.get("profile"), one.get("minObservations")
    if profile is not None and not isinstance(profile, str):
        return "profile: expected the name of a profile"
    if count is not None and not (is_whole(count) and count >= 0):
        return "minObservations: expected a whole number from 0"
    return None


def _override(one: Mapping[str, Any]) -> CoolingOverride:
    count = one.get("minObservations")
    return CoolingOverride(one["tool"], one.get("profile"), None if count is None else int(count))


def _applied(settings: Any, given: Mapping[str, Any]) -> Any:
    """Return settings with the members of a checked section put in."""
    changes: dict[str, Any] = {}
    for key, one in given.items():
        name = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", key)
        old = getattr(settings, name)
        if isinstance(one, Mapping):
            changes[name] = _applied(old, one)
        elif isinstance(old, tuple):
            changes[name] = tuple(map(int, one))
        else:
            changes[name] = type(old)(one)
    return evolve(settings, **changes)


def _ascends(starts: Pressure) -> bool:
    shares = (
        starts.pressure,
        starts.force_semantic,
        starts.checkpoint_required,
        starts.overflow_recovery,
    )
    return list(shares) == sorted(shares)
