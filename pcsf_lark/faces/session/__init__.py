"""`pcsf session`: any session log as a model would see it; folded, searched, converted."""
