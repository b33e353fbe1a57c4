"""MK-DUC-01's study, on small data of our own in the same shape.

That all published numbers come out is checked on the real data, which is not ours to ship:
`phrasemill reproduce mkduc01-outputs --data DIR`.
"""

import gzip
import json
import os
from pathlib import Path

import pytest

from phrasemill.cli import run as phrasemill
from phrasemill.errors import ConfigError, InputError
from phrasemill_lab.papers import Setting, published, reproduce
from phrasemill_lab.papers.mkduc01 import COLUMNS, PRESETS
from phrasemill_lab.papers.mkduc01_outputs import ON, PublishedOutputs, file_name

TOPIC = {
    "id": "d01",
    "title": "",
    "text": "",
    "keyphrases": ["river flood", "dam"],
    "clusters": [["river flood", "high water"], ["dam"]],
}
SYSTEMS = list(published("mkduc01-table7").rows)
NEWS = {"id": "n1", "title": "Flood", "text": "A flood.", "keyphrases": ["flood"]}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """One topic, one document, and one system that answers both in every mode."""
    for name, record in (("mkduc01", TOPIC), ("duc2001", NEWS)):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")
    reference = tmp_path / "reference" / "mkduc01"
    runs = [reference / ON / f"results_baselines_{m}_{v}" for m in ("concat", "merge") for v in ("full", "trunc20")]
    for run in [*runs, reference / "results_singledoc"]:
        run.mkdir(parents=True)
        single = run.name == "results_singledoc"
        for system in SYSTEMS:
            answer = {"n1": ["floods", "rain"]} if single else {"d01": ["high water", "dams"]}
            (run / file_name(system)).write_text(json.dumps(answer), encoding="utf-8")
        (run / ("scores_sdke_full.csv" if single else "scores.csv")).write_text("", encoding="utf-8")
    outputs = PublishedOutputs(Setting(tmp_path, tmp_path))
    for run in outputs.runs():
        lines = [",".join(["algorithm", *COLUMNS.values()])]
        for system in SYSTEMS:
            scores = outputs.scores(run / file_name(system), PRESETS[0])
            lines.append(",".join([system.replace("-", ""), *(f"{scores[name]:.4f}" for name in COLUMNS)]))
        next(run.glob("scores*.csv")).write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


def test_the_two_presets_differ_by_the_clusters(data: Path) -> None:
    """By first wordings `high water` is wrong: 1 of 2. By clusters both are right."""
    outputs = PublishedOutputs(Setting(data, data))
    path = data / "reference" / "mkduc01" / ON / "results_baselines_merge_trunc20" / "YAKE.json"
    assert [outputs.scores(path, preset)["P@20"] for preset in PRESETS] == [1 / 2, 1]


def test_every_number_is_checked(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["reproduce", "mkduc01-outputs", "--data", str(data)]
    assert phrasemill(command) == 0
    assert "1760 of 1760 published numbers of 55 systems" in capsys.readouterr().out
    path = data / "reference" / "mkduc01" / "results_singledoc" / "scores_sdke_full.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("0.5000", "0.5001", 1), encoding="utf-8")
    assert phrasemill(command) == 1
    assert "published 0.5001, computed 0.500000" in capsys.readouterr().out


@pytest.mark.parametrize("format", ["table", "md", "latex", "csv"])
def test_all_tables_are_printed(data: Path, format: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"mkduc01-outputs-table{number}" for number in range(2, 8)]
    assert phrasemill(["reproduce", *names, "--data", str(data), "--format", format]) == 0
    printed = capsys.readouterr().out
    assert "TopicRank" in printed and "clusters" in printed and "first wording" in printed
    if format != "csv":
        assert all(f"Table {number}" in printed for number in range(2, 8))
        assert "figures as printed" in printed


def test_a_folder_without_the_outputs(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no scores\.csv below it"):
        reproduce("mkduc01-outputs", Setting(tmp_path, tmp_path))
    with pytest.raises(ConfigError, match="leave out --documents"):
        reproduce("mkduc01-outputs", Setting(tmp_path, tmp_path, documents=3))


@pytest.mark.skipif("PHRASEMILL_DATA" not in os.environ, reason="the published outputs are not ours to ship")
def test_all_published_numbers_come_out() -> None:
    data = Path(os.environ["PHRASEMILL_DATA"])
    made = reproduce("mkduc01-outputs", Setting(data, data))
    assert not made.failed
    assert sum(row.published[0] or 0 for row in made.rows if row.published) == 2560
