"""What a writer of ABNF most likely meant where the text is not ABNF.

Laws: a table, tried in order; the first row whose two patterns fit the text
before and after the fault speaks. The last row fits anything.
"""

import re

from attrs import frozen

__all__ = ["Fault", "explain"]


@frozen
class Fault:
    """A fault at an offset of a rule's text, before it has line and column."""

    offset: int
    kind: str
    message: str
    help: str = ""


@frozen
class _Mistake:
    """`before` must match at the end of the text before the fault, `after` right at it."""

    kind: str
    before: str
    after: str
    message: str
    help: str = ""


_NAME = r"[A-Za-z][A-Za-z0-9-]*"
_MISTAKES = (
    _Mistake(
        "illegal-rule-name",
        r"^",
        rf"(?P<name>(?P<count>\d+)(?P<rest>{_NAME}))[ \t]*=",
        "a rule name starts with a letter; `{name}` already means {count} x {rest}",
        "drop this line, or give the rule a name that starts with a letter",
    ),
    _Mistake(
        "illegal-rule-name",
        r"^",
        r"(?P<name>[^\s=:;]+)[ \t]*(?:=|::?=)",
        "`{name}` is no rule name",
        "a rule name is a letter followed by letters, digits and hyphens",
    ),
    _Mistake(
        "illegal-rule-name",
        rf"(?P<name>{_NAME})",
        r"(?P<rest>[._][\w.-]*)",
        "`{name}{rest}` is no rule name",
        "a rule name holds letters, digits and hyphens only",
    ),
    _Mistake(
        "not-a-definition",
        rf"^{_NAME}",
        r"\s*(?P<found>::?=|:|->|\u2192)",
        "`{found}` does not define a rule in ABNF",
        "write `name = elements`",
    ),
    _Mistake(
        "missing-definition",
        rf"^{_NAME}\s*",
        r"",
        "a rule name must be followed by `=` or `=/`",
        "write `name = elements`; a line that continues the rule above is indented more",
    ),
    _Mistake(
        "indented-rule",
        rf"(?P<name>{_NAME})\s*",
        r"\s*(?P<found>=)",
        "`=` in the middle of a rule",
        "if `{name}` is a new rule, indent its line no more than the others",
    ),
    _Mistake(
        "unclosed-string",
        r"",
        r'(?:%[sSiI])?"[^"\n]*(?:\n|\Z)',
        "the quoted string does not end on its line",
        "close it with a double quote; a double quote itself is %x22 or DQUOTE",
    ),
    _Mistake(
        "unclosed-prose",
        r"",
        r"<[^>\n]*(?:\n|\Z)",
        "the prose does not end on its line",
        "close it with >",
    ),
    _Mistake(
        "single-quotes", r"", r"['\u2018\u2019]", "ABNF strings stand in double quotes", 'write "x"'
    ),
    _Mistake(
        "smart-quotes", r"", r"[\u201c\u201d]", "typographic quotes are not ABNF", 'write "x"'
    ),
    _Mistake(
        "bar",
        r"",
        r"\s*(?P<found>\|)",
        "alternatives are separated by `/`, not `|`",
        "write `a / b`",
    ),
    _Mistake(
        "braces", r"", r"\s*(?P<found>[{}])", "ABNF has no braces", "write `*( a )` or `1*( a )`"
    ),
    _Mistake(
        "lonely-repetition",
        r"(?:^|[\s(\[/])(?P<found>\d*\*\d*|\d+)",
        r"",
        "the repetition `{found}` has no element right after it",
        "write them without a space between, as in `1*DIGIT`",
    ),
    _Mistake(
        "postfix-repetition",
        r"[\w\")\]>]",
        r"[*+?]",
        "a repetition stands before its element",
        "write `*a` for any number, `1*a` for at least one, `[a]` for at most one",
    ),
    _Mistake("empty-definition", r"=/?\s*", r"$", "the rule defines nothing", 'write ""'),
    _Mistake(
        "empty-alternative",
        r"/\s*",
        r"(?:$|[/)\]])",
        "an alternative is empty",
        'write "" for the empty string, or put the others in [ ]',
    ),
    _Mistake(
        "empty-alternative",
        r"[=(\[]\s*",
        r"/",
        "an alternative is empty",
        'write "" for the empty string, or put the others in [ ]',
    ),
    _Mistake("empty-group", r"[(\[]\s*", r"[)\]]", "a group is empty", "put an element in it"),
    _Mistake(
        "missing-space",
        r"[\w\")\]>]",
        r"[\w\"(\[<%]",
        "two elements touch",
        "put a space between them",
    ),
    _Mistake(
        "illegal-character",
        r"",
        r"(?P<found>[\udc80-\udcff])",
        "a byte that is not UTF-8",
        "save the file as UTF-8",
    ),
    _Mistake(
        "illegal-character",
        r"",
        r"(?P<found>[^\x20-\x7e])",
        "{found!a} cannot stand in ABNF",
        "ABNF is printable ASCII; write other characters as code points, as in %x00E9",
    ),
    _Mistake(
        "unexpected-end",
        r"",
        r"\s*$",
        "the rule ends too soon",
        "an element is missing here",
    ),
    _Mistake(
        "unexpected-text",
        r"",
        r"\s*(?P<found>\S{1,20})",
        "`{found}` is not expected here",
        "expected an element: a rule name, a string, a code point, `(` or `[`",
    ),
)
# How much text around a fault is looked at: it bounds the time an explanation takes.
_VIEW = 1000
_TABLE = tuple(
    (re.compile(rf"(?:{row.before})\Z"), re.compile(row.after), row) for row in _MISTAKES
)


def explain(text: str, offset: int) -> Fault:
    """Return the likeliest explanation of a syntax fault at this offset of a rule's text."""
    head, line = text[max(offset - _VIEW, 0) : offset], text[offset : offset + _VIEW]
    for before, after, row in _TABLE:
        if row.before.startswith("^") and len(head) < offset:
            continue
        left = before.search(head)
        right = after.match(line)
        if left and right:
            found = left.groupdict() | right.groupdict()
            at = right.start("found") if "found" in right.groupdict() else 0
            message, mend = row.message.format_map(found), row.help.format_map(found)
            return Fault(offset + at, row.kind, message, mend)
    raise AssertionError("the last row fits anything")
