"""What the parts of `encoder` are worth: `learned`, the network alone, and both; and how many abstracts a second.

    python benchmarks/encoder_parts.py --data DIR [--documents 500] [--speed]

On splits that were kept out of training, never on a test split. F1@5 / F1@10 of present keyphrases. With `--speed`,
instead: abstracts a second in one process, and in two, with `learned` in the same run beside it.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import phrasemill as pm
from phrasemill.lab.training.sources import Source
from phrasemill.methods.encoder import Encoder
from phrasemill.methods.learned.features import text_bounds
from phrasemill.types import Candidates

SETS = {
    "Inspec dev": Source("inspec_dev.jsonl.gz", "indexer"),
    "KP20k valid": Source("kp20k_small_valid.jsonl.gz", "author"),
    "author keywords": Source("keywords/valid.jsonl.xz", "author", first=2000),
    "PubMed abstracts": Source("pubmed_schutz_train.jsonl.gz", "author", first=850, part="abstract"),
    "Krapivin, full papers": Source("krapivin_train.jsonl.gz", "author", first=1800, last=1850),
}


@dataclass(frozen=True, slots=True, repr=False)
class Alone(Encoder):
    """The network without trees: a candidate is worth its best occurrence."""

    def score(self, candidates: Candidates) -> Any:
        scorer, _ = self._opened
        title, body = text_bounds(candidates.analysis)
        return scorer.scores(candidates, self.style, title=title, body=body).best.tolist()


def quality(data: Path, most: int) -> None:
    print("| | documents | style | `learned` | network alone | `encoder` |\n|---|---|---|---|---|---|")
    for name, source in SETS.items():
        documents = list(source.numbered_documents(data))[:most]
        style = source.style
        methods = (f"learned(style={style!r})", Alone(style=style), f"encoder(style={style!r})")
        cells = [scored(documents, method) for method in methods]
        print(f"| {name} | {len(documents)} | `{style}` | " + " | ".join(cells) + " |", flush=True)


def scored(documents: Sequence[pm.Document], method: Any) -> str:
    lists = pm.extract_batch(documents, method=method)
    answers = {one.id: [phrase.text for phrase in found] for one, found in zip(documents, lists, strict=True)}
    scores = pm.evaluate(answers, documents, metrics=["F1@5", "F1@10"], policy={"present": "present"})
    return f"{100 * scores['F1@5']:.1f} / {100 * scores['F1@10']:.1f}"


def speed(data: Path, most: int) -> None:
    documents = list(SETS["KP20k valid"].numbered_documents(data))[:most]
    tokens = sum(len(one.content.split()) for one in documents) / len(documents)
    print(f"{len(documents)} abstracts of {tokens:.0f} words\n\n| | one process | two processes |\n|---|---|---|")
    for method in ("learned", "encoder"):
        for _ in pm.extract_batch(documents[:2], method=method):
            pass
        rates = []
        for jobs in (None, 2):
            began = time.perf_counter()
            for _ in pm.extract_batch(documents, method=method, jobs=jobs):
                pass
            rates.append(f"{len(documents) / (time.perf_counter() - began):,.0f}/s")
        print(f"| `{method}` | " + " | ".join(rates) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=500)
    parser.add_argument("--speed", action="store_true")
    options = parser.parse_args()
    (speed if options.speed else quality)(options.data, options.documents)


if __name__ == "__main__":
    main()
