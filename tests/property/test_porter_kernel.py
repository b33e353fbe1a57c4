"""Porter's stemmer over bytes, beside Snowball's."""

import Stemmer
from hypothesis import given, settings
from hypothesis import strategies as st

from phrasemill.kernels import porter
from phrasemill.text.stem import list_stemmer, stemmer

SUFFIXES = (
    "sses ies ss s eed ed ing at bl iz ational tional enci anci izer abli entli eli alli ousli ization ation ator alism"
    " iveness fulness ousness aliti iviti biliti icate ative alize iciti ical ful ness al ance ence er ic able ible ant"
    " ement ment ent sion tion ion ou ism ate iti ous ive ize e lle ll y"
).split()
WORDS = st.builds(
    lambda beginning, suffixes: beginning + "".join(suffixes),
    st.text("abcdeilnosty-'1", max_size=8),
    st.lists(st.sampled_from(SUFFIXES), max_size=3),
)


@given(st.lists(WORDS))
@settings(deadline=None, max_examples=500)
def test_stems_are_those_of_snowball(words: list[str]) -> None:
    snowball = Stemmer.Stemmer("porter", 0)
    assert porter.Porter().stem_all(words, str.upper) == snowball.stemWords(words)


@given(st.lists(st.text(max_size=4) | st.integers(60, 70).map(lambda size: "s" * size)))
def test_words_in_lists_are_stemmed_as_single_ones_are(words: list[str]) -> None:
    lower = [word.lower() for word in words]
    assert list_stemmer("porter")(lower) == [stemmer("porter")(word) for word in lower]


def test_words_that_are_not_ascii_or_are_long_are_left_to_another() -> None:
    assert porter.Porter().stem_all(["états", "s" * 65, "states"], lambda _: "other") == ["other", "other", "state"]
