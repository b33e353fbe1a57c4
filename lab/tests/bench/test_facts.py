"""The figures of methods come from results of a benchmark."""

import json
from pathlib import Path

import pytest

from phrasemill import __version__
from phrasemill.errors import DataError
from phrasemill.facts import FILE
from phrasemill_lab.bench import facts, figures
from phrasemill_lab.bench.figures import Figures, FigureTable
from phrasemill_lab.bench.results import BenchResult, BenchScore, save


def result(dataset: str, spec: str, value: float, seconds: float) -> BenchResult:
    quality = (BenchScore("F1@10", value, value, value, f"F1@10|match:stem(porter)|docs:500|v:{__version__}"),)
    sizes = {"groups": 500, "documents": 500, "tokens": 60_000, "sets": False, "sampled": False}
    return BenchResult(
        spec.split("(")[0],
        spec,
        dataset,
        dataset.title(),
        "0123",
        **sizes,
        version=__version__,
        quality=quality,
        seconds=seconds,
    )


def test_results_become_scores_and_others_stay(tmp_path: Path) -> None:
    for dataset, value in (("dev", 0.4321), ("keywords", 0.2)):
        save(result(dataset, "textrank", value, 0.1), tmp_path)
        save(result(dataset, "textrank(window=5)", 0.9, 0.1), tmp_path)
    target = tmp_path / "written" / "facts.json"
    target.parent.mkdir()
    facts.main([str(tmp_path), "--indexers", "dev", "--authors", "keywords", "--output", str(target)])
    before, after = (json.loads(path.read_text(encoding="utf-8")) for path in (FILE, target))
    assert after["methods"]["learned"] == before["methods"]["learned"]
    textrank = after["methods"]["textrank"]
    date = textrank.pop("run")
    assert textrank == {"speed": before["methods"]["textrank"]["speed"], "indexers": 43.2, "authors": 20.0}
    run = after["runs"][date]
    assert run["indexers"]["signature"].startswith("F1@10|match:stem(porter)|")
    assert run["command"][0].startswith("python -m phrasemill_lab.bench.facts ")


def test_speeds_are_those_of_the_bench_and_no_others(tmp_path: Path) -> None:
    rows = (("`learned`", 5400), ("`mderank`", 0.4), ("`embedrank`", "out of memory"))
    run = Figures({"ours": FigureTable(("method", "abstracts, per s"), rows)}, command="compare", date="2026-11-18")
    figures.save(tmp_path / "speed.json", run)
    target = tmp_path / "facts.json"
    facts.main(["--speed", str(tmp_path / "speed.json"), "--output", str(target)])
    before, after = (json.loads(path.read_text(encoding="utf-8")) for path in (FILE, target))
    assert {name: row["speed"] for name, row in after["methods"].items() if "speed" in row} == {
        "learned": 5400,
        "mderank": 0.4,
    }
    assert after["methods"]["yake"].items() <= before["methods"]["yake"].items()
    assert after["speed"]["command"] == "compare" and after["speed"]["date"] == "2026-11-18"


def test_without_results_or_speeds_there_is_nothing_to_write(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        facts.main([])
    assert "name RESULTS, --speed FILE, or both" in capsys.readouterr().err


def test_a_dataset_without_results_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no results of this version on the dataset 'dev'"):
        facts.main([str(tmp_path), "--indexers", "dev", "--authors", "keywords"])
