"""What each layout holds, in files that we wrote; most of them are found by a dataset's name."""

import gzip
import json
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import phrasemill_lab
from phrasemill.errors import DataError
from phrasemill.types import Document
from phrasemill_lab.datasets import DatasetProblem, DatasetWarning, load_dataset, load_topics, read_layout

Write = Callable[[str, str], Path]


def read(path: Path, name: str = "", **options: Any) -> tuple[list[Document], list[DatasetProblem]]:
    """Read one path, or the dataset `name` below it; the documents, and what was reported."""
    found: list[DatasetProblem] = []
    options |= {"on_error": "report", "report": found.append}
    made = load_dataset(name, path, check="off", **options) if name else read_layout(path, **options)
    return list(made), found


def load(name: str, root: Path, **options: Any) -> tuple[list[Document], list[str]]:
    documents, found = read(root, name, **options)
    return documents, [problem.reason for problem in found]


def line(id_: str, *keyphrases: str) -> str:
    return json.dumps({"id": id_, "text": "t", "keyphrases": keyphrases}) + "\n"


def test_our_lines(write: Write) -> None:
    flat = {"id": 1, "title": "T", "text": "t", "keyphrases": ["a", "b"], "topic": "x"}
    rows = [
        flat,
        flat | {"id": 2, "clusters": [["a", "a2"], ["b"]]},
        flat | {"id": 3, "combined": [["c"]], "lang": "de"},
    ]
    path = write("a.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    first, second, third = read(path)[0]
    assert (first.id, first.content, first.references, first.metadata) == ("1", "T\nt", ("a", "b"), {"topic": "x"})
    assert second.references == (("a", "a2"), "b")  # the wordings of the flat list are the gold
    assert (third.references, third.language) == (("a", "b"), "de")
    stems = write("b.jsonl", json.dumps({"id": "1", "text": "t", "reader_stem": [["graph theori"]]}))
    (stemmed,) = read(stems, gold="reader")[0]
    assert (stemmed.references, stemmed.metadata["stemmed"]) == (("graph theori",), True)
    assert phrasemill_lab.load_dataset is load_dataset


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ([1], "a list where a record should be"),
        ({"text": "t"}, "no id"),
        ({"id": True, "text": "t"}, "the id is true or false"),
        ({"id": "1"}, "no field 'text'"),
        ({"id": "1", "text": "t", "title": []}, "title is a list, not a text"),
        ({"id": "1", "text": "t", "keyphrases": 5}, "keyphrases is a number, not a list"),
        ({"id": "1", "text": "t", "keyphrases": [["a", 1]]}, "keyphrases has a list where a keyphrase"),
    ],
)
def test_records_of_the_wrong_shape_are_named_with_their_line(write: Write, record: object, reason: str) -> None:
    documents, problems = read(write("a.jsonl", line("0") + json.dumps(record) + "\n"), layout="jsonl")
    assert [document.id for document in documents] == ["0"]
    assert reason in str(problems[0]) and problems[0].line == 2


@pytest.mark.parametrize(
    "record",
    [
        {"title": "T", "abstract": "A", "keyword": "x y;z"},
        {"id": None, "title": "T", "abstract": "A", "keywords": ["x y", " ", "z"]},
        {"title": "T", "question": "A", "tags": "x y ; z;"},
    ],
)
def test_the_json_of_the_literature(write: Write, record: dict[str, object]) -> None:
    one = json.dumps(record)
    for name, text, id_ in (
        ("kp.json", one, "kp-1"),
        ("list.json", f"[{one}]", "list-1"),
        ("key.json", f'{{"k1": {one}}}', "k1"),
    ):
        (document,) = read(write(name, text))[0]
        assert (document.id, document.title, document.text, document.references) == (id_, "T", "A", ("x y", "z"))
        assert document.metadata == {}


