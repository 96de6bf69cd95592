"""Does a statement mean what a fact means: the way round of a rule, the end of a file.

Laws: a rule is kept within one sentence, never by words of two; a heading that denies
denies what stands below it; what is quoted whole under a label is kept; a file that was
deleted is kept by a statement that says so of it.
"""

# ruff: noqa: SIM905 - a table of words reads best as text

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kernel.projection.quality.clauses import clauses_of, parts_of
from kernel.projection.quality.polarity import denies, denies_deletion, keeps
from kernel.projection.quality.rules import rules_of
from kernel.projection.quality.statements import Statement
from kernel.projection.quality.tokens import tokens_of
from kernel.projection.quality.wording import sentences_of

__all__ = ["Senses"]

_LONGEST: Final = 1000
_OTHER_EFFECTS: Final = frozenset(
    "creat add chang edit modif updat writ wrote renam mov restor kept keep exist remain unchang preserv retain made mak touch".split()
)


class Senses:
    """The statements of a summary, asked for their sense."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        """Ask nothing yet; what is quoted under a label is known at once."""
        self._statements = statements
        self._quoted: dict[str, list[int]] = {}
        self._sentences: dict[int, tuple[str, ...]] = {}
        for at, statement in enumerate(statements):
            if statement.quote:
                self._quoted.setdefault(statement.quote, []).append(at)

    def quoting(self, text: str) -> Sequence[int]:
        """Return the statements that quote a text under a label."""
        return self._quoted.get(" ".join(text.split()), ())

    def keeps(self, at: int, source: str) -> bool:
        """Tell whether a statement keeps the rules of a source's sentence."""
        flat = " ".join(source.split())
        if self._statements[at].quote == flat:
            return True
        sentences = self._of(at)
        if any(_quotes(sentence, flat) for sentence in sentences):
            return True
        return all(
            any(keeps(rule, one, flat) for one in sentences)
            and not any(denies(rule, one) for one in sentences)
            for rule in rules_of(source)
        )

    def _of(self, at: int) -> tuple[str, ...]:
        found = self._sentences.get(at)
        if found is None:
            found = self._sentences[at] = tuple(_sentences(self._statements[at]))
        return found

    def deletes(self, at: int, holds: Callable[[str], bool]) -> bool:
        """Tell whether a statement says of a file that it is gone; `holds` finds its name."""
        statement = self._statements[at]
        if statement.label == "deleted":
            return True
        heading = _effect(statement.heading)
        for low, high in sentences_of(statement.text):
            parts = parts_of(statement.text[low:high])
            effects = [_effect(part) for part in parts]
            places = [place for place, part in enumerate(parts) if holds(part)]
            # A name with blanks stands in no part as a word; the sentence answers for it.
            for place in places or ([len(parts) - 1] if holds(statement.text[low:high]) else []):
                near = (effects[place], *effects[:place][::-1], *effects[place + 1 :], heading)
                if next((effect for effect in near if effect), 0) > 0:
                    return True
        return False


def _effect(part: str) -> int:
    """Return 1 where a part tells of a deletion, -1 where of something else, 0 of nothing."""
    for clause in clauses_of(part):
        sign = denies_deletion(clause)
        if sign:
            return sign
        if any(token.kind == "state" or token.text in _OTHER_EFFECTS for token in clause):
            return -1
    return 0


def _quotes(sentence: str, source: str) -> bool:
    """Tell whether a sentence is a source's, with nothing of weight about it."""
    flat = " ".join(sentence.split())
    core = source.rstrip(".!。！;；")  # noqa: RUF001 - full-width marks are meant
    at = flat.find(core)
    if at < 0:
        return False
    around = f"{flat[:at]} {flat[at + len(core) :]}"
    return all(token.kind == "fill" for token in tokens_of(around))


def _sentences(statement: Statement) -> Iterator[str]:
    """Yield the sentences of a statement, each below a heading that denies."""
    over = tokens_of(statement.heading) if len(statement.heading) < _LONGEST else ()
    denies = bool(over) and {"neg", "wide"} & {token.kind for token in over}
    above = denies and not any(token.kind in ("word", "name") for token in over)
    for low, high in sentences_of(statement.text):
        sentence = statement.text[low:high]
        if len(sentence) > _LONGEST:
            continue
        own = {token.kind for token in tokens_of(sentence)}
        yield (
            f"{statement.heading}: {sentence}" if above and not own & {"neg", "wide"} else sentence
        )
