"""A learned model: shapes, background and trees, in one file that is mapped into memory."""

import json
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from phrasemill import models
from phrasemill.errors import ModelError
from phrasemill.kernels.learned import Rows
from phrasemill.methods.learned.background import (
    FEATURES,
    PHRASE_COLUMNS,
    WIDTH,
    WORD_COLUMNS,
    Background,
    CountTable,
    Vectors,
)
from phrasemill.methods.learned.kinds import KindModel
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.methods.learned.trees import COLUMNS as TREE_COLUMNS
from phrasemill.methods.learned.trees import PREFIX, StyledTrees, copied
from phrasemill.methods.styles import GENERAL, TAGS
from phrasemill.models import reading, shipped
from phrasemill.types import Analysis, Candidates

SHIPPED = shipped("learned_en.safetensors")
MULTILINGUAL = shipped("learned_multilingual.safetensors")
KIND = "learned model"
STYLE_PREFIX = "styles."  # of the columns with the tree numbers of each style
COLUMNS = (
    dict.fromkeys(("phrases.fingerprints", "words.fingerprints", "vectors.fingerprints"), "I")
    | dict.fromkeys([f"phrases.{name}" for name in PHRASE_COLUMNS] + [f"words.{name}" for name in WORD_COLUMNS], "B")
    | {"vectors.numbers": "b", "shapes.codes": "i", "shapes.odds": "f"}
    | {PREFIX + name: letter for name, letter in TREE_COLUMNS.items()}
)
KIND_COLUMNS = {"kinds.fingerprints": "I", "kinds.words": "h", "kinds.form": "d", "kinds.smoothing": "d"}
NO_BACKGROUND = Background.empty()


@dataclass(frozen=True, slots=True, eq=False)
class LearnedModel:
    """The parts of `learned`; `about` says how it was trained. Without `kinds` there is one style."""

    language: str
    shapes: Shapes
    background: Background
    trees: StyledTrees
    kinds: KindModel | None
    about: Mapping[str, object]
    styles: tuple[str, ...] = field(init=False)  # those that may be asked for
    tables: Mapping[str, Background] = field(init=False)  # by the language of a text
    general: Callable[[Analysis], dict[str, float]] = field(init=False)  # the shares of styles by the kind of a text

    def __post_init__(self) -> None:
        object.__setattr__(self, "styles", tuple(sorted({GENERAL, *self.trees.styles})))
        object.__setattr__(self, "tables", {self.language: self.background})
        only = {next(iter(self.trees.styles)): 1.0}
        by_kind = partial(self.kinds.shares, tags=TAGS in self.trees.styles) if self.kinds else lambda _: only
        object.__setattr__(self, "general", by_kind)

    def mixture(self, analysis: Analysis, style: str) -> dict[str, float]:
        """Return the styles whose trees score a text, with their shares: those of its kind unless `style` has trees."""
        return {style: 1.0} if style in self.trees.styles else self.general(analysis)

    def rows(self, candidates: Candidates) -> Rows:
        """Return the features of the candidates; without the tables where the text is in another language."""
        return self.tables.get(candidates.analysis.language, NO_BACKGROUND).rows(candidates, self.shapes)

    def save(self, path: Path) -> None:
        """Write the model; the same model gives the same bytes."""
        known, odds = self.shapes.known, self.shapes.odds
        background, settings = self.background, self.trees.settings()
        codes = sorted((code for code in range(len(known)) if known[code]), key=known.__getitem__)
        buffers = self.trees.columns(STYLE_PREFIX) | {
            "shapes.codes": array("i", codes),
            "shapes.odds": array("f", odds[1:]),
            "phrases.fingerprints": copied("I", background.phrases.fingerprints),
            "words.fingerprints": copied("I", background.words.fingerprints),
            "vectors.fingerprints": copied("I", background.vectors.fingerprints),
            "vectors.numbers": copied("b", background.vectors.numbers),
        }
        for name, table in (("phrases", background.phrases), ("words", background.words)):
            buffers |= {f"{name}.{column}": copied("B", table.columns[column]) for column in table.columns}
        if self.kinds is not None:
            buffers |= self.kinds.columns()
        metadata = {
            "kind": KIND,
            "features": ",".join(FEATURES),
            "language": self.language,
            "documents": str(background.documents),
            "dimensions": str(background.vectors.dimensions),
            "stops": json.dumps(settings["stops"], sort_keys=True),
            "calibration": json.dumps(settings["calibration"], sort_keys=True),
            "kinds": " ".join(self.kinds.styles) if self.kinds is not None else "",
            "about": json.dumps(dict(self.about), sort_keys=True),
        }
        models.save(path, buffers, metadata)


@cache
def shipped_model() -> LearnedModel:
    """Return the English model that comes with the package, opened once per process."""
    return load_model(SHIPPED)


@cache
def multilingual_model() -> LearnedModel:
    """Return the model for all other languages, opened once per process."""
    return load_model(MULTILINGUAL)


@cache
def model_for(language: str) -> LearnedModel:
    """Return the shipped model for texts in a language."""
    model = shipped_model()
    return model if language == model.language else multilingual_model()


def load_model(path: Path) -> LearnedModel:
    """Return the model at `path`; raise a `ModelError` that says what is wrong with a damaged file."""
    with reading(path, KIND, COLUMNS, optional=KIND_COLUMNS) as file:
        if file.metadata.get("features") != ",".join(FEATURES):
            raise ModelError(f"{path}: trained by another version, with other features; train it again")
        background = Background(
            file.number("documents"),
            CountTable(file["phrases.fingerprints"], {name: file[f"phrases.{name}"] for name in PHRASE_COLUMNS}),
            CountTable(file["words.fingerprints"], {name: file[f"words.{name}"] for name in WORD_COLUMNS}),
            Vectors(file["vectors.fingerprints"], file["vectors.numbers"], file.number("dimensions")),
        )
        settings: dict[str, Any] = {name: json.loads(file.metadata[name]) for name in ("stops", "calibration")}
        trees = StyledTrees.read(file.buffers, STYLE_PREFIX, settings | {"width": WIDTH})
        shapes = Shapes.of(dict(zip(file["shapes.codes"], file["shapes.odds"], strict=True)))
        about = json.loads(file.metadata["about"])
        kinds = KindModel.read(file.buffers, file.metadata.get("kinds", "").split())
        if not background.sound or (kinds and not {*kinds.styles} <= trees.styles.keys()):
            raise ValueError("its tables do not fit together")
        return LearnedModel(file.metadata.get("language", ""), shapes, background, trees, kinds, about)
