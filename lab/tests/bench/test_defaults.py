"""The tables of the defaults by kind of text, and by language."""

import gzip
import json
from pathlib import Path

import pytest

import made_datasets
from phrasemill_lab.bench import defaults, languages


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return made_datasets.coast(folder)


def test_defaults_stand_beside_what_they_score_with_the_style(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [
        "--data",
        str(data),
        "-o",
        str(tmp_path / "out"),
        "--methods",
        "learned",
        "--datasets",
        "everyday,inspec",
    ]
    defaults.main(options)
    shown = capsys.readouterr().out
    assert "| texts | metric | documents | `learned` | `learned`, style given |" in shown
    assert "annotated by a language model" in shown and "essential R@10" in shown and "F1@5|match:stem(porter)" in shown
    assert [line.split("|")[1].strip() for line in shown.splitlines() if line.startswith("| ")][-2:] == ["blog", "news"]
    with pytest.raises(SystemExit):
        defaults.main([*options, "--datasets", "nothing"])


def test_languages_where_people_chose(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "Le recyclage du verre économise l'énergie. Le recyclage du verre est simple, et les bouteilles sont lavées."
    (data / "multilingual").mkdir()
    with gzip.open(data / "multilingual" / "taln_fr_valid.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps({"id": "1", "language": "fr", "title": "", "text": text, "keyphrases": ["recyclage"]}))
    monkeypatch.setattr(languages, "PEOPLE", [one for one in languages.PEOPLE if one.name == "taln_fr"])
    languages.main(["--data", str(data), "--parts", "people"])
    shown = capsys.readouterr().out
    assert "| taln_fr | " in shown and "match:stem(french)|lang:fr" in shown
    with pytest.raises(SystemExit):
        languages.main(["--data", str(data), "--parts", "beauty"])
