"""TopicRank and MultipartiteRank in long texts: convolution gives what counting pairs gives."""

import random
from array import array

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phrasemill as pm
from phrasemill.candidates import noun_adjective_runs
from phrasemill.errors import ConfigError
from phrasemill.kernels import topics as kernel
from phrasemill.methods import nearness, topics
from phrasemill.methods.nearness import LongText
from phrasemill.text.analyse import analyse
from phrasemill.types import Candidates

TOLERANCE, ROUNDS = 1e-13, 500
NOUNS = "well farm pump river salt water plain basin cost survey rain coast aquifer field winter ground".split()
ADJECTIVES = "deep coastal brackish slow managed cubic".split()


def laid_out(drawn: list[tuple[int, int, int, int]]) -> tuple[Candidates, "array[int]"]:
    """Candidates without overlaps and their topics, from (form, topic, gap before, length) of each place in turn."""
    places: dict[int, list[tuple[int, int]]] = {}
    topic_of: dict[int, int] = {}
    position = 0
    for form, topic, gap, length in drawn:
        places.setdefault(form, []).append((position + gap, position + gap + length))
        topic_of.setdefault(form, topic)
        position += gap + length
    bounds = [place for group in places.values() for place in group]
    first = array("i", [0])
    for group in places.values():
        first.append(first[-1] + len(group))
    numbers: dict[int, int] = {}
    topic = array("i", [numbers.setdefault(topic_of[form], len(numbers)) for form in places])
    start, end = (array("i", [bound[side] for bound in bounds]) for side in (0, 1))
    return Candidates(analyse(""), first, start, end), topic


place = st.tuples(st.integers(0, 9), st.integers(0, 4), st.integers(0, 30), st.integers(1, 3))


@pytest.mark.parametrize("large", [0, 3, 3000])
@settings(deadline=None, derandomize=True)
@given(drawn=st.lists(place, min_size=1, max_size=40), damping=st.floats(0, 0.9), alpha=st.floats(0, 3))
def test_the_operator_equals_the_matrix(
    large: int, drawn: list[tuple[int, int, int, int]], damping: float, alpha: float
) -> None:
    candidates, topic = laid_out(drawn)
    count, number = len(candidates), max(topic) + 1
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            nearness, "LARGE_TOPIC", large
        )  # topics with more places than this have convolutions of their own
        text = LongText(candidates, topic)
    assert bool(text.large) == any(
        sum(candidates.count(c) for c in range(count) if topic[c] == one) > large for one in range(number)
    )
    matrix = array("d")
    kernel.nearness(candidates.first, candidates.start, candidates.end, topic, max(candidates.end), matrix)
    values = np.linspace(0.1, 1.0, count)
    assert text(values) == pytest.approx(np.asarray(matrix).reshape(count, count) @ values, abs=1e-9)

    merged = kernel.merged(matrix, topic, number)
    dense = kernel.random_walk(merged, number, damping, TOLERANCE, ROUNDS)
    assert list(text.walk_over_topics(damping, TOLERANCE, ROUNDS)) == pytest.approx(list(dense), abs=1e-6)

    factor = array("d", [alpha * (1 + 1 / (1 + candidates.start[o])) for o in candidates.first[:-1]])
    kernel.boost(matrix, topic, factor)
    dense = kernel.random_walk(matrix, count, damping, TOLERANCE, ROUNDS)
    assert list(text.walk_over_candidates(factor, damping, TOLERANCE, ROUNDS)) == pytest.approx(list(dense), abs=1e-6)


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


@pytest.mark.parametrize("method", ["topicrank", "multipartiterank"])
@pytest.mark.parametrize("large", [10, 3000])
def test_long_and_short_texts_are_ranked_alike(method: str, large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    text = article(40)
    before = pm.extract(text, method=method, top=None)
    monkeypatch.setattr(topics, "MOST_PLACES", 0)
    monkeypatch.setattr(nearness, "LARGE_TOPIC", large)
    after = pm.extract(text, method=method, top=None)
    assert len(before) > 5
    assert [phrase.text for phrase in after] == [phrase.text for phrase in before]
    assert [phrase.score for phrase in after] == pytest.approx([phrase.score for phrase in before], abs=1e-6)


@pytest.mark.parametrize("method", ["topicrank", "multipartiterank"])
@pytest.mark.parametrize("text", ["", "The of and.", "Wells.", "Wells. Wells. Wells.", "Deep wells. Old wells."])
def test_few_topics_in_the_long_way(method: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = pm.extract(text, method=method)
    monkeypatch.setattr(topics, "MOST_PLACES", 0)
    assert [(k.text, pytest.approx(k.score, abs=1e-6)) for k in pm.extract(text, method=method)] == [
        (k.text, k.score) for k in before
    ]


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
