"""All that can be said of an ABNF text at once: faults, loose ends, and traps for parsers.

Laws: findings are values in the order of the text; nothing raises for content,
and one fault hides no other: rules that are missing are taken to match
something unknown, so that the rest can be judged.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, repeat

from pcsf_lark.abnf.expressions.charset import MAX_CODE_POINT, CharSet
from pcsf_lark.abnf.expressions.expr import size
from pcsf_lark.abnf.inspecting.analysis import analysed, traps
from pcsf_lark.abnf.inspecting.facts import Reach
from pcsf_lark.abnf.inspecting.hints import ambiguities
from pcsf_lark.abnf.inspecting.productive import endless_of
from pcsf_lark.abnf.loading import translate
from pcsf_lark.abnf.model import Grammar, target
from pcsf_lark.abnf.nodes import NumRange, NumVal, Prose, Rule, key, walk
from pcsf_lark.abnf.problems import AbnfError, Problem, problem
from pcsf_lark.abnf.reading.lines import Layout, outside
from pcsf_lark.abnf.reading.reader import scan

__all__ = ["MAX_SYMBOLS", "inspect", "stages"]

#: Symbols of a grammar that is looked through for traps; a few seconds.
MAX_SYMBOLS = 20_000
# A comment up to the first character that may not stand in it.
_COMMENT = re.compile(r";[\t\x20-\x7e]*([^\t\r\n\x20-\x7e])")
_ASCII = "write it in ASCII"


def inspect(
    text: str,
    *,
    start: str = "",
    lexical: Iterable[str] = (),
    imports: Iterable[Grammar] = (),
    bind: Mapping[str, str] | None = None,
    shadow_core: bool = False,
    strict: bool = False,
) -> tuple[Problem, ...]:
    """Return every finding about an ABNF text, in its order.

    With `start`, rules it does not lead to are unused; without, rules that no
    other rule refers to, save the first. `strict`: RFC 5234 to the letter,
    which wants CRLF after every line and rules that begin at its left edge.
    """
    try:
        grammar, problems = scan(text, imports=imports, bind=bind, shadow_core=shadow_core)
    except AbnfError as error:
        return error.problems
    found = [*problems, *(_strict(text) if strict else ())]
    *_, whole = _stages(grammar, found, start, tuple(lexical))
    return whole


def stages(text: str) -> Iterator[tuple[Problem, ...]]:
    """Yield what `inspect` finds in two parts, for those who would not wait for the second.

    First all that is quick to find; then, where there may be more, all of it.
    """
    return _stages(*scan(text))


def _stages(
    grammar: Grammar, problems: Iterable[Problem], start: str = "", lexical: tuple[str, ...] = ()
) -> Iterator[tuple[Problem, ...]]:
    found = list(problems)
    if not grammar.rules:
        if not found:
            found.append(problem(None, "", "no-rules", "the text defines no rule", "write one"))
        yield tuple(found)
        return
    first = start or grammar.rules[0].name
    if start and start not in grammar:
        message = f"start rule `{start}` is not defined"
        found.append(problem(None, start, "undefined-rule", message, "name a rule of the text"))
        first = grammar.rules[0].name
    found += _prose(grammar)
    found += _unused(grammar, start if start in grammar else "")
    found += _looks(grammar)
    yield _in_order(found)
    if not any(one.severity == "error" or one.kind == "not-checked" for one in found):
        found += _conflicts(grammar, first, lexical)
        yield _in_order(found)


def _in_order(found: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(dict.fromkeys(found), key=lambda one: one.offset))


def _looks(grammar: Grammar) -> Iterator[Problem]:
    """Look for rules that never end, for traps and for ambiguity, where that does not take long."""
    reach = Reach(_completed(grammar), [rule.name for rule in grammar])
    if not _is_small(reach):
        yield _not_checked(f"its rules hold more than {MAX_SYMBOLS:,} symbols")
        return
    for look in (_dead_ends, _traps, ambiguities):
        yield from _limited(look, reach, grammar)


def _is_small(reach: Reach) -> bool:
    amount = 0
    for expr in reach.exprs.values():
        amount += size(expr, MAX_SYMBOLS)
        if amount >= MAX_SYMBOLS:
            return False
    return True


def _limited(
    look: Callable[[Reach, Grammar], Iterable[Problem]], reach: Reach, own: Grammar
) -> Sequence[Problem]:
    """Return what a look at the grammar finds, or a note that the grammar is too deep for it."""
    try:
        return tuple(look(reach, own))
    except RecursionError:
        return (_not_checked("its rules lead on too deep"),)


def _not_checked(why: str) -> Problem:
    message = f"not checked for traps and conflicts: {why}"
    mend = "check parts of the grammar by themselves"
    return problem(None, "", "not-checked", message, mend, severity="note")


def _strict(text: str) -> Iterator[Problem]:
    """Find what RFC 5234 does not allow about lines, each kind once."""
    layout = Layout(text)
    comments = (_COMMENT.match(text, at) for at, mark in outside(text) if mark == ";")
    alien = next((found for found in comments if found is not None), None)
    if alien is not None:
        message = f"{alien[1]!a} in a comment: RFC 5234 is printable ASCII throughout"
        yield problem(layout.at(alien.start(1)), "", "illegal-character", message, _ASCII)
    bare = [found.start() for found in re.finditer(r"(?<!\r)\n", text)]
    if bare or (text and not text.endswith("\n")):
        at = layout.at(bare[0] if bare else len(text))
        many = f" ({len(bare)} lines end with LF alone)" if bare else ""
        message = f"RFC 5234 ends each line with CRLF{many}"
        yield problem(at, "", "line-end", message, "write CRLF after every line, the last one too")
    first = next((lines for lines in layout.rules()), None)
    if first is not None and layout.at(first.start).column > 1:
        message = "RFC 5234 tells a rule's first line by the least indentation; here it is not 0"
        yield problem(layout.at(first.start), "", "indentation", message, "begin rules at the edge")


def _prose(grammar: Grammar) -> Iterator[Problem]:
    for rule in grammar:
        for node in walk(rule.definition):
            if isinstance(node, Prose) and node.text.strip() not in grammar:
                message = f"prose <{node.text}> describes no text a parser could match"
                mend = "define it as a rule, import the grammar that has it, or bind it"
                yield problem(node.at, rule.name, "unbound-prose", message, mend)


def _unused(grammar: Grammar, start: str) -> Iterator[Problem]:
    if start:
        used = {rule.key for rule in grammar.reachable(start)}
    else:
        used = {grammar.rules[0].key}
        for rule in grammar:
            names = (target(node) for node in walk(rule.definition))
            used |= {key(name) for name in names if name is not None and key(name) != rule.key}
    for rule in grammar:
        if rule.key not in used:
            message = f"rule `{rule.name}` is not used"
            mend = "remove it, or start from it"
            yield problem(rule.at, rule.name, "unused-rule", message, mend, severity="warning")


def _completed(grammar: Grammar) -> Grammar:
    """Return the grammar with a rule for each name and prose that has none."""
    names = {
        name
        for rule in grammar.reachable(*(one.name for one in grammar))
        for node in walk(rule.definition)
        if (name := target(node)) is not None and name not in grammar
    }
    unknown = sorted({key(one) for one in names})
    # Each is a character of its own, so that it is not taken to match what others do.
    points = chain(_unused_points(grammar), repeat(MAX_CODE_POINT))
    return grammar.amend(
        Rule(name, NumVal((point,))) for name, point in zip(unknown, points, strict=False)
    )


def _unused_points(grammar: Grammar) -> Iterator[int]:
    """Yield the code points that stand in none of the grammar's values, last ones first."""
    nodes = [node for rule in grammar for node in walk(rule.definition)]
    used = [(node.first, node.last) for node in nodes if isinstance(node, NumRange)]
    used += [(point, point) for node in nodes if isinstance(node, NumVal) for point in node.points]
    free = CharSet.span(0x80, MAX_CODE_POINT) - CharSet(used)
    for first, last in reversed(free.ranges):
        yield from range(last, first - 1, -1)


