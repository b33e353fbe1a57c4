"""The trees of tags learn from the words of keyphrases, and stand on those of the authors' choice."""

import gzip
import json
from array import array
from pathlib import Path

import numpy as np
import pytest

from phrasemill.methods.learned.model import multilingual_model
from phrasemill.methods.learned.shapes import ADJECTIVE, NAME, NOUN
from phrasemill.methods.styles import AUTHOR, TAGS
from phrasemill.training.boosting import TreeColumns
from phrasemill.training.learned_examples import FIRST_CLASS, LAST_CLASS, WIDTH, WORDS, words_of_keyphrases
from phrasemill_lab.models import learned_multilingual
from phrasemill_lab.models.learned import Stage
from phrasemill_lab.models.learned_multilingual import MultilingualTraining
from phrasemill_lab.training.sources import Source

TEXT = "Die Stadtwerke sanieren das alte Wasserwerk am Hafen. Das Wasserwerk {} liefert Trinkwasser für die Stadt."


@pytest.mark.parametrize(
    ("key", "first", "last", "tag"),
    [
        ("wasserwerk", NOUN, NOUN, True),  # out of a keyphrase
        ("alt", ADJECTIVE, ADJECTIVE, False),  # likewise, but no noun
        ("stadt", NOUN, NOUN, False),
        ("alt wasserwerk", ADJECTIVE, NOUN, False),  # a keyphrase, but no name
        ("anna berg", NAME, NAME, True),
        ("berg anna", NAME, NAME, False),
    ],
)
def test_tags_are_nouns_out_of_keyphrases_and_names(key: str, first: int, last: int, tag: bool) -> None:
    row = np.zeros((1, WIDTH), np.float32)
    row[0, [WORDS, FIRST_CLASS, LAST_CLASS]] = len(key.split()), first, last
    assert words_of_keyphrases([key], row, {"alt wasserwerk", "anna berg"}) == [tag]


@pytest.mark.training
def test_tags_stand_on_the_trees_of_authors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("lightgbm")
    with gzip.open(tmp_path / "de.jsonl.gz", "wt", encoding="utf-8") as file:
        for number in range(20):
            record = {"id": str(number), "language": "de", "title": "", "text": TEXT.format(number)}
            file.write(json.dumps(record | {"keyphrases": ["alte Wasserwerk", "Trinkwasser"]}) + "\n")
    monkeypatch.setattr(learned_multilingual, "STAGES", {TAGS: Stage(3, 4, 0.1)})
    shipped = multilingual_model()
    training = MultilingualTraining(tmp_path, shipped.shapes, frozenset())
    training.columns = TreeColumns.of(shipped.trees.styles[AUTHOR])
    training.styles = dict(shipped.trees.styles)
    training.add_tags(training.read((Source("de.jsonl.gz"),), labels=words_of_keyphrases))
    numbers = training.styles[TAGS].numbers
    assert numbers[3:] == array("i", shipped.trees.styles[AUTHOR].numbers)
    assert len(numbers) == 3 + len(shipped.trees.styles[AUTHOR].numbers)
    slope, _ = training.calibration[TAGS]
    assert slope > 0, "more is likelier"
