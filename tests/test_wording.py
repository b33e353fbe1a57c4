"""How phrases are written: in small letters where the text has them, whole where a line end broke them."""

import pytest

import phrasemill as pm

BODY = "The Federal Reserve met. Analysts said that the budget gap is wide, and that NASA and the ESA lose money."


def wordings(text: str) -> dict[str, str]:
    return {one.text.lower(): one.text for one in pm.extract(text, top=None, redundancy="none")}


@pytest.mark.parametrize(
    ("headline", "phrase"),
    [
        ("FEDERAL RESERVE MEETS", "Federal Reserve"),  # as it stands in the text
        ("BUDGET OF NASA", "budget"),
        ("GAP AT NASA", "NASA"),  # an acronym there, too
    ],
)
def test_a_headline_in_capitals_gives_way_to_the_text(headline: str, phrase: str) -> None:
    assert wordings(f"{headline}\n\n{BODY}")[phrase.lower()] == phrase


def test_words_from_elsewhere_in_the_text_make_up_a_phrase() -> None:
    assert wordings(f"NASA BUDGET\n\n{BODY}")["nasa budget"] == "NASA budget"


def test_a_long_word_in_capitals_is_a_name() -> None:
    assert wordings(f"HARWICK BUDGET\n\n{BODY}")["harwick budget"] == "Harwick budget"


def test_a_short_word_may_be_an_acronym_and_keeps_its_capitals() -> None:
    assert wordings(f"UNDP BUDGET\n\n{BODY}")["undp budget"] == "UNDP BUDGET"


def test_an_acronym_in_a_sentence_keeps_its_capitals() -> None:
    assert wordings(BODY)["nasa"] == "NASA"
    assert wordings(BODY)["esa"] == "ESA"


def test_a_text_without_small_letters_stays() -> None:
    assert "FEDERAL RESERVE" in wordings("THE FEDERAL RESERVE MET.\nANALYSTS SAW THE FEDERAL RESERVE WAIT.").values()


WRAPPED = (
    "Automatic keyphrase extraction finds the main phrases of a docu-\nment without help. Methods for keyphrase "
    "extraction build a word\ngraph or learn from a labelled document collection. Neural key-\nphrase extraction reads "
    "state-of-the-\nart embeddings of every word in turn, and is slow on long texts.\n"
)


def test_a_broken_word_is_whole_and_its_spans_point_into_the_text() -> None:
    [one] = [one for one in pm.extract(WRAPPED, top=None) if one.text.lower() == "keyphrase extraction"]
    assert [WRAPPED[start:end] for start, end in one.spans] == [
        "keyphrase extraction",
        "keyphrase extraction",
        "key-\nphrase extraction",
    ]


def test_a_compound_keeps_its_hyphen() -> None:
    assert "state-of-the-art embeddings" in wordings(WRAPPED)


def test_no_phrase_ends_in_a_possessive() -> None:
    found = wordings("Newton's laws and the workers' union. Newton's. The editors' choice is Fleet Street's.")
    assert "newton's laws" in found
    assert not any(phrase.endswith(("'s", "'")) for phrase in found)


def test_a_word_of_a_headline_is_written_as_most_often_elsewhere() -> None:
    text = "PYTHON TRAINING\nPython is a language. We teach Python to adults. Some write python. The training is free."
    assert pm.extract(text, candidates=["python training"]).texts == ["Python training"]
