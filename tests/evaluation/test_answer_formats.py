"""Reading predictions and gold, and what is said about files that are neither."""

import gzip
import json
from pathlib import Path

import pytest

from phrasemill.errors import InputError
from phrasemill.evaluation import read_answers


def write(tmp_path: Path, content: str | bytes, name: str = "answers.jsonl") -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_what_extract_prints(tmp_path: Path) -> None:
    keyphrases = [{"text": "graph theory", "score": 0.4, "present": True, "spans": [[0, 12]]}]
    answers = read_answers(write(tmp_path, json.dumps({"id": "d", "method": "tfidf", "keyphrases": keyphrases})))
    assert answers.phrases == {"d": ("graph theory",)}
    assert answers.scores == {"d": (0.4,)}
    many = read_answers(write(tmp_path, json.dumps([{"id": 1, "keyphrases": []}, {"id": 2, "keyphrases": ["a"]}])))
    assert many.phrases == {"1": (), "2": ("a",)}


def test_gold_with_text_title_and_clusters(tmp_path: Path) -> None:
    record = {
        "id": "d",
        "language": "German",
        "title": "T",
        "text": "x",
        "keyphrases": ["a", "b"],
        "clusters": [["a", "A"], ["b"]],
    }
    path = write(tmp_path, json.dumps(record) + "\n")
    gold = read_answers(path)
    assert gold.phrases == {"d": (("a", "A"), "b")}
    assert gold.texts == {"d": "T\nx"} and gold.languages == {"d": "de"}
    assert read_answers(path, field="keyphrases", top=1).phrases == {"d": ("a",)}


def test_a_field_of_stems(tmp_path: Path) -> None:
    path = write(tmp_path, json.dumps({"id": "d", "combined_stem": [["servic qualiti", "qualiti of servic"]]}))
    assert read_answers(path, field="combined_stem").stemmed


def test_semeval_lines(tmp_path: Path) -> None:
    text = "C-1 : grid comput,qualiti of servic+servic qualiti\n\nH-2 : \nI-3 : a: b\n"
    answers = read_answers(write(tmp_path, text, "test.reader.stem.final"))
    assert answers.phrases == {
        "C-1": ("grid comput", ("qualiti of servic", "servic qualiti")),
        "H-2": (),
        "I-3": ("a: b",),
    }
    assert answers.stemmed
    assert answers.name == "test.reader.stem"
    assert not read_answers(write(tmp_path, text, "test.reader.final")).stemmed


def test_pairs_of_phrase_and_score(tmp_path: Path) -> None:
    answers = read_answers(write(tmp_path, json.dumps({"d": [["graph theory", 0.5], ["tree", 1]]}), "run.json"))
    assert answers.phrases == {"d": ("graph theory", "tree")}
    assert answers.scores == {"d": (0.5, 1.0)}


def test_a_byte_order_mark_is_no_phrase(tmp_path: Path) -> None:
    assert read_answers(write(tmp_path, b"\xef\xbb\xbfC-1 : a")).phrases == {"C-1": ("a",)}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no documents in it"),
        ("{}", "no documents in it"),
        ("just words", "line 1: neither JSON nor 'id : phrase,phrase'"),
        ('{"id": "a", "keyphrases": []}\n{"id": "b"', "line 2: is not JSON"),
        ("[" * 10_000, "line 1: is JSON beyond reason, nested too deep"),
        ('{"id": "a", "keyphrases": []}\n{"id": "a", "keyphrases": []}', "line 2: repeats the id 'a'"),
        ('{"id": "a", "keyphrases": []}\n{"id": null, "keyphrases": []}', "line 2: has no id"),
        ('{"doc": "a b", "label": ["a"], "stems": ["a"]}', "no field 'keyphrases'; fields with lists: label, stems"),
        ('{"id": "a", "keys": ["x"]}\n{"id": "b"}', "line 2: no field 'keys'; fields with lists: none"),
        (
            '{"id": "a", "keys": ["x"], "authors": []}\n{"id": "b", "keys": [], "authors": ["y"]}',
            "line 1: no field 'keyphrases'; fields with lists: keys, authors",
        ),
        ('{"id": "a", "keys": [{"name": "x"}]}', "line 1: no field 'keyphrases'; fields with lists: keys"),
        ('{"id": "a", "keys": ["x"]}\n{"id": "b", "keyphrases": ["y"]}', "line 1: no field 'keyphrases'"),
        ('{"a": ["x", 5]}', "entry 'a': 5 where a phrase belongs"),
        ('{"a": "x"}', "the entry 'a': a list of phrases belongs here, got the text 'x'"),
        ('["x"]', "record 1: not a record"),
        ("C-1 : a\nC-1 : b", "line 2: repeats the id 'C-1'"),
        (b"C-1 : \xff", "not UTF-8 at byte 6"),
        (gzip.compress(b"C-1 : a", mtime=0)[:-6], "gzip data breaks off"),
        (b"\x1f\x8bnot gzip at all", "damaged gzip data"),
        (b"\xfd7zXZ\x00broken archive here", "damaged xz data"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(content: str | bytes, message: str, tmp_path: Path) -> None:
    path = write(tmp_path, content)
    with pytest.raises(InputError) as error:
        read_answers(path)
    assert message in str(error.value)
    assert str(error.value).startswith(str(path))
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_answers(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="is a directory"):
        read_answers(tmp_path)


def test_other_ends_of_lines_within_a_text_are_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    phrases = ["salt\u2028water", "old\x85pump", "a\x0bwell"]
    lines = [json.dumps({"id": str(i), "keyphrases": [one]}, ensure_ascii=False) for i, one in enumerate(phrases)]
    path.write_bytes("\n".join(lines).replace("\\u000b", "\x0b").encode())
    with pytest.raises(InputError, match="line 3: is not JSON"):  # JSON allows no bare control characters
        read_answers(path)
    path.write_bytes("\r\n".join(lines[:2]).encode())
    assert read_answers(path).phrases == {"0": (phrases[0],), "1": (phrases[1],)}
