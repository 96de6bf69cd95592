"""The kernel's configuration: groups of frozen values, defaults, and what is wrong with one.

Laws: overrides merge one level deep, so naming one key of a group keeps its others;
an invalid configuration is described, never raised on; unknown keys ride along.
`nudge.frequency`, `nudge.iterationThreshold` and `nudge.force` are advisory: no
decision of the kernel reads them.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import field, fields, frozen, has

from kernel.model import NOTHING

__all__ = [
    "ADVISORY",
    "CompressConfig",
    "Config",
    "FilterConfig",
    "MergeConfig",
    "NudgeConfig",
    "TierConfig",
    "TruncateConfig",
    "validate_config",
]

ADVISORY = ("nudge.frequency", "nudge.iterationThreshold", "nudge.force")


@frozen
class TierConfig:
    """Whether blocks are folded again, and from how many active blocks of a tier on."""

    enabled: bool = True
    tier2_trigger: float = 5
    tier3_trigger: float = 10
    extra: Mapping[str, Any] = NOTHING


@frozen
class NudgeConfig:
    """When the model is reminded: shares of the window, growth in tokens, multipliers."""

    max_context_limit_pct: float = 0.75
    min_context_limit_pct: float = 0.45
    frequency: float = 5
    iteration_threshold: float = 15
    force: str = "soft"
    growth_ratio: float = 0.05
    growth_floor: float = 50000
    growth_cap: float = 50000
    min_growth_floor: float = 20000
    min_growth_ratio: float = 0.45
    emergency_threshold_pct: float = 0.95
    tier2_growth_multiplier: float = 1.5
    extra: Mapping[str, Any] = NOTHING


@frozen
class TruncateConfig:
    """The share of the window at which old tool outputs are cut as a last valve."""

    threshold: float = 0.95
    extra: Mapping[str, Any] = NOTHING


@frozen
class CompressConfig:
    """Limits on a compress call, in UTF-16 units; 0 switches a limit off."""

    min_compress_range: float = 5000
    max_summary_length: float = 20000
    min_summary_length: float = 50
    extra: Mapping[str, Any] = NOTHING


@frozen
class MergeConfig:
    """When old blocks are joined: the longest joint text and the fewest blocks."""

    max_summary_length: float = 3000
    min_old_gen_blocks: float = 3
    extra: Mapping[str, Any] = NOTHING


@frozen
class FilterConfig:
    """Whether registered message filters run, and which are switched off by name."""

    enabled: bool = False
    filters: Mapping[str, Any] = NOTHING
    extra: Mapping[str, Any] = NOTHING

    def is_on(self, name: str) -> bool:
        """Tell whether the filter of that name may run."""
        entry = self.filters.get(name)
        return not (isinstance(entry, Mapping) and entry.get("enabled") is False)


def _names(value: str | Iterable[str]) -> tuple[str, ...]:
    """Take a list of names, or one name."""
    return (value,) if isinstance(value, str) else tuple(value)


@frozen
class Config:
    """Everything a host may set; `model_context_limit` is the window in tokens.

    Attributes:
        tiers: When folds are folded again.
        nudge: When the model is reminded.
        promotion_threshold: After how many turns a block counts as old.
        truncate: The last valve.
        compress: Limits on a compress call.
        merge: When old blocks are joined.
        protected_tools: Tools whose results are never folded; a last `*` stands for any ending.
        preserve_recent_messages: How many messages at the end are never folded.
        preserve_recent_tokens: How many tokens at the end are never folded.
        message_filters: Whether filters run, None for no.
        extra: Members of other writers, kept as they are.
    """

    model_context_limit: float = 200000
    tiers: TierConfig = field(factory=TierConfig)
    nudge: NudgeConfig = field(factory=NudgeConfig)
    promotion_threshold: float = 5
    truncate: TruncateConfig = field(factory=TruncateConfig)
    compress: CompressConfig = field(factory=CompressConfig)
    merge: MergeConfig = field(factory=MergeConfig)
    protected_tools: tuple[str, ...] = field(default=(), converter=_names)
    preserve_recent_messages: int = 5
    preserve_recent_tokens: float = 5000
    message_filters: FilterConfig | None = None
    extra: Mapping[str, Any] = NOTHING


def validate_config(config: Config) -> tuple[str, ...]:
    """Describe each contradiction in a configuration: what is wrong and how to mend it.

    Values of the wrong kind are described first, and alone: nothing can be said of them.
    """
    wrong_kinds = tuple(_wrong_kinds(config))
    if wrong_kinds:
        return wrong_kinds
    nudge, tiers = config.nudge, config.tiers
    limit = config.model_context_limit
    checks = (
        (
            not (limit > 0 and math.isfinite(limit)),
            f"modelContextLimit is {limit}: give the window in tokens, a finite number above 0",
        ),
        (
            not nudge.min_context_limit_pct <= nudge.max_context_limit_pct,
            "nudge.minContextLimitPct is above nudge.maxContextLimitPct: lower it",
        ),
        (
            not nudge.max_context_limit_pct <= nudge.emergency_threshold_pct,
            "nudge.maxContextLimitPct is above nudge.emergencyThresholdPct: lower it",
        ),
        (
            not config.promotion_threshold >= 1,
            "promotionThreshold is below 1: give a number of turns, at least 1",
        ),
        (
            not 0 < config.truncate.threshold <= 1,
            "truncate.threshold is outside 0..1: give a share of the window, at most 1",
        ),
        (not tiers.tier2_trigger >= 1, "tiers.tier2Trigger is below 1: give a number of blocks"),
        (not tiers.tier3_trigger >= 1, "tiers.tier3Trigger is below 1: give a number of blocks"),
        (
            not tiers.tier3_trigger > tiers.tier2_trigger,
            "tiers.tier3Trigger is not above tiers.tier2Trigger: raise it",
        ),
    )
    return tuple(message for wrong, message in checks if wrong)


#: The types of settings: which values fit, and what to call them.
_KINDS: Mapping[Any, tuple[Any, str]] = {
    bool: (bool, "true or false"),
    int: ((int, float), "a number"),
    float: ((int, float), "a number"),
    str: (str, "a text"),
}


def _wrong_kinds(group: Any, prefix: str = "") -> Iterator[str]:
    for item in fields(type(group)):
        value, name = getattr(group, item.name), prefix + _spelled(item.name)
        if has(type(value)):
            yield from _wrong_kinds(value, f"{name}.")
        elif item.name == "protected_tools" and not all(isinstance(tool, str) for tool in value):
            yield f"{name} must hold names of tools"
        elif item.type in _KINDS:
            kind, what = _KINDS[item.type]
            is_flag = isinstance(value, bool) and item.type is not bool
            if is_flag or not isinstance(value, kind):
                yield f"{name} is {value!r}, of the wrong kind: give {what}"


def _spelled(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
