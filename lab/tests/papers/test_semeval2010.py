"""SemEval-2010: answer keys, upper bounds, baselines, ranks, and the task's own scorer."""

import json
from pathlib import Path

import pytest

import made_datasets
from phrasemill.cli import run as phrasemill
from phrasemill.evaluation import Answers
from phrasemill_lab.papers import Setting, reproduce
from phrasemill_lab.papers.semeval2010 import rank_tables

GOLD = Answers(
    "gold",
    {"C-1": ("grid", "node"), "C-2": ("node",), "H-1": ("query", ("quality of service", "service quality"))},
)


def full(*phrases: str) -> tuple[str, ...]:
    """Return a list of fifteen: the task's program gives shorter lists nothing."""
    return (*phrases, *(f"filler{number}" for number in range(15 - len(phrases))))


FIRST = Answers("first", {"C-1": full("grids"), "C-2": full("apple"), "H-1": full("query", "service quality", "pear")})
SECOND = Answers("second", {"C-1": full("node"), "C-2": full("nodes"), "H-1": full("apple")})


def test_systems_are_ranked_overall_and_within_categories() -> None:
    """At 5: first 3 right of 15 and 3 of 5 found, F 0.3; second 2 of 15 and 2 of 5, F 0.2.

    C: second finds 2 of 3 among 2 · 15, F 4/33, first 1 of 3, F 2/33. H: first 2 of 2 among 15, F 4/17.
    """
    overall, within = rank_tables([SECOND, FIRST], GOLD)
    assert overall.header[:5] == ("system", "rank", "P@5", "R@5", "F1@5")
    assert overall.rows[0][:5] == ("first", "1", "20.0%", "60.0%", "30.0%")
    assert overall.rows[1][:5] == ("second", "2", "13.3%", "40.0%", "20.0%")
    assert within.header == ("rank", "group C", "group H")
    assert within.rows == (("1", "second (12.1%)", "first (23.5%)"), ("2", "first (6.1%)", "second (0.0%)"))
    tied = Answers("a tie", {**SECOND.phrases, "C-1": full("grid"), "C-2": full("apple")})
    _, within = rank_tables([tied, FIRST], GOLD)
    assert [row[1].split(" (")[0] for row in within.rows] == ["first", "a tie"], "in the order over all data"


