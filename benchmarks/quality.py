"""The table of targets: how good the default is on test splits, each figure with the signature of its score.

    python benchmarks/quality.py --data DIR [--method learned] [--oracle]

`phrasemill bench` measures all methods; here is what was aimed at for the default. Nothing is chosen here: the style
for each set follows from who chose its keyphrases. With `--oracle`, also the score of a ranking that knows the gold.
"""

import argparse
from pathlib import Path

import phrasemill as pm
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.policies import preset
from phrasemill.lab.bench import task
from phrasemill.lab.bench.contestants import styled
from phrasemill.lab.bench.measuring import TOP
from phrasemill.lab.bench.tasks import Loaded

TARGETS = {
    "semeval2010": {"F1@15": 33},
    "semeval2010-official": {"F1@15": 33},
    "inspec": {"F1@5": 41, "F1@10": 46},
    "duc2001": {"F1@5": 30, "F1@10": 34},
    "pubmedake": {"F1@5": 46},
    "kp20k": {"F1@5": 33, "F1@O": 34},
}


def answers(loaded: Loaded, method: str) -> dict[str, list[str]]:
    lists = pm.extract_batch(loaded.documents, method=method, top=TOP)
    return {group.id: [one.text for one in found] for group, found in zip(loaded.groups, lists, strict=True)}


def oracle(loaded: Loaded) -> dict[str, list[str]]:
    """All candidates of the learned method, those first that are gold: what a perfect ranking could do with them."""
    key = normaliser(preset(loaded.task.preset).policy.stemmer).key
    gold_key = str if loaded.gold.stemmed else key
    found = {}
    for group, listed in zip(loaded.groups, pm.extract_batch(loaded.documents, top=None), strict=True):
        gold = {gold_key(wording) for reference in group.gold for wording in clustered(reference)}
        found[group.id] = sorted([one.text for one in listed], key=lambda phrase: key(phrase) not in gold)[:TOP]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--method", default="learned")
    parser.add_argument("--oracle", action="store_true", help="what a perfect ranking of our candidates would score")
    parser.add_argument("--style", help="for all sets, instead of each set's own")
    options = parser.parse_args()
    print("| test set | documents | method | metric | score | target | signature |\n|---|---|---|---|---|---|---|")
    for name, targets in TARGETS.items():
        loaded = task(name).load(options.data)
        styles = (options.style,) if options.style else loaded.task.styles
        method = "oracle" if options.oracle else styled(options.method, styles, sets=False)
        found = oracle(loaded) if options.oracle else answers(loaded, method)
        choices = {"preset": loaded.task.preset, "policy": loaded.task.policy}
        scores = pm.evaluate(found, loaded.gold, metrics=list(targets), **choices)  # type: ignore[arg-type]
        for metric, target in targets.items():
            row = (loaded.task.title, len(loaded.groups), f"`{method}`", metric, f"{100 * scores[metric]:.2f}")
            print(
                "| " + " | ".join(map(str, row)) + f" | ≥ {target} | `{scores.score(metric).signature}` |", flush=True
            )


if __name__ == "__main__":
    main()
