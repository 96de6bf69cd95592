"""The stages of a turn, one a file; `kernel.pipeline.STAGES` gives their order."""
