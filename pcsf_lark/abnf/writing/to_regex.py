"""Grammar to one regular expression for Python's `re` (3.11 and later).

Laws: with `re.fullmatch` the expression accepts the rule's language, exactly
that, under full backtracking. Backtracking is cut (`(?>...)`, `*+`) only where
it is proven that cutting loses nothing: an iteration can end in one place
only, and what follows the loop never begins with another iteration. Classes
are spelled out, case is ignored in ASCII only; no flag is needed.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import islice

from pcsf_lark.abnf.expressions.automaton import SearchLimitError, ends_apart, first, starts_with
from pcsf_lark.abnf.expressions.charset import END, MAX_CODE_POINT, CharSet
from pcsf_lark.abnf.expressions.expr import Alt, Call, Chars, Expr, Mark, Rep, Seq, parts, rep, seq
from pcsf_lark.abnf.expressions.lower import inline
from pcsf_lark.abnf.expressions.regex_text import ahead, char_class, char_text, count, letters
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.nodes import key
from pcsf_lark.abnf.problems import AbnfError, Problem, problem

__all__ = ["expr_regex", "to_regex"]

# How many pairs of states a proof may look at before the loop is left uncut.
_EFFORT = 1_000

_END = Chars(CharSet.of(END))
_ANY = CharSet.span(0, MAX_CODE_POINT)


def to_regex(
    grammar: Grammar, start: str | None = None, *, captures: Mapping[str, str] | None = None
) -> str:
    """Return the regular expression of a rule, by default the first one.

    `captures` maps rules to group names; each must occur once from the start
    and in no repetition. Raises AbnfError when a rule is recursive, too large,
    or cannot be captured.

    >>> from pcsf_lark import abnf
    >>> abnf.to_regex(abnf.load('greeting = "hi" SP 1*DIGIT'), "greeting")
    '(?ai:HI )[0-9]+'
    """
    start = start or grammar.rules[0].name
    marks = {key(rule): name for rule, name in (captures or {}).items()}
    expr = inline(grammar, start, marks)
    faults = _uncapturable(grammar, expr, marks)
    if faults:
        raise AbnfError(faults)
    return expr_regex(expr)


def expr_regex(expr: Expr, *, whole: bool = True) -> str:
    """Return the regular expression of an expression without calls.

    `whole`: it is to match a whole text, so look-arounds and cuts may rely on
    what follows. Otherwise it is plain: classes, groups and quantifiers only.
    """
    return _choice(expr, _END if whole else None)


def _uncapturable(grammar: Grammar, expr: Expr, marks: Mapping[str, str]) -> list[Problem]:
    seen: Counter[str] = Counter()
    waiting = [(expr, 1)]
    while waiting:
        current, times = waiting.pop()
        if isinstance(current, Mark):
            seen[current.name] += times
        if isinstance(current, Rep) and current.max != 1:
            times = 2
        waiting.extend((part, times) for part in parts(current))
    found: list[Problem] = []
    for rule, name in marks.items():
        if seen[name] != 1:
            often = "several times" if seen[name] else "nowhere"
            message = f"rule `{rule}` cannot be captured: it occurs {often} from the start rule"
            place = grammar.get(rule)
            at = place.at if place else None
            mend = "capture a rule that occurs once, outside repetitions"
            found.append(problem(at, rule, "capture", message, mend))
    return found


def _choice(expr: Expr, after: Expr | None) -> str:
    """Render where an alternation may stand bare."""
    if isinstance(expr, Alt):
        return "|".join(_row(item, after) for item in expr.items)
    return _row(expr, after)


def _row(expr: Expr, after: Expr | None) -> str:
    """Render a sequence; `after` is all that follows it, up to the end of the text, if known."""
    items = expr.items if isinstance(expr, Seq) else (expr,)
    if after is None:
        return "".join(_item(item, None) for item in items)
    text, index, looked = "", 0, 0
    while index < len(items):
        item = items[index]
        if isinstance(item, Chars):
            plain, cased = _plain_run(items, index) if index >= looked else ([], 0)
            # A run that is not worth a flag is not worth a second look.
            looked = max(looked, index + len(plain))
            text += f"(?ai:{''.join(plain)})" if cased > 1 else char_class(item)
            index += len(plain) if cased > 1 else 1
            continue
        edged = _edged(item, items[index + 1]) if index + 1 < len(items) else None
        text += edged or _item(item, seq((*items[index + 1 :], after)))
        index += 2 if edged else 1
    return text


def _plain_run(items: tuple[Expr, ...], start: int) -> tuple[list[str], int]:
    """Return the run of letters in both cases and of characters without, and how many have both."""
    run: list[str] = []
    cased = 0
    for item in islice(items, start, None):
        if not isinstance(item, Chars):
            break
        letter = letters(item)
        only = chr(item.set.first()) if len(item.set) == 1 else ""
        if letter is None and (not only.isascii() or not only or only.isalpha()):
            break
        run.append(letter or char_text(ord(only)))
        cased += letter is not None
    return run, cased


def _edged(head: Expr, tail: Expr) -> str | None:
    """Render `1*A *(1*B 1*A)` with disjoint A and B as one run that has no B at its edges."""
    match head, tail:
        case Rep(Chars(a), 1, None), Rep(Seq((Rep(Chars(b), 1, None), again)), 0, None):
            if again == head and not a & b:
                edge, run = char_class(b), char_class(a | b)
                return f"(?!{edge}){run}+(?<!{edge})"
    return None


def _item(expr: Expr, after: Expr | None) -> str:
    match expr:
        case Chars(chars):
            return char_class(chars)
        case Seq():
            return f"(?:{_row(expr, after)})"
        case Alt():
            return f"(?:{_choice(expr, after)})"
        case Mark(name, item):
            return f"(?P<{name}>{_choice(item, after)})"
        case Rep(item, least, most):
            return _loop(expr, after) if most != 1 else _once(item, after) + count(least, most)
        case Call(rule):
            raise ValueError(f"call of {rule} in a regular expression")


def _once(item: Expr, after: Expr | None) -> str:
    """Render what a quantifier follows."""
    if isinstance(item, Chars):
        return char_class(item)
    return f"(?:{_choice(item, after)})"


def _loop(loop: Rep, after: Expr | None) -> str:
    item = loop.item
    quantifier = count(loop.min, loop.max)
    if isinstance(item, Chars) or after is None:
        return _once(item, None) + quantifier
    follow = seq((rep(item, 0, None), after))
    try:
        guard = _cut(item, after, follow)
    except SearchLimitError:
        guard = None
    if guard is None or loop.min == loop.max:
        return _once(item, follow) + quantifier
    # An atomic body inside the possessive loop leaves it nothing to take back:
    # Python 3.11.0 to 3.11.4 mishandle possessive loops over bodies that do.
    body = _choice(item, follow)
    if guard and isinstance(item, Alt):
        body = f"(?:{body})"
    return f"(?:(?>{body}{guard}))" + quantifier + "+"


def _cut(item: Expr, after: Expr, follow: Expr) -> str | None:
    """Return the look-ahead with which an iteration may be cut ("" if none is needed), or None."""
    next_chars = first(follow)
    for chars, text in ((_ANY, ""), (next_chars, ahead(next_chars))):
        if ends_apart(item, chars, _EFFORT):
            body = item if not text else seq((item, Chars(chars)))
            return None if starts_with(after, body, _EFFORT) else text
    return None
