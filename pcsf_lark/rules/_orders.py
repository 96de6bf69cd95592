"""Phrases by which a text orders a model about, for the rule S005."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find"]

_RULES = (
    r"(?:instruction|prompt|rule|guideline|direction|directive|command|message|context|training)s?"
)
_PRIOR = r"(?:previous|prior|above|earlier|preceding|foregoing|existing|original|system|your|other)"
_ORDER = re.compile(
    r"\b(?:"
    rf"(?:ignore|disregard|forget|override|bypass|overrule) (?:all |any |every |the |of |these |those |my |and ){{0,4}}"
    rf"(?:{_PRIOR} (?:and |or )?){{1,3}}{_RULES}"
    r"|(?:ignore|disregard|forget) (?:everything|all|anything) (?:above|before|prior|previous|(?:that |which )?you)"
    r"|you are now (?:an? |the |in |no longer )"
    r"|you (?:must|will|shall) (?:now )?(?:obey|comply|ignore|disregard|act as|pretend)"
    r"|(?:pretend|act) (?:to be|as if you|as an? (?:unrestricted|unfiltered|jailbroken))"
    r"|(?:new|updated|real|actual) (?:system )?(?:instructions?|prompt)(?: follow|:)"
    r"|(?:reveal|print|repeat|show|output|leak|exfiltrate) (?:me )?(?:your|the|all) (?:system |hidden |initial |secret )?(?:prompt|instructions)"
    r"|(?:do not|don't|never) (?:tell|inform|alert|warn|mention (?:this|it) to) the (?:user|human|operator)"
    r"|jailbreak|developer mode (?:enabled|on)|do anything now"
    r")"
    r"|<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|</?(?:system|assistant|instructions?)>"
    r"|^#+ ?(?:system|instructions?)\b",
    re.IGNORECASE | re.MULTILINE,
)


def find(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each."""
    for match in _ORDER.finditer(text):
        yield match.span()
