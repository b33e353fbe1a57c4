"""Killed at any moment, a run goes on, and nobody can tell from the result."""

import errno
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from made_corpora import contents, harmful, records, write_jsonl
from phrasemill import engine
from phrasemill.engine import inputs
from phrasemill.engine.chunks import Plan
from phrasemill.engine.runs import RunProgress
from phrasemill.errors import ConfigError, InputError
from phrasemill.files.folders import Found

PART = Plan(documents=5)
ASKED = {"method": "firstphrases", "jobs": 1, "part": PART, "format": "jsonl"}

# A run that kills itself with SIGKILL: `stage` of the write number `moment`. Its workers have its standard error, too,
# so that its end is the end of all of them.
KILLED = """
import os, signal, sys
from pathlib import Path
from phrasemill import engine
from phrasemill.engine import store
from phrasemill.engine.chunks import Plan

corpus, output, format, stage, moment = sys.argv[1:]
write, replace, fsync, count = store.LocalStore.write, Path.replace, os.fsync, 0

def die(now):
    if now == stage and count == int(moment):
        os.kill(os.getpid(), signal.SIGKILL)

def watched(self, name, data):
    global count
    count += 1
    die("before")
    if stage == "within" and count == int(moment):
        (self.work / f"{Path(name).name}.new").write_bytes(data[: len(data) // 2])
    die("within")
    write(self, name, data)
    die("after")

def renamed(self, target):
    die("written")
    return replace(self, target)

store.LocalStore.write, Path.replace = watched, renamed
engine.run(corpus, output, method="firstphrases", jobs=2, part=Plan(documents=5), format=format)
print("done")
"""


