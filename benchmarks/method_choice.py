"""Which method for which text: F1@5 and F1@10 on training and development splits, never on a test split.

    python benchmarks/method_choice.py --data DIR

The first records of each file; all methods without a neural network; gold as it is, absent keyphrases included.
"""

import argparse
import gzip
import json
import lzma
from itertools import islice
from pathlib import Path

import phrasemill as pm
from corpus import NEURAL, TRAINED
from phrasemill.registry import METHODS

SETS = {
    "inspec_dev.jsonl.gz": 500,
    "kp20k_small_valid.jsonl.gz": 500,
    "keywords/valid.jsonl.xz": 500,
    "500n_kpcrowd_train.jsonl.gz": 200,
    "krapivin_train.jsonl.gz": 60,
}


def read(path: Path, most: int) -> tuple[list[pm.Document], dict[str, list[str]]]:
    with (lzma.open if path.suffix == ".xz" else gzip.open)(path, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in islice(lines, most)]
    documents = [pm.Document(str(i), one["text"], one["title"]) for i, one in enumerate(records)]
    return documents, {str(i): one["keyphrases"] for i, one in enumerate(records)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    sets = {name: read(data / name, most) for name, most in SETS.items()}
    heads = [f"{name.split('.')[0]} ({len(documents)})" for name, (documents, _) in sets.items()]
    print("| method | " + " | ".join(heads) + " |\n|---|" + "---|" * len(sets))
    for method in ["tfidf(candidates='auto')", *(name for name in METHODS.names() if name not in (*NEURAL, *TRAINED))]:
        cells = []
        for documents, gold in sets.values():
            lists = pm.extract_batch(documents, method=method)
            answers = {d.id: [phrase.text for phrase in found] for d, found in zip(documents, lists, strict=True)}
            scores = pm.evaluate(answers, gold, metrics=["F1@5", "F1@10"])
            cells.append(f"{100 * scores['F1@5']:.1f} / {100 * scores['F1@10']:.1f}")
        print(f"| `{method}` | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
