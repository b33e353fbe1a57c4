"""The merging of Shapira et al. (2021), by hand."""

from hypothesis import given
from hypothesis import strategies as st

from phrasemill.sets.merge import document_frequencies, rerank
from phrasemill.sets.reading import Form, Word

SCORES = {Word("en", word): score for word, score in {"salt": 1.0, "water": 0.5}.items()}


def form(words: str, language: str = "en") -> Form:
    return tuple(Word(language, word) for word in words.split())


def kept(phrases: list[str], scores: dict[Word, float]) -> list[str]:
    return [" ".join(word.stem for word in one) for one, _ in rerank(map(form, phrases), scores)]


def test_words_score_the_share_of_documents() -> None:
    assert document_frequencies([{"salt", "water"}, {"salt"}]) == {"salt": 1.0, "water": 0.5}


def test_phrases_score_the_mean_of_their_words() -> None:
    given = [form("salt tide"), form("salt water"), form("salt water", "de")]
    assert rerank(given, SCORES) == [(given[1], 0.75), (given[0], 0.5), (given[2], 0.0)]


def test_the_longer_stays_and_of_equals_the_earlier() -> None:
    assert kept(["flight train", "routin train flight", "crew"], {}) == ["routin train flight", "crew"]
    assert kept(["train flight", "flight train"], {}) == ["train flight"]


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join), unique=True))
def test_nothing_kept_is_contained_and_nothing_dropped_is_not(phrases: list[str]) -> None:
    found = kept(phrases, {})
    words = {phrase: set(phrase.split()) for phrase in phrases}
    for phrase in phrases:
        longer = [
            other
            for other in phrases
            if other != phrase
            and words[phrase] <= words[other]
            and (len(other.split()), -phrases.index(other)) > (len(phrase.split()), -phrases.index(phrase))
        ]
        assert (phrase in found) == (not longer)
