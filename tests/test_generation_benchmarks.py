"""The scripts behind the tables and the picture of the generation page, on documents that are made here."""

import gzip
import json
import lzma
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

SCRIPTS = Path(__file__).parents[1] / "benchmarks"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def scripts(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(SCRIPTS)

    def load(name: str) -> ModuleType:
        return __import__(name)

    return load


@pytest.fixture
def data(tmp_path: Path) -> Path:
    names = ("kp20k_small_test", "deepkg_inspec_test", "deepkg_semeval_test", "stackexchange_takg_test")
    for name in names:
        text = "salt water spoils wells . managed recharge refills wells ."
        gold = ["salt water", "well" if "semeval" in name else "wells", "aquifer"]
        record = {"id": name, "title": "salt water", "text": text, "keyphrases": gold}
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt") as file:
            file.write(json.dumps(record) + "\n")
    made = {"id": "p", "title": "Salt water", "text": "Salt water spoils wells.", "keyphrases": ["wells"]}
    with gzip.open(tmp_path / "pubmedake_sample1000.jsonl.gz", "wt") as file:
        file.write(json.dumps(made | {"absent": ["aquifer", "salty rock", "well"]}) + "\n")
    lists = [{"id": name, "keyphrases": ["salt waters", "aquifers", "wells", "salt waters"]} for name in (*names, "p")]
    (tmp_path / "lists.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lists))
    return tmp_path


def run(scripts: Any, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    monkeypatch.setattr(sys, "argv", ["generation_tables.py", *arguments])
    scripts("generation_tables").main()


def cells(output: str, row: str) -> list[str]:
    line = next(line for line in output.splitlines() if line.startswith(f"| {row} |"))
    return [cell.strip() for cell in line.strip("|").split("|")][1:]


def test_lists_from_files_stand_beside_the_published_figures(
    scripts: Any, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lists = str(data / "lists.jsonl")
    given = [f"--predictions=CatSeqD{search}={lists}" for search in ("", ":greedy", ":top")]
    options = ["--data", str(data), "--methods", "CatSeq", "CatSeqD", "firstphrases", "--markdown", "--tables"]
    run(scripts, monkeypatch, *options, "2,4,6,6.2", *given)
    shown, said = capsys.readouterr()
    assert cells(shown, "CatSeqD")[:3] == ["100.0 (34.8)", "100.0 (29.8)", "100.0 (35.7)"]
    assert cells(shown, "CatSeqD, greedy")[:2] == ["100.0 (33.4)", "100.0 (33.9)"]
    assert cells(shown, "CatSeq, best of a beam") == ["– (24.3)", "– (25.1)", "– (52.4)", "– (52.7)"]
    assert "100.0 (11.7) | 100.0 (15.1)" in shown and "| CatSeqD | 3.0 (89.7) |" in shown
    assert len(cells(shown, "firstphrases")) == 9
    assert "present:present[stem(porter)]" in shown and "stemmed:gold" in shown, "SemEval's gold is stemmed"
    assert "catseq: left out (--models is not given)" in said and "catseqd" not in said


def test_abstractive_keywords(
    scripts: Any, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["--predictions", f"mine={data / 'lists.jsonl'}"]
    run(scripts, monkeypatch, "--data", str(data), "--methods", "mine", "--tables", "pubmedake", "--markdown", *given)
    shown = capsys.readouterr().out
    caption = " ".join(shown.split())
    assert "Of the 3 keywords that the data call abstractive 1 do occur" in caption
    # Of four phrases, aquifer and well are right; of the absent one alone, one of two that are absent.
    assert cells(shown, "mine")[:2] == ["50.0", "66.7"]
    assert cells(shown, "mine, its absent phrases only")[:2] == ["100.0", "50.0"]


def test_computer_science_of_the_validation_set(
    scripts: Any, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = {"title": "Salt water", "text": "Salt water spoils wells.", "keyphrases": ["wells", "aquifer"]}
    (data / "keywords").mkdir()
    with lzma.open(data / "keywords" / "valid.jsonl.xz", "wt") as file:
        file.write("".join(json.dumps(text | {"id": name, "cs": name == "p"}) + "\n" for name in ("p", "q")))
    given = [f"--predictions=mine{search}={data / 'lists.jsonl'}" for search in ("", ":greedy")]
    run(scripts, monkeypatch, "--data", str(data), "--methods", "mine", "--tables", "cs", "--markdown", *given)
    shown, said = capsys.readouterr()
    # q is no computer science; of p's two phrases that are present one is right, the absent one is right
    assert cells(shown, "mine") == ["66.7", "66.7", "0.0", "100.0", "100.0", "0.0", "66.7"]
    assert "have no list" not in said


@pytest.mark.parametrize(
    "wrong",
    [["--tables", "9"], ["--predictions", "CatSeq"], ["--predictions", "a:up=b"], ["--predictions", "a=nowhere"]],
)
def test_wrong_options(scripts: Any, data: Path, monkeypatch: pytest.MonkeyPatch, wrong: list[str]) -> None:
    with pytest.raises(SystemExit, match=r"no table|takes NAME=FILE|no such file"):
        run(scripts, monkeypatch, "--data", str(data), *wrong)


def test_published_rows_are_complete(scripts: Any) -> None:
    paper = scripts("generation_paper")
    for table, count in ((paper.TABLE_2, 3), (paper.TABLE_5, 1), (paper.TABLE_6, 2)):
        for row in table.values():
            assert list(row) == ["KP20k", "Inspec", "SemEval"]
            assert {len(figures) for figures in row.values()} == {count}
    assert {len(row) for row in paper.TABLE_3.values()} == {5}
    assert {len(row) for table in paper.PUBMEDAKE.values() for row in table.values()} == {len(paper.CUTS)}


def test_the_picture_of_decoder_states(scripts: Any) -> None:
    module = scripts("decoder_states")
    source = np.random.default_rng(1)
    apart = np.concatenate([source.normal(10 * i, 0.1, (12, 4)) * [1, -1, 1, -1] for i in (-1, 1)])
    panels = [module.panel(apart, seed=3) for _ in range(2)]
    assert np.array_equal(panels[0].points, panels[1].points), "a seed gives one picture"
    assert panels[0].points.min() >= 0 and panels[0].points.max() <= 1
    assert panels[0].cosine == pytest.approx((2 * 66 - 144) / (12 * 23), abs=0.01), "two bundles that point apart"
    drawn = ElementTree.fromstring(module.picture({"Cat & Seq": panels, "CatSeqD": panels[:1]}))
    assert len(drawn.findall(f"{SVG}path")) == len(drawn.findall(f"{SVG}rect")) == 3
    assert drawn.findall(f"{SVG}path")[0].get("d", "").count("M") == 24
    assert "Cat & Seq" in [text.text for text in drawn.findall(f"{SVG}text")]
    with pytest.raises(SystemExit, match="too few"):
        module.panel(apart[:3])
