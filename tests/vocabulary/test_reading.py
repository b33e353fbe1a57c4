"""Vocabularies out of files: every form gives the same concepts, and what is wrong is said in one line."""

import gzip
import lzma
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import made_vocabularies as made
from phrasemill.errors import InputError, MissingExtra
from phrasemill.vocabulary import Concept, Vocabulary, read_vocabulary

LAUGHS = """<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">
<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">&c;</rdf:RDF>"""
OUTSIDE = """<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">&a;</rdf:RDF>"""
RDF = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#">'
PREFIX = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"


def read(folder: Path, name: str, content: str | bytes) -> Vocabulary:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_vocabulary(path)


def by_id(vocabulary: Vocabulary) -> dict[str, Concept]:
    return {concept.id.removeprefix(made.BASE): concept for concept in vocabulary.concepts}


def test_thirty_concepts_in_every_form_of_rdf(tmp_path: Path) -> None:
    xml, turtle = read(tmp_path, "v.rdf", made.rdf_xml()), read(tmp_path, "v.ttl", made.turtle())
    others = [read(tmp_path, f"v.{ending}", made.rewritten(ending)) for ending in ("nt", "nq", "trig", "jsonld")]
    for vocabulary in (xml, turtle, *others):
        assert len(vocabulary) == 30
        for id_, concept in by_id(xml).items():
            twin = by_id(vocabulary)[id_]
            assert sorted(concept.labels) == sorted(twin.labels)
            assert (concept.broader, concept.related) == (twin.broader, twin.related)
    groundwater = by_id(turtle)["groundwater"]
    assert [(label.text, label.language, label.role) for label in sorted(groundwater.labels)] == [
        ("Grundwasser", "de", 0),
        ("ground water", "en-gb", 1),
        ("groundwater", "en", 0),
        ("grundwater", "en", 2),
        ("subsurface water", "en-gb", 1),
    ]
    assert groundwater.broader == (made.BASE + "water",)
    assert xml.languages() == ["de", "en", "en-gb"]


def test_a_table_and_a_list(tmp_path: Path) -> None:
    table, listed = read(tmp_path, "v.csv", made.csv()), read(tmp_path, "v.txt", made.phrases())
    assert len(table) == len(listed) == 30
    assert by_id(table)["rain"].labels[1:] == (("rainfall", "", 1), ("precipitation", "", 1))
    assert by_id(table)["intrusion"].related == ("aquifer",)
    assert listed.concepts[1] == Concept("groundwater", (("groundwater", "", 0),))  # type: ignore[arg-type]


def test_separators_and_order_of_columns(tmp_path: Path) -> None:
    for name, text in {
        "tab.tsv": "label\tid\tsynonyms\nsalt water\tS\tbrine|sea water\n\t\t\n",
        "semicolon.csv": "\ufeffid;label;synonyms\nS;salt water;brine|sea water\n",
        "quoted.csv": 'Id,Synonyms,Label\nS,"brine; sea water","salt water"\n',
    }.items():
        (concept,) = read(tmp_path, name, text).concepts
        assert concept.id == "S"
        assert [label.text for label in concept.labels] == ["salt water", "brine", "sea water"]
    (bare,) = read(tmp_path, "bare.csv", "label\nsalt water\n").concepts
    assert bare.id == "salt water"


def test_packed_files_and_files_of_other_names(tmp_path: Path) -> None:
    assert len(read(tmp_path, "v.ttl.gz", gzip.compress(made.turtle().encode()))) == 30
    assert len(read(tmp_path, "v.csv.xz", lzma.compress(made.csv().encode()))) == 30
    assert len(read(tmp_path, "thesaurus", made.rdf_xml())) == 30
    assert len(read(tmp_path, "thesaurus2", made.turtle().removeprefix("# Water, in Turtle\n"))) == 30
    assert len(read(tmp_path, "thesaurus3.json", made.rewritten("jsonld"))) == 30
    assert len(read(tmp_path, "words", made.phrases())) == 30


def test_xml_in_other_encodings(tmp_path: Path) -> None:
    for encoding in ("iso-8859-1", "utf-16", "utf-8-sig"):
        text = made.rdf_xml().replace("UTF-8", encoding.removesuffix("-sig"))
        assert by_id(read(tmp_path, f"{encoding}.rdf", text.encode(encoding)))["coast"].labels[-1].text == "Küste"


def test_unnamed_concepts_have_the_same_ids_every_time(tmp_path: Path) -> None:
    text = PREFIX + '[] skos:prefLabel "tank" ; skos:broader _:b . _:b skos:prefLabel "vessel" .'
    concepts = read(tmp_path, "v.ttl", text).concepts
    assert [(concept.id, concept.broader) for concept in concepts] == [("_:1", ("_:b",)), ("_:b", ())]


def test_the_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyoxigraph", None)
    with pytest.raises(MissingExtra, match=r"pip install 'phrasemill\[skos\]'"):
        read(tmp_path, "v.ttl", made.turtle())
    assert len(read(tmp_path, "v.csv", made.csv())) == 30


def test_turtle_in_odd_clothes(tmp_path: Path) -> None:
    text = (
        "PREFIX s: <http://www.w3.org/2004/02/skos/core#>\nprefix : <http://e.org/>\n"
        ':a.b a s:Concept;s:prefLabel \'it\\\'s \\u0061 "well"\' ,"""two\nlines "quoted\\""""@en;;.\n'
        '_:x s:prefLabel "tank"; s:broader :a.b, [s:prefLabel "inner"].\n'
        '<http://e.org/c\\u0064> a s:Concept; s:altLabel "only a synonym"@EN; s:narrower :a.b.'
    )
    found = {concept.id: concept for concept in read(tmp_path, "v.ttl", text).concepts}
    assert list(found) == ["http://e.org/a.b", "http://e.org/cd"]
    assert [label.text for label in found["http://e.org/a.b"].labels] == ['it\'s a "well"', 'two lines "quoted"']
    assert found["http://e.org/a.b"].broader == ("http://e.org/cd",)


