"""Field texts as words, for the rules that look wording up or compare it.

Laws of this file: words are lower-case letters and digits, whatever stood
between them; nothing here is language-aware beyond short lists of English
words and three endings.
"""

from __future__ import annotations

__all__ = ["EMPTY", "VAGUE", "bare", "content", "listed", "words"]

_UPPER, _LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_OTHERS = "".join(chr(code) for code in range(128) if not chr(code).isalnum())
_SPACED = str.maketrans(
    _UPPER + _OTHERS,
    _LOWER + " " * len(_OTHERS),
    "'",
)
_BARE = str.maketrans(_UPPER, _LOWER, _OTHERS)


def listed(text: str) -> frozenset[str]:
    """The words of a list; a string is compiled many times as fast as its words one by one."""
    return frozenset(text.split())


#: Words that two texts may share without speaking of the same thing.
EMPTY = listed(
    "a adopt adopted an and are as at be because been but by can choose chose chosen could "
    "decided decision did do does for from go had has have i if in into is it its just me my "
    "of on or our pick picked shall should since so than that the their them then there "
    "therefore these they this those thus to too us use used uses using was we were what "
    "which who why will with would you your"
)
#: Words of which a reason may be made without saying anything.
VAGUE = listed(
    "a above agreed all already also always an and any approach appropriate are as bad "
    "because been being best better but by choice chose cleaner cleanest consensus "
    "conversation course decided did discussed discussion do does done earlier easier easiest "
    "efficient elegant feel feels fine for good great had has have how i idea ideal in is it "
    "its just know like lot made make makes many mentioned more most much n na nice "
    "nicer nicest no none not obvious obviously of ok okay on one option or other others our "
    "per pm practice preferable preferred put really reason reasons right said see "
    "seem seemed seems sense should simple simpler simplest simply so solution some "
    "sounds standard still stuff suitable tba tbd than that the there these thing "
    "things think this those to todo too unclear unknown us usual various very was "
    "way we well were what which why will with work worked works worse worst would wrong you"
)


def words(text: str) -> list[str]:
    """The words of a text in order, lower-case, without punctuation."""
    return text.translate(_SPACED).split()


def bare(text: str) -> str:
    """A text's letters and digits alone, lower-case: what two spellings of one key share."""
    return text.translate(_BARE)


def content(text: str) -> frozenset[str]:
    """The words that carry a text's meaning, without plural and verb endings."""
    return frozenset(_stem(word) for word in words(text) if word not in EMPTY)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "s"):
        if len(word) > len(ending) + 3 and word.endswith(ending) and not word.endswith("ss"):
            return word.removesuffix(ending)
    return word
