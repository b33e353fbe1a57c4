"""Documents a second of every method, raw text in and keyphrases out, one process and one core.

    python benchmarks/methods_speed.py --data DIR

The same texts for all, one after the other in one run; `peers/compare.py` sets ours beside other people's extractors.
"""

import math
import os
import time

from corpus import NEURAL, TRAINED, arguments, texts
from phrasemill.registry import METHODS
from phrasemill.text.analyse import analyse

ROUNDS, SLOW_ROUNDS, PARTS = 10, 2, 10
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


def ours(name: str, documents: list[str]) -> float:
    """Seconds of processor time over all documents: of each tenth of them the fastest round."""
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
    parser = arguments(__doc__, "inspec_train.jsonl.gz")
    parser.add_argument(
        "--slow", type=int, default=20, help="documents for methods with a neural network; 0 for none of them"
    )
    options = parser.parse_args()
    os.environ |= ONE_THREAD
    documents = texts(options.data, options.pattern, options.documents)
    tokens = sum(len(analyse(text)) for text in documents)
    print(f"{len(documents)} documents of {options.pattern}, {tokens / len(documents):.0f} tokens each on average\n")
    print("| method | documents/s | tokens/s |\n|---|---|---|", flush=True)
    for name in [name for name in METHODS.names() if name not in TRAINED]:
        some = documents[: options.slow] if name in NEURAL else documents
        if not some:
            continue
        try:
            rate = len(some) / ours(name, some)
        except Exception as error:
            print(f"| {name} | not run: {error} | |")
            continue
        shown = f"{rate:,.0f}" if rate > 20 else f"{rate:.1f}"
        print(f"| `{name}` | {shown} | {rate * tokens / len(documents):,.0f} |", flush=True)


if __name__ == "__main__":
    main()
