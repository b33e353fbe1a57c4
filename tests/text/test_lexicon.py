"""What a lexicon computes of each word type."""

import string

from hypothesis import given
from hypothesis import strategies as st

from phrasemill import kernels
from phrasemill.kernels import word_types
from phrasemill.text.lexicon import CAPITAL_TERMS, Lexicon

WORDS = st.text(string.ascii_letters + "-", min_size=1, max_size=8) | st.sampled_from(
    ["The", "the", "THE", "IT", "It", "us", "A-B", "a-B", "A-b", "the-", "-the"]
)


@given(WORDS)
def test_words_of_ascii_letters_and_hyphens_are_like_any_other(word: str) -> None:
    stopwords = frozenset({"the", "it", "us", "a", "a-b"})
    lexicon = Lexicon(list, stopwords, frozenset(), None)
    for kernel in (word_types, kernels.interpreted("word_types")):
        kinds, roles = kernel.described([word], [word.lower()], stopwords, CAPITAL_TERMS, lexicon._described)
        assert (kinds[0], roles[0]) == lexicon._described(word, word.lower())


@given(st.lists(st.sampled_from("abcde")), st.lists(st.sampled_from("abcde"), unique=True))
def test_texts_are_numbered_as_they_come(texts: list[str], before: list[str]) -> None:
    for kernel in (word_types, kernels.interpreted("word_types")):
        known, numbers = list(before), {text: number for number, text in enumerate(before)}
        found = kernel.numbered(texts, numbers, known)
        assert known == list(dict.fromkeys([*before, *texts]))
        assert [known[number] for number in found] == texts
        assert numbers == {text: number for number, text in enumerate(known)}
