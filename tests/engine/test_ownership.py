"""One run at a time in a folder, from before it looks at anything until it is over; and no traces where it came to
nothing."""

from collections.abc import Callable, Generator, Iterable
from pathlib import Path

import pytest

import in_process
from made_corpora import contents, records, write_jsonl
from phrasemill import engine
from phrasemill.engine import store
from phrasemill.engine.chunks import Chunk, Plan
from phrasemill.engine.work import ChunkResult, ExtractionTask
from phrasemill.errors import ConfigError, InputError, PhrasemillError

ASKED = {"method": "firstphrases", "part": Plan(documents=3), "format": "jsonl", "timeout": 0}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "corpus.jsonl", records(12))


class Late(in_process.Executor):
    """An executor that takes its time: `meanwhile` happens before it asks for the first chunk."""

    def __init__(self, task: ExtractionTask, meanwhile: Callable[[], object]) -> None:
        super().__init__(task)
        self.meanwhile = meanwhile

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
        self.meanwhile()
        yield from super().results(chunks)


def test_a_run_that_has_written_nothing_yet_keeps_others_out(tmp_path: Path, corpus: Path) -> None:
    """Before, both found an empty folder, and the parts of the two were mixed."""
    out, refused = tmp_path / "out", []

    def another() -> None:
        with pytest.raises(InputError, match="another run is using this folder") as caught:
            engine.run(corpus, out, **ASKED, engine=in_process.Executor, top=1)
        refused.append(str(caught.value))

    engine.run(corpus, out, **ASKED, engine=lambda task: Late(task, another))
    assert refused
    engine.run(corpus, tmp_path / "whole", **ASKED, engine=in_process.Executor)
    assert contents(out) == contents(tmp_path / "whole")


