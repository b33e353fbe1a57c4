"""A run without other processes, for tests that have to do hundreds of them."""

from collections.abc import Callable, Generator, Iterable, Iterator

from phrasemill.engine.chunks import Chunk, Plan
from phrasemill.engine.inputs import CorpusInputs
from phrasemill.engine.reading import ChunkReader, ChunkRequest
from phrasemill.engine.walk import Position
from phrasemill.engine.work import ChunkResult, ExtractionTask


class Executor:
    """One chunk after the other."""

    def __init__(self, task: ExtractionTask) -> None:
        self.task = task

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
        work = self.task.prepare()
        for chunk in chunks:
            yield chunk, work(chunk.payload)


class ReaderProcess:
    """Reads where it is called; `monkeypatch.setattr("phrasemill.engine.session.ReaderProcess", ReaderProcess)`."""

    def __init__(self, corpus: CorpusInputs, plan: Plan, **_: object) -> None:
        self._reader = ChunkReader(corpus, plan)

    def chunks(self, bare: Callable[[int], bool]) -> Iterator[Chunk]:
        wanted = ChunkRequest(0, Position(), 0, (), bare(0))
        while (found := self._reader.read(wanted)).chunk or found.records:
            if found.chunk is not None:
                yield found.chunk
                wanted = ChunkRequest(wanted.number + 1, found.end, found.read, (), bare(wanted.number + 1))

    def close(self) -> None:
        pass
