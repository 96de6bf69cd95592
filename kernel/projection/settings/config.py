"""The projection's settings and their defaults.

Laws: a value is checked where it is read; an unknown setting is named, never guessed at;
nothing here weakens hard protection. Reading the JSONC files is `settings`.
"""

from typing import Literal

from attrs import field, frozen

from kernel.model import as_tuple

__all__ = [
    "Config",
    "CoolingOverride",
    "Economics",
    "IndexSettings",
    "Planning",
    "Pressure",
    "Protection",
    "ProviderSuffix",
    "QualitySettings",
    "Restill",
    "Tiers",
]


@frozen
class Planning:
    """Discovery, promotion, restill and the suffix; nothing else hangs on it."""

    enabled: bool = True


@frozen
class QualitySettings:
    """The gate. `warning_policy`: record warnings with the block, or refuse on them."""

    enabled: bool = True
    warning_policy: Literal["record", "reject"] = "record"


@frozen
class ProviderSuffix:
    """The transient message: UTF-16 units and estimated tokens at most."""

    enabled: bool = True
    max_chars: int = 2048
    max_tokens: int = 512


@frozen
class Protection:
    """The recent tail: atoms, and tokens capped by a share of the window."""

    preserve_recent_atoms: int = 8
    preserve_recent_tokens: int = 12000
    preserve_recent_token_cap_ratio: float = 0.10
    preserve_last_user_message: bool = True


@frozen
class Restill:
    """When T3 blocks may be distilled into one T3 block; sizes in tokens."""

    enabled: bool = True
    min_children: int = 2
    min_source_tokens: int = 8000
    min_savings_tokens: int = 1024
    min_savings_ratio: float = 0.25
    max_summary_tokens: int = 3000
    min_turns_since_create: int = 8


@frozen
class Tiers:
    """Promotion of blocks to the tier above."""

    enabled: bool = True
    restill: Restill = field(factory=Restill)


@frozen
class Pressure:
    """From which share of the window each state begins."""

    pressure: float = 0.55
    force_semantic: float = 0.75
    checkpoint_required: float = 0.90
    overflow_recovery: float = 1.0


@frozen
class Economics:
    """What a summary must save, by tier, and how soon, by pressure (turns)."""

    min_steady_savings_tokens: tuple[int, int, int] = (256, 512, 768)
    min_savings_ratio: float = 0.20
    max_break_even_normal: int = 8
    max_break_even_pressure: int = 4
    max_break_even_force_semantic: int = 1


@frozen
class CoolingOverride:
    """A project's word on one tool, by its exact name: another profile, or stricter counts."""

    tool: str
    profile: str | None = None
    min_observations: int | None = None


@frozen
class IndexSettings:
    """The branch index and how many snapshots it keeps."""

    enabled: bool = True
    snapshot_lru: int = 4


@frozen
class Config:
    """All settings. `context_window` and `provider` come from the host, None if unknown.

    Attributes:
        enabled: Off: the view is the raw history.
        manual_mode: Nothing is proposed; a user folds.
        auto_cooling: Whether old tool results are cooled unasked.
        planning: What is proposed.
        quality: What a summary must hold.
        provider_suffix: The note that goes with a request.
        protection: What is never folded.
        tiers: When blocks are folded again.
        pressure: How full the window is said to be.
        economics: What a fold must save.
        cooling: A project's words on single tools.
        index: What is kept between turns.
        model: The model's name, None if unknown.
    """

    enabled: bool = True
    manual_mode: bool = False
    auto_cooling: bool = True
    planning: Planning = field(factory=Planning)
    quality: QualitySettings = field(factory=QualitySettings)
    provider_suffix: ProviderSuffix = field(factory=ProviderSuffix)
    protection: Protection = field(factory=Protection)
    tiers: Tiers = field(factory=Tiers)
    pressure: Pressure = field(factory=Pressure)
    economics: Economics = field(factory=Economics)
    cooling: tuple[CoolingOverride, ...] = field(default=(), converter=as_tuple)
    index: IndexSettings = field(factory=IndexSettings)
    context_window: int | None = None
    provider: str | None = None
    model: str | None = None
