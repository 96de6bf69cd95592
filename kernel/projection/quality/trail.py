"""Commands and calls: everything that was run, and what came of it. Always soft.

Laws: mechanical; one fact a run, none left out; the key is what is run without what
surrounds it (directory, environment, filters), so that a later run of the same is known.
"""

from collections.abc import Iterator
from typing import Final

from kernel.projection.quality.commands import work_of
from kernel.projection.quality.facts import Fact, Need
from kernel.projection.quality.reading import Action, Reading, fact_of
from kernel.projection.quality.wording import identifiers_of

__all__ = ["command_key", "commands"]

_CALLS: Final = frozenset(("other", "errand"))


def command_key(action: Action) -> str:
    """Return the identity of a run."""
    if action.purpose == "shell":
        return f"command:{work_of(action.steps) or action.command.strip()}"
    files = ",".join(dict.fromkeys(named.path for named in action.files))
    return f"call:{action.tool}:{files}"


def commands(reading: Reading) -> Iterator[Fact]:
    """Yield a fact for each command and for each call of a tool that is none of ours."""
    for action in reading.actions:
        if action.purpose != "shell" and action.purpose not in _CALLS:
            continue
        names = identifiers_of(work_of(action.steps) or action.tool)[:4]
        yield fact_of(
            reading,
            "command",
            "user" if action.by_user else "shell" if action.purpose == "shell" else "call",
            (action.index, action.start, action.end),
            key=command_key(action),
            value=action.command or action.tool,
            state=action.outcome.state,
            needs=(Need("exact", names, anywhere=True),) if names else (),
        )
