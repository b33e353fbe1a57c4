"""How time and memory grow with the length of one document.

    python benchmarks/growth.py --data DIR

Time per megabyte should stay level; a column that doubles from row to row would be quadratic.
"""

import resource
import sys
import time

import phrasemill as pm
from corpus import NEURAL, TRAINED, arguments, texts
from phrasemill.registry import METHODS

MEGABYTES = (0.1, 0.2, 0.5, 1, 2, 5)
WORST = {
    "one word again and again": "groundwater ",
    "no spaces at all": "groundwater",
    "adjectives without a noun": "large new green ",
    "all different": "",
    "open brackets": "(",
    "full stops between letters": "a.B.",
    "apostrophes": "'s’",
}


def seconds(text: str, method: str) -> float:
    start = time.perf_counter()
    pm.extract(text, method=method)
    return time.perf_counter() - start


def main() -> None:
    options = arguments(__doc__, "krapivin_train.jsonl.gz").parse_args()
    book = "\n\n".join(texts(options.data, options.pattern, options.documents))
    while len(book) < MEGABYTES[-1] * 1e6:
        book += "\n\n" + book
    names = [name for name in METHODS.names() if name not in (*NEURAL, *TRAINED)]
    for name in names:
        seconds(book[:100_000], name)
    print("Seconds per megabyte of real text, one document:\n")
    print("| MB | words | " + " | ".join(names) + " |\n|---|---|" + "---|" * len(names))
    for size in MEGABYTES:
        text = book[: int(size * 1e6)]
        taken = [min(seconds(text, name) for _ in range(3)) / size for name in names]
        print(f"| {size} | {len(text.split()):,} | " + " | ".join(f"{one:.2f}" for one in taken) + " |", flush=True)
    print("\nSeconds for a megabyte, and for two, of text that is made to be hard:\n")
    print("| what | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for what, piece in WORST.items():
        cells = []
        for name in names:
            pair = [seconds(hard(piece, megabytes), name) for megabytes in (1, 2)]
            cells.append(f"{pair[0]:.2f}, {pair[1]:.2f}")
        print(f"| {what} | " + " | ".join(cells) + " |", flush=True)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 if sys.platform == "darwin" else 1024)
    print(f"\nPeak memory of this process: {peak:.0f} MB")


def hard(piece: str, megabytes: int) -> str:
    size = megabytes * 1_000_000
    if piece:
        return piece * (size // len(piece))
    return " ".join(f"w{i}x" for i in range(size // 8))


if __name__ == "__main__":
    main()
