"""`Extractor`: a method with its options, built once and used for any number of texts, from any thread."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Self
from weakref import finalize

from phrasemill.errors import ConfigError
from phrasemill.keyphrases import Keyphrases
from phrasemill.lender import Lender
from phrasemill.options import ExtractOptions
from phrasemill.pipeline import BatchTask, Prepared, prepared
from phrasemill.selection import Selection
from phrasemill.sources import Source, Watch, as_sources


@dataclass(frozen=True)
class Extractor(ExtractOptions):
    """A method with the options of `extract`, prepared for many texts.

        with pm.Extractor("textrank(window=5)", top=5) as extractor:
            extractor.extract(text)

    Wrong options raise an error here, not at the first text. With `jobs`, `batch` uses that many processes, which start
    at the first call and run until `close` or the end of the `with` block.
    """

    jobs: int | None = None
    _find: Prepared = field(init=False, repr=False, compare=False)
    _watch: Watch = field(init=False, repr=False, compare=False)
    _pools: "_Pools | None" = field(init=False, repr=False, compare=False, default=None)

    def __post_init__(self) -> None:
        ExtractOptions.__post_init__(self)
        object.__setattr__(self, "_find", prepared(self))
        object.__setattr__(self, "_watch", Watch(self.language))
        Selection(self.top, self.threshold, redundancy=self.redundancy or "none", diversity=self.diversity)  # checks
        if self.jobs is not None:
            from phrasemill.workers import checked_jobs

            pools = _Pools(BatchTask(_options_of(self)), checked_jobs(self.jobs))
            object.__setattr__(self, "_pools", pools)
            finalize(self, pools.close)

    def __hash__(self) -> int:
        """Hash the options that are no lists."""
        return hash((self.top, self.threshold, self.longest, self.redundancy, self.language, self.jobs))

    def extract(self, source: Source) -> Keyphrases:
        """Return the keyphrases of one text, best first."""
        return self._find(self._watch(source))

    __call__ = extract

    def batch(self, sources: Iterable[Source]) -> Iterator[Keyphrases]:
        """Yield the keyphrases of each text in turn, as `extract_batch` does."""
        sources = map(self._watch, as_sources(sources))
        return self._find.many(sources) if self._pools is None else self._pools.mapped(sources)

    async def aextract(self, source: Source) -> Keyphrases:
        """Return the keyphrases of one text. The work is done in another thread, so the event loop is not blocked."""
        from asyncio import to_thread

        return await to_thread(self._find, self._watch(source))

    def close(self) -> None:
        """End the worker processes, if there are any. You can call it more than once."""
        if self._pools is not None:
            self._pools.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """What goes to another process are the options; method and workers are made there."""
        return _made, (_options_of(self), self.jobs)


def _options_of(extractor: Extractor) -> ExtractOptions:
    return ExtractOptions(**{name: getattr(extractor, name) for name in ExtractOptions.__dataclass_fields__})


def _made(options: ExtractOptions, jobs: int | None) -> Extractor:
    return Extractor(**{name: getattr(options, name) for name in options.__dataclass_fields__}, jobs=jobs)


class _Pools:
    """Pools of worker processes: as many as there are batches at one moment, and idle ones for the next batches."""

    def __init__(self, task: BatchTask, jobs: int) -> None:
        from phrasemill.workers import Pool, listed

        self._jobs, self._closed = jobs, False
        self._lender: Lender[Pool] = Lender(lambda: Pool(listed(task), jobs=jobs), lambda pool: self._closed)

    def mapped(self, sources: Iterable[Source]) -> Iterator[Keyphrases]:
        if self._closed:
            raise ConfigError("this Extractor is closed; make another one")
        return self._mapped(sources)

    def _mapped(self, sources: Iterable[Source]) -> Iterator[Keyphrases]:
        from phrasemill.workers import mapped_by

        pool = self._lender.borrow()
        finished = False
        try:
            yield from mapped_by(pool, sources, jobs=self._jobs)
            finished = True
        finally:
            if finished and not self._closed:
                self._lender.give_back(pool)
            else:  # it may have work that nobody waits for
                pool.close()

    def close(self) -> None:
        self._closed = True
        for pool in self._lender.taken():
            pool.close()
