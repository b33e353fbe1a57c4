"""The interfaces of other tools: what they return, and side by side with the real packages where installed."""

import inspect
from typing import Any

import pytest

import phrasemill as pm
from phrasemill.compat.keybert import KeyBERT
from phrasemill.compat.rake import Metric, Rake
from phrasemill.compat.yake import KeywordExtractor
from phrasemill.errors import ConfigError, PhrasemillWarning

TEXT = (
    "Groundwater supplies most farms near the coast. When pumps draw too much groundwater, salt water moves inland "
    "and ruins the farm wells. Farmers measure the salt water in their wells every spring."
)
OTHER = "The harbour museum keeps wooden boats. Volunteers repair the wooden boats in winter."


def is_keywords(found: Any) -> bool:
    return isinstance(found, list) and all(
        type(one) is tuple and len(one) == 2 and type(one[0]) is str and type(one[1]) is float for one in found
    )


def parameters(function: Any, *, without: set[str]) -> dict[str, object]:
    given = inspect.signature(function).parameters.values()
    named = [one for one in given if one.kind is not inspect.Parameter.VAR_KEYWORD and one.name not in without]
    return {one.name: one.default for one in named}


def test_keybert_returns_a_list_for_one_document_and_lists_for_several() -> None:
    one = KeyBERT().extract_keywords(TEXT, keyphrase_ngram_range=(1, 2), top_n=4)
    assert is_keywords(one) and len(one) == 4
    assert [score for _, score in one] == sorted((score for _, score in one), reverse=True)
    assert all(phrase == phrase.lower() and 1 <= len(phrase.split()) <= 2 for phrase, _ in one)
    several = KeyBERT().extract_keywords([TEXT, OTHER], top_n=2)
    assert len(several) == 2 and all(map(is_keywords, several))
    assert KeyBERT().extract_keywords([TEXT]) == KeyBERT().extract_keywords(TEXT)
    assert KeyBERT().extract_keywords("") == []


def test_keybert_options_have_their_effect() -> None:
    model = KeyBERT()
    assert set(dict(model.extract_keywords(TEXT, candidates=["wells", "spring"]))) == {"wells", "spring"}
    assert "groundwater" not in dict(model.extract_keywords(TEXT, stop_words=["groundwater"]))
    plain = dict(model.extract_keywords(TEXT, top_n=20))
    assert dict(model.extract_keywords(TEXT, top_n=20, seed_keywords=["wells"]))["wells"] > plain["wells"]
    pairs = {"keyphrase_ngram_range": (1, 2), "top_n": 4}
    assert model.extract_keywords(TEXT, use_mmr=True, diversity=1.0, **pairs) != model.extract_keywords(TEXT, **pairs)
    apart = model.extract_keywords(TEXT, use_maxsum=True, nr_candidates=8, **pairs)
    words = [word for phrase, _ in apart[:2] for word in phrase.split()]
    assert len(apart) == 4 and len(words) == len(set(words))
    shared = model.extract_keywords([TEXT, TEXT + OTHER, OTHER], min_df=3, top_n=5)
    assert shared == [[], [], []]


def test_keybert_refuses_or_warns_of_what_has_no_meaning_here() -> None:
    with pytest.raises(ConfigError, match="llm"):
        KeyBERT(llm=object())
    with pytest.raises(ConfigError, match="nr_candidates must be at least top_n"):
        KeyBERT().extract_keywords(TEXT, use_maxsum=True, nr_candidates=3, top_n=5)
    with pytest.raises(ConfigError, match="2 lists for 1 documents"):
        KeyBERT().extract_keywords(TEXT, seed_keywords=[["a"], ["b"]])
    with pytest.warns(PhrasemillWarning, match="no effect here: model"):
        KeyBERT("some-other-model")
    with pytest.warns(PhrasemillWarning, match="doc_embeddings"):
        KeyBERT().extract_keywords(TEXT, doc_embeddings=[[0.0]])


def test_keybert_prints_the_text_with_its_keywords(capsys: pytest.CaptureFixture[str]) -> None:
    KeyBERT().extract_keywords(OTHER, highlight=True)
    assert "wooden boats" in capsys.readouterr().out


def test_yake_scores_are_better_when_lower() -> None:
    found = KeywordExtractor(lan="en", n=2, top=6).extract_keywords(TEXT)
    assert is_keywords(found) and len(found) == 6
    assert [score for _, score in found] == sorted(score for _, score in found)
    ours = pm.extract(TEXT, method="yake(longest=2)", top=6, language="en")
    assert [phrase for phrase, _ in found] == ours.texts
    assert found[0][1] == pytest.approx(1 / ours[0].score - 1)
    assert KeywordExtractor().extract_keywords("") == KeywordExtractor().extract_keywords(None) == []


def test_yake_takes_the_names_of_earlier_versions() -> None:
    new = KeywordExtractor("en", 3, 0.7, "jaro", 2, 5).extract_keywords(TEXT)
    old = KeywordExtractor(lan="en", n=3, dedupLim=0.7, dedupFunc="jaro", windowsSize=2, top=5, features=None)
    assert old.extract_keywords(TEXT) == new
    assert len(KeywordExtractor(dedup_lim=1.0, top=50).extract_keywords(TEXT)) > len(
        KeywordExtractor(dedup_lim=0.5, top=50).extract_keywords(TEXT)
    )
    with pytest.raises(ConfigError, match="no parameter 'dedupe'"):
        KeywordExtractor(dedupe=0.5)


