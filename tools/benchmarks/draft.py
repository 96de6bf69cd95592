"""How good drafts are, layer by layer, and how long they take.

Precision: of the lines drafted, those a reader labelled by hand; recall: of the lines the
reader wants, those drafted, in the capsule and in the object. The drafts of the held-out conversations were not
looked at while the rules were written; whoever wrote these had read the conversations. The trail (commands, files changed) is compared with the raw files. `--verbose`
shows what is wrong and what is missed.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence

from benchmarks.draft_scoring import NOW, TRANSCRIPTS, Case, Score, cases, score, trail_gaps

LAYERS = ("L1", "L2", "L3", "L4", "L5", "SEED")
TRAILS = (
    "pi-v3-migrated-two-compactions.jsonl",
    "claude-code-compact-boundary.jsonl",
    "claude-code-small-orphan.jsonl",
    "sweagent-function-calling.traj",
    "openhands-events-gui.json",
    "openhands-events-basic.json",
)
LARGE = "pi-v3-migrated-two-compactions.jsonl"


def table(title: str, chosen: Sequence[Case]) -> Score:
    """Print precision and recall by layer of some conversations."""
    total = Score()
    for case in chosen:
        total.add(score(case))
    print(f"{title}: {len(chosen)} conversations")
    print(
        f"{'':<6}{'drafted':>8}{'right':>7}{'precision':>11}{'wanted':>9}{'met':>6}{'recall':>8}{'in the object':>15}"
    )
    for layer in LAYERS:
        drafted, right = total.drafted[layer], total.right[layer]
        owed, met = total.owed[layer], total.met[layer]
        precision = f"{right / drafted:.2f}" if drafted else "-"
        recall = f"{met / owed:.2f}" if owed else "-"
        inside = f"{total.inside[layer] / owed:.2f}" if owed else "-"
        print(
            f"{layer:<6}{drafted:>8}{right:>7}{precision:>11}{owed:>9}{met:>6}{recall:>8}{inside:>15}"
        )
    print()
    return total


def trails() -> None:
    """Compare the trail with the raw files."""
    print(f"{'commands and files changed, raw':<42}{'there':>7}{'missing':>9}")
    for name in TRAILS:
        path = TRANSCRIPTS / name
        if path.is_file():
            count, missing = trail_gaps(path)
            print(f"{name:<42}{count:>7}{len(missing):>9}")
    print()


def spent() -> float:
    """Return the processor seconds of the processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def whole_process(repeats: int) -> None:
    """Time `pcsf draft` of the large log, process and all."""
    path = TRANSCRIPTS / LARGE
    if not path.is_file():
        print(f"no {LARGE} there: the time of a large log is not measured")
        return
    command = [sys.executable, "-m", "pcsf_lark", "draft", str(path), "--now", NOW]
    times = []
    used = spent()
    for _ in range(repeats):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    used = (spent() - used) / repeats
    size = path.stat().st_size / 1e6
    print(
        f"pcsf draft of {size:.1f} MB, whole process: best {min(times):.2f} s,"
        f" median {statistics.median(times):.2f} s, processor {used:.2f} s (at most 1.5 s)"
    )


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--verbose", action="store_true", help="show what is wrong and missed")
    parser.add_argument("--repeats", type=int, default=5, help="runs of the large log")
    parser.add_argument("--open", action="store_true", help="leave the held-out ones out")
    given = parser.parse_args()
    found = cases()
    real = [case for case in found if case.path.parent == TRANSCRIPTS]
    if not real:
        print(f"no transcripts in {TRANSCRIPTS}: what was seen and held out is not measured\n")
    groups = [
        ("made for the tests", [case for case in found if case not in real]),
        ("seen", [case for case in real if not case.held_out]),
    ]
    if not given.open:
        groups.append(("held out", [case for case in real if case.held_out]))
    for title, chosen in ((title, chosen) for title, chosen in groups if chosen):
        total = table(title, chosen)
        if given.verbose:
            for name, text in total.wrong:
                print(f"  wrong   {name}: {text}")
            for name, text in total.missed:
                print(f"  missed  {name}: {text}")
            print()
    trails()
    whole_process(given.repeats)
