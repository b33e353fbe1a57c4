"""What keyphrases add to a search index: recall of BM25 with and without them.

A document is found by its text, or by its text with its best 0, 3, 5, 10 or 20 keyphrases added to it. Two kinds of
queries stand in for those of people: the *title* of a document, which is then left out of the index, and finds its own
document; and a *keyphrase* that people chose, which finds all documents that have it. Boudin et al. (2020) show on
collections with queries of people that keyphrases, above all those that the text lacks, help such searches; KPEval's
queries would be the check, and are not at hand.

BM25 is that of bm25s (Lù, 2024) with Snowball's English stemmer: Lucene's variant, k1 = 1.5, b = 0.75.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill.errors import ConfigError, DataError
from phrasemill.pipeline import extract_batch
from phrasemill.registry import METHODS, parse, split_specs
from phrasemill.types import Document
from phrasemill_lab import missing
from phrasemill_lab.measure import Report, Row, table
from phrasemill_lab.measure.tasks import task

ADDED = (0, 3, 5, 10, 20)  # keyphrases per document
CUT = 10  # of the results of a query
RESAMPLES, SEED = 1000, 1
Queries = Mapping[str, frozenset[int]]  # a query → the numbers of the documents that it should find


def measure(data: Path, datasets: Sequence[str], methods: Sequence[str], documents: int | None) -> Report:
    """Return one table for each dataset, kind of query and method."""
    specs = [spec for one in methods for spec in split_specs(one)]
    if sets := [spec for spec in specs if parse(spec).name not in METHODS]:
        raise ConfigError(f"measure retrieval is for methods of single documents, not {sets[0]}")
    rows: list[Row] = []
    tables = []
    for one in [task(name.strip()) for names in datasets for name in names.split(",")]:
        loaded = one.load(data, documents).documents
        for spec in specs:
            for kind, queries, texts in _kinds(loaded, one.title):
                own = _rows(queries, texts, spec)
                rows += [{"dataset": one.name, "method": spec, "queries": kind} | row for row in own]
                title = f"{one.title}, {spec}: {len(queries):,} {kind} as queries, {len(texts):,} documents"
                tables.append(table(title, own, (_verdict(own), "Intervals are 95 % bootstraps over queries.")))
    return Report("retrieval", rows, tables)


def _kinds(documents: Sequence[Document], title: str) -> list[tuple[str, Queries, list[Document]]]:
    """Return the queries of both kinds, as far as documents have titles and keyphrases, and what they search."""
    titles = _grouped((one.title.strip(), number) for number, one in enumerate(documents))
    keyphrases = _grouped(
        (wording.casefold(), number)
        for number, one in enumerate(documents)
        for reference in one.references
        for wording in ([reference] if isinstance(reference, str) else reference[:1])
    )
    if not titles and not keyphrases:
        raise DataError(f"{title}: retrieval needs titles or keyphrases, to be used as queries")
    untitled = [Document(one.id, one.text, language=one.language) for one in documents]
    found = [("titles", titles, untitled), ("keyphrases", keyphrases, list(documents))]
    return [one for one in found if one[1]]


def _grouped(pairs: Iterable[tuple[str, int]]) -> Queries:
    wanted: dict[str, set[int]] = defaultdict(set)
    for query, number in pairs:
        if query:
            wanted[query].add(number)
    return {query: frozenset(numbers) for query, numbers in wanted.items()}


def _rows(queries: Queries, texts: Sequence[Document], spec: str) -> list[Row]:
    phrases = [[one.text for one in found] for found in extract_batch(texts, method=spec, top=max(ADDED))]
    rows: list[Row] = []
    without = np.zeros(len(queries))
    for added in ADDED:
        contents = ["\n".join([text.content, *own[:added]]) for text, own in zip(texts, phrases, strict=True)]
        recalls, ranks = searched(contents, queries)
        if not added:
            without = recalls
        gains = recalls - without
        chance = np.random.default_rng(SEED)
        means = [gains[chance.integers(0, len(gains), len(gains))].mean() for _ in range(RESAMPLES)]
        low, high = (100 * float(bound) for bound in np.quantile(means, (0.025, 0.975)))
        scores = {f"recall@{CUT}": 100 * float(recalls.mean()), "gain": 100 * float(gains.mean())}
        rows.append({"added": added, **scores, "low": low, "high": high, "MRR": 100 * float(ranks.mean())})
    return rows


def searched(contents: Sequence[str], queries: Queries) -> tuple[Any, Any]:
    """Return recall among the first results and the reciprocal rank of the first right one, for each query."""
    try:
        import bm25s
    except ImportError:
        raise missing("bm25s", "measure", "measure retrieval") from None
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


def _verdict(rows: Sequence[Row]) -> str:
    """Return the fewest added keyphrases whose gain is certain (its interval above 0) and not certainly exceeded: more
    phrases pay only where their gain lies above the interval of fewer."""
    best: object = 0
    limit = 0.0
    for row in rows:
        gain, low, high = (float(str(row[name])) for name in ("gain", "low", "high"))
        if low > 0 and gain > limit:
            best, limit = row["added"], high
    return f"{best} keyphrases per document pay" if best else "keyphrases gain nothing certain"
