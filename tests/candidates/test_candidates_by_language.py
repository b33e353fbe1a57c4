"""Noun phrases and word classes in languages with universal tags."""

import pytest
from phrasemill.kernels.shapes import ADJECTIVE, NAME, NOUN, OF, PREPOSITION

import phrasemill as pm
from phrasemill.candidates import noun_phrases, nouns_and_adjectives
from phrasemill.methods.learned.shapes import Shapes, word_classes
from phrasemill.text.analyse import analyse
from phrasemill.types import Candidates


def surfaces(candidates: Candidates) -> list[str]:
    text = candidates.analysis.text
    return [text[span.start : span.end] for c in range(len(candidates)) for span in candidates.spans(c)]


@pytest.mark.parametrize(
    ("language", "text", "phrase"),
    [
        ("fr", "Il lit un livre sur la protection des données personnelles.", "protection des données personnelles"),
        ("es", "El ministro visita un centro de investigación marina.", "centro de investigación marina"),
        ("it", "Visitano il museo dell'automobile.", "museo dell'automobile"),
        ("de", "Sie baut erneuerbare Energien aus.", "erneuerbare Energien"),
        ("pl", "To są odnawialne źródła.", "odnawialne źródła"),
    ],
)
def test_noun_phrases_follow_the_language(language: str, text: str, phrase: str) -> None:
    assert phrase in surfaces(noun_phrases(analyse(text, language=language)))


def test_no_noun_phrase_has_an_elided_article() -> None:
    found = surfaces(noun_phrases(analyse("L'énergie de l'océan et l'eau potable.", language="fr")))
    assert found and not any(surface.startswith(("L'", "l'")) for surface in found)


def test_penn_patterns_work_on_universal_tags() -> None:
    analysis = analyse("Die roten Züge fahren durch Berlin.", language="de")
    assert surfaces(noun_phrases(analysis, patterns=("JJ NN",))) == ["roten Züge"]
    assert surfaces(noun_phrases(analysis, patterns=("NNP",))) == ["Berlin"]
    assert surfaces(noun_phrases(analysis, patterns=("ADJ <NOUN|PROPN>",))) == ["roten Züge"]


def test_names_of_days_and_months_are_no_phrases_alone() -> None:
    every = Shapes.of({NOUN: 0.0, NAME: 0.0, NAME << 4 | NAME: 0.0})
    found = surfaces(every.propose(analyse("Am Montag und im Oktober fährt ein Zug nach Berlin.", language="de")))
    assert sorted(found) == ["Berlin", "Zug"]


def test_nouns_names_foreign_words_and_adjectives_are_allowed() -> None:
    analysis = analyse("Die roten Züge", language="de")
    allowed = nouns_and_adjectives(analysis)
    assert {tag for code, tag in enumerate(analysis.tagset) if allowed[code]} == {"ADJ", "NOUN", "PROPN", "X"}


def test_prepositions_that_join_nouns_have_a_class_of_their_own() -> None:
    analysis = analyse("un centre de recherche marine sur une plage", language="fr")
    classes = dict(zip((token.text for token in analysis.tokens), word_classes(analysis), strict=True))
    assert (classes["centre"], classes["de"], classes["marine"], classes["sur"]) == (NOUN, OF, ADJECTIVE, PREPOSITION)


@pytest.mark.parametrize("method", ["textrank", "singlerank", "positionrank", "topicrank", "multipartiterank"])
def test_graph_methods_work_wherever_there_is_a_tagger(method: str) -> None:
    text = "Erneuerbare Energien ersetzen alte Kraftwerke. Erneuerbare Energien sind billig, sagt das Umweltamt."
    found = [phrase.text for phrase in pm.extract(text, method=method, language="de")]
    assert "Erneuerbare Energien" in found
