"""Complete means verified: what was deleted, emptied or damaged is found, and made again."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from in_process import run, stopped
from made_corpora import contents, records, write_jsonl
from phrasemill import cli, engine
from phrasemill.engine import store
from phrasemill.engine.runs import RunProgress
from phrasemill.errors import InputError

Harm = Callable[[Path], None]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = write_jsonl(tmp_path / "corpus.jsonl", records(11))
    with path.open("a", encoding="utf-8") as file:
        file.write("no json\n")
    return path


def delete(path: Path) -> None:
    path.unlink()


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip(path: Path) -> None:
    """One bit, so that the length stays."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def extend(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\n")


@pytest.mark.parametrize("harm", [delete, empty, flip, extend])
@pytest.mark.parametrize(
    ("complete", "name", "worked"),
    [
        (True, "part-000001.parquet", 3),
        (True, "part-000001.jsonl", 3),
        (True, "parts.jsonl", 12),
        (False, "part-000001.jsonl", 6),
    ],
)
def test_what_was_harmed_is_made_again(
    tmp_path: Path, corpus: Path, harm: Harm, complete: bool, name: str, worked: int
) -> None:
    """Of a complete run and of an interrupted one."""
    format = "parquet" if name.endswith("parquet") else "jsonl"
    first = run(corpus, tmp_path / "whole", format=format)
    if complete:
        shutil.copytree(tmp_path / "whole", tmp_path / "out")
    else:
        stopped(corpus, tmp_path / "out")
    harm(tmp_path / "out" / name)
    again = run(corpus, tmp_path / "out", format=format)
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    assert again.worked == worked
    assert (again.documents, again.failed, again.keyphrases) == (first.documents, first.failed, first.keyphrases)
    assert run(corpus, tmp_path / "out", format=format).worked == 0


@pytest.mark.parametrize(
    "note", [b"", b"[]", b"null", b"\xff\x00", b'{"name": "part-000001.jsonl"}', b'["a", 1, 2, [[1]]]', None]
)
def test_a_broken_note_is_made_again(tmp_path: Path, corpus: Path, note: bytes | None) -> None:
    """Or that of another part. Before, the run ended with a traceback, at every start."""
    run(corpus, tmp_path / "whole")
    stopped(corpus, tmp_path / "out")
    work = tmp_path / "out" / store.WORK
    (work / "part-000001.json").write_bytes((work / "part-000000.json").read_bytes() if note is None else note)
    assert run(corpus, tmp_path / "out").worked == 12 - 6
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_part_that_vanishes_while_the_run_is_at_work_is_not_called_complete(tmp_path: Path, corpus: Path) -> None:
    def delete_first(progress: RunProgress) -> None:
        (tmp_path / "out" / "part-000000.jsonl").unlink(missing_ok=True)

    with pytest.raises(InputError, match=r"part-000000.jsonl was changed during the run; run again"):
        run(corpus, tmp_path / "out", progress=delete_first)
    assert run(corpus, tmp_path / "out").worked == 3


@pytest.mark.parametrize("complete", [False, True])
def test_parts_that_are_not_of_the_run_are_refused(tmp_path: Path, corpus: Path, complete: bool) -> None:
    if complete:
        run(corpus, tmp_path / "out")
    else:
        stopped(corpus, tmp_path / "out")
    foreign = tmp_path / "out" / "part-000009.jsonl"
    foreign.write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"part-000009.jsonl is not part of this run; move it elsewhere and run again"):
        run(corpus, tmp_path / "out")
    foreign.unlink()
    assert run(corpus, tmp_path / "out").documents == 12


def test_the_list_of_parts_tells_what_is_in_each(tmp_path: Path, corpus: Path) -> None:
    summary = run(corpus, tmp_path / "out")
    listed = [json.loads(line) for line in (tmp_path / "out" / "parts.jsonl").read_text().splitlines()]
    assert [one["name"] for one in listed] == [f"part-00000{n}.jsonl" for n in range(4)]
    assert [one["bytes"] for one in listed] == [(tmp_path / "out" / one["name"]).stat().st_size for one in listed]
    assert [one["documents"] for one in listed] == [3, 3, 3, 3]
    assert [one["failed"] for one in listed] == [0, 0, 0, 1]
    assert sum(one["keyphrases"] for one in listed) == summary.keyphrases


# The command


Verify = Callable[..., tuple[int, str, str]]


@pytest.fixture
def verified(tmp_path: Path, corpus: Path, capsys: pytest.CaptureFixture[str]) -> Verify:
    """Runs the command over a run that is complete; returns the exit code, the output and the errors."""
    run(corpus, tmp_path / "out")

    def called(folder: object = tmp_path / "out") -> tuple[int, str, str]:
        code = cli.run(["verify", str(folder)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return called


def test_verify_says_that_all_is_well(tmp_path: Path, verified: Verify) -> None:
    before = sorted(path.name for path in (tmp_path / "out").iterdir())
    said = (0, f"{tmp_path / 'out'}: complete, 4 parts, 12 documents, all intact\n", "")
    assert verified() == said
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == before


def test_verify_names_what_is_not(tmp_path: Path, verified: Verify) -> None:
    delete(tmp_path / "out" / "part-000000.jsonl")
    empty(tmp_path / "out" / "part-000001.jsonl")
    flip(tmp_path / "out" / "part-000002.jsonl")
    (tmp_path / "out" / "part-000009.jsonl").write_bytes(b"")
    code, out, err = verified()
    assert (code, err) == (1, "")
    assert out == (
        f"{tmp_path / 'out'}: not intact: part-000000.jsonl (missing), part-000001.jsonl (damaged), "
        "part-000002.jsonl (damaged), part-000009.jsonl (not part of this run); "
        "run the same command again to make them again\n"
    )


def test_verify_names_twenty_at_most(tmp_path: Path, verified: Verify) -> None:
    for number in range(10, 40):
        (tmp_path / "out" / f"part-{number:06}.jsonl").write_bytes(b"")
    code, out, _ = verified()
    assert code == 1
    assert out.count("part-") == 20
    assert "and 10 more" in out


def test_verify_tells_what_is_no_complete_run(tmp_path: Path, corpus: Path, verified: Verify) -> None:
    stopped(corpus, tmp_path / "stopped")
    other = store.open_store(str(tmp_path / "out"))
    other.begin()
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "manifest.json").write_text('{"name": "an app"}', encoding="utf-8")
    for folder, message in (
        ("out", "another run is using this folder"),
        ("stopped", "is not complete (3 parts done so far); run the same command again to resume"),
        ("nothing", "contains no run: there is no manifest.json"),
        ("theirs", "not the manifest of a run"),
        ("corpus.jsonl", "is a file, not a folder for results"),
    ):
        code, out, err = verified(tmp_path / folder)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert message in err
    other.close()
    assert not (tmp_path / "nothing").exists()


def test_verify_needs_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["verify"]) == 2
    assert capsys.readouterr().err == "phrasemill: verify needs a FOLDER: the --output folder of a run\n"


def test_verify_looks_into_object_stores(corpus: Path, bucket: Any) -> None:
    run(corpus, "memory://bucket/out")
    assert engine.verify("memory://bucket/out").intact
    bucket.pipe_file("/bucket/out/part-000001.jsonl", b"")
    bucket.rm_file("/bucket/out/part-000002.jsonl")
    found = engine.verify("memory://bucket/out").flaws
    assert found == (("part-000001.jsonl", "damaged"), ("part-000002.jsonl", "missing"))
    assert run(corpus, "memory://bucket/out").worked == 6
    assert engine.verify("memory://bucket/out").intact
