from pathlib import Path

import pytest

from phrasemill.errors import ModelError
from phrasemill.methods.generator.words import END, SEPARATOR, SPECIALS, UNKNOWN, WordVocabulary

WORDS = WordVocabulary((*SPECIALS, "of", "salt", "water"))


def test_the_most_frequent_words_are_kept_and_equals_go_by_alphabet() -> None:
    texts = [["b", "a", "c", "c"], ["d", "<sep>", "<sep>", "<sep>"]]
    assert WordVocabulary.count(texts, size=8).words == (*SPECIALS, "c", "a", "b")
    assert WordVocabulary.count(reversed(texts), size=8) == WordVocabulary.count(texts, size=8)


def test_unknown_words_of_a_source_are_numbered_from_the_size_up() -> None:
    numbers, unknown = WORDS.source(["salt", "brine", "of", "lagoon", "brine"])
    assert numbers == [6, 8, 5, 9, 8]
    assert unknown == ("brine", "lagoon")
    assert WORDS.target(["lagoon", "water", "reef"], unknown) == [9, 7, UNKNOWN]
    assert WORDS.decode([9, SEPARATOR, 7, UNKNOWN, END], unknown) == ("lagoon", "water", "<unk>")


def test_a_word_that_looks_like_a_mark_is_a_word() -> None:
    numbers, unknown = WORDS.source(["<sep>", "salt", "<eos>"])
    assert numbers == [8, 6, 9]
    assert unknown == ("<sep>", "<eos>")


def test_saved_words_come_back(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    words = WordVocabulary((*SPECIALS, "naïve", "\u2028", "x\r", "<digit>"))
    words.save(path)
    assert WordVocabulary.load(path) == words


@pytest.mark.parametrize("text", [b"", b"salt\nwater\n", b"\xff\xfe\n", "\n".join((*SPECIALS, "a", "a", "")).encode()])
def test_a_damaged_vocabulary_is_refused(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(text)
    with pytest.raises(ModelError, match="not a vocabulary"):
        WordVocabulary.load(path)


def test_a_missing_vocabulary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not a vocabulary"):
        WordVocabulary.load(tmp_path / "none.txt")
