"""How long scoring takes: made-up documents and predictions, six metrics, one core.

    python benchmarks/evaluation_speed.py [--documents 10000] [--predictions 20]

Prints the time of `evaluate` with cold caches, the time of a second run, and of a bootstrap over the first.
"""

import random
from argparse import ArgumentParser
from time import perf_counter

from phrasemill.evaluation import Score, evaluate
from phrasemill.evaluation.significance import interval

METRICS = ["P@5", "R@5", "F1@5", "F1@10", "F1@O", "F1@M"]
GOLD = 8
VOCABULARY = 40_000
SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi zo ing ation ness ment ed s".split()


def main() -> None:
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--predictions", type=int, default=20)
    options = parser.parse_args()
    draw = random.Random(1)
    words = ["".join(draw.choices(SYLLABLES, k=draw.randint(2, 4))) for _ in range(VOCABULARY)]

    def phrase() -> str:
        # Squared, so that some words are common, as in real text.
        return " ".join(words[int(draw.random() ** 2 * VOCABULARY)] for _ in range(draw.randint(1, 3)))

    gold = {str(i): [phrase() for _ in range(GOLD)] for i in range(options.documents)}
    predictions = {
        id_: [draw.choice(listed) if draw.random() < 0.2 else phrase() for _ in range(options.predictions)]
        for id_, listed in gold.items()
    }
    for name in ("first run", "second run"):
        start = perf_counter()
        scores = evaluate(predictions, gold, metrics=METRICS)
        print(f"{name}: {perf_counter() - start:.2f} s for {options.documents} documents, {len(METRICS)} metrics")
    first: Score = next(iter(scores))
    start = perf_counter()
    interval(first, resamples=1000)
    print(f"bootstrap: {perf_counter() - start:.2f} s for 1000 resamples of one metric")


if __name__ == "__main__":
    main()
