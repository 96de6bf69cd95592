"""What a surface is given beside its input, and what it gives back.

Laws: a surface never writes; what it wants appended are transactions in its answer, for the
host to append under the leaf they were planned on; a mutator must be the only tool call of
the current assistant message and name the current catalog.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from kernel.model import NOTHING, as_tuple
from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.lifecycle.sealing import Permit, writable
from kernel.projection.model import Transaction
from kernel.projection.snapshot import Snapshot
from kernel.projection.surfaces.inputs import DIALECT, Schema, text, violation

__all__ = ["Answer", "Call", "Surface", "answer", "catalog_id", "current_calls"]


@frozen
class Call:
    """The call a surface runs for.

    `call_id` is its id in the current assistant message and None where the host runs the
    surface outside of one; `siblings` counts the tool calls of that message as the host
    knows them, this one included; `permit` is the user's leave for one semantic step.
    """

    call_id: str | None = None
    siblings: int = 1
    permit: Permit | None = None


@frozen
class Answer:
    """The output of a surface, a JSON value, and what is to be appended, in order.

    Attributes:
        output: What the model is told.
        transactions: What is to be appended, in order.
    """

    output: Mapping[str, Any] = NOTHING
    transactions: tuple[Transaction, ...] = field(default=(), converter=as_tuple)


@frozen
class Surface:
    """A tool: its name, what it says of itself, the schema of its input, and what it does."""

    name: str
    description: str
    schema: Mapping[str, Any]
    work: Callable[[Snapshot, Mapping[str, Any], Call], Answer | Refusal]
    mutates: bool = False

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Return the whole schema of the input, dialect and title with it."""
        return {"$schema": DIALECT, "title": self.name, **self.schema}

    def run(self, snapshot: Snapshot, given: Any, call: Call | None = None) -> Answer | Refusal:
        """Check an input by the schema and, of a mutator, the call and the catalog; then work."""
        return answer(self, snapshot, given, Call() if call is None else call)


def catalog_id() -> Schema:
    """Return the schema of the catalog's id, which every mutator takes."""
    return text(80, pattern="^[A-Za-z0-9_-]{1,80}$")


def current_calls(snapshot: Snapshot) -> Sequence[tuple[str, str]]:
    """Return id and tool of the calls of the current assistant message, none if it is done.

    An assistant message is current while one of its calls waits for its result.
    """
    answered: set[str] = set()
    for source in reversed(snapshot.branch.sources):
        role = source.message.get("role")
        if role == "toolResult":
            answered.add(str(source.message.get("toolCallId")))
        elif role != "assistant":
            return ()
        else:
            parts = source.message.get("content")
            calls = [
                (str(part.get("id")), str(part.get("name")))
                for part in (parts if isinstance(parts, list) else ())
                if isinstance(part, Mapping) and part.get("type") == "toolCall"
            ]
            return () if all(name in answered for name, _ in calls) else calls
    return ()


def _sole(surface: Surface, snapshot: Snapshot, call: Call) -> Refusal | None:
    """Refuse a mutator that is not alone in its assistant message."""
    calls = current_calls(snapshot)
    if call.siblings != 1 or len(calls) > 1:
        return refuse("not-sole-call")
    if call.call_id is None and not calls:
        return None
    if not calls or calls[0][1] != surface.name or call.call_id not in (None, calls[0][0]):
        return refuse("not-current-call")
    return None


def answer(surface: Surface, snapshot: Snapshot, given: Any, call: Call) -> Answer | Refusal:
    """Run a surface: the first rule that is broken answers."""
    wrong = violation(surface.schema, given)
    if wrong is not None:
        return refuse("bad-input", detail=f"At {wrong}.")
    if surface.mutates:
        refusal = _sole(surface, snapshot, call)
        if refusal is not None:
            return refusal
        # What the log itself forbids is said before what the call got wrong.
        refusal = writable(snapshot)
        if refusal is not None:
            return refusal
        if given["catalogId"] != snapshot.catalog.catalog_id:
            return refuse("stale-catalog")
    return surface.work(snapshot, given, call)
