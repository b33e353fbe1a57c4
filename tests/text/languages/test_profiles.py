"""Profiles of languages: words, sentences and tags, on sentences of our own."""

import sys
from array import array
from types import ModuleType

import pytest

from phrasemill.models import FOLDER
from phrasemill.text.analyse import Analyser, analyse
from phrasemill.text.languages import UPOS, Language, profile, tagged_languages
from phrasemill.types import STOPWORD


def words(text: str, language: str) -> list[str]:
    return [token.text for token in analyse(text, language=language, tag=False).tokens]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "l'homme d’aujourd'hui", ["l'", "homme", "d’", "aujourd'hui"]),
        ("fr", "L'Oréal n'a jusqu'ici rien dit", ["L'", "Oréal", "n'", "a", "jusqu'", "ici", "rien", "dit"]),
        ("it", "dell'acqua e un po' di sale", ["dell'", "acqua", "e", "un", "po'", "di", "sale"]),
        ("it", "Sant'Agostino", ["Sant'Agostino"]),
        ("ca", "l'home d'avui", ["l'", "home", "d'", "avui"]),
        ("nl", "de foto's van 's ochtends", ["de", "foto's", "van", "'s", "ochtends"]),
        ("de", "wie geht's Ihnen", ["wie", "geht's", "Ihnen"]),
        ("tr", "İstanbul'da", ["İstanbul'da"]),
        ("en", "the dog's o'clock isn't", ["the", "dog", "'s", "o'clock", "is", "n't"]),
    ],
)
def test_apostrophes_by_language(language: str, text: str, expected: list[str]) -> None:
    assert words(text, language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Obst, z.B. Äpfel bzw. Birnen.", "z.B. bzw."),
        ("de", "Obst, z. B. Äpfel.", "z. B."),
        ("es", "El Sr. Gómez y la Sra. Ruiz.", "Sr. Sra."),
        ("pt", "A Dra. Lima chegou.", "Dra."),
        ("pl", "Kraków, tzn. miasto.", "tzn."),
        ("ru", "Метро, т.е. поезда.", "т.е."),
        ("nl", "Fruit, bijv. peren.", "bijv."),
        ("fr", "Mme. Petit", "Mme."),
    ],
)
def test_abbreviations_by_language(language: str, text: str, expected: str) -> None:
    assert [word for word in words(text, language) if word.endswith(".") and word != "."] == expected.split()
    assert len(analyse(text, language=language, tag=False).sentences) == 1


def test_ordinals_do_not_end_sentences_where_they_are_written_with_a_full_stop() -> None:
    text = "Am 3. Oktober ruht die Arbeit. Wir feiern am 12. Mai."
    assert len(analyse(text, language="de", tag=False).sentences) == 2
    assert "3." in words(text, "de")
    assert words("Es waren 12.", "de")[-2:] == ["12", "."]
    assert words("Van 3. Oktober", "nl") == ["Van", "3", ".", "Oktober"]


def test_articles_and_abbreviations_are_stopwords() -> None:
    tokens = analyse("L'eau, etc. dell'acqua", language="fr", tag=False).tokens
    assert [token.text for token in tokens if token.kind & STOPWORD] == ["L'", "etc."]


def test_a_language_without_a_file_has_no_clitics() -> None:
    assert profile("eu").tagger is None
    assert words("Mikel's etxea", "eu") == ["Mikel's", "etxea"]


def test_undetermined_text_is_cut_as_english() -> None:
    text = "don't Dr. Smith's"
    assert words(text, "und") == words(text, "en")


class Halves:
    """Cuts every text in two, and calls both halves nouns."""

    tags = UPOS

    def segment(self, text: str) -> tuple["array[int]", "array[int]", "array[int]", "array[int]"]:
        half, noun = len(text) // 2, UPOS.index("NOUN")
        return array("i", [0, half]), array("i", [half, len(text)]), array("B", [0, 3]), array("B", [noun, noun])


def test_a_segmenter_cuts_and_tags_where_a_profile_names_one(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("halves")
    monkeypatch.setattr(module, "segmenter", lambda code: Halves(), raising=False)
    monkeypatch.setitem(sys.modules, "phrasemill.text.languages.halves", module)
    monkeypatch.setattr("phrasemill.text.analyse.profile", lambda code: Language(code, segment="halves"))
    found = Analyser("zh").analyse("机器学习")
    assert [(token.text, token.tag) for token in found.tokens] == [("机器", "NOUN"), ("学习", "NOUN")]
    assert not Analyser("zh", tag=False).analyse("机器学习").tagged


SENTENCES = [
    ("de", "Die roten Züge fahren durch Berlin .", "DET ADJ NOUN VERB ADP PROPN PUNCT"),
    ("fr", "La ministre annonce un projet important .", "DET NOUN VERB DET NOUN ADJ PUNCT"),
    ("es", "El gobierno anunció una nueva ley .", "DET NOUN VERB DET ADJ NOUN PUNCT"),
    ("it", "Il governo ha presentato una nuova legge .", "DET NOUN AUX VERB DET ADJ NOUN PUNCT"),
    ("pt", "O governo apresentou uma nova lei .", "DET NOUN VERB DET ADJ NOUN PUNCT"),
    ("nl", "De regering heeft een nieuwe wet .", "DET NOUN VERB DET ADJ NOUN PUNCT"),
    ("pl", "Nowy rząd przedstawił ważną ustawę .", "ADJ NOUN VERB ADJ NOUN PUNCT"),
    ("ru", "Новый закон вступил в силу .", "ADJ NOUN VERB ADP NOUN PUNCT"),
    ("sv", "Den nya lagen gäller i hela landet .", "DET ADJ NOUN VERB ADP ADJ NOUN PUNCT"),
    ("no", "Den nye loven gjelder i hele landet .", "DET ADJ NOUN VERB ADP ADJ NOUN PUNCT"),
    ("da", "Den nye lov gælder i hele landet .", "DET ADJ NOUN VERB ADP ADJ NOUN PUNCT"),
    ("cs", "Nový zákon platí v celé zemi .", "ADJ NOUN VERB ADP ADJ NOUN PUNCT"),
]


@pytest.mark.parametrize(("language", "text", "expected"), SENTENCES)
def test_tags_of_plain_sentences(language: str, text: str, expected: str) -> None:
    assert [token.tag for token in analyse(text, language=language).tokens] == expected.split()


@pytest.mark.parametrize("language", sorted(tagged_languages() - {"en"}))
def test_every_tagger_has_a_profile_and_universal_tags(language: str) -> None:
    assert (FOLDER / f"language_{language}.toml").is_file()
    assert profile(language).noun_phrase
    assert analyse("a b.", language=language).tagset == UPOS


def test_language_data_stays_small() -> None:
    files = [*FOLDER.glob("tagger_*.safetensors"), *FOLDER.glob("language_*.toml")]
    assert sum(path.stat().st_size for path in files) < 10_000_000
