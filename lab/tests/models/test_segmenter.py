"""Training a segmenter."""

from pathlib import Path

from phrasemill.text.languages import UPOS
from phrasemill.text.languages.segmentation import Segmenter
from phrasemill_lab.models.accuracy import words_right
from phrasemill_lab.models.segmenter import fit, save
from phrasemill_lab.models.segmenter_lattices import Lattices, Sentence

CLASSES = {"猫": "noun", "魚": "noun", "食べる": "verb", "見る": "verb", "は": "particle", "を": "particle"}
TAGS = {"noun": "NOUN", "verb": "VERB", "particle": "ADP"}


def sentence(*words: str) -> Sentence:
    spans, place = [], 0
    for word in words:
        spans.append((place, place + len(word), TAGS.get(CLASSES.get(word, ""), "PUNCT")))
        place += len(word)
    return Sentence("".join(words), tuple(spans))


SENTENCES = [
    sentence("猫", "は", "魚", "を", "食べる", "。"),
    sentence("魚", "は", "猫", "を", "見る", "。"),
    sentence("猫", "を", "見る", "。"),
]


def test_what_was_learnt_is_found_again_in_new_sentences_and_variants_of_characters(tmp_path: Path) -> None:
    path = tmp_path / "segmenter.safetensors"
    save(path, fit(Lattices(CLASSES, {"貓": "猫"}), SENTENCES, epochs=10, runs=1))
    made = Segmenter.load(path)
    assert words_right(made, SENTENCES) == (100, 100)
    start, _, _, tag = made.segment("貓は魚を見る。")
    assert list(start) == [0, 1, 2, 3, 4, 6]
    assert [UPOS[code] for code in tag] == ["NOUN", "ADP", "NOUN", "ADP", "VERB", "PUNCT"]
