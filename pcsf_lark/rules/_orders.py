"""Phrases by which a text orders a model about, for the rule S005."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["find"]

#: What a model is bound by. Code, shells and tests have rules and commands of their own.
_BONDS = r"(?:instruction|prompt|rule|guideline|direction|directive)s?"
_SAID = rf"(?:{_BONDS}|(?:command|message|context|training|text|content)s?)"
_PRIOR = r"(?:previous|prior|above|earlier|preceding|foregoing)"
_DROP = r"(?:ignore|disregard|forget|override|bypass|overrule)"
_ANY = r"(?:(?:all|any|every|the|of|these|those|my|and) ){0,4}"
_USER = r"(?:user|human|operator)"
_ORDER = re.compile(
    r"\b(?:"
    rf"{_DROP} {_ANY}(?:(?:{_PRIOR}|original|system|your) (?:and |or )?){{1,3}}{_BONDS}\b"
    rf"|{_DROP} (?:all|any) (?:of )?(?:the |these |your )?(?:{_PRIOR} (?:and |or )?){{1,3}}(?:message|context|text|content)s?\b"
    rf"|(?:ignore|disregard|forget) {_ANY}(?:{_SAID} (?:above|before this|so far)\b|above (?={_SAID}))"
    r"|(?:ignore|disregard|forget) the above(?=\s*(?:[.,;:!]|$|and\b))"
    rf"|(?:ignore|disregard|forget) (?:(?:everything|all|anything) (?:above|before|(?:that |which )?(?:you|the {_USER}))|(?:everything|anything) (?:prior|previous))\b"
    rf"|(?:ignore|disregard) what(?:ever)? the {_USER} (?:says?|said|asks?|wants?|tells?)\b"
    r"|(?:ignore|disregard|forget|override|bypass|overrule|disable|abandon|drop|break) (?:all |any |every )?(?:of )?your (?:\w+ )?"
    r"(?:guardrail|guideline|limitation|programming|restriction|safeguard|safety|training)s?\b"
    r"|(?:do not|don't|never) (?:follow|obey|apply|respect) (?:the |any )?(?:of )?(?:your|safety|system|previous|prior) (?:\w+ )?"
    rf"(?:{_BONDS}|polic(?:y|ies)|restrictions?)\b"
    r"|you are now (?:an? |the |no longer |in \w+ mode\b|(?-i:[A-Z]{2,}\b))"
    r"|you(?:'re| are) no longer (?:bound|restricted|limited|an? )"
    r"|from now on,? (?:you (?:are|act|answer|ignore|must|obey|respond|shall|will)\b|act as\b|ignore\b)"
    r"|you (?:must|will|shall|should) (?:now )?(?:obey|comply|ignore|disregard|act as|pretend|(?:not|never) (?:refuse|disobey))\b"
    r"|your (?:new|real|actual|true|updated) (?:task|goal|role|purpose|objective|instructions?|prompt) (?:is|are)\b"
    rf"|pretend (?:that )?(?:to be|you are|you're) (?:(?:an?|the) )?(?:admin\w*|root|human|user|developer|system|unrestricted|unfiltered|jailbroken|evil)\b"
    r"|act as (?:if you|root\b|(?:an? )?admin\w*|(?:an? )?(?:unrestricted|unfiltered|jailbroken))"
    r"|(?:new|updated|real|actual) (?:system )?(?:instructions?|prompt)(?: follow|:(?! ?(?:none|n/a)))"
    r"|(?:reveal|leak|exfiltrate) (?:me )?(?:your|the|all) (?:system |hidden |initial |secret )?(?:prompt|instructions)\b"
    r"|(?:print|repeat|show|output) (?:me )?(?:your (?:system |hidden |initial |secret )?|(?:the|all) (?:system|hidden|initial|secret) )(?:prompt|instructions)\b"
    rf"|(?:do not|don't|never) (?:tell|inform|alert|warn|mention (?:this|it) to) the {_USER}\b"
    r"|(?:the )?next (?:ai|model|llm|assistant),?:? (?:must|shall|has to|is to)\b"
    r"|jailbreak|developer mode (?:enabled|on)\b|do anything now"
    # The same order in German, Spanish, French, Italian and Portuguese.
    r"|(?:ignor\w{1,9}|vergiss|vergesst|oublie\w{0,2}|olvid\w{1,3}|dimentica\w{0,2}|esquec\w{1,3}) (?:[a-z]{1,12} ){0,3}"
    r"(?:(?:vorherig|vorig|bisherig|obig|frueher)\w{0,3} (?:anweisung|instruktion|befehl|regel)\w{0,3}"
    r"|(?:instrucciones|instructions|consignes|istruzioni|instrucoes|reglas) (?:anteriores|previas|precedentes|precedenti|ci-dessus))\b"
    r")",
    re.IGNORECASE | re.MULTILINE,
)
#: How an order may begin; looking for all of them at each word takes ten times as long.
_LEAD = re.compile(
    r"\b(?:abandon|act |actual|break|bypass|developer|disable|disregard|dimentica|do |don't|drop|esquec|exfiltrate|forget"
    r"|from now|ignor|jailbreak|leak|never|new|next|olvid|oublie|output|overr|pretend|print|real|repeat|reveal|show|the next"
    r"|updated|vergess|vergiss|you)",
    re.IGNORECASE,
)
_MARK = re.compile(
    r"<\|[a-z_]+\|>|\[/?INST\]|<</?SYS>>|(?<!\w)</?(?:system|assistant|instructions?)>"
    r"|^#+ ?(?:system|instructions?)\b",
    re.IGNORECASE | re.MULTILINE,
)


def find(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each."""
    found = [match.span() for match in _MARK.finditer(text)]
    end = 0
    for lead in _LEAD.finditer(text):
        if lead.start() >= end and (match := _ORDER.match(text, lead.start())):
            end = match.end()
            found.append(match.span())
    yield from sorted(found)
