"""What a lexicon computes of each word type."""

import string
from array import array
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from phrasemill.kernels import word_types
from phrasemill.text.lexicon import CAPITAL_TERMS, Lexicon, normalise

STOPWORDS = frozenset({"the", "it", "us", "a", "a-b"})
WORDS = st.text(string.ascii_letters + "-", min_size=1, max_size=8) | st.sampled_from(
    ["The", "the", "THE", "IT", "It", "us", "A-B", "a-B", "A-b", "the-", "-the"]
)


def _described(words: list[str], lexicon: Lexicon) -> tuple[Any, ...]:
    kinds, roles = array("B", [9]), array("B", [9])
    found = word_types.described(words, STOPWORDS, CAPITAL_TERMS, normalise, lexicon._described, kinds, roles)
    return *found, kinds.tolist()[1:], roles.tolist()[1:]


@given(WORDS)
def test_words_of_ascii_letters_and_hyphens_are_like_any_other(word: str) -> None:
    lexicon = Lexicon(list, STOPWORDS, frozenset(), None)
    *_, kinds, roles = _described([word], lexicon)
    assert (kinds[0], roles[0]) == lexicon._described(word, word.lower())


def test_types_have_normal_forms_words_and_stems_or_none() -> None:
    lexicon = Lexicon(list, STOPWORDS, frozenset(), None)
    surfaces = ["ﬁeld", "Graph", "graph", "42", "État", ","]
    seen, words, stemmed, characters, *_ = _described(surfaces, lexicon)
    assert seen == ["field", "Graph", "graph", "42", "État", ","]
    assert words == ["field", "graph", "graph", "42", "état", ","]
    assert stemmed == ["field", "graph", "graph", "état"]
    assert characters == len("".join(surfaces))


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from(["", *"abcxyz"]), st.booleans())))
def test_words_and_stems_are_numbered_as_they_come(types: list[tuple[str, str, bool]]) -> None:
    words = [word for word, _, _ in types]
    stems = [stem or word if has_stem else word for word, stem, has_stem in types]
    known, numbers, scratch = ["c"], {"c": 0}, array("i", [-1])
    word_of, stem_of, kinds = array("i", [0]), array("i", [0]), array("B", [1, *(has for _, _, has in types)])
    stemmed = [stem for _, stem, has_stem in types if has_stem]
    word_types.numbered(words, stemmed, kinds, numbers, known, word_of, stem_of, scratch)
    assert [known[number] for number in word_of] == ["c", *words]
    assert [known[number] for number in stem_of] == ["c", *stems]
    assert numbers == {text: number for number, text in enumerate(known)}
    assert set(known) == {"c", *words, *stems}
    assert scratch.tolist() == [-1] * len(known)
