"""Finding files, and saying what is missing or different."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from phrasemill.errors import DataError, UnknownName
from phrasemill_lab.datasets import DatasetProblem, DatasetWarning, dataset, datasets, load_dataset
from phrasemill_lab.datasets.loading import sources

Write = Callable[[str, str], Path]


def line(id_: str, *keyphrases: str) -> str:
    return json.dumps({"id": id_, "text": "t", "keyphrases": keyphrases}) + "\n"


def test_names_are_read_as_people_write_them() -> None:
    assert dataset("MK-DUC-01").name == "mkduc01"
    assert dataset("500N-KPCrowd").name == "500n_kpcrowd"
    assert dataset("SemEval 2010").name == "semeval2010"
    with pytest.raises(UnknownName, match="did you mean 'inspec'"):
        dataset("inspect")


def test_every_entry_says_what_one_needs_to_know() -> None:
    entries = list(datasets())
    names = [entry.name for entry in entries]
    assert len(names) == 11 and names == sorted(names)
    for entry in entries:
        assert entry.published and entry.licence and entry.papers and entry.splits and entry.forms
        assert ": " in entry.title
        assert all(place.startswith("https://") for place in entry.published)
        assert all(len(file.sha256) == 64 for file in entry.files)
        names = [split.name for split in entry.splits]
        assert all(split.part_of in ("", *names) for split in entry.splits)


def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no files of inspec \(test\); looked for .*inspec_test\.jsonl") as caught:
        load_dataset("inspec", tmp_path, split="test")
    assert "\n" not in str(caught.value)
    with pytest.raises(DataError, match="no such folder"):
        load_dataset("inspec", tmp_path / "none")
    with pytest.raises(
        UnknownName, match=r"unknown split of inspec 'trial' \(did you mean 'train'\?\); choose from dev, test, train"
    ):
        load_dataset("inspec", tmp_path, split="trial")
    with pytest.raises(UnknownName, match="layout of inspec"):
        load_dataset("inspec", tmp_path, layout="pairs")
    with pytest.raises(UnknownName, match="check"):
        load_dataset("inspec", tmp_path, check="maybe")


def test_it_is_lazy(write: Write, tmp_path: Path) -> None:
    write("inspec_test.jsonl", line("1") + "broken\n")
    stream = load_dataset("inspec", tmp_path, check="off")
    assert next(stream).id == "1"
    with pytest.raises(DataError, match="line 2: is not JSON"):
        next(stream)


def test_splits_in_order_with_their_names(write: Write, tmp_path: Path) -> None:
    write("inspec_test.jsonl", line("3"))
    write("inspec_validation.jsonl", line("2"))
    (tmp_path / "inspec_train.jsonl.gz").write_bytes(gzip.compress(line("1").encode()))
    found = [(d.id, d.metadata["split"]) for d in load_dataset("inspec", tmp_path, check="off")]
    assert found == [("1", "train"), ("2", "dev"), ("3", "test")]
    assert [d.id for d in load_dataset("inspec", tmp_path, split="valid", check="off")] == ["2"]


def test_a_part_comes_only_where_its_whole_does_not(write: Write, tmp_path: Path) -> None:
    write("semeval2010_trial.jsonl", line("C-1"))
    assert [source.split.name for source in sources(dataset("semeval2010"), tmp_path) if source.split] == ["trial"]
    write("semeval2010_train.jsonl", line("C-1"))
    assert [source.split.name for source in sources(dataset("semeval2010"), tmp_path) if source.split] == ["train"]


def test_one_file_is_enough(write: Write) -> None:
    own = write("anything.jsonl", line("1", "a"))
    assert [d.references for d in load_dataset("kp20k", own)] == [("a",)]
    other = write("kp20k_testing.json", '{"title": "T", "abstract": "A", "keyword": "b"}\n')
    found: list[DatasetProblem] = []
    (document,) = load_dataset("kp20k", other, report=found.append)
    assert (document.references, document.metadata["split"]) == (("b",), "test")
    assert [problem.reason for problem in found] == ["kp20k test has 20,000 documents, here are 1"]


def test_answer_keys_are_compared_too(write: Write, tmp_path: Path) -> None:
    write("test/C-1.txt.final", "A paper.")
    write("test_answer/test.combined.stem.final", "C-1 : paper\n")
    found: list[DatasetProblem] = []
    list(load_dataset("semeval2010", tmp_path, report=found.append))
    assert found[0].path.endswith("test.combined.stem.final")
    assert "SHA-256 differs" in found[0].reason


def test_a_file_is_looked_into_where_its_name_says_too_little(write: Write, tmp_path: Path) -> None:
    write("kp20k_test.jsonl", '{"title": "T", "abstract": "A", "keyword": "b"}\n')
    assert [d.references for d in load_dataset("kp20k", tmp_path, check="off")] == [("b",)]
    write("kp20k_valid.json", line("1", "a"))
    assert [d.references for d in load_dataset("kp20k", tmp_path, split="valid", check="off")] == [("a",)]


def test_counts_are_compared(write: Write, tmp_path: Path) -> None:
    write("500n_kpcrowd_test.jsonl", "".join(line(str(i)) for i in range(49)))
    with pytest.warns(DatasetWarning, match="500n_kpcrowd test has 50 documents, here are 49"):
        assert len(list(load_dataset("500n_kpcrowd", tmp_path))) == 49
    with pytest.raises(DataError, match="here are 49"):
        list(load_dataset("500n_kpcrowd", tmp_path, check="refuse"))
    assert len(list(load_dataset("500n_kpcrowd", tmp_path, check="off"))) == 49


def test_keyphrases_are_counted_where_the_documents_are_complete(write: Write, tmp_path: Path) -> None:
    write("mkduc01.jsonl", "".join(line(str(i), "a", "b") for i in range(30)))
    found: list[DatasetProblem] = []
    list(load_dataset("mkduc01", tmp_path, report=found.append))
    assert [problem.reason for problem in found] == ["mkduc01 test has 1,314 keyphrases, here are 60"]


def test_checksums_are_compared_for_files_we_know(write: Write, tmp_path: Path) -> None:
    (tmp_path / "duc2001.jsonl.gz").write_bytes(gzip.compress(line("1").encode()))
    found: list[DatasetProblem] = []
    list(load_dataset("duc2001", tmp_path, report=found.append))
    assert [problem.reason.partition(":")[0] for problem in found] == [
        "differs from the published file of this name",
        "duc2001 test has 308 documents, here are 1",
    ]


def test_ids_that_come_twice(write: Write, tmp_path: Path) -> None:
    write("inspec_test.jsonl", line("1") + line("1") + line("2"))
    with pytest.raises(DataError, match="the id '1' comes twice"):
        list(load_dataset("inspec", tmp_path, check="off"))
    assert [d.id for d in load_dataset("inspec", tmp_path, check="off", on_error="skip")] == ["1", "2"]


def test_the_layout_can_be_chosen(write: Write, tmp_path: Path) -> None:
    write("inspec_test.jsonl", line("own"))
    write("Test/1.abstr", "T\n\tA")
    write("Test/1.uncontr", "a")
    assert [d.id for d in load_dataset("inspec", tmp_path, check="off")] == ["1"]
    assert [d.id for d in load_dataset("inspec", tmp_path, layout="jsonl", check="off")] == ["own"]
