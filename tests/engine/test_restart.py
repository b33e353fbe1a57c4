"""Killed at any moment, a run goes on, and nobody can tell from the result."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from in_process import run, stopped
from made_corpora import contents, contents_so_far, records, write_jsonl
from phrasemill import engine
from phrasemill.engine.chunks import Plan
from phrasemill.errors import ConfigError, InputError

# A run that kills itself when two parts or more are done. Its workers have its standard error, too, so that its end is
# the end of all of them.
KILLED = """
import os, signal, sys
from phrasemill import engine
from phrasemill.engine.chunks import Plan

def kill(progress):
    if progress.documents >= 10:
        os.kill(os.getpid(), signal.SIGKILL)

print(engine.run(sys.argv[1], sys.argv[2], method="firstphrases", jobs=2, part=Plan(documents=5), progress=kill).worked)
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "corpus.jsonl", records(32))


def test_killed_again_and_again_a_run_does_what_is_missing(tmp_path: Path, corpus: Path) -> None:
    """`test_broken_disk` kills a run at every moment; this one has worker processes."""
    engine.run(corpus, tmp_path / "whole", method="firstphrases", jobs=1, part=Plan(documents=5))
    output = tmp_path / "out"
    kills = 0
    while kills < 4:
        arguments = [sys.executable, "-c", KILLED, str(corpus), str(output)]
        done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=120)
        assert done.stderr == ""
        assert contents_so_far(output).items() <= contents(tmp_path / "whole").items()
        if not done.returncode:
            break
        assert done.returncode == -9
        kills += 1
    assert kills >= 2
    assert int(done.stdout) <= 32 - kills * 10
    assert contents(output) == contents(tmp_path / "whole")


# What must not change


def test_changed_inputs_are_refused_and_nothing_is_lost(tmp_path: Path, corpus: Path) -> None:
    data = records(32)
    stopped(corpus, tmp_path / "out")
    before = contents_so_far(tmp_path / "out")
    assert len(before) == 3
    write_jsonl(corpus, data[1:])
    with pytest.raises(InputError, match=r"corpus.jsonl has changed since it was begun"):
        run(corpus, tmp_path / "out")
    write_jsonl(corpus, [*data[:20], {**data[20], "id": "X20"}, *data[21:]])
    with pytest.raises(InputError, match="has changed since"):
        run(corpus, tmp_path / "out")
    write_jsonl(corpus, data)
    other = write_jsonl(tmp_path / "other.jsonl", data)
    for inputs in ([corpus, other], other):
        with pytest.raises(InputError, match=r"was begun with other inputs; repeat the same command to resume"):
            run(inputs, tmp_path / "out")
    assert contents_so_far(tmp_path / "out") == before
    run(corpus, tmp_path / "out")
    run(corpus, tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"top": 3}, "was begun with top 10, not 3"),
        ({"method": "tfidf"}, "was begun with method 'firstphrases', not 'tfidf'"),
        ({"format": "parquet"}, "was begun with format 'jsonl', not 'parquet'"),
        ({"part": Plan(documents=6)}, "was begun with part {'documents': 3, .*, not {'documents': 6, "),
        ({"boost": ["pumps"]}, "was begun with boost"),
        ({"vocabulary": "terms.txt"}, "was begun with vocabulary None"),
    ],
)
def test_changed_parameters_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, corpus: Path, change: dict[str, object], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("terms.txt").write_text("pumps\nwells\n", encoding="utf-8")
    stopped(corpus, tmp_path / "out")
    with pytest.raises(ConfigError, match=message):
        run(corpus, tmp_path / "out", **change)


def test_a_changed_vocabulary_is_a_changed_parameter(tmp_path: Path, corpus: Path) -> None:
    terms = tmp_path / "terms.txt"
    terms.write_text("pumps\nwells\n", encoding="utf-8")
    run(corpus, tmp_path / "out", vocabulary=str(terms))
    terms.write_text("pumps\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"terms.txt has changed since it was begun"):
        run(corpus, tmp_path / "out", vocabulary=str(terms))


def test_runs_of_an_older_version_are_refused_and_can_be_verified(tmp_path: Path, corpus: Path) -> None:
    run(corpus, tmp_path / "out")
    path = tmp_path / "out" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    del manifest["layout"]
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(InputError, match="another version of Phrasemill began this run; name another folder"):
        run(corpus, tmp_path / "out")
    assert engine.verify(tmp_path / "out").intact


# Where results go


def test_folders_of_others_are_left_alone(tmp_path: Path, corpus: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "letter.txt").write_text("Dear", encoding="utf-8")
    with pytest.raises(InputError, match="has files in it that are not of a run"):
        run(corpus, theirs)
    (theirs / "manifest.json").write_text('{"name": "an app"}', encoding="utf-8")
    with pytest.raises(InputError, match="not the manifest of a run"):
        run(corpus, theirs)
    with pytest.raises(InputError, match="is a file, not a folder for results"):
        run(corpus, corpus)
    assert sorted(path.name for path in theirs.iterdir()) == ["letter.txt", "manifest.json"]


def test_a_full_disk_is_one_line_that_says_what_to_do(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crowded(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", crowded)
    with pytest.raises(InputError, match=r"the disk is full; finished parts are kept: free some space.*\Z"):
        run(corpus, tmp_path / "out")
