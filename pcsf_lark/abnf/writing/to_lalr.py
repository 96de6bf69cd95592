"""Grammar to Lark over tokens, for LALR(1) with `strict=True`.

Laws: the result accepts the grammar's language from each start, or there is
no result: parser conflicts and tokens that cannot be told apart are errors in
ABNF names. Where every use of a rule is followed by the token its entries
begin with (`*(LF entry)` before `LF`), the entries are made to end with it
instead, provided that its text is fixed: then it is punctuation, which no
tree holds, and every node keeps its tokens.

Build it with `Lark(text, parser="lalr", start=[...], maybe_placeholders=False)`.
"""

from collections.abc import Container, Iterable

from attrs import evolve

from pcsf_lark.abnf.expressions.charset import END, CharSet
from pcsf_lark.abnf.expressions.expr import (
    EMPTY,
    Alt,
    Call,
    Chars,
    Expr,
    Rep,
    Seq,
    alt,
    fixed_text,
    parts,
    rep,
    seq,
    size,
)
from pcsf_lark.abnf.lalr.lark_rules import MAX_SETTLING, lark_rule, settling, weight
from pcsf_lark.abnf.lalr.lexing import Lexing, decide
from pcsf_lark.abnf.lalr.table import Table, build_table
from pcsf_lark.abnf.lalr.tokens import TokenGrammar, tokenize
from pcsf_lark.abnf.model import Grammar
from pcsf_lark.abnf.problems import AbnfError, problem
from pcsf_lark.abnf.writing.to_regex import expr_regex

__all__ = ["MAX_CHARS", "MAX_SYMBOLS", "to_lalr"]

# A table of that many symbols takes some ten seconds to build.
MAX_SYMBOLS = 5_000
# Characters and other parts of all tokens together.
MAX_CHARS = 100_000

_END = Chars(CharSet.of(END))
_MEND = "name lexical rules, or use Earley"
_UNDECIDED = Lexing({}, {}, ())


def to_lalr(grammar: Grammar, starts: Iterable[str], terminals: Iterable[str]) -> str:
    """Return the Lark grammar over tokens; the rules named as terminals are tokens.

    Lark's start symbols are `lark_name(start)`. Raises AbnfError for unknown
    names, terminals that are not regular, and everything that is not LALR(1).
    """
    tokens = tokenize(grammar, starts, terminals)
    amount = sum(map(weight, tokens.rules.values()))
    if amount > MAX_SYMBOLS:
        message = f"the rules hold {amount:,} symbols over tokens, LALR tables take {MAX_SYMBOLS:,}"
        raise AbnfError([problem(None, "", "lalr-size", message, _MEND)])
    if sum(size(expr, MAX_CHARS) for expr in tokens.tokens.values()) >= MAX_CHARS:
        message = f"the tokens hold {MAX_CHARS:,} characters and more"
        raise AbnfError([problem(None, "", "lalr-size", message, _MEND)])
    if settling(tokens.rules) > MAX_SETTLING:
        message = "the rules lead on to each other too far, or their rows are too long, for LALR"
        raise AbnfError([problem(None, "", "lalr-size", message, _MEND)])
    try:
        table = _table(tokens)
    except AbnfError:
        ended = _end_with_separators(tokens)
        if ended == tokens:
            raise
        tokens, table = ended, _table(ended)
    lexing = decide(tokens, table)
    if lexing.problems:
        raise AbnfError(lexing.problems)
    return _text(tokens, lexing)


def _table(tokens: TokenGrammar) -> Table:
    return build_table(_text(tokens, _UNDECIDED), tokens.starts, tokens.tokens, tokens.written)


def _text(tokens: TokenGrammar, lexing: Lexing) -> str:
    rules = [lark_rule(name, expr) for name, expr in tokens.rules.items()]
    lines = [_terminal(name, expr, lexing) for name, expr in tokens.tokens.items()]
    return "".join((*rules, "\n", *lines))


