"""Print whether scores keep what they promise, per kind of text, and how many phrases `top="auto"` returns.

    python lab/benchmarks/calibration.py --data DIR

Scores of the defaults are probabilities: their sum over the first twenty phrases promises how many of these are
keyphrases; a second table has the share of right phrases by score. Beside the number of phrases of `top="auto"` is
their F1, and how many phrases people chose. Scores were calibrated on the development splits among these, and the price
of a phrase (methods/learned/kinds.py) was chosen on them; trees have learned from the papers of SemEval-2010. A
language model annotated the everyday texts.
"""

import phrasemill as pm
from phrasemill.training.learned_examples import gold_keys, key
from phrasemill.types import Document
from phrasemill_lab.bench.scripts import MarkdownRows, f1_of, parser, write_figures
from phrasemill_lab.models.sources import Source

SETS = {
    "everyday texts": Source("everyday/en_dev.jsonl.gz"),
    "Inspec, dev": Source("inspec_dev.jsonl.gz", last=300),
    "KP20k, valid": Source("kp20k_small_valid.jsonl.gz", last=300),
    "author keywords, valid": Source("keywords/valid.jsonl.xz", last=300),
    "SemEval-2010, train, papers": Source("semeval2010_train.jsonl.gz", gold="combined", last=20),
    "Krapivin, papers": Source("krapivin_train.jsonl.gz", first=1700, last=1720),
}
FIRST, BINS = 20, 10


class Tally:
    """What the scores of a method promised, and what they kept."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.bins = [[0.0, 0.0, 0.0] for _ in range(BINS)]  # of all texts: scores, hits, phrases

    def cells(self, documents: list[Document]) -> tuple[str, str, str]:
        """Return what was promised for each keyphrase kept, and the number and F1 of the phrases of `top="auto"`."""
        promised, kept, auto, f1 = 0.0, 0, 0, 0.0
        for one in documents:
            gold = gold_keys(one)
            for phrase in pm.extract(one.content, method=self.method, top=FIRST):
                right = key(phrase.text) in gold
                promised, kept = promised + phrase.score, kept + right
                inside = self.bins[min(int(phrase.score * BINS), BINS - 1)]
                inside[:] = inside[0] + phrase.score, inside[1] + right, inside[2] + 1
            best = pm.extract(one.content, method=self.method, top="auto")
            auto += len(best)
            f1 += f1_of([phrase.text for phrase in best], one)
        count = len(documents)
        return f"{promised / max(kept, 1):.2f}", f"{auto / count:.1f}", f"{100 * f1 / count:.1f}"

    def reliability(self) -> list[tuple[str, str, str]]:
        """Return for each range of scores their mean, the share that was right, and how many there were."""
        means = [(scores / (n or 1), hits / (n or 1), n) for scores, hits, n in self.bins]
        return [(f"{mean:.3f}", f"{share:.3f}", f"{n:,.0f}") for mean, share, n in means]


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--methods", nargs="+", default=["learned", "encoder"])
    given = options.parse_args()
    tallies = [Tally(method) for method in given.methods]
    measured = ("promised / kept", "phrases of auto", "F1 of auto")
    header = [f"{what}, `{method}`" for method in given.methods for what in measured]
    rows = MarkdownRows("texts", "documents", "people chose", *header, name="promises")
    for name, source in SETS.items():
        documents = list(source.documents(given.data))
        chosen = sum(len(one.references) for one in documents) / len(documents)
        found = [cell for tally in tallies for cell in tally.cells(documents)]
        rows.add(name, len(documents), f"{chosen:.1f}", *found)
    print()
    header = [f"{what}, `{method}`" for method in given.methods for what in ("mean score", "share right", "phrases")]
    rows = MarkdownRows("scores", *header, name="reliability")
    for number, row in enumerate(zip(*[tally.reliability() for tally in tallies], strict=True)):
        rows.add(f"{number / BINS:.1f} to {(number + 1) / BINS:.1f}", *(cell for cells in row for cell in cells))
    write_figures(given.figures)


if __name__ == "__main__":
    main()
