"""Calls about tags and chains of objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cso.altered import altered
from cso.call.request import (
    Earlier,
    InputError,
    Line,
    changed,
    integer,
    listed,
    text,
)
from cso.chain import ChainStatus, Verdict, read_entries, verify_chain
from cso.codec import body_digest, from_members
from cso.keys import Key, hkdf, session_key
from cso.seal import bind, message, sign

if TYPE_CHECKING:
    from cso.model import CognitiveStateObject

__all__ = ["HANDLERS", "key_of", "verdict_of"]

Output = dict[str, Any]


def _bytes(given: dict[str, Any], name: str) -> bytes:
    """Read `NAME_hex` or `NAME_ascii`."""
    if f"{name}_hex" in given:
        try:
            return bytes.fromhex(text(given, f"{name}_hex"))
        except ValueError:
            raise InputError("expected hex digits", at=f"{name}_hex") from None
    return text(given, f"{name}_ascii", "" if name in ("salt", "info") else None).encode()


def key_of(given: dict[str, Any], session: str) -> Key:
    """Read a key, or derive it from a master key."""
    if "master_hex" in given or "master_ascii" in given:
        return session_key(_bytes(given, "master"), session)
    return Key(_bytes(given, "key"))


def verdict_of(verdict: Verdict) -> Output:
    """Give a verdict as members of an output."""
    found: Output = {"chain_integrity": verdict.status.value}
    if verdict.reason:
        found["reason"] = verdict.reason
    if verdict.status is ChainStatus.BROKEN:
        found.update(broken_at_window=verdict.broken_at_window, index=verdict.index)
    return found


def _tag(cso: CognitiveStateObject, key: Key, session: str) -> str:
    return key.sign(message(cso, session))


def _signing(lines: list[Line], given: dict[str, Any]) -> tuple[Key, str]:
    """Find key and session: in the input itself, else in the lines it refers to."""
    found: dict[str, Any] = {}
    for source in (*(line.input for line in reversed(lines)), given):
        found.update(
            {k: v for k, v in source.items() if k.startswith(("key_", "master_", "session"))}
        )
    session = text(found, "session_id")
    return key_of(found, session), session


def hkdf_call(given: dict[str, Any], _: Earlier) -> Output:
    """Derive key material."""
    made = hkdf(
        _bytes(given, "ikm"),
        salt=_bytes(given, "salt"),
        info=_bytes(given, "info"),
        length=integer(given, "length", 32),
    )
    return {"okm_hex": made.hex()}


def cso_hmac(given: dict[str, Any], earlier: Earlier) -> Output:
    """Compute the tag of an object, or of the last of a chain, and judge the chain."""
    raw, lines = _objects(given, earlier)
    key, session = _signing(lines, given)
    entries = list(read_entries(raw))
    last = from_members(raw[-1], strict=False)
    tag = _tag(last, key, session)
    if not last.cso_hmac:
        entries[-1] = altered(last, cso_hmac=tag)
    verdict = verify_chain(entries, key, session, anchor=given.get("anchor"))
    return {"body_sha256": body_digest(last), "cso_hmac": tag, **verdict_of(verdict)}


def _objects(given: dict[str, Any], earlier: Earlier) -> tuple[list[dict[str, Any]], list[Line]]:
    """Give the objects of an input and the lines they come from."""
    elements = listed(given, "chain") if "chain" in given else [given.get("cso", given.get("base"))]
    if elements == [None]:
        raise InputError("expected cso, chain or base", at="cso")
    found = [earlier.element(element, f"chain[{n}]") for n, element in enumerate(elements)]
    return [raw for raw, _ in found], [line for _, line in found if line is not None]


def cso_tamper(given: dict[str, Any], earlier: Earlier) -> Output:
    """Change an earlier object by path, keep its tag, and judge its chain."""
    name = given.get("base")
    raw, line = earlier.object_at(name, "base")
    chain = earlier.chain(line, "base")
    index = next((n for n, element in enumerate(chain) if element == raw), len(chain) - 1)
    chain[index] = changed(raw, given.get("set", {}))
    key, session = _signing([line, *_below(line, earlier)], given)
    return verdict_of(verify_chain(read_entries(chain), key, session))


def _below(line: Line, earlier: Earlier) -> list[Line]:
    """Give the lines that a line itself rests on, for their key and session."""
    found: list[Line] = []
    while "base" in line.input and "key_hex" not in line.input:
        _, line = earlier.object_at(line.input["base"], "base")
        found.append(line)
    return found


def cso_chain_fault(given: dict[str, Any], earlier: Earlier) -> Output:
    """Judge a chain put together from earlier objects."""
    raw, lines = _objects(given, earlier)
    raw = [changed({"chain": raw}, given["set"])["chain"]][0] if "set" in given else raw
    key, session = _signing(lines, given)
    return verdict_of(verify_chain(read_entries(raw), key, session, anchor=given.get("anchor")))


def cso_key_rotation(given: dict[str, Any], earlier: Earlier) -> Output:
    """Sign an earlier object with another key, and verify across the change.

    The chain is the object under its old key and a next window under the new one.
    """
    raw, line = earlier.object_at(given.get("base"), "base")
    old_key, session = _signing([line], {})
    key, session = _signing([line], given)
    first = from_members(raw, strict=False)
    resigned = altered(first, cso_hmac=_tag(first, key, session))
    chain = [first, sign(bind(first, first), key, session)]
    old = verify_chain([resigned], old_key, session)
    both = verify_chain(chain, {"old": old_key, "new": key}, session)
    return {
        "cso_hmac": resigned.cso_hmac,
        "verify_with_key_of_CH1": old.status.value,
        "verify_with_key_of_base": old.status.value,
        "verify_with_keyring_of_both": both.status.value,
    }


HANDLERS = {
    "cso_chain_fault": cso_chain_fault,
    "cso_hmac": cso_hmac,
    "cso_key_rotation": cso_key_rotation,
    "cso_tamper": cso_tamper,
    "hkdf": hkdf_call,
}
"""Handlers by kind."""
