"""What a worker does with the documents of a chunk, wherever it runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from phrasemill.engine import rows
from phrasemill.engine.chunks import documents_of, one_line, packed, pyarrow_module, unpacked
from phrasemill.errors import PhrasemillError
from phrasemill.options import ExtractOptions
from phrasemill.pipeline import Prepared, prepared
from phrasemill.types import Document, Keyphrase
from phrasemill.workers import alarm

# Options that make no sense are told of before the first document, not as a failure of every one.
PROBE = Document("", "Salt water moves inland when pumps draw too much groundwater.")
# Seconds beyond a time limit until a worker that is silent is ended: its own alarm comes first.
GRACE = 30.0


class Result(NamedTuple):
    """What came of a chunk: `rows` of the documents that went well, as Arrow; of the others index and reason."""

    rows: bytes
    failures: tuple[tuple[int, str], ...] = ()
    keyphrases: int = 0


@dataclass(frozen=True, slots=True)
class Extraction:
    """The task. `timeout` is in seconds per document, 0 for no limit."""

    options: ExtractOptions = field(default_factory=ExtractOptions)
    format: str = "parquet"
    timeout: float = 0.0

    def prepare(self) -> Callable[[bytes], Result]:
        """Load the method and try it; what is returned answers the payload of a chunk."""
        find = prepared(self.options)
        find(PROBE)

        def work(payload: bytes) -> Result:
            return self.result(find, documents_of(payload))

        return work

    @property
    def concepts(self) -> bool:
        return self.options.vocabulary is not None

    def result(self, find: Prepared, documents: Sequence[Document]) -> Result:
        """The rows of `documents`, and what went wrong."""
        found = lists(find, documents, self.timeout)
        good = [(document.id, one) for document, one in zip(documents, found, strict=True) if not isinstance(one, str)]
        failures = tuple((i, one) for i, one in enumerate(found) if isinstance(one, str))
        batch = self.rows([id_ for id_, _ in good], [one for _, one in good], repr(find.extractor))
        return Result(packed(batch), failures, sum(len(one) for _, one in good))

    def lost(self, reason: str) -> Result:
        """The result of one document that ended its worker."""
        return Result(b"", ((0, reason),))

    def rows(self, ids: Sequence[str], found: Sequence[Sequence[Keyphrase]], method: str) -> Any:
        """What documents have in a part, as an Arrow record batch."""
        return rows.batch(ids, found, format=self.format, method=method, concepts=self.concepts)


def patience(timeout: float) -> float:
    """Return the seconds until a silent worker is ended, if `timeout` is the limit for one document; 0 for no limit."""
    return timeout + GRACE if timeout else 0.0


def lists(find: Prepared, documents: Sequence[Document], timeout: float) -> list[list[Keyphrase] | str]:
    """The keyphrases of each document, or why there are none.

    A method that works on several at once is given them all; a document at which that stops is tried alone.
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
    """What went wrong, in one line: our own messages as they are, others with their kind."""
    said = one_line(str(error))
    if isinstance(error, PhrasemillError):
        return said
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def joined(results: Sequence[Result]) -> Result:
    """The results of single documents, in order, as that of their chunk."""
    arrow = pyarrow_module()
    batches = [unpacked(result.rows) for result in results if result.rows]
    failures = tuple((i, why) for i, result in enumerate(results) for _, why in result.failures)
    if not batches:
        return Result(b"", failures)
    table = arrow.Table.from_batches(batches).combine_chunks()
    # A table without rows has no batches.
    batch = table.to_batches()[0] if table.num_rows else batches[0]
    return Result(packed(batch), failures, sum(result.keyphrases for result in results))
