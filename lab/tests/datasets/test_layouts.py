"""The layouts that datasets share: our lines, the literature's JSON, pairs, CoreNLP's XML."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from phrasemill.errors import ConfigError, DataError, UnknownName
from phrasemill.types import Document
from phrasemill_lab.datasets import LAYOUTS, DatasetProblem, read_layout
from phrasemill_lab.datasets.layouts import find_layout, guess

Write = Callable[[str, str], Path]


def read(path: Path, **options: object) -> tuple[list[Document], list[DatasetProblem]]:
    found: list[DatasetProblem] = []
    documents = list(read_layout(path, on_error="report", report=found.append, **options))  # type: ignore[arg-type]
    return documents, found


def test_our_lines(jsonl: Path) -> None:
    first, second = read(jsonl)[0]
    assert first.content == "Salt in wells\nGroundwater turns salty when pumps draw too much."
    assert first.references == ("groundwater", "salt water intrusion")
    assert first.metadata == {"topic": "water"}
    assert second.references == (("tree", "acyclic graph"),)


def test_clusters_are_the_gold_where_the_flat_list_says_the_same(write: Write) -> None:
    record = {"id": 1, "text": "t", "keyphrases": ["a", "b"], "clusters": [["a", "a2"], ["b"]], "author": ["b"]}
    path = write("a.jsonl", json.dumps(record))
    assert read(path)[0][0].references == (("a", "a2"), "b")
    assert read(path)[0][0].id == "1"
    assert read(path, gold="author")[0][0].references == ("b",)
    other = write("b.jsonl", json.dumps(record | {"keyphrases": ["c"]}))
    assert read(other)[0][0].references == ("c",)


def test_stemmed_gold_is_marked(write: Write) -> None:
    path = write("a.jsonl", json.dumps({"id": "1", "text": "t", "reader_stem": [["graph theori"]]}))
    (document,) = read(path, gold="reader")[0]
    assert document.references == ("graph theori",)
    assert document.metadata["stemmed"] is True


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ([1], "a list where a record should be"),
        ({"text": "t"}, "no id"),
        ({"id": True, "text": "t"}, "the id is true or false"),
        ({"id": "1"}, "no field 'text'"),
        ({"id": "1", "text": 3}, "text is a number, not a text"),
        ({"id": "1", "text": "t", "title": []}, "title is a list, not a text"),
        ({"id": "1", "text": "t", "keyphrases": 5}, "keyphrases is a number, not a list"),
        ({"id": "1", "text": "t", "keyphrases": ["a", None]}, "keyphrases has nothing where a keyphrase"),
        ({"id": "1", "text": "t", "keyphrases": [["a", 1]]}, "keyphrases has a list where a keyphrase"),
    ],
)
def test_records_of_the_wrong_shape_are_named_with_their_line(write: Write, record: object, reason: str) -> None:
    path = write("a.jsonl", '{"id": "0", "text": "t"}\n' + json.dumps(record) + "\n")
    documents, problems = read(path, layout="jsonl")
    assert [document.id for document in documents] == ["0"]
    assert reason in str(problems[0])
    assert problems[0].line == 2


def test_ids_that_are_numbers_and_languages_by_any_name(write: Write) -> None:
    lines = [
        {"id": 1.5, "text": "t", "language": "Deutsch"},
        {"id": 2, "text": "t", "lang": "en-US"},
        {"id": "3", "text": "t", "language": "klingon"},
        {"id": "4", "text": "t", "language": None},
    ]
    documents, problems = read(write("a.jsonl", "\n".join(map(json.dumps, lines))), layout="jsonl")
    assert [(one.id, one.language) for one in documents] == [("1.5", "de"), ("2", "en"), ("3", "und"), ("4", "en")]
    assert problems == []


def test_policies(write: Write) -> None:
    path = write("a.jsonl", '{"id": "0", "text": "t"}\n{"id": "1"}\n{"id": "2", "text": "t"}')
    with pytest.raises(DataError, match=r"a\.jsonl: line 2: no field 'text'"):
        list(read_layout(path))
    assert [document.id for document in read_layout(path, on_error="skip")] == ["0", "2"]
    with pytest.warns(UserWarning, match="line 2"):
        assert len(list(read_layout(path, on_error="report"))) == 2
    with pytest.raises(UnknownName, match="error policy"):
        read_layout(path, on_error="explode")


@pytest.mark.parametrize(
    "record",
    [
        {"title": "T", "abstract": "A", "keyword": "x y;z"},
        {"title": "T", "abstract": "A", "keywords": ["x y", "z"]},
        {"title": "T", "question": "A", "tags": "x y;z;"},
        {"id": None, "title": "T", "abstract": "A", "keywords": "x y ; z", "year": 2001},
    ],
)
def test_the_json_of_the_literature(write: Write, record: dict[str, object]) -> None:
    line = json.dumps(record)
    for name, text in (
        ("kp_testing.json", f"{line}\n"),
        ("list.json", f"[{line}]"),
        ("keyed.json", f'{{"k1": {line}}}'),
    ):
        (document,) = read(write(name, text))[0]
        assert (document.title, document.text, document.references) == ("T", "A", ("x y", "z"))
        assert document.id == {"kp_testing.json": "kp_testing-1", "list.json": "list-1", "keyed.json": "k1"}[name]
        assert document.metadata == ({"year": 2001} if "year" in record else {})


def test_wordings_between_commas(write: Write) -> None:
    path = write("KPTimes.test.jsonl", json.dumps({"id": "j1", "title": "T", "abstract": "A", "keyword": "a,b;c"}))
    assert read(path, layout="kptimes")[0][0].references == (("a", "b"), "c")
    assert read(path, layout="json")[0][0].references == ("a,b", "c")


def test_pairs(write: Write) -> None:
    path = write("train_src.txt", "a title <eos> some words <digit>\nno title here\n\n")
    write("train_trg.txt", "some words;<peos>;other thing\nx;y\nz\n")
    documents, problems = read(path)
    assert [(d.id, d.title, d.text) for d in documents] == [
        ("train-1", "a title", "some words <digit>"),
        ("train-2", "", "no title here"),
    ]
    assert documents[0].references == ("some words", "other thing")
    assert documents[0].metadata == {"present": ["some words"], "absent": ["other thing"]}
    assert documents[1].references == ("x", "y")
    assert str(problems[0]).endswith("line 3: an empty source")


def test_pairs_of_different_length_and_with_a_broken_line(tmp_path: Path) -> None:
    path = tmp_path / "a_src.txt"
    path.write_bytes(b"one\n\xff\nthree\nfour\n")
    (tmp_path / "a_trg.txt").write_text("1\n2\n3\n", encoding="utf-8")
    documents, problems = read(path)
    assert [(d.text, d.references) for d in documents] == [("one", ("1",)), ("three", ("3",))]
    assert [problem.line for problem in problems] == [2, 4]
    assert problems[1].path.endswith("a_trg.txt")
    with pytest.raises(ConfigError, match="source file of a pair"):
        list(read_layout(tmp_path / "a_trg.txt", layout="pairs"))
    with pytest.raises(DataError, match="no such file"):
        (tmp_path / "a_trg.txt").unlink()
        list(read_layout(path))


def token(word: str, begin: int | str, end: int | str) -> str:
    offsets = f"<CharacterOffsetBegin>{begin}</CharacterOffsetBegin><CharacterOffsetEnd>{end}</CharacterOffsetEnd>"
    return f"<token id='1'><word>{word}</word><lemma>x</lemma>{offsets}<POS>NN</POS></token>"


def corenlp(*sentences: str) -> str:
    inside = "".join(f"<sentence{one[0]}><tokens>{one[1:]}</tokens></sentence>" for one in sentences)
    return f"<?xml version='1.0'?><root><document><sentences>{inside}</sentences></document></root>"


def test_corenlp(write: Write, tmp_path: Path) -> None:
    title = " " + token("Salt", 0, 4) + token("wells", 5, 10)
    text = " " + token("Wells", 11, 16) + token("-LRB-", 17, 18) + token("3", 18, 19) + token("-RRB-", 19, 20)
    source = corenlp(title, text + token("R&amp;D", "x", 9)).replace("<sentence >", '<sentence section="title">', 1)
    write("test/d1.xml", source)
    write("references/test.uncontr.json", json.dumps({"d1": [["salt"], ["well", "wells"]]}, indent=1))
    write("references/test.contr.stem.json", json.dumps({"d1": [["aquif"]]}))
    (document,) = read(tmp_path / "test")[0]
    assert (document.title, document.text) == ("Salt wells", "Wells (3) R&D")
    assert document.references == ("salt", ("well", "wells"))
    (document,) = read(tmp_path / "test", gold="contr")[0]
    assert document.references == ("aquif",)
    assert document.metadata == {"stemmed": True}
    with pytest.raises(DataError, match=r"looked for test\.reader\.json"):
        read(tmp_path / "test", gold="reader")


BOMB = """<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<root><document><sentences><sentence><tokens><token><word>&b;</word></token></tokens></sentence></sentences></document></root>"""


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (BOMB, "declares the entity"),
        ("<!DOCTYPE r [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><root>&x;</root>", "declares the entity"),
        (corenlp(" " + token("a", 0, 1))[:-20], "not well-formed XML at line 1"),
        ("<root/>", "no words in it"),
        ("", "not well-formed"),
    ],
)
def test_hostile_and_broken_xml(write: Write, tmp_path: Path, source: str, reason: str) -> None:
    write("test/bad.xml", source)
    write("test/good.xml", corenlp(" " + token("a", 0, 1)))
    write("test/stranger.xml", corenlp(" " + token("a", 0, 1)))
    write("references/test.author.json", '{"bad": [["a"]], "good": [["a"]], "odd": 5}')
    documents, problems = read(tmp_path / "test")
    assert [document.id for document in documents] == ["good"]
    assert [p.reason.partition(" (")[0] for p in problems] == [
        "odd is a number, not a list of keyphrases",
        next(p.reason.partition(" (")[0] for p in problems if reason in p.reason),
        "no references for 'stranger'",
    ]


def test_a_text_and_a_key(write: Write, tmp_path: Path) -> None:
    write("a.txt", "A text.")
    write("a.key", "a text\n\nphrase\n")
    write("b.txt", "No key.")
    write("c.txt", "  ")
    write("c.key", "x")
    documents, problems = read(tmp_path)
    assert [(d.id, d.references) for d in documents] == [("a", ("a text", "phrase"))]
    assert [problem.reason for problem in problems] == ["no b.key beside it", "no text in it"]


def test_guessing(write: Write, jsonl: Path, tmp_path: Path) -> None:
    assert guess(jsonl) == "jsonl"
    assert guess(write("p.json", '{"PMC1": {"title": "t", "abstract": "a", "keywords_in": []}}')) == "pubmedake"
    for text in ("plain words", "", "5"):
        with pytest.raises(DataError):
            guess(write("x.txt", text))
    with pytest.raises(DataError, match="no such file or folder"):
        guess(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="its layout is not known"):
        guess(tmp_path / "empty")


@pytest.mark.parametrize("name", [name for name, one in LAYOUTS.items() if one.written])
@pytest.mark.parametrize("ending", ["", ".gz", ".xz"])
def test_what_is_written_can_be_read(tmp_path: Path, documents: list[Document], name: str, ending: str) -> None:
    suffix = {"jsonl": ".jsonl", "pairs": ".txt"}.get(name, ".json") + ending
    path = tmp_path / f"out{suffix}"
    assert find_layout(name).write(documents, path) == 2
    back = list(read_layout(path if name != "pairs" else tmp_path / f"out_src{suffix}", layout=name))
    if name == "jsonl":
        assert back == documents
    assert [one.text for one in back] == [one.text for one in documents]
    assert [one.title for one in back] == [one.title for one in documents]
    assert {str(one) for one in back[0].references} == {str(one) for one in documents[0].references}
    assert not [one for one in tmp_path.iterdir() if "unfinished" in one.name]


def test_pairs_are_written_present_first(tmp_path: Path, documents: list[Document]) -> None:
    find_layout("pairs").write(documents, tmp_path / "train")
    assert (tmp_path / "train_src.txt").read_text() == (
        "Salt in wells <eos> Groundwater turns salty when 2 pumps draw too much.\nTrees are acyclic graphs.\n"
    )
    assert (tmp_path / "train_trg.txt").read_text() == (
        "groundwater;pumps;<peos>;salt-water intrusion\nforests;<peos>;graph theory\n"
    )


def test_a_failure_leaves_the_older_file(tmp_path: Path, documents: list[Document]) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text("older")

    def failing():  # type: ignore[no-untyped-def]
        yield documents[0]
        raise DataError("broken")

    with pytest.raises(DataError, match="broken"):
        find_layout("jsonl").write(failing(), path)
    assert path.read_text() == "older"
    assert list(tmp_path.iterdir()) == [path]


def test_only_some_layouts_are_written(tmp_path: Path, documents: list[Document]) -> None:
    with pytest.raises(ConfigError, match="layout nus is only read"):
        find_layout("nus").write(documents, tmp_path / "x")
    with pytest.raises(UnknownName, match="did you mean 'jsonl'"):
        find_layout("jsnl")
    with pytest.raises(ConfigError, match="zstd is read, not written"):
        find_layout("jsonl").write(documents, tmp_path / "x.jsonl.zst")


def test_a_folder_where_a_file_should_be(tmp_path: Path, jsonl: Path) -> None:
    with pytest.raises(ConfigError, match="layout jsonl is a file"):
        read_layout(tmp_path, layout="jsonl")
    with pytest.raises(ConfigError, match="layout corenlp is a folder"):
        read_layout(jsonl, layout="corenlp")
