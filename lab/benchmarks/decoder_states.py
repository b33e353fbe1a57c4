"""Figure 2 of Yuan et al. (2020): decoder states at 1, 2, 3 steps after a separator, laid out in the plane by t-SNE.

    python lab/benchmarks/decoder_states.py --data kp20k_small_valid.jsonl.gz \\
        --model CatSeq=models/catseq --model CatSeqD=models/catseqd -o states.svg

One row per model, in the order given, and one column per step. Models are folders that `phrasemill train` wrote. States
are those of the decoder while it reads the gold keyphrases of validation documents (the paper: of the model running on
them), 2,000 at random for each panel. t-SNE has the paper's settings: scikit-learn's defaults of its day, a learning
rate of 200 and 1,000 iterations. Under each panel is the mean cosine of its states in pairs: the lower, the more
they differ.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from phrasemill.errors import PhrasemillError
from phrasemill.plots import COLOURS, standalone, svg, text
from phrasemill.types import Document
from phrasemill_lab.bench.corpora import documents as read_documents
from phrasemill_lab.bench.scripts import parser as options_parser

Matrix: TypeAlias = npt.NDArray[np.float64]
LEARNING_RATE, PERPLEXITY = 200.0, 30.0
SIDE, GAP, LEFT, TOP, FOOT = 200, 12, 96, 36, 20
BATCH = 64


@dataclass(frozen=True, slots=True)
class Panel:
    """States as points in the plane, each coordinate from 0 to 1, and the mean cosine of the states in pairs."""

    points: Matrix
    cosine: float


def panel(states: Matrix, *, seed: int = 0) -> Panel:
    """Lay out states (N, H) by t-SNE; the same seed gives the same picture."""
    from sklearn.manifold import TSNE
    from threadpoolctl import threadpool_limits  # comes with scikit-learn

    if len(states) < 4:
        raise SystemExit(f"{len(states)} states are too few for a picture; give more documents")
    layout = TSNE(
        learning_rate=LEARNING_RATE, perplexity=min(PERPLEXITY, len(states) / 4), init="random", random_state=seed
    )
    with threadpool_limits(1):  # sums in one order, whatever the machine
        points = layout.fit_transform(states.astype(np.float32)).astype(np.float64)
    middle, extent = (points.max(axis=0) + points.min(axis=0)) / 2, np.ptp(points, axis=0).max()
    return Panel(0.5 + (points - middle) / max(extent, 1e-12), mean_cosine(states))


def mean_cosine(states: Matrix) -> float:
    """Over all pairs of different states."""
    unit = states / np.maximum(np.linalg.norm(states, axis=1, keepdims=True), 1e-12)
    count = len(unit)
    return float((np.square(unit.sum(axis=0)).sum() - count) / (count * (count - 1)))


def picture(rows: Mapping[str, Sequence[Panel]], *, title: str = "Decoder states after a separator (t-SNE)") -> str:
    """Return the panels as SVG: one row per model, one column per step."""
    most = max(len(panels) for panels in rows.values())
    width, height = LEFT + most * (SIDE + GAP), TOP + len(rows) * (SIDE + FOOT + GAP)
    parts = []
    for column in range(most):
        x = LEFT + column * (SIDE + GAP) + SIDE / 2
        name = f"{column + 1} step{'s' if column else ''} after"
        parts.append(text(x, TOP - 12, name))
    for number, (name, panels) in enumerate(rows.items()):
        y = TOP + number * (SIDE + FOOT + GAP)
        parts.append(text(LEFT - 12, y + SIDE / 2, name, anchor="end"))
        for column, one in enumerate(panels):
            parts += _drawn(one, LEFT + column * (SIDE + GAP), y, COLOURS[number % len(COLOURS)])
    return standalone(svg(title, parts, width=width, height=height))


def _drawn(one: Panel, x: float, y: float, colour: str) -> list[str]:
    room = SIDE - 12
    dots = "".join([f"M{x + 6 + room * a:.1f} {y + 6 + room * b:.1f}h0" for a, b in one.points])
    note = f"{len(one.points):,} states, mean cosine {one.cosine:.2f}"
    return [
        f'<rect x="{x:g}" y="{y:g}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#888" stroke-opacity="0.5"/>',
        f'<path d="{dots}" stroke="{colour}" stroke-width="2" stroke-linecap="round" stroke-opacity="0.5"/>',
        text(x + SIDE / 2, y + SIDE + 14, note, extra='font-size="10"'),
    ]


def decoder_states(folder: Path, documents: Sequence[Document], *, steps: int, most: int, seed: int) -> list[Matrix]:
    """Return up to `most` random states of the model in `folder` at each of 1 to `steps` steps after a separator."""
    import torch

    from phrasemill_lab.models.generation_examples import example_of
    from phrasemill_lab.models.generators import load
    from phrasemill_lab.networks.recurrent import RecurrentNetwork, separated_states

    learner: Any = load(folder)
    if not isinstance(learner.module, RecurrentNetwork) or learner.module.config.paradigm != "one2seq":
        raise SystemExit(f"{folder}: only CatSeq and CatSeqD write separators")
    source = np.random.default_rng(seed)
    examples = [example.masked() for one in documents if (example := example_of(one)) is not None]
    found: list[list[Matrix]] = [[] for _ in range(steps)]
    for first in range(0, len(examples), BATCH):
        batch = [learner.encode(example) for example in examples[first : first + BATCH]]
        with torch.inference_mode():
            states, after = separated_states(learner.module, learner.collate(batch, source))
        for step, chosen in enumerate(found, start=1):
            chosen.append(states[after == step].double().numpy())
    every = [np.concatenate(chosen) for chosen in found]
    return [one[np.sort(source.permutation(len(one))[:most])] for one in every]


def main() -> None:
    parser = options_parser(__doc__, data=False, measures=False)
    parser.add_argument("--data", type=Path, required=True, help="validation documents as JSON Lines")
    parser.add_argument("--model", action="append", required=True, metavar="NAME=DIR", help="once per row")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.svg")
    parser.add_argument("--steps", type=int, default=3, help="how many columns (default: %(default)s)")
    parser.add_argument("--states", type=int, default=2000, help="in each panel at most (default: %(default)s)")
    parser.add_argument("--documents", type=int, help="only the first N")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rows: dict[str, list[Panel]] = {}
    chosen = {"steps": options.steps, "most": options.states, "seed": options.seed}
    try:
        documents = read_documents(options.data, options.documents)
        for one in options.model:
            name, mark, folder = one.partition("=")
            if not mark:
                raise SystemExit(f"--model takes NAME=DIR, got {one!r}")
            states = decoder_states(Path(folder), documents, **chosen)
            rows[name] = [panel(each, seed=options.seed) for each in states]
            cosines = ", ".join(f"{one.cosine:.3f}" for one in rows[name])
            print(f"{name}: {', '.join(str(len(each)) for each in states)} states, mean cosine {cosines}")
    except (OSError, PhrasemillError) as error:
        raise SystemExit(str(error)) from None
    options.output.write_text(picture(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
