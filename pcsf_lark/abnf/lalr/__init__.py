"""What an LALR(1) parser with a lexer can do for a grammar: its tokens, table and conflicts."""
