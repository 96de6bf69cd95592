"""Scoring and ranking.

Laws: scores are weighed by role, those below the least left out, ties keep the order of
the documents; an unknown algorithm finds nothing; a semantic search without an embedding
port is a misuse. One pass over the documents, no limit on their number.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from heapq import nlargest

from kernel.ports import Embed
from kernel.search.documents import (
    Document,
    SearchOptions,
    SearchResult,
    block_documents,
)
from kernel.search.words import bigrams, count_words, preview, total_words, words
from kernel.state import CompressionState

__all__ = ["ALGORITHMS", "SearchIndex", "search_blocks"]

_K1, _B = 1.2, 0.75
_BM25_SHARE, _FUZZY_SHARE = 0.7, 0.3
_TINY = 1e-9


class SearchIndex:
    """Documents made ready once, for several queries."""

    def __init__(self, documents: Sequence[Document], embed: Embed | None = None) -> None:
        """Take documents in their order; `embed` makes semantic search possible."""
        self.documents = documents
        self._embed = embed

    @cached_property
    def lowered(self) -> list[str]:
        """Return every text in lower case."""
        return [document.text.lower() for document in self.documents]

    @cached_property
    def mean_length(self) -> float:
        """Return the mean number of words of a document."""
        return total_words(self.lowered) / len(self.documents) if self.documents else 0.0

    @cached_property
    def vectors(self) -> list[Sequence[float]]:
        """Return the embedding of every text."""
        if self._embed is None:
            raise ValueError("semantic search needs an embedding: give Ports(embed=...)")
        return list(self._embed([document.text for document in self.documents]))

    def search(self, query: str, options: SearchOptions | None = None) -> list[SearchResult]:
        """Return the best documents for a query."""
        options = SearchOptions() if options is None else options
        score = ALGORITHMS.get(options.algorithm)
        if options.algorithm == "semantic" and self._embed is not None:
            score = _semantic
        if score is None or not self.documents:
            return []
        weights = options.weights()
        weighed = []
        for index, value in enumerate(score(self, query)):
            if value:
                weight = weights.get(self.documents[index].weight_key, 1.0)
                if value * weight >= options.min_score:
                    weighed.append((value * weight, -index))
        return [
            _result(self.documents[-place], value, query, options)
            for value, place in nlargest(options.limit, weighed)
        ]

    def embed_query(self, query: str) -> Sequence[float]:
        """Return the embedding of a query."""
        return self._embed([query])[0] if self._embed else ()


def _result(
    document: Document, score: float, query: str, options: SearchOptions
) -> SearchResult:
    return SearchResult(
        kind=document.kind,
        ref=document.ref,
        title=document.title,
        preview=preview(document.text, query, options.preview_length),
        score=score,
        role=document.role,
        block_id=document.block_id,
        tier=document.tier,
        tokens=document.tokens,
    )


def _substring(index: SearchIndex, query: str) -> list[float]:
    terms = query.lower().split()
    return [float(sum(text.count(term) for term in terms)) for text in index.lowered]


def _fuzzy(index: SearchIndex, query: str) -> list[float]:
    pairs = bigrams(query)
    if not pairs:
        return [0.0] * len(index.lowered)
    share = 1 / len(pairs)
    counts = [0] * len(index.lowered)
    for pair in pairs:
        for place, text in enumerate(index.lowered):
            if pair in text:
                counts[place] += 1
    return [count / len(pairs) if count else 0.0 for count in counts] if share else []


def _bm25(index: SearchIndex, query: str) -> list[float]:
    wanted = Counter(words(query))
    scores = [0.0] * len(index.lowered)
    if not wanted:
        return scores
    frequencies = _frequencies(index, wanted)
    mean = index.mean_length or 1.0
    total = len(index.lowered)
    lengths: dict[int, int] = {}
    for term, times in wanted.items():
        found = frequencies[term]
        rarity = math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
        for place, frequency in found.items():
            length = lengths.get(place)
            if length is None:
                length = lengths[place] = count_words(index.lowered[place])
            norm = _K1 * (1 - _B + _B * length / mean)
            scores[place] += times * rarity * frequency * (_K1 + 1) / (frequency + norm)
    return scores


def _frequencies(index: SearchIndex, wanted: Mapping[str, int]) -> dict[str, dict[int, int]]:
    """Map each term to how often each document has it; only documents with its root are read."""
    found: dict[str, dict[int, int]] = {term: {} for term in wanted}
    roots = {term: _root(term) for term in wanted}
    candidates: dict[int, None] = {}
    for root in set(roots.values()):
        candidates.update(
            dict.fromkeys(place for place, text in enumerate(index.lowered) if root in text)
        )
    for place in sorted(candidates):
        counted = Counter(words(index.lowered[place]))
        for term in wanted:
            if counted[term]:
                found[term][place] = counted[term]
    return found


def _root(term: str) -> str:
    """Return what every word with that stem begins with: a stem's `y` may have been `ies`."""
    return term[:-1] if term.endswith("y") and len(term) > 1 else term


def _hybrid(index: SearchIndex, query: str) -> list[float]:
    exact, fuzzy = _bm25(index, query), _fuzzy(index, query)
    best, close = max([_TINY, *exact]), max([_TINY, *fuzzy])
    return [
        _BM25_SHARE * (first / best) + _FUZZY_SHARE * (second / close) if first or second else 0.0
        for first, second in zip(exact, fuzzy, strict=True)
    ]


def _semantic(index: SearchIndex, query: str) -> list[float]:
    wanted = index.embed_query(query)
    return [_cosine(wanted, vector) for vector in index.vectors]


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    size = math.hypot(*left) * math.hypot(*right)
    return sum(a * b for a, b in zip(left, right, strict=True)) / size if size else 0.0


Score = Callable[[SearchIndex, str], list[float]]

# Semantic search joins this table only where a host gives an embedding.
ALGORITHMS: Mapping[str, Score] = {
    "substring": _substring,
    "fuzzy": _fuzzy,
    "bm25": _bm25,
    "hybrid": _hybrid,
}


def search_blocks(
    documents: Sequence[Document],
    query: str,
    state: CompressionState,
    options: SearchOptions | None = None,
    *,
    embed: Embed | None = None,
) -> list[SearchResult]:
    """Search all blocks, active and folded away, and the host's documents."""
    return SearchIndex([*block_documents(state), *documents], embed).search(query, options)


