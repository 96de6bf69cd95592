"""Words of a sentence by their part in a rule: what denies, limits, permits, fills, means.

    tokens_of("never delete src/a.py")   neg never, word delet, name src/a.py (and its words)

Laws: one pass, the longest phrase of the tables first; a word is compared by its stem, a
name as it is spelled; ideographs are read two by two; nothing here knows a summary.
"""


# ruff: noqa: SIM905 - a table of words reads best as text

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from kernel.projection.quality.wording import identifiers_of, stem_of

__all__ = ["Token", "akin", "tokens_of"]


class Token(NamedTuple):
    """A token: its kind, and its stem, name or sense.

    Kinds: `neg` denies what comes behind it, `wide` all of its clause, `state` says that
    something stays as it is, `anti` turns a denial round, `permit` is a permission, `max`,
    `min`, `exact` and `only` limit, `must` obliges, `beyond` means all but, `and` joins,
    `fill` means nothing; `word`, `name` and `number` are what a sentence is about.
    """

    kind: str
    text: str


_WIDE_CHARS: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_NOT: Final = r"(?:\bnot|\bnever|n['\u2019]t|\bcannot)"
#: In the order they are tried.
_PHRASES: Final = (
    ("fill", r"\bnot (?:only|just|merely|solely)\b|不仅|不只|\bno (?:need|reason|matter)\b(?= not\b)|\bwithout delay\b"),
    ("none", r"\bno (?:upper |lower |such )?limits?\b|\bunlimited\b|\bwithout (?:a |any )?limits?\b|不限|无限制"),
    ("max", r"\bat most\b|\b(?:no|not) (?:more|greater|longer|higher|larger) than\b|" + _NOT + r" (?:to )?(?:\w+ )?exceed\w*"
     r"|" + _NOT + r" (?:to )?go (?:over|above|beyond)\b|\bup to\b|\bmax(?:imum|imal|imally)?\b|\bcap(?:s|ped)?\b|\blimit(?:ed|s)?(?: to)?(?=\W+\d)"
     r"|<=|≤|<(?=\s*\d)|\b(?:fewer|less) than\b|\b(?:under|below|within)(?=\s+\$?\d)|\bor (?:fewer|less)\b|\bupper (?:bound|limit)\b"
     r"|\blimit\b(?=.{0,12}\d)|不(?:得|能|要|可|许|应)?(?:超过|多于|超出)|最多|至多|上限|以内"),
    ("min", (r"\bat least\b|\b(?:no|not) (?:less|fewer|lower|shorter|smaller) than\b|\bmin(?:imum|imal|imally)?\b|>=|≥|>(?=\s*\d)"
     r"|\bmore than\b|\b(?:over|above)(?=\s+\$?\d)|\bor more\b|\blower (?:bound|limit)\b|至少|最少|不少于|不低于|以上|\bexceed\w*|超过")),
    ("exact", r"\bexact(?:ly)?\b|\bprecisely\b|恰好|正好|刚好"),
    ("only", (r"\bonly\b|\bsolely\b|\bexclusively\b|\bjust\b|\bnothing (?:but|except|other than)\b|\balone\b|\bsole\b"
     r"|\b(?:restrict|limit|confin)ed to\b|[只仅](?:能|用|允许|可以|限|可)?|唯一")),
    ("neg", r"\bno longer\b|\bnot any (?:more|longer)\b|不再"),
    ("anti", (r"\bhesitat\w*|\bproblems?\b|\bissues?\b|\bobjections?\b|\bharm\b|\bworr(?:y|ies|ied)\b|\bfear\b|\bafraid\b|\bmind\b|\bshy\b"
     r"|\breluctan\w*|\btrouble\b|犹豫|顾虑|迟疑")),
    ("wide", (r"\bforb[aio]d\w*|\bprohibit\w*|\bbann?(?:ed|s|ing)?\b|\bdisallow\w*|\boff[- ]limits\b|\btaboo\b|\bout of (?:scope|bounds)\b"
     r"|\boff the table\b|\bno[- ]go\b|\bavoid\w*|\brefrain\w*|\bprevent\w*|\bskip\w*|\bomit\w*|\boptional\w*|\bunnecessary\b|\bexclud\w*"
     r"|\bunacceptable\b|\bhands off\b|禁止|严禁|不允许|不准|不许|免于")),
    ("state", (r"\buntouched\b|\bunchanged\b|\bunmodified\b|\bunaltered\b|\bintact\b|\bread[- ]only\b|\bfrozen\b|\bas (?:it|they) (?:is|are)\b"
     r"|\bas[- ]is\b|只读|不变|原样")),
    ("neg", (r"\b(?:instead of|rather than|not|never|no|none|nothing|nobody|nor|neither|without|cannot|dont|against|stop(?:s|ped|ping)?"
     r"|refus\w*|neglect\w*|forg[eo]t\w*|fail(?:s|ed|ing)? to)\b|\b\w+n['\u2019]t\b|绝不要?|切勿|请勿|勿|不得|不要|不能|不可以?|不会|不应该?|没有?|未|别|不|无须|无需"
     r"|避免|忘记?")),
    ("permit", (r"\b(?:allow\w*|permit\w*|permissible|acceptable|ok|okay|fine|possible|options?|happen\w*|occur\w*|tolerat\w+|welcome|safe|right)\b"
     r"|允许|可以")),
    ("beyond", r"\b(?:outside|other than|except(?: for)?|beyond|besides|elsewhere|but)\b|以外|之外|除了"),
    ("must", r"\bmust\b|\balways\b|\bshall\b|\bmandatory\b|\brequire[ds]?\b|\b(?:have|has|needs?) to\b|必须|务必|一定要?|总是"),
    ("and", r"\b(?:or|and|nor)\b|/|&|、|或者?|以及|及|和|与"),
)  # fmt: skip
_FILL: Final = frozenset(
    "be been being is are was were am to the a an any ever please also again should may might can could would will"
    " have has had do does did let lets us we you i it its they them he she anyone someone everyone one try tries attempt start begin want"
    " wants wish need needs in on of by for with from at as under circumstances circumstance case cases way means"
    " condition conditions event whatever either all this that these those your our my their directly even then so"
    " too very further there here now user users constraint constraints rule rules note limit limits hard strict"
    " requirement requirements reason anything anybody if when while must-not kindly going go get gets make makes into".split()
)
_CJK_FILL: Final = r"[再去对把将被的了地得要会应该请任何]"
_RUN: Final = rf"(?:(?![{_WIDE_CHARS}])[\w$@#~+.:\\/'\u2019-])+"
_PART: Final = re.compile(_RUN)
_SCAN: Final = re.compile(
    "|".join(f"(?P<p{at}>{form})" for at, (_, form) in enumerate(_PHRASES))
    + rf"|(?P<pad>{_CJK_FILL})|(?P<cjk>[{_WIDE_CHARS}])|(?P<run>{_RUN})",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(r"['\u2019]s\W*\Z")
_NUMBER: Final = re.compile(r"\$?\d[\d.,]*%?")
_WORD: Final = re.compile(r"[^\W\d_]+")
_IRREGULAR: Final = {
    **dict.fromkeys(("used", "uses", "using", "usage"), "use"),
    **dict.fromkeys(("ran", "runs", "running"), "run"),
    **dict.fromkeys(("wrote", "written"), "writ"),
    **dict.fromkeys(("broke", "broken"), "break"),
    **dict.fromkeys(("sent", "sending"), "send"),
    **dict.fromkeys(("kept", "keeping", "keeps"), "keep"),
    **dict.fromkeys(("made", "making"), "mak"),
    **dict.fromkeys(("left", "leaving"), "leav"),
    **dict.fromkeys(("edited", "editing", "edits"), "edit"),
}


def akin(one: str, other: str) -> bool:
    """Tell whether two stems are of one word."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= 4 and long.startswith(short)


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a clause, in order."""
    return tuple(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    names = frozenset(identifiers_of(text))
    at = 0
    while (found := _SCAN.search(text, at)) is not None:
        at = found.end()
        group = str(found.lastgroup)
        if group == "run" or _glued(text, found):
            whole = _PART.match(text, found.start())
            at = at if whole is None else whole.end()
            yield from _run(text[found.start() : at], names)
        elif group == "cjk":
            after = text[at : at + 1]
            pair = found[0] + after if re.match(f"[{_WIDE_CHARS}]", after) else found[0]
            yield Token("word", pair)
        elif group == "pad":
            yield Token("fill", found[0])
        else:
            yield Token(_PHRASES[int(group[1:])][0], found[0].lower())


def _glued(text: str, found: re.Match[str]) -> bool:
    """Tell whether a phrase is the beginning of a name, as `not` is of not-found.ts."""
    after = text[found.end() : found.end() + 2]
    if not found[0][0].isalpha() or not found[0][-1].isalnum() or not after:
        return False
    return after[0] in "-/\\" or (after[0] in ".:" and after[1:].isalnum())


def _run(run: str, names: frozenset[str]) -> Iterator[Token]:
    plain = _OWNER.sub("", run).rstrip(".,:;-+/\\'\u2019").lstrip(",:;'\u2019")
    if _NUMBER.fullmatch(plain):
        yield Token("number", plain)
    elif plain in names or plain.lstrip(".") in names:
        yield Token("name", plain)
    else:
        for word in _WORD.findall(run):
            small = word.lower()
            if small in _FILL or small.endswith("ly") or len(small) < 2:
                yield Token("fill", small)
            else:
                yield Token("word", _IRREGULAR.get(small) or stem_of(small))
