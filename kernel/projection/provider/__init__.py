"""Towards the provider: the transient suffix, identities of requests, what caches report."""