def test_the_command_ranks_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, run = tmp_path / "test.reader.stem.final", tmp_path / "run.txt"
    gold.write_text("C-1 : grid comput,qualiti of servic+servic qualiti\n", encoding="utf-8")
    run.write_text(f"C-1 : {','.join(full('service quality', 'grids computing'))}\n", encoding="utf-8")
    command = ["reproduce", "semeval2010-ranks", "--predictions", str(run)]
    assert phrasemill([*command, "--gold", str(gold)]) == 0
    printed = capsys.readouterr().out
    assert "Systems over test.reader.stem, ranked by F1@15" in printed and "run (23.5%)" in printed
    both = [*command, "--gold", str(gold), "--predictions"]
    assert phrasemill([*both, f"mine={run}", "--format", "json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert [row[0] for row in record["tables"][0]["rows"]] == ["run", "mine"] and len(record["tables"]) == 2
    assert phrasemill([*both, str(run)]) == 2
    assert "two systems have the same name" in capsys.readouterr().err


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """Two papers in each split, whose readers repeat an answer; the text has one of two keyphrases of the author."""
    folder = tmp_path / "official" / "semeval2010"
    folder.mkdir(parents=True)
    texts = [
        {"id": "C-1", "title": "", "text": "A grid of nodes. The grid is slow."},
        {"id": "H-2", "title": "", "text": "The query is slow. A query needs the index."},
    ]
    lines = {
        "author": "C-1 : grid,price\nH-2 : queri\n",
        "reader": "C-1 : node,node,grid\nH-2 : index\n",
        "combined": "C-1 : grid,price,node,node,grid\nH-2 : queri,index\n",
    }
    for split in ("trial", "train", "test"):
        for by, key in lines.items():
            (folder / f"{split}.{by}.stem.final").write_text(key, encoding="utf-8")
            (folder / f"{split}.{by}.final").write_text(key.replace("queri", "query"), encoding="utf-8")
        rows = [text | {f"{by}{end}": [["grid"]] for by in lines for end in ("", ".stem")} for text in texts]
        made_datasets.write(tmp_path / f"semeval2010_official_{split}.jsonl", rows)
    return tmp_path


def test_keys_are_counted(keys: Path) -> None:
    documents = reproduce("semeval2010-table1", Setting(keys, keys))
    assert documents.rows[0].published == (40, 10, 10, 10, 10) and documents.rows[0].ours == (2, 1, 1, 0, 0)
    phrases = reproduce("semeval2010-table2", Setting(keys, keys))
    figures = {row.system: row.ours for row in phrases.rows}
    assert figures["Test"] == (3, 4, 7) and figures["Test, per paper"] == (1.5, 2, None)
    assert figures["Test, authors and readers alike"] == (0, None, None), "the combined key repeats what both have"
    assert "By stems 1 are alike." in phrases.notes
    made = {row.system: row.ours for row in reproduce("ngram-metrics-table1", Setting(keys, keys)).rows}
    assert made["Total"] == (6, 8, 14) and made["Found, rule 2 alone"]
    assert made["Found"] and made["Found"][0] == 4, "`grid` and `query` occur twice, `price` does not occur"


def test_the_ceiling_is_what_the_papers_have(keys: Path) -> None:
    made = {row.system: row for row in reproduce("semeval2010-section2.1", Setting(keys, keys)).rows}
    assert made["author"].ours == pytest.approx((100 * 2 / 3,)) and made["author"].published == (81,)
    assert made["reader: training papers, words as written"].ours == pytest.approx((100 * 2 / 4,))
    bound = {row.system: row for row in reproduce("semeval2010-section4", Setting(keys, keys)).rows}
    assert bound["ceiling, author"].ours == pytest.approx((100 * 2 / 3, 100, 80))
    assert bound["readers against authors"].ours == pytest.approx((100 / 3, 25, 100 * 2 / 7))


def test_baselines_and_systems(keys: Path) -> None:
    for split in ("train", "test"):
        rows = [row | {"id": id_, "title": "", "combined": [["salt water"]], "combined.stem": [["salt water"]]}
                for id_, row in zip(("C-1", "H-2"), made_datasets.records(), strict=False)]  # fmt: skip
        made_datasets.write(keys / f"semeval2010_official_{split}.jsonl", rows)
    setting = Setting(keys, keys)
    baselines = reproduce("semeval2010-table3", setting)
    assert [row.system for row in baselines.rows[:2]] == ["TF×IDF, reader", "TF×IDF, combined"]
    assert all(row.ours for row in baselines.rows) and baselines.rows[-1].published is None
    made = reproduce("semeval2010-table7", setting)
    ours = {row.system: row.ours for row in made.rows if row.ours}
    assert set(ours) == {"KP-Miner", "Maui", "KEA", "learned, style reader"} and len(made.rows) == 21
    assert ours["KP-Miner"][2:] == (None, None), "no papers in these categories"
    assert made.tables()[1].rows[0][1] == "HUMB (28.3%)"


def test_the_scorer_is_checked_against_runs(keys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the combined key, 7 answers: `node` meets two and `grid` two, 4 of 2 · 5; P 40.00, R 57.14, F 47.06."""
    figures = {"author": (15.38, 8.7, 6.06), "reader": (42.86, 25.0, 17.65), "combined": (47.06, 29.63, 21.62)}
    printed = {f"{by}@{k}": one for by, row in figures.items() for k, one in zip((5, 10, 15), row, strict=True)}
    run = {"predictions": {"C-1": full("nodes", "grid"), "H-2": ["index"]}, "F": printed}
    path = keys / "official" / "semeval2010" / "official_scores.json"
    path.write_text(json.dumps({"systems": [run]}), encoding="utf-8")
    command = ["reproduce", "semeval2010-scorer", "--data", str(keys)]
    assert phrasemill(command) == 0
    assert "9 of 9 figures of the task's program" in capsys.readouterr().out
    printed["author@5"] = 15.40
    path.write_text(json.dumps({"systems": [run]}), encoding="utf-8")
    assert phrasemill(command) == 1
