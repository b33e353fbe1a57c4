"""TopicRank and MultipartiteRank: their parameters, and their limits in long texts."""

import random

import pytest

import phrasemill as pm
from phrasemill.candidates import noun_adjective_runs
from phrasemill.errors import ConfigError
from phrasemill.methods import topics
from phrasemill.text.analyse import analyse

NOUNS = "well farm pump river salt water plain basin cost survey rain coast aquifer field winter ground".split()
ADJECTIVES = "deep coastal brackish slow managed cubic".split()


def article(sentences: int) -> str:
    """Sentences about water, seeded; candidates recur and share words."""
    source = random.Random(7)
    lines = []
    for _ in range(sentences):
        phrases = [f"the {source.choice(ADJECTIVES)} {source.choice(NOUNS)}" for _ in range(2)]
        phrases.append(f"a {source.choice(NOUNS)} {source.choice(NOUNS)}")
        source.shuffle(phrases)
        lines.append("It is {} and {} with {}.".format(*phrases).replace("It is t", "It is from t"))
    return " ".join(lines)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("topicrank(similarity=0)", "similarity must lie above 0"),
        ("topicrank(damping=1)", "damping must be at least 0 and below 1"),
        ("multipartiterank(similarity=1.5)", "similarity must lie above 0"),
        ("multipartiterank(alpha=-1)", "alpha must be at least 0"),
    ],
)
def test_parameters_are_checked(spec: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        pm.extract("Wells.", method=spec)


@pytest.mark.parametrize("method", ["topicrank", "multipartiterank"])
def test_of_long_texts_the_most_frequent_candidates_are_ranked(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = article(40)
    candidates = noun_adjective_runs(analyse(text))
    monkeypatch.setattr(topics, "LONG", 100)
    monkeypatch.setattr(topics, "MOST_CANDIDATES", 6)
    chosen = sorted(range(len(candidates)), key=lambda c: (-candidates.count(c), c))[:6]
    expected = {candidates.form(c) for c in chosen}
    found = topics.topic_candidates(analyse(text))
    assert {found.form(c) for c in range(len(found))} == expected
    firsts = [found.spans(c)[0] for c in range(len(found))]
    assert firsts == sorted(firsts), "in the order of the text"
    assert {phrase.spans[0] for phrase in pm.extract(text, method=method, top=None)} <= set(firsts)


@pytest.mark.parametrize("method", ["topicrank", "multipartiterank"])
def test_of_long_texts_places_far_apart_are_no_neighbours(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The river is near the canal. " + "It is so. " * 20 + "The lake is far."
    assert len({phrase.score for phrase in pm.extract(text, method=method)}) == 3
    monkeypatch.setattr(topics, "LONG", 10)
    monkeypatch.setattr(topics, "WIDEST", 20)
    scores = {phrase.text: phrase.score for phrase in pm.extract(text, method=method)}
    # The lake has no neighbour, so the walk always jumps from it, and reaches it by jumps alone.
    jump = 0.15 / 3 + 0.85 * scores["lake"] / 3
    assert scores["lake"] == pytest.approx(jump, abs=1e-4)
    assert scores["river"] > 2 * scores["lake"]
