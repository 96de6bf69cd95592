"""`pcsf aili`: the log of a Pi session as its projection sees it; read, folded, only added to."""
