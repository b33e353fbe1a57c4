"""Print the scores of methods by the protocol of zero-shot papers, on their own texts (Kang and Shin, 2025).

    python -m phrasemill_lab.bench.zeroshot --data DIR learned positionrank

The texts are at most 512 words long, those of DUC-2001 and SemEval-2010 in lower case. Counts are pooled over all
texts, absent keyphrases are gold, hyphens are spaces, and only identical phrases count as repeated. These are test
splits: measure once a choice is made.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

from phrasemill.evaluation import evaluate
from phrasemill.pipeline import extract_batch
from phrasemill.tables import Table, as_markdown
from phrasemill_lab.bench import figures
from phrasemill_lab.models.sources import read_records

FILES = ("DUC2001", "Inspec", "SemEval2010")
METRICS = ("F1@5", "F1@10", "F1@15")
POLICY = {"average": "micro", "dedupe": "exact"}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("methods", nargs="+", help="specs such as learned")
    figures.add_option(parser)
    given = parser.parse_args(arguments)
    rows = []
    for name in FILES:
        records = list(read_records(given.data / "zeroshot" / f"{name}_MAX512.jsonl.gz"))
        gold = [[_plain(label) for label in record["label"]] for record in records]
        for method in given.methods:
            found = extract_batch([record["doc"] for record in records], method=method, top=15, language="en")
            predicted = [[_plain(one.text) for one in some] for some in found]
            scores = evaluate(_numbered(predicted), _numbered(gold), metrics=METRICS, policy=POLICY)
            rows.append((name, method, *[f"{100 * score.value:.1f}" for score in scores]))
    table = Table("", ("texts", "method", *METRICS), tuple(rows))
    print(as_markdown(table))
    figures.write(given.figures, {"zeroshot": figures.table(table.header, table.rows, keys=2)})


def _plain(phrase: str) -> str:
    return " ".join(phrase.replace("-", " ").lower().split())


def _numbered(lists: Sequence[list[str]]) -> dict[str, list[str]]:
    return {str(number): one for number, one in enumerate(lists)}


if __name__ == "__main__":
    main()