def test_stopwords_of_yake_replace_those_of_the_language() -> None:
    def keywords(stopwords: set[str] | None) -> list[str]:
        found = KeywordExtractor(n=1, top=50, stopwords=stopwords).extract_keywords("The wells of the farms run dry.")
        return [keyword.lower() for keyword, _ in found]

    assert "the" not in keywords(None)
    assert "wells" in keywords(None)
    assert "the" in keywords({"wells"})
    assert "wells" not in keywords({"wells"})
    assert "the" in keywords(set())
    assert "wells" not in keywords({"wells", "", "as well as"})


def test_rake_scores_by_degree_and_frequency() -> None:
    """By hand: `salt water moves inland` has four words; salt and water also stand in `salt water`, so their degree
    is 6 and their frequency 2."""
    rake = Rake()
    rake.extract_keywords_from_text("Salt water moves inland. The salt water stays.")
    assert rake.get_word_frequency_distribution()["salt"] == 2
    assert rake.get_word_degrees()["salt"] == 4 + 3
    assert rake.get_ranked_phrases_with_scores() == [(15.0, "salt water moves inland"), (10.0, "salt water stays")]
    by_degree = Rake(ranking_metric=Metric.WORD_DEGREE, max_length=3)
    by_degree.extract_keywords_from_sentences(["Salt water moves inland.", "The salt water stays."])
    assert by_degree.get_ranked_phrases_with_scores() == [(9.0, "salt water stays")]


def test_rake_takes_stopwords_punctuation_and_tokenisers() -> None:
    rake = Rake({"and"}, {","}, word_tokenizer=str.split, sentence_tokenizer=lambda text: text.split(";"))
    rake.extract_keywords_from_text("red the apples and pears; pears")
    assert rake.get_ranked_phrases() == ["red the apples", "pears", "pears"]
    once = Rake(include_repeated_phrases=False)
    once.extract_keywords_from_text("Pears. Pears.")
    assert once.get_ranked_phrases() == ["pears"]


def test_keybert_has_the_parameters_of_the_real_one() -> None:
    real = pytest.importorskip("keybert")
    theirs = parameters(real.KeyBERT.extract_keywords, without=set())
    assert parameters(KeyBERT.extract_keywords, without=set()) == theirs
    assert parameters(KeyBERT.__init__, without={"method"}) == parameters(real.KeyBERT.__init__, without=set())


def test_keybert_returns_the_shapes_of_the_real_one() -> None:
    real = pytest.importorskip("keybert")
    import numpy as np
    from keybert.backend import BaseEmbedder

    class Letters(BaseEmbedder):
        """Counts of letters, in place of a model."""

        def embed(self, documents: Any, verbose: bool = False) -> Any:
            return np.array([[text.count(letter) + 0.01 for letter in "aeioust"] for text in documents])

    theirs = real.KeyBERT(model=Letters())
    for docs in (TEXT, [TEXT, OTHER], [TEXT]):
        for options in ({"top_n": 3}, {"top_n": 2, "use_mmr": True, "keyphrase_ngram_range": (1, 2)}):
            found, expected = KeyBERT().extract_keywords(docs, **options), theirs.extract_keywords(docs, **options)
            assert np.shape([[one[:1] for one in found]]) == np.shape([[one[:1] for one in expected]])
            assert is_keywords(found) == is_keywords(expected)


def test_yake_has_the_parameters_and_shapes_of_the_real_one() -> None:
    real = pytest.importorskip("yake")
    theirs = parameters(real.KeywordExtractor.__init__, without=set())
    assert parameters(KeywordExtractor.__init__, without=set()) == theirs
    expected = real.KeywordExtractor(n=2, top=5).extract_keywords(TEXT)
    found = KeywordExtractor(n=2, top=5).extract_keywords(TEXT)
    assert len(found) == len(expected) == 5
    assert all(type(one) is tuple and isinstance(one[0], str) and isinstance(one[1], float) for one in expected)
    assert [score for _, score in expected] == sorted(score for _, score in expected), "theirs is ascending, too"


def test_rake_gives_what_the_real_one_gives() -> None:
    real = pytest.importorskip("rake_nltk")
    assert list(parameters(Rake.__init__, without=set())) == list(parameters(real.Rake.__init__, without=set()))
    stopwords, marks = {"the", "when", "too", "and", "in", "their", "most", "near", "every"}, {".", ","}
    how = {"sentence_tokenizer": lambda text: text.split(". "), "word_tokenizer": _words}
    ours, theirs = Rake(stopwords, marks, **how), real.Rake(stopwords, marks, **how)
    for one in (ours, theirs):
        one.extract_keywords_from_text(TEXT)
    assert ours.get_ranked_phrases_with_scores() == theirs.get_ranked_phrases_with_scores()
    assert ours.get_ranked_phrases() == theirs.get_ranked_phrases()
    assert dict(ours.get_word_degrees()) == dict(theirs.get_word_degrees())
    assert dict(ours.get_word_frequency_distribution()) == dict(theirs.get_word_frequency_distribution())


def _words(sentence: str) -> list[str]:
    return sentence.replace(".", " .").replace(",", " ,").split()
