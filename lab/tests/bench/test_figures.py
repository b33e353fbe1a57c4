"""Files of figures: what a table prints is what it stores, and every file says how it was made."""

from pathlib import Path

import pytest

from phrasemill.errors import DataError, UnknownName
from phrasemill_lab.bench import figures
from phrasemill_lab.bench.figures import Figures, cell, command_line, read, save, shown, table


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("49.5", 49.5),
        ("3,429", 3429),
        ("−0.4", "−0.4"),
        ("49.5 [46.6, 52.5]", {"value": 49.5, "low": 46.6, "high": 52.5}),
        ("52.3 / 62.2", [52.3, 62.2]),
        ("≥ 47", "≥ 47"),
        ("0.9.0", "0.9.0"),
        ("–", "–"),
        ("", ""),
    ],
)
def test_printed_cells_become_values_and_are_printed_alike(text: str, stored: object) -> None:
    made = table(("what", "value"), [("row", text)])
    assert made.rows[0][1] == stored
    assert made.shown("value", made.rows[0][1]) == text


def test_decimals_of_a_column_are_kept() -> None:
    made = table(("what", "seconds"), [("a", "0.10"), ("b", "1.33"), ("c", "2")])
    assert made.rows == (("a", 0.1), ("b", 1.33), ("c", 2))
    assert [made.shown("seconds", row[1]) for row in made.rows] == ["0.10", "1.33", "2"]


def test_rows_are_named_by_their_first_columns() -> None:
    made = table(("texts", "metric", "score"), [("Inspec", "F1@5", "38.7"), ("Inspec", "F1@10", "44.5")], keys=2)
    assert made.cell("Inspec, F1@10", "score") == 44.5
    assert made.selected(["Inspec, F1@10"], []).rows == (("Inspec", "F1@10", 44.5),)
    with pytest.raises(UnknownName, match=r"Inspec, F1@15.*choose from Inspec, F1@10, Inspec, F1@5"):
        made.row("Inspec, F1@15")


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    made = Figures(
        {"rate": 3429, "methods": table(("method", "F1"), [("`learned`", "44.50"), ("`yake`", "20.00")])},
        command="phrasemill bench --data DIR",
        date="2026-11-18",
        commit="abc1234",
        signatures=("F1@10|match:stem(porter)",),
    )
    save(tmp_path / "run.json", made)
    assert read(tmp_path / "run.json") == made
    (tmp_path / "bad.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match=r"bad\.json: not a file of figures"):
        read(tmp_path / "bad.json")


def test_what_a_process_writes_says_how_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["/home/me/benchmarks/growth.py", "--data", "/data", "--figures", "x.json"])
    figures.write(tmp_path / "growth.json", {"peak": 12})
    made = read(tmp_path / "growth.json")
    assert made.command == "python lab/benchmarks/growth.py --data DIR" and made.value("peak") == 12
    assert made.date and made.machine


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["/x/bin/phrasemill", "bench", "-d", "/data", "--limit", "240"], "phrasemill bench -d DIR --limit 240"),
        (["/x/phrasemill/__main__.py", "bench", "--data=/data"], "phrasemill bench --data DIR"),
        (["/x/lab/src/phrasemill_lab/bench/defaults.py"], "python -m phrasemill_lab.bench.defaults"),
        (["lab/benchmarks/peers/compare.py", "--only", "a b"], "python lab/benchmarks/peers/compare.py --only 'a b'"),
    ],
)
def test_commands_name_no_place_of_this_machine(words: list[str], command: str) -> None:
    assert command_line(words) == command


def test_a_cell_is_shown_with_its_thousands() -> None:
    assert shown(cell("1,234,567")) == "1,234,567"