def killed(corpus: Path, output: Path, format: str, stage: str, moment: int) -> bool:
    """Whether the run was killed before it was done."""
    arguments = [sys.executable, "-c", KILLED, str(corpus), str(output), format, stage, str(moment)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr == ""
    assert done.stdout == ("" if done.returncode else "done\n")
    return done.returncode == -9


@pytest.mark.parametrize("format", ["parquet", "jsonl"])
def test_killed_again_and_again_the_result_is_that_of_an_undisturbed_run(tmp_path: Path, format: str) -> None:
    data = records(32)
    corpus = tmp_path / "corpus.jsonl"
    write_jsonl(corpus, data)
    with corpus.open("a", encoding="utf-8") as file:
        file.write("no json\n")
    undisturbed = {"method": "firstphrases", "jobs": 1, "part": PART, "format": format}
    engine.run(corpus, tmp_path / "whole", **undisturbed)
    assert len(contents(tmp_path / "whole")) == 8
    output = tmp_path / "out"
    # Writes are: the manifest, and for each part a note and the part; at the end the list of parts and the manifest.
    moments = [("before", 1), ("within", 2), ("written", 3), ("after", 4), ("within", 5), ("before", 7), ("written", 4)]
    for stage, moment in moments:
        assert killed(corpus, output, format, stage, moment)
        for name, content in contents_so_far(output).items():
            assert content == (tmp_path / "whole" / name).read_bytes()
    assert not killed(corpus, output, format, "never", 0)
    assert contents(output) == contents(tmp_path / "whole")


def contents_so_far(output: Path) -> dict[str, bytes]:
    """What is there under its final name."""
    hidden = {".phrasemill", "manifest.json"}
    found = [path for path in output.glob("*") if path.name not in hidden] if output.exists() else []
    return {path.name: path.read_bytes() for path in found}


def test_a_restart_does_only_what_is_missing(tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(32))
    assert killed(corpus, tmp_path / "out", "jsonl", "after", 9)
    summary = engine.run(corpus, tmp_path / "out", **ASKED)
    assert (summary.documents, summary.parts) == (32, 7)
    assert summary.worked == 32 - 4 * 5


HANGING = """
import os, signal, sys
from faulty import Faulty
from phrasemill import engine
from phrasemill.engine.chunks import Plan

def kill(progress):
    os.kill(os.getpid(), signal.SIGKILL)

engine.run(sys.argv[1], sys.argv[2], method=Faulty(), jobs=2, part=Plan(documents=1), progress=kill)
"""


def test_no_worker_outlives_a_run_that_was_killed(tmp_path: Path) -> None:
    corpus = harmful(tmp_path / "corpus.jsonl", ["HANG", "fine", "fine"])
    process = subprocess.Popen(
        [sys.executable, "-c", HANGING, str(corpus), str(tmp_path / "out")],
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    # The pipe ends when the last process that has it does; one of the workers is in an endless loop.
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (-9, b"")


def test_a_run_into_an_object_store_goes_on_too(tmp_path: Path) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(32))

    def stop(progress: RunProgress) -> None:
        if progress.documents >= 2 * PART.documents:
            raise InterruptedError

    try:
        with pytest.raises(InterruptedError):
            engine.run(corpus, "memory://restarted/out", **ASKED, progress=stop)
        summary = engine.run(corpus, "memory://restarted/out", **ASKED)
        assert summary.worked == 32 - 2 * PART.documents
        found = {path.rpartition("/")[2]: memory.cat_file(path) for path in memory.ls("/restarted/out", detail=False)}
    finally:
        memory.rm("/restarted", recursive=True)
    engine.run(corpus, tmp_path / "whole", **ASKED)
    assert found.keys() == {*contents(tmp_path / "whole"), "manifest.json"}
    assert all(found[name] == content for name, content in contents(tmp_path / "whole").items())


# What must not change


def interrupted(corpus: Path, output: Path) -> None:
    """A run that stops after its second part."""

    class Stop(Exception):  # noqa: N818
        pass

    def stop(progress: RunProgress) -> None:
        if progress.documents >= 2 * PART.documents:
            raise Stop

    with pytest.raises(Stop):
        engine.run(corpus, output, **ASKED, progress=stop)
    assert len(list(output.glob("part-*"))) == 2


def test_changed_inputs_are_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    data = records(32)
    corpus = write_jsonl(tmp_path / "corpus.jsonl", data)
    interrupted(corpus, tmp_path / "out")
    before = contents_so_far(tmp_path / "out")
    write_jsonl(corpus, data[1:])
    with pytest.raises(InputError, match=r"corpus.jsonl has changed since it was begun \([\d,]+ bytes, now [\d,]+\)"):
        engine.run(corpus, tmp_path / "out", **ASKED)
    write_jsonl(corpus, [*data[:20], {**data[20], "id": "X20"}, *data[21:]])
    with pytest.raises(InputError, match="has changed since"):
        engine.run(corpus, tmp_path / "out", **ASKED)
    write_jsonl(corpus, data)
    other = write_jsonl(tmp_path / "other.jsonl", data)
    with pytest.raises(InputError, match=r"was begun without .*other.jsonl"):
        engine.run([corpus, other], tmp_path / "out", **ASKED)
    with pytest.raises(InputError, match=r"was begun without .*other.jsonl"):
        engine.run(other, tmp_path / "out", **ASKED)
    assert contents_so_far(tmp_path / "out") == before
    engine.run(corpus, tmp_path / "out", **ASKED)
    engine.run(corpus, tmp_path / "whole", **ASKED)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_change_that_samples_do_not_show_is_seen_when_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phrasemill.engine.inputs.SAMPLE", 8)
    data = records(32)
    corpus = write_jsonl(tmp_path / "corpus.jsonl", data)
    interrupted(corpus, tmp_path / "out")
    done = min(int(path.stem[-6:]) for path in (tmp_path / "out").glob("part-*"))
    number = done * PART.documents + 1
    changed = {**data[number], "text": data[number]["text"].swapcase()}
    write_jsonl(corpus, [*data[:number], changed, *data[number + 1 :]])
    with pytest.raises(InputError, match=rf"has changed since the run began \(records of part {done}\)"):
        engine.run(corpus, tmp_path / "out", **ASKED)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"top": 3}, "was begun with top 10, not 3"),
        ({"method": "tfidf"}, "was begun with method 'firstphrases', not 'tfidf'"),
        ({"format": "parquet"}, "was begun with format 'jsonl', not 'parquet'"),
        ({"part": Plan(documents=6)}, "was begun with part.documents 5, not 6"),
        ({"boost": ["pumps"]}, "was begun with boost"),
    ],
)
def test_changed_parameters_are_refused(tmp_path: Path, change: dict[str, object], message: str) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(32))
    interrupted(corpus, tmp_path / "out")
    with pytest.raises(ConfigError, match=message):
        engine.run(corpus, tmp_path / "out", **(ASKED | change))
    engine.run(corpus, tmp_path / "out", **(ASKED | {"jobs": 2}))


