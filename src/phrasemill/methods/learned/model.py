"""A learned model: shapes, background, trees and calibration, in one file that is mapped into memory.

All styles share the first trees; each style has some more of its own, trained on top of those.
"""

import json
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from phrasemill import tensors
from phrasemill.errors import ModelError
from phrasemill.kernels import trees as kernel
from phrasemill.methods.learned.background import PHRASE_COLUMNS, WORD_COLUMNS, Background, Table, Vectors
from phrasemill.methods.learned.features import FEATURES, features
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.methods.learned.trees import COLUMNS as TREE_COLUMNS
from phrasemill.methods.learned.trees import Trees
from phrasemill.shipped import shipped
from phrasemill.types import Candidates

SHIPPED = shipped("learned_en.safetensors")
KIND = "learned model"
GENERAL = "general"
WIDTH = len(FEATURES)
WORDS = FEATURES.index("words")  # 0 for what stands in the list of references only
NOTHING_KNOWN = Background.empty()


@dataclass(frozen=True, slots=True, eq=False)
class Model:
    """Everything that `learned` needs: for each style its trees, and the line that makes log-odds of their sums."""

    language: str
    shapes: Shapes
    background: Background
    styles: Mapping[str, Trees]
    calibration: Mapping[str, tuple[float, float]]
    about: Mapping[str, object]

    def rows(self, candidates: Candidates) -> "array[float]":
        """The features of the candidates; without the tables where the text is in another language than theirs."""
        known = candidates.analysis.language == self.language
        return features(candidates, self.shapes, self.background if known else NOTHING_KNOWN)

    def probabilities(self, rows: "array[float]", style: str) -> "array[float]":
        """How likely each candidate is to be chosen as a keyphrase by people of that style."""
        slope, offset = self.calibration[style]
        return kernel.probabilities(self.styles[style].predict(rows, WIDTH), rows, WIDTH, WORDS, slope, offset)

    def save(self, path: Path) -> None:
        """Write the model; the same model gives the same bytes."""
        known, odds = self.shapes.known, self.shapes.odds
        background = self.background
        codes = sorted((code for code in range(len(known)) if known[code]), key=known.__getitem__)
        buffers: dict[str, array[Any]] = {
            "shapes.codes": array("i", codes),
            "shapes.odds": array("f", odds[1:]),
            "phrases.fingerprints": _array("I", background.phrases.fingerprints),
            "words.fingerprints": _array("I", background.words.fingerprints),
            "vectors.fingerprints": _array("I", background.vectors.fingerprints),
            "vectors.numbers": _array("b", background.vectors.numbers),
        }
        for name, table in (("phrases", background.phrases), ("words", background.words)):
            buffers |= {f"{name}.{column}": _array("B", table.columns[column]) for column in table.columns}
        some = next(iter(self.styles.values()))
        buffers |= {f"trees.{name}": _array(letter, getattr(some, name)) for name, letter in TREE_COLUMNS.items()}
        buffers |= {f"styles.{style}": _array("i", trees.numbers) for style, trees in self.styles.items()}
        metadata = {
            "kind": KIND,
            "features": ",".join(FEATURES),
            "language": self.language,
            "documents": str(background.documents),
            "dimensions": str(background.vectors.dimensions),
            "early": str(some.early),
            "least": json.dumps({style: trees.least for style, trees in self.styles.items()}, sort_keys=True),
            "calibration": json.dumps(dict(self.calibration), sort_keys=True),
            "about": json.dumps(dict(self.about), sort_keys=True),
        }
        tensors.save(path, buffers, metadata)


def _array(letter: str, column: Any) -> "array[Any]":
    return array(letter, bytes(memoryview(column).cast("B")))


@cache
def shipped_model() -> Model:
    """The model that comes with the package, opened once a process."""
    return load_model(SHIPPED)


def load_model(path: Path) -> Model:
    """The model at `path`; a `ModelError` says what is wrong with a file that is none."""
    file = tensors.load(path, kind=KIND)
    if file.metadata.get("features") != ",".join(FEATURES):
        raise ModelError(f"{path}: trained by another version, with other features; train it again")
    try:
        lines = json.loads(file.metadata["calibration"])
        calibration = {style: (float(slope), float(offset)) for style, (slope, offset) in lines.items()}
        about = json.loads(file.metadata["about"])
        least = {style: float(json.loads(file.metadata["least"])[style]) for style in calibration}
        odds = dict(zip(file["shapes.codes"], file["shapes.odds"], strict=True))
        shapes = Shapes.of(odds)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise ModelError(f"{path}: damaged, or of another version ({error})") from None
    columns: dict[str, Any] = {name: file[f"trees.{name}"] for name in TREE_COLUMNS} | {"early": file.number("early")}
    styles = {style: Trees(file[f"styles.{style}"], least=least[style], **columns) for style in calibration}
    background = Background(
        file.number("documents"),
        Table(file["phrases.fingerprints"], {name: file[f"phrases.{name}"] for name in PHRASE_COLUMNS}),
        Table(file["words.fingerprints"], {name: file[f"words.{name}"] for name in WORD_COLUMNS}),
        Vectors(file["vectors.fingerprints"], file["vectors.numbers"], file.number("dimensions")),
    )
    if not styles or not (background.sound and all(trees.sound(WIDTH) for trees in styles.values())):
        raise ModelError(f"{path}: damaged (its parts do not fit together)")
    return Model(file.metadata.get("language", ""), shapes, background, styles, calibration, about)
