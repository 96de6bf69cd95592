"""A call from its arguments to its answer: whatever happens, the model is told what to do.

Laws of this file: a traceback is no answer; an answer is bounded, and text that UTF-8
can hold.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from pcsf_lark.errors import CapsuleError, PcsfError, Unfittable
from pcsf_lark.faces.files import Trouble
from pcsf_lark.faces.mcp.arguments import taken
from pcsf_lark.faces.mcp.bounds import FINDINGS
from pcsf_lark.faces.mcp.refusal import Refusal
from pcsf_lark.faces.mcp.tools import TOOLS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pcsf_lark.faces.mcp.inputs import Answer, Grant
    from pcsf_lark.faces.mcp.tools import Tool

__all__ = ["Told", "answer", "refused", "translated"]

#: Bytes of an answer's JSON.
_MOST = 1024 * 1024
_SHOWN = 20


class Told(NamedTuple):
    """What goes back: texts, the JSON beside them, and whether the call failed."""

    texts: tuple[str, ...]
    members: dict[str, Any]
    failed: bool = False


def answer(name: str, given: Mapping[str, Any], grant: Grant) -> Told:
    """Do a call; never raises for what a call may bring about."""
    try:
        tool = _tool(name)
        return _bounded(tool.call(taken(tool.arguments, given), grant))
    except Exception as error:  # noqa: BLE001 - a model is told what it can act on
        return refused(translated(error))


def _tool(name: str) -> Tool:
    if name not in TOOLS:
        mend = f"the tools are {', '.join(TOOLS)}"
        raise Refusal(f"there is no tool {name!r:.80}", mend)
    return TOOLS[name]


def refused(refusal: Refusal) -> Told:
    """A refusal as an answer."""
    return Told((_sound(str(refusal)),), _plain(refusal.members()), failed=True)


def _bounded(found: Answer) -> Told:
    members = _plain(found.members)
    size = len(json.dumps(members, ensure_ascii=False).encode())
    if size > _MOST:
        mend = "ask for less, such as without the object or of a part of the log"
        raise Refusal(f"the answer would have {size:,} bytes", mend, code="size")
    return Told(tuple(map(_sound, (found.words, *found.texts))), members)


def _plain(members: dict[str, Any]) -> dict[str, Any]:
    """The same in the types of JSON alone, what UTF-8 cannot hold replaced."""
    text = json.dumps(members, ensure_ascii=False, default=_listed, allow_nan=False)
    plain: dict[str, Any] = json.loads(_sound(text))
    return plain


def _listed(value: Any) -> Any:
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    return dict(value) if hasattr(value, "keys") else str(value)


def _sound(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def translated(error: Exception) -> Refusal:
    """Any error as a refusal that says what to do."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, CapsuleError):
        return _unsound(error)
    if isinstance(error, Unfittable):
        found = Refusal(str(error), "send a shorter capsule or a larger budget", code="unfittable")
        members = ("needed", "budget", "obstacles")
        found.more = {name: getattr(error, name) for name in members}
        return found
    if isinstance(error, Trouble):
        return Refusal(str(error), "see to what it names", code="trouble")
    if isinstance(error, RecursionError | MemoryError):
        return Refusal("the input is too large or too deeply nested", "send less", code="size")
    if isinstance(error, UnicodeEncodeError):
        what = "a text holds half of a surrogate pair, which no file can"
        return Refusal(what, "send sound Unicode", code="unicode")
    return _of_states(error) or _fault(error)


def _unsound(error: CapsuleError) -> Refusal:
    count = len(error.diagnostics)
    which = "; ".join(getattr(error, "__notes__", ()))
    what = f"not a conformant capsule: {count} finding{'s' * (count != 1)}"
    mend = "mend what they name, or send the text to the tool `fix`"
    found = Refusal(what, mend, at=which, code="not-conformant")
    found.details = tuple(f"{one}; {one.help}" for one in error.diagnostics[:_SHOWN])
    found.more["findings"] = [
        {"code": f.code, "line": f.span.line, "message": f.message, "help": f.help}
        for f in error.diagnostics[:FINDINGS]
    ]
    return found


def _of_states(error: Exception) -> Refusal | None:
    """What state objects, relays and session logs raise."""
    import cso  # noqa: PLC0415 - for what went wrong alone
    from pcsf_lark.faces.session.state import Refused  # noqa: PLC0415 - likewise
    from pcsf_lark.relay.errors import RepositoryError  # noqa: PLC0415 - likewise

    if isinstance(error, cso.CsoError):
        lines = [f"{one.at}: {one.message}" if one.at else one.message for one in error.findings]
        found = Refusal("; ".join(lines[:_SHOWN]), "send one without that", code=error.code)
        found.more["findings"] = [
            {"code": one.code, "at": one.at, "message": one.message}
            for one in error.findings[:FINDINGS]
        ]
        return found
    if isinstance(error, RepositoryError):
        return Refusal(str(error), "see to what it names, or ask the user to", code="relay")
    if isinstance(error, Refused):
        return Refusal(str(error), "see to what it names", code="refused")
    if isinstance(error, PcsfError):
        return Refusal(str(error), "mend it, or send another", code="content")
    return None


def _fault(error: Exception) -> Refusal:
    what = f"a fault of pcsf itself: {type(error).__name__}: {error!s:.300}"
    return Refusal(what, "report it, with what you sent; send something else", code="fault")
