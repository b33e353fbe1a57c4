"""Paratext: what is about a text and gives no keyphrases, and what looks like it."""

import pytest

import phrasemill as pm
from phrasemill.text.analyse import analyse
from phrasemill.text.paratext import defined_words, paratext

BODY = (
    "Heavy rain has flooded the vineyards along the river, and the harvest will be late. Growers expect half of the "
    "usual yield. The cellars of the valley stand under water, and pumps run day and night."
)


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in paratext(analyse(text, language="en"))]


@pytest.mark.parametrize(
    "dateline",
    [
        "BERLIN, 3 May (Reuters) —",
        "PARIS (AP) -",
        "HARWICK, March 4 -",
        "NEW YORK (AP) --",
        "London, 12 June 2024 –",
        "Lagos, Nigeria (Reuters) -",
        "(Reuters) -",
        "WASHINGTON —",
    ],
)
def test_a_dateline_opens_the_text(dateline: str) -> None:
    assert found(f"{dateline} {BODY}") == [dateline]
    assert found(f"Vineyards under water\n\n{dateline} {BODY}") == [dateline]


@pytest.mark.parametrize(
    "opening",
    [
        "HTML (HyperText Markup Language) - the language of pages - is old.",
        "NATO - the alliance - met. NATO agreed.",
        "Low-cost pumps - a survey",
        "May 3 - nothing happened.",
    ],
)
def test_a_dash_alone_makes_no_dateline(opening: str) -> None:
    assert found(f"{opening} {BODY}") == []


@pytest.mark.parametrize(
    "byline", ["By Jane Doe", "By Dana Whitlow, Staff Writer", "by Rose Grotsky", "Written by A. Roe and Ben Low"]
)
def test_a_byline_stands_near_the_top(byline: str) -> None:
    assert found(f"Vineyards under water\n{byline}\n\n{BODY}") == [byline]
    assert found(f"{BODY}\n{BODY}\n{BODY}\n{BODY}\n{BODY}\n{BODY}\n{byline}\n{BODY}") == []


def test_a_line_that_begins_with_by_and_goes_on_is_none() -> None:
    assert found(f"By noon the river had risen\n{BODY}") == []


def test_headers_of_a_mail_go_and_the_subject_stays() -> None:
    text = f"From: Jane Smith <jane@example.org>\nTo: All staff\nDate: 4 May\nSubject: Flooded vineyards\n\n{BODY}"
    shown = set(found(text))
    assert {"From: Jane Smith <jane@example.org>", "To: All staff", "Date: 4 May", "Subject"} <= shown
    assert not any("vineyards" in one for one in shown)


def test_labels_of_a_data_sheet_go_and_their_values_stay() -> None:
    assert found(f"Date: 4 May\nWeight: 3 kg\nColour: red\n\n{BODY}") == ["Date", "Weight", "Colour"]
    assert found(f"- Employment type: full-time\n- Location: Bonn\n- Reference: 12\n{BODY}") == [
        "Employment type",
        "Location",
        "Reference",
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "Weight: 3 kg\nColour: red",  # too few
        f"Weight: {BODY}\nColour: {BODY}\nOrigin: {BODY}",  # with whole sentences
        "Weight: 3 kg\n\nColour: red\n\nOrigin: Spain",  # apart
    ],
)
def test_what_is_no_data_sheet_keeps_its_labels(lines: str) -> None:
    assert found(f"{lines}\n{BODY}") == []


@pytest.mark.parametrize(
    "line",
    [
        "Share this article: Facebook | Twitter | Email",
        "Follow us on Instagram and YouTube",
        "Facebook Twitter WhatsApp Copy link",
        "Add to cart | Add to wishlist",
        "Read more: Council tax explained",
        "Last updated: 3 May 2021",
        "Medically reviewed by Dr. Alan Pike",
    ],
)
def test_links_and_reviews_are_lines_of_their_own(line: str) -> None:
    assert found(f"Vineyards under water\n\n{BODY}\n\n{line}") == [line]


def test_a_sentence_about_a_network_stays() -> None:
    assert found(f"Vineyards\n\nShare prices of Twitter fell on Monday. {BODY}\n\nFacebook bought a vineyard.") == []


def test_addresses_and_dates_above_a_salutation_go() -> None:
    text = f"14 Orchard Lane\nTaunton TA1 4QX\n22 January 2025\nSomerset Water\nRe: Bill 5520\n\nDear Ms Roe,\n\n{BODY}"
    assert found(text) == ["14 Orchard Lane", "Taunton TA1 4QX", "22 January 2025", "Dear Ms Roe,"]


@pytest.mark.parametrize(
    "closing", ["Kind regards,", "Best wishes", "Thanks,", "Yours sincerely,", "Viele Grüße", "--"]
)
def test_a_signature_goes_on_to_its_end(closing: str) -> None:
    signature = f"{closing}\nJane Smith\nHead of Cellars\nTel: 555 0137\n\nValley Wines Ltd"
    assert found(f"Dear all,\n\n{BODY}\n\n{signature}") == ["Dear all,", signature]