def test_a_changed_vocabulary_is_a_changed_parameter(tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(3))
    terms = tmp_path / "terms.txt"
    terms.write_text("pumps\nwells\n", encoding="utf-8")
    engine.run(corpus, tmp_path / "out", **ASKED, vocabulary=str(terms))
    terms.write_text("pumps\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="was begun with models"):
        engine.run(corpus, tmp_path / "out", **ASKED, vocabulary=str(terms))


# Where results go


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(3))
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "letter.txt").write_text("Dear", encoding="utf-8")
    with pytest.raises(InputError, match="has files in it that are not of a run"):
        engine.run(corpus, theirs, **ASKED)
    (theirs / "manifest.json").write_text('{"name": "an app"}', encoding="utf-8")
    with pytest.raises(InputError, match="not the manifest of a run"):
        engine.run(corpus, theirs, **ASKED)
    with pytest.raises(InputError, match="is a file, not a folder for results"):
        engine.run(corpus, corpus, **ASKED)
    assert sorted(path.name for path in theirs.iterdir()) == ["letter.txt", "manifest.json"]


def test_two_runs_do_not_work_in_one_folder(tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(12))
    said = []

    def another(progress: RunProgress) -> None:
        with pytest.raises(InputError, match="another run is using this folder") as caught:
            engine.run(corpus, tmp_path / "out", **ASKED)
        said.append(str(caught.value))

    engine.run(corpus, tmp_path / "out", **ASKED, progress=another)
    assert len(said) == 3


def test_a_full_disk_is_one_line_and_nothing_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(32))
    fsync, room = os.fsync, iter(range(10))

    def crowded(handle: int) -> None:
        """Each write syncs a file and a folder."""
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", crowded)
        with pytest.raises(InputError, match="the disk is full; finished parts are kept: free some space") as caught:
            engine.run(corpus, tmp_path / "out", **ASKED)
    assert "\n" not in str(caught.value)
    assert not list((tmp_path / "out" / ".phrasemill").glob("*.new"))
    assert len(list((tmp_path / "out").glob("part-*"))) == 2
    summary = engine.run(corpus, tmp_path / "out", **ASKED)
    assert summary.worked == 32 - 2 * PART.documents
    engine.run(corpus, tmp_path / "whole", **ASKED)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.parametrize("name", ["corpus.jsonl", "notes.txt"])
def test_input_that_cannot_be_read_any_more_stops_the_run_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    write_jsonl(folder / "corpus.jsonl", records(32))
    (folder / "notes.txt").write_text("Salt water.", encoding="utf-8")
    opened = inputs.opened

    class Failing(io.BytesIO):
        def readinto(self, buffer: Any, /) -> int:
            if self.tell() >= 1000 or name == "notes.txt":
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            return super().readinto(memoryview(buffer)[:500])

    def failing(file: Found) -> BinaryIO:
        return Failing(Path(file.path).read_bytes()) if file.path.endswith(name) else opened(file)

    with monkeypatch.context() as patch:
        patch.setattr(inputs, "_examined", lambda name, found: inputs.InputState(name, len([*found]), 1, "", ""))
        patch.setattr(inputs, "opened", failing)
        with pytest.raises(InputError, match=rf"{name}: Input/output error; nothing is lost, run again to resume"):
            engine.run(folder, tmp_path / "out", **ASKED)
    shutil.rmtree(tmp_path / "out")
    assert engine.run(folder, tmp_path / "out", **ASKED).failed == 0


def test_runs_of_an_older_version_are_refused_and_can_be_verified(tmp_path: Path) -> None:
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(3))
    engine.run(corpus, tmp_path / "out", **ASKED)
    path = tmp_path / "out" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    del manifest["layout"]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(InputError, match="another version of Phrasemill began this run; name another folder"):
        engine.run(corpus, tmp_path / "out", **ASKED)
    assert engine.verify(tmp_path / "out").intact
