import pytest

from phrasemill.errors import ModelError
from phrasemill.methods.generator.words import END, SEPARATOR, SPECIALS, UNKNOWN, WordVocabulary

WORDS = WordVocabulary((*SPECIALS, "of", "salt", "water"))


def test_unknown_words_of_a_source_are_numbered_from_the_size_up() -> None:
    numbers, unknown = WORDS.source(["salt", "brine", "of", "lagoon", "brine"])
    assert numbers == [6, 8, 5, 9, 8]
    assert unknown == ("brine", "lagoon")
    assert WORDS.decode([9, SEPARATOR, 7, UNKNOWN, END], unknown) == ("lagoon", "water", "<unk>")


def test_a_word_that_looks_like_a_mark_is_a_word() -> None:
    numbers, unknown = WORDS.source(["<sep>", "salt", "<eos>"])
    assert numbers == [8, 6, 9]
    assert unknown == ("<sep>", "<eos>")


@pytest.mark.parametrize("words", [("salt",), (*SPECIALS, "a", "a")])
def test_what_is_no_vocabulary_is_refused(words: tuple[str, ...]) -> None:
    with pytest.raises(ModelError, match="not a vocabulary"):
        WordVocabulary(words)
