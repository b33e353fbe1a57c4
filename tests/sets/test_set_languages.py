"""Sets in several languages, and in others than English: every phrase is read in the language of its documents."""

import pytest

import phrasemill as pm
from phrasemill.sets import SetKeyphrase
from phrasemill.types import Document

ENGLISH = Document(
    "en",
    "Pumps lift groundwater from wells near the coast. The pumps run on solar power, and the central bank of the "
    "region pays for the pumps. The central bank raised interest rates.",
    language="en",
)
GERMAN = [
    Document(
        "de-1",
        "Die Versalzung des Grundwassers bedroht die Brunnen an der Küste. Die Versalzung des Grundwassers nimmt zu, "
        "und das Amt warnt. Die Küste leidet.",
        language="de",
    ),
    Document(
        "de-2",
        "Pumpen fördern Grundwasser aus tiefen Brunnen. Die Pumpen laufen Tag und Nacht, und das Grundwasser sinkt. "
        "Sparer und Kreditnehmer spüren die Zinsen, klagen Sparer und Kreditnehmer. Die Kreditnehmer zahlen.",
        language="de",
    ),
]
FRENCH = [
    Document(
        "fr-1",
        "Emmanuel Macron visite la Banque de France. La Banque de France augmente son taux, et Macron le regrette. "
        "La France attend.",
        language="fr",
    ),
    Document(
        "fr-2",
        "La Banque de France a parlé, et Emmanuel Macron répond. Macron défend la France.",
        language="fr",
    ),
]
CHINESE = Document(
    "zh", "中国人民银行上调利率。通货膨胀率下降，中国人民银行表示，通货膨胀率将继续下降。", language="zh"
)
EVERY = ("consensus", "consensus(tfidf)", "merge(tfidf)", "concat(tfidf)", "collabrank", "bayatmakou")


def written(found: list[SetKeyphrase], *words: str) -> list[set[str]]:
    """The wordings of each phrase among which is one of `words`."""
    return [set(one.variants) for one in found if set(words) & set(one.variants)]


@pytest.mark.parametrize("method", EVERY)
def test_equal_stems_of_two_languages_are_two_phrases(method: str) -> None:
    found = pm.extract_set([ENGLISH, *GERMAN], method=method, top="all")
    for wordings in written(found, "pumps", "Pumps"):
        assert not {"Pumpen"} & wordings
    for one in found:
        languages = {source.partition("-")[0] for source in one.sources}
        assert len(languages) == 1, (one.text, one.variants)


def test_concat_counts_a_phrase_in_another_language_only_where_it_is_written_so() -> None:
    texts = [
        Document("en", "Small banks fail. The banks lend less, and savers leave the banks. Savers fear for money."),
        Document("en-2", "The banks closed. Savers stood before the banks for hours."),
        Document("de", "Die Banken in der Stadt schließen, und die Sparer warten vor den Banken."),
    ]
    found = pm.extract_set(texts, method="concat(tfidf)", top="all")
    [banks] = [one for one in found if one.text == "banks"]
    assert banks.variants == ("banks",) and "de" not in banks.sources
    found = pm.extract_set(texts, method="concat(tfidf)", top="all", longest=1)
    assert found and all(len(one.text.split()) == 1 for one in found)


def test_a_word_that_both_languages_spell_alike_is_listed_once() -> None:
    texts = [
        Document("en", "Berlin rents rise. Tenants leave Berlin, and Berlin builds.", language="en"),
        Document("de", "Die Mieten in Berlin steigen. Viele verlassen Berlin, denn Berlin baut.", language="de"),
    ]
    [berlin] = [one for one in pm.extract_set(texts, method="consensus(tfidf)", top="all") if one.text == "Berlin"]
    assert berlin.sources == ("en", "de") and berlin.times == 6


@pytest.mark.parametrize("method", ("consensus", "consensus(tfidf)"))
def test_capitals_of_german_nouns_make_no_names(method: str) -> None:
    found = pm.extract_set(GERMAN, method=method, top="all")
    for phrase, noun in (
        ("Versalzung des Grundwassers", "Grundwasser"),
        ("Sparer und Kreditnehmer", "Kreditnehmer"),
        ("Brunnen an der Küste", "Küste"),
    ):
        assert written(found, noun), "the noun is found, and is no name for the phrase that ends with it"
        assert not any(phrase in wordings for wordings in written(found, noun))


def test_a_german_noun_after_another_is_not_its_last_name() -> None:
    texts = [
        Document("1", "Ein Liter Wasser kostet wenig. Das Wasser der Stadt ist gut, und ein Liter Wasser reicht."),
        Document("2", "Jeder trinkt einen Liter Wasser am Tag. Ohne Wasser geht nichts."),
    ]
    for one in pm.extract_set(texts, method="consensus(tfidf)", language="de", top="all"):
        assert not {"Liter Wasser", "Wasser"} <= set(one.variants)


def test_french_names_are_those_with_capitals_and_without_function_words() -> None:
    found = pm.extract_set(FRENCH, method="consensus(tfidf)", top="all")
    [macron] = [one for one in found if "Macron" in one.variants]
    assert macron.text == "Emmanuel Macron" and macron.times == 4
    assert all("France" not in wordings for wordings in written(found, "Banque de France"))


@pytest.mark.parametrize("limits", [{"shortest": 2}, {"longest": 2}], ids=str)
def test_limits_count_words_of_each_language_in_any_order_of_documents(limits: dict[str, int]) -> None:
    documents = [ENGLISH, CHINESE, *FRENCH]
    lists = [{one.text for one in pm.extract_set(some, top="all", **limits)} for some in (documents, documents[::-1])]
    assert lists[0] == lists[1]
    assert ("中国人民银行" in lists[0]) == ("shortest" in limits)  # three words, as `extract` counts them
