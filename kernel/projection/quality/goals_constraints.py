"""Directives: what is wanted, and within which limits.

Laws: a question is no directive; what only looks like a user (template, document,
summary, tool result) gives soft directives; a sentence nothing can be held by is soft.

Hard: a limit in strong words (never, do not, must, only, exactly, always, at most …) that
a user set; a request of a user that names something (a file, a number, a name in code).
Soft: weak words (should, prefer, avoid, need to), requests in prose alone, requests to look
at something.
"""

# ruff: noqa: RUF001 - full-width marks are meant

import re
from collections.abc import Iterable, Iterator
from typing import Final

from kernel.projection.quality.actions import Named
from kernel.projection.quality.facts import Fact, Need
from kernel.projection.quality.origins import own_words
from kernel.projection.quality.reading import Reading, fact_of
from kernel.projection.quality.rules import rules_of
from kernel.projection.quality.wording import identifiers_of, needs_of, sentences_of, words_of

__all__ = ["LONGEST_SENTENCE", "goals_and_constraints"]

#: A longer stretch is a paste, not a sentence.
LONGEST_SENTENCE: Final = 400

_STRONG: Final = re.compile(
    r"\bnever\b|\bmust(?:n't| not)?\b|\bshall(?: not)?\b|\balways\b|\bexactly\b|\bonly\b|\bmandatory\b|\brequired?\b"
    r"|(?:^|[,;:.(]\s*|\b(?:please|and|but|so|then|just|you|we)\s+)(?:do not|don['\u2019]?t)\s+(?!know|think|see|understand"
    r"|remember|care|mind|worry|believe|get\b|we\b|you\b|i\b)\w+"
    r"|\b(?:i|we) (?:do not|don['\u2019]?t) want\b|\bat (?:most|least)\b|\bno (?:more|less|fewer) than\b"
    r"|\b(?:is|are) (?:not allowed|forbidden|prohibited)\b|\bmay not\b|\bunder no circumstances\b"
    r"|\b(?:cannot|can['\u2019]?t) (?:be (?:changed|modified|touched|used)|use|change|modify|touch)\b|\bno need to\b"
    r"|必须|务必|不得|禁止|严禁|绝不|不要|请勿|不能|只能|仅限|只允许|最多|至少|不超过|一定要",
    re.IGNORECASE,
)
_WEAK: Final = re.compile(
    r"\bshould(?:n't| not)?\b|\bprefer\w*\b|\bavoid\b|\bwithout \w+ing\b|\bneeds? to\b|\bhave to\b|\bmake sure\b"
    r"|\bensure\b|\bminimal\b|\bkeep\b|\binstead of\b|\bno \w+ (?:tests?|changes?|dependenc\w+)\b|应该|尽量|避免|优先|保持",
    re.IGNORECASE,
)
_ASKS: Final = re.compile(
    r"^(?:(?:ok(?:ay)?|alright|now|then|and|also|so|please|next|first|finally|but|well|great|good|hey|hi|yes|yeah|no"
    r"|just|maybe|again)[,.!:]?\s+)*(?:please\s+|let['\u2019]?s\s+|(?:can|could|would|will) (?:you|we)\s+(?:please\s+)?"
    r"|(?:i|we)(?:['\u2019]d| would)? (?:want|need|like|have)(?: (?:you|us))? to\s+|i['\u2019]m looking to\s+|you (?:should|need to|have to)\s+"
    r"|go ahead and\s+|(?:your|the) (?:task|goal) is to\s+|help me\s+)*"
    r"(?:add|adjust|allow|analy[sz]e|apply|ask|book|build|bump|call|cancel|change|check|choose|clean|close|combine|commit"
    r"|compare|complete|configure|continue|convert|copy|create|debug|decide|define|delete|deploy|describe|design|detect"
    r"|disable|document|download|drop|edit|enable|ensure|exchange|explain|explore|export|extract|find|finish|fix|follow"
    r"|format|generate|get|give|handle|implement|import|improve|include|inline|inspect|install|integrate|investigate|keep"
    r"|leave|limit|list|look|make|merge|migrate|modify|move|open|optimi[sz]e|output|patch|perform|pick|plan|port|prepare"
    r"|print|propose|provide|publish|push|put|read|rebase|refactor|release|remove|rename|render|reorgani[sz]e|replace"
    r"|report|reproduce|research|resolve|restore|return|revert|review|rewrite|run|save|search|send|set|show|simplify"
    r"|solve|split|start|stop|store|submit|suggest|summari[sz]e|support|switch|tackle|take|tell|test|track|translate|try"
    r"|tweak|undo|update|upgrade|use|validate|verify|wait|wire|work|write)\b|^(?:请|帮|把|修|写|改|加|删|实现|检查|我想|我要)",
    re.IGNORECASE,
)
_WISH: Final = re.compile(
    r"\b(?:i|we) (?:want|need|would like|['\u2019]d like)\b|\bplease \w+|\bwe need to\b|[,;] (?:then )?(?:please )?(?:add|remove|remoev"
    r"|fix|make|move|write|update|run|commit|create|delete|do)\b|\bi['\u2019]?d like\b",
    re.IGNORECASE,
)
_CODE_LINE: Final = re.compile(
    r"\A[{\[<|`│$]|[;{}]\Z|=>|\A(?:at|import|from|return|const|let|var) \S+[({]"
)
# What is only to be looked at is answered by looking.
_LOOKS: Final = re.compile(
    r"^(?:\W*(?:ok|okay|alright|please|now|then|so|and|can you|could you|let'?s)[\s,]+)*"
    r"(?:read|look|show|list|explain|tell|describe|check|find|search|see|inspect|open|print|ls)\b",
    re.IGNORECASE,
)
_PLANS: Final = re.compile(
    r"(?:\A|.*[-_.])(?:plan|spec|requirements|todo)\.md|(?:agents|claude|contributing)\.md",
    re.IGNORECASE,
)
_SOURCES: Final = ("user", "document", "template", "summary", "recall")


