"""SemEval-2010's supervised baselines."""

import math
from pathlib import Path

import pytest

import phrasemill as pm
import tiny_models
from phrasemill.errors import ConfigError, ModelError
from phrasemill.lab.training.ngram_classifiers import MaxEntTrainer, NaiveBayesTrainer, logistic
from phrasemill.methods.ngram_classifiers import NgramModel
from phrasemill.statistics import DocumentFrequencies

TEXT = "The iron gate needs paint. An iron gate rusts. Paint the iron gate in spring."


def test_naive_bayes_is_the_ratio_of_two_normal_densities() -> None:
    np = pytest.importorskip("numpy")
    from phrasemill.lab.training import ngram_classifiers

    model = NaiveBayesTrainer().fit(tiny_models.documents())
    values, labels, _ = ngram_classifiers._examples(tiny_models.documents(), lambda *_: None)

    def density(x: float, part: "object") -> float:
        mean, var = np.mean(part), np.var(part)
        return math.exp(-((x - mean) ** 2) / (2 * var)) / math.sqrt(var)

    for x in (0.0, 2.5, 7.0):
        expected = math.log(labels.sum() / (~labels).sum()) + math.log(
            density(x, values[labels]) / density(x, values[~labels])
        )
        assert model.log_odds(x) == pytest.approx(expected, rel=1e-5)


def test_maximum_entropy_agrees_with_scikit_learn() -> None:
    np = pytest.importorskip("numpy")
    from sklearn.linear_model import LogisticRegression

    source = np.random.default_rng(5)
    values = np.exp(source.normal(size=3000) * 2)  # heavy-tailed, as counts are: a plain Newton step overshoots
    labels = source.random(3000) < 1 / (1 + np.exp(4 - 0.05 * values))
    constant, slope = logistic(values, labels)
    theirs = LogisticRegression(C=1e9, max_iter=10_000, tol=1e-10).fit(values[:, None] / values.std(), labels)
    assert constant == pytest.approx(theirs.intercept_[0], rel=1e-3)
    assert slope == pytest.approx(theirs.coef_[0, 0] / values.std(), rel=1e-3)


def test_classes_that_come_apart_do_not_break_it() -> None:
    np = pytest.importorskip("numpy")
    constant, slope = logistic(np.array([0.0, 1, 2, 10, 11, 12]), np.array([False] * 3 + [True] * 3))
    assert math.isfinite(constant) and math.isfinite(slope)
    assert constant + slope * 2 < 0 < constant + slope * 10


@pytest.mark.parametrize("name", ["naivebayes", "maxent"])
def test_one_feature_ranks_as_tfidf_does(name: str, trained: dict[str, str], tmp_path: Path) -> None:
    frequencies = DocumentFrequencies.fit(tiny_models.documents())
    frequencies.save(tmp_path / "df")
    best = pm.extract(TEXT, method=trained[name], top=5)
    plain = pm.extract(TEXT, method=f"tfidf(frequencies={str(tmp_path / 'df')!r})", top=5)
    assert [phrase.text for phrase in best] == [phrase.text for phrase in plain]
    assert best[0].text == "iron gate"


@pytest.mark.parametrize(("name", "trainer"), [("naivebayes", NaiveBayesTrainer()), ("maxent", MaxEntTrainer())])
def test_saved_and_loaded(name: str, trainer: NaiveBayesTrainer | MaxEntTrainer, tmp_path: Path) -> None:
    model = trainer.fit(tiny_models.documents())
    model.save(tmp_path / "m")
    assert NgramModel.load(tmp_path / "m", name) == model
    other = "maxent" if name == "naivebayes" else "naivebayes"
    with pytest.raises(ModelError, match=f"not a {other} model file"):
        NgramModel.load(tmp_path / "m", other)
    with pytest.raises(ConfigError, match=f"phrasemill train {name} --data"):
        pm.extract(TEXT, method=name)
