"""A run without other processes, for tests that have to do hundreds of them."""

from collections.abc import Callable, Generator, Iterable, Iterator

from phrasemill.engine.chunks import Chunk, Plan
from phrasemill.engine.inputs import Corpus
from phrasemill.engine.reading import Reader, Wanted
from phrasemill.engine.walk import Place
from phrasemill.engine.work import Extraction, Result


class Executor:
    """One chunk after the other."""

    def __init__(self, task: Extraction) -> None:
        self.task = task

    def results(self, chunks: Iterable[Chunk]) -> Generator[tuple[Chunk, Result]]:
        work = self.task.prepare()
        for chunk in chunks:
            yield chunk, work(chunk.payload)


class Source:
    """Reads where it is called; `monkeypatch.setattr("phrasemill.engine.session.Source", Source)`."""

    def __init__(self, corpus: Corpus, plan: Plan, **_: object) -> None:
        self._reader = Reader(corpus, plan)

    def chunks(self, bare: Callable[[int], bool]) -> Iterator[Chunk]:
        wanted = Wanted(0, Place(), 0, (), bare(0))
        while (found := self._reader.read(wanted)).chunk or found.records:
            if found.chunk is not None:
                yield found.chunk
                wanted = Wanted(wanted.number + 1, found.end, found.read, (), bare(wanted.number + 1))

    def close(self) -> None:
        pass
