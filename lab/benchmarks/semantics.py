"""Embeddings of keyphrases: which cosine makes two of them one, and what redundancy by meaning costs.

    python lab/benchmarks/semantics.py --data DIR [--documents 200]

Pairs: alternatives that SemEval-2010's training key joins by `+`, and different gold keyphrases of one document. Lists:
F1@10 and pairs of phrases with a cosine of 0.7 or more among ten, with and without `redundancy="meaning"`, on
development splits. With --sets also MK-DUC-01, the test set, for the record: pairs of wordings within a substitute
cluster and across clusters, and `consensus` with both kinds of clusters.
"""

import time
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import phrasemill as pm
from phrasemill.embeddings import load_encoder
from phrasemill.evaluation import Answers, evaluate
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.formats import read_answers
from phrasemill.selection import form_of
from phrasemill_lab.bench.corpora import documents, topics
from phrasemill_lab.bench.scripts import MarkdownRows, parser, write_figures
from phrasemill_lab.papers.mkduc01 import PRESETS

COSINES = (0.7, 0.75, 0.8, 0.85, 0.9)
METHODS = ("learned", "tfidf", "yake", "multipartiterank")
RULES = (None, "meaning(0.9)", "meaning(0.8)", "meaning(0.7)", "meaning(0.5)")
NEAR = 0.7
SPLITS = ("inspec_dev.jsonl.gz", "keywords/valid.jsonl.xz")
SETS = ("consensus(style='news')", "consensus(style='news', clusters='meaning')")
Pair = tuple[str, str]
Clusters = list[list[tuple[str, ...]]]  # by document


def cosines(pairs: Sequence[Pair]) -> list[float]:
    phrases = list(dict.fromkeys(phrase for pair in pairs for phrase in pair))
    vectors = dict(zip(phrases, load_encoder().encode(phrases), strict=True))
    return [float(vectors[one] @ vectors[other]) for one, other in pairs]


def clusters_of(gold: Answers) -> Clusters:
    return [list(map(clustered, phrases)) for phrases in gold.phrases.values()]


def within(clusters: Clusters) -> list[Pair]:
    """Return pairs of wordings of one keyphrase."""
    return [pair for document in clusters for group in document for pair in combinations(group, 2)]


def different(groups: Iterable[Sequence[str]]) -> list[Pair]:
    """Return pairs of one group that do not have the same stems."""
    found: list[Pair] = []
    for phrases in groups:
        stems = {phrase: frozenset(form_of(phrase).split()) for phrase in phrases}
        found += [pair for pair in combinations(stems, 2) if stems[pair[0]] != stems[pair[1]]]
    return found


class PairRows(MarkdownRows):
    """One row per kind of pairs: how many of them have at least each cosine, in per cent."""

    def __init__(self, name: str) -> None:
        super().__init__("pairs", *(f"≥ {least}" for least in COSINES), name=name)

    def pairs(self, label: str, pairs: Sequence[Pair]) -> None:
        found = cosines(pairs)
        cells = [f"{100 * sum(one >= least for one in found) / len(found):.2f}" for least in COSINES]
        self.add(f"{label} ({len(pairs):,})", *cells)


def pairs(data: Path) -> None:
    rows = PairRows("pairs")
    clusters = clusters_of(read_answers(data / "semeval2010_train.jsonl.gz", field="combined"))
    rows.pairs("alternatives, SemEval-2010 train", within(clusters))
    rows.pairs("different, SemEval-2010 train", different([group[0] for group in one] for one in clusters))
    for name in SPLITS:
        gold = [list(map(str, one.references)) for one in documents(data / name, 300)]
        rows.pairs(
            f"different, {name.split('.')[0]}",
            different(gold),
        )


def lists(data: Path, most: int) -> None:
    print()
    rows = MarkdownRows(
        "split", "method", "redundancy", "F1@10", "near pairs", "documents/s", name="redundancy", keys=3
    )
    for name in SPLITS:
        texts = documents(data / name, most)
        for method in METHODS:
            for rule in RULES:
                start = time.process_time()
                found = {one.id: [k.text for k in pm.extract(one, method=method, redundancy=rule)] for one in texts}
                rate = len(texts) / (time.process_time() - start)
                score = 100 * evaluate(found, texts, metrics=["F1@10"])["F1@10"]
                near = sum(one >= NEAR for one in cosines([p for ten in found.values() for p in combinations(ten, 2)]))
                cells = (f"{score:.2f}", f"{near / len(texts):.2f}", f"{rate:,.0f}")
                rows.add(name.split(".")[0], f"`{method}`", rule or "its own", *cells)


def sets(data: Path) -> None:
    gold = read_answers(data / "mkduc01.jsonl.gz", top=20)
    clusters = clusters_of(gold)
    print()
    rows = PairRows("clusters")
    rows.pairs("within a cluster, MK-DUC-01", within(clusters))
    rows.pairs("across clusters", different([group[0] for group in one] for one in clusters))
    names = ["F1@20", "unigram-F1@20", "synonymous@20"]
    print()
    table = MarkdownRows("method", "F1@20 first", "clusters", "unigram first", "clusters", "% synonymous", name="sets")
    groups = topics(data)
    for method in SETS:
        found = {t: [k.text for k in pm.extract_set(one, method=method, top=20)] for t, one in groups.items()}
        both = [evaluate(found, gold, metrics=names, preset=preset) for preset in PRESETS]
        cells = [scores[name] for name in names[:2] for scores in both] + [both[1]["synonymous@20"]]
        table.add(f"`{method}`", *(f"{100 * cell:.2f}" for cell in cells))


def main() -> None:
    options = parser(__doc__, documents=200)
    options.add_argument("--sets", action="store_true", help="MK-DUC-01, too")
    given = options.parse_args()
    pairs(given.data)
    lists(given.data, given.documents)
    if given.sets:
        sets(given.data)
    write_figures(given.figures)


if __name__ == "__main__":
    main()
