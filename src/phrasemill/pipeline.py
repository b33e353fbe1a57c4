"""The whole story of an extraction: a text is analysed, candidates are found, ranked, and the best selected.

`extract` is what people call. `Ranker` is what a method is made of: give it `propose` and `score` (or both at once,
as `rank`), and it extracts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import MISSING, Field, fields
from typing import ClassVar

from phrasemill.errors import ConfigError, InputError
from phrasemill.registry import METHODS, Spec
from phrasemill.selection import Selection, as_phrases, select
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Candidates, Document, Extractor, Keyphrase

DEFAULT_METHOD = "tfidf(candidates='auto')"


def extract(
    source: str | Document | Analysis,
    *,
    method: str | Extractor = DEFAULT_METHOD,
    top: int | float | None = 10,
    threshold: float | None = None,
    exclude: Iterable[str] = (),
    redundancy: str | None = None,
    language: str | None = None,
) -> list[Keyphrase]:
    """The keyphrases of a text, best first.

    `method` is a spec such as `"textrank(window=5)"` or an object with an `extract` of its own; `top` is a number of
    phrases, a share of the candidates (a float up to 1), or None for all of them; `exclude` names phrases that are
    not wanted (longer ones that contain them still are); `redundancy` is `"none"`, `"inclusion"` or
    `"similarity(0.8)"`, the method's own by default. A text that somebody else tagged comes as an `Analysis`
    (`text/pretagged.py`). Spans point into the text as given (into `Document.content` where there is a title).
    """
    return build(method).extract(
        as_source(source, language), top=top, threshold=threshold, exclude=exclude, redundancy=redundancy
    )


def extract_batch(
    sources: Iterable[str | Document | Analysis],
    *,
    method: str | Extractor = DEFAULT_METHOD,
    top: int | float | None = 10,
    threshold: float | None = None,
    exclude: Iterable[str] = (),
    redundancy: str | None = None,
    language: str | None = None,
) -> Iterator[list[Keyphrase]]:
    """The keyphrases of each text in turn, as `extract` gives them; one text at a time is held in memory."""
    extractor = build(method)
    excluded = as_phrases(exclude)
    for source in sources:
        yield extractor.extract(
            as_source(source, language), top=top, threshold=threshold, exclude=excluded, redundancy=redundancy
        )


def build(method: str | Extractor) -> Extractor:
    """The method that a spec names; a method object stays as it is."""
    if isinstance(method, str):
        built: Extractor = METHODS.build(method)
        return built
    if not hasattr(method, "extract") or isinstance(method, type):
        raise ConfigError(f"method must be a spec such as 'textrank(window=5)' or a method object, got {method!r}")
    return method


def as_source(source: str | Document | Analysis, language: str | None = None) -> Document | Analysis:
    """A text as a document; an analysis, with its own language, as it is."""
    return source if isinstance(source, Analysis) else as_document(source, language)


def as_document(source: str | Document, language: str | None = None) -> Document:
    """`source` as a document: a string becomes one; `language` overrides what a document says."""
    if isinstance(source, str):
        return Document(id="", text=source, language=language or "en")
    if not isinstance(source, Document):
        hint = "; decode it first" if isinstance(source, bytes | bytearray) else ""
        raise InputError(f"expected a text or a Document, got {type(source).__name__}{hint}")
    if language is None or language == source.language:
        return source
    return Document(source.id, source.text, source.title, language, source.references, source.metadata)


class Ranker:
    """A method that scores the candidates of one document.

    Subclasses are frozen dataclasses whose fields are the parameters; their docstring's first line is what
    `phrasemill methods` shows.
    """

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[object]]]
    name: ClassVar[str]
    paper: ClassVar[str] = ""
    needs: ClassVar[str] = ""

    @property
    def reads_tags(self) -> bool:
        """Whether part-of-speech tags matter; without them the analysis is faster."""
        return True

    @property
    def redundancy(self) -> str:
        """How the paper's own list is freed of repetition, unless the caller says otherwise."""
        return "none"

    def propose(self, analysis: Analysis) -> Candidates:
        """The phrases to choose among."""
        raise NotImplementedError

    def score(self, candidates: Candidates) -> Sequence[float]:
        """One score a candidate; higher is better."""
        raise NotImplementedError

    def rank(self, analysis: Analysis) -> tuple[Candidates, Sequence[float]]:
        """Candidates with their scores; for methods whose ranking decides what the candidates are."""
        candidates = self.propose(analysis)
        return candidates, self.score(candidates)

    def extract(
        self,
        source: Document | Analysis | str,
        /,
        *,
        top: int | float | None = 10,
        threshold: float | None = None,
        exclude: Iterable[str] = (),
        redundancy: str | None = None,
    ) -> list[Keyphrase]:
        """The keyphrases of `source`, best first."""
        selection = Selection(top, threshold, as_phrases(exclude), redundancy or self.redundancy)
        analysis = source if isinstance(source, Analysis) else self._analysed(as_document(source))
        candidates, scores = self.rank(analysis)
        return select(candidates, scores, selection)

    def _analysed(self, document: Document) -> Analysis:
        return analyse(document.content, language=document.language, tag=self.reads_tags)

    def __repr__(self) -> str:
        """The spec that builds this method: `textrank(window=10)`."""
        return str(Spec(self.name, (), tuple(self._changed())))

    def _changed(self) -> Iterator[tuple[str, object]]:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.default is MISSING or value != field.default:
                yield field.name, value
