"""What is named, and what scripts and emoji need: `visible` over all of Unicode."""

import sys
import unicodedata

import pytest

from pcsf_lark.faces.pages.visible import visible

#: What Unicode says may be left out of a drawing (Default_Ignorable_Code_Point), in ranges.
IGNORABLE = (
    "ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 202a-202e 2060-206f 3164 fe00-fe0f feff"
    " ffa0 fff0-fff8 1bca0-1bca3 1d173-1d17a e0000-e0fff"
)
#: All of the planes that have letters and signs; of the others, which are all alike, a few.
CHARACTERS = [
    *map(chr, range(0x32000)),
    *map(chr, range(0x32000, sys.maxunicode + 1, 255)),
    *(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF)),
]
STAY = {"\n", "\t", " ", "\u3000"}


def named(char):
    return (
        f"\N{MATHEMATICAL LEFT ANGLE BRACKET}U+{ord(char):04X}\N{MATHEMATICAL RIGHT ANGLE BRACKET}"
    )


def hidden():
    """What one does not see, or does not see as what it is, by Unicode's own properties."""
    for part in IGNORABLE.split():
        first, _, last = part.partition("-")
        yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))
    for char in CHARACTERS:
        category = unicodedata.category(char)
        if category in ("Cc", "Cs", "Co", "Zs", "Zl", "Zp") or ord(char) & 0xFFFE == 0xFFFE:
            yield char


def test_what_is_not_seen_is_named_and_what_is_seen_stays():
    unseen = sorted(set(hidden()) - STAY)
    # The blank of Braille is a symbol to Unicode, but not to the eye.
    unseen.append("\u2800")
    assert visible("".join(f"a{char}" for char in unseen)) == "".join(
        f"a{named(char)}" for char in unseen
    )
    known = set(unseen)
    seen = (char for char in CHARACTERS if char not in known)
    kept = "".join(char for char in seen if unicodedata.category(char)[0] in "LNPS")
    assert visible(kept) == kept


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "1\ufe0f\u20e3 #\ufe0f\u20e3",
        "\u2764\ufe0f \u2764\ufe0e",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0915\u094d\u200d\u0937",
        "\u5de5\u3000\u4f5c",
        "e\u0301",
        "\ttab\nline",
    ],
)
def test_what_scripts_and_emoji_need_stays(text):
    assert visible(text) == text


@pytest.mark.parametrize("char", ["\u200c", "\u200d", "\ufe00", "\ufe0f"])
def test_what_only_hides_behind_a_letter_is_named(char):
    assert visible(f"pass{char}word") == f"pass{named(char)}word"
    assert visible(char) == named(char)
    assert visible(f"\u2764{char * 4}") == f"\u2764{char}" + named(char) * 3
