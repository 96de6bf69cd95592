"""What is left after some hops of what each session handed on, beside simpler ways.

`tools/bench fidelity` pushes chains of 50 sessions through the relay, made up and cut
from logs at hand, and looks after 1, 5, 20 and 50 hops for every constraint, rejected
option, decision, open loop and artifact of each: in the head object, in the head capsule,
and in what three simpler ways would hand on. `--quick` takes few chains; `--plot FILE`
draws the made-up ones. It fails where a constraint or HIGH loop is gone unrecorded.
"""

from __future__ import annotations

import argparse
import importlib.util
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, evolve, field

from benchmarks.fidelity_chains import CROWDED, USUAL, cut_log, made_up
from benchmarks.fidelity_scoring import KINDS, Held, Tally, unrecorded
from pcsf_lark.emit import canonical
from pcsf_lark.errors import Unfittable
from pcsf_lark.passes.stitch import stitch
from pcsf_lark.relay import Repository
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.fidelity_chains import Hop, Profile
    from pcsf_lark.model import Capsule
    from pcsf_lark.relay import Window

__all__ = ["AFTER", "WAYS", "Account", "main", "measured", "real_logs"]

AFTER = (0, 1, 5, 20, 50)
OBJECT, HEAD, STITCHED, CUT, LAST = WAYS = (
    "relay: head object",
    "relay: head capsule",
    "stitch and autotrim",
    "newest first, cut at 1,200",
    "the last capsule",
)
ROOT = Path(__file__).resolve().parent.parent.parent
TRANSCRIPTS = ROOT.parent / "shared/cases/transcripts"
KEY = {"PCSF_RELAY_KEY": "5b" * 32}


@define
class Account:
    """What came of some chains.

    ``urgent`` and ``shown`` count the HIGH loops pushed last, and those of them that the
    next head capsule has; ``absent`` the constraints and HIGH loops it lacks, window by
    window, each on record.
    """

    tally: Tally = field(factory=Tally)
    pushes: int = 0
    windows: int = 0
    absent: int = 0
    urgent: int = 0
    shown: int = 0
    unrecorded: list[str] = field(factory=list)

    def add(self, other: Account) -> None:
        """Take another one in."""
        self.tally.add(other.tally)
        self.unrecorded += other.unrecorded
        for name in ("pushes", "windows", "absent", "urgent", "shown"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@define
class _Simple:
    """The three simpler ways: all are told which loops were closed."""

    stitched: Capsule | None = None
    pile: str = ""
    last: str = ""

    def take(self, capsule: Capsule, closed: Sequence[str]) -> None:
        """Hand a session's capsule on."""
        text = canonical(capsule).decode()
        if self.stitched is None:
            self.stitched = capsule
        else:
            try:
                self.stitched = stitch(_without(self.stitched, closed), capsule).capsule
            except Unfittable:
                self.stitched = capsule
        rows = self.pile.split("\n")
        gone = {f" | {one} | " for one in closed}
        rows = [row for row in rows if not any(one in row for one in gone)]
        self.pile, self.last = (text + "\n".join(rows))[:LIMIT], text

    def held(self) -> dict[str, Held]:
        """What each of them has."""
        shown = canonical(self.stitched).decode() if self.stitched else ""
        return {
            STITCHED: Held.by_text(shown),
            CUT: Held.by_text(self.pile),
            LAST: Held.by_text(self.last),
        }


def _without(capsule: Capsule, closed: Sequence[str]) -> Capsule:
    """A capsule without loops that were closed."""
    return evolve(
        capsule, loops=tuple(one for one in capsule.loops if one.description not in closed)
    )


def measured(hops: Sequence[Hop]) -> Account:
    """Push a chain, and look after each push for what was pushed before."""
    done = Account()
    closed: set[str] = set()
    urgent: dict[str, None] = {}
    simple = _Simple()
    for at, (hop, windows) in enumerate(_pushes(hops)):
        done.pushes += 1
        closed.update(hop.closes)
        urgent = {text: None for text in urgent if text not in closed}
        for item in hop.items:
            if item.open:
                urgent.pop(item.text, None)
                urgent.update({item.text: None} if item.kind == "HIGH loops" else {})
        simple.take(hop.capsule, hop.closes)
        *between, last = windows
        done.windows += len(windows)
        done.absent += sum(len(window.notes.absent) for window in windows)
        newest = [item.text for item in hop.items if item.kind == "HIGH loops"]
        done.unrecorded += unrecorded(last.cso, last.notes, urgent, newest)
        for window in between:
            done.unrecorded += unrecorded(window.cso, window.notes, (), ())
        held = {OBJECT: Held.by_object(last.cso), HEAD: Held.by_text(last.notes.head)}
        held |= simple.held()
        for item in hop.items:
            if item.kind == "HIGH loops":
                done.urgent += 1
                done.shown += held[HEAD].has(item)
        for after in AFTER:
            for item in hops[at - after].items if after <= at else ():
                if not (item.open and item.text in closed):
                    for way in WAYS:
                        done.tally.count(way, after, item, held[way])
    return done


def _pushes(hops: Sequence[Hop]) -> Iterator[tuple[Hop, list[Window]]]:
    """Each session and the windows it made: one for each loop closed, then the push."""
    with tempfile.TemporaryDirectory(prefix="pcsf-fidelity") as name:
        relay, _ = Repository.init(Path(name), session="bench", environ=KEY)
        with relay:
            for number, hop in enumerate(hops):
                now = hop.capsule.meta.timestamp
                head = relay.head() if number else None
                open_ = (*head.goal_state.remaining, *head.open_questions) if head else ()
                windows = [relay.close_loop(text, now=now) for text in hop.closes if text in open_]
                yield hop, [*windows, relay.push(hop.given, now=now)]


def table(title: str, done: Account) -> None:
    """Print the shares of a group of chains."""
    print(f"{title}, {done.pushes:,} pushes")
    print(f"{'':28}{'hops':>5}" + "".join(f"{kind:>12}" for kind in KINDS))
    for way in WAYS:
        for after in AFTER:
            shares = [done.tally.share(way, after, kind) for kind in KINDS]
            if any(share is not None for share in shares):
                cells = ("-" if share is None else f"{share:.1%}" for share in shares)
                name = way if after == AFTER[0] else ""
                print(f"{name:28}{after:5}" + "".join(f"{cell:>12}" for cell in cells))
    of = done.tally.of
    for after in AFTER:
        counts = [of[OBJECT, after, kind] for kind in KINDS]
        if any(counts):
            name = "(looked for)" if after == AFTER[0] else ""
            print(f"{name:28}{after:5}" + "".join(f"{count:12,}" for count in counts))
    print(
        f"HIGH loops just pushed that are in the head capsule: {done.shown:,} of {done.urgent:,}; "
        f"constraints and HIGH loops absent or shortened in one of {done.windows:,} head "
        f"capsules: {done.absent:,}, on record: all but {len(done.unrecorded)}\n"
    )


def real_logs(folder: Path) -> list[Path]:
    """The logs in a folder, none where it is not there."""
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if path.suffix != ".md" and ".oracle." not in path.name]


