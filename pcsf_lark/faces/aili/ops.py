"""The ops of `pcsf aili call`: the six surfaces, and project, before_compact, plan, doctor.

    found = OPS["aili_prune"](now, Request({"catalogId": …, "refs": […]}))
    found.output, found.after            # or a Refusal

Law: an op looks at a log that is opened already; only a surface that mutates appends, and
only where the request says `write`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from attrs import asdict, frozen

from kernel.projection.lifecycle.refusal import Refusal, refuse
from kernel.projection.lifecycle.sealing import writable
from kernel.projection.recovery.coordination import situation_of
from kernel.projection.recovery.permits import ManualCompactPermit
from kernel.projection.surfaces import SURFACES, Call
from kernel.projection.surfaces.inputs import Schema, closed, violation
from pcsf_lark.faces.aili.saying import worded
from pcsf_lark.faces.aili.writing import append_all, step_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kernel.projection.snapshot import Snapshot
    from pcsf_lark.faces.aili.log import Opened

__all__ = ["OPS", "Found", "Request"]

_FORMATS: Final = ("pi", "openai", "anthropic", "responses", "gemini", "json")


@frozen
class Request:
    """What an op is asked, and what the host knows beside it."""

    input: Mapping[str, Any]
    write: bool = False
    call_id: str | None = None
    siblings: int = 1
    permit: bool = False


@frozen
class Found:
    """The output of an op, and the branch behind it."""

    output: Any
    after: Snapshot


def _permit(snapshot: Snapshot) -> ManualCompactPermit:
    branch = snapshot.branch
    return ManualCompactPermit("call", branch.session_id, branch.leaf, branch.epoch)


def _surface(name: str, now: Opened, asked: Request) -> Found | Refusal:
    surface, snapshot = SURFACES[name], now.snapshot
    permit = _permit(snapshot) if asked.permit else None
    call = Call(asked.call_id, asked.siblings, permit)
    answer = surface.run(snapshot, asked.input, call)
    if isinstance(answer, Refusal):
        return worded(answer, snapshot)
    if not surface.mutates:
        return Found(dict(answer.output), snapshot)
    steps = [step_of(snapshot, made) for made in answer.transactions]
    if asked.write:
        for _ in append_all(now.given.path, now.tree.leaf, steps):
            pass
    output = {
        **answer.output,
        "written": asked.write,
        "append": [step.as_json() for step in steps],
    }
    return Found(output, steps[-1].after if asked.write and steps else snapshot)


def _misfit(asked: Request, schema: Schema) -> Refusal | None:
    wrong = violation(schema, asked.input)
    return None if wrong is None else refuse("bad-input", detail=f"At {wrong}.")


_PROJECT: Final = closed(
    {
        "format": {"type": "string", "enum": list(_FORMATS), "default": "pi"},
        "suffix": {"type": "boolean", "default": False},
    },
    [],
)


def _project(now: Opened, asked: Request) -> Found | Refusal:
    from kernel.projection.provider.suffix import suffix_of  # noqa: PLC0415 - for this op alone
    from pcsf_lark.faces.aili.report import standing  # noqa: PLC0415 - likewise
    from pcsf_lark.faces.aili.view import body  # noqa: PLC0415 - likewise

    if (wrong := _misfit(asked, _PROJECT)) is not None:
        return wrong
    snapshot = now.snapshot
    permit = _permit(snapshot) if asked.permit else None
    wanted = asked.input.get("suffix", False)
    name = asked.input.get("format", "pi")
    output = {
        **standing(snapshot),
        "raw": snapshot.projection.raw,
        "messages": list(snapshot.projection.messages),
        "body": None if name == "pi" else body(snapshot, name),
        "suffix": suffix_of(snapshot, permit=permit) if wanted else None,
    }
    return Found(output, snapshot)


def _before_compact(now: Opened, asked: Request) -> Found | Refusal:
    from kernel.projection.recovery.checkpoint import before_compact  # noqa: PLC0415 - for this op alone

    result = before_compact(now.snapshot, asked.input)
    # The hook of a JavaScript host returns undefined where this is null.
    output = None if result is None else {"compaction": result.as_json()}
    return Found(output, now.snapshot)


def _plan(now: Opened, asked: Request) -> Found | Refusal:
    from kernel.projection.cooling.planning import coolable  # noqa: PLC0415 - for this op alone
    from kernel.projection.provider.suffix import suffix_of  # noqa: PLC0415 - likewise
    from pcsf_lark.faces.aili.report import standing, status  # noqa: PLC0415 - likewise

    if (wrong := _misfit(asked, closed({}, []))) is not None:
        return wrong
    snapshot = now.snapshot
    permit = _permit(snapshot) if asked.permit else None
    told = status(snapshot, permit)
    names = ("ranges", "promotions", "excluded", "promotionsExcluded", "pressure", "manual")
    closed_by = writable(snapshot)
    cooling = () if closed_by is not None else coolable(snapshot, "automatic")
    situation = situation_of(snapshot)
    output = {
        **standing(snapshot),
        **{name: told[name] for name in names},
        "planning": situation.planning,
        "cooling": [one.source.ref for one in cooling],
        "suffix": suffix_of(snapshot, permit=permit),
        "refusal": None if closed_by is None else asdict(worded(closed_by, snapshot)),
    }
    return Found(output, snapshot)


def _doctor(now: Opened, asked: Request) -> Found | Refusal:
    from pcsf_lark.faces.aili.health import health  # noqa: PLC0415 - for this op alone

    if (wrong := _misfit(asked, closed({}, []))) is not None:
        return wrong
    return Found(health(now), now.snapshot)


OPS: Final[Mapping[str, Callable[[Opened, Request], Found | Refusal]]] = {
    **{name: partial(_surface, name) for name in SURFACES},
    "project": _project,
    "before_compact": _before_compact,
    "plan": _plan,
    "doctor": _doctor,
}