def test_what_another_run_did_before_the_lock_was_free_counts(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that finds an empty folder, and gets the lock when another one is through, does not mix the two."""
    out, begin = tmp_path / "out", store.LocalStore.begin

    def late(self: store.LocalStore) -> None:
        monkeypatch.setattr(store.LocalStore, "begin", begin)
        engine.run(corpus, out, **ASKED, engine=in_process.Executor, top=1)
        begin(self)

    monkeypatch.setattr(store.LocalStore, "begin", late)
    with pytest.raises(ConfigError, match="was begun with top 1, not 10"):
        engine.run(corpus, out, **ASKED, engine=in_process.Executor)
    engine.run(corpus, tmp_path / "whole", **ASKED, engine=in_process.Executor, top=1)
    assert contents(out) == contents(tmp_path / "whole")


def test_a_complete_run_that_is_started_again_takes_the_lock(tmp_path: Path, corpus: Path) -> None:
    out = tmp_path / "out"
    engine.run(corpus, out, **ASKED, engine=in_process.Executor)
    other = store.open_store(str(out))
    other.begin()
    with pytest.raises(InputError, match="another run is using this folder"):
        engine.run(corpus, out, **ASKED, engine=in_process.Executor)
    other.close()
    engine.run(corpus, out, **ASKED, engine=in_process.Executor)
    assert not (out / store.WORK).exists()


def test_a_lock_that_its_owner_removed_meanwhile_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another run may have opened the file before that; the lock on it keeps nobody out."""
    locks, path = store._locks, tmp_path / "out" / store.WORK / store.LOCK

    def removed(file: object, **options: bool) -> bool:
        monkeypatch.setattr(store, "_locks", locks)
        path.unlink()
        return locks(file, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "_locks", removed)
    first = store.LocalStore(str(tmp_path / "out"))
    first.begin()
    assert path.exists()
    with pytest.raises(InputError, match="another run is using this folder"):
        store.LocalStore(str(tmp_path / "out")).begin()
    first.close()


def test_a_run_whose_lock_is_removed_stops(tmp_path: Path, corpus: Path) -> None:
    out = tmp_path / "out"

    def remove(_: object) -> None:
        (out / store.WORK / store.LOCK).unlink()

    with pytest.raises(InputError, match=r"was removed during the run; run again to resume"):
        engine.run(corpus, out, **ASKED, engine=in_process.Executor, progress=remove)
    engine.run(corpus, out, **ASKED, engine=in_process.Executor)
    engine.run(corpus, tmp_path / "whole", **ASKED, engine=in_process.Executor)
    assert contents(out) == contents(tmp_path / "whole")


def fail(task: ExtractionTask) -> Late:
    def stop() -> None:
        raise PhrasemillError("no workers")

    return Late(task, stop)


def test_a_run_that_comes_to_nothing_leaves_nothing(tmp_path: Path, corpus: Path) -> None:
    with pytest.raises(PhrasemillError, match="no workers"):
        engine.run(corpus, tmp_path / "new" / "deep" / "out", **ASKED, engine=fail)
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.jsonl"]


def test_a_run_that_comes_to_nothing_leaves_what_was_there(tmp_path: Path, corpus: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(PhrasemillError, match="no workers"):
        engine.run(corpus, tmp_path / "empty", **ASKED, engine=fail)
    assert list((tmp_path / "empty").iterdir()) == []
    out = tmp_path / "out"
    engine.run(corpus, out, **ASKED, engine=in_process.Executor)
    (out / "part-000001.jsonl").unlink()
    with pytest.raises(PhrasemillError, match="no workers"):
        engine.run(corpus, out, **ASKED, engine=fail)
    summary = engine.run(corpus, out, **ASKED, engine=in_process.Executor)
    assert summary.worked == 3


# Object stores, which have no locks


@pytest.fixture
def bucket() -> Iterable[str]:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    yield "memory://owned/out"
    if memory.exists("/owned"):
        memory.rm("/owned", recursive=True)


def test_in_an_object_store_two_runs_of_the_same_request_both_end(bucket: str, corpus: Path) -> None:
    """They write the same bytes; one takes what the other has done."""
    others: list[engine.Summary] = []

    def another(_: object) -> None:
        if not others:
            others.append(engine.run(corpus, bucket, **ASKED, engine=in_process.Executor))

    summary = engine.run(corpus, bucket, **ASKED, engine=in_process.Executor, progress=another)
    (other,) = others
    assert (other.documents, other.worked, summary.documents, summary.worked) == (12, 9, 12, 12)
    assert engine.verify(bucket).intact


def test_in_an_object_store_a_run_that_asks_for_something_else_disturbs_nobody(bucket: str, corpus: Path) -> None:
    def another(_: object) -> None:
        with pytest.raises(ConfigError, match="was begun with top 10, not 1"):
            engine.run(corpus, bucket, **ASKED, engine=in_process.Executor, top=1)

    assert engine.run(corpus, bucket, **ASKED, engine=in_process.Executor, progress=another).documents == 12
    assert engine.verify(bucket).intact


def test_in_an_object_store_two_runs_that_find_nothing_do_not_mix(bucket: str, corpus: Path) -> None:
    def another() -> None:
        engine.run(corpus, bucket, **ASKED, engine=in_process.Executor, top=1)

    with pytest.raises(ConfigError, match="was begun with top 1, not 10"):
        engine.run(corpus, bucket, **ASKED, engine=lambda task: Late(task, another))
    assert engine.verify(bucket).intact
    assert engine.run(corpus, bucket, **ASKED, engine=in_process.Executor, top=1).worked == 0


def test_in_an_object_store_what_another_request_wrote_meanwhile_is_not_called_complete(
    bucket: str, corpus: Path
) -> None:
    """Both began at the same moment; the one that looks last stops."""
    memory = pytest.importorskip("fsspec").filesystem("memory")

    def another(progress: object) -> None:
        manifest = memory.cat_file("/owned/out/manifest.json").replace(b'"top": 10', b'"top": 1')
        memory.pipe_file("/owned/out/manifest.json", manifest)

    with pytest.raises(ConfigError, match="was begun with top 1, not 10"):
        engine.run(corpus, bucket, **ASKED, engine=in_process.Executor, progress=another)
    with pytest.raises(InputError, match="is not complete"):
        engine.verify(bucket)


def test_in_an_object_store_a_run_that_comes_to_nothing_leaves_nothing(bucket: str, corpus: Path) -> None:
    memory = pytest.importorskip("fsspec").filesystem("memory")
    with pytest.raises(PhrasemillError, match="no workers"):
        engine.run(corpus, bucket, **ASKED, engine=fail)
    assert memory.find("/owned") == []
