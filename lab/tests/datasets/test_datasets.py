"""The datasets' own layouts, in files that we wrote."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from phrasemill.errors import DataError
from phrasemill.types import Document
from phrasemill_lab.datasets import DatasetProblem, load_dataset, load_topics

Write = Callable[[str, str], Path]


def load(name: str, root: Path, **options: object) -> tuple[list[Document], list[str]]:
    found: list[DatasetProblem] = []
    made = load_dataset(name, root, on_error="report", check="off", report=found.append, **options)  # type: ignore[arg-type]
    return list(made), [problem.reason for problem in found]


@pytest.fixture
def semeval(write: Write, tmp_path: Path) -> Path:
    for split, ids in (("trial", ["C-3"]), ("train", ["C-3", "H-4"]), ("test", ["I-1", "J-2"])):
        for id_ in ids:
            write(f"{split}/{id_}.txt.final", f"PAPER {id_}\nGrid computing of service quality.\n")
        folder = "test_answer" if split == "test" else split
        end = ".stem.final" if split == "test" else ".final"
        for annotator, phrases in (
            ("author", "grid comput"),
            ("reader", "qualiti of servic+servic qualiti"),
            ("combined", "grid comput,qualiti of servic+servic qualiti"),
        ):
            write(f"{folder}/{split}.{annotator}{end}", "".join(f"{id_} : {phrases}\n" for id_ in ids))
    return tmp_path


def test_semeval2010(semeval: Path) -> None:
    documents, problems = load("semeval2010", semeval)
    assert not problems
    assert [(d.id, d.metadata["split"], d.metadata["category"]) for d in documents] == [
        ("C-3", "train", "C"),
        ("H-4", "train", "H"),
        ("I-1", "test", "I"),
        ("J-2", "test", "J"),
    ]
    assert documents[0].references == ("grid comput", ("qualiti of servic", "servic qualiti"))
    assert documents[0].metadata["author"] == ["grid comput"]
    assert "stemmed" not in documents[0].metadata
    assert documents[2].metadata["stemmed"] is True
    assert [d.id for d in load("semeval2010", semeval, split="trial")[0]] == ["C-3"]
    (first, _), _ = load("semeval2010", semeval, split="test", gold="reader")
    assert first.references == (("qualiti of servic", "servic qualiti"),)
    with pytest.raises(DataError, match="no gold 'editor' here; there is combined, author, reader"):
        load("semeval2010", semeval, gold="editor")


def test_semeval2010_says_what_is_missing(semeval: Path, write: Write) -> None:
    (semeval / "train/H-4.txt.final").unlink()
    write("train/X-9.txt.final", "A stranger.")
    (semeval / "test/I-1.txt.final").write_bytes(b"\xff\xfe\xfa")
    documents, problems = load("semeval2010", semeval)
    assert [d.id for d in documents] == ["C-3", "J-2"]
    assert problems == [
        "no text H-4.txt.final, which the answer key combined names",
        "the answer key combined does not name it",
        "not UTF-8 at byte 1",
    ]
    write("train/train.combined.final", "no colon here\n")
    with pytest.raises(DataError, match=r"final: line 1: neither JSON nor"):
        list(load_dataset("semeval2010", semeval, split="train", check="off"))
    with pytest.raises(DataError, match=r"no answer key train\.reader\.final"):
        (semeval / "train/train.reader.final").unlink()
        load("semeval2010", semeval, split="train", gold="reader")


def test_inspec(write: Write, tmp_path: Path) -> None:
    write("Test/7.abstr", "A title that\n  goes on\n\tThe abstract, over\n  two lines.\n")
    write("Test/7.uncontr", "first term; second\n  term;\n")
    write("Test/7.contr", "thesaurus term")
    write("Test/8.abstr", "Only a title\n")
    write("Test/9.abstr", "Title\nText.")
    (document,), problems = load("inspec", tmp_path, split="test")
    assert (document.id, document.title, document.text) == (
        "7",
        "A title that goes on",
        "The abstract, over two lines.",
    )
    assert document.references == ("first term", "second term")
    assert document.metadata == {"split": "test", "contr": ["thesaurus term"]}
    assert problems == ["no abstract below its title", "no 9.uncontr beside it"]
    assert load("inspec", tmp_path, split="test", gold="contr")[0][0].references == ("thesaurus term",)


def test_krapivin(write: Write, tmp_path: Path) -> None:
    write("1.txt", "--T\nThe title.\n--A\nThe abstract.\n--B\nThe body.\n--R\n[1] A paper.\n")
    write("1.key", "one\ntwo\n")
    write("2.txt", "no marks")
    write("2.key", "x")
    (document,), problems = load("krapivin", tmp_path)
    assert (document.title, document.text) == ("The title.", "The abstract.\nThe body.")
    assert document.metadata == {"split": "all", "abstract": "The abstract."}
    assert problems == ["does not begin with --T"]


def test_500n_kpcrowd(write: Write, tmp_path: Path) -> None:
    write("CorpusAndCrowdsourcingAnnotations/train/art_and_culture-12.txt", "Headline\nText of the news.\n")
    write("CorpusAndCrowdsourcingAnnotations/train/art_and_culture-12.key", "text\nnews\n")
    (document,), _ = load("500N-KPCrowd", tmp_path)
    assert (document.title, document.references) == ("Headline", ("text", "news"))
    assert document.metadata == {"split": "train", "topic": "art_and_culture"}


def test_nus(write: Write, tmp_path: Path) -> None:
    write("1/1.txt", "A paper.")
    write("1/1.kwd", "Digital library\nsearch\n")
    write("1/KEY/1.1.key", "search\ndigital Library\n")
    write("1/KEY/1.2.key", "ranking\n")
    write("2/2.kwd", "no text")
    (document,), problems = load("nus", tmp_path)
    assert document.references == ("Digital library", "search", "ranking")
    assert document.metadata["reader"] == ["search", "digital Library", "ranking"]
    assert load("nus", tmp_path, gold="author")[0][0].references == ("Digital library", "search")
    assert problems == ["no 2.txt in it"]


def test_pubmedake(write: Write, tmp_path: Path) -> None:
    entry = {"title": "T", "abstract": "A", "keywords_in": ["a"], "keywords_not_in": ["b", "c"], "journal": "J"}
    write("validate.json", json.dumps({"PMC1": entry, "PMC2": {"title": "no abstract"}}))
    (document,), problems = load("pubmedake", tmp_path)
    assert (document.id, document.references) == ("PMC1", ("a", "b", "c"))
    assert document.metadata == {"split": "validate", "journal": "J", "present": ["a"], "absent": ["b", "c"]}
    assert problems == ["no field 'abstract'"]
    assert load("pubmedake", tmp_path, gold="absent")[0][0].references == ("b", "c")


@pytest.mark.parametrize("name", ["kp20k", "stackex", "kptimes"])
def test_the_json_of_the_literature_by_its_names(write: Write, tmp_path: Path, name: str) -> None:
    write("test.jsonl", json.dumps({"id": "x", "title": "T", "abstract": "A", "keyword": "a,b;c"}))
    (document,), _ = load(name, tmp_path, split="test")
    assert document.references == ((("a", "b"), "c") if name == "kptimes" else ("a,b", "c"))


def test_kp20k_as_pairs_and_as_training_json(write: Write, tmp_path: Path) -> None:
    write("valid_src.txt", "t <eos> words\n")
    write("valid_trg.txt", "words;<peos>;x\n")
    write("kp20k_training.json", '{"title": "T", "abstract": "A", "keyword": "a;b"}\n')
    documents, _ = load("kp20k", tmp_path)
    assert [(d.metadata["split"], d.references) for d in documents] == [
        ("train", ("a", "b")),
        ("valid", ("words", "x")),
    ]


ARTICLE = "<DOC>\n<DOCNO> {id} </DOCNO>\n<HEAD>Storm</HEAD>\n<TEXT>\nA storm over {id}.\n</TEXT>\n</DOC>\n"


@pytest.fixture
def duc(write: Write, tmp_path: Path) -> Path:
    for topic, id_ in (("d01a", "AP-1"), ("d01a", "AP-2"), ("d02b", "AP-3")):
        write(f"docs/{topic}/{id_}", ARTICLE.format(id=id_))
    write("keyphrases.txt", "AP-1@storm;rain\nAP-2@storm\nAP-3@wind\n")
    return tmp_path


def test_duc2001(duc: Path) -> None:
    documents, _ = load("duc2001", duc)
    assert [(d.id, d.title, d.metadata["topic"], d.references) for d in documents] == [
        ("AP-1", "Storm", "d01", ("storm", "rain")),
        ("AP-2", "Storm", "d01", ("storm",)),
        ("AP-3", "Storm", "d02", ("wind",)),
    ]
    (duc / "keyphrases.txt").write_text("AP-1@storm\n")
    assert "2 of 3 documents have no keyphrases" in load("duc2001", duc)[1][0]
    (duc / "keyphrases.txt").unlink()
    with pytest.raises(DataError, match="no file of keyphrases"):
        load("duc2001", duc)


def test_topics_of_mkduc01(duc: Path, write: Write) -> None:
    write("MKDUC01_keyphrases.json", json.dumps({"d01": [["storm", "tempest"], ["rain"]], "d02": [["wind"]]}, indent=2))
    first, second = load_topics("mkduc01", duc, check="off")
    assert [document.id for document in first.documents] == ["AP-1", "AP-2"]
    assert first.references == (("storm", "tempest"), "rain")
    assert second.references == ("wind",)
    truncated = list(load_topics("mkduc01", duc, top=1, check="off"))
    assert truncated[0].references == (("storm", "tempest"),)
    with pytest.raises(DataError, match="topic d01: not all of its documents"):
        list(load_topics("mkduc01", duc, documents=[], check="off"))


def test_topics_of_other_datasets(duc: Path) -> None:
    assert [(t.id, len(t.documents)) for t in load_topics("duc2001", duc, check="off")] == [("d01", 2), ("d02", 1)]
