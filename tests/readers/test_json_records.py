"""JSON of any size, one record at a time."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phrasemill.readers import json_records
from phrasemill.readers.json_records import JsonRecord
from phrasemill_lab.datasets import files
from phrasemill_lab.datasets.problems import DatasetProblem, Problems
from phrasemill_lab.datasets.records import json_values

RECORDS = [{"id": "a", "n": [1, 2.5, None]}, {"id": "b", "t": 'ünï\n{[\\"'}, {"id": "c"}]


def read(path: Path, *, keyed: bool = False) -> tuple[list[JsonRecord], list[DatasetProblem]]:
    found: list[DatasetProblem] = []
    return list(json_values(path, Problems("report", found.append), keyed=keyed)), found


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("chunk", [1, 7, 1 << 20])
def test_lists_and_mappings_in_pieces_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, indent: int | None, chunk: int
) -> None:
    monkeypatch.setattr(json_records, "CHUNK", chunk)
    path = tmp_path / "file.json"
    path.write_text(json.dumps(RECORDS, indent=indent, ensure_ascii=False), encoding="utf-8")
    assert [value for _, _, value in read(path)[0]] == RECORDS
    path.write_text(json.dumps({r["id"]: r for r in RECORDS}, indent=indent), encoding="utf-8")  # type: ignore[misc]
    assert [(key, value) for _, key, value in read(path)[0]] == [(r["id"], r) for r in RECORDS]


def test_lines_of_records_with_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text("\n\n".join(map(json.dumps, RECORDS)), encoding="utf-8")
    assert [(line, value) for line, _, value in read(path)[0]] == list(zip((1, 3, 5), RECORDS, strict=True))


def test_a_list_says_the_line_where_a_record_starts(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_text('[\n {"a": 1},\n\n {"a":\n 2}\n]', encoding="utf-8")
    assert [line for line, _, _ in read(path)[0]] == [2, 4]


def test_a_broken_line_costs_itself_only(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_text('{"id": 1}\n{"id": }\n{"id": 3}\n', encoding="utf-8")
    values, problems = read(path)
    assert [value for _, _, value in values] == [{"id": 1}, {"id": 3}]
    assert str(problems[0]).startswith(f"{path}: line 2: is not JSON")


@pytest.mark.parametrize(
    "text", ['[{"a": 1}, {"b": ', '[{"a": 1}', '[{"a": 1} {"b": 2}]', '[{"a": 1}, {b: 2}]', '[{"a": 1}, {"b": "\\q"}]']
)
def test_a_broken_list_gives_what_came_before_and_one_problem(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    values, problems = read(path)
    assert [value for _, _, value in values] == [{"a": 1}]
    assert len(problems) == 1
    assert "the rest of the file is left out" in problems[0].reason


@pytest.mark.parametrize("text", ["[" * 200_000, '{"id": ' * 200_000, '{"id": 1}\n' + "[" * 200_000])
def test_nesting_without_end_is_a_problem_not_a_crash(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    assert read(path)[1]


def test_a_record_without_end_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_RECORD", 1000)
    monkeypatch.setattr(json_records, "CHUNK", 100)
    path = tmp_path / "file.json"
    path.write_text('["' + "x" * 50_000, encoding="utf-8")
    assert "longer than" in read(path)[1][0].reason


def test_bytes_that_are_not_utf8_in_a_list(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(b'[{"a": "\xff"}]')
    assert "not UTF-8" in read(path)[1][0].reason


@pytest.mark.parametrize("more", ['[{"a": 3}]', "]", "{}", "x"])
def test_what_follows_a_list_is_a_problem(tmp_path: Path, more: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(f'[{{"a": 1}},\n{{"a": 2}}]\n{more}', encoding="utf-8")
    values, problems = read(path)
    assert [value for _, _, value in values] == [{"a": 1}, {"a": 2}]
    assert str(problems[0]) == f"{path}: line 3: more follows the list of records; the rest of the file is left out"


def test_a_list_in_a_file_that_breaks_off(tmp_path: Path) -> None:
    path = tmp_path / "file.json.gz"
    whole = gzip.compress(json.dumps([{"a": i * i} for i in range(5_000)]).encode())
    path.write_bytes(whole[: len(whole) // 2])
    values, problems = read(path)
    assert [value for _, _, value in values] == [{"a": i * i} for i in range(len(values))]
    assert len(values) > 2_000
    assert [problem.reason.partition(";")[0] for problem in problems] == ["gzip data breaks off"]
    path.write_bytes(whole + b"trailing")
    values, problems = read(path)
    assert len(values) == 5_000
    assert len(problems) == 1


@pytest.mark.parametrize("text", ["", "   ", "[]", "{}", " { } "])
def test_nothing_gives_nothing(tmp_path: Path, text: str) -> None:
    path = tmp_path / "file.json"
    path.write_text(text, encoding="utf-8")
    assert read(path) == ([], [])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None)
@given(st.dictionaries(st.text(), JSON, max_size=5), st.integers(1, 40))
def test_a_mapping_comes_back_as_json_reads_it(tmp_path: Path, value: dict[str, object], chunk: int) -> None:
    path = tmp_path / "file.json"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8", errors="surrogatepass")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_records, "CHUNK", chunk)
        values, problems = read(path, keyed=True)
    if any("\ud800" <= c <= "\udfff" for c in json.dumps(value, ensure_ascii=False)):
        assert problems
    else:
        assert {key: inner for _, key, inner in values} == value
