"""Streams of lines: compressed, broken, hostile."""

import gzip
import lzma
import os
import sys
from pathlib import Path

import pytest

from phrasemill.errors import DataError
from phrasemill.files import decompression
from phrasemill_lab.datasets import files
from phrasemill_lab.datasets.problems import DatasetProblem, Malformed, Problems

LINES = "first\nsecond, with ümlaut\n\nlast"


def read(path: Path) -> tuple[list[tuple[int, str]], list[DatasetProblem]]:
    found: list[DatasetProblem] = []
    return list(files.lines(path, Problems("report", found.append))), found


@pytest.mark.parametrize("ending", ["", ".gz", ".xz", ".zst"])
def test_lines_of_plain_and_compressed_files(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"file{ending}"
    data = LINES.encode()
    if ending == ".zst":
        data = pytest.importorskip("zstandard").ZstdCompressor().compress(data)
    path.write_bytes({".gz": gzip.compress, ".xz": lzma.compress}.get(ending, bytes)(data))
    assert read(path) == ([(1, "first"), (2, "second, with ümlaut"), (3, ""), (4, "last")], [])


def test_a_byte_order_mark_and_windows_line_ends_are_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes("\ufeffone\r\ntwo\r\n".encode())
    assert read(path)[0] == [(1, "one"), (2, "two")]


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_an_archive_that_breaks_off_gives_what_it_has_and_one_problem(tmp_path: Path, compress) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "file"
    whole = compress("".join(f"line {i} {i * i}\n" for i in range(50_000)).encode())
    path.write_bytes(whole[: len(whole) // 2])
    lines, problems = read(path)
    assert len(lines) < 50_000
    assert len(problems) == 1
    assert "breaks off" in problems[0].reason


def test_a_damaged_archive_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress(b"a line\n" * 1000)[:12] + b"\xff" * 40)
    assert "damaged gzip data" in read(path)[1][0].reason


def test_bytes_that_are_not_utf8_cost_their_line_only(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"good\nb\xffd\ngood again\n")
    lines, problems = read(path)
    assert lines == [(1, "good"), (3, "good again")]
    assert str(problems[0]) == f"{path}: line 2: not UTF-8 at byte 2 of the line"


def test_a_line_without_an_end_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_RECORD", 10)
    path = tmp_path / "file"
    path.write_bytes(b"short\n" + b"x" * 35 + b"\nend\n")
    lines, problems = read(path)
    assert lines == [(1, "short"), (3, "end")]
    assert problems[0].line == 2


@pytest.mark.parametrize("kind", ["gzip", "xz", "zstd"])
def test_a_bomb_is_refused_before_it_is_decompressed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(decompression, "DECOMPRESSED_FREELY", 1 << 16)
    monkeypatch.setattr(decompression, "LARGEST_RATIO", 20)
    path = tmp_path / "bomb"
    data = b"0\n" * (1 << 22)
    if kind == "zstd":
        data = pytest.importorskip("zstandard").ZstdCompressor().compress(data)
    path.write_bytes({"gzip": gzip.compress, "xz": lzma.compress}.get(kind, bytes)(data))
    lines, problems = read(path)
    assert len(lines) < 1 << 22
    assert "bomb" in problems[0].reason


def test_damaged_zstd_data(tmp_path: Path) -> None:
    pytest.importorskip("zstandard")
    path = tmp_path / "file.zst"
    path.write_bytes(decompression.ZSTD + b"\xff" * 40)
    assert "damaged zstd data" in read(path)[1][0].reason


def test_a_whole_text_is_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LARGEST_WHOLE", 10)
    path = tmp_path / "file"
    path.write_bytes(b"x" * 11)
    with pytest.raises(Malformed, match="larger"):
        files.text(path)


def test_a_missing_file_and_a_folder_are_said_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read(tmp_path / "none")
    with pytest.raises(DataError, match=r"directory|denied"):
        read(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes are those of POSIX")
def test_what_is_no_file_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert read(tmp_path / "pipe")[1][0].reason.startswith("is a named pipe, not a file")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(DataError, match="loop: is a symbolic link that leads back to itself"):
        read(tmp_path / "loop")


def test_bytes_after_a_gzip_stream_cost_no_line(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    path.write_bytes(gzip.compress("".join(f"line {i}\n" for i in range(3_000)).encode()) + b"trailing")
    lines, problems = read(path)
    assert len(lines) == 3_000
    assert [problem.reason.partition(" on ")[2] for problem in problems] == ["it is not gzip data, which was not read"]
