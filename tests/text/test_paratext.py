"""Paratext: what is about a text and gives no keyphrases, what looks like it, and words that a text defines."""

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
    "BERLIN, 3 May (Reuters) —|PARIS (AP) -|HARWICK, March 4 -|NEW YORK (AP) --|London, 12 June 2024 –|"
    "Lagos, Nigeria (Reuters) -|(Reuters) -|WASHINGTON —".split("|"),
)
def test_a_dateline_opens_the_text(dateline: str) -> None:
    assert found(f"{dateline} {BODY}") == [dateline]
    assert found(f"Vineyards under water\n\n{dateline} {BODY}") == [dateline]


@pytest.mark.parametrize(
    "byline", ["By Jane Doe", "By Dana Whitlow, Staff Writer", "by Rose Grotsky", "Written by A. Roe and Ben Low"]
)
def test_a_byline_stands_near_the_top(byline: str) -> None:
    assert found(f"Vineyards under water\n{byline}\n\n{BODY}") == [byline]
    assert found(f"{BODY}\n{BODY}\n{BODY}\n{BODY}\n{BODY}\n{BODY}\n{byline}\n{BODY}") == []
    assert found("Rain\n" * 6 + f"{byline}\n{BODY}") == []
    assert found(f"{BODY * 6}\n{byline}\n{BODY}") == []


SIGNATURE = "Jane Smith\nHead of Cellars\nTel: 555 0137\n\nValley Wines Ltd"
TURNS = "INTERVIEWER: Why glaciers?\nJohn: I grew up near one.\nINTERVIEWER: And ice cores?\nJohn: They store air.\n"
LETTERHEAD = "14 Orchard Lane\nTaunton TA1 4QX\n22 January 2025\nSomerset Water\nRe: Bill 5520\n\nDear Ms Roe,"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        # mails and letters: the subject stays
        (
            f"From: Jane Smith <jane@example.org>\nTo: All staff\nDate: 4 May\nSubject: Flooded vineyards\n\n{BODY}",
            [
                "From",
                "From: Jane Smith <jane@example.org>",
                "To",
                "To: All staff",
                "Date",
                "Date: 4 May",
                "Subject",
                "Subject",
            ],
        ),
        (f"Re: Flooded vineyards\n\n{BODY}\n{BODY}", ["Re"]),
        (f"{LETTERHEAD}\n\n{BODY}", ["14 Orchard Lane", "Taunton TA1 4QX", "22 January 2025", "Dear Ms Roe,"]),
        *[
            (f"Dear all,\n\n{BODY}\n\n{closing}\n{SIGNATURE}", ["Dear all,", f"{closing}\n{SIGNATURE}"])
            for closing in ("Kind regards,", "Best wishes", "Thanks,", "Yours sincerely,", "Viele Grüße", "--")
        ],
        (f"{BODY}\n\nThanks,\nJane\n\nP.S. Bring rubber boots, gloves and a torch on Saturday.", ["Thanks,\nJane"]),
        (f"{BODY}\n\nThanks,\nJane\n\n\n\nValley News", ["Thanks,\nJane"]),
        (  # three quarters of the text, though the parts together are more
            "From: Jane Smith <jane@example.org>\nTo: All staff\nDate: 4 May\n\nThe cellars flood.",
            ["From", "From: Jane Smith <jane@example.org>", "To", "To: All staff", "Date", "Date: 4 May"],
        ),
        # data sheets: the values stay
        (f"Date: 4 May\nWeight: 3 kg\nColour: red\n\n{BODY}", ["Date", "Weight", "Colour"]),
        (
            f"- Employment type: full-time\n- Location: Bonn\n- Reference: 12\n{BODY}",
            ["Employment type", "Location", "Reference"],
        ),
        # speakers: the full name of who is interviewed stays
        (TURNS + BODY, ["INTERVIEWER", "John", "INTERVIEWER", "John"]),
        ((TURNS + BODY).replace("\n", " "), ["INTERVIEWER", "John", "INTERVIEWER", "John"]),
        (f"Q: Why?\nA: Rain.\nQ: How much?\nA: Much.\n{BODY}", ["Q", "A", "Q", "A"]),
        (f"Host: Why?\nElla Marsh: Rents.\nHost: So?\nElla Marsh: And flour.\n{BODY}", ["Host", "Host"]),
        # lines of their own
        *[
            (f"Vineyards under water\n\n{BODY}\n\n{line}", [line])
            for line in (
                *("Share this article: Facebook | Twitter | Email", "Follow us on Instagram and YouTube"),
                *("Facebook Twitter WhatsApp Copy link", "Add to cart | Add to wishlist", "Sent from my iPhone"),
                *("Read more: Council tax explained", "Last updated: 3 May 2021", "On Mon, 4 May, Jane Smith wrote:"),
                *("Medically reviewed by Dr. Alan Pike", "(Reporting by Jane Roe; Editing by Max Low)"),
                "Present: R. Okafor (chair), L. Brandt.",
            )
        ],
        # identifiers, whose sentences stay
        *[
            (f"{BODY} The book ({identifier}) is out of print.", [identifier])
            for identifier in ("ISBN 978-3-16-148410-0", "ISSN 2049-3630", "doi:10.1000/xyz123", "arXiv:2101.00001")
        ],
    ],
)
def test_paratext_is_found(text: str, shown: list[str]) -> None:
    assert found(text) == shown


