"""The trees on top of the encoder: those of `learned`, grown anew with what the encoder says of each candidate.

They learn from documents that the scorer which speaks has not seen (`encoder.Training`): otherwise they would trust it
more than it deserves.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from phrasemill.errors import DataError, InputError
from phrasemill.lab.training import checkpoints, learned_sources
from phrasemill.lab.training.encoder import FINAL, HELD, begun, name_of
from phrasemill.lab.training.encoder import Recipe as EncoderRecipe
from phrasemill.lab.training.generation import WEIGHTS
from phrasemill.lab.training.learned_examples import Beside
from phrasemill.lab.training.learned_recipe import Recipe
from phrasemill.lab.training.learned_sources import Source
from phrasemill.lab.training.pretrained import bert_pieces
from phrasemill.lab.training.span_examples import place_of
from phrasemill.methods.encoder import STYLE_PREFIX
from phrasemill.methods.encoder.pool import NEVER, Pooled, columns
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.writing import RUNTIME
from phrasemill.types import Document

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(slots=True)
class EncoderTrees(Recipe):
    """The recipe of `learned`, with more columns; texts without tags are left to `learned` itself."""

    scores: Path = Path()

    def beside(self, source: Source) -> Beside:
        found = read_scores(self.scores / f"{name_of(source)}.npz")

        def of(document: Document, count: int) -> "NDArray[np.float32]":
            pooled = found.get(source.first + place_of(document), Pooled(*[np.full(count, NEVER, np.float32)] * 3))
            if len(pooled.best) != count:
                raise DataError(f"{document.id}: {count} candidates, but scores of {len(pooled.best)}; prepare again")
            return columns(pooled)

        return of


def grow(data: Path, scores: Path, *, threads: int = 2) -> StyledTrees:
    """The trees, from the files in `data` and the scores that training left."""
    known = shipped_model()
    left_out = learned_sources.test_titles(data)
    recipe = EncoderTrees(data, known.shapes, known.background, left_out, threads=threads, bare=(), scores=scores)
    return recipe.train().trees


def finish(recipe: EncoderRecipe, data: Path, folder: Path) -> Path:
    """Grow the trees, and write scorer and trees as the method reads them."""
    return export(recipe, folder, grow(data, folder / HELD), folder / RUNTIME)


def export(recipe: EncoderRecipe, folder: Path, trees: StyledTrees, path: Path, *, int8: bool = True) -> Path:
    from phrasemill.lab.networks import span_export

    learner = begun(recipe)
    checkpoints.load_weights(folder / FINAL / WEIGHTS, learner.module)
    beside = {name: np.array(column) for name, column in trees.columns(STYLE_PREFIX).items()}
    pieces = "\n".join(bert_pieces(recipe.start).pieces)
    metadata = {"trees": json.dumps(trees.settings(), sort_keys=True)}
    span_export.export(learner.module, pieces, path, metadata=metadata, beside=beside, int8=int8)
    return path


def read_scores(path: Path) -> dict[int, Pooled]:
    """What `encoder.save_scores` wrote."""
    try:
        with np.load(path) as file:
            parts = {
                name: np.split(file[name].astype(np.float32), np.cumsum(file["count"])[:-1]) for name in Pooled._fields
            }
            places = file["place"].tolist()
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
    return {place: Pooled(*row) for place, *row in zip(places, *parts.values(), strict=True)}
