"""Which tool results may cool, by the exact name of their tool.

Laws: names are compared as they are spelled, case included; what is not in a table keeps
its results raw; an override names one tool exactly and can only choose a named profile
that is no weaker or ask for more observations, anything else is left out with a
diagnostic; no override touches the protection of atoms or the rule for errors.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Final, Literal

from attrs import evolve, frozen

from kernel.projection.settings.config import CoolingOverride
from kernel.sessions.lines import Diagnostic

__all__ = [
    "ERROR_FLOOR",
    "PROFILES",
    "TOOLS",
    "Profile",
    "ProfileName",
    "allowed",
    "check_overrides",
    "profile_of",
]

ProfileName = Literal[
    "retrieval", "execution-evidence", "mutation-evidence", "protocol-control", "unknown"
]

#: An error is never cooled before so many answers saw it, and never by age alone.
ERROR_FLOOR: Final = 5


@frozen
class Profile:
    """The rules of a kind of tool.

    `cools`: by itself, only where a call names the result, or never; `observations`:
    settled answers that must have seen a success; `newest_raw`: of several equal results
    the newest stays raw; `strictness` orders the profiles.
    """

    name: ProfileName
    cools: Literal["by-itself", "asked", "never"]
    observations: int
    strictness: int
    newest_raw: bool = False


PROFILES: Final[Mapping[str, Profile]] = {
    profile.name: profile
    for profile in (
        Profile("retrieval", "by-itself", 2, 0, newest_raw=True),
        Profile("execution-evidence", "by-itself", 3, 1),
        Profile("mutation-evidence", "asked", 3, 2),
        Profile("unknown", "never", 0, 3),
        Profile("protocol-control", "never", 0, 4),
    )
}

_NAMES: Final[Mapping[ProfileName, tuple[str, ...]]] = {
    "retrieval": (
        "diagnostics",
        "fetch",
        "find",
        "get",
        "grep",
        "ls",
        "read",
        "search",
        "web",
    ),
    "execution-evidence": ("bash", "build", "test"),
    "mutation-evidence": ("apply", "apply_patch", "edit", "fix", "write"),
    "protocol-control": ("control", "hub", "session", "task"),
}
TOOLS: Final[Mapping[str, ProfileName]] = {
    tool: profile for profile, tools in _NAMES.items() for tool in tools
}
#: Every tool of these families controls the protocol, whatever it is called.
_CONTROL_PREFIXES: Final = ("aili_",)
_EXACT: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/-]{0,127}")


def _built_in(tool: str) -> Profile:
    if tool.startswith(_CONTROL_PREFIXES):
        return PROFILES["protocol-control"]
    return PROFILES[TOOLS.get(tool, "unknown")]


def _flaw(override: CoolingOverride) -> tuple[str, str] | None:
    """Return the code and the reason an override is left out for, None where it holds."""
    if not _EXACT.fullmatch(override.tool):
        return "cooling-override-wildcard", "the tool must be named exactly, without a pattern"
    own = _built_in(override.tool)
    chosen = own
    if override.profile is not None:
        if override.profile not in PROFILES or override.profile == "unknown":
            return "cooling-override-profile", "the profile is none of the named ones"
        chosen = PROFILES[override.profile]
        if own.name != "unknown" and chosen.strictness < own.strictness:
            return "cooling-override-weakens", f"the tool is of the stricter profile {own.name}"
    asked = override.min_observations
    if asked is not None and asked < chosen.observations:
        at_least = f"profile {chosen.name} asks for at least {chosen.observations} observations"
        return "cooling-override-weakens", at_least
    return None


def check_overrides(
    overrides: Iterable[CoolingOverride],
) -> tuple[tuple[CoolingOverride, ...], tuple[Diagnostic, ...]]:
    """Return the overrides that hold and a diagnostic for each that does not.

    Of two overrides of one tool the later one holds, as a project's stands after a user's;
    the tool's name is quoted in the diagnostic only where it is spelled as a name.
    """
    held: dict[str, CoolingOverride] = {}
    notes: list[Diagnostic] = []
    for number, override in enumerate(overrides, 1):
        flaw = _flaw(override)
        if flaw is None:
            held[override.tool] = override
            continue
        code, reason = flaw
        named = override.tool if _EXACT.fullmatch(override.tool) else f"number {number}"
        notes.append(Diagnostic(code, 0, f"cooling override {named} is left out: {reason}"))
    return tuple(held.values()), tuple(notes)


def allowed(tool: str, profile: str) -> Profile | None:
    """Return the rules of a profile, if any settings can make a tool's results be judged by it."""
    own, chosen = _built_in(tool), PROFILES.get(profile)
    if chosen is None or chosen.cools == "never" or not _EXACT.fullmatch(tool):
        return None
    return chosen if own.name == "unknown" or chosen.strictness >= own.strictness else None


def profile_of(tool: object, overrides: Iterable[CoolingOverride] = ()) -> Profile:
    """Return the rules a tool's results are judged by; what is no name is unknown."""
    if not isinstance(tool, str) or not _EXACT.fullmatch(tool):
        return PROFILES["unknown"]
    own = _built_in(tool)
    for override in check_overrides(overrides)[0]:
        if override.tool == tool:
            chosen = own if override.profile is None else PROFILES[override.profile]
            return evolve(
                chosen, observations=max(chosen.observations, override.min_observations or 0)
            )
    return own
