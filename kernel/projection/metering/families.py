"""What is known of a provider's tokens: bytes to a token and envelopes, in bounds.

Each row is an average over at least a few hundred bytes, taken wide on purpose:

- A byte-level vocabulary makes no token of less than one byte; English and code come to
  3 to 5 bytes, so 2 is a floor for text people read and 6 a ceiling; a vocabulary of a
  quarter million pieces (Gemini) reaches further.
- Letters beyond ASCII take 2 to 4 bytes, and a token from one of those bytes to a whole
  word: known families get no better than the unknown there.
- An envelope is the marks around a message (role, separators) and, for a call or a
  result, its id, name and framing.

Laws: every row lies inside the row of the unknown; a model that is not of its provider's
own family has the unknown's bytes. Real tokenizers, billing and caches are not claimed:
a provider's reported usage overrides nothing here and is overridden by nothing here.
"""

from collections.abc import Mapping
from typing import Final

from attrs import evolve, field, frozen

from kernel.model import as_tuple

__all__ = ["ESTIMATOR", "FAMILIES", "UNKNOWN", "Family", "Span", "family_of"]

#: The version of this table; it stands in every cost that was computed with it.
ESTIMATOR: Final = "bytes-1"

#: From, to: both inside.
Span = tuple[int, int]


@frozen
class Family:
    """`narrow` and `wide` are bytes a token; `message` and `part` tokens of an envelope.

    `wires` are the serializers whose output is measured: all of them where it is unknown.
    """

    name: str
    wires: tuple[str, ...] = field(converter=as_tuple)
    narrow: Span = (1, 8)
    wide: Span = (1, 8)
    message: Span = (1, 16)
    part: Span = (4, 64)
    models: tuple[str, ...] = field(default=(), converter=as_tuple)

    @property
    def estimator(self) -> str:
        """Return the version and the row a bound was computed with."""
        return f"{ESTIMATOR}/{self.name}"


UNKNOWN: Final = Family("unknown", ("openai", "responses", "anthropic", "gemini"))
_OPENAI_MODELS: Final = ("gpt-", "chatgpt-", "codex-", "o1", "o3", "o4")
FAMILIES: Final[Mapping[str, Family]] = {
    family.name: family
    for family in (
        Family("openai-completions", ("openai",), (2, 6), (1, 8), (2, 8), (4, 48), _OPENAI_MODELS),
        Family("openai-responses", ("responses",), (2, 6), (1, 8), (2, 8), (4, 48), _OPENAI_MODELS),
        Family("anthropic", ("anthropic",), (2, 6), (1, 8), (2, 10), (6, 56), ("claude",)),
        Family("google-gemini", ("gemini",), (2, 7), (1, 8), (1, 8), (4, 48), ("gemini",)),
        UNKNOWN,
    )
}
#: Other names hosts and Pi have for the same interfaces.
_ALIASES: Final[Mapping[str, str]] = {
    "openai": "openai-responses",
    "openai-codex-responses": "openai-responses",
    "anthropic-messages": "anthropic",
    "google": "google-gemini",
    "gemini": "google-gemini",
    "google-generative-ai": "google-gemini",
    "google-gemini-cli": "google-gemini",
    "google-vertex": "google-gemini",
}


def family_of(provider: str | None, model: str | None = None) -> Family:
    """Return the row for a provider's interface and a model, the unknown's where it is none."""
    name = (provider or "").lower()
    family = FAMILIES.get(_ALIASES.get(name, name), UNKNOWN)
    if family is UNKNOWN or not model:
        return family
    bare = model.lower().rsplit("/", 1)[-1]
    if bare.startswith(family.models):
        return family
    # Other vendors speak the same interface with tokenizers of their own.
    other = f"{family.name}-other"
    return evolve(
        UNKNOWN, name=other, wires=family.wires, message=UNKNOWN.message, part=UNKNOWN.part
    )