def _dead_ends(reach: Reach, own: Grammar) -> Iterator[Problem]:
    """Find the text's own rules that match nothing."""
    return endless_of(own, reach.exprs, reach.facts.order)


def _traps(reach: Reach, own: Grammar) -> Iterator[Problem]:
    """Find what parsers of one kind or another cannot take, in the text's own rules."""
    return traps(own, analysed(reach))


def _conflicts(grammar: Grammar, start: str, lexical: tuple[str, ...]) -> Iterator[Problem]:
    """Say whether the grammar is LALR(1) from its start, and if not, where."""
    for note in _notes(grammar, start, lexical):
        rule = grammar.get(note.rule)
        at = rule.at if rule and rule in grammar.rules else None
        mend = note.help if note.kind in _TOO_LARGE else _CONFLICT
        yield problem(at, note.rule, note.kind, note.message, mend, severity="note")


# Grammars are equal wherever their rules stand: a comment or a blank line changes nothing.
@lru_cache(8)
def _notes(grammar: Grammar, start: str, lexical: tuple[str, ...]) -> tuple[Problem, ...]:
    """Return what keeps LALR from reading the grammar; where it stands has no meaning here."""
    try:
        return tuple(translate(grammar, start, lexical, "auto").notes)
    except AbnfError as error:
        return tuple(error.problems)
    except RecursionError:
        return (_not_checked("its rules lead on too deep"),)


_TOO_LARGE = ("size-limit", "not-checked")
_CONFLICT = "LALR cannot read it as it stands; Earley can"
