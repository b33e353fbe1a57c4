"""The vectoriser behaves as scikit-learn's own do."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

import phrasemill as pm
from phrasemill.errors import ConfigError, InputError
from phrasemill.integrations.sklearn import KeyphraseVectorizer

DOCUMENTS = [
    "Neural networks learn. A neural network has layers.",
    "Groundwater supplies farms. Wells draw groundwater.",
    "Wells are deep. A neural network predicts groundwater in wells.",
]


def test_counts_keyphrases_by_stem() -> None:
    vectorizer = KeyphraseVectorizer("tfidf(candidates='noun_phrases')")
    matrix = vectorizer.fit_transform(DOCUMENTS)
    names = list(vectorizer.get_feature_names_out())
    assert names == sorted(names)
    column = names.index("neural network") if "neural network" in names else names.index("Neural networks")
    assert matrix[:, column].toarray().ravel().tolist() == [2, 0, 1]
    wells = [i for i, name in enumerate(names) if name.lower() == "wells"]
    assert matrix[:, wells].toarray().ravel().tolist() == [0, 1, 2]
    assert matrix.shape == (3, len(names))


def test_limits() -> None:
    everything = KeyphraseVectorizer().fit(DOCUMENTS).get_feature_names_out()
    common = KeyphraseVectorizer(min_df=2).fit(DOCUMENTS).get_feature_names_out()
    assert 0 < len(common) < len(everything)
    assert len(KeyphraseVectorizer(max_features=2).fit(DOCUMENTS).get_feature_names_out()) == 2
    assert KeyphraseVectorizer(binary=True).fit_transform(DOCUMENTS).max() == 1


def test_parameters_are_options_of_an_extraction() -> None:
    names = (
        KeyphraseVectorizer(longest=1, stopwords=["wells"], exclude=["farms"]).fit(DOCUMENTS).get_feature_names_out()
    )
    assert len(names)
    assert not [name for name in names if " " in name or name.lower() in ("wells", "farms")]
    pairs = KeyphraseVectorizer(style="news", shortest=2, longest=2, diversity=0.5).fit(DOCUMENTS)
    assert {len(name.split()) for name in pairs.get_feature_names_out()} == {2}


def test_style_and_replaced_stopwords_reach_the_method() -> None:
    names = KeyphraseVectorizer("rake", stopwords=["learn"], replace_stopwords=True).fit(DOCUMENTS[:1])
    assert "A neural network has layers" in names.get_feature_names_out()
    with pytest.raises(ConfigError, match="has no style; styles are for"):
        KeyphraseVectorizer("rake", style="news").fit(DOCUMENTS)


def test_unseen_documents_and_pipelines() -> None:
    vectorizer = KeyphraseVectorizer().fit(DOCUMENTS)
    assert vectorizer.transform(["Nothing of the kind.", ""]).sum() == 0
    pipeline = make_pipeline(clone(vectorizer))
    assert np.array_equal(pipeline.fit_transform(DOCUMENTS).toarray(), vectorizer.transform(DOCUMENTS).toarray())


def test_mistakes() -> None:
    with pytest.raises(NotFittedError):
        KeyphraseVectorizer().transform(DOCUMENTS)
    with pytest.raises(InputError, match="wrap it in a list"):
        KeyphraseVectorizer().fit("one text")
    with pytest.raises(ConfigError, match="min_df"):
        KeyphraseVectorizer(min_df=0).fit(DOCUMENTS)


@pytest.mark.parametrize(
    "check",
    [
        "check_estimator_cloneable",
        "check_estimator_repr",
        "check_get_params_invariance",
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_set_params",
        "check_valid_tag_types",
    ],
)
def test_scikit_learns_own_checks(check: str) -> None:
    """Those that apply: `check_estimator` passes over estimators that take texts, its own vectorisers included."""
    getattr(estimator_checks, check)("KeyphraseVectorizer", KeyphraseVectorizer())


def test_one_call_a_value_as_map_wants_it() -> None:
    assert next(phrases[0].text for phrases in map(pm.extract, DOCUMENTS)) == "Neural networks"
