"""How long scoring takes: made-up documents and predictions, six metrics, one core.

    python lab/benchmarks/evaluation_speed.py [--documents 10000] [--predictions 20]

Prints the time of `evaluate` with cold caches, the time of a second run, and of a bootstrap over the first.
"""

import random

from phrasemill.evaluation import evaluate
from phrasemill.evaluation.significance import interval
from phrasemill_lab.bench.scripts import parser, seconds_of

METRICS = ["P@5", "R@5", "F1@5", "F1@10", "F1@O", "F1@M"]
GOLD = 8
VOCABULARY = 40_000
SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi zo ing ation ness ment ed s".split()


def main() -> None:
    options = parser(__doc__, data=False, documents=10_000, measures=False)
    options.add_argument("--predictions", type=int, default=20)
    given = options.parse_args()
    draw = random.Random(1)
    words = ["".join(draw.choices(SYLLABLES, k=draw.randint(2, 4))) for _ in range(VOCABULARY)]

    def phrase() -> str:
        # Squared, so that some words are common, as in real text.
        return " ".join(words[int(draw.random() ** 2 * VOCABULARY)] for _ in range(draw.randint(1, 3)))

    gold = {str(i): [phrase() for _ in range(GOLD)] for i in range(given.documents)}
    predictions = {
        id_: [draw.choice(listed) if draw.random() < 0.2 else phrase() for _ in range(given.predictions)]
        for id_, listed in gold.items()
    }
    for name in ("first run", "second run"):
        seconds = seconds_of(lambda: evaluate(predictions, gold, metrics=METRICS))
        print(f"{name}: {seconds:.2f} s for {given.documents} documents, {len(METRICS)} metrics")
    first = next(iter(evaluate(predictions, gold, metrics=METRICS[:1])))
    seconds = seconds_of(lambda: interval(first, resamples=1000))
    print(f"bootstrap: {seconds:.2f} s for 1000 resamples of one metric")


if __name__ == "__main__":
    main()
