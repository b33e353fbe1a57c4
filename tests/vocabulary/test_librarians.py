"""What librarians' vocabularies have: labels as resources, several languages, deprecated and broader concepts."""

from pathlib import Path

import pytest

import made_vocabularies as made
import phrasemill as pm
from phrasemill.errors import ConfigError, InputError
from phrasemill.vocabulary import Concept, Label, Vocabulary, read_vocabulary

PREFIXES = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix : <http://e.org/> .
"""
TEXT = "Groundwater is pumped from wells. Brine and aqua vitae stand in the cellar. Old charts show the ocean."


def read(folder: Path, body: str, ending: str = "ttl") -> Vocabulary:
    path = folder / f"v.{ending}"
    text = PREFIXES + body
    if ending != "ttl":
        from pyoxigraph import RdfFormat, parse, serialize

        written = serialize(parse(text, format=RdfFormat.TURTLE), format=RdfFormat.from_extension(ending))
        assert written is not None
        path.write_bytes(written)
    else:
        path.write_text(text)
    return read_vocabulary(path)


def labels(vocabulary: Vocabulary, **options: object) -> list[str]:
    found = pm.extract(TEXT, vocabulary=vocabulary, method="tfidf", top=None, redundancy="none", **options)  # type: ignore[arg-type]
    return sorted(one.label for one in found if one.concept)


@pytest.mark.parametrize("ending", ["ttl", "nt", "nq", "trig", "jsonld", "rdf"])
def test_labels_that_are_resources(tmp_path: Path, ending: str) -> None:
    body = """:l1 xl:literalForm "groundwater"@en . # before the concept
    :a a skos:Concept ; xl:prefLabel :l1, [ a xl:Label ; xl:literalForm "Grundwasser"@de ] ; xl:altLabel :l2 ;
       xl:hiddenLabel [ xl:literalForm "grundwater" ] ; xl:altLabel :nowhere ; skos:altLabel "ground water"@en .
    :l2 a xl:Label ; xl:literalForm "ground water"@en ."""
    (concept,) = read(tmp_path, body, ending).concepts
    assert sorted(concept.labels) == sorted(
        [
            Label("groundwater", "en", 0),
            Label("Grundwasser", "de", 0),
            Label("ground water", "en", 1),
            Label("grundwater", "", 2),
        ]
    )


def test_labels_in_the_language_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "water.ttl"
    path.write_text(made.turtle())
    water = read_vocabulary(path)
    assert labels(water) == ["groundwater", "pump", "salt water", "sea", "well"]
    assert labels(water, label_language="de") == ["Brunnen", "Grundwasser", "Meer", "Pumpe", "Salzwasser"]
    assert labels(water, label_language="fr") == labels(water), "where there is none, that of the text"
    german = pm.extract(
        "Brunnen und Pumpen.", vocabulary=water, language="de", method="tfidf", label_language="English"
    )
    assert {one.label for one in german} == {"well", "pump"}


def test_labels_without_the_language_of_the_text_are_shown_in_english_then_in_any() -> None:
    plain = Label("groundwater", "", 2)
    some = [
        Concept("a", (plain, Label("nappe", "fr"), Label("ground water", "en"))),
        Concept("b", (Label("Brunnen", "de"), Label("puits", "fr"), Label("wells", "", 2))),
        Concept("c", (Label("mer", "fr"), Label("ocean", "en", 1))),
    ]
    vocabulary = Vocabulary(tuple(some))
    assert vocabulary.index("en").labels == ("ground water", "wells", "ocean")
    assert vocabulary.index("fr").labels == ("nappe", "puits", "mer")
    assert vocabulary.index("fi").labels == ("groundwater", "wells", "ocean")


def test_deprecated_concepts_are_skipped_or_replaced(tmp_path: Path) -> None:
    body = """:old a skos:Concept ; skos:prefLabel "ocean"@en ; owl:deprecated true ; dct:isReplacedBy :older .
    :older a skos:Concept ; skos:prefLabel "main"@en ; owl:deprecated "1" .
    :new a skos:Concept ; skos:prefLabel "sea"@en ; dct:replaces :older .
    :gone a skos:Concept ; skos:prefLabel "brine"@en ; owl:deprecated true .
    :round a skos:Concept ; skos:prefLabel "cellar"@en ; owl:deprecated true ; dct:isReplacedBy :round .
    :kept a skos:Concept ; skos:prefLabel "well"@en ; owl:deprecated false ."""
    vocabulary = read(tmp_path, body)
    found = {one.label: one for one in pm.extract(TEXT, vocabulary=vocabulary, method="tfidf")}
    assert set(found) == {"sea", "well"}
    assert (found["sea"].text, found["sea"].concept) == ("ocean", "http://e.org/new")
    base = "http://e.org/"
    ids = {base + one: successor for one, successor in (("old", base + "new"), ("older", base + "new"))}
    assert vocabulary.successors() == {**ids, base + "gone": "", base + "round": ""}


def test_deprecated_concepts_of_a_table(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("id,label,deprecated,replaced_by\nS,sea,,\nO,ocean,yes,S\nB,brine,true,\nW,well,no,\n")
    assert labels(read_vocabulary(path)) == ["sea", "well"]


def test_rolling_up_reports_broader_concepts(tmp_path: Path) -> None:
    path = tmp_path / "water.csv"
    path.write_text(made.csv())
    water = read_vocabulary(path)
    assert labels(water, roll_up=1) == ["pump", "water", "well"]
    found = {one.label: one for one in pm.extract(TEXT, vocabulary=water, roll_up=1, method="tfidf")}
    assert [TEXT[a:b] for a, b in found["water"].spans] == ["Groundwater", "Brine", "ocean"]
    assert labels(water, roll_up=9) == labels(water, roll_up=1), "as far as there is a broader one"


def test_rolling_up_ends_in_circles_and_passes_by_deprecated_concepts() -> None:
    sea = Concept("sea", (Label("ocean"),), broader=("nowhere", "old", "water"))
    water = Concept("water", (Label("water"),), broader=("sea",))
    old = Concept("old", (Label("waters of old"),), deprecated=True)
    for levels in (7, 8):
        assert labels(Vocabulary((sea, water, old)), roll_up=levels) == ["water"]


def test_new_terms_within_a_concept_are_not_returned() -> None:
    text = "Salt water intrusion is slow. Salt water intrusion harms wells, and the water law is old."
    found = pm.extract(
        text, vocabulary=Vocabulary.of(["salt water intrusion"]), new_terms=True, top=None, method="tfidf"
    )
    fresh = {one.text for one in found if not one.concept}
    assert "Salt" not in fresh and "intrusion" not in fresh
    assert "water" in fresh, "it also stands elsewhere"
    assert "wells" in fresh


def test_known_concepts_are_preferred_to_new_terms() -> None:
    def rank(vocabulary: list[str], phrase: str) -> int:
        found = pm.extract(TEXT, vocabulary=Vocabulary.of(vocabulary), new_terms=True, top=None, redundancy="none")
        return [one.text for one in found].index(phrase)

    assert rank(["brine"], "Brine") < rank(["charts"], "Brine")


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"roll_up": 1}, "`roll_up` requires a `vocabulary`"),
        ({"label_language": "de"}, "`label_language` requires a `vocabulary`"),
        ({"roll_up": -1, "vocabulary": Vocabulary.of(["sea"])}, "0 or more, got -1"),
        ({"label_language": "klingonish", "vocabulary": Vocabulary.of(["sea"])}, "klingonish"),
    ],
)
def test_wrong_options_are_one_clear_line(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(ConfigError, match=complaint):
        pm.extract(TEXT, **options)  # type: ignore[arg-type]


def test_a_file_whose_concepts_have_no_labels(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of its 2 concepts has a label"):
        read(tmp_path, ":a a skos:Concept . :b a skos:Concept .")
