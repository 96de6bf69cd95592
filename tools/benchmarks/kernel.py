"""What a turn, a fold, a session and a search of the kernel cost.

A synthetic chat (user, reasoning, call, result, text; 20 to 60 words each), a tenth of it
folded into blocks of 50 messages. Times are milliseconds on the wall, of steady turns and
searches the best of the repeats, of session turns the median; the targets stand beside
them. `--sizes 1000,10000` for a quick look.
"""

import argparse
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

from kernel import (
    CompressionState,
    CompressRange,
    CoreMessage,
    Session,
    apply_compression,
    process_turn,
)
from kernel.searching import search_blocks
from kernel.searching.documents import message_document

TURN = {1_000: 15, 10_000: 100, 100_000: 1200}
STEP = {10_000: 2, 100_000: 10}
SUMMARY = "What these fifty messages held: the importer reads epochs, the tests pass. " * 12
SHAPES = (
    ("user", "text", False),
    ("assistant", "reasoning", False),
    ("assistant", "tool-call", True),
    ("tool", "tool-result", True),
    ("assistant", "text", False),
)


def chat(count: int, seed: int = 1) -> list[CoreMessage]:
    """Return the synthetic chat."""
    rng = random.Random(seed)  # noqa: S311 - a benchmark, not a secret
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(rng.choices(letters, k=rng.randint(3, 9))) for _ in range(2000)]
    out = []
    for number in range(count):
        role, kind, is_tool = SHAPES[number % 5]
        text = " ".join(rng.choices(words, k=rng.randint(20, 60)))
        tool = ("fetch", f"call_{number // 5}") if is_tool else (None, None)
        out.append(CoreMessage(f"x{number}", role, kind, text, *tool))  # type: ignore[arg-type]
    return out


def tenth(messages: Sequence[CoreMessage], state: CompressionState) -> list[CompressRange]:
    """Return ranges of 50 messages over a tenth of a history, spread evenly."""
    refs = state.message_refs.by_raw
    count = len(messages) // 500
    starts = [number * len(messages) // count // 5 * 5 for number in range(count)]
    return [
        CompressRange(refs[messages[at].id], refs[messages[at + 49].id], SUMMARY) for at in starts
    ]


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """Return the milliseconds an action took, and its result."""
    start = time.perf_counter()
    result = action()
    return 1000 * (time.perf_counter() - start), result


def row(name: str, value: float, target: float | None = None, unit: str = "ms") -> None:
    """Print one figure beside its target."""
    goal = f"{target:>10,.0f}" if target is not None else " " * 10
    verdict = "" if target is None else "ok" if value <= target else "OVER"
    print(f"{name:<54}{value:>10,.2f} {unit:<4}{goal} {verdict}".rstrip())


def turns(size: int, repeats: int) -> None:
    """Time first and steady turns from the raw list."""
    messages = chat(size)
    first, result = timed(lambda: process_turn(messages, token_count=1000))
    row(f"first turn, {size:,} messages", first)
    ranges = tenth(messages, result.state)
    folding, applied = timed(lambda: apply_compression(ranges, messages, result.state))
    row(f"fold a tenth of {size:,} messages", folding)
    state, store = applied.state, result.content_store
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        result = process_turn(messages, state, token_count=1000, content_store=store)
        times.append(1000 * (time.perf_counter() - start))
        state, store = result.state, result.content_store
    row(f"steady turn, {size:,} messages", min(times), TURN.get(size))


def sessions(size: int) -> None:
    """Time the turn of an open session after one plain message."""
    messages = chat(size + 200)
    session = Session(messages[:size])
    session.view(1000)
    session.apply(tenth(messages[:size], session.state))
    session.view(1000)
    times = []
    for message in messages[size:]:
        session.append(message)
        times.append(timed(lambda: session.view(1000))[0])
    row(f"session turn after one message, {size:,}", statistics.median(times), STEP.get(size))


def half(size: int = 30_000) -> None:
    """Time the fold of half a history."""
    messages = chat(size)
    state = process_turn(messages, token_count=1000).state
    refs = state.message_refs.by_raw
    item = CompressRange(refs[messages[0].id], refs[messages[size // 2 - 1].id], SUMMARY)
    row(f"fold half of {size:,}", timed(lambda: apply_compression([item], messages, state))[0], 300)


def searches(size: int, target: float | None) -> None:
    """Time hybrid searches over plain documents, nothing prepared."""
    messages = chat(size)
    documents = [message_document(f"m{n}", m.text or "", m.role) for n, m in enumerate(messages)]
    words = (messages[7].text or "").split()
    for name, query in (("words", " ".join(words[1:3])), ("misspelt", f"{words[1]}q {words[2]}z")):
        times = []
        for _ in range(3):
            start = time.perf_counter()
            search_blocks(documents, query, CompressionState())
            times.append(1000 * (time.perf_counter() - start))
        row(f"hybrid search, {size:,} documents, {name}", min(times), target)


def memory(size: int = 100_000) -> None:
    """Measure what turns hold and peak at beyond the list they were given."""
    messages = chat(size)
    text = sum(len(message.text or "") for message in messages)
    tracemalloc.start()
    result = process_turn(messages, token_count=1000)
    applied = apply_compression(tenth(messages, result.state), messages, result.state)
    store = result.content_store
    result = process_turn(messages, applied.state, token_count=1000, content_store=store)
    del applied, store
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    row(f"memory held after a turn, {size:,}, times the text", held / text, 3, "x")
    row(f"peak of two turns and a fold, {size:,}, times the text", peak / text, None, "x")
    row(f"the text, {size:,}", text / 2**20, None, "MiB")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of messages")
    parser.add_argument("--repeats", type=int, default=6, help="steady turns a size")
    given = parser.parse_args()
    sizes = [int(size) for size in given.sizes.split(",")]
    print(f"{'':<54}{'measured':>10}     {'at most':>10}")
    for size in sizes:
        turns(size, given.repeats)
    for size in sizes:
        if size in STEP:
            sessions(size)
    half()
    if max(sizes) >= 100_000:
        searches(100_000, 500)
        searches(200_000, None)
        memory()
