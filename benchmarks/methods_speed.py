"""Documents per second of every method, raw text in and keyphrases out, one process and one core.

    python benchmarks/methods_speed.py --data DIR

The same texts for all, one after the other in one run; `peers/compare.py` sets ours beside other people's extractors.
"""

import math
import os
import time

from phrasemill.lab.bench.corpora import NEURAL, TRAINED, texts
from phrasemill.lab.bench.measuring import ONE_THREAD
from phrasemill.lab.bench.report import rate_cell
from phrasemill.lab.bench.scripts import MarkdownRows, parser, write_figures
from phrasemill.registry import METHODS
from phrasemill.text.analyse import analyse

ROUNDS, SLOW_ROUNDS, PARTS = 10, 2, 10


def seconds(name: str, documents: list[str]) -> float:
    """Return the processor time over all documents: of each tenth of them the fastest round."""
    extract = METHODS.build(name).extract
    extract(documents[0])
    best = [math.inf] * PARTS
    for _ in range(SLOW_ROUNDS if name in NEURAL else ROUNDS):
        for part in range(PARTS):
            start = time.process_time()
            for text in documents[part::PARTS]:
                extract(text)
            best[part] = min(best[part], time.process_time() - start)
    return sum(best)


def main() -> None:
    options = parser(__doc__, data=False, pattern="inspec_train.jsonl.gz", documents=1000)
    options.add_argument("--slow", type=int, default=20, help="documents for methods with a neural network, or 0")
    given = options.parse_args()
    os.environ |= ONE_THREAD
    documents = texts(given.data, given.pattern, given.documents)
    tokens = sum(len(analyse(text)) for text in documents)
    print(f"{len(documents)} documents of {given.pattern}, {tokens / len(documents):.0f} tokens each on average\n")
    rows = MarkdownRows("method", "documents/s", "tokens/s", name="methods")
    for name in [name for name in METHODS.names() if name not in TRAINED]:
        some = documents[: given.slow] if name in NEURAL else documents
        if not some:
            continue
        try:
            rate = len(some) / seconds(name, some)
        except Exception as error:
            rows.add(name, f"not run: {error}", "")
            continue
        rows.add(f"`{name}`", rate_cell(rate), f"{rate * tokens / len(documents):,.0f}")
    write_figures(given.figures)


if __name__ == "__main__":
    main()
