"""Words by which people and models show what they are doing: agreeing, announcing, doubting.

Laws: tables, no logic; what a cue proves is said where it is used; no cue is of one log.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from kernel.projection.quality.wording import words_of

__all__ = [
    "ACKS",
    "AGREES",
    "ANNOUNCES",
    "ASIDE",
    "ASKS_FOR",
    "BLAMES",
    "CHANGES",
    "CHORES",
    "CLEANS",
    "COURTESY",
    "DIAGNOSES",
    "HEDGES",
    "LOOKS",
    "OBJECTS",
    "REFUSES",
    "SOFTLY",
    "STEPS",
    "WANTED",
    "content_words",
]


def _cue(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace("'", "['\u2019]"), re.IGNORECASE)


_CHANGE: Final = (
    r"(?:add|adjust|allow|append|apply|build|bump|cache|change|combine|consolidate|convert|copy|correct|create|delegate|delete|disable|drop|edit"
    r"|enable|exclude|extract|fix|flush|fold|follow|go|handle|have|implement|import|include|inline|install|keep|leave|limit|make|merge|mock|modify"
    r"|move|open|pin|prefer|put|queue|raise|refactor|register|remove|rename|reorgani[sz]e|replace|restructure|retry|return|reuse|revert|rewrite"
    r"|round|save|set|share|show|simplify|skip|split|stay|stick|store|stop|support|swap|switch|take|track|turn|update|upgrade|use|wire|wrap|write)"
)

#: An assistant takes up what the user said against it.
AGREES: Final = _cue(
    r"^(?:(?:oh|ah|hm+|ok(?:ay)?|yes|yeah|yep|right|exactly|true)[,.!: ]+)*(?:"
    r"you're (?:\w+ )?(?:right|correct)|you are (?:\w+ )?(?:right|correct)|good (?:catch|point|idea|call|thinking)|great (?:catch|point|idea)"
    r"|fair (?:point|enough)|that's (?:much |a )?(?:better|cleaner|a good|good point|right|true)|that makes (?:more |much more )?sense"
    r"|makes sense|i (?:agree|stand corrected|misread|misunderstood)|agreed|my (?:mistake|bad)|i was wrong|got it)"
)
#: It says that what it did was wrong.
BLAMES: Final = _cue(
    r"\b(?:accidentally|by mistake|my (?:mistake|bad|bug|error|edit|design)|a bug in my|overcomplicated|overlooked|i (?:forgot|missed|misread)"
    r"|did not use the proper|didn't use the proper|was (?:a )?(?:wrong|mistake)|shouldn't have|should not have)\b"
)
#: It announces a change of something.
ANNOUNCES: Final = _cue(
    r"\b(?:let me|let's|i'll|i will|i'm going to|we'll|we will|we (?:just )?want to|we need to|we can|we should|i need to|i should|need to|now"
    r"|the (?:\w+ )?(?:fix|solution|approach|plan) is(?: \w+)?(?: to|:)?|the simplest approach is to)\s+(?:now |just |also |first |then |therefore |only |simply )*"
    + _CHANGE
    + r"\b|\bupdated? (?:the \w+ )?to\b|^(?:so )?use \w+"
)
#: It announces a step that hands work on.
STEPS: Final = _cue(
    r"\b(?:let me|let's|i'll|i will|i'm going to|we'll|we will|we need to|i need to|now)\s+(?:now |just |also |first |then )*"
    r"(?:signal|submit|upload|push|send|publish|deploy|release|notify|report|merge|finish|complete|proceed with)\b"
)
CHANGES: Final = _cue(r"^" + _CHANGE + r"\b")
#: It only looks; nothing is decided by it.
LOOKS: Final = _cue(
    r"\b(?:let me|let's|i'll|i will|i'm going to|i need to|i want to|we need to|we can|we should|now|please|first,? i)\s+(?:now |just |also |first |then |quickly )*"
    r"(?:check|look|read|see|find|search|examine|inspect|verify|test|run|review|investigate|understand|explore|list|open|wait|continue|proceed"
    r"|start|begin|use .{0,40} to (?:locate|find|search|check|see)|try|get|do|compare|confirm|locate|debug|trace|think|know|show|summari[sz]e|commit)\b"
)
#: It removes what it needed only for itself.
CLEANS: Final = _cue(
    r"\b(?:clean(?:ing)?[ -]?up|cleanup|no longer needed|tidy|stray|temporary|reproduc\w+ script)\b"
)
#: What anyone would do on the way, and nobody needs to be told.
CHORES: Final = _cue(
    r"\b(?:imports?|unused|typos?|whitespace|formatting|check ?box\w*|barrel|commit(?:ting)?)\b"
)
#: A state of affairs that calls for a change.
DIAGNOSES: Final = _cue(
    r"\b(?:not|never|no|nothing|none|cannot|without|wrong|missing|duplicat\w+|broken|breaks?|bug|fault|error|fail\w*|mismatch|outdated|stale|leaks?"
    r"|unused|already|only|too (?:\w+)|instead|should|conflict\w*|expects?|requires?|race|slow)\b|n't\b"
)
#: It does not know for sure.
HEDGES: Final = _cue(
    r"\b(?:i(?:'m| am) not (?:sure|certain)|not sure|unsure|uncertain|unclear|i (?:suspect|think|believe|assume|guess|doubt)|i don't know"
    r"|might|may (?:be|need|not|have)|could be|perhaps|maybe|possibly|probably|presumably|(?:seems?|appears?|looks?) (?:to|like|that|there|as)|i expect|likely)\b"
)
#: A question that only offers more.
COURTESY: Final = _cue(
    r"\b(?:would you like me to (?:explain|elaborate|help|show|do anything)|anything else|further (?:questions|assistance|help)|feel free"
    r"|let me know if|can i help|how can i|here to (?:help|assist)|take care|have a (?:\w+ )?(?:day|flight|trip)|what would you like|need (?:any|further) (?:help|assistance)|any (?:adjustments|questions))\b"
)
#: The assistant asks for what it needs to go on.
ASKS_FOR: Final = _cue(
    r"\b(?:provide|let me know|could you (?:please )?(?:tell|share|confirm)|please (?:confirm|share|tell|specify)|may i have|what is your"
    r"|i'll need your|i need (?:your|both|the user)|would you like to proceed)\b"
)
#: It went wrong as it should: the failure was what was looked for.
WANTED: Final = _cue(
    r"\b(?:as expected|expected|successfully reproduced|reproduces? the|confirms?|confirmed|this is (?:the|what) we)\b"
)
#: A user approves, thanks, or says hello.
ACKS: Final = _cue(
    r"^(?:(?:yes|yeah|yep|yup|ok(?:ay)?|sure|great|good|nice|cool|perfect|thanks?|thank you|wow|hi|hello|hey|yo|please|right|alright|fine|continue|go"
    r" (?:ahead|on)|proceed|do it|that's (?:all right|fine|ok|okay|perfect|great)|sounds good|that sounds good|looks good|lgtm|no problem|i (?:reviewed|reviwed))\b[^\w]*)+"
)
#: A user goes off the line for a moment.
ASIDE: Final = _cue(
    r"^(?:btw|by the way|slight steering|aside|side (?:note|question)|quick question)\b"
)
#: A user turns a proposal or a result down.
OBJECTS: Final = _cue(
    r"^(?:no(?:[,.!;]|\s+(?:that|this|we|i|you|it|don't|not)\b)|nope\b|neither\b|none of\b|wait\b|stop\b|wrong\b|not (?:quite|really|what)\b|actually,? (?:no|can you|i)\b|like,? can't\b)"
    r"|\b(?:(?:this|that|it) doesn't look right|not what i|that's (?:wrong|horrible|not|bad)|don't like|works? for me as|can you revert|please revert|undo that)\b"
    r"|\bi don't (?:want|need)\b|\bi do not (?:want|need)\b|\bi'd (?:prefer|rather)\b.*\b(?:instead|rather|not|over)\b|\bonly want\b"
)
#: It is turned down in passing; the sentence says it all.
SOFTLY: Final = _cue(r"\bi'd (?:prefer|rather)\b|\b(?:don't|do not) (?:want|need)\b|\bonly want\b")
#: An assistant refuses, or says that something cannot be had.
REFUSES: Final = _cue(
    r"\b(?:i(?:'m| am)? (?:unable to|cannot|can't|not able to|not allowed to)|cannot be|can't be|is not (?:allowed|possible|supported|permitted)"
    r"|are not (?:allowed|supported|permitted)|there (?:aren't|are not|isn't|is no) enough)\b"
)

_NUMBERED: Final = re.compile(r"\w*\d\w*")
_EMPTY: Final = frozenset(("tell", "know", "help", "sorr", "thank", "sur", "hav", "end", "try"))


@cache
def content_words(text: str) -> frozenset[str]:
    """The stems of a text's words that carry meaning, and whatever has a digit in it."""
    return (frozenset(words_of(text)) | frozenset(_NUMBERED.findall(text.lower()))) - _EMPTY
