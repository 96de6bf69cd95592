"""`pcsf relay`: what became of its state, for the command line and for models."""
