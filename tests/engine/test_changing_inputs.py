"""Inputs that somebody writes to while a run reads them: the run does not call itself complete."""

import json
import os
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from in_process import run, stopped
from made_corpora import contents, records, write_jsonl
from phrasemill import engine
from phrasemill.engine.runs import RunProgress
from phrasemill.errors import InputError

Change = Callable[[Path], None]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of which only a few bytes are sampled."""
    monkeypatch.setattr("phrasemill.engine.inputs.SAMPLE", 8)
    (tmp_path / "in").mkdir()
    return write_jsonl(tmp_path / "in" / "corpus.jsonl", records(30))


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
        file.seek(path.stat().st_size // 2)
        file.write(b"ffff")
    os.utime(path, ns=(0, path.stat().st_mtime_ns + 1))


def add(path: Path) -> None:
    append(path.with_name("b.jsonl"))


def delete(path: Path) -> None:
    path.unlink()


def once(change: Callable[[], object]) -> Callable[[RunProgress], None]:
    """`change`, when the first part is done."""
    left = [change]

    def now(_: RunProgress) -> None:
        if left:
            left.pop()()

    return now


@pytest.mark.parametrize("change", [append, truncate, replace, overwrite, add, delete])
def test_an_input_that_changes_is_an_error_and_the_run_not_complete(
    tmp_path: Path, corpus: Path, change: Change
) -> None:
    """Before, a run over a file that was being written was complete, and the rest of it lost for good."""
    with pytest.raises(InputError, match=r" changed during the run, so it is not complete.*\Z"):
        run(corpus.parent, tmp_path / "out", progress=once(lambda: change(corpus)))
    assert json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["state"] == "running"
    with pytest.raises(InputError, match="is not complete"):
        engine.verify(tmp_path / "out")


def test_a_model_that_is_replaced_is_a_change(tmp_path: Path, corpus: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("pumps\nwells\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"terms.txt changed during the run"):
        run(corpus, tmp_path / "out", vocabulary=str(terms), progress=once(lambda: append(terms)))


def test_an_input_that_changes_behind_a_url_is_an_error_too(tmp_path: Path, corpus: Path, bucket: Any) -> None:
    data, name = corpus.read_bytes(), "/bucket/corpus.jsonl"
    bucket.pipe_file(name, data)
    with pytest.raises(InputError, match=r"corpus.jsonl changed during the run"):
        run(f"memory:/{name}", tmp_path / "out", progress=once(lambda: bucket.pipe_file(name, data)))


def test_a_change_that_was_none_costs_one_more_reading(tmp_path: Path, corpus: Path) -> None:
    """Whether the records are the same is known when they are read again."""
    with pytest.raises(InputError, match="changed during the run"):
        run(corpus, tmp_path / "out", progress=once(corpus.touch))
    assert run(corpus, tmp_path / "out").worked == 0
    run(corpus, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.parametrize("missing", [False, True])
def test_a_change_that_samples_do_not_show_is_seen_when_it_is_read(tmp_path: Path, corpus: Path, missing: bool) -> None:
    """Neither is a part kept that was made from other records, nor made again from them."""
    stopped(corpus, tmp_path / "out")
    corpus.write_bytes(corpus.read_bytes().replace(b"farm 4", b"firm 4"))
    if missing:
        delete(tmp_path / "out" / "part-000001.jsonl")
    with pytest.raises(InputError, match=r"has changed since the run began \(records of part 1\)"):
        run(corpus, tmp_path / "out")


def test_a_copy_of_the_inputs_is_the_same_input(tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times do not matter between two sessions: corpora are moved, and copied back from archives."""
    monkeypatch.chdir(corpus.parent)
    stopped(Path("corpus.jsonl"), tmp_path / "out")
    with tarfile.open("packed.tar", "w") as archive:
        archive.add("corpus.jsonl")
    delete(corpus)
    with tarfile.open("packed.tar") as archive:
        archive.extractall(".", filter="data")
    os.utime("corpus.jsonl", (1, 1))
    assert run("corpus.jsonl", tmp_path / "out").worked == 21
