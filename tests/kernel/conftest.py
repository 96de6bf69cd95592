"""Builders the kernel's tests share, handed out as fixtures."""

import itertools
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from kernel import (
    CompressRange,
    Config,
    CoreMessage,
    MessageContentStore,
    Ports,
    check,
    dropped,
    process_turn,
)
from kernel.config import CompressConfig
from kernel.pipeline import STAGES, Context, Turn, run
from kernel.wire import WIRES, encode_value

ROOT = Path(__file__).resolve().parents[2]
TRANSCRIPTS = ROOT.parent / "shared" / "cases" / "transcripts"
NAMES = "abc"
FREE = ("U", "T", "R", "Ca", "Cb", "Oa", "Ob")
SHAPING = STAGES
for _name in ("assign-refs", "ccr-store", "nudge-inject", "render-refs"):
    SHAPING = dropped(_name, SHAPING)


class Kit:
    """History builders and the checker over all shapes."""

    open_config = Config(
        compress=CompressConfig(
            min_compress_range=0, max_summary_length=20000, min_summary_length=0
        ),
        preserve_recent_messages=0,
        preserve_recent_tokens=0,
    )

    def __init__(self):
        self._judged = {}

    @staticmethod
    def history(spec: str, size: int = 0) -> tuple[CoreMessage, ...]:
        """Build from words: u t r s, c:ID[:TOOL], o:ID[:TOOL]; ids are m1, m2, …"""
        out = []
        for number, word in enumerate(spec.split(), 1):
            kind, *more = word.split(":")
            name = f"m{number}"
            text = f"{kind} {number} " + "x" * size
            call = more[0] if more else None
            tool = more[1] if len(more) > 1 else "fetch"
            if kind == "u":
                out.append(CoreMessage(name, "user", "text", text))
            elif kind == "t":
                out.append(CoreMessage(name, "assistant", "text", text))
            elif kind == "s":
                out.append(CoreMessage(name, "system", "text", text))
            elif kind == "r":
                extra = {"signature": f"sig{number}"}
                out.append(CoreMessage(name, "assistant", "reasoning", text, extra=extra))
            elif kind == "c":
                out.append(CoreMessage(name, "assistant", "tool-call", '{"n":1}', tool, call))
            elif kind == "o":
                out.append(CoreMessage(name, "tool", "tool-result", text, tool, call))
            else:
                raise ValueError(word)
        return tuple(out)

    @staticmethod
    def letters(letters: Iterable[str]) -> tuple[CoreMessage, ...]:
        """Build from letters U T R Ca Oa …"""
        words = {"U": "u", "T": "t", "R": "r"}
        return Kit.history(" ".join(words.get(x) or f"{x[0].lower()}:{x[1]}" for x in letters))

    @staticmethod
    def span(state, _messages, start, end, summary="what happened here, in short", **more):
        """Return a range by message ids."""
        by_raw = state.message_refs.by_raw
        return CompressRange(by_raw[start], by_raw[end], summary, **more)

    def state_of(self, messages, config=None):
        """Return the state after a first turn."""
        return process_turn(messages, config=config or self.open_config).state

    def bare_view(self, messages, state):
        """Return the view without refs, store, reminder and tags: they move no message."""
        context = Context(messages, self.open_config, 0, Ports())
        return run(Turn(messages, state, MessageContentStore()), context, SHAPING).messages

    def judge(self, view, history, label="", wires=WIRES):
        """Check a view as core messages and in every wire; equal structures only once."""
        had_user = any(message.role == "user" for message in history)
        key = (
            had_user,
            bool(history),
            tuple(
                (
                    m.role,
                    m.content_type,
                    m.tool_call_id,
                    bool((m.text or "").strip()),
                    m.id[:4] == "acp_",
                )
                for m in view
            ),
        )
        if self._judged.get(key):
            return
        for shape in ("core", *wires):
            body = view if shape == "core" else encode_value(view, None, shape)
            found = check(shape, body, had_input=bool(history), had_user=had_user)
            assert not found, (label, shape, found, [(m.id, m.content_type) for m in view])
        self._judged[key] = True

    @staticmethod
    def chat(count: int, seed: int = 1, words: tuple[int, int] = (20, 60)):
        """Return a synthetic chat: user, reasoning, call, result, text, over and over."""
        rng = random.Random(seed)
        vocabulary = [
            "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(3, 9)))
            for _ in range(500)
        ]
        out = []
        for number in range(count):
            text = " ".join(rng.choices(vocabulary, k=rng.randint(*words)))
            call = f"call_{number // 5}"
            out.append(
                (
                    CoreMessage(f"x{number}", "user", "text", text),
                    CoreMessage(f"x{number}", "assistant", "reasoning", text),
                    CoreMessage(
                        f"x{number}", "assistant", "tool-call", f'{{"q":"{text}"}}', "fetch", call
                    ),
                    CoreMessage(f"x{number}", "tool", "tool-result", text, "fetch", call),
                    CoreMessage(f"x{number}", "assistant", "text", text),
                )[number % 5]
            )
        return out


def renamed(letters: Iterable[str]) -> tuple[str, ...]:
    """Return the letters with their calls named by first use."""
    names: dict[str, str] = {}
    return tuple(
        x if x in "UTR" else x[0] + names.setdefault(x[1], "abcd"[len(names)]) for x in letters
    )


def free_sequences(longest: int) -> list[tuple[str, ...]]:
    """Return every sequence up to a length, sound or broken, renamed by first use."""
    every = (s for n in range(1, longest + 1) for s in itertools.product(FREE, repeat=n))
    return [letters for letters in every if renamed(letters) == letters]


def valid_histories(longest: int) -> list[tuple[str, ...]]:
    """Return every history of the law up to a length, renamed by first use."""
    found: set[tuple[str, ...]] = set()

    def extend(letters):
        if letters:
            found.add(renamed(letters))
        if len(letters) >= longest:
            return
        if not letters or letters[-1] != "R":
            extend((*letters, "U"))
        extend((*letters, "T"))
        extend((*letters, "R"))
        for count in (1, 2, 3):
            for names in itertools.permutations(NAMES, count):
                for order in itertools.permutations(names):
                    turn = (*(f"C{n}" for n in names), *(f"O{n}" for n in order))
                    for size in range(1, len(turn)):
                        if len(letters) + size <= longest:
                            found.add(renamed((*letters, *turn[:size])))
                    if len(letters) + len(turn) <= longest:
                        extend((*letters, *turn))

    extend(())
    return sorted(found, key=lambda letters: (len(letters), letters))


@pytest.fixture(scope="session")
def kit():
    return Kit()


@pytest.fixture(scope="session")
def histories():
    return valid_histories(6)


@pytest.fixture(scope="session")
def sequences():
    return free_sequences(5)


@pytest.fixture(scope="session")
def transcripts():
    if not TRANSCRIPTS.is_dir():
        pytest.skip("the transcripts are not beside this checkout")
    return TRANSCRIPTS
