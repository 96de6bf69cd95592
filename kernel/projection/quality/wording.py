"""Sentences and words: what of a sentence must come back in a summary of it.

    runs         maximal runs of letters, digits and ._/@#:+~$- , edge marks stripped
    identifier   a run that no prose would hold: a path, a name in code, a number, a flag
    word         a run's letters, lower case, stripped of common endings; two ideographs
    marker       a class of words that turns a sentence round: `not`, `only`

Laws: an identifier of a sentence is an identifier of every line that quotes it; comparing
words in lower case is comparison, the text itself is never folded.
"""

# ruff: noqa: RUF001 - full-width marks are meant
# ruff: noqa: SIM905 - a table of words reads best as text

import re
from collections.abc import Generator, Iterator
from typing import Final

from kernel.projection.quality.facts import Need

__all__ = [
    "MARKERS",
    "MOST_WORDS",
    "identifiers_of",
    "is_path",
    "markers_of",
    "needs_of",
    "runs_of",
    "sentences_of",
    "stem_of",
    "words_of",
]

#: A summary restates a sentence, it does not repeat it.
MOST_WORDS: Final = 4

#: Longer runs are encoded data; no pattern is tried on them.
_LONGEST_RUN: Final = 300
_RUN: Final = re.compile(r"[\w$@#~+./:\\-]+")
_EDGES: Final = ".,:;-+/\\"
_NUMBER: Final = re.compile(r"[#$v]?\d[\d.,:/-]*[\w%]*")
_CODE: Final = re.compile(
    r"\w+_\w+|[a-z]+[A-Z]\w+|[A-Z][a-z0-9]+[A-Z]\w*|--?[A-Za-z][\w-]+|\w*\d\w*|@[\w./-]+|\w+(?:::\w+)+|[\w-]+(?:\.[\w-]+)+"
)
_PATH: Final = re.compile(r"@?(?:[\w.~$+-]*/)+[\w.@+-]*|@?[\w+.-]*[\w+-]\.[A-Za-z]\w{0,9}")
_ABBREVIATION: Final = re.compile(r"(?:e\.g|i\.e|etc|vs|cf)\.?", re.IGNORECASE)
_WIDE: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_WORD: Final = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_ENDINGS: Final = ("ations", "ation", "ings", "ing", "ied", "ies", "ed", "es", "ly", "s", "e", "y")
_STOP: Final = frozenset(
    "the and for are was were will with that this these those from into onto them they you your our his her its"
    " have has had can could would should shall may might must not don't never only just also then than there"
    " here what which who how why when where all any some each every both let let's please want need use used"
    " it's i'm i'll we'll does did done doing been being because since but about over under very more most much"
    " such like make makes sure get got now okay yes one two too out off per via always exactly avoid without"
    " going thing things way something anything everything".split()
)
#: Classes of words. A sentence that forbids must be kept by a line that forbids.
MARKERS: Final = {
    "not": re.compile(
        r"\b(?:not|never|no|none|nor|without|avoid\w*|forbid\w*|forbidden|prohibit\w*|cannot|neither|except|exclud\w+"
        r"|refus\w+|skip\w*|dont|untouched|unchanged|instead)\b|n['\u2019]t\b|(?:^|\s)non-|[不勿禁别沒没无未]|避免",
        re.IGNORECASE,
    ),
    "only": re.compile(
        r"\b(?:only|exactly|exact|just|solely|exclusively|nothing but|at (?:most|least)|no (?:more|less|fewer) than"
        r"|max\w*|min\w*|up to|limit\w*|single|alone)\b|[只仅唯]|最多|最少|至多|至少|恰好",
        re.IGNORECASE,
    ),
    "fail": re.compile(
        r"\b(?:fail\w*|broken|breaks?|broke|errors?|errored|crash\w*|red|unresolved|blocked|blockers?|unsuccessful\w*)\b"
        r"|\b(?:not|n't|never|no longer) (?:\w+ )?(?:pass\w*|work\w*|succeed\w*|compil\w*|build)|❌|✗|失败|报错|错误|未通过",
        re.IGNORECASE,
    ),
    "open": re.compile(
        r"\b(?:open|pending|to-?do|to do|remain\w*|left|next|unfinished|incomplete|in[- _]progress|unanswered|interrupted"
        r"|aborted|blocked|waiting|outstanding|still|yet|needs?|needed|should|will|must|not (?:\w+ )?(?:done|started|finished"
        r"|complete[d]?|answered)|later|follow-?ups?|plan(?:ned|s)?)\b|\[ \]|☐|⏳|待|未完成|剩余|下一步|尚未",
        re.IGNORECASE,
    ),
}


def runs_of(text: str) -> Iterator[str]:
    """Yield the runs of a text, edge marks stripped, in order."""
    for found in _RUN.finditer(text):
        run = found[0].rstrip(_EDGES)
        run = run.lstrip(".,:;") if not run.startswith(("./", "../", ".")) else run
        if run:
            yield run


