"""One run at a time in a folder, from before it looks at anything until it is over; and no traces where it came to
nothing."""

from collections.abc import Callable, Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from in_process import Executor, run
from made_corpora import contents, records, write_jsonl
from phrasemill import engine
from phrasemill.engine import store
from phrasemill.engine.chunks import Chunk
from phrasemill.engine.work import ChunkResult, ExtractionTask
from phrasemill.errors import ConfigError, InputError, PhrasemillError

OUT = "memory://bucket/out"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "corpus.jsonl", records(12))


def late(meanwhile: Callable[[], object]) -> Callable[[ExtractionTask], Executor]:
    """An executor that takes its time: `meanwhile` happens before it asks for the first chunk."""

    class Late(Executor):
        def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
            meanwhile()
            yield from super().results(chunks)

    return Late


def fail() -> None:
    raise PhrasemillError("no workers")


def test_a_run_that_has_written_nothing_yet_keeps_others_out(tmp_path: Path, corpus: Path) -> None:
    """Before, both found an empty folder, and the parts of the two were mixed."""
    out, refused = tmp_path / "out", []

    def another() -> None:
        with pytest.raises(InputError, match="another run is using this folder") as caught:
            run(corpus, out, top=1)
        refused.append(str(caught.value))

    run(corpus, out, engine=late(another))
    assert refused
    run(corpus, tmp_path / "whole")
    assert contents(out) == contents(tmp_path / "whole")


def test_what_another_run_did_before_the_lock_was_free_counts(
    tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that finds an empty folder, and gets the lock when another one is through, does not mix the two."""
    out, begin = tmp_path / "out", store.LocalStore.begin

    def late(self: store.LocalStore) -> None:
        monkeypatch.setattr(store.LocalStore, "begin", begin)
        run(corpus, out, top=1)
        begin(self)

    monkeypatch.setattr(store.LocalStore, "begin", late)
    with pytest.raises(ConfigError, match="was begun with top 1, not 10"):
        run(corpus, out)
    run(corpus, tmp_path / "whole", top=1)
    assert contents(out) == contents(tmp_path / "whole")


def test_a_complete_run_that_is_started_again_takes_the_lock(tmp_path: Path, corpus: Path) -> None:
    out = tmp_path / "out"
    run(corpus, out)
    other = store.open_store(str(out))
    other.begin()
    with pytest.raises(InputError, match="another run is using this folder"):
        run(corpus, out)
    other.close()
    run(corpus, out)
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
        run(corpus, out, progress=remove)
    run(corpus, out)
    run(corpus, tmp_path / "whole")
    assert contents(out) == contents(tmp_path / "whole")


def test_a_run_that_comes_to_nothing_leaves_what_was_there(tmp_path: Path, corpus: Path, bucket: Any) -> None:
    out, empty = tmp_path / "out", tmp_path / "empty"
    run(corpus, out)
    (out / "part-000001.jsonl").unlink()
    empty.mkdir()
    for output in (out, empty, tmp_path / "new" / "deep" / "out", OUT):
        with pytest.raises(PhrasemillError, match="no workers"):
            run(corpus, output, engine=late(fail))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["corpus.jsonl", "empty", "out"]
    assert list(empty.iterdir()) == bucket.find("/bucket") == []
    assert run(corpus, out).worked == 3


# Object stores, which have no locks


def test_in_an_object_store_two_runs_of_the_same_request_both_end(bucket: Any, corpus: Path) -> None:
    """They write the same bytes; one takes what the other has done."""
    others: list[engine.Summary] = []

    def another(_: object) -> None:
        if not others:
            others.append(run(corpus, OUT))

    summary = run(corpus, OUT, progress=another)
    (other,) = others
    assert (other.documents, other.worked, summary.documents, summary.worked) == (12, 9, 12, 12)
    assert engine.verify(OUT).intact


def test_in_an_object_store_a_run_that_asks_for_something_else_disturbs_nobody(bucket: Any, corpus: Path) -> None:
    def another(_: object) -> None:
        with pytest.raises(ConfigError, match="was begun with top 10, not 1"):
            run(corpus, OUT, top=1)

    assert run(corpus, OUT, progress=another).documents == 12
    assert engine.verify(OUT).intact


def test_in_an_object_store_two_runs_that_find_nothing_do_not_mix(bucket: Any, corpus: Path) -> None:
    def another() -> None:
        run(corpus, OUT, top=1)

    with pytest.raises(ConfigError, match="was begun with top 1, not 10"):
        run(corpus, OUT, engine=late(another))
    assert engine.verify(OUT).intact
    assert run(corpus, OUT, top=1).worked == 0


def test_in_an_object_store_what_another_request_wrote_meanwhile_is_not_called_complete(
    bucket: Any, corpus: Path
) -> None:
    """Both began at the same moment; the one that looks last stops."""

    def another(progress: object) -> None:
        manifest = bucket.cat_file("/bucket/out/manifest.json").replace(b'"top": 10', b'"top": 1')
        bucket.pipe_file("/bucket/out/manifest.json", manifest)

    with pytest.raises(ConfigError, match="was begun with top 1, not 10"):
        run(corpus, OUT, progress=another)
    with pytest.raises(InputError, match="is not complete"):
        engine.verify(OUT)
