"""From a journal to a state: the books of a replay, the arms, the proofs."""
