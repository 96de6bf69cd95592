"""Scoring and ranking.

Laws: scores are weighed by role, those below the least left out, ties keep the order of
the documents; an unknown algorithm finds nothing; a semantic search without an embedding
port is a misuse. One pass over the documents, no limit on their number.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from heapq import nlargest
from typing import Final

from kernel.ports import Embed
from kernel.searching.documents import (
    Document,
    SearchOptions,
    SearchResult,
    block_documents,
)
from kernel.searching.likeness import best_shares, shares_of
from kernel.searching.words import (
    bigrams,
    count_term,
    count_words,
    preview,
    root_of,
    total_words,
    words,
)
from kernel.state import CompressionState

__all__ = ["ALGORITHMS", "SearchIndex", "search_blocks"]

_K1, _B = 1.2, 0.75
_BM25_SHARE, _FUZZY_SHARE = 0.7, 0.3
_TINY = 1e-9
_SAMPLE = 8192


class SearchIndex:
    """Documents made ready once, for several queries.

    Attributes:
        documents: What is searched.
    """

    def __init__(self, documents: Sequence[Document], embed: Embed | None = None) -> None:
        """Take documents in their order; `embed` makes semantic search possible."""
        self.documents: Sequence[Document] = documents
        self._embed = embed

    @cached_property
    def lowered(self) -> list[str]:
        """Return every text in lower case."""
        return [document.text.lower() for document in self.documents]

    @cached_property
    def roles(self) -> list[str]:
        """Return the role under which each document is weighed."""
        return [document.weight_key for document in self.documents]

    @cached_property
    def mean_length(self) -> float:
        """Return the mean number of words of a document, of an even sample where many."""
        texts = self.lowered
        sample = texts[:: max(1, len(texts) // _SAMPLE)]
        return total_words(sample) / len(sample) if sample else 0.0

    @cached_property
    def vectors(self) -> list[Sequence[float]]:
        """Return the embedding of every text."""
        return list(self._embed([item.text for item in self.documents])) if self._embed else []

    def embed_query(self, query: str) -> Sequence[float]:
        """Return the embedding of a query."""
        return self._embed([query])[0] if self._embed else ()

    def search(self, query: str, options: SearchOptions | None = None) -> list[SearchResult]:
        """Return the best documents for a query."""
        options = SearchOptions() if options is None else options
        weights = options.weights()
        score = ALGORITHMS.get(options.algorithm)
        if options.algorithm == "semantic" and self._embed is not None:
            score = _semantic
        if score is None or not self.documents:
            return []
        if score is _hybrid:
            found: Mapping[int, float] = _hybrid_top(self, query, weights, options.limit)
        else:
            found = score(self, query)
        # The negated place makes ties keep the order of the documents.
        weighed = self.weighed(found, weights)
        kept = (item for item in weighed if item[0] >= options.min_score)
        return [
            _result(self.documents[-place], value, query, options)
            for value, place in nlargest(options.limit, kept)
        ]

    def weighed(
        self, scores: Mapping[int, float], weights: Mapping[str, float]
    ) -> Iterator[tuple[float, int]]:
        """Yield each score times the weight of its document's role, and the negated place."""
        roles = self.roles
        table = {role: weights.get(role, 1.0) for role in set(roles)}
        return ((value * table[roles[place]], -place) for place, value in scores.items())


def _result(document: Document, score: float, query: str, options: SearchOptions) -> SearchResult:
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


def _substring(index: SearchIndex, query: str) -> dict[int, float]:
    terms = query.lower().split()
    found: dict[int, float] = {}
    for place, text in enumerate(index.lowered):
        hits = sum(text.count(term) for term in terms)
        if hits:
            found[place] = float(hits)
    return found


def _fuzzy(index: SearchIndex, query: str) -> dict[int, float]:
    return shares_of(bigrams(query), index.lowered, range(len(index.lowered)))


def _bm25(index: SearchIndex, query: str) -> dict[int, float]:
    wanted = Counter(words(query))
    scores: dict[int, float] = {}
    total = len(index.lowered)
    lengths: dict[int, int] = {}
    for term, times in wanted.items():
        found = _frequencies(index, term)
        rarity = math.log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
        for place, frequency in found.items():
            length = lengths.get(place)
            if length is None:
                length = lengths[place] = count_words(index.lowered[place])
            norm = _K1 * (1 - _B + _B * length / (index.mean_length or 1.0))
            gain = times * rarity * frequency * (_K1 + 1) / (frequency + norm)
            scores[place] = scores.get(place, 0.0) + gain
    return scores


def _frequencies(index: SearchIndex, term: str) -> dict[int, int]:
    """Map documents to how often they have a term; only those with its root are read."""
    root = root_of(term)
    found: dict[int, int] = {}
    for place, text in enumerate(index.lowered):
        if root in text:
            count = count_term(text, term, root)
            if count:
                found[place] = count
    return found


def _hybrid(index: SearchIndex, query: str) -> dict[int, float]:
    return _mixed(_bm25(index, query), _fuzzy(index, query))


def _mixed(exact: Mapping[int, float], fuzzy: Mapping[int, float]) -> dict[int, float]:
    best = max([_TINY, *exact.values()])
    close = max([_TINY, *fuzzy.values()])
    scores = {place: _FUZZY_SHARE * (value / close) for place, value in fuzzy.items()}
    for place, value in exact.items():
        scores[place] = _BM25_SHARE * (value / best) + scores.get(place, 0.0)
    return scores


def _hybrid_top(
    index: SearchIndex, query: str, weights: Mapping[str, float], limit: int
) -> dict[int, float]:
    """Return the hybrid scores of documents that may be among the best.

    A document without query words scores at most the fuzzy share. That bound holds once
    one document has every letter pair; otherwise the others are read too.
    """
    pairs = bigrams(query)
    exact = _bm25(index, query)
    fuzzy = shares_of(pairs, index.lowered, list(exact))
    if pairs and 1 <= limit <= len(exact) and max(fuzzy.values(), default=0.0) >= 1:
        scores = _mixed(exact, fuzzy)
        weighed = [value for value, _ in index.weighed(scores, weights)]
        bound = _FUZZY_SHARE * max(1.0, *weights.values())
        if min(nlargest(limit, weighed)) > bound:
            return scores
    others = best_shares(pairs, index.lowered, index.roles, weights, limit)
    return _mixed(exact, {**others, **fuzzy})


def _semantic(index: SearchIndex, query: str) -> dict[int, float]:
    wanted = index.embed_query(query)
    return {place: _cosine(wanted, vector) for place, vector in enumerate(index.vectors)}


def _cosine(left: Sequence[float], right: Sequence[float]) -> float:
    size = math.hypot(*left) * math.hypot(*right)
    return sum(a * b for a, b in zip(left, right, strict=True)) / size if size else 0.0


Score = Callable[[SearchIndex, str], Mapping[int, float]]

#: The name of an algorithm to its function; `semantic` joins them only where a host gives an
#: embedding.
ALGORITHMS: Final[Mapping[str, Score]] = {
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
