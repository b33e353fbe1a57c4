"""The statistics of words are the same on first sight, later, and after all were dropped."""

from array import array

import pytest

from phrasemill.kernels import hashing
from phrasemill.methods.learned import features as module
from phrasemill.methods.learned.background import Background, CountTable, Vectors
from phrasemill.methods.learned.features import features, known_words
from phrasemill.methods.learned.shapes import Shapes
from phrasemill.text.analyse import analyse
from phrasemill.text.word_frequencies import word_frequencies

TEXTS = ["deep networks learn", "networks of networks", "deep sea", "a deep network learns networks"]


@pytest.fixture
def background() -> Background:
    hashes = hashing.stem_hashes(["deep", "network"])
    counts = {"df": [9, 40], "chosen": [1, 9], "head": [0, 8], "first": [1, 1]}
    vectors = Vectors.of(hashes, [[0.6, 0.8], [0.0, 1.0]], 2)
    return Background(100, CountTable.of(array("Q"), {"df": [], "chosen": []}), CountTable.of(hashes, counts), vectors)


def rows(background: Background) -> list["array[float]"]:
    shapes = Shapes.of({0x1: 0.5, 0x2: 0.1, 0x4: 0.2, 0x41: 1.0, 0x42: 1.1})
    return [features(shapes.propose(analyse(text)), shapes, background) for text in TEXTS]


def test_words_are_looked_up_once(background: Background) -> None:
    lender = known_words(background, word_frequencies("en"))
    known = lender.borrow()
    for words, number in ((["deep", "sea", "xqzv"], [1, 2, 0]), (["xqzv", "deep", "network"], [0, 1, 3])):
        hashes = hashing.stem_hashes(words)
        closeness, place, rows = known.look_up(hashes, array("i", [1, 1, 1]))
        assert known.known.look_up(hashes)[0].tolist() == number
        assert [rows[6 * one : 6 * one + 6] for one in place] == [known.statistics[6 * n : 6 * n + 6] for n in number]
        assert closeness[words.index("xqzv")] == 0 < closeness[words.index("deep")]
    assert len(known.vectors) == 2 * 4 and len(known.known) == 3, "no room for a word that no table has"
    lender.give_back(known)
    assert known_words(background, word_frequencies("en")).borrow() is known


def test_dropping_all_words_changes_nothing(background: Background, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = rows(background)
    assert rows(background) == expected
    monkeypatch.setattr(module, "MOST_WORDS", 1)
    assert rows(background) == expected
    assert not len(known_words(background, word_frequencies("en")).borrow().known)
