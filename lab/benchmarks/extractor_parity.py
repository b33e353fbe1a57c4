"""Why our extractors score otherwise than published outputs on DUC-2001: tags and headlines changed one at a time.

    python lab/benchmarks/extractor_parity.py --data DIR

`phrasemill reproduce mkduc01-table7` prints the whole table. DIR holds duc2001.jsonl.gz, reference/mkduc01/
results_singledoc/*.json (the top 20 that the MK-DUC-01 authors got from a reference toolkit) and
tagged/duc2001.jsonl.gz (Stanford CoreNLP's tags).
"""

import json
from pathlib import Path
from typing import Any

import phrasemill as pm
from phrasemill.evaluation import evaluate
from phrasemill.selection import form_of
from phrasemill.text.pretagged import from_tagged
from phrasemill.types import Analysis
from phrasemill_lab.bench.corpora import records
from phrasemill_lab.bench.scripts import MarkdownRows, parser, write_figures
from phrasemill_lab.datasets.corenlp import ESCAPES
from phrasemill_lab.papers import published
from phrasemill_lab.papers.mkduc01 import SYSTEMS, file_name

METRICS = ("F1@10", "unigram-F1@10")

Lists = dict[str, list[str]]


def tagged(path: Path) -> dict[str, Analysis]:
    """Return the documents with CoreNLP's tokens, sentences and tags in place of ours."""
    sentences: dict[str, list[list[tuple[str, str]]]] = {}
    for record in records(path):
        pairs = [(ESCAPES.get(word, word), tag) for word, tag, *_ in record["tokens"]]
        sentences.setdefault(record["doc"], []).append(pairs)
    return {name: from_tagged(lines) for name, lines in sentences.items()}


def lists(sources: dict[str, Any], method: str) -> Lists:
    extracted = pm.extract_batch(sources.values(), method=method, top=20)
    return {name: [phrase.text for phrase in phrases] for name, phrases in zip(sources, extracted, strict=True)}


def overlap(ours: Lists, theirs: Lists) -> float:
    """Return the mean share of their top 10, by stem, that is in ours."""
    shares = []
    for name, phrases in theirs.items():
        wanted = {form_of(phrase) for phrase in phrases[:10]}
        if wanted:
            shares.append(len(wanted & {form_of(phrase) for phrase in ours.get(name, [])[:10]}) / len(wanted))
    return 100 * sum(shares) / len(shares)


def two(predictions: Lists, gold: Lists) -> tuple[float, float]:
    scores = evaluate(predictions, gold, metrics=METRICS, preset="mkduc01-published")
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
    rows = MarkdownRows("method", *heads, "top-10 overlap", "… CoreNLP tags", name="duc2001")
    printed = published("mkduc01-table7")
    for name, method in SYSTEMS.items():
        if "{models}" in method:
            continue
        table = [printed.rows[name][printed.columns.index(metric)] for metric in METRICS]
        place = data / "reference/mkduc01/results_singledoc" / file_name(name)
        theirs = json.loads(place.read_text("utf-8"))
        ours, with_tags, with_headline = (lists(sources, method) for sources in (bodies, corenlp, whole))
        scores = [two(predictions, gold) for predictions in (ours, with_tags, with_headline)]
        cells = [one for at in (0, 1) for one in (table[at], *(row[at] for row in scores))]
        shares = [f"{overlap(predictions, theirs):.0f} %" for predictions in (ours, with_tags)]
        rows.add(f"`{method}`", *(f"{cell:.2f}" for cell in cells), *shares)


def main() -> None:
    given = parser(__doc__).parse_args()
    table_7(given.data)
    write_figures(given.figures)


if __name__ == "__main__":
    main()
