"""Batches of texts for worker processes or threads: `extract_batch` and `Extractor.batch` with `jobs`.

What a process finds is sent back as columns: a list of `Keyphrase` objects takes several times as long to pickle.
"""

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any, Protocol, TypeAlias

from phrasemill.errors import ConfigError, InputError
from phrasemill.isolated import Lost, Pool, checked_jobs, in_order, portable
from phrasemill.keyphrases import Keyphrases
from phrasemill.types import Keyphrase, Span

# Texts and characters that go to a worker at a time.
LIST_TEXTS, LIST_CHARACTERS = 64, 100_000
# What a worker answers to a list of texts: what it found, up to the error that ended it.
Answer: TypeAlias = "tuple[Any, Exception | None]"


class Finder(Protocol):
    """What an extractor is to a batch."""

    def find(self, source: Any, /) -> Keyphrases: ...


Make: TypeAlias = Callable[[], Finder]


def without_gil() -> bool:
    """Return whether threads of this Python run side by side."""
    return not getattr(sys, "_is_gil_enabled", lambda: True)()


class Batches:
    """The worker processes of an extractor, which start at the first batch; any number of batches share them."""

    def __init__(self, make: Make, *, jobs: int | None) -> None:
        self._jobs = checked_jobs(jobs)
        self._pool = Pool(_ListTask(make), jobs=self._jobs)
        self.close = self._pool.close

    def found(self, texts: Iterable[Any]) -> Iterator[Keyphrases]:
        """Yield the keyphrases of each text in turn. An error is raised when it is the turn of its text."""
        if self._pool.closed:
            raise ConfigError("this Extractor is closed; make another one")
        return _each(in_order(self._pool.submit, _lists(texts), jobs=self._jobs), _unpacked)

    def once(self, texts: Iterable[Any]) -> Iterator[Keyphrases]:
        """Do the same, and end the processes."""
        with self._pool:
            self._pool.start()  # while the first texts are read
            yield from self.found(texts)


def in_threads(make: Make, texts: Iterable[Any], *, jobs: int | None) -> Iterator[Keyphrases]:
    """Do the same in threads of this process, which share what the method has loaded."""
    from concurrent.futures import ThreadPoolExecutor

    jobs = checked_jobs(jobs)
    find = make().find
    with ThreadPoolExecutor(jobs, thread_name_prefix="phrasemill") as pool:
        yield from _each(in_order(lambda some: pool.submit(_answer, find, some), _lists(texts), jobs=jobs), iter)


def _lists(texts: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield texts in lists, short where texts are long."""
    held: list[Any] = []
    characters = 0
    for one in texts:
        held.append(one)
        characters += len(one if isinstance(one, str) else getattr(one, "text", ""))
        if len(held) >= LIST_TEXTS or characters >= LIST_CHARACTERS:
            yield held
            held, characters = [], 0
    if held:
        yield held


def _each(answers: Iterator[Answer], unpacked: Callable[[Any], Iterable[Keyphrases]]) -> Iterator[Keyphrases]:
    done = 0
    try:
        for found, error in answers:
            for one in unpacked(found):
                done += 1
                yield one
            if error is not None:
                raise error
    except Lost as lost:
        raise InputError(f"a text after the first {done:,} failed: {lost}") from None


def _answer(find: Callable[[Any], Keyphrases], texts: Iterable[Any]) -> tuple[list[Keyphrases], Exception | None]:
    found: list[Keyphrases] = []
    try:
        for one in texts:
            found.append(find(one))  # what came before an error counts
    except MemoryError:  # ends the process
        raise
    except Exception as error:
        return found, portable(error)
    return found, None


@dataclass(frozen=True, slots=True)
class _ListTask:
    """The task of workers: the keyphrases of lists of texts."""

    make: Make

    def prepare(self) -> Callable[[Iterable[Any]], Answer]:
        find = self.make().find

        def work(texts: Iterable[Any]) -> Answer:
            found, error = _answer(find, texts)
            return _packed(found), error

        return work


def _packed(found: list[Keyphrases]) -> Any:
    """Return the keyphrases of some texts as columns; as they are where a method has types of its own."""
    every = [keyphrase for one in found for keyphrase in one]
    if any(type(keyphrase) is not Keyphrase for keyphrase in every):
        return found
    spans = [span for keyphrase in every for span in keyphrase.spans]
    more = [(one.sources, one.concept, one.label, one.evidence) for one in every]
    return (
        [len(one) for one in found],
        [keyphrase.text for keyphrase in every],
        [keyphrase.score for keyphrase in every],
        array("q", [len(keyphrase.spans) for keyphrase in every]),
        array("q", [start for start, _ in spans]),
        array("q", [end for _, end in spans]),
        more if set(more) != {((), "", "", ())} else None,
    )


def _unpacked(packed: Any) -> Iterator[Keyphrases]:
    """Yield what was packed, text by text."""
    if isinstance(packed, list):
        yield from packed
        return
    counts, texts, scores, lengths, starts, ends, more = packed
    spans = list(map(Span, starts, ends))
    places = [tuple(spans[begin:end]) for begin, end in pairwise(accumulate(lengths, initial=0))]
    columns = zip(*more, strict=True) if more else ()
    every = list(map(Keyphrase, texts, scores, places, *columns))
    for begin, end in pairwise(accumulate(counts, initial=0)):
        yield Keyphrases(every[begin:end])
