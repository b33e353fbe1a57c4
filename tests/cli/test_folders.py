"""`phrasemill extract FOLDER`: a list for each file below it."""

import json
from pathlib import Path

import pytest

from cli_process import Command


def test_each_file_of_a_folder_has_its_list_in_the_order_of_names(at: Command, folder: Path) -> None:
    (folder / "collection/.hidden.txt").write_text("Graph theory.", encoding="utf-8")
    (folder / "collection/program.exe").write_bytes(b"Graph theory.")
    code, out, err = at("extract", "collection", "article.txt", "-f", "jsonl", "-m", "firstphrases")
    assert (code, err) == (0, "")
    files = [f"collection/{place}/{number}.txt" for place in ("north", "south") for number in range(3)]
    assert [json.loads(line)["id"] for line in out.splitlines()] == [*files, "article.txt"]


def test_a_folder_of_one_file_is_still_a_list(at: Command, folder: Path) -> None:
    (folder / "one").mkdir()
    (folder / "one/a.txt").write_text("Graph theory.", encoding="utf-8")
    assert [one["id"] for one in json.loads(at("extract", "one", "-f", "json")[1])] == ["one/a.txt"]


def test_what_cannot_be_read_in_a_folder_is_named_and_the_rest_goes_on(at: Command, folder: Path) -> None:
    (folder / "new/1.txt").unlink()
    (folder / "new/1.txt").symlink_to("gone.txt")
    (folder / "new/3.pdf").write_bytes(b"%PDF-1.4\n")
    code, out, err = at("extract", "new", "-f", "json")
    assert code == 1
    assert [one["id"] for one in json.loads(out)] == ["new/0.txt", "new/2.txt"]
    link, pdf = err.splitlines()
    assert link == "phrasemill: new/1.txt: is a symbolic link to a file that is not there"
    assert pdf.startswith("phrasemill: new/3.pdf: damaged PDF")


@pytest.mark.parametrize("arguments", [["extract"], ["extract", "--set"]])
def test_a_folder_with_nothing_to_read_is_an_error(at: Command, folder: Path, arguments: list[str]) -> None:
    (folder / "empty").mkdir()
    (folder / "empty/program.exe").write_bytes(b"")
    assert at(*arguments, "empty") == (2, "", "phrasemill: empty: there is no readable file in it\n")
