"""The figures of `tools/bench fidelity` as a picture: a panel for each kind of thing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from benchmarks.fidelity_scoring import KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from matplotlib.axes import Axes

    from benchmarks.fidelity_scoring import Tally

__all__ = ["draw"]

#: Colour (told apart by the colour-blind, too), marker and width of each way, in order.
_LOOKS = (
    ("#9CC9EC", "o", 6.0),
    ("#D55E00", "s", 2.2),
    ("#009E73", "^", 1.4),
    ("#9467BD", "D", 1.4),
    ("#6B6B6B", "v", 1.4),
)
_LEAST = 10
_INK = "#222222"
_TITLES = {"rejected": "rejected options"}


def draw(tally: Tally, ways: Sequence[str], after: Sequence[int], path: Path) -> None:
    """Draw the shares that are left, and write the picture; the suffix names the format.

    A share of fewer than ten things is left out.
    """
    mpl.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "fidelity", "text.color": _INK}
    mpl.rcParams |= {"font.size": 10, "font.family": "sans-serif"}
    figure = Figure(figsize=(10.4, 5.2), facecolor="white", layout="constrained")
    panels = figure.subplots(2, 4, sharex=True, sharey=True).flat
    for panel, kind in zip(panels, KINDS, strict=False):
        for way, look in zip(ways, _LOOKS, strict=True):
            enough = [tally.of[way, hops, kind] >= _LEAST for hops in after]
            shares = [tally.share(way, hops, kind) for hops in after]
            shown = [share if many else None for share, many in zip(shares, enough, strict=True)]
            _line(panel, shown, look, way)
        _dress(panel, kind, after)
    # Nothing stands below it that would say the hops.
    panels[len(KINDS) - 4].tick_params(labelbottom=True)
    legend = panels[len(KINDS)]
    legend.axis("off")
    handles, labels = panels[0].get_legend_handles_labels()
    legend.legend(handles, labels, loc="center", frameon=False)
    figure.supxlabel("hops after the session that handed it on", fontsize=10)
    figure.supylabel("share still there", fontsize=10)
    metadata = {"Date": None, "Creator": None} if path.suffix == ".svg" else None
    figure.savefig(path, dpi=110, metadata=metadata)


def _line(panel: Axes, shares: list[float | None], look: tuple[str, str, float], way: str) -> None:
    """One way; the later one of two equal lines is on top, so the bold ones come first."""
    color, marker, width = look
    points = [(at, share) for at, share in enumerate(shares) if share is not None]
    panel.plot(
        [at for at, _ in points],
        [share for _, share in points],
        color=color,
        marker=marker,
        markersize=3 + width,
        linewidth=width,
        label=way,
        clip_on=False,
    )


def _dress(panel: Axes, kind: str, after: Sequence[int]) -> None:
    panel.set_title(_TITLES.get(kind, kind), fontsize=11, loc="left", color=_INK, pad=9)
    panel.set_facecolor("white")
    panel.set_xticks(range(len(after)), [str(hops) for hops in after])
    panel.set_ylim(0, 1)
    panel.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    panel.set_yticks((0, 0.25, 0.5, 0.75, 1))
    panel.grid(axis="y", color="#E3E3E3", linewidth=0.8)
    panel.tick_params(colors="#444444", length=0, pad=5)
    for side, spine in panel.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color("#999999")
