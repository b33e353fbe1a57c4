"""The base of methods for sets: `read` each document alone, then `choose` among the phrases of all of them."""

from collections.abc import Iterable, Sequence
from typing import ClassVar

from phrasemill.registry import Specified
from phrasemill.selection import Selection, as_phrases, form_of
from phrasemill.sets.occurrences import ChosenPhrase, results
from phrasemill.sets.read_documents import ReadDocument, SharedStrings, read_document
from phrasemill.sets.results import SetKeyphrase
from phrasemill.types import Document, Extractor


class SetMethod(Specified):
    """A method that finds the keyphrases of a set.

    Subclasses are frozen dataclasses whose fields are the parameters; `SET_METHODS.describe()` shows the first line of
    their docstring.
    """

    __slots__ = ()
    needs: ClassVar[str] = "several documents"
    # How many phrases of each document are kept; a parameter of some methods.
    keep: int | None = None

    def extractor(self, language: str) -> Extractor | None:
        """Return what is run over each document by itself; None where nothing is."""
        return None

    def read(self, document: Document, pool: SharedStrings) -> ReadDocument:
        """Analyse one document by itself."""
        return read_document(document, self.extractor(document.language), keep=self.keep, pool=pool)

    def choose(self, readings: Sequence[ReadDocument], wanted: int | None) -> list[ChosenPhrase]:
        """Return phrases, best first: at least `wanted` if there are as many, all of them for None."""
        raise NotImplementedError

    def combine(
        self,
        readings: Sequence[ReadDocument],
        *,
        top: int | float | None = 10,
        threshold: float | None = None,
        exclude: Iterable[str] = (),
    ) -> list[SetKeyphrase]:
        """Return the keyphrases of documents that were read, best first."""
        selection = Selection(top, threshold, as_phrases(exclude))
        languages = {reading.document.language for reading in readings}
        unwanted = {form_of(phrase, language) for phrase in selection.exclude for language in languages}
        wanted = top + len(unwanted) if isinstance(top, int) else None
        chosen = self.choose(readings, wanted) if readings else []
        kept = [one for one in chosen if one.forms[0] not in unwanted and (threshold is None or one.score >= threshold)]
        return results(kept[: selection.most(len(chosen))], readings)

    def extract(
        self,
        documents: Iterable[Document],
        /,
        *,
        top: int | float | None = 10,
        threshold: float | None = None,
        exclude: Iterable[str] = (),
    ) -> list[SetKeyphrase]:
        """Return the keyphrases of a set of documents, best first."""
        pool = SharedStrings()
        readings = [self.read(document, pool) for document in documents]
        return self.combine(readings, top=top, threshold=threshold, exclude=exclude)
