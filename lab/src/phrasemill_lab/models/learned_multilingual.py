"""Makes the model of `learned` for languages other than English.

One set of trees for all languages: features are lengths, counts, places, word classes and how rare words are in the
language. `everyday` learns from texts in ten languages and in English (annotated by a language model), `author` from
French and English abstracts with their authors' keywords. `tags` has the trees of `author` and more, which learned
from the words of keyphrases. Some texts are also read without part-of-speech tags, as they are in languages that have
no tagger. The same data give the same bytes.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from phrasemill.kernels.shapes import FOREIGN, NAME, NOUN, NOUNS

from phrasemill.methods.learned.background import FEATURES, WIDTH, Background
from phrasemill.methods.learned.kinds import KindModel
from phrasemill.methods.learned.model import LearnedModel, multilingual_model
from phrasemill.methods.learned.trees import BoostedTrees, StyledTrees
from phrasemill.methods.styles import AUTHOR, EVERYDAY, TAGS
from phrasemill.training.trees import TreeColumns, calibrate
from phrasemill.types import Document
from phrasemill_lab.models.kinds import train_kinds
from phrasemill_lab.models.learned import FOLDS, ExampleReader, Stage, boosted, early_stops, one_thread, report
from phrasemill_lab.models.learned_sources import WORDS, test_titles
from phrasemill_lab.models.learned_tables import mine_shapes
from phrasemill_lab.models.sources import Source, number_of
from phrasemill_lab.models.tree_examples import TreeExamples, examples

LANGUAGES = "de es fr it ja nl pl pt ru zh".split()
PROSE = tuple([Source(f"everyday/{language}_train.jsonl.gz", EVERYDAY) for language in LANGUAGES])
ENGLISH = Source("everyday/en_train.jsonl.gz", EVERYDAY, weight=0.3)
ABSTRACTS = (
    Source("multilingual/papyrus_fr_train.jsonl.gz", AUTHOR, last=5000, share=0.3),
    Source("multilingual/papyrus_en_train.jsonl.gz", AUTHOR, last=1500, share=0.3),
    Source("keywords/train-10.jsonl.xz", AUTHOR, last=2500, share=0.3),
)
# Chinese and Japanese keyphrases cannot be split into words.
OF_WORDS = (
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
FIRST_CLASS, LAST_CLASS = map(FEATURES.index, ("first_class", "last_class"))
NOMINAL = (NOUN, NOUNS, NAME, FOREIGN)
LEAST = 20  # examples of a leaf
BARE = 0.25  # the weight of texts that are read without tags
SPECIAL = (0.6, 4)  # shapes that one language alone has
# The share of either style in any text. It costs half a point on the texts in ten languages, which a language model
# annotated, and gains three where people chose: they like names and single words, as tags and subject headings.
SMOOTHING = 0.4


def make(data: Path, output: Path, row: Mapping[str, Any]) -> None:
    """Write the model that is trained from the files in `data` that the sources above name."""
    with one_thread():
        train(data, row.get("seed", 1)).save(output)


def train(data: Path, seed: int) -> LearnedModel:
    shapes = mine_shapes({one.file: one.numbered_documents(data) for one in (*PROSE, ABSTRACTS[0])}, special=SPECIAL)
    report(f"{len(shapes.odds) - 1} shapes")
    read = ExampleReader(data, shapes, Background.empty(), test_titles(data)).read
    made = StylesInMaking(seed)
    made.add(EVERYDAY, read((*PROSE, ENGLISH)), read(PROSE, tagged=False, weight=BARE))
    made.add(AUTHOR, read(ABSTRACTS), read(ABSTRACTS[:1], tagged=False, weight=BARE))
    made.add_tags(read(OF_WORDS, labels=words_of_keyphrases))
    about = {"styles": {style: dict(stage._asdict()) for style, stage in STAGES.items()}}
    return LearnedModel(
        "", shapes, Background.empty(), StyledTrees(made.styles, made.calibration, WIDTH), kinds(data), about
    )


def words_of_keyphrases(keys: list[str], rows: NDArray[np.float32], gold: set[str]) -> list[bool]:
    """Return whether each candidate would be a tag: a noun or a name out of a keyphrase, or a keyphrase that is a name
    of several words."""
    words = {word for phrase in gold for word in phrase.split()}
    return [
        one in words and row[LAST_CLASS] in NOMINAL
        if row[WORDS] == 1
        else one in gold and row[FIRST_CLASS] == row[LAST_CLASS] == NAME
        for one, row in zip(keys, rows, strict=True)
    ]


@dataclass(slots=True)
class StylesInMaking:
    """The trees of the styles so far, and the lines that make log-odds of their sums."""

    seed: int
    columns: TreeColumns = field(default_factory=TreeColumns)
    styles: dict[str, BoostedTrees] = field(default_factory=dict)
    calibration: dict[str, tuple[float, float]] = field(default_factory=dict)

    def add(self, style: str, tagged: TreeExamples, bare: TreeExamples) -> None:
        """Train the trees of a style on texts that are read with part-of-speech tags and without."""
        scores = _by_folds(tagged, bare, STAGES[style], self.seed)
        own = boosted(TreeExamples.joined([tagged, bare]), STAGES[style], self.seed, least=LEAST)
        self.styles[style] = self.columns.trees(self.columns.add(own), early_stops(own, tagged, scores))
        self.calibration[style] = calibrate(scores, tagged.labels, tagged.weights)
        report(f"{style}: calibration {self.calibration[style]}")

    def add_tags(self, found: TreeExamples) -> None:
        """Train the trees of tags, and have those of the authors' choice beside them: the odds are multiplied."""
        author = self.styles[AUTHOR].numbers
        rows = found.rows.copy()
        rows[:, OF_DOCUMENTS] = 0
        alike = replace(found, rows=rows)
        below = self.columns.trees(author).predict(array("f", found.rows.tobytes()), WIDTH)
        none = alike.only(alike.labels > 1)
        scores = np.frombuffer(below, dtype=np.float64) + _by_folds(alike, none, STAGES[TAGS], self.seed)
        numbers = self.columns.add(boosted(alike, STAGES[TAGS], self.seed, least=LEAST)) + array("i", author)
        # No early stops: both parts bring their own base rate, so that a sum halfway would be too high.
        self.styles[TAGS] = self.columns.trees(numbers, ())
        middle, spread = float(scores.mean()), float(scores.std())
        slope, offset = calibrate((scores - middle) / spread, found.labels, found.weights)
        self.calibration[TAGS] = slope / spread, offset - slope * middle / spread
        report(f"{TAGS}: calibration {self.calibration[TAGS]}")


