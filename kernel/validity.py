"""The checker: would a provider take this view.

One set of laws for every shape. Each shape is first read into events (who speaks, what
kind, which call, in which host message), then judged alike: every call answered in its
own turn, every result called, sibling calls together, reasoning directly before its
answer, a user turn where the input had one, never empty; on wires that demand it, unique
call ids, a user first, no system message in the list. Law: the checker shares no code
with the stages and wires it judges.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from attrs import frozen

from kernel.events import Event, events_of

__all__ = ["DEMANDS", "Demands", "Event", "Violation", "check", "events_of", "judge"]


@frozen
class Violation:
    """A law broken, at the index of an event.

    Attributes:
        code: A stable word for a program.
        at: The index of the event.
        detail: What belongs to it.
    """

    code: str
    at: int
    detail: str = ""


@frozen
class Demands:
    """What a shape adds to the laws all share."""

    open_end: bool = False
    unique_calls: bool = False
    user_first: bool = False
    no_system: bool = False
    whole_messages: bool = False
    no_blank: bool = False


DEMANDS: Final[Mapping[str, Demands]] = {
    "core": Demands(open_end=True),
    "openai": Demands(whole_messages=True),
    "responses": Demands(),
    "anthropic": Demands(
        unique_calls=True, user_first=True, no_system=True, whole_messages=True, no_blank=True
    ),
    "gemini": Demands(user_first=True, no_system=True, whole_messages=True),
    "pi": Demands(whole_messages=True),
}


def check(
    shape: str, view: Any, *, had_input: bool = True, had_user: bool = False
) -> list[Violation]:
    """Judge a view: core messages, or a body of a wire as a value."""
    demands = DEMANDS[shape]
    try:
        return judge(events_of(shape, view), demands, had_input=had_input, had_user=had_user)
    except (AttributeError, KeyError, TypeError) as error:
        return [Violation("MALFORMED", 0, f"{type(error).__name__}: {error}")]


def judge(
    events: Sequence[Event], demands: Demands, *, had_input: bool = True, had_user: bool = False
) -> list[Violation]:
    """Judge events by the laws and the shape's demands."""
    found = list(_turns(events, demands))
    found += _reasoning(events, demands)
    kinds = {event.kind for event in events}
    if had_input and not events:
        found.append(Violation("EMPTY", 0))
    if had_user and "user" not in kinds:
        found.append(Violation("USER_LOST", 0))
    if demands.no_system and "system" in kinds:
        found.append(Violation("SYSTEM_IN_LIST", 0))
    if demands.user_first and events and events[0].kind not in ("user", "system", "result"):
        found.append(Violation("NOT_USER_FIRST", 0))
    calls = [event.call for event in events if event.kind == "call"]
    if demands.unique_calls and len(set(calls)) != len(calls):
        found.append(Violation("CALL_ID_TWICE", 0, str(calls)))
    for at, event in enumerate(events):
        if demands.no_blank and event.kind in ("user", "text") and not event.text.strip():
            found.append(Violation("BLANK_TEXT", at))
        elif event.hollow:
            found.append(Violation("BLANK_TEXT", at, event.call or ""))
        if not _encodable(event.text):
            found.append(Violation("LONE_SURROGATE", at))
    return found


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _turns(events: Sequence[Event], demands: Demands) -> Iterable[Violation]:
    """Judge calls and results: a call is answered before anybody else speaks."""
    waiting: dict[str, list[int]] = {}
    caller = -1
    answering = False

    def unanswered() -> Iterable[Violation]:
        for call, places in waiting.items():
            yield from (Violation("CALL_UNANSWERED", place, call) for place in places)
        waiting.clear()

    for at, event in enumerate(events):
        if event.kind == "result":
            if event.call is None:
                continue
            places = waiting.get(event.call)
            if not places:
                yield Violation("RESULT_UNCALLED", at, event.call)
                continue
            places.pop()
            if not places:
                del waiting[event.call]
            answering = True
        elif event.kind in ("user", "system"):
            yield from unanswered()
            answering = False
        else:
            split = demands.whole_messages and waiting and event.message != caller
            if answering or split:
                yield from unanswered()
                answering = False
            if event.kind == "call" and event.call is not None:
                waiting.setdefault(event.call, []).append(at)
                caller = event.message
    if not demands.open_end:
        yield from unanswered()


def _reasoning(events: Sequence[Event], demands: Demands) -> Iterable[Violation]:
    for at, event in enumerate(events):
        if event.kind != "reasoning":
            continue
        follower = events[at + 1] if at + 1 < len(events) else None
        if follower is None or follower.kind not in ("reasoning", "text", "call"):
            yield Violation("REASONING_ALONE", at)
        elif demands.whole_messages and follower.message != event.message:
            yield Violation("REASONING_PARTED", at)
