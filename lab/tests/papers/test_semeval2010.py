"""SemEval-2010: ranks of systems, categories, answer keys, upper bounds, and the task's own scorer.

That every figure of the task's program comes out is checked on its runs, which are not ours to ship:
`phrasemill reproduce semeval2010-scorer --data DIR`.
"""

import json
import os
import shutil
from pathlib import Path

import pytest

import made_datasets
from phrasemill.cli import run as phrasemill
from phrasemill.errors import ConfigError, DataError
from phrasemill.evaluation import Answers
from phrasemill_lab.papers import Setting, reproduce
from phrasemill_lab.papers.semeval2010_keys import coverage, genitive_counts
from phrasemill_lab.papers.semeval2010_ranks import category_table, rank_table, ranking

GOLD = Answers(
    "gold",
    {"C-1": ("grid", "node"), "C-2": ("node",), "H-1": ("query", ("quality of service", "service quality"))},
)


def full(*phrases: str) -> tuple[str, ...]:
    """Return a list of fifteen: the task's program gives shorter lists nothing."""
    return (*phrases, *(f"filler{number}" for number in range(15 - len(phrases))))


FIRST = Answers("first", {"C-1": full("grids"), "C-2": full("apple"), "H-1": full("query", "service quality", "pear")})
SECOND = Answers("second", {"C-1": full("node"), "C-2": full("nodes"), "H-1": full("apple")})


def test_systems_are_ranked() -> None:
    """At 5: first 3 right of 15 and 3 of 5 found, F 0.3; second 2 of 15 and 2 of 5, F 0.2."""
    grid = rank_table([SECOND, FIRST], GOLD)
    assert grid.header[:5] == ("system", "rank", "P@5", "R@5", "F1@5")
    assert grid.rows[0][:5] == ("first", "1", "20.0%", "60.0%", "30.0%")
    assert grid.rows[1][:5] == ("second", "2", "13.3%", "40.0%", "20.0%")


def test_systems_are_ranked_within_categories() -> None:
    """C: second finds 2 of 3 among 2 · 15, F 4/33, first 1 of 3, F 2/33. H: first 2 of 2 among 15, F 4/17."""
    grid = category_table([SECOND, FIRST], GOLD)
    assert grid.header == ("rank", "group C", "group H")
    assert grid.rows == (("1", "second (12.1%)", "first (23.5%)"), ("2", "first (6.1%)", "second (0.0%)"))


def test_ties_within_a_category_follow_the_order_over_all_data() -> None:
    tied = Answers("a tie", {**SECOND.phrases, "C-1": full("grid"), "C-2": full("apple")})
    grid = category_table([tied, FIRST], GOLD)
    assert [row[1].split(" (")[0] for row in grid.rows] == ["first", "a tie"]


def test_systems_need_different_names() -> None:
    with pytest.raises(DataError, match="same name"):
        ranking([FIRST, FIRST], GOLD)


def test_the_command_ranks_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, run = tmp_path / "test.reader.stem.final", tmp_path / "run.txt"
    gold.write_text("C-1 : grid comput,qualiti of servic+servic qualiti\n", encoding="utf-8")
    run.write_text(f"C-1 : {','.join(full('service quality', 'grids computing'))}\n", encoding="utf-8")
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


def test_readers_cover_authors_by_the_words_of_the_longer_phrase() -> None:
    """Of three keyphrases one is repeated, and one shares half its words: 1/3 or 2/3, over four of readers."""
    author = Answers("author", {"C-1": ("grid", "idle time"), "C-2": (("price of anarchy", "anarchy price"),)})
    reader = Answers("reader", {"C-1": ("grid", "time", "node"), "C-2": ("market",)})
    assert coverage(reader, author, 1.0, macro=False) == pytest.approx((1 / 3, 1 / 4))
    assert coverage(reader, author, 0.5, macro=False) == pytest.approx((2 / 3, 2 / 4))
    assert coverage(reader, author, 0.5, macro=True) == pytest.approx((1 / 2, (2 / 3 + 0) / 2))


def test_genitives_of_the_keys_are_compared_with_the_rule() -> None:
    """`cost of the edg` loses its article in the keys, `idl time of the processor` does not; both are generated."""
    groups = [
        ("cost of the edg", "edg cost"),
        ("idl time of the processor", "the processor idl time"),
        ("matter of fact", "truth"),
        "price of anarchi",
        "grid",
    ]
    assert genitive_counts(groups) == (3, 2, 1)


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
    assert phrases.rows[2].ours == (3, 4, 7)
    assert phrases.rows[3].system == "Test, authors and readers alike"
    assert phrases.rows[3].ours == (0, None, None), "the combined key repeats what both have"
    assert "By stems 1 are alike" in phrases.notes[1]
    assert phrases.rows[4].system == "Test, per paper" and phrases.rows[4].ours == (1.5, 2, None)


def test_the_ceiling_is_what_the_papers_have(keys: Path) -> None:
    made = {row.system: row for row in reproduce("semeval2010-section2.1", Setting(keys, keys)).rows}
    assert made["author"].ours == pytest.approx((100 * 2 / 3,)) and made["author"].published == (81,)
    assert made["reader: training papers, words as written"].ours == pytest.approx((100 * 2 / 4,))
    bound = {row.system: row for row in reproduce("semeval2010-section4", Setting(keys, keys)).rows}
    assert bound["ceiling, author"].ours == pytest.approx((100 * 2 / 3, 100, 80))
    assert bound["readers against authors"].ours == pytest.approx((100 / 3, 25, 100 * 2 / 7))


def test_candidates_find_keyphrases(keys: Path) -> None:
    """Of the author's keyphrases `grid` and `query` occur twice and `price` does not occur."""
    made = {row.system: row for row in reproduce("ngram-metrics-table1", Setting(keys, keys)).rows}
    assert made["Total"].ours == (6, 8, 14) and made["Total"].published == (1298, 3110, 3816)
    assert made["Found"].ours is not None and made["Found"].ours[0] == 4
    assert made["Found, rule 2 alone"].published is None


def test_systems_have_figures_within_categories(keys: Path) -> None:
    made = reproduce("semeval2010-table7", Setting(keys, keys))
    ours = {row.system: row.ours for row in made.rows if row.ours}
    assert set(ours) >= {"KP-Miner", "learned, style reader"}
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
    printed["author@5"] = 15.39
    path.write_text(json.dumps({"systems": [run]}), encoding="utf-8")
    assert phrasemill(command) == 1


@pytest.mark.skipif("PHRASEMILL_DATA" not in os.environ, reason="the task's runs are not ours to ship")
def test_all_figures_of_the_tasks_program_come_out() -> None:
    data = Path(os.environ["PHRASEMILL_DATA"])
    made = reproduce("semeval2010-scorer", Setting(data, data))
    assert not made.failed and len(made.rows) == 4
