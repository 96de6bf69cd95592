"""Does a statement mean what a fact means: the way round of a rule, the end of a file.

Laws: a rule is kept within one sentence, never by words of two; a heading that denies
denies what stands below it; what is quoted whole under a label is kept; a file that was
deleted is kept by a statement that says so of it. Only so many statements are asked.
"""

# ruff: noqa: SIM905 - a table of words reads best as text

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from kernel.projection.quality.clauses import clauses_of, parts_of
from kernel.projection.quality.polarity import denies_deletion, keeps
from kernel.projection.quality.rules import Rule, rules_of
from kernel.projection.quality.statements import Statement
from kernel.projection.quality.tokens import tokens_of
from kernel.projection.quality.wording import sentences_of

__all__ = ["Senses"]

#: A fact of common words stands in many statements; no more of them are asked for one.
_MOST_ASKED: Final = 64
_LONGEST: Final = 1000
_OTHER_EFFECTS: Final = frozenset(
    "creat add chang edit modif updat writ wrote renam mov restor kept keep exist remain unchang preserv retain made mak touch".split()
)


class Senses:
    """The statements of a summary, asked for their sense."""

    def __init__(self, statements: Sequence[Statement]) -> None:
        """Ask nothing yet; what is quoted under a label is known at once."""
        self._statements = statements
        self._quoted: dict[str, set[int]] = {}
        self._sentences: dict[int, tuple[str, ...]] = {}
        for at, statement in enumerate(statements):
            if statement.quote:
                self._quoted.setdefault(statement.quote, set()).add(at)

    def keeping(self, source: str, candidates: set[int]) -> set[int]:
        """Return the candidates that keep the rules of a source's sentence."""
        flat = " ".join(source.split())
        found = self._quoted.get(flat, set()) & candidates
        rest = sorted(candidates - found)[:_MOST_ASKED]
        rules = rules_of(source)
        return found | {at for at in rest if self._keeps(at, flat, rules)}

    def _keeps(self, at: int, source: str, rules: Sequence[Rule]) -> bool:
        sentences = self._of(at)
        if any(_quotes(sentence, source) for sentence in sentences):
            return True
        return all(any(keeps(rule, one, source) for one in sentences) for rule in rules)

    def _of(self, at: int) -> tuple[str, ...]:
        found = self._sentences.get(at)
        if found is None:
            found = self._sentences[at] = tuple(_sentences(self._statements[at]))
        return found

    def deleting(self, holds: Callable[[str], bool], candidates: set[int]) -> set[int]:
        """Return the candidates that say of a file that it is gone; `holds` finds its name."""
        return {at for at in candidates if self._deletes(self._statements[at], holds)}

    def _deletes(self, statement: Statement, holds: Callable[[str], bool]) -> bool:
        if statement.label == "deleted":
            return True
        heading = _effect(statement.heading)
        for low, high in sentences_of(statement.text):
            parts = parts_of(statement.text[low:high])
            effects = [_effect(part) for part in parts]
            places = [at for at, part in enumerate(parts) if holds(part)]
            # A name with blanks stands in no part as a word; the sentence answers for it.
            for at in places or ([len(parts) - 1] if holds(statement.text[low:high]) else []):
                near = (effects[at], *effects[:at][::-1], *effects[at + 1 :], heading)
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
