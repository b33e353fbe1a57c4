"""What keyphrases add to a search index: recall of BM25 with and without them.

A document is found by its text, or by its text with its best 0, 3, 5, 10 or 20 keyphrases added to it. Two kinds of
queries stand in for those of people: the *title* of a document, which is then left out of the index, and finds its own
document; and a *keyphrase* that people chose, which finds all documents that have it. Boudin et al. (2020) show on
collections with queries of people that keyphrases, above all those that the text lacks, help such searches; KPEval's
queries would be the check, and are not at hand.

BM25 is that of bm25s (Lù, 2024) with Snowball's English stemmer: Lucene's variant, k1 = 1.5, b = 0.75.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from phrasemill.errors import DataError, MissingExtra
from phrasemill.pipeline import extract_batch
from phrasemill.tables import Table
from phrasemill.types import Document

DEFAULT_METHOD = "learned"
ADDED = (0, 3, 5, 10, 20)  # keyphrases per document
CUT = 10  # of the results of a query
RESAMPLES, SEED = 1000, 1
Queries = Mapping[str, frozenset[int]]  # a query → the numbers of the documents that it should find


@dataclass(frozen=True, slots=True)
class RetrievalResult:
    """One row: recall and reciprocal rank with `added` keyphrases, and the gain in recall with its 95 % interval."""

    dataset: str
    queries: str
    count: int
    documents: int
    method: str
    added: int
    recall: float
    reciprocal_rank: float
    gain: float = 0.0
    low: float = 0.0
    high: float = 0.0

    def record(self) -> dict[str, object]:
        return asdict(self)


def measure(dataset: str, documents: Sequence[Document], method: str) -> list[RetrievalResult]:
    """Return the rows of both kinds of queries, as far as the documents have titles and keyphrases."""
    found = []
    for kind, queries, texts in (
        ("titles", title_queries(documents), [Document(one.id, one.text, language=one.language) for one in documents]),
        ("keyphrases", keyphrase_queries(documents), list(documents)),
    ):
        if queries:
            found += _rows(dataset, kind, queries, texts, method)
    if not found:
        raise DataError(f"{dataset}: retrieval needs titles or keyphrases, to be used as queries")
    return found


def title_queries(documents: Sequence[Document]) -> Queries:
    """Return each title, and the documents that have it."""
    return _grouped((one.title.strip(), number) for number, one in enumerate(documents))


def keyphrase_queries(documents: Sequence[Document]) -> Queries:
    """Return each keyphrase that people chose, and the documents that have it in any wording."""
    return _grouped(
        (wording.casefold(), number)
        for number, one in enumerate(documents)
        for reference in one.references
        for wording in ([reference] if isinstance(reference, str) else reference[:1])
    )


def _grouped(pairs: Any) -> Queries:
    wanted: dict[str, set[int]] = defaultdict(set)
    for query, number in pairs:
        if query:
            wanted[query].add(number)
    return {query: frozenset(numbers) for query, numbers in wanted.items()}


def _rows(dataset: str, kind: str, queries: Queries, texts: Sequence[Document], method: str) -> list[RetrievalResult]:
    phrases = [[one.text for one in found] for found in extract_batch(texts, method=method, top=max(ADDED))]
    rows: list[RetrievalResult] = []
    without = np.zeros(len(queries))
    for added in ADDED:
        contents = ["\n".join([text.content, *own[:added]]) for text, own in zip(texts, phrases, strict=True)]
        recalls, ranks = searched(contents, queries)
        if not added:
            without = recalls
        low, high = interval(recalls - without)
        size = (len(queries), len(texts))
        means = float(recalls.mean()), float(ranks.mean()), float((recalls - without).mean())
        rows.append(RetrievalResult(dataset, kind, *size, method, added, *means, low, high))
    return rows


def searched(contents: Sequence[str], queries: Queries) -> tuple[Any, Any]:
    """Return recall among the first results and the reciprocal rank of the first right one, for each query."""
    try:
        import bm25s
    except ImportError:
        raise MissingExtra("bm25s", "retrieval", purpose="bench --retrieval") from None
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    options = {"stopwords": "en", "stemmer": stemmer, "show_progress": False}
    index = bm25s.BM25()
    index.index(bm25s.tokenize(list(contents), **options), show_progress=False)
    asked = bm25s.tokenize(list(queries), return_ids=False, **options)
    known = [[word for word in words if word in index.vocab_dict] for words in asked]
    matching = [number for number, words in enumerate(known) if words]
    recalls, ranks = np.zeros(len(queries)), np.zeros(len(queries))
    if not matching:
        return recalls, ranks
    cut, wanted = min(CUT, len(contents)), list(queries.values())
    found, scores = index.retrieve([known[number] for number in matching], k=cut, show_progress=False)
    for number, hits, marks in zip(matching, found, scores, strict=True):
        results = [int(hit) for hit, mark in zip(hits, marks, strict=True) if mark > 0]
        right = [rank for rank, hit in enumerate(results, start=1) if hit in wanted[number]]
        recalls[number] = len(right) / min(len(wanted[number]), CUT)
        ranks[number] = 1 / right[0] if right else 0.0
    return recalls, ranks


def interval(gains: Any) -> tuple[float, float]:
    """Return the 95 % bootstrap interval of the mean gain over queries."""
    chance = np.random.default_rng(SEED)
    means = [gains[chance.integers(0, len(gains), len(gains))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def paying(rows: Sequence[RetrievalResult]) -> int:
    """Return the fewest added keyphrases whose gain is certain (its interval above 0) and not certainly exceeded.

    More phrases pay only where their gain lies above the interval of fewer; 0 where none does.
    """
    best = 0
    limit = 0.0
    for row in rows:
        if row.added and row.low > 0 and row.gain > limit:
            best, limit = row.added, row.high
    return best


def tables(rows: Sequence[RetrievalResult]) -> list[Table]:
    """Return one table per dataset, kind of query and method."""
    groups: dict[tuple[str, str, str], list[RetrievalResult]] = defaultdict(list)
    for row in rows:
        groups[row.dataset, row.queries, row.method].append(row)
    made = []
    for (dataset, kind, method), own in groups.items():
        title = f"{dataset}, {method}: {own[0].count:,} {kind} as queries, {own[0].documents:,} documents"
        pays = paying(own)
        verdict = f"{pays} keyphrases per document pay" if pays else "keyphrases gain nothing certain"
        header = ("keyphrases added", f"recall@{CUT}", "gain", "95 % interval", "MRR")
        cells = tuple(_cells(row) for row in own)
        made.append(Table(title, header, cells, (f"{verdict}; intervals are bootstraps over queries.",)))
    return made


def _cells(row: RetrievalResult) -> tuple[str, ...]:
    recall, rank = f"{100 * row.recall:.1f}", f"{100 * row.reciprocal_rank:.1f}"
    if not row.added:
        return "0", recall, "", "", rank
    bounds = f"{100 * row.low:+.1f} to {100 * row.high:+.1f}"
    return str(row.added), recall, f"{100 * row.gain:+.1f}", bounds, rank
