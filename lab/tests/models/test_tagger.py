"""The tagger of English: its training data, a toy model."""

from pathlib import Path

import pytest

from phrasemill.errors import DataError
from phrasemill.text.tag import load_tagger
from phrasemill_lab.models import tagger, tagger_data
from phrasemill_lab.models.accuracy import tags_right
from phrasemill_lab.models.tagger import TaggerRecipe
from phrasemill_lab.models.tagger_data import TaggedSentence

SENTENCES = [
    "The/DT small/JJ boats/NNS crossed/VBD the/DT river/NN slowly/RB ./.",
    "Two/CD hundred/CD patients/NNS were/VBD treated/VBN with/IN aspirin/NN (/-LRB- 75/CD mg/NN )/-RRB- ./.",
    "He/PRP said/VBD ,/, \"/`` We/PRP will/MD win/VB ./. \"/''",
    "Birds/NNS sing/VBP ./.",
    "They/PRP sing/VBP songs/NNS ./.",
    "Sing/VB !/.",
]


def test_toy_training_learns_its_corpus_and_is_deterministic(tmp_path: Path) -> None:
    pairs = [[token.rsplit("/", 1) for token in text.split()] for text in SENTENCES]
    toy = [TaggedSentence("train", *zip(*pair, strict=True)) for pair in pairs]
    for name in ("toy", "again"):
        tagger.fit(tmp_path / name, tagger.corpus(toy * 3), TaggerRecipe(epochs=8, prune=1))
    assert tags_right(load_tagger(tmp_path / "toy"), toy) == (38, 100)
    assert (tmp_path / "again").read_bytes() == (tmp_path / "toy").read_bytes()


def test_words_come_as_text_has_them_and_tags_as_penn_has_them() -> None:
    tokens = {
        ("-LRB-", "-LRB-"): ("(", "-LRB-"),
        ("``", "``"): ('"', "``"),
        ("and\\/or", "CC"): ("and/or", "CC"),
        ("-", "HYPH"): ("-", ":"),
        ("to", "IN"): ("to", "TO"),
        ("x@y.org", "ADD"): ("x@y.org", "NN"),
        (")", "FW"): (")", "-RRB-"),
    }
    assert [tagger_data._pair(*token, False) for token in tokens] == list(tokens.values())
    amount = [("$", "$"), ("5", "CD"), ("or", "CC"), ("20", "CD"), ("%", "NN")]
    assert tagger_data._merged(amount) == [("$5", "CD"), ("or", "CC"), ("20%", "CD")]


def test_a_document_is_in_one_part_only_and_an_empty_folder_is_an_error(tmp_path: Path) -> None:
    parts = [tagger_data.split(f"source/{number}") for number in range(2000)]
    assert parts == [tagger_data.split(f"source/{number}") for number in range(2000)]
    assert 150 < parts.count("test") < 250
    assert 70 < parts.count("dev") < 130
    with pytest.raises(DataError):
        next(tagger_data.read(tmp_path))
