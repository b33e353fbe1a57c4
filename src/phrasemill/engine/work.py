"""The task of a worker, wherever it runs: the items of a chunk in, its part out."""

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from phrasemill.engine import rows
from phrasemill.engine.inputs import Item, Reading, Unit, Unread, name_of, one_line
from phrasemill.engine.rows import Row, Rows
from phrasemill.errors import PhrasemillError
from phrasemill.extractor import Extractor
from phrasemill.isolated import alarm
from phrasemill.options import checked
from phrasemill.ranker import build
from phrasemill.sources import Watch, as_document
from phrasemill.types import Document, Keyphrase

# Invalid options are reported before the first document, not as a failure of each.
PROBE = Document("", "Salt water moves inland when pumps draw too much groundwater.")


Argument = TypeVar("Argument")
Value = TypeVar("Value")


class ChunkResult(NamedTuple):
    """What comes of a chunk: the bytes of its part (the rows, where it is to be joined with others), the id of each
    document, and why it failed, or ""."""

    rows: "Rows"
    ids: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    keyphrases: int = 0


@dataclass(frozen=True, slots=True)
class ExtractionTask:
    """The task of workers: the options of an extraction and of reading; `timeout` in seconds per document, or 0."""

    options: Mapping[str, Any] = field(default_factory=lambda: checked({}))
    format: str = rows.PARQUET
    timeout: float = 0.0
    reading: Reading = field(default_factory=Reading)

    @property
    def method(self) -> str:
        """The spec of the method."""
        return repr(build(self.options["method"]))

    def prepare(self) -> Callable[[tuple[bytes, bool] | None], ChunkResult | None]:
        """Load the method and try it; return the function from the payload of a chunk to its result.

        Whether the payload is a whole chunk comes with it; None is answered with None.
        """
        extractor = Extractor(**self.options)
        extractor.find(PROBE)
        method, watch = repr(extractor.method), Watch(self.options["language"])

        def work(given: tuple[bytes, bool] | None) -> ChunkResult | None:
            if given is None:
                return None
            payload, is_whole = given
            result = self._result([self._row(item, extractor, watch) for item in pickle.loads(payload)], method)
            return result._replace(rows=rows.part(result.rows)) if is_whole else result

        return work

    def failed(self, item: Item, why: str) -> ChunkResult:
        """Return the result of an item that ended its workers."""
        return self._result([Row(Document(name_of(item), ""), error=why)], self.method)

    def _result(self, found: Sequence[Row], method: str) -> ChunkResult:
        batch = rows.batch(found, format=self.format, method=method, concepts=self.options["vocabulary"] is not None)
        ids, errors = tuple(row.document.id for row in found), tuple(row.error for row in found)
        return ChunkResult(batch, ids, errors, sum(len(row.keyphrases) for row in found))

    def _row(self, item: Item, extractor: Extractor, watch: Watch) -> Row:
        read = self._limited(self.reading.document, item) if isinstance(item, Unit) else item
        if isinstance(read, Unread):
            return Row(Document(read.id, ""), error=read.reason)
        if isinstance(item, Unit):  # the run looks at records
            watch(read)
        document = _in_language(read, extractor.language)
        found = self._limited(partial(attempt, extractor), document)
        return Row(document, error=found) if isinstance(found, str) else Row(document, found)

    def _limited(self, function: Callable[[Argument], Value], argument: Argument) -> Value:
        """Call a function within the time limit."""
        if not self.timeout:
            return function(argument)
        alarm(self.timeout)
        found = function(argument)
        alarm(0.0)
        return found


def joined(results: Sequence[ChunkResult]) -> ChunkResult:
    """Combine the results of single items, in order, into that of their chunk."""
    whole = rows.part(rows.joined([result.rows for result in results]))
    ids = tuple(chain.from_iterable(result.ids for result in results))
    errors = tuple(chain.from_iterable(result.errors for result in results))
    return ChunkResult(whole, ids, errors, sum(result.keyphrases for result in results))


def _in_language(document: Document, language: str | None) -> Document:
    """Return the document with its language; as it is where that is invalid, which extraction then reports."""
    try:
        return as_document(document, language)
    except PhrasemillError:
        return document


def attempt(extractor: Extractor, document: Document) -> list[Keyphrase] | str:
    """Return the keyphrases of a document, or why it failed."""
    try:
        return extractor.find(document)
    except MemoryError:  # ends the process; the document that needs so much is found alone
        raise
    except (Exception, SystemExit) as error:
        return reason(error)


def reason(error: BaseException) -> str:
    """Return an error in one line: our own messages as they are, others with their type."""
    message = one_line(str(error))
    if isinstance(error, PhrasemillError):
        return message or "failed"
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
