"""The rules of the settings: type, bounds, and what a setting may not weaken.

Laws: every setting a file may hold has one row; a default is `config`'s and stands in no
row; a bound that guards a hard protection or a hard minimum lets a setting only tighten it.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import frozen

__all__ = ["RULES", "SECTIONS", "Rule", "is_whole"]

_SAFE: Final = 2**53 - 1
_Wrong = tuple[str, str] | None


@frozen
class Rule:
    """One setting: what is expected of it, and what of that is a bound it may not pass.

    `fits` tells a value of the right type, `holds` one that weakens nothing.
    """

    expected: str
    fits: Callable[[Any], bool]
    bound: str = ""
    holds: Callable[[Any], bool] | None = None

    def wrong(self, value: Any) -> _Wrong:
        """Return the code and the reason a value does not hold for, None where it does."""
        if not self.fits(value):
            return "config-type", f"expected {self.expected}"
        if self.holds is not None and not self.holds(value):
            return "config-weakens", f"this would weaken a hard limit: expected {self.bound}"
        return None


def is_whole(value: Any) -> bool:
    """Tell a whole number, however it is spelled; true is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) <= _SAFE and value == int(value)


def _is_share(value: Any) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(value) and 0 <= value <= 1


_SWITCH: Final = Rule("true or false", lambda value: isinstance(value, bool))
_ON: Final = Rule(_SWITCH.expected, _SWITCH.fits, "true", bool)
_SHARE: Final = Rule("a number from 0 to 1", _is_share)
_MINIMA: Final = (256, 512, 768)


def _whole(least: int, most: int = _SAFE) -> Rule:
    expected = f"a whole number from {least}" + (f" to {most}" if most < _SAFE else "")
    return Rule(expected, lambda value: is_whole(value) and least <= value <= most)


def _limited(least: int, most: int) -> Rule:
    """Return the rule of a number that has a hard upper limit."""
    return Rule(
        f"a whole number from {least}",
        lambda value: is_whole(value) and value >= least,
        f"at most {most}",
        lambda value: value <= most,
    )


def _choice(*names: str) -> Rule:
    return Rule(f"one of {', '.join(names)}", lambda value: value in names)


def _is_minima(value: Any) -> bool:
    return (
        isinstance(value, list | tuple) and len(value) == len(_MINIMA) and all(map(is_whole, value))
    )


RULES: Final[Mapping[str, Rule]] = {
    "enabled": _SWITCH,
    "manualMode": _SWITCH,
    "autoCooling": _SWITCH,
    "planning.enabled": _SWITCH,
    "quality.enabled": _SWITCH,
    "quality.warningPolicy": _choice("record", "reject"),
    "providerSuffix.enabled": _SWITCH,
    "providerSuffix.maxChars": _limited(1, 2048),
    "providerSuffix.maxTokens": _limited(1, 512),
    "protection.preserveRecentAtoms": _whole(0),
    "protection.preserveRecentTokens": _whole(0),
    "protection.preserveRecentTokenCapRatio": _SHARE,
    "protection.preserveLastUserMessage": _ON,
    "tiers.enabled": _SWITCH,
    "tiers.restill.enabled": _SWITCH,
    "tiers.restill.minChildren": _whole(2, 16),
    "tiers.restill.minSourceTokens": _whole(0),
    "tiers.restill.minSavingsTokens": _whole(0),
    "tiers.restill.minSavingsRatio": _SHARE,
    "tiers.restill.maxSummaryTokens": _whole(1),
    "tiers.restill.minTurnsSinceCreate": _whole(0),
    "pressure.pressure": _SHARE,
    "pressure.forceSemantic": _SHARE,
    "pressure.checkpointRequired": _SHARE,
    "pressure.overflowRecovery": _SHARE,
    "economics.minSteadySavingsTokens": Rule(
        "three whole numbers, for T1, T2 and T3",
        _is_minima,
        f"at least {_MINIMA}",
        lambda value: all(one >= least for one, least in zip(value, _MINIMA, strict=True)),
    ),
    "economics.minSavingsRatio": Rule(
        _SHARE.expected, _is_share, "at least 0.2", lambda value: value >= 0.20
    ),
    "economics.maxBreakEvenNormal": _limited(0, 8),
    "economics.maxBreakEvenPressure": _limited(0, 4),
    "economics.maxBreakEvenForceSemantic": _limited(0, 1),
    "index.enabled": _SWITCH,
    "index.snapshotLru": _whole(1, 16),
}
#: Objects that hold settings; `cooling` is a list of its own kind.
SECTIONS: Final = frozenset({name.rsplit(".", 1)[0] for name in RULES if "." in name} | {"cooling"})
