"""The table of targets: how good the default is on test splits, each figure with the signature of its score.

    python lab/benchmarks/quality.py --data DIR [--method learned] [--oracle]

`phrasemill bench` measures all methods; here are the targets of the default. Nothing is chosen here: the style for each
set follows from who chose its keyphrases. With `--oracle`, the score of a perfect ranking of our candidates instead.
"""

import phrasemill as pm
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.policies import preset
from phrasemill_lab.bench import task
from phrasemill_lab.bench.measuring import TOP
from phrasemill_lab.bench.runner import styled
from phrasemill_lab.bench.scripts import MarkdownRows, extracted, parser, write_figures
from phrasemill_lab.bench.tasks import LoadedDataset

TARGETS = {
    "semeval2010": {"F1@15": 33},
    "semeval2010-official": {"F1@15": 33},
    "inspec": {"F1@5": 41, "F1@10": 46},
    "duc2001": {"F1@5": 30, "F1@10": 34},
    "pubmedake": {"F1@5": 46},
    "kp20k": {"F1@5": 33, "F1@O": 34},
}


def oracle(loaded: LoadedDataset) -> dict[str, list[str]]:
    """Return all candidates of the learned method, those first that are gold: a perfect ranking."""
    key = normaliser(preset(loaded.task.preset).policy.stemmer).key
    gold_key = str if loaded.gold.stemmed else key
    found = {}
    for group, listed in zip(loaded.groups, pm.extract_batch(loaded.documents, top=None), strict=True):
        gold = {gold_key(wording) for reference in group.references for wording in clustered(reference)}
        found[group.id] = sorted([one.text for one in listed], key=lambda phrase: key(phrase) not in gold)[:TOP]
    return found


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--method", default="learned")
    options.add_argument("--oracle", action="store_true", help="the score of a perfect ranking of our candidates")
    options.add_argument("--style", help="for all sets, instead of each set's own")
    given = options.parse_args()
    rows = MarkdownRows(
        "test set", "documents", "method", "metric", "score", "target", "signature", name="quality", keys=4
    )
    for name, targets in TARGETS.items():
        loaded = task(name).load(given.data)
        styles = (given.style,) if given.style else loaded.task.styles
        method = "oracle" if given.oracle else styled(given.method, styles, sets=False)
        found = oracle(loaded) if given.oracle else extracted(loaded.documents, method, TOP)
        choices = {"preset": loaded.task.preset, "policy": loaded.task.policy}
        scores = pm.evaluate(found, loaded.gold, metrics=list(targets), **choices)  # type: ignore[arg-type]
        for score, target in zip(scores, targets.values(), strict=True):
            row = (loaded.task.title, len(loaded.groups), f"`{method}`", score.name, f"{100 * score.value:.2f}")
            rows.add(*row, f"≥ {target}", f"`{score.signature}`")
    write_figures(given.figures)


if __name__ == "__main__":
    main()
