"""What `tools/bench` runs: a module a name."""
