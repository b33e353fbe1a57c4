"""Trains the model of `learned` for languages other than English, which ships with the package.

    python -m phrasemill_lab.models.learned_multilingual --data DIR \\
        --output src/phrasemill/data/learned_multilingual.safetensors
    python -m phrasemill_lab.models.learned_multilingual --data DIR --output NEW.safetensors \\
        --kinds-for OLD.safetensors

The second keeps the trees and shapes of a model and trains only what recognises the kind of a text.

One set of trees for all languages: features are lengths, counts, places, word classes and how rare words are in the
language. `everyday` learns from texts in ten languages and in English (annotated by a language model), `author` from
French and English abstracts with their authors' keywords. `tags` has the trees of `author` and more, which learned
from the words of keyphrases. Some texts are also read without part-of-speech tags, as they are in languages that have
no tagger. The same data give the same bytes.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phrasemill.methods.learned.background import Background
from phrasemill.methods.learned.features import FEATURES
from phrasemill.methods.learned.kinds import KindModel
from phrasemill.methods.learned.model import WIDTH, LearnedModel, load_model
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.methods.learned.trees import BoostedTrees, StyledTrees
from phrasemill.methods.styles import AUTHOR, EVERYDAY, TAGS
from phrasemill.training.boosting import TreeColumns, TreeExamples, boost, calibrate
from phrasemill.training.learned_examples import Labels, chosen, examples, words_of_keyphrases
from phrasemill_lab.models import learned_sources
from phrasemill_lab.models.kinds import train_kinds
from phrasemill_lab.models.learned import FOLDS, STOPS, Stage, command, lowest, one_thread, report
from phrasemill_lab.models.learned_tables import mine_shapes
from phrasemill_lab.training.sources import Source

LANGUAGES = "de es fr it ja nl pl pt ru zh".split()
PROSE = tuple([Source(f"everyday/{language}_train.jsonl.gz", EVERYDAY) for language in LANGUAGES])
ENGLISH = Source("everyday/en_train.jsonl.gz", EVERYDAY, weight=0.3)
ABSTRACTS = (
    Source("multilingual/papyrus_fr_train.jsonl.gz", AUTHOR, last=5000, share=0.3),
    Source("multilingual/papyrus_en_train.jsonl.gz", AUTHOR, last=1500, share=0.3),
    Source("keywords/train-10.jsonl.xz", AUTHOR, last=2500, share=0.3),
)
# Chinese and Japanese keyphrases cannot be split into words.
WORDS = (
    *(one for one in PROSE if one.file[9:11] not in ("ja", "zh")),
    Source("multilingual/papyrus_fr_train.jsonl.gz", TAGS, last=2000, share=0.5, weight=0.5),
    Source("everyday/en_train.jsonl.gz", TAGS, last=500, share=0.5, weight=0.5),
)
# What the kinds of texts are recognised by, besides everyday prose.
SCIENCE = (
    *(replace(one, last=800) for one in ABSTRACTS),
    Source("cstr_train.jsonl.gz", AUTHOR, last=60),
    Source("krapivin_train.jsonl.gz", AUTHOR, last=60),
    Source("pubmed_schutz_train.jsonl.gz", AUTHOR, last=60),
    Source("semeval2010_official_train.jsonl.gz", AUTHOR, gold="combined", last=60),
)
STAGES = {EVERYDAY: Stage(300, 31, 0.06), AUTHOR: Stage(250, 31, 0.08), TAGS: Stage(60, 7, 0.1)}
# What `tags` does not learn from: texts with tags are longer than those with keyphrases to learn from.
OF_DOCUMENTS = [i for i, name in enumerate(FEATURES) if name.startswith("document_")]
BARE = 0.25  # the weight of texts that are read without tags
SPECIAL = (0.6, 4)  # shapes that one language alone has
# The share of either style in any text. It costs half a point on the texts in ten languages, which a language model
# annotated, and gains three where people chose: they like names and single words, as tags and subject headings.
SMOOTHING = 0.4


def train_multilingual(data: Path) -> LearnedModel:
    """Train the model from the files in `data`."""
    shapes = mine_shapes({one.file: one.numbered_documents(data) for one in (*PROSE, ABSTRACTS[0])}, special=SPECIAL)
    report(f"{len(shapes.odds) - 1} shapes")
    training = MultilingualTraining(data, shapes, learned_sources.test_titles(data))
    read = training.read
    training.add(EVERYDAY, read((*PROSE, ENGLISH)), read(PROSE, tagged=False, weight=BARE))
    training.add(AUTHOR, read(ABSTRACTS), read(ABSTRACTS[:1], tagged=False, weight=BARE))
    training.add_tags(read(WORDS, labels=words_of_keyphrases))
    return training.model()


def retrain_kinds(data: Path, model: Path) -> LearnedModel:
    """Return a model with another recognition of kinds, trained from the files in `data`."""
    found = load_model(model)
    training = MultilingualTraining(data, found.shapes, learned_sources.test_titles(data))
    with one_thread():
        return replace(found, kinds=training.kinds())


@dataclass(slots=True)
class MultilingualTraining:
    """The trees of the styles so far, and the lines that make log-odds of their sums."""

    data: Path
    shapes: Shapes
    left_out: frozenset[str]
    columns: TreeColumns = field(default_factory=TreeColumns)
    styles: dict[str, BoostedTrees] = field(default_factory=dict)
    calibration: dict[str, tuple[float, float]] = field(default_factory=dict)

    def read(
        self, sources: Sequence[Source], *, labels: Labels = chosen, tagged: bool = True, weight: float = 1.0
    ) -> TreeExamples:
        """Return the examples of some sources."""
        parts = []
        for one in sources:
            found = examples(
                one.numbered_documents(self.data, self.left_out),
                self.shapes,
                Background.empty(),
                labels=labels,
                share=one.share,
                weight=weight * one.weight,
                tagged=tagged,
            )
            parts.append(found)
            report(f"{one.file}: {len(found.labels):,} candidates, {int(found.labels.sum()):,} keyphrases")
        return TreeExamples.joined(parts)

    def add(self, style: str, tagged: TreeExamples, bare: TreeExamples) -> None:
        """Train the trees of a style on texts that are read with part-of-speech tags and without."""
        scores = _by_folds(tagged, bare, STAGES[style])
        own = _boost(TreeExamples.joined([tagged, bare]), STAGES[style])
        stops = []
        for number in STOPS:
            first = own.predict(tagged.rows, raw_score=True, num_iteration=number)
            stops.append((number, lowest(first, scores, tagged)))
        self.styles[style] = self.columns.trees(self.columns.add(own), tuple(stops))
        self.calibration[style] = calibrate(scores, tagged.labels, tagged.weights)
        report(f"{style}: calibration {self.calibration[style]}")

    def add_tags(self, found: TreeExamples) -> None:
        """Train the trees of tags, and have those of the authors' choice beside them: the odds are multiplied."""
        author = self.styles[AUTHOR].numbers
        rows = found.rows.copy()
        rows[:, OF_DOCUMENTS] = 0
        alike = replace(found, rows=rows)
        scores = _sums(self.columns, author, found) + _by_folds(alike, alike.only(alike.labels > 1), STAGES[TAGS])
        numbers = self.columns.add(_boost(alike, STAGES[TAGS])) + array("i", author)
        # No early stops: both parts bring their own base rate, so that a sum halfway would be too high.
        self.styles[TAGS] = self.columns.trees(numbers, ())
        middle, spread = float(scores.mean()), float(scores.std())
        slope, offset = calibrate((scores - middle) / spread, found.labels, found.weights)
        self.calibration[TAGS] = slope / spread, offset - slope * middle / spread
        report(f"{TAGS}: calibration {self.calibration[TAGS]}")

    def model(self) -> LearnedModel:
        """Return the model, with the recognition of the kind of a text."""
        about = {"styles": {style: dict(stage._asdict()) for style, stage in STAGES.items()}}
        trees = StyledTrees(self.styles, self.calibration, WIDTH)
        return LearnedModel("", self.shapes, Background.empty(), trees, self.kinds(), about)

    def kinds(self) -> KindModel:
        """Train the model that recognises the kind of a text."""
        documents = (
            (document, source.style)
            for source in (*PROSE, *SCIENCE)
            for document in source.numbered_documents(self.data, self.left_out)
        )
        return train_kinds(documents, strength=0.3, smoothing=SMOOTHING, most_words=0)


def _sums(columns: TreeColumns, numbers: "array[int]", found: TreeExamples) -> NDArray[np.float64]:
    """Return the sums of the leaves of some trees."""
    sums = columns.trees(numbers).predict(array("f", found.rows.tobytes()), WIDTH)
    return np.frombuffer(sums, dtype=np.float64)


def _boost(found: TreeExamples, stage: Stage) -> Any:
    return boost(found, trees=stage.trees, leaves=stage.leaves, rate=stage.rate, least=20)


def _by_folds(tagged: TreeExamples, bare: TreeExamples, stage: Stage) -> NDArray[np.float64]:
    """Return the scores of documents by trees that have not seen them."""
    scores = np.zeros(len(tagged.labels))
    for fold in range(FOLDS):
        inside = tagged.documents % FOLDS == fold
        seen = [tagged.only(~inside), bare.only(bare.documents % FOLDS != fold)]
        scores[inside] = _boost(TreeExamples.joined(seen), stage).predict(tagged.rows[inside], raw_score=True)
    return scores


if __name__ == "__main__":
    command(train_multilingual, __doc__, retrain_kinds)