def _by_folds(tagged: TreeExamples, bare: TreeExamples, stage: Stage, seed: int) -> NDArray[np.float64]:
    """Return the scores of documents by trees that have not seen them."""
    scores = np.zeros(len(tagged.labels))
    for fold in range(FOLDS):
        inside = tagged.documents % FOLDS == fold
        seen = [tagged.only(~inside), bare.only(bare.documents % FOLDS != fold)]
        own = boosted(TreeExamples.joined(seen), stage, seed, least=LEAST)
        scores[inside] = own.predict(tagged.rows[inside], raw_score=True)
    return scores


def kinds(data: Path) -> KindModel:
    """Train the model that recognises the kind of a text."""
    left_out = test_titles(data)
    documents = (
        (document, source.style)
        for source in (*PROSE, *SCIENCE)
        for document in source.numbered_documents(data, left_out)
    )
    return train_kinds(documents, strength=0.3, smoothing=SMOOTHING, most_words=0)


class Fold(NamedTuple):
    """A model, and the documents that its trees have not seen."""

    model: LearnedModel
    held_out: list[Document]


def folded(data: Path, folds: int) -> Iterator[Fold]:
    """Yield a model for each fold of the everyday texts: the shipped one has learned from all there are. Only the trees
    of `everyday` are trained anew, without the fold's texts."""
    shipped = multilingual_model()
    every = [one for source in PROSE for one in source.numbered_documents(data)]
    documents = [[one for one in every if number_of(one) % folds == fold] for fold in range(folds)]

    def read(some: Iterable[Document], **how: Any) -> TreeExamples:
        return examples(some, shipped.shapes, Background.empty(), **how)

    english = read(ENGLISH.numbered_documents(data), weight=ENGLISH.weight)
    parts = [TreeExamples.joined([read(some), read(some, weight=BARE, tagged=False)]) for some in documents]
    for fold, held_out in enumerate(documents):
        seen = TreeExamples.joined([english, *parts[:fold], *parts[fold + 1 :]])
        columns = TreeColumns.of(shipped.trees.styles[AUTHOR])
        numbers = columns.add(boosted(seen, STAGES[EVERYDAY], 1, least=LEAST))
        styles = {style: columns.trees(trees.numbers, trees.stops) for style, trees in shipped.trees.styles.items()}
        styles[EVERYDAY] = columns.trees(numbers)
        yield Fold(replace(shipped, trees=StyledTrees(styles, shipped.trees.calibration, WIDTH)), held_out)
