"""The trees on top of the encoder: those of `learned`, trained with the span scorer's scores as further features.

They learn from documents that the scorer has not seen (`encoder.EncoderTraining`): otherwise they would rely on it more
than it deserves.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phrasemill.errors import DataError, InputError
from phrasemill.lab.training import checkpoints, learned_sources
from phrasemill.lab.training.encoder import FINAL, HELD, untrained
from phrasemill.lab.training.learned_examples import MoreColumns
from phrasemill.lab.training.learned_recipe import StyledTraining
from phrasemill.lab.training.loop import WEIGHTS
from phrasemill.lab.training.pretrained import bert_pieces
from phrasemill.lab.training.recipes import EncoderRecipe
from phrasemill.lab.training.sources import Source, number_of
from phrasemill.lab.training.span_examples import file_of
from phrasemill.methods.encoder.scorer import COLUMNS, NEVER, Pooled, columns
from phrasemill.methods.learned.model import WIDTH, shipped_model
from phrasemill.methods.learned.styled_trees import StyledTrees
from phrasemill.methods.writing import RUNTIME
from phrasemill.types import Document


@dataclass(slots=True)
class EncoderTreeTraining(StyledTraining):
    """The training of `learned`, with more columns; texts without tags are left to `learned` itself."""

    scores: Path = Path()

    def more_columns(self, source: Source) -> MoreColumns:
        found = read_scores(self.scores / f"{file_of(source)}.npz")

        def of(document: Document, count: int) -> NDArray[np.float32]:
            pooled = found.get(number_of(document), Pooled(*[np.full(count, NEVER, np.float32)] * 3))
            if len(pooled.best) != count:
                scored = len(pooled.best)
                raise DataError(f"{document.id}: {count} candidates, but {scored} scores; delete the prepared files")
            return columns(pooled)

        return of


def grow(data: Path, scores: Path, *, threads: int = 2) -> StyledTrees:
    """Train the trees, from the files in `data` and the scores of held-out documents."""
    known = shipped_model()
    left_out = learned_sources.test_titles(data)
    training = EncoderTreeTraining(
        data, known.shapes, known.background, left_out, threads=threads, bare=(), scores=scores
    )
    model = training.train()
    return StyledTrees(model.styles, model.calibration, WIDTH + len(COLUMNS))


def finish(recipe: EncoderRecipe, data: Path, folder: Path) -> Path:
    """Train the trees, and write scorer and trees as the method reads them."""
    return export(recipe, folder, grow(data, folder / HELD), folder / RUNTIME)


def export(recipe: EncoderRecipe, folder: Path, trees: StyledTrees, path: Path, *, int8: bool = True) -> Path:
    from phrasemill.lab.networks import span_export

    learner = untrained(recipe)
    checkpoints.load_weights(folder / FINAL / WEIGHTS, learner.module)
    others = {name: np.array(column) for name, column in trees.columns().items()}
    pieces = "\n".join(bert_pieces(recipe.start).pieces)
    span_export.export(learner.module, pieces, path, metadata=trees.metadata(), others=others, int8=int8)
    return path


def read_scores(path: Path) -> dict[int, Pooled]:
    """Read what `encoder.save_scores` wrote."""
    try:
        with np.load(path) as file:
            parts = {
                name: np.split(file[name].astype(np.float32), np.cumsum(file["count"])[:-1]) for name in Pooled._fields
            }
            places = file["place"].tolist()
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    return {place: Pooled(*row) for place, *row in zip(places, *parts.values(), strict=True)}
