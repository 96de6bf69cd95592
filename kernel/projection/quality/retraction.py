"""What a summary hides or takes back: comments nobody is shown, and `all this is void`.

Laws: what stands in a comment is not in the summary; a statement that takes back what
stands above or below it takes back all of it; what is quoted under a label is neither.
"""

import re
from typing import Final

__all__ = ["retracts", "shown"]

_COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
_OPEN_COMMENT: Final = re.compile(r"^[ \t]*<!--.*", re.DOTALL | re.MULTILINE)
_QUOTE: Final = re.compile(r"^- \w+(?: \([^()\n]*\))?: [^\n]*<!--[^\n]*$", re.MULTILINE)
_WHAT: Final = (
    r"(?:constraints?|rules?|restrictions?|limits?|limitations?|prohibitions?|instructions?|requirements?|directives?|bans?"
    r"|guidelines?|conditions?|statements?|summary|notes?|lines?|items?|points?|list)"
)
_TAKES: Final = (
    r"(?:withdrawn|lifted|waived|revoked|rescinded|repealed|relaxed|dropped|cancell?ed|removed|overruled|overridden|superseded|obsolete|void|null"
    r"|outdated|moot|invalid|false|wrong|untrue|fiction\w*|not (?:true|valid|binding|in force|apply)|ignored|to be ignored|optional|no longer \w+"
    r"|set aside|disregarded)"
)
_LAWS: Final = r"(?:constraints?|rules?|restrictions?|limitations?|prohibitions?|instructions?|requirements?|directives?|bans?)"
_LIFTS: Final = (
    r"(?:withdrawn|lifted|waived|revoked|rescinded|repealed|overruled|obsolete|void|moot|not binding|not in force|to be ignored"
    r"|set aside|disregarded)"
)
_BE: Final = r"(?:is|are|was|were|be|been|being|got|has been|have been|had been|may be|can be|should be|must be)"
_RETRACTS: Final = re.compile(
    rf"\b(?:ignore|disregard|forget|override|bypass|drop|skip|discard)(?: \w+)? (?:all|any|everything|the|these|those|every|each|what) ?"
    rf"(?:of )?(?:the |these |those )?(?:above|below|following|foregoing|preceding|previous|prior|earlier|{_WHAT})\b"
    rf"|\b{_LAWS} (?:above |below )?(?:\w+ )?{_BE} (?:\w+ )?{_LIFTS}\b"
    rf"|\b(?:above|below|following|foregoing|preceding) {_WHAT} (?:\w+ )?{_BE} (?:\w+ )?{_TAKES}\b"
    rf"|\b(?:these|those|all|all the) {_WHAT} {_BE} (?:\w+ )?{_LIFTS}\b"
    rf"|\b{_WHAT} (?:above|below) (?:\w+ )?{_BE} (?:\w+ )?{_TAKES}\b"
    rf"|\b(?:all|any|none|everything|nothing|each|every\w*)(?: of)?(?: the| this| that)? (?:above|below|following|foregoing|preceding|these|those|them|this) "
    rf"{_BE} (?:\w+ )?(?:{_TAKES}|true|valid|in force|binding)\b"
    rf"|\b(?:the )?(?:above|below|following|foregoing|preceding) {_BE} (?:\w+ )?{_TAKES}\b"
    rf"|\b{_LAWS} (?:above |below )?(?:no longer|do not|does not|don['\u2019]t|doesn['\u2019]t)(?: \w+)? (?:appl\w+|hold|bind|matter|count)\b"
    r"|\bthe (?:opposite|reverse|contrary) (?:of [^.]{0,60})?(?:is|holds|applies)\b"
    r"|(?:以上|上述|下述|以下|前述|这些)(?:所有|全部)?(?:约束|限制|规则|要求|内容|指示|禁令)?(?:均|都|已|全部|不再|可以?)*(?:作废|无效|取消|解除|撤销|撤回|忽略|不适用|过时|适用(?<=不再适用))"
    r"|(?:忽略|无视)(?:以上|上述|下述|以下|前述)",
    re.IGNORECASE,
)


def shown(text: str) -> str:
    """Return a summary without its comments; those a labelled line quotes stand."""
    if "<!--" not in text:
        return text
    kept = {found.start() for found in _QUOTE.finditer(text)}

    def blank(found: re.Match[str]) -> str:
        start = text.rfind("\n", 0, found.start()) + 1
        return found[0] if start in kept else " "

    return _OPEN_COMMENT.sub(" ", _COMMENT.sub(blank, text))


def retracts(text: str) -> bool:
    """Tell whether a text takes back what stands beside it."""
    return _RETRACTS.search(text) is not None
