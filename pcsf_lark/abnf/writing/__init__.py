"""A grammar in other notations: ABNF, Lark, regular expressions, GBNF, llguidance, pictures."""
