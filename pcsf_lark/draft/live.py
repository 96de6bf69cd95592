"""What it is about: the requests, the first for the topic, the live one for the SEED.

Laws: a request is the user's; where the user only filled in a template, the task inside it
is the request; thanks, approval, an answer to a question of the assistant and a question
on what happened are none; the last request that says enough to go by is the live one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from attrs import field, frozen

from pcsf_lark.draft.cues import ACKS, ASIDE, ASKS_FOR, COURTESY, OBJECTS, content_words
from pcsf_lark.draft.directives import directives
from pcsf_lark.draft.phrases import bare, clause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pcsf_lark.draft.record import Record, Sentence

__all__ = ["Request", "goal", "requests", "subject_of", "topic"]

_ASKS: Final = re.compile(
    r"\b(?:i(?:['\u2019]m| am) (?:looking|trying|hoping)|i was hoping|i (?:want|need|would like|['\u2019]d like)|we (?:want|need)|i['\u2019]d like|can (?:you|we)|could you"
    r"|please|let['\u2019]?s|help me|we need to|make sure|i have to)\b",
    re.IGNORECASE,
)
#: The user says what he will do himself, or might ask later.
_OWN: Final = re.compile(
    r"\bif (?:i|we) need\b|^(?:got it,? )?i(?:['\u2019]ll| will)\b", re.IGNORECASE
)
_VERB: Final = re.compile(
    r"^(?:add|adjust|allow|bring|cache|count|ensure|expose|extend|increase|let|log|measure|benchmark|polish|reduce|ship|speed|teach|tidy|wrap|analy[sz]e|apply|book|build|bump|change|check|clean|combine|commit|compare|complete|configure|convert|copy|create|debug|define"
    r"|delete|deploy|describe|design|disable|document|draft|drop|enable|explain|explore|export|extract|find|finish|fix|format|generate|give|handle|implement"
    r"|import|improve|inspect|install|integrate|investigate|keep|list|look|make|merge|migrate|modify|move|open|optimi[sz]e|plan|port|prepare|print|profile|propose"
    r"|publish|read|refactor|release|remove|rename|replace|report|research|resolve|review|rewrite|run|search|set|show|simplify|solve|split|start|stop|suggest|summari[sz]e"
    r"|support|switch|take|test|track|translate|try|turn|update|upgrade|use|validate|verify|wire|work|write)\b",
    re.IGNORECASE,
)
#: Any other word before an article, unless it is one that no order begins with.
_IMPERATIVE: Final = re.compile(
    r"(?!(?:the|an?|i|you|it|we|he|she|they|this|that|there|here|what|which|why|how|when|where|who|whose|is|are|was|were|do|does|did|if|but|so|my|your|in"
    r"|on|at|for|from|to|of|with|by|as|than|about|not|no|yes|thanks?|thank|one|some|all|any|sure|got|saw|only|never|always|just|even|also|both|neither|none|most|many|looks?|seems?|good|great|nice|every\w*|because|since"
    r"|while|after|before|and|or|then|has|have|had|can|could|would|will|should|\w+ed)\b)[a-z]+ (?:the|an?|my|our|all|this|that|these|those|each)\b"
    r"|[\u8bf7\u5e2e\u628a\u4fee\u5199\u6539\u52a0\u5220]|\u5b9e\u73b0|\u68c0\u67e5|\u6211[\u60f3\u8981]",
    re.IGNORECASE,
)
_TIE: Final = re.compile(
    r"^(?:(?:and|now|then|also|so|ok(?:ay)?|alright|next|finally|first|please|just|but|maybe)[,\s]+)+",
    re.IGNORECASE,
)
_PAST: Final = re.compile(
    r"^(?:\W*(?:so|ok(?:ay)?|alright|and|but|wait|hm+|like)\b[, ]*)*(?:what (?:did|was|happened|have)|why\b|how (?:do|did|is|are|come)|where (?:were|are|is)|are we|did you"
    r"|is (?:it|this|that)|will this|what about|any other|does\b|get \w+\(\))",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"(?:(?:please|i(?:['\u2019]m| am) (?:looking|trying|hoping) to|i was hoping to|i(?:['\u2019]d| would) like (?:you )?to|i (?:want|need) (?:you )?to|we (?:want|need) to"
    r"|(?:can|could) you(?: please)?|let['\u2019]?s|help me(?: to)?|the user (?:asked|wants|invoked)(?: to)?)\s+)+",
    re.IGNORECASE,
)
#: A question on the way, answered by looking.
_INQUIRES: Final = re.compile(
    r"\b(?:can|could) (?:you|we) (?:also |please |quickly )*(?:check|confirm|tell|look|see|show|explain|list|let me know)\b",
    re.IGNORECASE,
)
_TITLES: Final = (
    re.compile(r"^ISSUE:[ \t]*\n?[ \t]*(?P<task>\S[^\n]*)", re.MULTILINE),
    re.compile(
        r"<(?:pr_description|issue_description|issue|task)>\s*(?:Consider the following PR description:\s*)?(?P<task>\S[^\n]*)"
    ),
    re.compile(
        r"^(?:Please )?[Ss]olve (?:this|the following) issue:[ \t]*(?P<task>\S[^\n]*)", re.MULTILINE
    ),
    re.compile(r"\A\s*(?:# (?!/)|Task: )(?P<task>\S[^\n]*)"),
)
_COMMAND: Final = re.compile(r"<command-name>(?P<name>[^<\s]+)</command-name>")
_ARGS: Final = re.compile(r"<command-args>(?P<args>[^<]{1,200})</command-args>")
_PLAN: Final = re.compile(r"(?:\A|/)(?:[\w-]*plan|task|issue)\.md\Z", re.IGNORECASE)
_HEADING: Final = re.compile(r"^(?:[ \t]*\d+\u2192)?# (?P<task>\S[^\n]*)$", re.MULTILINE)
_GOAL_HEAD: Final = re.compile(
    r"^(?:#{1,4} *(?:Goal|Objective|Task|Primary Request(?: and Intent)?)\b[^\n]*|\d+\. \**Primary Request and Intent:?\**)\n+[ \t]*(?P<task>\S[^\n]*)",
    re.MULTILINE | re.IGNORECASE,
)


@frozen
class Request:
    """Something asked for: the words, the messages they stand in, whether by a person."""

    text: str
    at: tuple[int, ...]
    by_user: bool = field(kw_only=True)


def requests(record: Record) -> list[Request]:
    """All requests, in order."""
    found = [*_tasks(record)]
    for index in record.turns():
        found += [
            Request(_whole(record, line), (index,), by_user=True) for line in _asked(record, index)
        ]
    found = found or [*_opening(record)]
    return sorted(found, key=lambda item: item.at)


def _opening(record: Record) -> Iterator[Request]:
    """Yield the first thing a person said, where nothing said asks for anything."""
    for index in record.turns():
        for line in record.sentences(index):
            if content_words(line.text) and not ACKS.fullmatch(line.text):
                yield Request(line.text, (index,), by_user=True)
                return


def subject_of(text: str) -> str:
    """A request without the words that only ask."""
    words = clause(text)
    lead = _LEAD.match(words)
    return words[lead.end() :] if lead is not None and len(words) - lead.end() > 10 else words


def topic(record: Record) -> Request | None:
    """The first request; a task of a template or a summary where no person asked."""
    found = requests(record)
    return found[0] if found else None


def goal(record: Record) -> Request | None:
    """The live request: the last that says enough, of a person where one asked."""
    said = [item for item in requests(record) if item.by_user]
    terms = {words for _, words, _ in directives(record)}
    telling = [item for item in said if _telling(item.text) and clause(item.text) not in terms]
    for rows in (telling, said, requests(record)):
        if rows:
            return next(row for row in rows if row.at[-1] == rows[-1].at[-1])
    return None


def _telling(text: str) -> bool:
    return len(content_words(text)) >= 2 and not ASIDE.match(text) and not _INQUIRES.search(text)


def _asked(record: Record, index: int) -> Iterator[Sentence]:
    """Yield the requests of a message of the user."""
    before = record.before(index, "assistant")
    asked_for = before >= 0 and ASKS_FOR.search(record.reading.texts[before]) is not None
    lines = record.sentences(index)
    if lines and ASIDE.match(lines[0].text):
        return
    for line in lines:
        words = clause(line.text)
        if COURTESY.search(line.text) or _OWN.search(line.text):
            continue
        if ACKS.fullmatch(line.text) or _PAST.match(line.text) or len(content_words(words)) < 2:
            continue
        if asked_for and (ACKS.match(line.text) or not _new(line.text)):
            continue
        if _ASKS.search(line.text) or _orders(words) or _corrects(line.text):
            yield line


def _orders(words: str) -> bool:
    """Whether a clause begins with what is to be done."""
    bare_words = _TIE.sub("", words)
    return any(form.match(bare_words) for form in (_VERB, _IMPERATIVE))


def _whole(record: Record, line: Sentence) -> str:
    """A request with the list it announces."""
    if not line.text.endswith(":"):
        return line.text
    items = [bare(other.text) for other in record.sentences(line.index)[line.at + 1 : line.at + 6]]
    return f"{line.text} {'; '.join(items)}" if items else line.text


def _new(text: str) -> bool:
    """Whether what stands in an answer to the assistant asks for something by itself."""
    return re.search(
        r"\b(?:i(?:['\u2019]d| would) like to|i want to|i need to|can you|could you)\s+(?:also |please )?(?!use|pay|go with|know|confirm|also|please)\w+",
        text,
        re.IGNORECASE,
    ) is not None and not ACKS.match(text)


def _corrects(text: str) -> bool:
    """Whether an objection says what is wanted."""
    return (
        OBJECTS.search(text) is not None and re.search(r"\bwant\b", text, re.IGNORECASE) is not None
    )


def _tasks(record: Record) -> Iterator[Request]:
    """Yield the tasks that stand in templates, plan files and summaries."""
    for index in record.spoken("template", "document"):
        text = record.reading.texts[index]
        name = _COMMAND.search(text)
        if name is not None:
            args = _ARGS.search(text)
            words = f"{name['name']} {args['args'].strip()}" if args else name["name"]
            title = _plan_title(record, index)
            if title is None:
                yield Request(words, (index,), by_user=True)
            else:
                yield Request(f"{words}: {title[0]}", (index, title[1]), by_user=True)
            continue
        for form in _TITLES:
            match = form.search(text)
            if match is not None:
                yield Request(match["task"], (index,), by_user=False)
                break
        else:
            if record.origin(index) == "document":
                yield from _first_ask(record, index)
    for index in record.spoken("summary"):
        match = _GOAL_HEAD.search(record.reading.texts[index])
        if match is not None:
            yield Request(match["task"], (index,), by_user=False)


def _first_ask(record: Record, index: int) -> Iterator[Request]:
    """Yield the first sentence of a document that asks for something."""
    lines = record.sentences(index)
    # A paste has its request before it or behind it.
    for line in (*lines[:3], *lines[-3:]):
        asks = _ASKS.search(line.text) or _orders(clause(line.text))
        if asks and len(content_words(line.text)) >= 2:
            yield Request(line.text, (index,), by_user=True)
            return


def _plan_title(record: Record, index: int) -> tuple[str, int] | None:
    """The heading of the plan file read after a command that carries one out."""
    for action in record.actions:
        names = [named.path for named in action.files]
        if (
            action.index > index
            and action.result >= 0
            and any(_PLAN.search(name) for name in names)
        ):
            match = _HEADING.search(record.reading.texts[action.result][:2000])
            return (match["task"], action.result) if match else None
    return None
