"""The suffix: one transient message behind the view, for guidance that changes every turn.

    note = suffix_of(snapshot)              # the message, or None
    sent = with_suffix(view, note)          # what the provider is sent

Laws: at most one, behind everything, built anew for every request; never stored, so it is
in no log, ref, search or coverage; at most 2,048 UTF-16 units and 512 estimated tokens,
whatever the settings say; none in NORMAL with nothing to do, none with AILI off, behind
restore-all unless the user permits a summary, behind a fault, or where it would part a call from its results. Without a suffix a view is the very
object it was.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from kernel.ports import Counter, count_tokens
from kernel.projection.lifecycle.sealing import Permit
from kernel.projection.planning.catalog import Catalog
from kernel.projection.planning.pressure import SEMANTIC
from kernel.projection.settings.config import ProviderSuffix
from kernel.projection.snapshot import Snapshot
from kernel.text import head, repair, units

__all__ = ["MAX_CHARS", "MAX_TOKENS", "SUFFIX", "is_suffix", "suffix_of", "with_suffix"]

#: The custom type of the message.
SUFFIX: Final = "aili-compact-provider-suffix"
MAX_CHARS: Final = 2048
MAX_TOKENS: Final = 512
#: Units of a user's focus that are quoted.
_FOCUS: Final = 256
_ADVICE: Final[Mapping[str, str]] = {
    "NORMAL": "The user permits one aili_compact call in this turn.",
    "PRESSURE": "Consider one aili_compact call for finished work.",
    "FORCE_SEMANTIC": "Make one aili_compact call for finished work before anything else.",
    "CHECKPOINT_REQUIRED": "A checkpoint comes next. Do not call aili_compact.",
    "OVERFLOW_RECOVERY": "The window has overflowed and recovery comes next. Do not call aili_compact.",
}


def is_suffix(message: Mapping[str, Any]) -> bool:
    """Tell the suffix from a message of a view."""
    return message.get("role") == "custom" and message.get("customType") == SUFFIX


def with_suffix(
    messages: Sequence[Mapping[str, Any]], suffix: Mapping[str, Any] | None
) -> Sequence[Mapping[str, Any]]:
    """Return a view with its one suffix; an older one that comes with it is taken off.

    The view itself comes back where there is nothing to put behind it.
    """
    bare = messages
    if any(map(is_suffix, messages)):
        bare = tuple(message for message in messages if not is_suffix(message))
    if suffix is None or _waits(bare):
        return bare
    return (*bare, suffix)


def suffix_of(
    snapshot: Snapshot,
    *,
    permit: Permit | None = None,
    focus: str = "",
    attempted: bool = False,
    counter: Counter = count_tokens,
) -> Mapping[str, Any] | None:
    """Return the suffix of the next request of a branch.

    `permit` is the user's leave for one summary and `focus` what they want in it;
    `attempted` that this pressure cycle has had its one semantic attempt, after which
    nothing is asked for again.
    """
    settings = snapshot.config.provider_suffix
    faulted = snapshot.state.fault is not None or snapshot.projection.fault is not None
    if faulted or not (settings.enabled and snapshot.enabled):
        return None
    if _waits(snapshot.projection.messages):
        return None
    state = snapshot.pressure.state
    quiet = snapshot.state.controls.restored or not snapshot.config.planning.enabled
    if permit is None and quiet:
        return None
    if state in SEMANTIC and not _may_ask(snapshot, permit, attempted=attempted):
        return None
    lines = _lines(snapshot, focus if permit is not None else "")
    text = _fitted(lines, settings, counter)
    if not text:
        return None
    return {
        "role": "custom",
        "customType": SUFFIX,
        "content": text,
        "display": False,
        "timestamp": 0,
    }


def _may_ask(snapshot: Snapshot, permit: Permit | None, *, attempted: bool) -> bool:
    """Tell whether a summary may be asked for: something to do, leave to do it, no second time."""
    catalog = snapshot.catalog
    if attempted or not (catalog.ranges or catalog.blocks):
        return False
    if permit is not None:
        return (permit.session_id, permit.epoch) == (catalog.session_id, catalog.epoch)
    said = snapshot.state.controls.manual
    manual = snapshot.config.manual_mode if said is None else said
    return not manual and snapshot.pressure.state != "NORMAL"


def _lines(snapshot: Snapshot, focus: str) -> Iterator[str]:
    """Yield the lines, what matters most first."""
    now = snapshot.pressure
    share = f" {100 * now.use.tokens // now.window}% of the window" if now.window else ""
    yield f"[AILI context note, not from the user] {now.state}{share}"
    yield _ADVICE[now.state]
    if now.state not in SEMANTIC:
        return
    yield f"catalogId {snapshot.catalog.catalog_id}"
    if focus.strip():
        yield f"focus: {head(' '.join(repair(focus).split()), _FOCUS)}"
    yield from _recommendations(snapshot.catalog)


def _recommendations(catalog: Catalog) -> Iterator[str]:
    for one in sorted(catalog.ranges, key=lambda one: -one.tokens.lower):
        yield f"range {one.start_ref}..{one.end_ref}: at least {one.tokens.lower} tokens"
    for found in catalog.blocks:
        yield f"blocks {' '.join(found.refs)}: into T{found.tier}"


def _fitted(lines: Iterator[str], settings: ProviderSuffix, counter: Counter) -> str:
    """Join as many whole lines as the limits take: a ref is never cut."""
    most, tokens = min(MAX_CHARS, settings.max_chars), min(MAX_TOKENS, settings.max_tokens)
    text = ""
    for line in lines:
        longer = f"{text}\n{line}" if text else line
        if units(longer) > most or counter(longer) > tokens:
            break
        text = longer
    return text


def _waits(messages: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether a call at the end of a view still waits for a result."""
    answered: set[str] = set()
    for message in reversed(messages):
        role = message.get("role")
        if role == "toolResult":
            if isinstance(name := message.get("toolCallId"), str):
                answered.add(name)
            continue
        parts = message.get("content") if role == "assistant" else None
        return any(
            isinstance(part, Mapping)
            and part.get("type") == "toolCall"
            and not (isinstance(name := part.get("id"), str) and name in answered)
            for part in (parts if isinstance(parts, list) else ())
        )
    return False
