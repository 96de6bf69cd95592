"""Binary matter in a text: bytes that no summary can stand for.

Laws: control characters no terminal prints, decoded garbage and long base64 are binary;
prose, code, paths and lists of digests are not; a text without a long word costs little.
"""

import re
from typing import Final

__all__ = ["binary_in"]

_CONTROLS: Final = ("\x00", "\x01", "\x02", "\x03", "\x04")
#: So many replacement characters are a decoded file, fewer a slip of an encoding.
_GARBAGE: Final = 8
_BLOCK: Final = 128
_BASE64: Final = re.compile(
    r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{256,}={0,2}"
    r"|(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{60,}(?:(?:\r?\n|\\n)[A-Za-z0-9+/]{60,}){3,}={0,2}"
)
_DATA_URI: Final = re.compile(r";base64,[A-Za-z0-9+/_-]{64,}")
#: A base64 text of this length nearly surely shows this many different characters.
_VARIETY: Final = 24


def binary_in(text: str) -> bool:
    """Tell whether a text holds binary matter."""
    for control in _CONTROLS:
        if control in text:
            return True
    if len(text) <= _BLOCK:
        return False
    if "\ufffd" in text and text.count("\ufffd") >= _GARBAGE:
        return True
    if ";base64," in text and _DATA_URI.search(text):
        return True
    return _has_dense_block(text) and _has_base64(text)


def _has_dense_block(text: str) -> bool:
    """Tell whether some aligned block has no blank: every run twice as long covers one."""
    last = len(text) - _BLOCK
    return any(text.find(" ", at, at + _BLOCK) < 0 for at in range(0, last + 1, _BLOCK))


def _has_base64(text: str) -> bool:
    for match in _BASE64.finditer(text):
        kinds = set(match[0])
        mixed = (
            any(map(str.isupper, kinds))
            and any(map(str.islower, kinds))
            and any(map(str.isdigit, kinds))
        )
        if mixed and len(kinds) >= _VARIETY:
            return True
    return False