def test_nested_concepts_in_rdf_xml(tmp_path: Path) -> None:
    text = (
        f'{RDF}<skos:Concept rdf:ID="a" skos:prefLabel="tank"><skos:broader><skos:Concept rdf:about="#b">'
        "<skos:prefLabel>vessel</skos:prefLabel></skos:Concept></skos:broader></skos:Concept></rdf:RDF>"
    )
    found = {concept.id: concept for concept in read(tmp_path, "v.xml", text).concepts}
    assert found["#a"].broader == ("#b",)
    assert found["#a"].labels[0].text == "tank"
    assert found["#b"].labels[0].text == "vessel"


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("v.rdf", LAUGHS, "it declares the entity"),
        ("v.rdf", OUTSIDE, "it declares the entity"),
        ("v.rdf", RDF + "<a>" * 80, "nested more than 50 deep"),
        ("v.rdf", made.rdf_xml()[:2000], ": not XML ("),
        ("v.rdf", "<html><body>Hello</body></html>", "not RDF/XML (XML namespaces are required"),
        ("v.rdf", "", "not XML (no element found)"),
        ("v.rdf", RDF + "</rdf:RDF>", "no concepts in it"),
        ("v.ttl", made.turtle()[:2000], "v.ttl"),
        ("v.ttl", PREFIX + "<a> skos:prefLabel 'x' ; ! .", "line 2: not Turtle (! is not a valid predicate)"),
        ("v.ttl", PREFIX + " \n" * 50_000 + "!", "line 50002: not Turtle ("),
        ("v.ttl", PREFIX + "<a> skos:prefLabel " + '"' * 3 + "x'" * 50_000, "line 2: not Turtle"),
        ("v.ttl", "<a> skos:prefLabel 'x' .", "The prefix skos: has not been declared"),
        ("v.ttl", PREFIX + "<a> skos:prefLabel " + "[ skos:note " * 99_999, "not Turtle (Unexpected end)"),
        ("v.ttl", PREFIX + "<a> skos:prefLabel " + "( " * 99_999, "not Turtle (Unexpected end)"),
        ("v.ttl", PREFIX + "<a> skos:prefLabel '" + "x" * (17 << 20) + "' .", "Reached the buffer maximal size"),
        ("v.rdf", '<?xml version="1.0" encoding="klingon"?>' + RDF, "declares the unknown encoding 'klingon'"),
        ("v.nt", "<http://e.org/a> <b> .", "line 1: not N-Triples ("),
        ("v.jsonld", '{"@id": "http://e.org/a", "http://e.org/b": ' + "[" * 99_999, "not JSON-LD (Max stack size"),
        ("v.jsonld", '{"@context": "http://localhost/c", "@id": "http://e.org/a"}', "load remote contexts"),
        ("v.ttl.gz", gzip.compress(made.turtle().encode())[:900], "gzip data breaks off"),
        ("v.ttl", PREFIX + '<a> skos:prefLabel "\\UFFFFFFFF" .', "line 2: not Turtle"),
        ("v.ttl", PREFIX, "no concepts in it"),
        ("v.csv", "name,synonyms\nx,y\n", "a table needs a header with a column label; it has name, synonyms"),
        ("v.csv", 'label\n"salt', "line 2"),
        ("v.csv", "id,label\nS,\n", "line 2: no label"),
        ("v.csv", "id,label\nS,salt\nS,sea\n", "the id 'S' stands for two concepts"),
        ("v.txt", b"\xff\xfe\x00", "not UTF-8"),
        ("v.txt", "\n \n", "no concepts in it"),
        ("v.txt.gz", b"\x1f\x8b broken", "damaged gzip data"),
        ("v.txt.gz", gzip.compress(b"well\n", mtime=0)[:10] + b"\xff" * 9, "damaged gzip data"),
        ("v.csv", b"id,label\n1,salt, brine\n", "line 2: 3 cells, but there are 2 columns"),
        ("v.json", '{"a": 1}', "not a vocabulary"),
        ("v.bin", b"\0\1\2", "not a vocabulary"),
    ],
)
def test_wrong_files_give_one_clear_line(tmp_path: Path, name: str, content: str | bytes, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, name, content)
    assert complaint in str(caught.value)
    assert str(tmp_path / name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_vocabulary(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is a directory"):
        read_vocabulary(tmp_path)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), kind=st.sampled_from(["rdf", "ttl", "nt", "jsonld", "csv", "txt"]))
def test_no_damage_gives_a_traceback(data: st.DataObject, kind: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    forms = {"rdf": made.rdf_xml, "ttl": made.turtle, "csv": made.csv, "txt": made.phrases}
    whole = (forms[kind]() if kind in forms else made.rewritten(kind)).encode()
    start = data.draw(st.integers(0, len(whole)))
    cut = whole[:start] + data.draw(st.binary(max_size=8)) + whole[start + data.draw(st.integers(0, 50)) :]
    try:
        assert len(read(tmp_path_factory.mktemp("v"), f"v.{kind}", cut)) > 0
    except InputError as error:
        assert "\n" not in str(error)