def real(folder: Path, *, quick: bool) -> Account:
    """The logs at hand, a line each."""
    total = Account()
    print(f"{'logs cut into sessions':42}{'pushes':>8}{'things':>8}{'object':>9}{'capsule':>9}")
    for path in real_logs(folder):
        done = measured(cut_log(path, 20 if quick else 50))
        total.add(done)
        of = sum(done.tally.of[OBJECT, 1, kind] for kind in KINDS)
        shares = [
            sum(done.tally.there[way, 1, kind] for kind in KINDS) / of if of else None
            for way in (OBJECT, HEAD)
        ]
        cells = "".join(f"{'-' if share is None else f'{share:.1%}':>9}" for share in shares)
        print(f"{path.name:42}{done.pushes:8}{of:8,}{cells}")
    print("(things handed on, looked for one hop later)\n")
    return total


def _made_up(profile: Profile, seeds: int) -> Account:
    """Chains of a profile, one for each seed."""
    done = Account()
    for seed in range(seeds):
        done.add(measured(made_up(profile, seed)))
    table(f"made up: {profile.name}, {seeds} chains", done)
    return done


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("quick", nargs="?", choices=["quick"], help="few chains, under a minute")
    parser.add_argument("--quick", dest="quick", action="store_const", const="quick")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the made-up chains")
    given = parser.parse_args()
    start = time.perf_counter()
    if given.plot and importlib.util.find_spec("matplotlib") is None:
        parser.error("--plot needs matplotlib, which is in the dev group")
    quick = given.quick is not None
    whole = _made_up(USUAL, 4 if quick else 40)
    if given.plot:
        from benchmarks.fidelity_plot import draw  # noqa: PLC0415 - it loads matplotlib

        draw(whole.tally, WAYS, AFTER, given.plot)
    whole.add(_made_up(CROWDED, 1 if quick else 5))
    if real_logs(TRANSCRIPTS):
        done = real(TRANSCRIPTS, quick=quick)
        table("logs", done)
        whole.add(done)
    else:
        print("no transcripts at hand: left out\n")
    for line in whole.unrecorded:
        print(f"UNRECORDED {line}", file=sys.stderr)
    print(f"{time.perf_counter() - start:.0f} s")
    return 1 if whole.unrecorded else 0
