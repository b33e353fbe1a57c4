"""What embeddings tell of keyphrases: which cosine makes two of them one, and what redundancy by meaning costs.

    python benchmarks/semantics.py --data DIR [--documents 200]

Pairs: alternatives that SemEval-2010's training key joins by `+`, and different gold keyphrases of one document. Lists:
F1@10 and pairs of phrases with a cosine of 0.7 or more among ten, with and without `redundancy="meaning"`, on
development splits. With --sets also MK-DUC-01, the test set, for the record: pairs of wordings within a substitute
cluster and across clusters, and `consensus` with both kinds of clusters.
"""

import argparse
import time
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import phrasemill as pm
from method_choice import read
from phrasemill.embeddings import load_encoder
from phrasemill.evaluation import Answers, evaluate
from phrasemill.evaluation.formats import read_answers
from phrasemill.selection import form_of
from sets_tables import PRESETS, topics

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


def clustered(gold: Answers) -> Clusters:
    return [[one if isinstance(one, tuple) else (one,) for one in phrases] for phrases in gold.phrases.values()]


def within(clusters: Clusters) -> list[Pair]:
    """Pairs of wordings of one keyphrase."""
    return [pair for document in clusters for group in document for pair in combinations(group, 2)]


def different(groups: Iterable[Sequence[str]]) -> list[Pair]:
    """Pairs of one group that do not have the same stems."""
    found: list[Pair] = []
    for phrases in groups:
        stems = {phrase: frozenset(form_of(phrase).split()) for phrase in phrases}
        found += [pair for pair in combinations(stems, 2) if stems[pair[0]] != stems[pair[1]]]
    return found


def pair_row(label: str, pairs: Sequence[Pair]) -> None:
    found = cosines(pairs)
    cells = [f"{100 * sum(one >= least for one in found) / len(found):.2f}" for least in COSINES]
    print(f"| {label} ({len(pairs):,}) | " + " | ".join(cells) + " |", flush=True)


def pairs(data: Path) -> None:
    print("| pairs | " + " | ".join(f"≥ {least}" for least in COSINES) + " |\n|---" + "|---" * len(COSINES) + "|")
    clusters = clustered(read_answers(data / "semeval2010_train.jsonl.gz", field="combined"))
    pair_row("alternatives, SemEval-2010 train", within(clusters))
    pair_row("different, SemEval-2010 train", different([group[0] for group in one] for one in clusters))
    for name in SPLITS:
        pair_row(f"different, {name.split('.')[0]}", different(read(data / name, 300)[1].values()))


def lists(data: Path, documents: int) -> None:
    print("\n| split | method | redundancy | F1@10 | near pairs | documents/s |\n|---|---|---|---|---|---|")
    for name in SPLITS:
        texts, gold = read(data / name, documents)
        for method in METHODS:
            for rule in RULES:
                start = time.process_time()
                found = {one.id: [k.text for k in pm.extract(one, method=method, redundancy=rule)] for one in texts}
                rate = len(texts) / (time.process_time() - start)
                score = 100 * evaluate(found, gold, metrics=["F1@10"])["F1@10"]
                near = sum(one >= NEAR for one in cosines([p for ten in found.values() for p in combinations(ten, 2)]))
                cells = f"{score:.2f} | {near / len(texts):.2f} | {rate:,.0f}"
                print(f"| {name.split('.')[0]} | `{method}` | {rule or 'its own'} | {cells} |", flush=True)


def sets(data: Path) -> None:
    gold = read_answers(data / "mkduc01.jsonl.gz", top=20)
    clusters = clustered(gold)
    print("\n| pairs | " + " | ".join(f"≥ {least}" for least in COSINES) + " |\n|---" + "|---" * len(COSINES) + "|")
    pair_row("within a cluster, MK-DUC-01", within(clusters))
    pair_row("across clusters", different([group[0] for group in one] for one in clusters))
    names = ["F1@20", "unigram-F1@20", "synonymous@20"]
    print("\n| method | F1@20 first | clusters | unigram first | clusters | % synonymous |\n|---|---|---|---|---|---|")
    documents = topics(data, headlines=False)
    for method in SETS:
        found = {t: [k.text for k in pm.extract_set(one, method=method, top=20)] for t, one in documents.items()}
        both = [evaluate(found, gold, metrics=names, preset=preset) for preset in PRESETS]
        cells = [scores[name] for name in names[:2] for scores in both] + [both[1]["synonymous@20"]]
        print(f"| `{method}` | " + " | ".join(f"{100 * cell:.2f}" for cell in cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--sets", action="store_true", help="MK-DUC-01, too")
    options = parser.parse_args()
    pairs(options.data)
    lists(options.data, options.documents)
    if options.sets:
        sets(options.data)


if __name__ == "__main__":
    main()