def test_pubmedake(write: Write, tmp_path: Path) -> None:
    write("train.json", '{"PMC1": {"title": "T", "abstract": "A", "keywords_in": ["a"], "keywords_not_in": ["b"]}}')
    (document,), _ = load("pubmedake", tmp_path)
    assert (document.id, document.references) == ("PMC1", ("a", "b"))
    assert document.metadata == {"split": "train", "present": ["a"], "absent": ["b"]}
    assert load("pubmedake", tmp_path, gold="absent")[0][0].references == ("b",)


def test_pairs(tmp_path: Path) -> None:
    (tmp_path / "train_src.txt").write_bytes(b"a title <eos> words <digit>\n\xff\nno title\n\nfive\n")
    (tmp_path / "train_trg.txt").write_text("words;<peos>;other thing\n2\nx;y\nz\n", encoding="utf-8")
    documents, problems = load("kp20k", tmp_path)
    expected = [("train-1", "a title", "words <digit>"), ("train-3", "", "no title")]
    assert [(d.id, d.title, d.text) for d in documents] == expected
    assert [d.references for d in documents] == [("words", "other thing"), ("x", "y")]
    assert problems == ["not UTF-8 at byte 1 of the line", "an empty source", "ends before its partner does"]


def token(word: str, begin: int | str, end: int | str) -> str:
    offsets = f"<CharacterOffsetBegin>{begin}</CharacterOffsetBegin><CharacterOffsetEnd>{end}</CharacterOffsetEnd>"
    return f"<token id='1'><word>{word}</word><lemma>x</lemma>{offsets}<POS>NN</POS></token>"


def test_corenlp(write: Write, tmp_path: Path) -> None:
    title = token("Salt", 0, 4) + token("wells", 5, 10)
    text = token("Wells", 11, 16) + token("-LRB-", 17, 18) + token("3", 18, 19) + token("-RRB-", 19, 20)
    sentences = f"<sentence section='title'>{title}</sentence><sentence>{text}{token('R&amp;D', 'x', 9)}</sentence>"
    write("test/d1.xml", f"<root><document><sentences>{sentences}</sentences></document></root>")
    write("test/bomb.xml", '<!DOCTYPE r [<!ENTITY a "xx"><!ENTITY b "&a;&a;">]><root><sentence>&b;</sentence></root>')
    write("test/cut.xml", "<root><sentence>")
    write("test/none.xml", "<root/>")
    gold = {"d1": [["salt"], ["well", "wells"]], "bomb": [["a"]], "cut": [["a"]], "none": [["a"]]}
    write("references/test.uncontr.json", json.dumps(gold))
    write("references/test.contr.stem.json", json.dumps({"d1": [["aquif"]]}))
    (document,), problems = load("inspec", tmp_path, gold="uncontr")
    assert (document.title, document.text) == ("Salt wells", "Wells (3) R&D")
    assert document.references == ("salt", ("well", "wells"))
    for word, reason in zip(("entity", "not well-formed", "no words"), problems, strict=True):
        assert word in reason
    assert read(tmp_path / "test", gold="contr")[0][0].metadata == {"stemmed": True}


def test_texts_and_keys(write: Write, tmp_path: Path) -> None:
    write("a.txt", "A text.")
    write("a.key", "a text\n\nphrase\n")
    write("b.txt", "No key.")
    documents, problems = read(tmp_path)
    assert [(d.id, d.text, d.references) for d in documents] == [("a", "A text.", ("a text", "phrase"))]
    assert [problem.reason for problem in problems] == ["no b.key beside it"]


def test_inspec(write: Write, tmp_path: Path) -> None:
    write("Test/7.abstr", "A title that\n  goes on\n\tThe abstract, over\n  two lines.\n")
    write("Test/7.uncontr", "first term; second\n  term;\n")
    write("Test/7.contr", "thesaurus term")
    write("Test/8.abstr", "Only a title\n")
    (document,), problems = load("inspec", tmp_path, split="test")
    assert (document.title, document.text) == ("A title that goes on", "The abstract, over two lines.")
    assert document.references == ("first term", "second term")
    assert document.metadata == {"split": "test", "contr": ["thesaurus term"]}
    assert problems == ["no abstract below its title"]
    assert load("inspec", tmp_path, gold="contr")[0][0].references == ("thesaurus term",)


