"""`extract`: its formats and where they are written."""

import csv
import io
import json
import re
from pathlib import Path

from cli_process import Command, phrasemill


def test_json_of_one_input_is_an_object(at: Command, article: str) -> None:
    code, out, err = at("extract", "article.txt", "--format", "json", "--method", "textrank(window=5)")
    result = json.loads(out)
    assert (code, err) == (0, "")
    assert list(result) == ["id", "language", "method", "keyphrases"]
    assert (result["id"], result["method"]) == ("article.txt", "textrank(window=5)")
    assert result["keyphrases"]
    for keyphrase in result["keyphrases"]:
        assert list(keyphrase) == ["text", "score", "present", "spans"]
        assert keyphrase["present"] is True
        wordings = {" ".join(article[start:end].split()) for start, end in keyphrase["spans"]}
        assert keyphrase["text"] in wordings


def test_json_of_many_inputs_is_a_list_and_jsonl_the_same_a_line_each(at: Command) -> None:
    files = ("article.txt", "notes.md", "page.html")
    code, out, _ = at("extract", *files, "-f", "json")
    results = json.loads(out)
    assert code == 0
    assert [result["id"] for result in results] == list(files)
    _, lines, _ = at("extract", *files, "-f", "jsonl")
    assert [json.loads(line) for line in lines.splitlines()] == results
    _, line, _ = at("extract", files[0], "-f", "jsonl")
    assert json.loads(line) == results[0]


def test_no_printed_score_has_more_than_four_significant_digits(at: Command, tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text('{"id": "article.txt", "keyphrases": ["salt water", "wells", "plain"]}\n')
    printed = []
    for format in ("table", "json", "jsonl", "csv"):
        printed.append(at("extract", "article.txt", "--explain", "-n", "all", "-f", format)[1])
        printed.append(at("extract", "--set", "article.txt", "notes.md", "--against", "page.html", "-f", format)[1])
    predictions = tmp_path / "predictions.jsonl"
    predictions.write_text(printed[4])
    for format in ("table", "json", "csv", "markdown"):
        printed.append(at("evaluate", str(predictions), str(gold), "-m", "F1@3,F1@7,MAP", "-f", format)[1])
    numbers = [number for out in printed for number in re.findall(r"(?<![\w.])-?\d+\.\d+(?:e-?\d+)?(?![\w.])", out)]
    assert len(numbers) > 200
    for number in numbers:
        digits = number.lstrip("-").partition("e")[0].replace(".", "").lstrip("0")
        assert len(digits) <= 4 or float(number) % 10 == 0, number


def test_csv(at: Command, article: str) -> None:
    _, out, _ = at("extract", "article.txt", "page.html", "-f", "csv", "-n", "3")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert out.count("id,rank") == 1, "one header for all documents"
    assert list(rows[0]) == ["id", "rank", "text", "score", "present", "start", "end"]
    first = [row for row in rows if row["id"] == "article.txt"]
    assert [row["rank"] for row in first] == ["1", "2", "3"]
    for row in first:
        start, end = int(row["start"]), int(row["end"])
        assert article[start:end].casefold()[:4] == row["text"].casefold()[:4]
        assert row["present"] == "true"
        float(row["score"])


def test_json_is_not_escaped_without_need() -> None:
    done = phrasemill("extract", "-", "-f", "jsonl", stdin="Žižek theory".encode())
    assert "Žižek theory" in done.stdout.decode("utf-8")


def test_text_is_one_phrase_a_line(at: Command) -> None:
    _, out, _ = at("extract", "article.txt", "-f", "text")
    _, listed, _ = at("extract", "article.txt", "-f", "json")
    assert out.splitlines() == [keyphrase["text"] for keyphrase in json.loads(listed)["keyphrases"]]


def test_a_piped_table_is_plain(at: Command) -> None:
    _, out, _ = at("extract", "article.txt", "-n", "2")
    head, *rows = out.splitlines()
    assert head.split() == ["#", "keyphrase", "score", "times"]
    assert len(rows) == 2
    assert rows[0].startswith("1  ")
    assert "\x1b" not in out
    _, out, _ = at("extract", "article.txt", "notes.md", "-n", "2")
    assert out.startswith("article.txt\n#")
    assert "\n\nnotes.md\n#" in out


def test_markdown_spans_point_into_the_file(at: Command, folder: Path) -> None:
    _, out, _ = at("extract", "notes.md", "-f", "json", "-m", "firstphrases")
    source = (folder / "notes.md").read_text(encoding="utf-8")
    found = {k["text"]: k["spans"] for k in json.loads(out)["keyphrases"]}
    for text, spans in found.items():
        for start, end in spans:
            assert re.sub(r"[*#`\[\]]", "", source[start:end]).casefold().split() == text.casefold().split()


def test_output_goes_to_a_file_whose_name_may_tell_the_format(at: Command, folder: Path) -> None:
    code, out, _ = at("extract", "article.txt", "-o", "result.json")
    assert (code, out) == (0, "")
    assert json.loads((folder / "result.json").read_text(encoding="utf-8"))["id"] == "article.txt"
    at("extract", "article.txt", "-o", "result.txt", "-f", "csv")
    assert (folder / "result.txt").read_text(encoding="utf-8").startswith("id,rank")
    code, _, err = at("extract", "missing.txt", "-o", "result.json")
    assert code == 2
    assert json.loads((folder / "result.json").read_text(encoding="utf-8"))["id"] == "article.txt"
    code, _, err = at("extract", "article.txt", "-o", "no/such/folder.json")
    assert code == 2
    assert err.startswith("phrasemill: no/such/folder.json: ")


def test_an_id_cannot_clear_the_screen(at: Command, tmp_path: Path) -> None:
    records = [{"id": f"{number}\x1b[2J", "text": "Salt water."} for number in range(2)]
    (tmp_path / "records.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    _, out, _ = at("extract", "records.jsonl")
    assert "Salt water" in out
    assert "\x1b" not in out
