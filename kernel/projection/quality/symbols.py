"""Names that changes define: functions, classes, types. Always soft.

Laws: mechanical, from the new text of changing calls; one fact a name, of its last
definition.
"""

# ruff: noqa: SIM905 - a table of words reads best as text

import re
from collections.abc import Iterator
from typing import Final

from kernel.projection.quality.arguments import arguments_of
from kernel.projection.quality.facts import Fact, Need
from kernel.projection.quality.reading import Reading, fact_of

__all__ = ["symbols"]

_NEW_KEYS: Final = frozenset(
    "new_string newText new_str content file_text text replace replacement new_source code insert patch input".split()
)
# The quotation is JSON as it stands, so a line may begin behind an escaped line end.
_DEFINED: Final = re.compile(
    r"(?:\\[nrt]|(?<![\w.$\\]))(?:export\s+|default\s+|async\s+|public\s+|private\s+|static\s+|pub\s+|abstract\s+)*"
    r"(?:def|class|function|interface|type|struct|enum|trait|fn|func)\s+(?P<name>[A-Za-z_]\w{2,})\b"
)


def symbols(reading: Reading) -> Iterator[Fact]:
    """Yield a fact for each name that a change defines."""
    places: dict[str, tuple[int, int, int]] = {}
    for action in reading.actions:
        if action.purpose != "change" or action.outcome.state == "failed":
            continue
        if reading.messages[action.index].content_type != "tool-call":
            continue
        text = reading.texts[action.index]
        for argument in arguments_of(text, _NEW_KEYS):
            for found in _DEFINED.finditer(text, argument.start, argument.end):
                places.pop(found["name"], None)
                places[found["name"]] = (action.index, *found.span("name"))
    for name, place in places.items():
        needs = (Need("exact", (name,), anywhere=True),)
        yield fact_of(reading, "symbol", "defined", place, key=f"symbol:{name}", needs=needs)