def goals_and_constraints(reading: Reading) -> Iterator[Fact]:
    """Yield the directives of all who may give them."""
    for index in reading.spoken(*_SOURCES):
        yield from _of_message(reading, index)
    for action in reading.actions:
        # A plan is often a file, and its rules are rules.
        if action.purpose == "read" and action.result >= 0 and _is_plan(action.files):
            yield from _of_message(reading, action.result)


def _is_plan(files: Iterable[Named]) -> bool:
    return any(_PLANS.fullmatch(named.path.rsplit("/", 1)[-1]) for named in files)


def _of_message(reading: Reading, index: int) -> Iterator[Fact]:
    text, origin = reading.texts[index], reading.origins[index]
    for low, high in own_words(text):
        for start, end in sentences_of(text[low:high]):
            place = (index, low + start, low + end)
            sentence = text[low + start : low + end]
            fact = _directive(reading, place, sentence, origin)
            if fact is not None:
                yield fact


def _directive(
    reading: Reading, place: tuple[int, int, int], sentence: str, origin: str
) -> Fact | None:
    if len(sentence) > LONGEST_SENTENCE or _CODE_LINE.search(sentence) is not None:
        return None
    asked = sentence.endswith(("?", "？"))
    strong = not asked and _STRONG.search(sentence) is not None
    if strong or (not asked and _WEAK.search(sentence) is not None):
        rules = strong and bool(rules_of(sentence))
        needs = needs_of(sentence, share=0.5, markers=() if rules else ("not", "only"))
        needs = (*needs, Need("sense", (sentence,))) if rules and needs else needs
        return fact_of(
            reading, "constraint", "strong" if strong else "weak", place,
            key=f"constraint:{' '.join(words_of(sentence))}|{' '.join(identifiers_of(sentence))}",
            hardness="hard" if strong and needs and origin == "user" else "soft", needs=needs,
        )  # fmt: skip
    wanted = _ASKS.match(sentence) or _WISH.search(sentence)
    if wanted is None or origin not in ("user", "document", "template"):
        return None
    names = identifiers_of(sentence)
    looks = _LOOKS.search(sentence) is not None
    return fact_of(
        reading, "goal", "request", place,
        key=f"goal:{' '.join(words_of(sentence))}|{' '.join(names)}",
        hardness="hard" if names and origin == "user" and not looks else "soft",
        state="unknown", needs=needs_of(sentence, share=0.34),
    )  # fmt: skip
