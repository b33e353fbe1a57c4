"""SemEval-2010's supervised baselines."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phrasemill as pm
import tiny_models
from phrasemill.methods.ngram_classifiers import NgramModel
from phrasemill.statistics import DocumentFrequencies
from phrasemill.training.ngram_classifiers import MaxEntTrainer, NaiveBayesTrainer, logistic

TEXT = "The iron gate needs paint. An iron gate rusts. Paint the iron gate in spring."


def test_naive_bayes_is_the_ratio_of_normal_densities() -> None:
    source = np.random.default_rng(5)
    values, labels = source.normal(size=(2, 300)) * [[1.0], [3.0]], source.random(300) < 0.3
    values[:, labels] += 1.5
    constant, linear, quadratic = NaiveBayesTrainer().learn(values, labels)

    def density(x: float, part: "np.ndarray[Any, Any]") -> float:
        mean, var = np.mean(part), np.var(part)
        return math.exp(-((x - mean) ** 2) / (2 * var)) / math.sqrt(var)

    for point in ((0.0, -1.0), (2.5, -3.0)):
        expected = math.log(labels.sum() / (~labels).sum())
        for x, column in zip(point, values, strict=True):
            expected += math.log(density(x, column[labels]) / density(x, column[~labels]))
        found = constant + sum(w * x + q * x * x for w, q, x in zip(linear, quadratic, point, strict=True))
        assert found == pytest.approx(expected, rel=1e-5)


def test_maximum_entropy_agrees_with_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression

    source = np.random.default_rng(5)
    heavy = np.exp(source.normal(size=3000) * 2)  # heavy-tailed, as counts are: a plain Newton step overshoots
    values = np.stack([heavy, source.normal(size=3000)])
    labels = source.random(3000) < 1 / (1 + np.exp(4 - 0.05 * heavy - values[1]))
    constant, *slopes = logistic(values, labels)
    width = values.std(axis=1)
    theirs = LogisticRegression(C=1e9, max_iter=10_000, tol=1e-10).fit((values / width[:, None]).T, labels)
    assert constant == pytest.approx(theirs.intercept_[0], rel=1e-3)
    assert slopes == pytest.approx((theirs.coef_[0] / width).tolist(), rel=1e-3)


def test_classes_that_come_apart_do_not_break_it() -> None:
    constant, slope = logistic(np.array([[0.0, 1, 2, 10, 11, 12]]), np.array([False] * 3 + [True] * 3))
    assert math.isfinite(constant) and math.isfinite(slope)
    assert constant + slope * 2 < 0 < constant + slope * 10


@pytest.mark.parametrize("trainer", [NaiveBayesTrainer("tfidf"), MaxEntTrainer("tfidf")])
def test_one_feature_ranks_as_tfidf_does(trainer: NaiveBayesTrainer | MaxEntTrainer, tmp_path: Path) -> None:
    DocumentFrequencies.fit(tiny_models.documents()).save(tmp_path / "df")
    trainer.fit(tiny_models.documents()).save(tmp_path / "model")
    best = pm.extract(TEXT, method=trainer.spec(tmp_path / "model"), top=5)
    plain = pm.extract(TEXT, method=f"tfidf(frequencies={str(tmp_path / 'df')!r})", top=5)
    assert [phrase.text for phrase in best] == [phrase.text for phrase in plain]
    assert best[0].text == "iron gate"


@pytest.mark.parametrize("trainer", [NaiveBayesTrainer(), MaxEntTrainer()])
def test_more_features_learn_what_tfidf_cannot_say(trainer: NaiveBayesTrainer | MaxEntTrainer, tmp_path: Path) -> None:
    """Every keyphrase opens its text and has two words; late words are more frequent and as rare elsewhere."""
    things = ("gate", "fence", "roof", "wall", "door", "shed")
    documents = [
        pm.Document(
            str(number),
            f"Iron {thing} here. Some of it we saw. In late{thing} we met late{thing} and late{thing} again.",
            references=(f"iron {thing}",),
        )
        for number, thing in enumerate(things)
    ]
    trainer.fit(documents[1:]).save(tmp_path / "model")
    assert pm.extract(documents[0], method=trainer.spec(tmp_path / "model"), top=1)[0].text == "Iron gate"
    DocumentFrequencies.fit(documents[1:]).save(tmp_path / "df")
    assert pm.extract(documents[0], method=f"tfidf(frequencies={str(tmp_path / 'df')!r})", top=1)[0].text == "lategate"


@pytest.mark.parametrize("trainer", [NaiveBayesTrainer(), MaxEntTrainer()])
def test_saved_and_loaded(trainer: NaiveBayesTrainer | MaxEntTrainer, tmp_path: Path) -> None:
    model = trainer.fit(tiny_models.documents())
    model.save(tmp_path / "m")
    assert NgramModel.load(tmp_path / "m", trainer.method.name) == model
