"""What recurs in a set, and the parts of letters: they give no keyphrases. The texts are made of parts, by code."""

from random import Random

import pytest

import phrasemill as pm
from phrasemill.types import Document

GREETINGS = ("Dear support,", "Dear support team,", "Hello,", "Hi there,", "Good morning", "Dear Sir or Madam,")
THINGS = (
    "card reader|invoice export|password reset|mobile app|shared calendar|backup job|credit card|label printer"
    "|login page"
).split("|")
TROUBLES = (
    "stopped working after the update of {day}",
    "shows error {number} since {day}",
    "is slow in the {place} office",
    "asks {who} for a licence key",
    "loses the settings of {who}",
    "was charged twice on {day}",
)
DAYS = ("Monday", "Tuesday", "Friday", "May 3", "Easter")
PLACES = ("Leeds", "Turin", "Porto", "Graz")
PEOPLE = ("our interns", "the auditors", "my manager", "the warehouse")
QUESTIONS = ("Please help as soon as possible.", "Could you look into this issue?", "I look forward to your reply.")
CLOSINGS = ("Thanks", "Kind regards,", "Best regards,", "Many thanks,", "Thanks in advance,")
NAMES = ("Anna Miller", "Tom Baker", "Priya Shah", "Maria", "Ines Prado")
OFFICES = ("Accounting, Northfield Glass", "Sales, Northfield Glass", "Sent from my iPhone")
FACTS = (
    "Cold brine sinks below the sea ice|Copper wires carry the current|The harvest of olives was late"
    "|Old bridges need new bearings|Trams replace the buses|Bees prefer the lime trees|Salt marshes store carbon"
    "|Night trains return to Vienna|The museum lends its maps|Wind turbines stand offshore"
).split("|")
OF_LETTERS = "dear kind regards thanks advance support morning madam miller baker shah northfield iphone".split()
METHODS = ("consensus", "consensus(positionrank)", "merge(tfidf)", "concat(tfidf)", "collabrank", "bayatmakou")


def tickets(count: int = 300, *, flat: bool = False) -> list[str]:
    """Return tickets that customers might write, on lines or, as in a cell of a table, without."""
    random = Random(7)

    def sentence() -> str:
        words = {"day": DAYS, "place": PLACES, "who": PEOPLE, "number": range(10, 999)}
        trouble = random.choice(TROUBLES).format(**{name: random.choice(some) for name, some in words.items()})
        return f"The {random.choice(THINGS)} {trouble}."

    made = []
    for _ in range(count):
        body = " ".join(sentence() for _ in range(random.choice((1, 2, 3))))
        parts = [random.choice(some) for some in (GREETINGS, QUESTIONS, CLOSINGS, NAMES, OFFICES)]
        lines = [parts[0], "", f"{body} {parts[1]}", "", *parts[2:]]
        made.append(" ".join(filter(None, lines)) if flat else "\n".join(lines))
    return made


@pytest.mark.parametrize("method", METHODS)
def test_tickets_are_about_what_is_broken(method: str) -> None:
    found = pm.extract_set(tickets(), method=method, top=20)
    assert len(found) == 20
    for one in found:
        assert not set(OF_LETTERS) & set(one.text.lower().split()), one.text
    if method == "consensus":
        texts = [one.text for one in found]
        assert set(texts) >= {"card reader", "invoice export", "password reset", "credit card", "label printer"}


def test_so_are_tickets_without_lines() -> None:
    found = pm.extract_set(tickets(flat=True), top=20)
    for one in found:
        assert not set(OF_LETTERS) - {"morning"} & set(one.text.lower().split()), one.text


def test_a_note_says_what_does_not_count() -> None:
    [note] = pm.extract_set(tickets()).notes
    assert note == "3 lines that recur do not count, such as 'Please help as soon as possible.'"
    growing = pm.sets.GrowingSet(tickets(4))
    assert not any("recur" in note for note in growing.extract().notes)


def test_headings_that_recur_do_not_count_and_their_words_do_elsewhere() -> None:
    reports = [f"Water quality\n\n{fact}.\n\nSafety data sheet\n\nGloves for {fact[:9]} men." for fact in FACTS]
    reports[0] += " Water quality suffers. The water quality of the lake fell."
    found = {one.text.lower(): one for one in pm.extract_set(reports, method="tfidf", top="all")}
    assert "safety data sheet" not in found
    assert found["water quality"].sources == ("1",) and found["water quality"].times == 2


