"""Words that stand for somebody in one text only."""

import pytest

import phrasemill as pm
from phrasemill.text.analyse import analyse
from phrasemill.text.defined_terms import defined_words


def defined(text: str) -> set[str]:
    return set(defined_words(analyse(text, language="en")))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('Glass Ltd (the "Supplier") sells panes to Roe Ltd (hereinafter the “Customer”).', {"supplier", "custom"}),
        ("Glass Ltd (the Supplier) sells panes.", {"supplier"}),
        ('Each is referred to as a "Party" and together the "Parties".', {"parti"}),
        ("Present: Malik Osei, Lucia Ferro\nMalik spoke.", {"malik", "osei", "lucia", "ferro"}),
        ('Glass Ltd ("Glass") sells panes.', set()),  # a short name
        ('Key Data (the "Confidential Information") is secret.', set()),  # a term of its own
        ("The park (the largest in town) has a pond.", set()),
        ("Present day towns: Malik lives in one.", set()),
    ],
)
def test_parties_and_those_present(text: str, words: set[str]) -> None:
    assert defined(text) == words


def test_a_party_is_no_keyphrase_alone_and_may_be_part_of_one() -> None:
    text = (
        'Glass Ltd (the "Supplier") sells panes. The Supplier keeps the Supplier Code of Conduct. The Supplier Code of '
        "Conduct binds each factory of the Supplier."
    )
    found = {one.text.lower() for one in pm.extract(text, top=None)}
    assert "supplier" not in found
    assert any(one.startswith("supplier code") for one in found)