@pytest.mark.parametrize(
    "notice",
    [
        *("All rights reserved.", "© 2024 Valley Wines Inc.", "Copyright 2011 The Associated Press."),
        *("This website uses cookies to improve your experience.", "We use cookies to personalise content."),
        *("Accept all cookies.", "Privacy Policy", "Sign up for our weekly newsletter."),
        "This is an open access article distributed under the terms of the Creative Commons Attribution License, which "
        "permits unrestricted use, distribution, and reproduction in any medium, provided the original work is cited.",
        "Except where noted, content on this site is licensed under a Creative Commons licence.",
        "Permission to make digital or hard copies of all or part of this work for personal use is granted.",
        "This e-mail is confidential and may be privileged.",
    ],
)
def test_notices_take_up_their_sentence(notice: str) -> None:
    assert found(f"{BODY}\n\n{notice}") == [notice]
    assert found(notice) == [], "a text that is nothing else keeps all"


@pytest.mark.parametrize(
    "text",
    [
        f"HTML (HyperText Markup Language) - the language of pages - is old. {BODY}",
        f"NATO - the alliance - met. NATO agreed. {BODY}",
        f"Low-cost pumps - a survey {BODY}",
        f"May 3 - nothing happened. {BODY}",
        f"By noon the river had risen\n{BODY}",
        f"{BODY}\nBest\nRiver View Estate\nHill Top Estate",
        f"Vineyards\n\nShare prices of Twitter fell on Monday. {BODY}\n\nFacebook bought a vineyard.",
        # no data sheets: too few lines, whole sentences, apart
        f"Weight: 3 kg\nColour: red\n{BODY}",
        f"Weight: {BODY}\nColour: {BODY}\nOrigin: {BODY}\n{BODY}",
        f"Weight: 3 kg\n\nColour: red\n\nOrigin: Spain\n{BODY}",
        f"{BODY} The recipe makes thirty cookies with chocolate.",
        f"{BODY} Copyright law protects works of art.",
        f"{BODY} The licence of the pub was renewed.",
        f"{BODY} Creative Commons has published six licences.",
        f"{BODY} Rooms were reserved for the guests.",
        f"{BODY} She asked for permission to enter.",
    ],
)
def test_what_looks_like_paratext_stays(text: str) -> None:
    assert found(text) == []


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


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ('Glass Ltd (the "Supplier") sells panes to Roe Ltd (hereinafter the “Customer”).', {"supplier", "custom"}),
        ("Glass Ltd (the Supplier) sells panes.", {"supplier"}),
        ('Each is referred to as a "Party" and together the "Parties".', {"parti"}),
        ("Present: Malik Osei, Lucia Ferro\nMalik spoke.", {"malik", "osei", "lucia", "ferro"}),
        ("Minutes\n  Attendees (all day): Malik Osei\nMalik spoke.", {"malik", "osei"}),
        ('Glass Ltd ("Glass") sells panes.', set()),  # a short name
        ('Key Data (the "Confidential Information") is secret.', set()),  # a term of its own
        ("The park (the largest in town) has a pond.", set()),
        ("Present day towns: Malik lives in one.", set()),
    ],
)
def test_words_that_stand_for_a_party_or_for_who_was_present(text: str, stems: set[str]) -> None:
    assert defined_words(analyse(text, language="en")) == stems


def test_a_party_is_no_keyphrase_alone_and_may_be_part_of_one() -> None:
    text = (
        'Glass Ltd (the "Supplier") sells panes. The Supplier keeps the Supplier Code of Conduct. The Supplier Code of '
        "Conduct binds each factory of the Supplier."
    )
    phrases = {one.text.lower() for one in pm.extract(text, top=None)}
    assert "supplier" not in phrases
    assert any(one.startswith("supplier code") for one in phrases)