def test_semeval2010(write: Write, tmp_path: Path) -> None:
    for split, ids in (("trial", ["C-3"]), ("train", ["C-3", "H-4"]), ("test", ["I-1"])):
        for id_ in ids:
            write(f"{split}/{id_}.txt.final", "A paper.\n")
        place = f"test_answer/{split}" if split == "test" else f"{split}/{split}"
        end = "stem.final" if split == "test" else "final"
        for annotator, phrases in (
            ("author", "grid comput"),
            ("combined", "grid comput,qualiti of servic+servic qualiti"),
        ):
            write(f"{place}.{annotator}.{end}", "".join(f"{id_} : {phrases}\n" for id_ in [*ids, "X-9"]))
    documents, problems = load("semeval2010", tmp_path)
    assert [(d.id, d.metadata["split"], d.metadata["category"]) for d in documents] == [
        ("C-3", "train", "C"),  # trial is part of train
        ("H-4", "train", "H"),
        ("I-1", "test", "I"),
    ]
    assert documents[0].references == ("grid comput", ("qualiti of servic", "servic qualiti"))
    assert documents[0].metadata["author"] == ["grid comput"]
    assert documents[2].metadata["stemmed"] is True and "stemmed" not in documents[0].metadata
    assert problems == ["no text X-9.txt.final, which the answer key combined names"] * 2
    with pytest.raises(DataError, match="no gold 'editor' here; there is combined, author, reader"):
        load("semeval2010", tmp_path, gold="editor")


AP = """<DOC>\n<DOCNO> AP-1 </DOCNO>\n<HEAD>Salt Water\nReaches Wells</HEAD><HEAD>Eds: note</HEAD>
<TEXT>\n   Salt water reaches deep wells &amp;\npumps.\n</TEXT>\n<TEXT>More of it.</TEXT>\n</DOC>\n"""
WSJ = """<DOC><DOCNO>WSJ-2</DOCNO>
<HL> Pumps </HL><LP>\n   Old pumps\nrust.\n</LP>\n<TEXT>\nOne line,\nand another.\n
A paragraph.\n</TEXT>\n</DOC>\n"""
SJMN = """<DOC><DOCNO>SJMN-3</DOCNO><LEADPARA> Rain. </LEADPARA>
<HEADLINE><P>OLD\n</P><P>PUMPS</P></HEADLINE><TEXT>Wells.</TEXT></DOC>"""
FBIS = "<TEXT>A file without its number.</TEXT>"
KEYPHRASES = "AP-1@salt water;deep wells;\nWSJ-2@old pumps\nSJMN-3\train\nFBIS-4@file\nGONE-5@x\n"
DOCUMENTS = [
    ("AP-1", "Salt Water Reaches Wells", "Salt water reaches deep wells & pumps.\nMore of it."),
    ("FBIS-4", "", "A file without its number."),
    ("SJMN-3", "OLD PUMPS", "Rain.\nWells."),
    ("WSJ-2", "Pumps", "Old pumps rust.\nOne line, and another.\nA paragraph."),
]


@pytest.fixture
def nist(write: Write, tmp_path: Path) -> Path:
    articles = {"AP-1": AP, "WSJ-2": WSJ, "SJMN-3": SJMN, "FBIS-4": FBIS, "annotations.txt": KEYPHRASES}
    for name, text in articles.items():
        write(f"DUC2001/{name}", text)
    with tarfile.open(tmp_path / "duc2001_raw.tar.xz", "w:xz") as archive:
        archive.add(tmp_path / "DUC2001", "DUC2001")
    return tmp_path / "DUC2001"


