"""The proof of a cooling, at replay: all that the log can say of it without any settings.

    proof_of_cooling(ledger, made, payload)      the code of what does not hold, or None

Laws: no settings can make a tool's rules weaker than its built-in ones, so what is weaker
was never planned; so many settled answers came since the result that it can have been
observed as often as is said; an error needs a later success of the same call, observed and
in the log; behind restore-all only the user's own word cools.
"""

from collections.abc import Mapping
from typing import Any, Final

from kernel.projection.cooling.profiles import ERROR_FLOOR, allowed
from kernel.projection.log.digests import canonical
from kernel.projection.model import CooledResult, Cooling, Transaction
from kernel.projection.replaying.ledger import Ledger

__all__ = ["proof_of_cooling"]

_RESULT: Final = "toolResult"


def proof_of_cooling(ledger: Ledger, made: Transaction, payload: Cooling) -> str | None:
    """Prove that every result of a cooling may lose its body."""
    controls = ledger.controls
    if controls.restored and made.origin != "user":
        return "replay-restored"
    by_itself = "automatic" in (payload.mode, made.origin)
    if by_itself and (controls.restored or controls.auto_cooling is False):
        return "replay-restored"
    asked = payload.mode == "prune" and not by_itself
    for result in payload.results:
        code = _identity(ledger, result) or _rules(ledger, result, asked=asked)
        if code is not None:
            return code
    return None


def _identity(ledger: Ledger, result: CooledResult) -> str | None:
    scope = ledger.scope
    if not scope.visible(result.entry_id):
        return "cooling-not-visible"
    if result.entry_id in ledger.cooled:
        return "cooling-twice"
    stored = scope.message(result.entry_id)
    if stored.get("role") != _RESULT:
        return "cooling-no-result"
    if (stored.get("toolCallId"), stored.get("toolName")) != (result.call_id, result.tool):
        return "cooling-identity"
    return None if scope.digest(result.entry_id) == result.digest else "cooling-digest"


def _rules(ledger: Ledger, result: CooledResult, *, asked: bool) -> str | None:
    rules = allowed(result.tool, result.profile)
    if rules is None or (rules.cools == "asked" and not asked):
        return "cooling-profile"
    error = bool(ledger.scope.message(result.entry_id).get("isError"))
    if error and result.resolution is None:
        return "cooling-unresolved-error"
    if result.resolution is not None and not _resolves(ledger, result, result.resolution):
        return "cooling-resolution"
    least = max(rules.observations, ERROR_FLOOR if error else 0)
    seen = ledger.answers_since(result.entry_id)
    return None if least <= result.observations <= seen else "cooling-unobserved"


def _resolves(ledger: Ledger, result: CooledResult, later: str) -> bool:
    """Tell whether an entry is a later, observed success of the same call."""
    scope = ledger.scope
    if later not in scope.place or scope.place[later] <= scope.place[result.entry_id]:
        return False
    success = scope.message(later)
    named = (success.get("role"), success.get("toolName")) == (_RESULT, result.tool)
    if not named or success.get("isError") or not ledger.answers_since(later):
        return False
    return _arguments(scope.call_of(later)) == _arguments(scope.call_of(result.entry_id))


def _arguments(call: Mapping[str, Any] | None) -> str:
    return canonical(None if call is None else call.get("arguments"))
