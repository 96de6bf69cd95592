"""Words that deny a failure or an opening: no errors, 0 failed, was open, nothing left.

    settled("pytest: 0 failed, nothing left to do")     "pytest: passing, done"

Laws: what is denied is said to be passing or done, so that no reader of single words takes
`no errors` for an error; lexical, one pass, and a text without any such form is returned
as it is.
"""

import re
from typing import Final

__all__ = ["settled"]

_BAD: Final = (
    r"(?:(?:test|build|type|lint|compil\w*|syntax|runtime|known|more|further|single|remaining|unresolved|new|of the tests|tests?"
    r"|checks?|any|such|is|are|was|were) ){0,3}(?:fail\w*|errors?|errored|broken|crash\w*|breaks?|violations?|regressions?|red)\b"
)
_PASSES: Final = re.compile(
    rf"(?<![\w.])(?:no|0|zero|without|no longer|never|free of|free from|none|nothing|doesn['\u2019]t|does not|do not|don['\u2019]t)"
    rf" (?:a |an |the )?{_BAD}|\b(?:error|failure)s?[- ]free\b|没有?(?:任何)?(?:失败|报错|错误)|[无零](?:任何)?(?:失败|报错|错误)"
    r"|不再(?:失败|报错)|未(?:失败|报错|出错)",
    re.IGNORECASE,
)
_DONE: Final = re.compile(
    r"\b(?:nothing|none|no(?:thing)? (?:work|tasks?|items?|steps?|more))(?: (?:is|are|was|more|else|of it|further))* "
    r"(?:left|open|pending|outstanding|remain\w*|to do)\b"
    r"|\b(?:no longer|not) (?:needed|necessary|required|open|pending|relevant|planned|outstanding|remaining)\b(?: any ?more)?"
    r"|\b(?:was|were|had been|used to be) (?:still )?(?:open|pending|unfinished|incomplete|outstanding|in progress)\b"
    r"|\b(?:formerly|previously) (?:open|pending|unfinished)\b|\bplan(?:ned)? nothing (?:more|else)\b|不再需要|无需|已取消",
    re.IGNORECASE,
)
_HINTS: Final = re.compile(
    r"\b(?:no|0|zero|without|never|free|none|nothing|not|doesn|don|do|was|were|been|used|formerly|previously)\b|[没无零不未已]",
    re.IGNORECASE,
)


def settled(text: str) -> str:
    """Return a text in which what is denied to fail passes, and what is denied to be open is done."""
    if _HINTS.search(text) is None:
        return text
    return _DONE.sub("done", _PASSES.sub("passing", text))
