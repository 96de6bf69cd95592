"""Settings: their values, their rules, and the JSONC files they are read from."""
