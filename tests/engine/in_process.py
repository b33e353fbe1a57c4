"""A run without other processes, for tests that have to do hundreds of them."""

from collections.abc import Generator, Iterable

from phrasemill.engine.chunks import Chunk
from phrasemill.engine.work import ChunkResult, ExtractionTask


class Executor:
    """One chunk after the other."""

    def __init__(self, task: ExtractionTask) -> None:
        self.task = task

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, ChunkResult]]:
        work = self.task.prepare()
        for chunk in chunks:
            result = work((chunk.payload, True))
            assert result is not None
            yield chunk, result
