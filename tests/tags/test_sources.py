"""Tagged documents out of every kind of file that people keep them in."""

import json
from pathlib import Path

import pytest

import phrasemill as pm
from phrasemill.errors import InputError
from phrasemill.readers import Columns
from phrasemill.tags.sources import Tagged, TagReader, labels_of, note, split_tags

BIBTEX = """@comment{ignored, keywords = {no}}
@string{jan = "January"}
@article{salt,
  title = {{Salt} in \\emph{wells}},
  month = jan # " 2020",
  keywords = {groundwater, salt water},
  abstract = "Pumps {"}draw{"} too much.",
}
@book(reef,
  title = "Reefs")
"""
RIS = """TY  - JOUR
ID  - salt
TI  - Salt in wells
AB  - Pumps draw too much.
KW  - groundwater
KW  - salt water
ER  -

TY  - BOOK
T1  - Reefs
ER  -
"""
BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><H3>Cooking</H3>
<DL><p>
<DT><A HREF="https://example.org/a" TAGS="baking,bread">Sour &amp; dough</A>
<DD>All about starters
<DT><A HREF="https://example.org/b">No tags</A>
</DL><p>
</DL>
"""


def read(path: Path, **options: object) -> list[Tagged]:
    failures: list[Exception] = []
    found = list(TagReader(failures.append, **options).read([path]))  # type: ignore[arg-type]
    assert not failures
    return found


def written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_notes_have_the_tags_of_front_matter_and_text() -> None:
    body = "See #inline/tag, `#code` and #a; not x#y, #123 or https://x.org/#z.\n\n    #no\n"
    text = f"---\ntags: [a, b]\n---\n# Title\n\n{body}"
    found = note(text.encode(), "n.md")
    assert found.tags == ("a", "b", "inline/tag")
    assert found.inline == ("inline/tag",)
    assert "inline" not in found.document.text
    assert len(found.document.text) == len(text)


def test_a_note_whose_tags_cannot_be_read_is_still_a_document(tmp_path: Path) -> None:
    failures: list[Exception] = []
    path = written(tmp_path, "n.md", "---\ntags: {a: b}\n---\nText.\n")
    (found,) = TagReader(failures.append).read([path])
    assert found.tags == ()
    assert str(failures[0]) == f"{path}, line 2: the tags are left alone: neither a list of names nor a name"


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ("title,text,tags", "Salt,Wells pump water.,a; b"),
        ("Title,Abstract Note,Manual Tags", "Salt,Wells pump water.,a; b"),  # Zotero
        ("id\ttitle\turl\tTAGS", "1\tSalt\thttps://x.org\ta|b"),
        ("text,labels", 'Wells pump water.,"a,b"'),
        ("text,keywords", "Wells pump water.,\"['a', 'b']\""),
    ],
)
def test_tables_have_a_column_of_tags(tmp_path: Path, head: str, row: str) -> None:
    (found,) = read(written(tmp_path, "export.csv", f"{head}\n{row}\n"))
    assert found.tags == ("a", "b")
    assert found.document.content


def test_columns_can_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, "export.csv", "what,mine,tags\nWells.,a/b,wrong\n")
    (found,) = read(path, tags_field="mine", columns=Columns(text="what"))
    assert (found.tags, found.document.text) == (("a/b",), "Wells.")


def test_a_column_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no column 'mine'"):
        read(written(tmp_path, "export.csv", "text,tags\nWells.,a\n"), tags_field="mine")


def test_records_have_lists_of_tags(tmp_path: Path) -> None:
    records = [{"text": "Wells.", "tags": ["a", "b, c"]}, {"text": "Reefs.", "tags": [{"id": 1, "name": "a"}]}]
    found = read(written(tmp_path, "export.jsonl", "\n".join(map(json.dumps, records))))
    assert [one.tags for one in found] == [("a", "b, c"), ("a",)]


def test_values_that_are_no_tags_give_none() -> None:
    assert [split_tags(value) for value in (None, True, 3.5, {}, [None])] == [[]] * 5


def test_bibtex_has_keywords(tmp_path: Path) -> None:
    salt, reef = read(written(tmp_path, "library.bib", BIBTEX))
    assert (salt.document.id, salt.document.title, salt.tags) == (
        "salt",
        "Salt in wells",
        ("groundwater", "salt water"),
    )
    assert salt.document.text == 'Pumps "draw" too much.'
    assert (reef.document.id, reef.document.title, reef.tags) == ("reef", "Reefs", ())


def test_ris_has_keywords(tmp_path: Path) -> None:
    salt, reef = read(written(tmp_path, "library.ris", RIS))
    assert (salt.document.id, salt.document.text, salt.tags) == (
        "salt",
        "Pumps draw too much.",
        ("groundwater", "salt water"),
    )
    assert (reef.document.title, reef.tags) == ("Reefs", ())


@pytest.mark.parametrize(
    ("entry", "tags"),
    [
        ("@misc{k, keywords = {Gau{\\ss}ian, R\\&D, caf{\\'e}, na\\\"{\\i}ve}}", ("Gaußian", "R&D", "café", "naïve")),
        ("@misc{k, keywords = {$\\alpha$-decay; {\\AE}on; C\\#; \\v{s}tuka}}", ("α-decay", "Æon", "C#", "štuka")),
        ('@string{kw = "salt, wells"}\n@misc{k, keywords = kw}', ("salt", "wells")),
        ("@misc{k\n  , title = {A}\n  , keywords = {salt}\n}", ("salt",)),
        ("@misc(k, keywords = \"{salt}, wells\")", ("salt", "wells")),
        ("@misc{k, Keywords = {salt}}", ("salt",)),
    ],
)  # fmt: skip
def test_keywords_of_bibtex_are_read_with_their_letters(tmp_path: Path, entry: str, tags: tuple[str, ...]) -> None:
    assert [one.tags for one in read(written(tmp_path, "library.bib", entry))] == [tags]


def test_a_broken_entry_is_one_failure(tmp_path: Path) -> None:
    bib = (
        "@misc{a, keywords = {x}}\n@misc{open, title = {b\n\n@misc{c, keywords = {y}}\n@misc{d, keywords = z # {, w}}\n"
    )
    ris = "TI  - No type\nTY  - BOOK\nID  - r\nKW  - salt\nER  - \n"
    failures: list[str] = []
    reader = TagReader(lambda error: failures.append(str(error)))
    found = list(reader.read([written(tmp_path, "l.bib", bib), written(tmp_path, "l.ris", ris)]))
    assert [(one.document.id, one.tags) for one in found] == [("a", ("x",)), ("c", ("y",)), ("d", ()), ("r", ("salt",))]
    starts = ("l.bib, line 2: an entry that", "l.bib, line 5: keywords that # joins", "l.ris, line 1: an entry that")
    assert [failure.startswith(str(tmp_path / start)) for failure, start in zip(failures, starts, strict=True)] == [
        True
    ] * 3


@pytest.mark.parametrize(
    ("entries", "tags"),
    [
        ("TY - BOOK\nKW - salt\nER - \n", [("salt",)]),
        ("TY  - BOOK\nKW  - salt\nTY  - BOOK\nKW  - reefs\nER  - \n", [("salt",), ("reefs",)]),
        ("TY  - BOOK\nKW  - salt\n", [("salt",)]),
        ("TY  - BOOK\nKW  - a long keyword that\n  goes on\nKW  - b\nER  - \n", [("a long keyword that goes on", "b")]),
        ("TY  - BOOK\rKW  - salt\rER  - \r", [("salt",)]),
        ("TY  - BOOK\nAB  - One.\u2028ER  - \u2028Two.\nKW  - salt\nER  - \n", [("salt",)]),
    ],
)  # fmt: skip
def test_no_keyword_of_ris_is_lost(tmp_path: Path, entries: str, tags: list[tuple[str, ...]]) -> None:
    assert [one.tags for one in read(written(tmp_path, "library.ris", entries))] == tags


def test_bookmarks_have_tags(tmp_path: Path) -> None:
    first, second = read(written(tmp_path, "bookmarks.html", BOOKMARKS))
    assert (first.document.title, first.document.text, first.tags) == (
        "Sour & dough",
        "All about starters",
        ("baking", "bread"),
    )
    assert second.tags == ()


def test_exports_of_bookmarks_as_json_have_tags(tmp_path: Path) -> None:
    karakeep = {
        "bookmarks": [
            {"title": None, "tags": ["baking"], "content": {"type": "text", "text": "Rye bread."}, "note": "Mine."},
            {"title": "Salt", "tags": [], "content": {"type": "link", "url": "https://example.org/salt"}},
        ]
    }
    first, second = read(written(tmp_path, "karakeep.json", json.dumps(karakeep)))
    assert (first.document.text, first.tags) == ("Rye bread.\nMine.", ("baking",))
    assert (second.document.id, second.document.title, second.tags) == ("https://example.org/salt", "Salt", ())
    linkwarden = {"collections": [{"name": "x", "links": [{"name": "Salt", "url": "u", "tags": [{"name": "a"}]}]}]}
    (link,) = read(written(tmp_path, "linkwarden.json", json.dumps({"id": 1, **linkwarden})))
    assert (link.document.title, link.tags) == ("Salt", ("a",))


def test_a_broken_export_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not JSON"):
        read(written(tmp_path, "karakeep.json", '{"bookmarks": [{"title": '))


def test_a_vocabulary_in_a_table_has_concepts(tmp_path: Path) -> None:
    table = "id,label,synonyms\ng,groundwater,ground water; phreatic water\n"
    tags = pm.Tags.learn(written(tmp_path, "vocabulary.csv", table))
    assert tags.counts == {"groundwater": 0}
    assert [one.reason for one in tags.suggest("Wells draw phreatic water.", threshold=0).tags] == ["synonym"]
    (record,) = read(written(tmp_path, "records.csv", "text,label,tags\nWells.,x,a\n"))
    assert record.tags == ("a",)


def test_concepts_are_tags_with_synonyms(tmp_path: Path) -> None:
    pytest.importorskip("pyoxigraph")
    skos = (
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        '<g> a skos:Concept ; skos:prefLabel "groundwater"@en, "Grundwasser"@de ; skos:altLabel "ground water"@en .\n'
    )
    reader = TagReader(pytest.fail)
    assert not list(reader.read([written(tmp_path, "terms.ttl", skos)]))
    assert [labels_of(concept) for concept in reader.concepts] == [("groundwater", ("ground water",))]


def test_in_a_folder_what_cannot_be_read_is_reported_and_the_rest_goes_on(tmp_path: Path) -> None:
    written(tmp_path, "a.md", "---\ntags: [a]\n---\nText.\n")
    (tmp_path / "b.md").write_bytes(bytes(range(32)) * 20)
    written(tmp_path, "c.bib", "@article{open")
    written(tmp_path, ".hidden.md", "---\ntags: [no]\n---\n")
    failures: list[Exception] = []
    reader = TagReader(failures.append)
    assert [one.tags for one in reader.read([tmp_path])] == [("a",)]
    assert len(failures) == reader.failures == 2
