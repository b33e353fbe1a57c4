"""Results are tables with their origin in each row."""

from pathlib import Path

import pytest

from phrasemill_lab import results


def test_each_row_says_how_it_was_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["/bin/phrasemill", "measure", "speed", "--data", "/my/data", "--rounds=3"])
    results.write("speed", [{"method": "yake", "documents per s": 12.5}], folder=tmp_path)
    (row,) = results.read("speed", folder=tmp_path)
    assert row["method"] == "yake" and float(row["documents per s"]) == 12.5
    assert row["command"] == "phrasemill measure speed --data DIR --rounds=3"
    assert row["date"] and row["machine"]


def test_commands_name_no_place_of_this_machine() -> None:
    assert results.command(["make", "tagger", "-o=/x/y", "-d", "/data"]) == "phrasemill make tagger -o=OUT -d DIR"
