"""Names in full, in prose."""

from array import array

import pytest

import phrasemill as pm
from phrasemill.methods.learned.model import shipped_model
from phrasemill.methods.learned.names import with_full_names
from phrasemill.text.analyse import analyse

COUNCIL = (
    "Opposition leader Colin Webb called for a freeze on hiring. Webb said that the tram line should wait. "
    "The tram line would cost 410 million pounds, Mr Webb told the council, and Webb wants a vote in May."
)


def scores(text: str, better: str) -> dict[str, float]:
    """Return the new scores of candidates: before, that of `better` is 0.9, and all others are 0.1."""
    analysis = analyse(text, language="en")
    candidates = shipped_model().shapes.propose(analysis)
    texts = [text[spans[0].start : spans[0].end] for spans in map(candidates.spans, range(len(candidates)))]
    before = array("d", [0.9 if one == better else 0.1 for one in texts])
    return dict(zip(texts, with_full_names(candidates, before), strict=True))


def test_the_last_name_leaves_its_score_to_the_full_name() -> None:
    found = scores(COUNCIL, "Webb")
    assert (found["Colin Webb"], found["Webb"], found["tram line"]) == (0.9, 0.0, 0.1)
    assert found.get("Mr Webb", 0.0) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Colin Webb and Anna Webb spoke. Webb said that the tram line should wait.",  # either of them
        "The vote was lost. Webb spoke to Anna Roe. Later on came Colin Webb.",  # who was not introduced
        "Council Asks Webb\n\nThe council wrote a letter. Webb said that the tram line should wait.",  # a headline
    ],
)
def test_a_last_name_that_may_be_another_stays(text: str) -> None:
    assert scores(text, "Webb")["Webb"] == 0.9


def test_a_headline_may_have_the_last_name() -> None:
    assert scores(f"Webb wants tram vote\n\n{COUNCIL}", "Webb")["Webb"] == 0.0


def test_prose_lists_people_by_their_full_names() -> None:
    found = [one.text for one in pm.extract(COUNCIL, method="learned(style='news')")]
    assert "Colin Webb" in found
    assert "Webb" not in found[:5]


def test_papers_are_left_alone() -> None:
    text = "Naive Bayes is a classifier. Bayes is compared with trees. A classifier by Bayes is fast."
    by_author = pm.extract(text, method="learned(style='author')", top=None)
    assert next(one for one in by_author if one.text == "Bayes").score > 0
