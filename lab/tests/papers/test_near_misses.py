"""Candidates for people to grade, the sheet of their grades, and the command that asks."""

import io
import json
from pathlib import Path

import pytest

from phrasemill.cli import run as phrasemill
from phrasemill.errors import ConfigError, DataError, InputError, UnknownName
from phrasemill.text.analyse import analyse
from phrasemill_lab.papers.grading import GradeSheet, read_pairs, read_sheet
from phrasemill_lab.papers.judgements import Judged, read_judgements
from phrasemill_lab.papers.near_misses import CandidateSelection, is_part, near_misses

TEXT = "The performance of grid computing depends on the network. A grid is slow if the network is."


@pytest.mark.parametrize(
    ("selection", "candidates"),
    [
        (CandidateSelection(), {"perform of grid comput", "grid comput", "network"}),
        (CandidateSelection("1"), {"grid comput", "network"}),
        (CandidateSelection("2"), {"perform of grid comput"}),
        (CandidateSelection("1", simplex=1), {"perform", "grid comput", "grid", "network"}),
        (CandidateSelection(phrases=2), {"network"}),
    ],
)
def test_candidates_by_rule_and_frequency(selection: CandidateSelection, candidates: set[str]) -> None:
    """The paper's own example, section 4.2: not only `performance of grid computing` but also `grid computing`."""
    assert {one.form for one in selection.select(analyse(TEXT, language="en"))} == candidates


def test_wrong_selections_are_named() -> None:
    with pytest.raises(UnknownName, match="'3'"):
        CandidateSelection("3")
    with pytest.raises(ConfigError, match="at least 1"):
        CandidateSelection(simplex=0)


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [("grid computing", True), ("effective grid computing algorithm design", True), ("effective algorithm", False)],
)
def test_parts_stand_in_a_row(candidate: str, expected: bool) -> None:
    assert is_part(candidate.split(), ["effective grid computing algorithm".split()]) is expected


def test_near_misses_of_a_text() -> None:
    """`network` is a keyphrase itself, so it is no near-miss of `network delay`."""
    keyphrases = ["grid computing", "network", "network delay", "salt"]
    assert list(near_misses(TEXT, keyphrases, CandidateSelection())) == [
        ("grid computing", "performance of grid computing")
    ]
    found = near_misses(TEXT, keyphrases, CandidateSelection(simplex=1))
    assert ("grid computing", "grid") in list(found)


def gold(folder: Path) -> Path:
    path = folder / "gold.jsonl"
    record = {"id": "d", "text": TEXT, "keyphrases": ["grid computing", "network delay"]}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def answer(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(words))


def test_a_person_is_asked_and_an_interrupted_run_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "grades.jsonl"
    command = ["judge", str(gold(tmp_path)), "-o", str(output), "--annotator"]
    answer("7\n3\nq\n", monkeypatch)
    assert phrasemill([*command, "anna"]) == 0
    printed = capsys.readouterr()
    assert "Type a number from 0 to 4" in printed.out and "1 of 2 pairs graded by anna" in printed.err
    answer("1\n", monkeypatch)
    assert phrasemill([*command, "anna"]) == 0
    assert "1 of 1\n  keyphrase  network delay\n  candidate  network" in capsys.readouterr().out
    answer("4\n0\n", monkeypatch)
    assert phrasemill([*command, "ben"]) == 0
    assert read_judgements(output) == [
        Judged("performance of grid computing", ("grid computing",), (3, 4)),
        Judged("network", ("network delay",), (1, 0)),
    ]


def test_pairs_may_be_given_and_sampled(tmp_path: Path) -> None:
    sheet = GradeSheet()
    sheet.add([("a b", "a"), ("a b", "b"), ("c d", "c")])
    path = tmp_path / "pairs.jsonl"
    sheet.save(path)
    every = read_pairs(path, CandidateSelection())
    assert every == [("a b", "a"), ("a b", "b"), ("c d", "c")]
    some = read_pairs(path, CandidateSelection(), most=2, seed=3)
    assert len(some) == 2 and set(some) < set(every) and some == read_pairs(path, CandidateSelection(), most=2, seed=3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ({"keyphrase": "a"}, "not a list of phrases"),
        ({"id": "d", "keyphrases": ["a"]}, "has no text"),
    ],
)
def test_what_cannot_be_graded(line: dict[str, object], message: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_pairs(path, CandidateSelection())


def test_texts_without_near_misses_and_damaged_sheets(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps({"id": "d", "text": TEXT, "keyphrases": ["salt"]}), encoding="utf-8")
    with pytest.raises(DataError, match="no near-misses"):
        read_pairs(path, CandidateSelection())
    path.write_text(json.dumps({"keyphrase": "a", "candidate": "b", "scores": [1]}), encoding="utf-8")
    with pytest.raises(InputError, match="scores by annotator"):
        read_sheet(path)
