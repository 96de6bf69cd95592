"""What holds for every test: a garbage collector that leaves alone what stays."""

import gc


def pytest_collection_finish():
    """Sixteen thousand tests and what they import live to the end: to look through them again
    and again takes a fifth of the time of tests that make many objects."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
