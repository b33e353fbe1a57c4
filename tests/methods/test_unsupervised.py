"""Methods that learn nothing: parameters at their ends, and what neither golden tests nor oracles say."""

import random
from pathlib import Path

import pytest

import phrasemill as pm
from phrasemill.candidates import noun_adjective_runs, nouns_and_adjectives
from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError
from phrasemill.kernels import graph
from phrasemill.methods import topics
from phrasemill.methods.topicalpagerank import TopicalPageRank
from phrasemill.methods.yake import Yake
from phrasemill.statistics import DocumentFrequencies
from phrasemill.statistics.topic_model import LOWEST, PROBABILITY, load_topics
from phrasemill.text.analyse import analyse
from phrasemill.types import Document

TEXT = "Salt water fills deep wells. Farms on the coastal plain need wells. The salt moves inland with the water."
GRAPHS = ["positionrank", "singlerank", "textrank", "topicalpagerank"]
TOPICS = ["multipartiterank", "topicrank"]
ENDLESS = 10**30


def scores(text: str, method: str) -> dict[str, float]:
    return {phrase.text: phrase.score for phrase in pm.extract(text, method=method, top=None, redundancy="none")}


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("kpminer(least=0)", "least must be at least 1"),
        ("kpminer(cutoff=0)", "cutoff must be at least 1"),
        ("kpminer(alpha=0.0)", "must be above 0"),
        ("kpminer(sigma=-1)", "must be above 0"),
        ("multipartiterank(alpha=-1)", "alpha must be at least 0"),
        ("multipartiterank(similarity=1.5)", "similarity must lie above 0"),
        ("positionrank(longest=0)", "longest must be at least 1, got 0"),
        ("rake(longest=-1)", "longest must be at least 0, got -1"),
        ("singlerank(damping=1.0)", "damping must be at least 0 and below 1"),
        ("singlerank(window=1)", "window must be at least 2, got 1"),
        ("tfidf('noun_phrases', function_words=True)", "function_words requires"),
        ("tfidf(function_words=True)", "function_words requires"),
        ("topicrank(damping=1)", "damping must be at least 0 and below 1"),
        ("topicrank(similarity=0)", "similarity must lie above 0"),
        ("yake(dedupe=0)", "dedupe must lie above 0"),
        ("yake(dedupe=1.1)", "dedupe must lie above 0"),
        ("yake(longest=0)", "longest must be at least 1"),
        ("yake(window=0)", "window must be at least 1"),
    ],
)
def test_parameters_are_checked(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        METHODS.build(spec)


@pytest.mark.parametrize(
    "option", [*[f"{name}(window" for name in GRAPHS], "yake(window", "yake(longest", "rake(longest"]
)
def test_a_limit_beyond_any_text_is_no_limit(option: str) -> None:
    assert scores(TEXT, f"{option}={ENDLESS})") == scores(TEXT, f"{option}=50)") != {}


@pytest.mark.parametrize("name", GRAPHS)
def test_without_damping_walks_only_jump(name: str) -> None:
    found = scores(TEXT, f"{name}(damping=0)")
    if name in {"singlerank", "textrank"}:  # all words are equal then, and a phrase is worth its length
        each = min(score / len(text.split()) for text, score in found.items())
        assert list(found.values()) == pytest.approx([each * len(text.split()) for text in found])
    assert sum(found.values()) > 0


# TopicRank and MultipartiteRank in long texts.

NOUNS = "well farm pump river salt water plain basin cost survey rain coast aquifer field winter ground".split()
ADJECTIVES = "deep coastal brackish slow managed cubic".split()


def article(sentences: int) -> str:
    """Sentences about water, seeded; candidates recur and share words."""
    source = random.Random(7)
    lines = []
    for _ in range(sentences):
        phrases = [f"{source.choice(ADJECTIVES)} {source.choice(NOUNS)}" for _ in range(2)]
        phrases.append(f"{source.choice(NOUNS)} {source.choice(NOUNS)}")
        lines.append("It is from the {} and the {} with a {}.".format(*phrases))
    return " ".join(lines)


@pytest.mark.parametrize("method", TOPICS)
def test_of_long_texts_the_most_frequent_candidates_are_ranked(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = article(40)
    candidates = noun_adjective_runs(analyse(text))
    monkeypatch.setattr(topics, "LONG", 100)
    monkeypatch.setattr(topics, "MOST_CANDIDATES", 6)
    chosen = sorted(range(len(candidates)), key=lambda c: (-candidates.count(c), c))[:6]
    found = topics.topic_candidates(analyse(text))
    assert [found.form(c) for c in range(len(found))] == [candidates.form(c) for c in sorted(chosen)]
    firsts = {found.spans(c)[0] for c in range(len(found))}
    assert {phrase.spans[0] for phrase in pm.extract(text, method=method, top=None)} <= firsts


@pytest.mark.parametrize("method", TOPICS)
def test_of_long_texts_places_far_apart_are_no_neighbours(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The river is near the canal. " + "It is so. " * 20 + "The lake is far."
    assert len(set(scores(text, method).values())) == 3
    monkeypatch.setattr(topics, "LONG", 10)
    monkeypatch.setattr(topics, "WIDEST", 20)
    found = scores(text, method)
    # The lake has no neighbour, so the walk always jumps from it, and reaches it by jumps alone.
    assert found["lake"] == pytest.approx(0.15 / 3 + 0.85 * found["lake"] / 3, abs=1e-4)
    assert found["river"] > 2 * found["lake"]


# Topical PageRank.


def test_the_shipped_model_is_one_of_probabilities() -> None:
    model = load_topics()
    assert (PROBABILITY[0], PROBABILITY[-1]) == (pytest.approx(LOWEST), 1)
    assert len(model.index) == len(model.levels) // model.topics
    # P(word | topic) sums to about 1 over the vocabulary; a byte a logarithm leaves some per cent.
    totals = [sum(PROBABILITY[level] for level in model.levels[at :: model.topics]) for at in range(model.topics)]
    assert totals == pytest.approx([1.0] * model.topics, rel=0.1)


def test_words_of_the_main_topic_matter_more() -> None:
    text = (
        "Graph theory and graph algorithms. The weather was fine. A graph has vertices and edges; graphs are coloured."
    )
    analysis = analyse(text)
    words = graph.Words(analysis.view, nouns_and_adjectives(analysis))
    fit = TopicalPageRank().importance(words, analysis)
    at = {analysis.stems[stem]: fit[node] for stem, node in zip(analysis.stem, words.node, strict=True) if node >= 0}
    assert all(0 <= one <= 1 + 1e-9 for one in fit)
    assert at["graph"] > at["weather"]


# YAKE.

COURT = "The Art and the Trade and the Art and the House and the Art. The Land of the Art is in the House of the Art."


@pytest.mark.parametrize("longest", [3, 4, 6])
def test_yakes_scores_lie_between_0_and_1(longest: int) -> None:
    # S(kw) of the paper is positive, so 1 / (1 + S) is below 1. With two stopwords or more inside, 1 + sum of S falls
    # below zero unless that is seen to.
    for text, score in scores(COURT, f"yake(longest={longest})").items():
        assert 0 < score < 1, text


def test_yake_scores_an_acronym_that_reads_like_a_stopword_like_any_other() -> None:
    # US is a word, us is not; both are the word "us". Which of them comes last must not matter.
    last, first = (scores(text, "yake(longest=1)")["US"] for text in ("They told us. US.", "US. They told us."))
    assert max(last, first) < 1


def test_yake_drops_near_duplicates() -> None:
    text = "Transistor. Transitor. Wells."
    assert Yake(dedupe=0.6).redundancy == "similarity(0.6)"
    assert [phrase.text for phrase in pm.extract(text, method="yake")] == ["Transistor", "Wells"]
    assert len(pm.extract(text, method="yake(dedupe=0.95)")) == 3


# RAKE.


def test_stopwords_punctuation_and_numbers_cut_the_text() -> None:
    text = "Salt water, deep wells (old pumps) and 140 farms of the coastal plain."
    assert list(scores(text, "rake")) == ["Salt water", "deep wells", "old pumps", "coastal plain", "farms"]
    # A heading has no full stop, but it ends a sentence all the same.
    assert list(scores("Graph theory\n\nOf trees.\n\nGraph theory\n\nOf trees.", "rake")) == ["Graph theory", "trees"]


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("The axis of evil. An axis of evil.", True),
        ("The axis of all the evil. An axis of all the evil.", True),
        ("The axis of evil. The evil of axis.", False),  # in another order
        ("The axis, of evil. The axis, of evil.", False),  # not by stopwords alone
        ("Axes that are not of or by evil. Axes that are not of or by evil.", False),  # a clause
        ("Axes are not of all evil. Axes are not of all evil.", False),  # with four function words, too
    ],
)
def test_rake_joins_by_few_stopwords(text: str, joined: bool) -> None:
    assert any(len(phrase.split()) > 1 for phrase in scores(text, "rake")) == joined


# KP-Miner.


def test_kpminers_phrases_have_no_stopwords_inside_at_most_five_words_and_more_than_a_letter() -> None:
    found = scores("big red old hot dry sea of salt. Let x be salt and y salt. " * 3, "kpminer")
    assert {"big red old hot dry", "salt"} <= set(found)
    assert not any("of" in phrase.split() or len(phrase.split()) > 5 for phrase in found)
    assert not {"x", "y"} & set(found)


def test_inclusion_takes_off_parts_of_longer_phrases() -> None:
    text = "Salt water fills the wells. Salt water fills the pumps. Salt water fills the tanks."
    everything = list(scores(text, "kpminer"))
    assert {"Salt", "Salt water", "water fills"} <= set(everything)
    best = [phrase.text for phrase in pm.extract(text, method="kpminer", top=3, redundancy="inclusion")]
    assert best[0] == everything[0]
    assert not any(phrase in better for number, phrase in enumerate(best) for better in best[:number])


def test_the_least_frequency_may_hold_for_short_texts() -> None:
    text = "Salt water fills the wells. Salt water moves."
    assert scores(text, "kpminer") and scores(text, "kpminer(least=2, adaptive=False)")
    assert scores(text, "kpminer(adaptive=False)") == {}


# TF-IDF with the n-grams of a toolkit whose figures several papers print.


def test_function_words_count_with_their_own_frequencies(tmp_path: Path) -> None:
    others = "The guard watched.", "The sea.", "A road and the bridge."
    documents = [Document(str(number), text) for number, text in enumerate(others)]
    DocumentFrequencies.fit(documents, function_words=True).save(tmp_path / "df")
    method = f"tfidf(function_words=True, frequencies={str(tmp_path / 'df')!r})"
    text = "The spill reached the coast. The coast guard watched the coast, and the spill."
    found = {phrase.lower(): score for phrase, score in scores(text, method).items()}
    assert found["the coast"] == found["coast"] > found["the spill"], "three times in no other document, then twice"
    assert found["the"] == 0, "it is in every document"
    assert found["guard"] < found["coast guard"]
    for mode in ("merge", "concat"):
        listed = pm.extract_set([text, "The coast is near."], method=f"{mode}({method})", top=None)
        assert any(phrase.text.lower().startswith("the ") for phrase in listed)
