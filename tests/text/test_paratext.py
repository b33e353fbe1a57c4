"""Paratext: what is about a text and gives no keyphrases, what looks like it, and words that a text defines."""

import pytest

import phrasemill as pm
import written
from phrasemill.text.analyse import analyse
from phrasemill.text.paratext import defined_words, paratext

BODY = (
    "Heavy rain has flooded the vineyards along the river, and the harvest will be late. Growers expect half of the "
    "usual yield. The cellars of the valley stand under water, and pumps run day and night."
)


SIGNATURE = "Jane Smith\nHead of Cellars\nTel: 555 0137\n\nValley Wines Ltd"
CASES = written.read("paratext")


def filled(text: str) -> str:
    return text.replace("BODY", BODY).replace("SIGNATURE", SIGNATURE)


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in paratext(analyse(text, language="en"))]


@pytest.mark.parametrize("dateline", CASES["datelines"])
def test_a_dateline_opens_the_text(dateline: str) -> None:
    assert found(f"{dateline} {BODY}") == [dateline]
    assert found(f"Vineyards under water\n\n{dateline} {BODY}") == [dateline]


@pytest.mark.parametrize("byline", CASES["bylines"])
def test_a_byline_stands_near_the_top(byline: str) -> None:
    assert found(f"Vineyards under water\n{byline}\n\n{BODY}") == [byline]
    assert found("Rain\n" * 6 + f"{byline}\n{BODY}") == []
    assert found(f"{BODY * 6}\n{byline}\n{BODY}") == []


@pytest.mark.parametrize("notice", CASES["notices"])
def test_notices_take_up_their_sentence(notice: str) -> None:
    assert found(f"{BODY}\n\n{notice}") == [notice]
    assert found(notice) == [], "a text that is nothing else keeps all"


@pytest.mark.parametrize(("text", "places"), [*CASES["found"], *([text, []] for text in CASES["plain"])])
def test_paratext_is_found_and_what_looks_like_it_stays(text: str, places: list[str]) -> None:
    assert found(filled(text)) == list(map(filled, places))


def test_an_article_about_the_topic_has_no_notices() -> None:
    about = "Cookies store a name. Third-party cookies track readers. Browsers block cookies. Cookies expire. "
    ours = "We use cookies for accounts. We use cookies for payment. We use cookies for maps. Manage cookies here. "
    assert found(f"{about}{ours}{BODY}") == []
    assert len(found(f"{ours}{BODY}")) == 4


def test_what_stands_elsewhere_too_is_a_phrase() -> None:
    text = f"{BODY} Jane Smith owns a vineyard.\n\nKind regards,\nJane Smith"
    [place] = [one.spans for one in pm.extract(text, top=None) if one.text == "Jane Smith"]
    assert len(place) == 1
    assert "Jane Smith" not in {one.text for one in pm.extract(f"{BODY}\n\nKind regards,\nJane Smith", top=None)}


@pytest.mark.parametrize(("text", "stems"), CASES["defined"])
def test_words_that_stand_for_a_party_or_for_who_was_present(text: str, stems: list[str]) -> None:
    assert sorted(defined_words(analyse(text, language="en"))) == stems


def test_a_party_is_no_keyphrase_alone_and_may_be_part_of_one() -> None:
    text = (
        'Glass Ltd (the "Supplier") sells panes. The Supplier keeps the Supplier Code of Conduct. The Supplier Code of '
        "Conduct binds each factory of the Supplier."
    )
    phrases = {one.text.lower() for one in pm.extract(text, top=None)}
    assert "supplier" not in phrases
    assert any(one.startswith("supplier code") for one in phrases)
