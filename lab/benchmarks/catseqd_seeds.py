"""Is CatSeqD better than CatSeq? The four networks of Table 5 of Yuan et al. (2020), several seeds each, side by side.

    python lab/benchmarks/catseqd_seeds.py prepare --data DIR -o packed
    python lab/benchmarks/catseqd_seeds.py train --packed packed -o runs --device cuda --at-once 12 --minutes 22
    python lab/benchmarks/catseqd_seeds.py others copyrnn --packed packed -o runs --device cuda --at-once 1
    python lab/benchmarks/catseqd_seeds.py score --data DIR --runs runs
    python lab/benchmarks/catseqd_seeds.py keep --runs runs -o lists

`prepare` needs no GPU; its folder (some 20 MB) and this repository are all that `train` needs. `train` first chooses
the weights of the two losses on validation, from the paper's grid, by short runs; then all networks have one schedule,
with as many epochs as fit the time (at most those of the recipe); then it decodes the test sets as the paper does.
`others` trains and decodes the other networks of the paper: CopyRNN, and CatSeq and CatSeqD for questions. Results
are written as soon as they exist; repeat a call to resume an interrupted one. `score` prints F1@O, the mean
over the seeds, and how far CatSeqD is from each other network, with an interval over documents and seeds.
`keep` writes the lists for `phrasemill reproduce` (lab/src/phrasemill_lab/papers/lists).
"""

import gzip
import json
import time
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill.errors import PhrasemillError
from phrasemill.evaluation import evaluate, read_answers
from phrasemill.methods.generator.search import Search
from phrasemill.methods.writing import Words
from phrasemill.text.segments import masked_words, segmented
from phrasemill_lab.bench.scripts import MarkdownRows, write_figures
from phrasemill_lab.bench.scripts import parser as options_parser
from phrasemill_lab.papers.catseqd import PRESET, SETS, read
from phrasemill_lab.papers.comparison import Setting
from phrasemill_lab.papers.kept_lists import keep_lists
from phrasemill_lab.training.recipes import TrainingRecipe, load_recipe

RECIPES = Path(__file__).parents[1] / "recipes"
GRID = (0.01, 0.03, 0.1, 0.3, 1.0)  # appendix D
NETWORKS = {  # the paper's weights (Table 7), which stand where the grid is not tried
    "catseq": (0.0, 0.0),
    "catseq-orthogonal": (0.3, 0.0),
    "catseq-coverage": (0.0, 0.03),
    "catseqd": (1.0, 0.03),
}
QUESTIONS = "stackex"  # the folder with the packed questions
OTHERS = {"copyrnn": "", "catseq-stackex": QUESTIONS, "catseqd-stackex": QUESTIONS}  # recipes, and where their data is
ROWS = {  # of the paper's tables
    "catseq": "CatSeq",
    "catseq-orthogonal": "CatSeq + Orth. Reg.",
    "catseq-coverage": "CatSeq + Sem. Cov.",
    "catseqd": "CatSeqD",
    "copyrnn": "CopyRNN*",
    "catseq-stackex": "CatSeq",
    "catseqd-stackex": "CatSeqD",
}
TESTS = ("KP20k", "Inspec", "SemEval")
SEARCHES = {"beam": Search("beam", kept=500), "greedy": Search("greedy")}
TOP = Search("top")
PHRASES = Search("beam", width=200, length=8, order="best")  # of CopyRNN: as `copyrnn(width=200)`
METRIC = "F1@O(present='present')"
RESAMPLES = 10_000
START = 45  # seconds in which processes start and read the examples
Weights = tuple[float, float]  # of orthogonality and of coverage


def recipe_of(weights: Weights, seed: int, epochs: int) -> TrainingRecipe:
    base = load_recipe(RECIPES / "catseq.toml")
    model = "catseqd" if all(weights) else "catseq"
    network = {**base.network, "orthogonal": weights[0], "coverage": weights[1]}
    schedule = replace(base.schedule, epochs=epochs, validate=1 if epochs <= 6 else 2, workers=0)
    return replace(base, model=model, seed=seed, network=network, schedule=schedule)


