"""The figures of methods come from results of a benchmark."""

import json
from pathlib import Path

import pytest

from phrasemill import __version__
from phrasemill.errors import DataError
from phrasemill.facts import FILE
from phrasemill.lab.bench import facts
from phrasemill.lab.bench.results import BenchResult, BenchScore, save


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
        compiled=True,
        quality=quality,
        seconds=seconds,
    )


def test_results_become_figures_and_others_stay(tmp_path: Path) -> None:
    for dataset, value in (("dev", 0.4321), ("keywords", 0.2)):
        save(result(dataset, "textrank", value, 0.1), tmp_path)
        save(result(dataset, "textrank(window=5)", 0.9, 0.1), tmp_path)
        save(result(dataset, "mderank", value / 2, 1400.0), tmp_path)
    target = tmp_path / "written" / "facts.json"
    target.parent.mkdir()
    facts.main([str(tmp_path), "--indexers", "dev", "--authors", "keywords", "--output", str(target)])
    before, after = (json.loads(path.read_text(encoding="utf-8")) for path in (FILE, target))
    assert after["methods"]["learned"] == before["methods"]["learned"]
    textrank, mderank = after["methods"]["textrank"], after["methods"]["mderank"]
    date = textrank.pop("run")
    assert textrank == {"speed": 5000, "indexers": 43.2, "authors": 20.0}
    assert mderank == {"speed": 0.4, "indexers": 21.6, "authors": 10.0, "run": date}
    run = after["runs"][date]
    assert run["indexers"]["signature"].startswith("F1@10|match:stem(porter)|")
    assert run["command"][0].startswith("python -m phrasemill.lab.bench.facts ")


def test_a_dataset_without_results_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no results of this version on the dataset 'dev'"):
        facts.main([str(tmp_path), "--indexers", "dev", "--authors", "keywords"])
