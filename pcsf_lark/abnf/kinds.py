"""Every kind of finding about a grammar, with its code.

Laws: a code never changes its meaning; `G0` codes are about the text, `G1`
about the rules, `G2` about what parsers make of them.
"""

__all__ = ["CODES"]

_KINDS = {
    # Text that is not ABNF.
    "G001": "illegal-rule-name",
    "G002": "not-a-definition",
    "G003": "missing-definition",
    "G004": "indented-rule",
    "G005": "unclosed-string",
    "G006": "unclosed-prose",
    "G007": "single-quotes",
    "G008": "smart-quotes",
    "G009": "bar",
    "G010": "braces",
    "G011": "lonely-repetition",
    "G012": "postfix-repetition",
    "G013": "empty-definition",
    "G014": "empty-alternative",
    "G015": "empty-group",
    "G016": "missing-space",
    "G017": "illegal-character",
    "G018": "unexpected-end",
    "G019": "unexpected-text",
    "G020": "unmatched-bracket",
    "G021": "unclosed-bracket",
    "G022": "nesting-limit",
    "G023": "empty-count",
    "G024": "count-limit",
    "G025": "illegal-value",
    "G026": "empty-range",
    "G027": "lone-cr",
    "G028": "line-end",
    "G029": "indentation",
    "G030": "not-utf-8",
    # Rules that do not fit together.
    "G101": "undefined-rule",
    "G102": "duplicate-rule",
    "G103": "addition-first",
    "G104": "core-rule-redefined",
    "G105": "core-rule-repeated",
    "G106": "unused-rule",
    "G107": "unbound-prose",
    "G108": "no-rules",
    "G109": "unreadable-binding",
    "G110": "doubtful-import",
    # What parsers make of it.
    "G201": "left-recursion",
    "G202": "overlap",
    "G203": "ambiguous-choice",
    "G204": "empty-repetition",
    "G205": "endless-rule",
    "G206": "recursive-rule",
    "G207": "size-limit",
    "G208": "work-limit",
    "G209": "capture",
    "G210": "lalr",
    "G211": "lalr-size",
    "G212": "shift-reduce",
    "G213": "reduce-reduce",
    "G214": "token-clash",
    "G215": "token-end",
    "G216": "token-order",
    "G217": "not-checked",
}

#: Kind of a problem to its code.
CODES = {kind: code for code, kind in _KINDS.items()}
