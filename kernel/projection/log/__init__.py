"""The log itself: its tree and branches, appending to it, digests and spelling of its entries."""
