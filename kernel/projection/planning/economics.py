"""Economics: whether a summary is worth what it costs, in tokens that are certain.

    judgement = judge(proposal, pressure="NORMAL", config=config)
    judgement.cost            # the bounds, as the journal keeps them
    judgement.codes           # why not; empty where it is allowed

Guaranteed steady savings are the least the source is a request minus the most its
replacement is; the one-time cost is the most that making it costs beside that; their
quotient is the number of turns until it has paid back. Laws: every bound comes from bytes
that the wires' serializers made; no count of characters allows anything; a pressure that
starts nothing semantic refuses before any sum; whatever is unknown counts against the
summary.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from attrs import field, fields, frozen

from kernel.model import as_tuple
from kernel.projection.metering.bounds import Bounds, message_upper, source_bounds, upper
from kernel.projection.metering.families import Family, family_of
from kernel.projection.model import Cost, Mode, Tier
from kernel.projection.planning.pressure import SEMANTIC, PressureState
from kernel.projection.settings.config import Config

__all__ = [
    "RESERVE",
    "Judgement",
    "OneTime",
    "Proposal",
    "Replacement",
    "judge",
    "one_time_of",
    "replacement_of",
    "restill_codes",
]

#: Tokens kept back for what no component names.
RESERVE: Final = 128
#: Bytes of the recap's frame: its first line without what varies, and the words around it.
_WRAPPER: Final = "w" * 384
#: Bytes a status answer takes where the caller does not say how many it took.
_DISCOVERY: Final = "d" * 2048
#: Bytes of the answer to the call, and of what the gate may say to the model.
_ANSWER: Final = "r" * 512
_QUALITY: Final = "q" * 256


@frozen
class Proposal:
    """What is to be put for what.

    `source` are Pi messages as the view shows them now: raw messages for T1, recaps of the
    children for a tier above. `children` are block ids, `refs` what the recap names.
    `behind` is the estimate of what the view holds after the source: its cache is lost.
    `resent` are messages sent once more only for this: those of a turn of its own.
    `discovery` is the text of the status answer that led here.
    """

    tier: Tier
    mode: Mode
    topic: str
    summary: str
    source: Sequence[Mapping[str, Any]] = field(converter=as_tuple)
    refs: tuple[str, ...] = field(default=(), converter=as_tuple)
    children: tuple[str, ...] = field(default=(), converter=as_tuple)
    count: int = 0
    restill: bool = False
    behind: int = 0
    resent: Sequence[Mapping[str, Any]] = field(default=(), converter=as_tuple)
    discovery: str | None = None
    suffix: str = ""
    turns_since_create: int | None = None


@frozen
class Replacement:
    """The most tokens of each piece that stands for the source from now on."""

    wrapper: int
    refs: int
    header: int
    summary: int
    lineage: int
    suffix: int
    provider: int

    @property
    def total(self) -> int:
        """Return the sum."""
        return _sum(self)


@frozen
class OneTime:
    """The most tokens of each cost that comes once."""

    discovery: int
    resent_source: int
    model_output: int
    tool_call: int
    tool_result: int
    quality: int
    cache_invalidation: int
    reserve: int

    @property
    def total(self) -> int:
        """Return the sum."""
        return _sum(self)


@frozen
class Judgement:
    """The cost with every component, and the codes of what speaks against it."""

    cost: Cost
    source: Bounds
    replacement: Replacement
    one_time: OneTime
    codes: tuple[str, ...] = field(default=(), converter=as_tuple)

    @property
    def allowed(self) -> bool:
        """Tell whether nothing speaks against it."""
        return not self.codes


def _sum(parts: Replacement | OneTime) -> int:
    return sum(getattr(parts, one.name) for one in fields(type(parts)))


def replacement_of(proposal: Proposal, family: Family) -> Replacement:
    """Return the upper bounds of what the view will show instead of the source."""
    header = f"{proposal.topic} {proposal.mode} T{proposal.tier} {proposal.count}"
    bare = {"role": "custom", "customType": "aili-compact-recap", "content": "", "display": False}
    return Replacement(
        wrapper=upper(_WRAPPER, family),
        refs=upper(", ".join(proposal.refs), family),
        header=upper(header, family),
        summary=upper(proposal.summary, family),
        lineage=upper(", ".join(proposal.children), family),
        suffix=upper(proposal.suffix, family),
        provider=message_upper(bare, family),
    )


def one_time_of(proposal: Proposal, family: Family, config: Config) -> OneTime:
    """Return the upper bounds of what making the summary costs."""
    said = f"{proposal.summary} {proposal.topic}"
    called = f"{said} {proposal.mode} {' '.join(proposal.refs)} {'c' * 64}"
    discovery = _DISCOVERY if proposal.discovery is None else proposal.discovery
    resent = source_bounds(proposal.resent, family).upper if proposal.resent else 0
    return OneTime(
        discovery=upper(discovery, family, messages=2, parts=2),
        resent_source=resent,
        model_output=upper(said, family),
        tool_call=upper(called, family, messages=1, parts=1),
        tool_result=upper(_ANSWER, family, messages=1, parts=1),
        quality=upper(_QUALITY, family) if config.quality.enabled else 0,
        cache_invalidation=max(0, proposal.behind),
        reserve=RESERVE,
    )


def judge(
    proposal: Proposal, *, pressure: PressureState, config: Config, family: Family | None = None
) -> Judgement:
    """Return what a proposal costs, and all that speaks against it.

    The family is the settings' provider and model where none is given.
    """
    known = family or family_of(config.provider, config.model)
    source = source_bounds(proposal.source, known)
    replacement = replacement_of(proposal, known)
    one_time = one_time_of(proposal, known, config)
    steady = source.lower - replacement.total
    once = one_time.total
    if proposal.resent == proposal.source:
        # The same messages are as many tokens here as there: the fewer, the later it pays back.
        once -= one_time.resent_source - source.lower
    cost = Cost(
        provider=config.provider or "unknown",
        model=config.model or "unknown",
        estimator=known.estimator,
        source_lower=source.lower,
        replacement_upper=replacement.total,
        one_time_upper=one_time.total,
        steady_savings=steady,
        savings_ratio=_rounded(steady / source.lower) if source.lower else 0.0,
        break_even_turns=_rounded(once / steady) if steady > 0 else 0.0,
    )
    codes = _codes(proposal, cost, pressure, config, once)
    return Judgement(cost, source, replacement, one_time, codes)


def _rounded(value: float) -> float:
    """Shorten a figure for the journal; the decision is taken on whole tokens."""
    return round(value, 4)


def _codes(
    proposal: Proposal, cost: Cost, pressure: PressureState, config: Config, once: int
) -> tuple[str, ...]:
    if pressure not in SEMANTIC:
        overflow = pressure == "OVERFLOW_RECOVERY"
        return ("overflow-recovery" if overflow else "checkpoint-required",)
    rules = config.economics
    steady = cost.steady_savings
    found = []
    if steady < max(1, rules.min_steady_savings_tokens[proposal.tier - 1]):
        found.append("below-minimum-savings")
    if steady < rules.min_savings_ratio * cost.source_lower:
        found.append("below-minimum-ratio")
    turns = {
        "NORMAL": rules.max_break_even_normal,
        "PRESSURE": rules.max_break_even_pressure,
        "FORCE_SEMANTIC": rules.max_break_even_force_semantic,
    }[pressure]
    if steady <= 0 or once > turns * steady:
        found.append("below-break-even")
    if proposal.restill and restill_codes(proposal, cost, config):
        found.append("restill-ineligible")
    return tuple(found)


def restill_codes(proposal: Proposal, cost: Cost, config: Config) -> tuple[str, ...]:
    """Return which of the thresholds of a restill are not met, by the settings' names."""
    rules = config.tiers.restill
    known = family_of(config.provider, config.model)
    turns = proposal.turns_since_create
    tests = (
        ("enabled", rules.enabled),
        ("minChildren", len(proposal.children) >= rules.min_children),
        ("minSourceTokens", cost.source_lower >= rules.min_source_tokens),
        ("minSavingsTokens", cost.steady_savings >= rules.min_savings_tokens),
        ("minSavingsRatio", cost.steady_savings >= rules.min_savings_ratio * cost.source_lower),
        ("maxSummaryTokens", upper(proposal.summary, known) <= rules.max_summary_tokens),
        ("minTurnsSinceCreate", turns is not None and turns >= rules.min_turns_since_create),
    )
    return tuple(name for name, met in tests if not met)
