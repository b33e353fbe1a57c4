"""Which method for which text: F1@5 and F1@10 on training and development splits, never on a test split.

    python lab/benchmarks/method_choice.py --data DIR

The first records of each file; all methods without a neural network; gold as it is, absent keyphrases included.
"""

from phrasemill.registry import METHODS
from phrasemill_lab.bench.corpora import NEURAL, TRAINED, documents
from phrasemill_lab.bench.scripts import MarkdownRows, f1_cell, parser, write_figures

SETS = {
    "inspec_dev.jsonl.gz": 500,
    "kp20k_small_valid.jsonl.gz": 500,
    "keywords/valid.jsonl.xz": 500,
    "500n_kpcrowd_train.jsonl.gz": 200,
    "krapivin_train.jsonl.gz": 60,
}


def main() -> None:
    given = parser(__doc__).parse_args()
    data = given.data
    sets = {name: documents(data / name, most) for name, most in SETS.items()}
    rows = MarkdownRows(
        "method", *(f"{name.split('.')[0]} ({len(found)})" for name, found in sets.items()), name="methods"
    )
    for method in ["tfidf(candidates='auto')", *(name for name in METHODS.names() if name not in (*NEURAL, *TRAINED))]:
        rows.add(f"`{method}`", *(f1_cell(found, method) for found in sets.values()))
    write_figures(given.figures)


if __name__ == "__main__":
    main()
