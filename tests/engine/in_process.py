"""A run without other processes, for tests that have to do hundreds of them."""

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any

import pytest

from phrasemill import engine
from phrasemill.engine.chunks import Chunk, Plan
from phrasemill.engine.runs import RunProgress
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


def run(corpus: Any, output: Path | str, **options: Any) -> engine.Summary:
    """A run over parts of three documents, in this process."""
    asked = {"method": "firstphrases", "part": Plan(documents=3), "format": "jsonl", "timeout": 0, "engine": Executor}
    return engine.run(corpus, output, **(asked | options))


def stopped(corpus: Path, output: Path) -> None:
    """A run that is interrupted after its third part."""

    def stop(progress: RunProgress) -> None:
        if progress.documents >= 9:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        run(corpus, output, progress=stop)
