"""A run on a disk that is full, fails, or on which its process is killed, at every single thing that it does to it.

Whatever happened: what has its final name is right, an error is one line, nothing is called complete that is not, and
the same run on a disk that works ends with the same bytes.
"""

import json
import shutil
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

import in_process
from broken_disk import KILLED, Disk, Fault, failing, full, in_a_child, kill
from made_corpora import contents, contents_so_far, records, write_jsonl
from phrasemill import engine
from phrasemill.engine.chunks import Plan
from phrasemill.errors import PhrasemillError

FAULTS = [full, failing, kill]


@pytest.fixture(params=["jsonl", "parquet"])
def made(tmp_path: Path, request: pytest.FixtureRequest) -> "Made":
    return Made(tmp_path, request.param)


class Made:
    """A corpus of three parts and a record that cannot be read, what comes of it, and runs over it."""

    def __init__(self, folder: Path, format: str) -> None:
        self.folder, self.format = folder, format
        self.corpus = write_jsonl(folder / "corpus.jsonl", records(5))
        with self.corpus.open("a", encoding="utf-8") as file:
            file.write("no json\n")
        self.out = folder / "deep" / "out"
        self.run(folder / "whole")
        self.whole = contents(folder / "whole")

    def run(self, output: Path | str) -> engine.Summary:
        return in_process.run(self.corpus, output, part=Plan(documents=2), format=self.format)

    def disturbed(self, moment: int, fault: Fault) -> bool:
        """A run during which operation `moment` goes wrong; False where it does not come to that."""
        disk = Disk(self.out.parent, moment, fault)

        def run() -> None:
            with pytest.MonkeyPatch.context() as patch:
                disk.install(patch)
                self.run(self.out)

        if fault is kill:
            code = in_a_child(run)
            assert code in (0, KILLED)
            return code == KILLED
        try:
            run()
        except PhrasemillError as error:
            assert disk.reached
            assert "\n" not in str(error)
        else:
            assert contents_so_far(self.out) == self.whole
        return disk.reached

    def check_so_far(self) -> None:
        """What has its final name is right; what is called complete is."""
        found = contents_so_far(self.out)
        assert found.items() <= self.whole.items()
        assert not _is_complete(self.out) or found == self.whole

    def check(self) -> None:
        """A run ends as if nothing had happened."""
        summary = self.run(self.out)
        assert (summary.documents, summary.failed, summary.parts) == (6, 1, 3)
        assert contents(self.out) == self.whole
        assert engine.verify(self.out).intact


def _is_complete(output: Path) -> bool:
    path = output / "manifest.json"
    return path.exists() and json.loads(path.read_text(encoding="utf-8"))["state"] == "complete"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fresh_run_survives_a_fault_at_every_write(made: Made, fault: Fault) -> None:
    for moment in count():
        shutil.rmtree(made.out.parent, ignore_errors=True)
        reached = made.disturbed(moment, fault)
        made.check_so_far()
        made.check()
        if not reached:
            break
    assert moment > 50


@pytest.mark.parametrize("fault", FAULTS)
def test_the_repair_of_a_complete_run_survives_a_fault_at_every_write(made: Made, fault: Fault) -> None:
    for moment in count():
        shutil.rmtree(made.out.parent, ignore_errors=True)
        shutil.copytree(made.folder / "whole", made.out)
        (made.out / f"part-000001.{made.format}").write_bytes(b"")
        (made.out / "parts.jsonl").write_bytes(b"")
        reached = made.disturbed(moment, fault)
        made.check()
        if not reached:
            break
    assert moment > 50


def test_a_run_survives_one_fault_after_the_other(made: Made, effort: int) -> None:
    """Faults of all kinds at moments drawn by lot, until a session comes through."""
    for seed in range(10 * effort):
        chance = Random(seed)
        shutil.rmtree(made.out.parent, ignore_errors=True)
        while made.disturbed(chance.randrange(100), chance.choice(FAULTS)):
            made.check_so_far()
        made.check()


def test_an_object_store_may_fail_at_every_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bucket: Any) -> None:
    made, where = Made(tmp_path, "jsonl"), "memory://bucket/out"
    pipe_file = bucket.pipe_file
    left = 0

    def failing_pipe(path: str, data: bytes, **options: object) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OSError("connection reset\nby peer")
        pipe_file(path, data, **options)

    for moment in count():
        left = moment
        with monkeypatch.context() as patch:
            patch.setattr(bucket, "pipe_file", failing_pipe)
            try:
                made.run(where)
                break
            except PhrasemillError as error:
                assert str(error) == "memory://bucket/out: connection reset by peer"
        made.run(where)
        found = {path.rpartition("/")[2]: bucket.cat_file(path) for path in bucket.find("/bucket/out")}
        del found["manifest.json"]
        assert found == made.whole
        bucket.rm("/bucket", recursive=True)
    assert moment >= 9  # a manifest, a note and a part three times, the list of parts and the manifest
