"""Changes as values: creating, promoting, opening and closing blocks, switches, refusals."""
