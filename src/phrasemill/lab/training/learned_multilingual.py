"""Trains the model of `learned` for languages other than English, which ships with the package.

    python -m phrasemill.lab.training.learned_multilingual --data DIR \\
        --output src/phrasemill/data/learned_multilingual.safetensors

One set of trees for all languages: features are lengths, counts, places, word classes and how rare words are in the
language. `everyday` learns from texts in ten languages and in English (annotated by a language model), `author` from
French and English abstracts with their authors' keywords. Some texts are also read without tags, as they are in
languages that have no tagger. The same data give the same bytes.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phrasemill.lab.training import learned_sources
from phrasemill.lab.training.boosting import TreeColumns, TreeExamples, boost, calibrate
from phrasemill.lab.training.kinds import train_kinds
from phrasemill.lab.training.learned_examples import examples
from phrasemill.lab.training.learned_recipe import FOLDS, STOPS, Stage, command, lowest, report
from phrasemill.lab.training.learned_tables import mine_shapes
from phrasemill.lab.training.sources import Source
from phrasemill.methods.learned.background import Background
from phrasemill.methods.learned.model import WIDTH, LearnedModel
from phrasemill.methods.learned.trees import StyledTrees
from phrasemill.methods.styles import AUTHOR, EVERYDAY

LANGUAGES = "de es fr it ja nl pl pt ru zh".split()
PROSE = tuple([Source(f"everyday/{language}_train.jsonl.gz", EVERYDAY) for language in LANGUAGES])
ENGLISH = Source("everyday/en_train.jsonl.gz", EVERYDAY, weight=0.3)
ABSTRACTS = (
    Source("multilingual/papyrus_fr_train.jsonl.gz", AUTHOR, last=5000, share=0.3),
    Source("multilingual/papyrus_en_train.jsonl.gz", AUTHOR, last=1500, share=0.3),
    Source("keywords/train-10.jsonl.xz", AUTHOR, last=2500, share=0.3),
)
STAGES = {EVERYDAY: Stage(300, 31, 0.06), AUTHOR: Stage(250, 31, 0.08)}
BARE = 0.25  # the weight of texts that are read without tags
SPECIAL = (0.6, 4)  # shapes that one language alone has
# The share of either style in any text. It costs half a point on the texts in ten languages, which a language model
# annotated, and gains three where people chose: they like names and single words, as tags and subject headings.
SMOOTHING = 0.4


def train_multilingual(data: Path) -> LearnedModel:
    """Train the model from the files in `data`."""
    shapes = mine_shapes({one.file: one.numbered_documents(data) for one in (*PROSE, ABSTRACTS[0])}, special=SPECIAL)
    report(f"{len(shapes.odds) - 1} shapes")
    left_out = learned_sources.test_titles(data)

    def read(sources: tuple[Source, ...], *, tagged: bool = True, weight: float = 1.0) -> TreeExamples:
        parts = []
        for one in sources:
            documents = one.numbered_documents(data, left_out)
            found = examples(
                documents, shapes, Background.empty(), share=one.share, weight=weight * one.weight, tagged=tagged
            )
            parts.append(found)
            report(f"{one.file}: {len(found.labels):,} candidates, {int(found.labels.sum()):,} keyphrases")
        return TreeExamples.joined(parts)

    of_style = {
        EVERYDAY: [read((*PROSE, ENGLISH)), read(PROSE, tagged=False, weight=BARE)],
        AUTHOR: [read(ABSTRACTS), read(ABSTRACTS[:1], tagged=False, weight=BARE)],
    }
    columns, styles, calibration = TreeColumns(), {}, {}
    for style, (tagged, bare) in of_style.items():
        scores = _by_folds(tagged, bare, STAGES[style])
        own = _boost(TreeExamples.joined([tagged, bare]), STAGES[style])
        stops = []
        for number in STOPS:
            first = own.predict(tagged.rows, raw_score=True, num_iteration=number)
            stops.append((number, lowest(first, scores, tagged)))
        styles[style] = columns.trees(columns.add(own), tuple(stops))
        calibration[style] = calibrate(scores, tagged.labels, tagged.weights)
        report(f"{style}: calibration {calibration[style]}")
    kinds = train_kinds(
        (
            (document, source.style)
            for source in (*PROSE, *ABSTRACTS)
            for document in source.numbered_documents(data, left_out)
        ),
        most_words=0,
    )
    kinds = replace(kinds, smoothing=SMOOTHING)
    about = {"styles": {style: dict(stage._asdict()) for style, stage in STAGES.items()}}
    return LearnedModel("", shapes, Background.empty(), StyledTrees(styles, calibration, WIDTH), kinds, about)


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
    command(train_multilingual, __doc__)