def prepare(options: Namespace) -> None:
    from phrasemill_lab.training.generation_examples import prepare as prepare_examples
    from phrasemill_lab.training.packed_examples import pack

    for name, folder in (("catseq", options.output), ("catseq-stackex", options.output / QUESTIONS)):
        recipe, scratch = load_recipe(RECIPES / f"{name}.toml"), options.scratch or options.output / "examples"
        prepare_examples(recipe, options.data, scratch)
        pack(recipe, scratch, folder)
    for name in (*TESTS, "StackEx"):
        with gzip.open(options.output / f"test-{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            for one in read(Setting(options.data, options.data), SETS[name].file):
                words = masked_words(segmented(one.content)[0])
                file.write(json.dumps({"id": one.id, "words": " ".join(words)}, ensure_ascii=False) + "\n")


class Study:
    """The runs of one call of `train` or `others`."""

    def __init__(self, options: Namespace) -> None:
        from phrasemill_lab.training.side_by_side import Place

        self.options, self.began = options, time.time()
        self.end = self.began + 60 * options.minutes
        self.place = Place(options.device, options.at_once, options.memory)
        options.output.mkdir(parents=True, exist_ok=True)

    def log(self, line: str) -> None:
        print(f"{time.time() - self.began:6.0f} s  {line}", flush=True)

    def trained(self, recipes: Mapping[str, TrainingRecipe], packed: Path, until: float) -> dict[str, Any]:
        """Train by recipes; return the summaries of those that succeeded, now or in an earlier call."""
        from phrasemill_lab.training.side_by_side import Run, train_all

        out = self.options.output
        done: dict[str, Any] = {
            name: json.loads(path.read_text(encoding="utf-8"))
            for name in recipes
            if (path := out / name / "model.json").exists()
        }
        runs = [Run(name, recipe) for name, recipe in recipes.items() if name not in done]
        for name, found in train_all(runs, packed, out, self.place, until=until):
            self.log(f"{name}: {found if isinstance(found, Exception) else found['best F1@O']}")
            if not isinstance(found, Exception):
                done[name] = found
        return done

    def tried(self, candidates: Iterable[Weights]) -> dict[Weights, float]:
        """Return the scores on validation after short runs."""
        named = {f"grid-{a:g}-{b:g}": (a, b) for a, b in candidates}
        recipes = {name: recipe_of(weights, 1, self.options.grid_epochs) for name, weights in named.items()}
        done = self.trained(recipes, self.options.packed, self.began + 60 * self.options.grid_minutes)
        return {named[name]: found["best F1@O"] for name, found in done.items()}

    def chosen(self) -> dict[str, Weights]:
        """Choose each loss alone, then both together near these two, all from the paper's grid; the second only if no
        more than half of the time for the grid is over."""
        alone = self.tried([weights for weight in GRID for weights in ((weight, 0.0), (0.0, weight))])
        best = dict(NETWORKS)
        for name, other in (("catseq-orthogonal", 1), ("catseq-coverage", 0)):
            of_kind = [weights for weights in alone if not weights[other]]
            best[name] = max(of_kind, key=lambda weights: alone[weights], default=best[name])
        best["catseqd"] = (best["catseq-orthogonal"][0], best["catseq-coverage"][1])
        both = {}
        if time.time() - self.began < 30 * self.options.grid_minutes:
            both = self.tried([(a, b) for a in near(best["catseqd"][0]) for b in near(best["catseqd"][1])])
        best["catseqd"] = max(both, key=lambda weights: both[weights], default=best["catseqd"])
        self.log(f"grid: {alone | both}")
        return best

    def epochs(self, seconds: float) -> int:
        """Return how many epochs of all runs fit into the time, by the speed of the grid."""
        most = load_recipe(RECIPES / "catseq.toml").schedule.epochs
        curves = [
            path.read_text(encoding="utf-8").splitlines() for path in self.options.output.glob("grid-*/curves.jsonl")
        ]
        points = [[json.loads(line) for line in lines] for lines in curves if len(lines) > 1]
        points = [one for one in points if one[-1]["epoch"]]
        if not points:
            return most
        speeds = [(one[-1]["time"] - one[0]["time"]) / (one[-1]["update"] - one[0]["update"]) for one in points]
        updates = max(one[-1]["update"] / one[-1]["epoch"] for one in points)
        at_once, runs = self.options.at_once, len(NETWORKS) * self.options.seeds
        rounds = -(-runs // at_once)
        slower = min(at_once, runs) / min(at_once, 2 * len(GRID))  # the GPU is full
        fit = 0.9 * (seconds - START) / (rounds * updates * slower * float(np.median(speeds)))
        return max(1, min(most, int(fit)))

    def decode(self, names: Iterable[str]) -> None:
        from phrasemill_lab.training.side_by_side import decode_all

        folders = {name: self.options.output / name for name in names}
        tests = (*TESTS, "StackEx")
        sources = {test: read_sources(self.options.packed / f"test-{test}.jsonl.gz") for test in tests}
        wanted = {
            name: [one for one in decodings(name, sources) if not (folder / f"{one.name}.jsonl.xz").exists()]
            for name, folder in folders.items()
        }
        for name, found in decode_all(folders, wanted, self.place):
            self.log(f"{name}, decoded: {found if isinstance(found, Exception) else ', '.join(found)}")


def decodings(name: str, sources: Mapping[str, Mapping[str, Words]]) -> list[Any]:
    """Return what a network decodes, what is wanted most first."""
    from phrasemill_lab.training.side_by_side import Decoding

    if name.startswith("copyrnn"):
        wanted = [(test, "beam", PHRASES) for test in TESTS]
    elif QUESTIONS in name:
        wanted = [("StackEx", search, how) for search, how in (*SEARCHES.items(), ("top", TOP))]
    else:
        wanted = [(test, search, how) for search, how in SEARCHES.items() for test in TESTS]
        if name.split("-")[0] in NETWORKS and name.count("-") == 1:
            wanted.append(("KP20k", "top", TOP))
    return [Decoding(f"{search}.{test}", sources[test], how) for test, search, how in wanted]


def near(weight: float) -> Sequence[float]:
    """Return a weight of the grid and its neighbours."""
    at = GRID.index(weight)
    return GRID[max(0, at - 1) : at + 2]


def train(options: Namespace) -> None:
    study = Study(options)
    path = options.output / "choice.json"
    until = study.end - 60 * options.decoding
    if path.exists():
        choice = json.loads(path.read_text(encoding="utf-8"))
    else:
        weights = study.chosen() if options.grid_epochs else NETWORKS
        choice = {"weights": weights, "epochs": options.epochs or study.epochs(until - time.time())}
        path.write_text(json.dumps(choice), encoding="utf-8")
    study.log(str(choice))
    recipes = {
        f"{name}-{seed}": recipe_of(tuple(choice["weights"][name]), seed, choice["epochs"])
        for seed in range(1, options.seeds + 1)
        for name in NETWORKS
    }
    study.decode(study.trained(recipes, options.packed, until))
    study.log("done")


def others(options: Namespace) -> None:
    study = Study(options)
    (folder,) = {OTHERS[name] for name in options.names}  # one set of examples
    recipes = {}
    for name in options.names:
        recipe = load_recipe(RECIPES / f"{name}.toml")
        epochs = options.epochs or recipe.schedule.epochs
        recipes[name] = replace(recipe, schedule=replace(recipe.schedule, workers=0, epochs=epochs))
    study.decode(study.trained(recipes, options.packed / folder, study.end))
    study.log("done")


def read_sources(path: Path) -> dict[str, Words]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {one["id"]: tuple(one["words"].split(" ")) for one in map(json.loads, file)}


def score(options: Namespace) -> None:
    table = MarkdownRows(
        "search", "set", "network", "F1@O, mean over seeds", "CatSeqD less this", "95 %", name="seeds", keys=3
    )
    for search in SEARCHES:
        for test in TESTS:
            values = document_scores(options, search, test)
            for name, one in values.items():
                cells = ["", ""]
                if name != "catseqd" and "catseqd" in values:
                    low, high = interval(one, values["catseqd"])
                    cells = [
                        f"{100 * (values['catseqd'].mean() - one.mean()):+.2f}",
                        f"{100 * low:+.2f} to {100 * high:+.2f}",
                    ]
                seeds = ", ".join([f"{100 * value:.1f}" for value in one.mean(axis=1)])
                table.add(search, test, name, f"{100 * one.mean():.2f} ({seeds})", *cells)
    write_figures(options.figures)


def keep(options: Namespace) -> None:
    """Write the lists of all seeds of a network, by search and set, into one file."""
    for name, system in ROWS.items():
        for search in ("beam", "greedy", "top"):
            for test in (*TESTS, "StackEx"):
                paths = lists_of(options.runs, name, search, test)
                runs = [read_answers(path).phrases for path in paths]
                if runs:
                    print(keep_lists(options.output, system, search, test, *runs))


def lists_of(runs: Path, name: str, search: str, test: str) -> list[Path]:
    """Return the files of a network's seeds, or that of a network without."""
    file = f"{search}.{test}.jsonl.xz"
    return sorted(runs.glob(f"{name}-[0-9]/{file}")) or sorted(runs.glob(f"{name}/{file}"))


def document_scores(options: Namespace, search: str, test: str) -> dict[str, "np.ndarray[Any, Any]"]:
    """Return the scores of each network that has lists: (seeds, documents)."""
    gold = read(Setting(options.data, options.data), SETS[test].file)
    found = {}
    for name in NETWORKS:
        rows = []
        for path in lists_of(options.runs, name, search, test):
            scores = evaluate(read_answers(path), gold, metrics=[METRIC], preset=PRESET, policy=SETS[test].policy)
            rows.append(list(scores.score(METRIC).documents.values()))
        if rows:
            found[name] = np.array(rows)
    return found


def interval(one: "np.ndarray[Any, Any]", other: "np.ndarray[Any, Any]", seed: int = 1) -> tuple[float, float]:
    """Return the bootstrap interval of the difference: seeds of each, and documents of both, are drawn again."""
    rng = np.random.default_rng(seed)
    differences = []
    for _ in range(RESAMPLES):
        documents = rng.integers(one.shape[1], size=one.shape[1])
        means = [part[rng.integers(len(part), size=len(part))].mean(axis=0)[documents].mean() for part in (one, other)]
        differences.append(means[1] - means[0])
    low, high = np.quantile(differences, (0.025, 0.975))
    return float(low), float(high)


def main() -> None:
    parser = options_parser(__doc__, data=False)
    commands = parser.add_subparsers(required=True)
    made = commands.add_parser("prepare")
    made.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder with the data")
    made.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    made.add_argument("--scratch", type=Path, metavar="DIR", help="for the examples in words (default: in the output)")
    made.set_defaults(run=prepare)
    for run, minutes in ((train, 22), (others, 12)):
        made = commands.add_parser(run.__name__)
        made.add_argument("--packed", type=Path, required=True, metavar="DIR", help="what `prepare` wrote")
        made.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
        made.add_argument("--device", default="cpu")
        made.add_argument("--at-once", type=int, default=12, help="processes (default: %(default)s)")
        made.add_argument(
            "--memory", type=float, default=0.9, help="of the GPU, for all of them (default: %(default)s)"
        )
        made.add_argument("--minutes", type=float, default=minutes, help="for all of it (default: %(default)s)")
        made.add_argument("--epochs", type=int, default=0, help="default: the recipe's, or what fits the time")
        made.set_defaults(run=run)
        if run is others:
            made.add_argument("names", nargs="+", choices=OTHERS, help="for articles, or for questions")
        else:
            made.add_argument("--seeds", type=int, default=3)
            made.add_argument("--decoding", type=float, default=4, help="minutes for the test sets")
            made.add_argument("--grid-minutes", type=float, default=6, help="for the choice of weights")
            made.add_argument("--grid-epochs", type=int, default=2, help="0 takes the paper's weights")
    made = commands.add_parser("score")
    made.add_argument("--data", type=Path, required=True, metavar="DIR", help="folder with the data")
    made.add_argument("--runs", type=Path, required=True, metavar="DIR", help="what `train` wrote")
    made.set_defaults(run=score)
    made = commands.add_parser("keep")
    made.add_argument("--runs", type=Path, required=True, metavar="DIR", help="what `train` and `others` wrote")
    made.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    made.set_defaults(run=keep)
    options = parser.parse_args()
    try:
        options.run(options)
    except (OSError, PhrasemillError) as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
