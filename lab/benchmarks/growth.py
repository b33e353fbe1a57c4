"""How time and memory grow with the length of one document.

    python lab/benchmarks/growth.py --data DIR [--largest 50] [--methods learned,yake]

Sizes double up to `--largest` megabytes. Time per megabyte should stay level; a column that doubles from row to row
would be quadratic. Processor time counts.
"""

import time

import phrasemill as pm
from phrasemill.registry import METHODS
from phrasemill_lab.bench.corpora import NEURAL, TRAINED, texts
from phrasemill_lab.bench.scripts import MarkdownRows, best_of, parser, usage, write_figures

SIZES, SEVERAL = 8, 2  # sizes, and megabytes up to which the best of several rounds counts
WORST = {
    "one word again and again": "groundwater ",
    "no spaces at all": "groundwater",
    "adjectives without a noun": "large new green ",
    "all different": "",
    "open brackets": "(",
    "full stops between letters": "a.B.",
    "apostrophes": "'s’",
}


def seconds(text: str, method: str, rounds: int = 1) -> float:
    return best_of(lambda: pm.extract(text, method=method), rounds, time.process_time)


def main() -> None:
    options = parser(__doc__, data=False, pattern="krapivin_train.jsonl.gz", documents=1000)
    every = ",".join(name for name in METHODS.names() if name not in (*NEURAL, *TRAINED))
    options.add_argument("--methods", default=every, help="(default: those without a network)")
    options.add_argument("--largest", type=float, default=50, help="megabytes (default: %(default)s)")
    given = options.parse_args()
    names, sizes = given.methods.split(","), [given.largest / 2**i for i in reversed(range(SIZES))]
    book = "\n\n".join(texts(given.data, given.pattern, given.documents))
    while len(book) < given.largest * 1e6:
        book += "\n\n" + book
    for name in names:
        seconds(book[:100_000], name)
    print("Seconds per megabyte of real text, one document:\n")
    rows = MarkdownRows("MB", "words", *names, name="growth")
    for size in sizes:
        text, rounds = book[: int(size * 1e6)], 3 if size <= SEVERAL else 1
        rows.add(f"{size:.1f}", f"{len(text.split()):,}", *(f"{seconds(text, n, rounds) / size:.3f}" for n in names))
    print("\nSeconds for a megabyte, and for two, of text that is made to be hard:\n")
    rows = MarkdownRows("what", *names, name="hard")
    for what, piece in WORST.items():
        cells = []
        for name in names:
            pair = [seconds(hard(piece, megabytes), name) for megabytes in (1, 2)]
            cells.append(f"{pair[0]:.2f}, {pair[1]:.2f}")
        rows.add(what, *cells)
    peak = round(usage().own_megabytes)
    print(f"\nPeak memory of this process: {peak} MB")
    write_figures(given.figures, peak_megabytes=peak)


def hard(piece: str, megabytes: int) -> str:
    size = megabytes * 1_000_000
    if piece:
        return piece * (size // len(piece))
    return " ".join(f"w{i}x" for i in range(size // 8))


if __name__ == "__main__":
    main()
