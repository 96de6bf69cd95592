"""The manual of `pcsf grammar check`: what each of its findings means, and what to do.

Laws: a page for every kind in ``abnf.kinds``; its first line says what is
wrong, the rest why that matters and what to write. Messages name the place and
the text at hand; a page speaks of the kind.
"""

from __future__ import annotations

from pcsf_lark.abnf.kinds import CODES

__all__ = ["kind_of", "manual"]

_PAGES = {
    "illegal-rule-name": """A rule's name is not a letter followed by letters, digits and hyphens.
A digit before a name already means a repetition: `8HEXLOW` is eight times HEXLOW. Rename the rule, or drop the line where it says nothing new.""",
    "not-a-definition": """A line is no definition, comment or continuation.
Write `name = elements`.""",
    "missing-definition": """A rule's name stands without `=` or `=/` after it.
A line that goes on with the rule above must be indented more than that rule.""",
    "indented-rule": """A line that continues a rule looks like a rule of its own.
All rules begin in the same column; indent a new one no more than the others.""",
    "unclosed-string": """A quoted string does not end on its line.
Close it; a double quote itself is %x22 or DQUOTE.""",
    "unclosed-prose": """Prose in angle brackets does not end on its line.
Close it with `>`.""",
    "single-quotes": """A string stands in single quotes.
ABNF knows double quotes alone: "x" in any case, %s"x" as written.""",
    "smart-quotes": """A string stands in typographic quotes, as word processors put them.
Write plain double quotes.""",
    "bar": """Alternatives are separated by `|`.
ABNF writes `a / b`.""",
    "braces": """Braces stand where ABNF has none.
Write `*( a )` for any number, `1*( a )` for at least one.""",
    "lonely-repetition": """A repetition has no element right after it.
Write both without a space between, as in `1*DIGIT`.""",
    "postfix-repetition": """A repetition stands after its element, as in regular expressions.
ABNF writes it before: `*a`, `1*a`, and `[a]` for at most one.""",
    "empty-definition": """A rule defines nothing.
Write "" where it is to match the empty text.""",
    "empty-alternative": """An alternative is empty: two `/` meet, or one stands at an end.
Write "" for the empty text, or brackets around what may be left out.""",
    "empty-group": """A group or an option holds nothing.
Put an element in it, or take it out.""",
    "missing-space": """Two elements touch.
Put a space between them.""",
    "illegal-character": """A character stands outside strings that ABNF has no use for.
Grammars are printable ASCII; other characters are code points, such as %xE9.""",
    "unexpected-end": """A rule ends where an element is still to come.
Add the element, or indent the line that holds it.""",
    "unexpected-text": """Something stands where an element was expected.
Elements are rule names, strings, code points, prose, `(` and `[`.""",
    "unmatched-bracket": """A closing bracket has no opening one.
Drop it, or open the group before.""",
    "unclosed-bracket": """A group or an option is not closed before the rule ends.
Close it; a rule ends where the next line is not indented.""",
    "nesting-limit": """Groups stand in groups too deep to be read.
Give inner groups rules of their own.""",
    "empty-count": """A repetition's least count is above its most, so nothing fits.
Write the smaller number first.""",
    "count-limit": """A repetition's count is beyond what is worked with.
Where no number is meant, write `*a` or `1*a`.""",
    "illegal-value": """A code point is none: beyond %x10FFFF, or digits that the base does not have.
Check the base: %x is hexadecimal, %d decimal, %b binary.""",
    "empty-range": """A range of code points ends before it begins.
Write the smaller value first.""",
    "lone-cr": """A carriage return stands without a line feed.
End lines with CRLF, or with LF alone.""",
    "line-end": """Lines do not end in CRLF, which RFC 5234 asks for (with --strict).
Without --strict, LF and a missing last line end are read.""",
    "indentation": """The rules do not begin at the edge (with --strict).
RFC 5234 tells a rule's first line by the least indentation.""",
    "not-utf-8": """The file is not UTF-8.
Grammars are ASCII; save the file as that. A file with a zero after each letter is UTF-16.""",
    "undefined-rule": """A rule is used, or named as the start, that nothing defines.
Define it, import the grammar that does (--import), or bind it (--bind).""",
    "duplicate-rule": """A rule is defined twice; names do not tell cases apart.
Rename one, or add to the first with `=/`.""",
    "addition-first": """A rule is added to with `=/` before it is defined.
Write `=` in its first line.""",
    "core-rule-redefined": """A core rule of RFC 5234 is given another meaning.
Other grammars rely on the common one: choose another name, or say --shadow-core.""",
    "core-rule-repeated": """A core rule is defined again with the meaning that it has.
That is harmless; ALPHA, DIGIT, CRLF and their kin need no definition.""",
    "unused-rule": """Nothing that the start rule leads to uses a rule.
Remove it, or name another start (--start).""",
    "unbound-prose": """Prose in angle brackets describes no text that a parser could match.
Define it as a rule, import the grammar that has it, or bind it (--bind).""",
    "no-rules": """The text defines no rule.
Write one: `name = elements`.""",
    "unreadable-binding": """What prose is bound to is no ABNF.
Write `--bind 'prose=elements'`.""",
    "doubtful-import": """A name that is used is defined differently in two imported grammars.
The first one counts: import the right one first, or only what is needed.""",
    "left-recursion": """A rule begins with itself.
Parsers from the top down never come to an end on it; Earley and LALR read it. Write `a *( op a )` for them.""",
    "overlap": """A repetition may go on with the very text that comes after it.
Parsers that never give back (PEG) read too much there; Earley and regular expressions do not.""",
    "ambiguous-choice": """Two alternatives match the same text.
Harmless where only acceptance counts; our trees take the first alternative. Parsers that take the first that fits may miss the longer one.""",
    "empty-repetition": """What is repeated may be empty, so one text is read in many ways.
Take the option out of one of the two.""",
    "endless-rule": """A rule matches no text, for it never comes to an end.
Give it an alternative without itself.""",
    "recursive-rule": """A rule contains itself where a regular expression is asked for.
Translate to lark instead, or start from a rule without recursion.""",
    "size-limit": """A grammar, written out, is larger than is worked with.
Smaller counts or a start rule that leads to less will do.""",
    "work-limit": """A text took more steps than one match is given.
The grammar is very ambiguous there, or the text very long.""",
    "capture": """A rule that a regular expression is to capture does not occur exactly once.
Capture one that does, outside repetitions.""",
    "lalr": """Lark's LALR cannot read the grammar as it stands.
Earley can; the message names the rules in conflict.""",
    "lalr-size": """The grammar is too large for LALR tables to be built in a moment.
Name lexical rules (--lexical), so that they become single tokens, or take Earley.""",
    "shift-reduce": """One token of look-ahead does not decide whether a rule goes on or is over.
LALR cannot read it; Earley can. Name lexical rules, or rewrite the rule named.""",
    "reduce-reduce": """One token of look-ahead does not decide which rule a text was.
LALR cannot read it; Earley can. Make the rules named differ earlier.""",
    "token-clash": """Two tokens match the same text where either may stand.
A lexer cannot tell them apart: name other lexical rules, or take Earley.""",
    "token-end": """What follows a token does not decide where it ends.
A lexer takes the longest piece; where that may be too much, Earley is used.""",
    "token-order": """No order of trying tells tokens apart: each must be tried before another of them.
Name other lexical rules, or take Earley.""",
    "not-checked": """The grammar is too large or too deep to be searched for traps and conflicts.
What was said before still holds; check parts of it by themselves.""",
}
_KINDS = {code: kind for kind, code in CODES.items()}


def kind_of(name: str) -> str | None:
    """The kind that a code (``G101``) or a name (``undefined-rule``) stands for."""
    return _KINDS.get(name.upper()) or (name.lower() if name.lower() in CODES else None)


def manual(code: str) -> str:
    """The page of a kind, given by its code."""
    first, _, rest = _PAGES[_KINDS[code]].partition("\n")
    return f"{first}\n\n{rest}"
