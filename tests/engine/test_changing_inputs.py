"""Inputs that somebody writes to while a run reads them: the run does not call itself complete."""

import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

import in_process
from made_corpora import contents, records, write_jsonl
from phrasemill import engine
from phrasemill.engine.chunks import Plan
from phrasemill.engine.runs import RunProgress
from phrasemill.errors import InputError

Change = Callable[[Path], None]


def done(corpus: Path | str, output: Path, **options: object) -> engine.Summary:
    asked = {"method": "firstphrases", "part": Plan(documents=3), "format": "jsonl", "timeout": 0}
    return engine.run(corpus, output, **(asked | options), engine=in_process.Executor)


def append(path: Path) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write('{"id": "late", "text": "Salt water."}\n')


def truncate(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def replace(path: Path) -> None:
    """As many bytes, and no later than the old ones."""
    new, before = path.with_suffix(".new"), path.stat()
    new.write_bytes(path.read_bytes())
    os.utime(new, ns=(before.st_atime_ns, before.st_mtime_ns))
    new.replace(path)


def overwrite(path: Path) -> None:
    """A few bytes somewhere, where no sample is taken."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 3)
        file.write(b"ffff")
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


def delete(path: Path) -> None:
    path.unlink()


def once(change: Callable[[], None]) -> Callable[[RunProgress], None]:
    """`change`, when the first part is done."""
    left = [change]

    def now(_: RunProgress) -> None:
        if left:
            left.pop()()

    return now


@pytest.mark.parametrize("change", [append, truncate, replace, overwrite, delete])
def test_an_input_that_changes_is_an_error_and_the_run_not_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Change
) -> None:
    """Before, a run over a file that was being written was complete, and the rest of it lost for good."""
    monkeypatch.setattr("phrasemill.engine.inputs.SAMPLE", 8)
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(30))
    with pytest.raises(InputError, match=r"corpus.jsonl.* changed during the run, so it is not") as said:
        done(corpus, tmp_path / "out", progress=once(lambda: change(corpus)))
    assert "\n" not in str(said.value)
    assert json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["state"] == "running"
    with pytest.raises(InputError, match="is not complete"):
        engine.verify(tmp_path / "out")


def test_files_that_come_into_a_folder_are_a_change(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    write_jsonl(folder / "a.jsonl", records(9))
    with pytest.raises(InputError, match="in changed during the run"):
        done(folder, tmp_path / "out", progress=once(lambda: append(folder / "b.jsonl")))


def test_a_model_that_is_replaced_is_a_change(tmp_path: Path) -> None:
    corpus, terms = write_jsonl(tmp_path / "corpus.jsonl", records(9)), tmp_path / "terms.txt"
    terms.write_text("pumps\nwells\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"terms.txt changed during the run"):
        done(corpus, tmp_path / "out", vocabulary=str(terms), progress=once(lambda: append(terms)))


def test_an_input_that_changes_behind_a_url_is_an_error_too(tmp_path: Path) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    data = write_jsonl(tmp_path / "corpus.jsonl", records(30)).read_bytes()
    memory.pipe_file("/changing/corpus.jsonl", data)
    try:
        with pytest.raises(InputError, match=r"corpus.jsonl changed during the run"):
            done(
                "memory://changing/corpus.jsonl",
                tmp_path / "out",
                progress=once(lambda: memory.pipe_file("/changing/corpus.jsonl", data)),
            )
    finally:
        memory.rm("/changing", recursive=True)


def test_a_change_that_was_none_costs_one_more_reading(tmp_path: Path) -> None:
    """Whether the records are the same is known when they are read again."""
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(30))
    with pytest.raises(InputError, match="changed during the run"):
        done(corpus, tmp_path / "out", progress=once(corpus.touch))
    assert done(corpus, tmp_path / "out").worked == 0
    done(corpus, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_change_in_records_that_are_done_is_seen_when_it_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phrasemill.engine.inputs.SAMPLE", 8)
    corpus = write_jsonl(tmp_path / "corpus.jsonl", records(30))
    with pytest.raises(InputError, match="changed during the run"):
        done(corpus, tmp_path / "out", progress=once(lambda: overwrite(corpus)))
    with pytest.raises(InputError, match="has changed since it was begun"):
        done(corpus, tmp_path / "out")


def test_a_copy_of_the_inputs_is_the_same_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times do not matter between two sessions: corpora are moved, and copied back from archives."""
    monkeypatch.chdir(tmp_path)
    write_jsonl(Path("corpus.jsonl"), records(30))

    def stop(progress: RunProgress) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        done("corpus.jsonl", tmp_path / "out", progress=stop)
    with tarfile.open("packed.tar", "w") as archive:
        archive.add("corpus.jsonl")
    Path("corpus.jsonl").unlink()
    with tarfile.open("packed.tar") as archive:
        archive.extractall(".", filter="data")
    os.utime("corpus.jsonl", (1, 1))
    assert done("corpus.jsonl", tmp_path / "out").worked == 27
