"""How many abstracts per second methods with a neural network get through on one core, by the length of the abstracts.

    python lab/benchmarks/generation_speed.py --data DIR [--methods generator,encoder] [--documents 40] [--rounds 5]

Texts are title and abstract as they are, one at a time (`extract`) and in batches (`extract_batch`). Processor time
counts, and of every few texts the fastest round, so that other work on the machine matters little. To compare with
another checkout, run the script with `PYTHONPATH` set to its `src`, in turns.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from phrasemill import extract, extract_batch
from phrasemill_lab.bench.corpora import all_records
from phrasemill_lab.bench.scripts import MarkdownRows, best_of, parser, write_figures

PART = 10  # texts that are timed together
LONGEST = 10**6
# Names, files, and the fewest and the most words of a text.
SETS = (
    ("Inspec, development, short", "inspec_dev.jsonl.gz", 0, 100),
    ("Inspec, development, medium", "inspec_dev.jsonl.gz", 101, 180),
    ("Inspec, development, long", "inspec_dev.jsonl.gz", 181, LONGEST),
    ("KP20k, validation, short", "kp20k_small_valid.jsonl.gz", 0, 100),
    ("KP20k, validation, medium", "kp20k_small_valid.jsonl.gz", 101, 180),
    ("KP20k, validation, long", "kp20k_small_valid.jsonl.gz", 181, LONGEST),
    ("PubMed, training", "pubmed_schutz_train.jsonl.gz", 0, LONGEST),
)


def abstracts(data: Path, pattern: str, fewest: int, most: int) -> Iterator[str]:
    """Yield title and abstract of the records whose length is in the range."""
    for one in all_records(data, pattern):
        abstract = one.get("abstract", one["text"])  # a file with full papers has both
        text = f"{one['title']}\n{abstract}"
        if abstract and fewest <= len(text.split()) <= most:
            yield text


def rates(texts: list[str], method: str, rounds: int) -> tuple[float, float]:
    """Return texts per second, one at a time and in batches."""
    one_by_one = in_batches = 0.0
    for first in range(0, len(texts), PART):
        part = texts[first : first + PART]

        def alone(part: list[str] = part) -> None:
            for text in part:
                extract(text, method=method, language="en")

        def together(part: list[str] = part) -> None:
            for _ in extract_batch(part, method=method, language="en"):
                pass

        one_by_one += best_of(alone, rounds, time.process_time)
        in_batches += best_of(together, rounds, time.process_time)
    return len(texts) / one_by_one, len(texts) / in_batches


def main() -> None:
    options = parser(__doc__, documents=40)
    options.add_argument("--methods", default="generator,encoder", help="specs (default: %(default)s)")
    options.add_argument("--rounds", type=int, default=5, help="of all texts (default: %(default)s)")
    given = options.parse_args()
    methods = given.methods.split(",")
    columns = [f"`{method}`, {how}" for method in methods for how in ("one at a time", "in batches")]
    rows = MarkdownRows("texts", "words on average", *columns, name="rates")
    for method in methods:
        extract("Graph theory of large graphs.", method=method, language="en")  # loads the model
    for name, pattern, fewest, most in SETS:
        texts = list(abstracts(given.data, pattern, fewest, most))[: given.documents]
        words = sum(len(text.split()) for text in texts) / len(texts)
        measured = [rate for method in methods for rate in rates(texts, method, given.rounds)]
        rows.add(name, f"{words:.0f}", *[f"{rate:.1f}" for rate in measured])
    write_figures(given.figures)


if __name__ == "__main__":
    main()