def is_path(run: str) -> bool:
    """Tell whether a run names a file or a folder."""
    if "://" in run or _ABBREVIATION.fullmatch(run):
        return False
    if len(run) > _LONGEST_RUN:
        return "/" in run
    return _PATH.fullmatch(run) is not None and not _NUMBER.fullmatch(run)


def identifiers_of(text: str) -> list[str]:
    """Return the identifiers of a text, each once, in order."""
    found = [run for run in runs_of(text) if _is_identifier(run)]
    return list(dict.fromkeys(found))


def _is_identifier(run: str) -> bool:
    if _ABBREVIATION.fullmatch(run) or not any(char.isalnum() for char in run):
        return False
    if len(run) > _LONGEST_RUN or "://" in run or is_path(run) or _NUMBER.fullmatch(run):
        return True
    return _CODE.fullmatch(run) is not None


def words_of(text: str) -> list[str]:
    """Return the stems of a text's words that carry meaning, each once, in order."""
    found: dict[str, None] = {}
    for match in _WORD.finditer(text):
        word = match[0].lower()
        wide = _WIDE.fullmatch(word)
        if wide is not None or not word.isascii():
            for part in _WIDE.findall(word) or [word]:
                found.update(dict.fromkeys(_pairs(part)))
        elif len(word) > 2 and word not in _STOP:
            found[stem_of(word)] = None
    return list(found)


def _pairs(text: str) -> list[str]:
    if not _WIDE.fullmatch(text):
        return [text]
    return [text[at : at + 2] for at in range(len(text) - 1)] or [text]


def stem_of(word: str) -> str:
    """Return the stem of a word in lower case."""
    word = word.removesuffix("'s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def markers_of(text: str) -> frozenset[str]:
    """Return the classes of markers a text holds."""
    return frozenset(name for name, pattern in MARKERS.items() if pattern.search(text))


def needs_of(text: str, *, share: float, markers: tuple[str, ...] = ()) -> tuple[Need, ...]:
    """Return what a statement must hold to keep a sentence; () where nothing can be held.

    All its identifiers (half of them beyond four), a share of its words up to MOST_WORDS,
    and one of the markers where it has any of them.
    """
    names = identifiers_of(text)
    words = words_of(text)
    needs: list[Need] = []
    if len(names) > 4:
        needs.append(Need("exact", names, len(names) // 2))
    else:
        needs += [Need("exact", (name,)) for name in names]
    if words:
        least = min(round(len(words) * share), MOST_WORDS)
        needs.append(Need("word", words, max(1 if not names else 0, least)))
    if not needs:
        return ()
    held = [name for name in markers if MARKERS[name].search(text)]
    return (*needs, Need("marker", held)) if held else tuple(needs)


# Behind the number a tool puts before a line, a list mark, a heading or a quotation mark.
_ITEM: Final = re.compile(
    r"[ \t]*(?=\d+→|[-*+•▪#>\[\d])(?:\d{1,6}→[ \t]*)?"
    r"(?:(?:[-*+•▪]|\d{1,3}[.)]|\[[ xX]\]|#{1,6}|>)[ \t]+(?:\[[ xX]\][ \t]*)?)?"
)
_END: Final = re.compile(r"[.!?](?=[\s\"')\]*]*(?:\s|$))|[。！？；]|;(?=\s)")


def sentences_of(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places (code points) of a text's sentences; code in fences is no sentence.

    A line that breaks off in mid sentence goes on in the next one.
    """
    at, fenced, carry = 0, False, -1
    while at <= len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        line = text[at:stop]
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") or fenced:
            carry = yield from _closed(text, carry, at)
            fenced = fenced != (mark in ("```", "~~~"))
        else:
            item = _ITEM.match(line)
            item = item if item is not None and item[0].strip() else None
            goes_on = carry >= 0 and item is None and line.strip() and line.lstrip()[0].islower()
            if not goes_on:
                carry = yield from _closed(text, carry, at)
                carry = at + item.end() if item else at
            if stop - at < 40 or not line.strip():
                carry = yield from _closed(text, carry, stop)
        at = stop + 1
    yield from _closed(text, carry, len(text))


def _closed(text: str, start: int, stop: int) -> Generator[tuple[int, int], None, int]:
    """Yield the sentences of a stretch, return -1: nothing is carried on."""
    if start < 0:
        return -1
    for end in [*(match.end() for match in _END.finditer(text, start, stop)), stop]:
        low, high = _stripped(text, start, end)
        if low < high and not _is_short(text[max(low, high - 8) : high]):
            yield low, high
            start = end
        elif low >= high:
            start = end
    return -1


def _is_short(text: str) -> bool:
    last = text.rsplit(maxsplit=1)[-1]
    return _ABBREVIATION.fullmatch(last) is not None and last.endswith(".")


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end
