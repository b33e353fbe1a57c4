"""The merging of Shapira et al. (2021), by hand."""

from hypothesis import given
from hypothesis import strategies as st

from phrasemill.sets.forms import Form
from phrasemill.sets.merge import (
    document_frequencies,
    drop_contained,
    phrase_score,
)


def test_words_score_the_share_of_documents() -> None:
    assert document_frequencies([{"salt", "water"}, {"salt"}]) == {"salt": 1.0, "water": 0.5}


def test_phrases_score_the_mean_of_their_words() -> None:
    scores = {("en", "salt"): 1.0, ("en", "water"): 0.5}
    assert phrase_score(Form("en", ("salt", "water")), scores) == 0.75
    assert phrase_score(Form("en", ("salt", "tide")), scores) == 0.5
    assert phrase_score(Form("de", ("salt", "tide")), scores) == 0.0


def without_contained(forms: list[str]) -> list[str]:
    return [" ".join(form.stems) for form in drop_contained([Form("en", tuple(form.split())) for form in forms])]


def test_the_longer_stays_and_order_does_not_matter() -> None:
    assert without_contained(["flight train", "routin train flight", "crew"]) == ["routin train flight", "crew"]


def test_of_equals_the_earlier_stays() -> None:
    assert without_contained(["train flight", "flight train"]) == ["train flight"]


@given(st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=4).map(" ".join), unique=True))
def test_nothing_kept_is_contained_and_nothing_dropped_is_not(forms: list[str]) -> None:
    kept = without_contained(forms)
    words = {form: set(form.split()) for form in forms}
    for form in forms:
        longer = [
            other
            for other in forms
            if other != form
            and words[form] <= words[other]
            and (len(other.split()), -forms.index(other)) > (len(form.split()), -forms.index(form))
        ]
        assert (form in kept) == (not longer)