def _terminal(name: str, expr: Expr, lexing: Lexing) -> str:
    rank = lexing.priority.get(name, 0)
    ahead = lexing.ahead.get(name)
    text = expr_regex(expr, whole=False)
    if ahead is not None:
        text = (f"(?:{text})" if isinstance(expr, Alt) else text) + _ahead(ahead)
    return f"{name}{f'.{rank}' if rank else ''}: /{text}/\n"


def _ahead(expr: Expr) -> str:
    """Return a look-ahead for one of the beginnings, or the end of the text."""
    items = expr.items if isinstance(expr, Alt) else (expr,)
    texts: list[str] = []
    for item in items:
        real = Chars(item.set - _END.set) if isinstance(item, Chars) else item
        if real != Chars(CharSet(())):
            texts.append(expr_regex(real, whole=False))
        if isinstance(item, Chars) and END in item.set:
            texts.append(r"\Z")
    return f"(?={'|'.join(texts)})"


def _end_with_separators(tokens: TokenGrammar) -> TokenGrammar:
    """Turn `R = x *(A e)`, always followed by `A`, into `R = x A *(e A)` without it."""
    marks = {Call(name) for name, expr in tokens.tokens.items() if fixed_text(expr) is not None}
    rules = {name: _rotate(expr, marks) for name, expr in tokens.rules.items()}
    for name in [name for name in rules if name not in tokens.starts]:
        separator = _separator(rules[name], marks)
        if separator is not None and all(
            _always_before(expr, Call(name), separator) for expr in rules.values()
        ):
            rules = {
                other: _drop_after(expr, Call(name), separator) for other, expr in rules.items()
            }
            rules[name] = _rotate(seq((rules[name], separator)), marks)
    return evolve(tokens, rules=rules)


def _separator(expr: Expr, marks: Container[Expr]) -> Expr | None:
    """Return A of `x *(A e)`, where it is one of the marks."""
    match (expr.items if isinstance(expr, Seq) else (expr,))[-1:]:
        case (Rep(Seq((Call() as head, *_)), 0, None),) if head in marks:
            return head
    return None


def _rotate(expr: Expr, marks: Container[Expr]) -> Expr:
    """Turn `*(A e) A` into `A *(e A)`, wherever it stands, for each A of the marks."""
    match expr:
        case Seq(items):
            row = [_rotate(item, marks) for item in items]
            for at in range(len(row) - 1):
                match row[at : at + 2]:
                    case [Rep(Seq((Call() as head, *rest)), 0, None), then] if (
                        then == head and head in marks
                    ):
                        row[at : at + 2] = [head, rep(seq((*rest, head)), 0, None)]
            return seq(row)
        case Alt(items):
            return alt([_rotate(item, marks) for item in items])
        case Rep(item, least, most):
            return rep(_rotate(item, marks), least, most, expr.at)
        case _:
            return expr


def _always_before(expr: Expr, call: Call, separator: Expr) -> bool:
    """Tell whether each use of the call stands directly before the separator."""
    if expr == call:
        return False
    if isinstance(expr, Seq) and expr.items:
        after = (*expr.items[1:], EMPTY)
        return all(
            then == separator if item == call else _always_before(item, call, separator)
            for item, then in zip(expr.items, after, strict=True)
        )
    return all(_always_before(part, call, separator) for part in parts(expr))


def _drop_after(expr: Expr, call: Call, separator: Expr) -> Expr:
    match expr:
        case Seq(items):
            before = (EMPTY, *items)[: len(items)]
            kept = [
                _drop_after(item, call, separator)
                for item, back in zip(items, before, strict=True)
                if not (back == call and item == separator)
            ]
            return seq(kept)
        case Alt(items):
            return alt([_drop_after(item, call, separator) for item in items])
        case Rep(item, least, most):
            return rep(_drop_after(item, call, separator), least, most, expr.at)
        case _:
            return expr
