"""Secrets in a text, for the rules S001 to S003: a small set of forms, and a detector.

The built-in set sees every line. Where detect-secrets is installed (the extra
`secrets`), it sees those lines that a quick look finds suspect, since it takes
milliseconds a line; what it adds are findings on words where the built-in set
found nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

from attrs import frozen

from pcsf_lark.rules._assigned import find as assigned
from pcsf_lark.spec import LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pcsf_lark.rules._rule import Subject
    from pcsf_lark.source import Span

    _Stretch = tuple[int, int, str, str]

__all__ = ["Secret", "search", "stretches"]


@frozen(eq=False)
class Secret:
    """A suspect stretch: ``kind`` is ``known``, ``assigned`` or ``random``, ``what`` names it."""

    kind: str
    what: str
    span: Span


#: What stands where a password would in an address.
_STANDS_FOR = r"(?:pass(?:word|wd)?|pwd?|secret|token|[A-Z_]+|[xX]+|\.+)"
_EXAMPLE = re.compile(_STANDS_FOR)
_FORMS = {
    "an AWS access key": r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b",
    "an Anthropic API key": r"\bsk-ant-[\w-]{20,}",
    "a Stripe key": r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}",
    "an OpenAI API key": r"\bsk-(?:proj-|svcacct-|admin-)?(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Z])[\w-]{20,}",
    "a GitHub token": r"\b(?:gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_\w{22,})",
    "a GitLab token": r"\bgl(?:pat|oas|rt|cbt|dt|ptt)-(?=[\w-]{0,60}\d)[\w-]{20,}",
    "a Google API key": r"\bAIza[\w-]{35}",
    "a Hugging Face token": r"\bhf_[A-Za-z0-9]{30,}",
    "an npm token": r"\bnpm_[A-Za-z0-9]{36}",
    "a PyPI token": r"\bpypi-(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Z])[\w-]{32,}",
    "a SendGrid key": r"\bSG\.[\w-]{16,}\.[\w-]{16,}",
    "a Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}|hooks\.slack\.com/services/[\w/]{20,}",
    "a JSON web token": r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*",
    "a password in an address": r"\b[a-z][a-z0-9+.-]{0,30}://[^\s/:@<$]{0,200}:"
    rf"(?!{_STANDS_FOR}@)[^\s/:@<$*{{]{{3,}}@\w",
}
_WORD = re.compile(r"[A-Za-z0-9+/_=-]{20,}")
_HASH = re.compile(r"[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)  # fmt: skip
_MIXED, _EACH, _LONGEST_PART, _LEAST_BITS = 6, 2, 12, 3.7

_BLOCK = re.compile(r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{0,30}://\S+")
#: Every known form is part of one.
_UNBROKEN = re.compile(r"[!-~]{16,}")
_NAMES = tuple(_FORMS)
_KNOWN = re.compile("|".join(f"({form})" for form in _FORMS.values()))
#: Words in a line that make it worth the detector's look; long words do so, too.
_SUSPECT = re.compile(r"key|token|secret|passw|pwd|credential|auth|BEGIN|://", re.IGNORECASE)


def search(subject: Subject) -> tuple[Secret, ...]:
    """All that is suspect, each stretch once, the surest kind first."""
    source, text = subject.source, subject.source.text
    found = [*_by_form(subject), *_by_detector(subject), *_by_word(text), *_by_chance(text)]
    kept: list[Secret] = []
    for start, end, kind, what in found:
        if not any(start < secret.span.end and secret.span.offset < end for secret in kept):
            kept.append(Secret(kind, what, source.span(start, end)))
    return tuple(sorted(kept, key=lambda secret: secret.span.offset))


def stretches(text: str) -> Iterator[_Stretch]:
    """Start, end, kind and name of all that is suspect in any text, by the built-in set alone.

    The answer is the same wherever it is asked for; stretches may overlap.
    """
    for word in _UNBROKEN.finditer(text):
        for match in _KNOWN.finditer(word.group()):
            start = word.start() + match.start()
            what = _NAMES[(match.lastindex or 1) - 1]
            yield start, start + len(match.group()), "known", what
    yield from _by_word(text)
    yield from _by_chance(text)


def _by_form(subject: Subject) -> Iterator[_Stretch]:
    """Every form but the key block's is one word; the pattern is too slow for all of a text."""
    text = subject.source.text
    for match in _BLOCK.finditer(text):
        yield match.start(), match.end(), "known", "a private key"
    for word in {*subject.long_words, *(_ADDRESS.findall(text) if "://" in text else ())}:
        for match in _KNOWN.finditer(word):
            what = _NAMES[(match.lastindex or 1) - 1]
            start = text.find(word)
            while start >= 0:
                yield start + match.start(), start + match.end(), "known", what
                start = text.find(word, start + 1)


def _by_word(text: str) -> Iterator[_Stretch]:
    for start, end in assigned(text):
        yield start, end, "assigned", "a password or key"


def _by_chance(text: str) -> Iterator[_Stretch]:
    for match in _WORD.finditer(text):
        word = match.group()
        if _is_random(word):
            yield match.start(), match.end(), "random", "a random string, such as a key"


def _is_random(word: str) -> bool:
    if _HASH.fullmatch(word):
        return False
    kinds = [sum(map(test, word)) for test in (str.islower, str.isupper, str.isdigit)]
    if len(set(word.lower()) - set("0123456789abcdef")) == 0:
        return min(kinds[0] + kinds[1], kinds[2]) >= _MIXED
    # Names joined by separators have letters of one case in each part.
    if min(kinds) < _EACH or max(map(len, re.split(r"[-_/=+]", word))) < _LONGEST_PART:
        return False
    counts = Counter(word).values()
    bits = -sum(n / len(word) * math.log2(n / len(word)) for n in counts)
    return bits >= _LEAST_BITS


def _by_detector(subject: Subject) -> Iterator[_Stretch]:
    if not subject.long_words or len(subject.source.data) > LIMIT:
        # Every form it knows is a long word, and what is no capsule by its size alone is
        # not worth the memory that the detector takes: more than all else.
        return
    text = subject.source.text
    lines = [
        index
        for index in range(len(subject.source))
        if _is_suspect(subject.source.line(index), subject.long_words)
    ]
    scan = _detector() if lines else None
    for index in lines if scan else ():
        start, end = subject.source.bounds(index)
        for what, value in scan(text[start:end]) if scan else ():
            at = text.find(value, start, end)
            if at >= 0 and not _EXAMPLE.fullmatch(value):
                yield at, at + len(value), "known", what


def _is_suspect(line: str, long_words: tuple[str, ...]) -> bool:
    return any(word in line for word in long_words) or _SUSPECT.search(line) is not None


@cache
def _detector() -> Callable[[str], Iterator[tuple[str, str]]] | None:
    try:
        from pcsf_lark.rules._detector import scan  # noqa: PLC0415 - an extra, slow to load
    except ImportError:
        return None
    return scan