def test_text_after_a_signature_is_text() -> None:
    after = "P.S. Bring rubber boots, gloves and a torch to the cellars on Saturday."
    assert found(f"{BODY}\n\nThanks,\nJane\n\n{after}") == ["Thanks,\nJane"]


def test_a_heading_is_no_closing() -> None:
    assert found(f"{BODY}\nBest\nRiver View Estate\nHill Top Estate") == []


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "(Reporting by Jane Roe; Editing by Max Low)",
        "On Mon, 4 May, Jane Smith wrote:",
        "Present: R. Okafor (chair), L. Brandt.",
    ],
)
def test_lines_of_their_own(line: str) -> None:
    assert found(f"Minutes\n{line}\n{BODY}") == [line]


def test_speakers_take_turns() -> None:
    text = "INTERVIEWER: Why glaciers?\nJohn: I grew up near one.\nINTERVIEWER: And ice cores?\nJohn: They store air.\n"
    assert found(text + BODY) == ["INTERVIEWER", "John", "INTERVIEWER", "John"]
    assert found((text + BODY).replace("\n", " ")) == ["INTERVIEWER", "John", "INTERVIEWER", "John"]


def test_questions_and_answers() -> None:
    assert found(f"Q: Why?\nA: Rain.\nQ: How much?\nA: Much.\n{BODY}") == ["Q", "A", "Q", "A"]


def test_the_full_name_of_who_is_interviewed_stays() -> None:
    assert found(f"Host: Why?\nElla Marsh: Rents.\nHost: So?\nElla Marsh: And flour.\n{BODY}") == ["Host", "Host"]


@pytest.mark.parametrize(
    "notice",
    [
        "All rights reserved.",
        "© 2024 Valley Wines Inc.",
        "Copyright 2011 The Associated Press.",
        "This website uses cookies to improve your experience.",
        "We use cookies to personalise content.",
        "Accept all cookies.",
        "Privacy Policy",
        "This is an open access article distributed under the terms of the Creative Commons Attribution License, which "
        "permits unrestricted use, distribution, and reproduction in any medium, provided the original work is cited.",
        "Except where noted, content on this site is licensed under a Creative Commons licence.",
        "Permission to make digital or hard copies of all or part of this work for personal use is granted.",
        "This e-mail is confidential and may be privileged.",
        "Sign up for our weekly newsletter.",
    ],
)
def test_notices_take_up_their_sentence(notice: str) -> None:
    assert found(f"{BODY}\n\n{notice}") == [notice]


@pytest.mark.parametrize(
    "prose",
    [
        "The recipe makes thirty cookies with chocolate.",
        "Copyright law protects works of art.",
        "The licence of the pub was renewed.",
        "Creative Commons has published six licences.",
        "Rooms were reserved for the guests.",
        "She asked for permission to enter.",
    ],
)
def test_prose_with_the_same_words_stays(prose: str) -> None:
    assert found(f"{BODY} {prose}") == []


def test_an_article_about_the_topic_has_no_notices() -> None:
    about = "Cookies store a name. Third-party cookies track readers. Browsers block cookies. Cookies expire. "
    ours = "We use cookies for accounts. We use cookies for payment. We use cookies for maps. Manage cookies here. "
    assert found(f"{about}{ours}{BODY}") == []
    assert len(found(f"{ours}{BODY}")) == 4


@pytest.mark.parametrize(
    "identifier", ["ISBN 978-3-16-148410-0", "ISSN 2049-3630", "doi:10.1000/xyz123", "arXiv:2101.00001"]
)
def test_identifiers_go_and_their_sentence_stays(identifier: str) -> None:
    assert found(f"{BODY} The book ({identifier}) is out of print.") == [identifier]


def test_a_text_that_is_nothing_else_keeps_all() -> None:
    assert found("This website uses cookies to improve your experience. All rights reserved.") == []


def test_what_stands_elsewhere_too_is_a_phrase() -> None:
    text = f"{BODY} Jane Smith owns a vineyard.\n\nKind regards,\nJane Smith"
    [place] = [one.spans for one in pm.extract(text, top=None) if one.text == "Jane Smith"]
    assert len(place) == 1
    assert "Jane Smith" not in {one.text for one in pm.extract(f"{BODY}\n\nKind regards,\nJane Smith", top=None)}


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
    assert defined_words(analyse(text, language="en")) == words


def test_a_party_is_no_keyphrase_alone_and_may_be_part_of_one() -> None:
    text = (
        'Glass Ltd (the "Supplier") sells panes. The Supplier keeps the Supplier Code of Conduct. The Supplier Code of '
        "Conduct binds each factory of the Supplier."
    )
    found = {one.text.lower() for one in pm.extract(text, top=None)}
    assert "supplier" not in found
    assert any(one.startswith("supplier code") for one in found)
