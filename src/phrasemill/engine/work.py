"""The task of a worker, wherever it runs: the documents of a chunk in, rows and failures out."""

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from phrasemill.engine import rows
from phrasemill.engine.chunks import one_line
from phrasemill.engine.rows import Rows
from phrasemill.errors import PhrasemillError
from phrasemill.extractor import Prepared, prepared
from phrasemill.options import ExtractOptions
from phrasemill.sources import as_document
from phrasemill.types import Document, Keyphrase
from phrasemill.workers import alarm

# Invalid options are reported before the first document, not as a failure of each.
PROBE = Document("", "Salt water moves inland when pumps draw too much groundwater.")
# Seconds beyond a time limit after which a silent worker is ended; its own alarm comes first.
GRACE = 30.0


class ChunkResult(NamedTuple):
    """The result of a chunk: the rows of its documents (None if all ended their workers), and the index of each that
    failed, with the reason."""

    rows: "Rows | None"
    failures: tuple[tuple[int, str], ...] = ()
    keyphrases: int = 0


@dataclass(frozen=True, slots=True)
class ExtractionTask:
    """The task of workers: the options of an extraction; `timeout` in seconds per document, or 0."""

    options: ExtractOptions = field(default_factory=ExtractOptions)
    format: str = "parquet"
    timeout: float = 0.0

    def prepare(self) -> Callable[[bytes], ChunkResult]:
        """Load the method and try it; return the function from the payload of a chunk to its result."""
        find = prepared(self.options)
        find(PROBE)

        def work(payload: bytes) -> ChunkResult:
            return self.result(find, pickle.loads(payload))

        return work

    def result(self, find: Prepared, documents: Sequence[Document]) -> ChunkResult:
        """Return the rows and failures of `documents`."""
        documents = [_in_language(document, find.language) for document in documents]
        found = lists(find, documents, self.timeout)
        good = [(document, one) for document, one in zip(documents, found, strict=True) if not isinstance(one, str)]
        failures = tuple((i, one) for i, one in enumerate(found) if isinstance(one, str))
        batch = self.rows([document for document, _ in good], [one for _, one in good], repr(find.extractor))
        return ChunkResult(batch, failures, sum(len(one) for _, one in good))

    def rows(self, documents: Sequence[Document], found: Sequence[Sequence[Keyphrase]], method: str) -> "Rows":
        """Return the rows of documents in a part."""
        concepts = self.options.vocabulary is not None
        return rows.batch(documents, found, format=self.format, method=method, concepts=concepts)


def _in_language(document: Document, language: str | None) -> Document:
    """Return the document with its language; as it is where that is invalid, which extraction then reports."""
    try:
        return as_document(document, language)
    except PhrasemillError:
        return document


def patience(timeout: float) -> float:
    """Return the seconds until a silent worker is ended, if `timeout` is the limit for one document; 0 for no limit."""
    return timeout + GRACE if timeout else 0.0


def lists(find: Prepared, documents: Sequence[Document], timeout: float) -> list[list[Keyphrase] | str]:
    """Return the keyphrases of each document, or why it failed.

    A method that works on several documents at once is given them all; one at which that stops is tried alone.
    """
    found: list[list[Keyphrase] | str] = []
    while len(found) < len(documents):
        stream = find.many(documents[len(found) :])
        try:
            for _ in range(len(found), len(documents)):
                if timeout:
                    alarm(timeout)
                found.append(next(stream))
        except MemoryError:  # ends the process; the document that needs so much is found alone
            raise
        except (Exception, SystemExit):
            found.append(_alone(find, documents[len(found)]))
    if timeout:
        alarm(0.0)
    return found


def _alone(find: Prepared, document: Document) -> list[Keyphrase] | str:
    try:
        return find(document)
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:
        return reason(error)


def reason(error: BaseException) -> str:
    """Return an error in one line: our own messages as they are, others with their type."""
    message = one_line(str(error))
    if isinstance(error, PhrasemillError):
        return message
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def joined(results: Sequence[ChunkResult]) -> ChunkResult:
    """Combine the results of single documents, in order, into that of their chunk."""
    pieces = [result.rows for result in results if result.rows is not None]
    failures = tuple((i, why) for i, result in enumerate(results) for _, why in result.failures)
    if not pieces:
        return ChunkResult(None, failures)
    return ChunkResult(rows.joined(pieces), failures, sum(result.keyphrases for result in results))
