"""The compression kernel."""
