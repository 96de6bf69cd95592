"""The two prompt protocols (§0): one model writes a capsule, the next takes it up.

Laws of this package: pure functions to text and plain data; every token, cap
and order in a prompt comes from the tables that the grammar and the passes are
held to, so that no prompt can ask for what the reader refuses.
"""
