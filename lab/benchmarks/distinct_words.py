"""How memory and time grow with the number of different words in one document, each size in a process of its own.

    python lab/benchmarks/distinct_words.py [--sizes 100000,1000000] [--methods learned,rake]

The text is `w0 w1 w2 …`: no word occurs twice, and nearly every run of up to five of them is a candidate, which is the
most that a text of this length can take. Python itself and the text are included; processor time counts.
"""

import json
import sys
import time

import phrasemill as pm
from phrasemill_lab.bench.scripts import MarkdownRows, fresh, numbers, parser, usage, write_figures

SIZES = "10000,100000,200000,500000,1000000,2000000"


def main() -> None:
    options = parser(__doc__, data=False)
    options.add_argument("--sizes", default=SIZES, help="numbers of words (default: %(default)s)")
    options.add_argument("--methods", default="learned", help="(default: %(default)s)")
    given = options.parse_args()
    names = given.methods.split(",")
    rows = MarkdownRows("words", "MB of text", *(f"{name}, MB; s" for name in names), name="distinct")
    for size in numbers(given.sizes):
        measured = [fresh(__file__, "measure", name, size) for name in names]
        cells = [f"{one['megabytes']:.0f}; {one['seconds']:.1f}" for one in measured]
        rows.add(f"{size:,}", f"{measured[0]['text']:.1f}", *cells)
    write_figures(given.figures)


def measure(method: str, size: int) -> None:
    text = " ".join(map("w{}".format, range(size)))
    begun = time.process_time()
    pm.extract(text, method=method)
    found = {"text": len(text) / 1e6, "seconds": time.process_time() - begun, "megabytes": usage().own_megabytes}
    print(json.dumps(found))


if __name__ == "__main__":
    if sys.argv[1:2] == ["measure"]:
        measure(sys.argv[2], int(sys.argv[3]))
    else:
        main()
