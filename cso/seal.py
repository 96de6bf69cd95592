"""Tags: which bytes they cover, and signing (R11-R16).

Message = `crp-cso-v1` LF session LF prior LF body digest. The prior is the
predecessor's tag, empty at genesis, or the sorted tags of all parents joined by
`|`. No part can hold LF, so a message reads one way only; and whoever holds
digests can check links without seeing content.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cso.altered import altered
from cso.check import is_tag
from cso.codec import body_digest
from cso.errors import ChainError
from cso.jcs import is_unicode
from cso.keys import Key
from cso.marks import crp, with_crp

if TYPE_CHECKING:
    from cso.model import CognitiveStateObject

__all__ = ["bind", "message", "parents_of", "sign"]

_DOMAIN = "crp-cso-v1"


def parents_of(cso: CognitiveStateObject) -> tuple[str, ...]:
    """Give the tags this object claims as parents: none, one, or a fan-in's sorted."""
    parents = crp(cso).get("parents")
    if isinstance(parents, list):
        return tuple(str(parent) for parent in parents)
    return (cso.prior_cso_hash,) if cso.prior_cso_hash else ()


def message(cso: CognitiveStateObject, session: str) -> bytes:
    """Give the bytes that the object's tag covers."""
    if "\n" in session or not is_unicode(session):
        raise ChainError("a session id holds no line feed and no lone surrogate", at="session")
    parts = (_DOMAIN, session, "|".join(parents_of(cso)), body_digest(cso))
    return "\n".join(parts).encode()


def bind(cso: CognitiveStateObject, *priors: CognitiveStateObject) -> CognitiveStateObject:
    """Give the draft its place after one signed prior, or after several (fan-in).

    Without priors it becomes a genesis: window 1, no prior tag; an import keeps
    the higher window it came with, and its chain is PARTIAL from there. After
    priors the window number is kept if it already comes after all of them. Raises
    `ChainError` for a prior that is not signed.
    """
    for prior in priors:
        if not is_tag(prior.cso_hmac):
            raise ChainError("a prior must be signed", at=prior.cso_id)
    tags = sorted({prior.cso_hmac for prior in priors})
    last = max((prior.window_number for prior in priors), default=0)
    window = cso.window_number if cso.window_number > last else last + 1
    bound = altered(
        cso,
        window_number=window,
        prior_cso_hash=tags[0] if tags else "",
        cso_hmac="",
    )
    parents = tags if len(tags) > 1 else None
    return with_crp(bound, parents=parents) if parents or "parents" in crp(bound) else bound


def sign(cso: CognitiveStateObject, key: Key | bytes, session: str) -> CognitiveStateObject:
    """Give the object with its tag; a named key leaves its kid in `ext.crp.kid`.

    The place in the chain must be set before (`bind`). Raises `ChainError` for a
    draft of window 0, a prior that is no tag, and a session id that could be read
    two ways.
    """
    key = key if isinstance(key, Key) else Key(key)
    if cso.window_number < 1:
        raise ChainError("a draft of window 0 has no place in a chain; bind it", at="window_number")
    if cso.prior_cso_hash and not is_tag(cso.prior_cso_hash):
        raise ChainError("not a tag", at="prior_cso_hash")
    kid = key.kid or None
    if crp(cso).get("kid") != kid:
        cso = with_crp(cso, kid=kid)
    return altered(cso, cso_hmac=key.sign(message(cso, session)))