def test_lines_at_either_end_need_not_recur_as_often_as_others() -> None:
    wards = [f"Ward {tree} North" for tree in "Ash Beech Cedar Elm Fir Hazel Larch Maple Oak Pine Rowan Yew".split()]
    ills = "asthma jaundice migraine eczema measles anaemia gout mumps rickets scurvy tetanus typhus".split()
    notes = [
        f"{ward}\nRoom {n}{ill[:3]} faces the garden.\n{ill.title()} confirmed.\nSlept until {n}{ill[:3]} past dawn."
        for n in range(6)
        for ward, ill in zip(wards, ills, strict=True)
    ]
    texts = {one.text for one in pm.extract_set(notes, method="consensus(tfidf)", top="all")}
    assert any("Asthma" in text for text in texts)
    assert not any("Ward" in text or "Cedar" in text for text in texts)


def test_what_a_document_says_itself_counts_however_often_others_say_it() -> None:
    footer = "This alert was sent by the monitoring system. Do not reply to this message."
    alerts = [f"{fact}.\n{n}{fact[:3]}\n{footer}" for n in range(6) for fact in FACTS]
    texts = {one.text.lower() for one in pm.extract_set(alerts, method="consensus(tfidf)", top="all")}
    assert all(any(what in text for text in texts) for what in ("brine", "copper", "harvest", "bridges", "trams"))
    assert not any("alert" in text or "monitoring" in text for text in texts)


def test_boilerplate_of_the_other_set_does_not_count_against_a_phrase() -> None:
    own = [f"{fact}, and rye bread is sold to those who come." for fact in FACTS]
    others = [
        f"Chess clubs meet in room {n} of the {fact[-5:]} hall.\nWe also sell rye bread."
        for n, fact in enumerate(FACTS)
    ]
    [bread] = [one for one in pm.extract_set(own, against=others, method="tfidf", top="all") if one.text == "rye bread"]
    assert bread.contrast is not None and bread.contrast.other_documents == 0


def test_versions_of_one_text_keep_what_they_share() -> None:
    shared = " ".join(f"{fact}." for fact in FACTS)
    versions = [f"{shared} Version {fact.split()[-1]} adds a remark on {fact.lower()} in spring." for fact in FACTS[:6]]
    found = pm.extract_set(versions, method="consensus(tfidf)", top="all")
    assert found.notes == ()
    assert max(one.documents for one in found) == 6


def test_phrases_of_the_edges_make_room_for_others() -> None:
    texts = [
        f"Dear support,\n\n{fact}. {other}.\n\nKind regards,\nTom Baker"
        for fact in FACTS
        for other in FACTS
        if other > fact
    ]
    found = pm.extract_set(texts, method="merge(tfidf, keep=1)", top="all")
    assert len(found) >= 9


@pytest.mark.parametrize(
    ("mail", "about", "not_about"),
    [
        ("Dear support,\n\nThe label printer jams.\n\nKind regards,\nTom Baker", "label printer", "Tom Baker"),
        ("Dear support, my label printer jams. Thanks in advance, Tom Baker", "label printer", "Tom Baker"),
        (
            "Sehr geehrte Damen und Herren,\n\nmein Etikettendrucker klemmt.\n\nVielen Dank im Voraus\nAnna Müller",
            "Etikettendrucker",
            "Anna Müller",
        ),
        ("Bonjour,\n\nl'imprimante est en panne.\n\nMerci d'avance\nClaire Dubois", "imprimante", "Claire Dubois"),
        ("Hola:\n\nla impresora no funciona.\n\nMuchas gracias,\nCarmen Ruiz", "impresora", "Carmen Ruiz"),
        ("Buongiorno,\n\nla stampante non funziona.\n\nGrazie mille\nMarco Rossi", "stampante", "Marco Rossi"),
    ],
)
def test_mails_are_not_about_who_signs_them(mail: str, about: str, not_about: str) -> None:
    texts = {one.text for one in pm.extract(mail, top=None)}
    assert any(about in text for text in texts), texts
    assert not any(word in text for text in texts for word in not_about.split()), texts


def test_unlike_documents_have_little_in_common() -> None:
    found = pm.extract_set([f"{fact}. {fact} and changed." for fact in FACTS], top=3)
    assert found.notes == ("the documents have little in common: no phrase here is in more than 1 of 10",)
    alike = pm.extract_set([f"{fact}. The dam failure flooded four villages." for fact in FACTS[:3]])
    assert alike.notes == ()
    assert pm.extract_set([FACTS[0]]).notes == ()
    one_empty = pm.extract_set([Document("a", FACTS[0]), Document("b", "…")])
    assert one_empty.notes == ()
