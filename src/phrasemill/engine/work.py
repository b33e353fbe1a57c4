"""The task of a worker, wherever it runs: the documents of a chunk in, rows and failures out."""

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from phrasemill.engine import rows
from phrasemill.engine.chunks import one_line
from phrasemill.engine.rows import Rows
from phrasemill.errors import PhrasemillError
from phrasemill.extractor import Extractor
from phrasemill.options import checked
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

    options: Mapping[str, Any] = field(default_factory=lambda: checked({}))
    format: str = "parquet"
    timeout: float = 0.0

    def prepare(self) -> Callable[[bytes], ChunkResult]:
        """Load the method and try it; return the function from the payload of a chunk to its result."""
        extractor = Extractor(**self.options)
        extractor.find(PROBE)

        def work(payload: bytes) -> ChunkResult:
            return self.result(extractor, pickle.loads(payload))

        return work

    def result(self, extractor: Extractor, documents: Sequence[Document]) -> ChunkResult:
        """Return the rows and failures of `documents`."""
        documents = [_in_language(document, extractor.language) for document in documents]
        found = lists(extractor, documents, self.timeout)
        good = [(document, one) for document, one in zip(documents, found, strict=True) if not isinstance(one, str)]
        failures = tuple((i, one) for i, one in enumerate(found) if isinstance(one, str))
        batch = self.rows([document for document, _ in good], [one for _, one in good], repr(extractor.method))
        return ChunkResult(batch, failures, sum(len(one) for _, one in good))

    def rows(self, documents: Sequence[Document], found: Sequence[Sequence[Keyphrase]], method: str) -> "Rows":
        """Return the rows of documents in a part."""
        concepts = self.options["vocabulary"] is not None
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


def lists(extractor: Extractor, documents: Sequence[Document], timeout: float) -> list[list[Keyphrase] | str]:
    """Return the keyphrases of each document, or why it failed."""
    found: list[list[Keyphrase] | str] = []
    for document in documents:
        if timeout:
            alarm(timeout)
        try:
            found.append(extractor.find(document))
        except MemoryError:  # ends the process; the document that needs so much is found alone
            raise
        except (Exception, SystemExit) as error:
            found.append(reason(error))
    if timeout:
        alarm(0.0)
    return found


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
