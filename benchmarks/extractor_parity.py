"""Our extractors beside the outputs and scores that others published for the same methods.

    python benchmarks/extractor_parity.py --data DIR

DIR holds duc2001.jsonl.gz, reference/mkduc01/results_singledoc/*.json (the top 20 that the MK-DUC-01 authors got from
a reference toolkit), tagged/duc2001.jsonl.gz (Stanford CoreNLP's tags) and pubmedake_sample1000.jsonl.gz. What is
missing is named and passed over.
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import phrasemill as pm
from phrasemill.evaluation import evaluate
from phrasemill.selection import form_of
from phrasemill.text.pretagged import from_tagged
from phrasemill.types import Analysis

# Our spec, the published list, and F1@10 and unigram-F1@10 of Table 7 (Shapira et al., 2021). The toolkit's TextRank
# ranks all runs of nouns and adjectives, the paper's only those of the best third of words.
TABLE_7 = {
    "tfidf": ("TfIdf", 11.02, 33.64),
    "kpminer": ("KPMiner", 13.98, 37.82),
    "yake": ("YAKE", 13.85, 29.17),
    "textrank(keep=1)": ("TextRank", 17.49, 30.30),
    "singlerank": ("SingleRank", 23.56, 34.55),
    "topicrank": ("TopicRank", 21.48, 39.89),
    "topicalpagerank": ("TopicalPageRank", 24.58, 35.30),
    "positionrank": ("PositionRank", 27.76, 38.38),
    "multipartiterank": ("MultipartiteRank", 23.51, 42.49),
}
# F1@5, @10 and @15 of Table 2 (Sheng et al., 2022) for each matching, in the paper's order.
MATCHINGS = {"exact": "exact", "stems": "stem", "partial": "partial"}
TABLE_2 = {
    "tfidf": ((6.65, 6.21, 5.41), (15.33, 14.02, 12.17), (22.22, 19.07, 16.12)),
    "kpminer": ((4.42, 4.46, 4.47), (11.25, 11.28, 11.27), (17.74, 17.64, 17.62)),
    "yake": ((3.05, 3.15, 3.01), (11.10, 12.09, 11.72), (19.82, 19.74, 16.84)),
    "textrank(keep=1)": ((1.81, 2.01, 1.99), (5.72, 6.99, 7.51), (18.16, 16.89, 15.64)),
    "singlerank": ((2.53, 2.86, 2.86), (8.17, 10.04, 10.36), (20.12, 18.66, 16.89)),
    "topicalpagerank": ((4.46, 3.70, 3.10), (15.72, 13.69, 11.68), (26.12, 22.24, 18.72)),
    "positionrank": ((3.95, 3.78, 3.47), (12.84, 13.21, 12.54), (22.92, 20.54, 18.18)),
    "multipartiterank": ((4.75, 4.10, 3.54), (16.69, 15.12, 13.29), (26.91, 23.01, 19.49)),
}
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}

Lists = dict[str, list[str]]


def records(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def tagged(path: Path) -> dict[str, Analysis]:
    """The documents with CoreNLP's tokens, sentences and tags in place of ours."""
    sentences: dict[str, list[list[tuple[str, str]]]] = {}
    for record in records(path):
        pairs = [(BRACKETS.get(word, word), tag) for word, tag, *_ in record["tokens"]]
        sentences.setdefault(record["doc"], []).append(pairs)
    return {name: from_tagged(lines) for name, lines in sentences.items()}


def lists(sources: dict[str, Any], method: str) -> Lists:
    extracted = pm.extract_batch(sources.values(), method=method, top=20)
    return {name: [phrase.text for phrase in phrases] for name, phrases in zip(sources, extracted, strict=True)}


def overlap(ours: Lists, theirs: Lists) -> float:
    """The mean share of their top 10, by stem, that is in ours."""
    shares = []
    for name, phrases in theirs.items():
        wanted = {form_of(phrase) for phrase in phrases[:10]}
        if wanted:
            shares.append(len(wanted & {form_of(phrase) for phrase in ours.get(name, [])[:10]}) / len(wanted))
    return 100 * sum(shares) / len(shares)


def two(predictions: Lists, gold: Lists) -> tuple[float, float]:
    scores = evaluate(predictions, gold, metrics=["F1@10", "unigram-F1@10"], preset="mkduc01-published")
    return 100 * scores["F1@10"], 100 * scores["unigram-F1@10"]


def table_7(data: Path) -> None:
    documents = list(records(data / "duc2001.jsonl.gz"))
    # The published runs read the body alone, without the headline.
    bodies = {one["id"]: pm.Document(one["id"], one["text"]) for one in documents}
    whole = {one["id"]: pm.Document(one["id"], one["text"], one["title"]) for one in documents}
    gold = {one["id"]: one["keyphrases"] for one in documents}
    corenlp = tagged(data / "tagged" / "duc2001.jsonl.gz")
    print("## DUC-2001, Table 7 of MK-DUC-01: F1@10 and unigram-F1@10\n")
    columns = ("published", "ours", "CoreNLP tags", "with headline")
    heads = [f"{metric} {column}" for metric in ("F1", "unigram") for column in columns]
    print("| method | " + " | ".join(heads) + " | top-10 overlap | … CoreNLP tags |\n|" + "---|" * 11)
    for method, (name, *table) in TABLE_7.items():
        published = json.loads((data / "reference/mkduc01/results_singledoc" / f"{name}.json").read_text("utf-8"))
        ours, with_tags, with_headline = (lists(sources, method) for sources in (bodies, corenlp, whole))
        rows = [two(predictions, gold) for predictions in (ours, with_tags, with_headline)]
        cells = [one for at in (0, 1) for one in (table[at], *(row[at] for row in rows))]
        shares = [f"{overlap(predictions, published):.0f} %" for predictions in (ours, with_tags)]
        print(f"| `{method}` | " + " | ".join([f"{cell:.2f}" for cell in cells] + shares) + " |", flush=True)


def table_2(data: Path) -> None:
    articles = list(records(data / "pubmedake_sample1000.jsonl.gz"))
    texts = {one["id"]: pm.Document(one["id"], one["text"], one["title"]) for one in articles}
    gold = {one["id"]: one["present"] for one in articles}
    names = [f"F1@{k}(match='{match}')" for match in MATCHINGS.values() for k in (5, 10, 15)]
    print(
        "\n## PubMedAKE, Table 2: F1@5 / @10 / @15; published on the full test set, ours on the 1,000-article sample\n"
    )
    print("| method | " + " | ".join(f"{one}, published | {one}, ours" for one in MATCHINGS) + " |")
    print("|---|" + "---|---|" * len(MATCHINGS))
    for method, published in TABLE_2.items():
        scores = evaluate(lists(texts, method), gold, metrics=names, preset="pubmedake")
        cells = []
        for row, match in zip(published, MATCHINGS.values(), strict=True):
            ours = [100 * scores[f"F1@{k}(match='{match}')"] for k in (5, 10, 15)]
            cells += [" / ".join(f"{one:.1f}" for one in row), " / ".join(f"{one:.1f}" for one in ours)]
        print(f"| `{method}` | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    for table in (table_7, table_2):
        try:
            table(data)
        except FileNotFoundError as error:
            print(f"passed over: {error.filename} is not there\n")


if __name__ == "__main__":
    main()
