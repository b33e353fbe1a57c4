"""Work in parts: what happens when a worker fails or dies, and that odd names do no harm."""

import os
import sys
from importlib import import_module
from pathlib import Path

import pytest

from phrasemill.errors import DataError, InputError, PhrasemillError
from phrasemill_lab.datasets.building.parts import BuildFolder
from phrasemill_lab.datasets.building.sources import BuildBatch, BuildPiece, FoundFile, files, plan

PLAN = plan([FoundFile("a", 1, 1)], None)

WORK = """
import os

def die(batch):
    os._exit(3)

def fail(batch):
    raise ValueError("no such luck")
"""


@pytest.mark.parametrize(
    ("work", "message"),
    [("die", "building stopped .* exited with code 3"), ("fail", "part [01] failed: ValueError: no such luck")],
)
def test_workers_that_fail_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: str, message: str
) -> None:
    (tmp_path / "harmful_work.py").write_text(WORK, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    batches = [BuildBatch([BuildPiece(str(i))], 1) for i in range(5)]
    with pytest.raises(PhrasemillError, match=message):
        BuildFolder(tmp_path, PLAN).run(batches, getattr(import_module("harmful_work"), work), jobs=2, progress=None)


def test_a_part_is_whole_or_not_there(tmp_path: Path) -> None:
    def work(batch: BuildBatch) -> list[bytes]:
        if batch.pieces[0].name == "2":
            raise DataError("bad luck")
        return [b"line\n"]

    folder = BuildFolder(tmp_path, PLAN)
    with pytest.raises(DataError, match="bad luck"):
        folder.run([BuildBatch([BuildPiece(str(i))], 1) for i in range(5)], work, jobs=1, progress=None)
    assert list(folder.lines()) == [b"line", b"line"]


def test_progress_counts_the_bytes_of_the_inputs(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    found = [FoundFile("a", 30, 1), FoundFile("b", 12, 1)]
    batches = [BuildBatch([BuildPiece(file.name)], file.size) for file in found]
    BuildFolder(tmp_path, plan(found, None)).run(
        batches, lambda batch: [], jobs=1, progress=lambda done, total: seen.append((done, total))
    )
    assert seen == [(30, 42), (42, 42)]


def test_a_plan_changes_with_files_and_options() -> None:
    first = plan([FoundFile("a", 1, 1)], "x").fingerprint
    others = [plan([FoundFile("a", 1, 1)], "y"), plan([FoundFile("a", 2, 1)], "x"), plan([FoundFile("a", 1, 2)], "x")]
    assert first not in {other.fingerprint for other in others}
    with pytest.raises(InputError, match="no file of the right kind"):
        plan([], "x")


def test_folders_in_an_order_of_names(tmp_path: Path) -> None:
    for name in ("b/2.xml", "b/1.xml", "a/9.XML", "c.xml", "d.txt", ".hidden/e.xml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "broken.xml").symlink_to(tmp_path / "nowhere")
    found = [*files([str(tmp_path)], (".xml",))]
    names = [Path(file.name).relative_to(tmp_path).as_posix() for file in found]
    assert names == ["a/9.XML", "b/1.xml", "b/2.xml", "broken.xml", "c.xml", "loop"]
    assert [file.problem for file in found if file.problem] == [
        "is a symbolic link to a file that is not there",
        "is a symbolic link to a folder that it lies in, and was not followed",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are bytes on Linux only")
def test_names_that_are_not_text(tmp_path: Path) -> None:
    from made_jats import article
    from phrasemill_lab.datasets.building.pubmedake import build

    (tmp_path / "in").mkdir()
    for name, data in ((b"\xff1.xml", article("1")), (b"\xff2.xml", b"<"), (b"\xff3.xml", article("1"))):
        Path(os.fsdecode(bytes(tmp_path / "in") + b"/" + name)).write_bytes(data)
    report = build([tmp_path / "in"], tmp_path / "out")
    assert (report.accepted, report.reasons) == (1, {"broken-xml": 1, "duplicate-id": 1})
