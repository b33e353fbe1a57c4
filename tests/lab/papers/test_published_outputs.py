"""MK-DUC-01's study and SemEval-2010's tables, on small data of our own in the same shape.

That all published numbers come out is checked on the real data, which is not ours to ship:
`phrasemill reproduce mkduc01-outputs --data DIR`.
"""

import gzip
import json
import os
import shutil
from pathlib import Path

import pytest

from phrasemill.cli import run as phrasemill
from phrasemill.errors import ConfigError, DataError, InputError
from phrasemill.evaluation import Answers
from phrasemill.lab.papers import Setting, published, reproduce, semeval2010
from phrasemill.lab.papers.mkduc01 import COLUMNS, PRESETS
from phrasemill.lab.papers.mkduc01_outputs import ON, PublishedOutputs, file_name

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


GOLD = Answers(
    "gold",
    {"C-1": ("grid", "node"), "C-2": ("node",), "H-1": ("query", ("quality of service", "service quality"))},
)
FIRST = Answers("first", {"C-1": ("grids",), "C-2": ("apple",), "H-1": ("query", "service quality", "pear")})
SECOND = Answers("second", {"C-1": ("node",), "C-2": ("nodes",), "H-1": ("apple",)})


def test_semevals_rank_table() -> None:
    """At 5: first 3 right of 15 and 3 of 5 found, F 0.3; second 2 of 15 and 2 of 5, F 0.2."""
    grid = semeval2010.rank_table([SECOND, FIRST], GOLD)
    assert grid.header[:5] == ("system", "rank", "P@5", "R@5", "F1@5")
    assert grid.rows[0][:5] == ("first", "1", "20.0%", "60.0%", "30.0%")
    assert grid.rows[1][:5] == ("second", "2", "13.3%", "40.0%", "20.0%")


def test_semevals_category_table() -> None:
    """C: second finds 2 of 3 among 2 · 15, F 4/33, first 1 of 3, F 2/33. H: first 2 of 2 among 15, F 4/17."""
    grid = semeval2010.category_table([SECOND, FIRST], GOLD)
    assert grid.header == ("rank", "group C", "group H")
    assert grid.rows == (("1", "second (12.1%)", "first (23.5%)"), ("2", "first (6.1%)", "second (0.0%)"))


def test_ties_within_a_category_follow_the_order_over_all_data() -> None:
    tied = Answers("a tie", {**SECOND.phrases, "C-1": ("grid",), "C-2": ("apple",)})
    grid = semeval2010.category_table([tied, FIRST], GOLD)
    assert [row[1].split(" (")[0] for row in grid.rows] == ["first", "a tie"]


def test_systems_need_different_names() -> None:
    with pytest.raises(DataError, match="same name"):
        semeval2010.ranking([FIRST, FIRST], GOLD)


@pytest.mark.parametrize(
    ("phrase", "others"),
    [
        ("policy of school", ("policy of school", "school policy")),
        ("school's policy", ("school's policy", "school policy")),
        ("idle time of the processor", ("idle time of the processor", "the processor idle time")),
        ("grid computing", ("grid computing",)),
        ("of", ("of",)),
    ],
)
def test_alternations(phrase: str, others: tuple[str, ...]) -> None:
    """The first two are the examples of Kim et al. (2010), section 2.1, the third is from its keys."""
    assert semeval2010.alternations(phrase) == others


def test_semevals_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, run = tmp_path / "test.reader.stem.final", tmp_path / "run.txt"
    gold.write_text("C-1 : grid comput,qualiti of servic+servic qualiti\n", encoding="utf-8")
    run.write_text("C-1 : service quality,grids computing\n", encoding="utf-8")
    command = ["reproduce", "semeval2010-ranks", "--predictions", str(run)]
    assert phrasemill([*command, "--gold", str(gold)]) == 0
    printed = capsys.readouterr().out
    assert "Systems over test.reader.stem, ranked by F1@15" in printed
    assert "run (23.5%)" in printed
    keys = tmp_path / "official" / "semeval2010"
    keys.mkdir(parents=True)
    for by in ("combined", "reader"):
        shutil.copy(gold, keys / f"test.{by}.stem.final")
    assert phrasemill([*command, "--data", str(tmp_path), "--predictions", f"mine={run}", "--format", "json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert [row[0] for row in record["tables"][0]["rows"]] == ["run", "mine"] and len(record["tables"]) == 4


def test_ranks_need_systems(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="semeval2010-ranks requires --predictions"):
        reproduce("semeval2010-ranks", Setting(tmp_path, tmp_path))


@pytest.mark.skipif("PHRASEMILL_DATA" not in os.environ, reason="the published outputs are not ours to ship")
def test_all_published_numbers_come_out() -> None:
    data = Path(os.environ["PHRASEMILL_DATA"])
    made = reproduce("mkduc01-outputs", Setting(data, data))
    assert not made.failed
    assert sum(row.published[0] or 0 for row in made.rows if row.published) == 2560