def test_nists_files_with_their_leads(nist: Path, tmp_path: Path) -> None:
    by_name = load("duc2001_raw", tmp_path), load("duc2001", nist), load("duc2001", tmp_path, layout="duc")
    for made in (*by_name, read(nist)):
        assert made[1] == []
        assert [(d.id, d.title, d.text) for d in made[0]] == DOCUMENTS
        assert [d.references for d in made[0]] == [("salt water", "deep wells"), ("file",), ("rain",), ("old pumps",)]
    (nist / "annotations.txt").write_text("AP-1@x\n", encoding="utf-8")
    assert load("duc2001", nist) == ([], ["3 of 4 documents have no keyphrases, such as FBIS-4"])
    (tmp_path / "duc2001_raw.tar.xz").write_bytes(b"no archive")
    assert "neither a folder nor a tar archive" in load("duc2001_raw", tmp_path)[1][0]


def test_topics(nist: Path, write: Write, tmp_path: Path) -> None:
    write("MKDUC01.json", '{"d1": {"documents": ["WSJ-2", "AP-1"], "keyphrases": [["pump", "pumps"], ["salt"]]}}')
    (topic,) = load_topics("mkduc01", tmp_path, check="off", top=1)
    assert ([d.id for d in topic.documents], topic.references) == (["WSJ-2", "AP-1"], (("pump", "pumps"),))
    some = load("duc2001", nist)[0][:1]
    with pytest.raises(DataError, match="topic d1: not in DUC-2001 as it is here: WSJ-2"):
        list(load_topics("mkduc01", tmp_path, documents=some, check="off"))
    (topic,) = load_topics("mkduc01", tmp_path, documents=some, check="off", on_error="skip")
    assert [d.id for d in topic.documents] == ["AP-1"]


def test_splits_files_and_names(write: Write, tmp_path: Path) -> None:
    write("inspec_test.jsonl", line("3") + line("3") + "{")
    write("inspec_validation.jsonl", line("2"))
    (tmp_path / "inspec_train.jsonl.gz").write_bytes(gzip.compress(line("1").encode()))
    stream = load_dataset("Inspec", tmp_path, check="off")
    for id_, split in (("1", "train"), ("2", "dev"), ("3", "test")):
        document = next(stream)
        assert (document.id, document.metadata["split"]) == (id_, split)
    with pytest.raises(DataError, match="the id '3' comes twice"):
        next(stream)
    write("Test/1.abstr", "T\n\tA")
    write("Test/1.uncontr", "a")
    assert [d.id for d in load("inspec", tmp_path, split="testing")[0]] == ["1"]
    assert [d.id for d in load("inspec", tmp_path, split="test", layout="jsonl")[0]] == ["3"]
    own = write("kp20k_test.jsonl", '{"title": "T", "abstract": "A", "keyword": "b"}\n')  # its name says too little
    assert [d.references for d in (*load("kp20k", tmp_path)[0], *load("kp20k", own)[0])] == [("b",), ("b",)]


def test_counts_and_checksums_are_compared(write: Write, tmp_path: Path) -> None:
    (tmp_path / "duc2001.jsonl.gz").write_bytes(gzip.compress(line("1").encode()))
    found: list[DatasetProblem] = []
    list(load_dataset("duc2001", tmp_path, report=found.append))
    assert [problem.reason.partition(":")[0] for problem in found] == [
        "differs from the published file of this name",
        "duc2001 test has 308 documents, here are 1",
    ]
    write("mkduc01.jsonl", "".join(line(str(i), "a", "b") for i in range(30)))
    with pytest.warns(DatasetWarning, match="mkduc01 test has 1,314 keyphrases, here are 60"):
        list(load_dataset("mkduc01", tmp_path))
    with pytest.raises(DataError, match="here are 60"):
        list(load_dataset("mkduc01", tmp_path, check="refuse"))


def test_damaged_files_give_what_they_have(tmp_path: Path) -> None:
    whole = gzip.compress("".join(line(f"{i * i}") for i in range(50_000)).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    documents, problems = read(tmp_path / "a.jsonl.gz")
    assert 0 < len(documents) < 50_000 and "breaks off" in problems[-1].reason
    (tmp_path / "bomb.txt").write_bytes(gzip.compress(b" " * (1 << 26)))
    (tmp_path / "bomb.key").write_text("a")
    assert "bomb" in read(tmp_path, layout="text+key")[1][0].reason
