"""From ABNF text to a grammar's nodes, and to what its writer meant where it is not ABNF."""
