"""Search over folded and visible content: substring, fuzzy, BM25, hybrid, semantic."""

from kernel.searching.documents import Document, SearchOptions, SearchResult, documents_of
from kernel.searching.engine import ALGORITHMS, SearchIndex, search_blocks

__all__ = [
    "ALGORITHMS",
    "Document",
    "SearchIndex",
    "SearchOptions",
    "SearchResult",
    "documents_of",
    "search_blocks",
]
