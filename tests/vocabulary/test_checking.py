"""`phrasemill vocabulary`: what is in a vocabulary, and what is wrong with it."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import made_vocabularies as made
from phrasemill.cli import run
from phrasemill.vocabulary import Concept, Label, Vocabulary, read_vocabulary
from phrasemill.vocabulary.checking import ERROR, WARNING, check


def one(id_: str, *labels: str | Label, **more: object) -> Concept:
    return Concept(id_, tuple(Label(x) if isinstance(x, str) else x for x in labels), **more)  # type: ignore[arg-type]


def kinds(*concepts: Concept, unlabelled: tuple[str, ...] = ()) -> list[tuple[str, str, tuple[str, ...]]]:
    found = check(Vocabulary(concepts, unlabelled=unlabelled)).problems
    return [(problem.severity, problem.kind, problem.concepts) for problem in found]


def test_a_sound_vocabulary(tmp_path: Path) -> None:
    path = tmp_path / "water.ttl"
    path.write_text(made.turtle())
    found = check(read_vocabulary(path))
    assert found.problems == ()
    synonyms = sum(len(row[2].split(";")) for row in made.rows() if row[2])
    broader, related = (sum(bool(row[column]) for row in made.rows()) for column in (5, 6))
    assert found.figures == {
        "concepts": 30,
        "preferred labels": 60,
        "synonyms": synonyms,
        "hidden labels": 1,
        "broader relations": broader,
        "related relations": related,
        "top concepts": 30 - broader,
        "levels": 4,  # water, groundwater, aquifer, aquifer recharge
        "deprecated": 0,
    }
    assert found.languages == {"en": 31, "de": 30, "en-gb": synonyms}


@pytest.mark.parametrize(
    ("concepts", "problem"),
    [
        ([one("a", "sea", Label("ocean"))], (ERROR, "several preferred labels", ("a",))),
        ([one("a", Label("sea", "", 1))], (WARNING, "no preferred label", ("a",))),
        ([one("a", "sea", Label("Sea", "", 1))], (WARNING, "label repeated", ("a",))),
        ([one("a", "sea", Label("—", "", 1))], (ERROR, "no words", ("a",))),
        ([one("a", "sea", broader=("b",))], (ERROR, "dangling reference", ("a",))),
        ([one("a", "sea", related=("b",))], (ERROR, "dangling reference", ("a",))),
        ([one("a", "sea", broader=("a",))], (ERROR, "circle", ("a",))),
        ([one("a", "sea", broader=("b",)), one("b", "lake", broader=("a",))], (ERROR, "circle", ("a", "b"))),
        ([one("a", "sea"), one("b", "Seas")], (ERROR, "same preferred label", ("a", "b"))),
        ([one("a", "sea"), one("b", "lake", Label("sea", "", 1))], (WARNING, "ambiguous label", ("a", "b"))),
        ([one("a", "sea", deprecated=True)], (WARNING, "no successor", ("a",))),
    ],
)
def test_each_problem(concepts: list[Concept], problem: tuple[str, str, tuple[str, ...]]) -> None:
    assert kinds(*concepts) == [problem]


def test_what_is_no_problem() -> None:
    assert kinds(one("a", Label("gift", "en")), one("b", Label("Gift", "de"))) == [], "other languages"
    assert kinds(one("a", "sea", deprecated=True, replaced_by=("b",)), one("b", "sea")) == [], "replaced"
    assert kinds(one("a", "sea", broader=("b",)), unlabelled=("b",)) == [(ERROR, "no label", ("b",))]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), max_size=3), min_size=1, max_size=7))
def test_circles_are_found_where_there_are_some(above: list[list[int]]) -> None:
    concepts = [one(str(i), f"w{i}", broader=tuple(str(b) for b in some)) for i, some in enumerate(above)]

    def reaches_itself(start: int) -> bool:
        seen, waiting = set(), list(above[start])
        while waiting:
            at = waiting.pop()
            if at not in seen and at < len(above):
                seen.add(at)
                waiting += above[at]
        return start in seen

    found = any(kind == "circle" for _, kind, _ in kinds(*concepts))
    assert found == any(map(reaches_itself, range(len(above))))


def test_the_command_prints_figures_and_problems(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "v.csv"
    path.write_text("id,label,synonyms,broader\n" + "".join(f"S{i},sea {i},sea {i - 1},none\n" for i in range(9)))
    assert run(["vocabulary", str(path), "--show", "2"]) == 1
    out = capsys.readouterr().out
    assert "error: dangling reference (9)\n  S0: broader none, which is not in the vocabulary\n" in out
    assert "  and 7 more\n" in out
    assert "warning: ambiguous label (8)\n  the same words: 'sea 0' of S0 and 'sea 0' of S1\n" in out
    assert out.endswith("\n9 errors, 8 warnings\n")
    assert run(["vocabulary", str(path), "--format", "json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["errors"] == 9 and len(found["problems"]) == 17


def test_warnings_alone_are_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "v.csv"
    path.write_text("label,deprecated\nsea,yes\nlake,\n")
    assert run(["vocabulary", str(path)]) == 0
    assert capsys.readouterr().out.endswith("\nno errors, 1 warning\n")


def test_a_file_that_is_none_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["vocabulary", str(tmp_path / "none.ttl")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
