"""The table of targets: how good the default is on test splits, each figure with the signature of its score.

    python benchmarks/quality.py --data DIR [--method learned] [--oracle]

DIR holds the test files as JSON Lines (docs/quality.md names them). Nothing is chosen here: the style for each set
follows from who chose its keyphrases. With `--oracle`, also the score of a ranking that knows the gold.
"""

import argparse
import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import phrasemill as pm
from phrasemill.evaluation.phrases import normaliser
from phrasemill.pipeline import build
from phrasemill.types import Extractor

Gold = list[Any]
TOP = 50


@dataclass(frozen=True, slots=True)
class Task:
    """One row: a file, whose choice its keyphrases are, how it is scored, and what was aimed at."""

    title: str
    file: str
    style: str
    metrics: tuple[str, ...]
    target: tuple[float, ...]
    gold: Callable[[dict[str, Any]], Gold]
    policy: dict[str, Any]

    @property
    def choices(self) -> dict[str, Any]:
        return {key: value for key, value in self.policy.items() if key != "preset"}


def keyphrases(record: dict[str, Any]) -> Gold:
    gold: Gold = record["keyphrases"]
    return gold


def stems(record: dict[str, Any]) -> Gold:
    groups = record.get("combined_stem") or record["combined.stem"]
    return [tuple(group) for group in groups]


PRESENT = {"present": "present"}
OFFICIAL = {"preset": "semeval2010", "stemmed": "gold"}
TASKS = (
    Task("SemEval-2010, cleaned", "semeval2010_test", "reader", ("F1@15",), (33,), stems, OFFICIAL),
    Task("SemEval-2010, as distributed", "semeval2010_official_test", "reader", ("F1@15",), (33,), stems, OFFICIAL),
    Task("Inspec", "inspec_test", "indexer", ("F1@5", "F1@10"), (41, 46), keyphrases, {}),
    Task("DUC-2001", "duc2001", "news", ("F1@5", "F1@10"), (30, 34), keyphrases, {}),
    Task("PubMedAKE sample, present", "pubmedake_sample1000", "author", ("F1@5",), (46,), keyphrases, PRESENT),
    Task("KP20k sample, present", "kp20k_small_test", "author", ("F1@5", "F1@O"), (33, 34), keyphrases, PRESENT),
)


def read(path: Path, gold: Callable[[dict[str, Any]], Gold]) -> list[pm.Document]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [pm.Document(one["id"], one["text"], one["title"], references=tuple(gold(one))) for one in records]


def answers(documents: Sequence[pm.Document], method: str | Extractor) -> dict[str, list[str]]:
    lists = pm.extract_batch(documents, method=method, top=TOP)
    return {document.id: [one.text for one in found] for document, found in zip(documents, lists, strict=True)}


def oracle(documents: Sequence[pm.Document], stem: str, *, stemmed: bool) -> dict[str, list[str]]:
    """All candidates of the learned method, those first that are gold: what a perfect ranking could do with them."""
    key = normaliser(stem).key
    gold_key = str if stemmed else key
    found = {}
    for document, listed in zip(documents, pm.extract_batch(documents, top=None), strict=True):
        gold = {
            gold_key(one) for group in document.references for one in ([group] if isinstance(group, str) else group)
        }
        found[document.id] = sorted([one.text for one in listed], key=lambda phrase: key(phrase) not in gold)[:TOP]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--method", default="learned")
    parser.add_argument("--oracle", action="store_true", help="what a perfect ranking of our candidates would score")
    parser.add_argument("--style", help="for all sets, instead of each set's own")
    options = parser.parse_args()
    print("| test set | documents | method | metric | score | target | signature |\n|---|---|---|---|---|---|---|")
    for task in TASKS:
        documents = read(options.data / f"{task.file}.jsonl.gz", task.gold)
        style = options.style or task.style
        method = f"learned(style={style!r})" if options.method == "learned" else options.method
        if options.oracle:
            official = task.policy is OFFICIAL
            method = "oracle"
            found = oracle(documents, "porter-parts" if official else "porter", stemmed=official)
        else:
            found = answers(documents, build(method))
        scores = pm.evaluate(
            found, documents, metrics=task.metrics, preset=task.policy.get("preset", "default"), policy=task.choices
        )
        for metric, target in zip(task.metrics, task.target, strict=True):
            row = (task.title, len(documents), f"`{method}`", metric, f"{100 * scores[metric]:.2f}", f"≥ {target}")
            print("| " + " | ".join(map(str, row)) + f" | `{scores.score(metric).signature}` |", flush=True)


if __name__ == "__main__":
    main()
