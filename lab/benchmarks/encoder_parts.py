"""What the parts of `encoder` are worth: `learned`, the network alone, and both; and how many abstracts per second.

    python lab/benchmarks/encoder_parts.py --data DIR [--documents 500] [--speed]

On splits that were kept out of training, never on a test split. F1@5 / F1@10 of present keyphrases. With `--speed`,
instead: abstracts per second in one process, and in two, with `learned` in the same run beside it.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import phrasemill as pm
from phrasemill.methods.encoder import Encoder
from phrasemill.methods.learned.features import text_bounds
from phrasemill.types import Candidates
from phrasemill_lab.bench.scripts import MarkdownRows, f1_cell, parser, seconds_of, write_figures
from phrasemill_lab.models.sources import Source

SETS = {
    "Inspec dev": Source("inspec_dev.jsonl.gz", "indexer"),
    "KP20k valid": Source("kp20k_small_valid.jsonl.gz", "author"),
    "author keywords": Source("keywords/valid.jsonl.xz", "author", first=2000),
    "PubMed abstracts": Source("pubmed_schutz_train.jsonl.gz", "author", first=850, part="abstract"),
    "Krapivin, full papers": Source("krapivin_train.jsonl.gz", "author", first=1800, last=1850),
}


@dataclass(frozen=True, slots=True, repr=False)
class Alone(Encoder):
    """The network without trees: a candidate scores as its best occurrence."""

    def score(self, candidates: Candidates) -> Any:
        scorer, _ = self._opened
        title, body = text_bounds(candidates.analysis)
        return scorer.scores(candidates, self.style, title=title, body=body).best.tolist()


def quality(data: Path, most: int) -> None:
    rows = MarkdownRows("", "documents", "style", "`learned`", "network alone", "`encoder`", name="quality")
    for name, source in SETS.items():
        documents = list(source.numbered_documents(data))[:most]
        style = source.style
        methods = (f"learned(style={style!r})", Alone(style=style), f"encoder(style={style!r})")
        cells = [f1_cell(documents, method, present="present") for method in methods]
        rows.add(name, len(documents), f"`{style}`", *cells)


def speed(data: Path, most: int) -> None:
    documents = list(SETS["KP20k valid"].numbered_documents(data))[:most]
    tokens = sum(len(one.content.split()) for one in documents) / len(documents)
    print(f"{len(documents)} abstracts of {tokens:.0f} words\n")
    rows = MarkdownRows("", "one process", "two processes", name="speed")

    def taken(method: str, some: list[pm.Document], jobs: int | None = None) -> float:
        return seconds_of(lambda: list(pm.extract_batch(some, method=method, jobs=jobs)))

    for method in ("learned", "encoder"):
        taken(method, documents[:2])
        rates = [f"{len(documents) / taken(method, documents, jobs):,.0f}/s" for jobs in (None, 2)]
        rows.add(f"`{method}`", *rates)


def main() -> None:
    options = parser(__doc__, documents=500)
    options.add_argument("--speed", action="store_true", help="abstracts per second instead of F1")
    given = options.parse_args()
    (speed if given.speed else quality)(given.data, given.documents)
    write_figures(given.figures)


if __name__ == "__main__":
    main()
