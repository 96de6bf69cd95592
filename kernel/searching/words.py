"""Words of a text: Latin words by shape, CJK by bigrams; a light stemmer; previews.

Laws: a Latin word starts with a letter, goes on with letters, digits and underscores,
ends with a letter or digit and has two characters or more; a CJK run gives its bigrams
and its single characters. Without a dictionary segmenter CJK ranks are comparable in
order, not in score.
"""

import re
from collections.abc import Iterable

from kernel.text import head, trim, units

__all__ = [
    "bigrams",
    "count_term",
    "count_words",
    "has_cjk",
    "preview",
    "root_of",
    "stem",
    "total_words",
    "words",
]

_LATIN = re.compile(r"[a-z][a-z0-9_]*[a-z0-9]")
_CJK_CHARS = "\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af"
_CJK = re.compile(f"[{_CJK_CHARS}]+")
_SPLIT = re.compile(r"[\s,]+")
_DIGIT_FIRST = re.compile(rb" 0+a[a0]")

_TABLE = bytes(
    97 if chr(code).isalpha() and code < 128 else 48 if 48 <= code <= 57 else 32
    for code in range(256)
)


def has_cjk(text: str) -> bool:
    """Tell whether a text holds a CJK character."""
    return _CJK.search(text) is not None


def words(text: str) -> list[str]:
    """Return the stemmed words of a text, with repeats."""
    lowered = text.lower()
    found = [stem(word) for word in _LATIN.findall(lowered)]
    if not lowered.isascii():
        for run in _CJK.findall(lowered):
            found.extend(run[at : at + 2] for at in range(len(run) - 1))
            found.extend(run)
    return found


def total_words(texts: Iterable[str]) -> int:
    """Count the words of many texts at once, as `count_words` would one by one."""
    return count_words("\n".join(texts))


def count_words(text: str) -> int:
    """Count the words of a text without making them.

    Letters become `a`, digits `0`, underscores vanish, all else is a blank: a word is
    then a run whose first letter is not its last character. A CJK run counts one word for
    each four characters begun, about what a dictionary keeps of it, so that mean lengths
    agree with kernels that have one.
    """
    raw = text.encode("utf-8", "replace") if not text.isascii() else text.encode("ascii")
    runs = b" " + raw.translate(_TABLE, b"_")
    count = runs.count(b" aa") + runs.count(b" a0") + len(_DIGIT_FIRST.findall(runs))
    if not text.isascii():
        count += sum((len(run) + 3) >> 2 for run in _CJK.findall(text))
    return count


def root_of(term: str) -> str:
    """Return what every word of that stem begins with: a stem's `y` may have been `ies`."""
    return term[:-1] if term.endswith("y") and len(term) > 1 else term


def count_term(text: str, term: str, root: str) -> int:
    """Count a stemmed term in a lowered text, as `words` would give it."""
    if term.isascii():
        return sum(stem(word) == term for word in _LATIN.findall(text) if word.startswith(root))
    return sum(run.startswith(term, at) for run in _CJK.findall(text) for at in range(len(run)))


def stem(word: str) -> str:
    """Strip the plural, then one verbal or nominal ending, of an English word."""
    if len(word) <= 3 or not word.isascii():
        return word
    if word.endswith("ies"):
        word = word[:-3] + "y"
    elif word.endswith(("ses", "xes", "zes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    if word.endswith("ing") and len(word) > 5:
        word = word[:-3]
    if word.endswith("ed") and len(word) > 4:
        word = word[:-2]
    if (
        (word.endswith("ation") and len(word) > 6)
        or (word.endswith("tion") and len(word) > 5)
        or (word.endswith("ion") and len(word) > 4)
    ):
        word = word[:-3]
    for ending, least in (("ment", 6), ("ness", 6), ("ly", 4)):
        if word.endswith(ending) and len(word) > least:
            word = word[: -len(ending)]
    return word


def bigrams(query: str) -> list[str]:
    """Return the unique letter pairs of a query's longer words."""
    found: dict[str, None] = {}
    for token in _SPLIT.split(query.lower()):
        if units(token) >= 4 or (units(token) >= 2 and has_cjk(token)):
            for at in range(len(token) - 1):
                found[token[at : at + 2]] = None
    return list(found)


def preview(text: str, query: str, length: int) -> str:
    """Return the part of a text around the first query word found in it, else its head."""
    if units(text) <= length:
        return text
    lowered = text.lower()
    for term in query.lower().split():
        at = lowered.find(term) if len(term) > 1 else -1
        if at >= 0:
            start = max(0, at - (length // 2 - 10))
            stop = min(len(text), start + length)
            window = trim(text[start:stop])
            return ("…" if start else "") + window + ("…" if stop < len(text) else "")
    return head(text, length)
