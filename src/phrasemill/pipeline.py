"""The whole story of an extraction: a text is analysed, candidates are found, ranked, and the best selected.

`extract` is what people call. `Ranker` is what a method is made of: give it `propose` and `score` (or both at once,
as `rank`), and it extracts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from phrasemill.errors import ConfigError
from phrasemill.keyphrases import Keyphrases
from phrasemill.limits import NO_LIMITS, Limits, as_stopwords
from phrasemill.options import DEFAULT_METHOD, HELP, ExtractOptions
from phrasemill.registry import METHODS, Specified
from phrasemill.selection import AUTO, Selection, as_phrases, excluded_forms, occurrence_evidence, select, within
from phrasemill.sources import Source, Watch, as_document, as_source, as_sources
from phrasemill.text.analyse import analyse
from phrasemill.types import (
    NO_PLACES,
    Analysis,
    BatchMethod,
    Candidates,
    Document,
    Evidence,
    Keyphrase,
    Method,
    Places,
    Top,
)

if TYPE_CHECKING:
    from pathlib import Path

    from phrasemill.vocabulary import Guide, Vocabulary

# What only methods made of `Ranker` take; others need not know it.
RANKERS_ONLY = "longest, shortest, stopwords, replace_stopwords, diversity, candidates, vocabulary, boost and explain"


def extract(
    source: Source,
    *,
    method: str | Method = DEFAULT_METHOD,
    style: str | None = None,
    top: Top = 10,
    threshold: float | None = None,
    exclude: Iterable[str] = (),
    longest: int | None = None,
    shortest: int = 1,
    stopwords: Iterable[str] = (),
    replace_stopwords: bool = False,
    redundancy: str | None = None,
    diversity: float = 0.0,
    language: str | None = None,
    candidates: Iterable[str] | None = None,
    vocabulary: "Vocabulary | str | Path | None" = None,
    new_terms: bool = False,
    label_language: str | None = None,
    roll_up: int = 0,
    boost: Iterable[str] | Mapping[str, float] = (),
    explain: bool = False,
) -> Keyphrases:
    """Return the keyphrases of a text, best first. The source may also be a `Document`, or the `Path` of a file.

    `method` is a spec such as `"textrank(window=5)"`, or an object with an `extract` method. `style` names whose
    choices to imitate, such as `"news"`.

    `top` is a count, a fraction of the candidates (a float up to 1), `"all"` or None for all of them, or `"auto"`: as
    many as give the best expected F1, for methods whose scores are probabilities.

    `exclude` drops whole phrases; longer phrases that contain them are kept. `longest` and `shortest` limit the number
    of words. No phrase begins or ends with one of `stopwords`, which are added to those of the language, or replace
    them with `replace_stopwords`. `redundancy` is `"none"`, `"variants"`, `"nested"`, `"inclusion"`,
    `"similarity(0.8)"` or `"meaning(0.8)"`; the default depends on the method, and `meaning` applies after it.
    `diversity`, from 0 to 1, weighs new words against the score.

    `candidates` are the only phrases that may be returned. `vocabulary` is a `Vocabulary` or a file of concepts
    (docs/how-to/vocabulary.md), to which phrases are mapped, `roll_up` levels further up, with labels in
    `label_language`. Phrases that are not in it are returned only with `new_terms`. `boost` raises the score of
    phrases, by a factor for each or by 2.

    With `explain`, each keyphrase has its reasons (`Keyphrase.evidence`). Spans are offsets into the text as given, or
    into `Document.content` if there is a title. If you have tagged the text yourself, pass it as an `Analysis`
    (`text/pretagged.py`).
    """
    given = locals()  # every parameter but the source is an option
    options = ExtractOptions(**{name: given[name] for name in HELP})
    return prepared(options)(Watch(options.language)(source))


def extract_batch(
    sources: Iterable[Source],
    *,
    method: str | Method = DEFAULT_METHOD,
    style: str | None = None,
    top: Top = 10,
    threshold: float | None = None,
    exclude: Iterable[str] = (),
    longest: int | None = None,
    shortest: int = 1,
    stopwords: Iterable[str] = (),
    replace_stopwords: bool = False,
    redundancy: str | None = None,
    diversity: float = 0.0,
    language: str | None = None,
    candidates: Iterable[str] | None = None,
    vocabulary: "Vocabulary | str | Path | None" = None,
    new_terms: bool = False,
    label_language: str | None = None,
    roll_up: int = 0,
    boost: Iterable[str] | Mapping[str, float] = (),
    explain: bool = False,
    jobs: int | None = None,
    threads: bool | None = None,
) -> Iterator[Keyphrases]:
    """Yield the keyphrases of each text in turn, as `extract` returns them. One text at a time is kept in memory.

    With `jobs`, this many workers share the texts, a few hundred of which are then kept in memory; the order stays the
    same. Workers are processes, or on a Python without a GIL, threads. `threads=True` makes them threads, which share
    the models: use it with methods that run a neural network, and with long texts. A text that crashes a worker process
    raises an error; `phrasemill run` records it and continues.
    """
    given = locals()
    options = ExtractOptions(**{name: given[name] for name in HELP})
    sources = map(Watch(options.language), as_sources(sources))
    if jobs is None:
        return prepared(options).many(sources)
    from phrasemill.workers import checked_jobs, mapped, mapped_in_threads, without_gil

    spread = mapped_in_threads if (without_gil() if threads is None else threads) else mapped
    return spread(BatchTask(options), sources, jobs=checked_jobs(jobs))


@dataclass(frozen=True, slots=True)
class Prepared:
    """A method with the options of an extraction, ready for any number of texts."""

    extractor: Method
    language: str | None
    arguments: Mapping[str, Any]  # of the extractor's `extract`

    def __call__(self, source: Source) -> Keyphrases:
        return Keyphrases(self.extractor.extract(as_source(source, self.language), **self.arguments))

    def many(self, sources: Iterable[Source]) -> Iterator[Keyphrases]:
        """Yield the keyphrases of each text; a method that works on several at once is given them all."""
        if not isinstance(self.extractor, BatchMethod) or "guide" in self.arguments:
            return map(self, sources)
        documents = (as_source(source, self.language) for source in sources)
        return map(Keyphrases, self.extractor.extract_batch(documents, **self.arguments))


def prepared(options: ExtractOptions) -> Prepared:
    """Build the method, and read the vocabulary and the phrases that `options` name, once for all texts."""
    extractor, guide = build(options.method), _guide(options)
    arguments: dict[str, Any] = {
        "top": options.top,
        "threshold": options.threshold,
        "exclude": as_phrases(options.exclude),
        "redundancy": options.redundancy,
    }
    limits = Limits(options.longest, options.shortest, as_stopwords(options.stopwords), bool(options.replace_stopwords))
    further = {"guide": guide, "explain": options.explain, "limits": limits, "diversity": options.diversity}
    if any(further.values()):
        if not isinstance(extractor, Ranker):
            raise ConfigError(f"{RANKERS_ONLY} need a method made of Ranker, which {extractor!r} is not")
        arguments |= further
    return Prepared(extractor, options.language, arguments)


@dataclass(frozen=True, slots=True)
class BatchTask:
    """The task of worker processes: the keyphrases of lists of texts."""

    options: ExtractOptions

    def prepare(self) -> Callable[[Iterable[Any]], Iterator[Keyphrases]]:
        return prepared(self.options).many


def _guide(options: ExtractOptions) -> "Guide | None":
    lists = options.candidates is not None or options.vocabulary is not None or options.boost
    if not (lists or options.new_terms or options.label_language or options.roll_up):
        return None  # and nothing is loaded
    from phrasemill.vocabulary import guide

    names = ("candidates", "vocabulary", "new_terms", "boost", "label_language", "roll_up")
    return guide(**{name: getattr(options, name) for name in names})


def build(method: str | Method) -> Method:
    """Build the method that a spec names; return a method object as it is."""
    if isinstance(method, str):
        built: Method = METHODS.build(method)
        return built
    if not hasattr(method, "extract") or isinstance(method, type):
        raise ConfigError(f"method must be a spec such as 'textrank(window=5)' or a method object, got {method!r}")
    return method


@lru_cache(maxsize=64, typed=True)
def _selection(*options: Any) -> Selection:
    """Return the options of a selection, which are checked once for many texts."""
    return Selection(*options)


class Ranked(NamedTuple):
    """The candidates of one text, their scores, the rule by which near-duplicates among them are dropped, and what a
    phrase costs where their number is to be found (`selection.best_count`)."""

    candidates: Candidates
    scores: Sequence[float]
    redundancy: str
    price: float = 1.0


class Ranker(Specified):
    """A method that scores the candidates of one document.

    Subclasses are frozen dataclasses whose fields are the parameters; the first line of their docstring is what
    `phrasemill methods` shows. They define `propose` and `score`, or `rank` where ranking decides what the candidates
    are. Where a parameter decides about one of the class attributes, a property takes its place.
    """

    __slots__ = ()
    # What scores are: `probability`, `log-odds`, or `any` other number; a boost acts on them accordingly.
    scale: ClassVar[str] = "any"
    # Whether part-of-speech tags matter; without them the analysis is faster.
    reads_tags: ClassVar[bool] = True
    # The rule by which the paper removes near-duplicates, unless the caller names another.
    redundancy: ClassVar[str] = "none"
    # Whether the method decides how many phrases there are, so that `top="auto"` means all of them.
    ends_itself: ClassVar[bool] = False
    # The evidence for phrases that are not in the text, of methods that return such phrases.
    absent: ClassVar[Evidence] = Evidence("absent", "the text does not say it", 0.0)

    def propose(self, analysis: Analysis) -> Candidates:
        """Return the phrases to choose among."""
        raise NotImplementedError

    def score(self, candidates: Candidates) -> Sequence[float]:
        """Return one score per candidate; higher is better."""
        raise NotImplementedError

    def rank(self, analysis: Analysis, extra: Places = NO_PLACES) -> tuple[Candidates, Sequence[float]]:
        """Return the candidates, in the order in which ties are broken, and their scores.

        `extra` are phrases of a vocabulary that stand in the text; a method that can score any phrase adds them to its
        candidates (`candidates.including`), and others may ignore them.
        """
        candidates = self.proposed(analysis, extra)
        return candidates, self.score(candidates)

    def ranked(self, analysis: Analysis, extra: Places = NO_PLACES) -> Ranked:
        """Return what `rank` does, and the rule for near-duplicates, for methods in which the text decides about it."""
        return Ranked(*self.rank(analysis, extra), self.redundancy)

    def proposed(self, analysis: Analysis, extra: Places) -> Candidates:
        """Return the phrases to choose among, and those of `extra` that are not among them."""
        candidates = self.propose(analysis)
        if not extra:
            return candidates
        from phrasemill.candidates import including

        return including(candidates, extra)

    def explain(self, candidates: Candidates) -> Callable[[int], tuple[Evidence, ...]]:
        """Return a function from a candidate's number to its evidence: where it stands, unless a method has more."""
        return partial(occurrence_evidence, candidates)

    def extract(
        self,
        source: Document | Analysis | str,
        /,
        *,
        top: Top = 10,
        threshold: float | None = None,
        exclude: Iterable[str] = (),
        redundancy: str | None = None,
        limits: Limits = NO_LIMITS,
        diversity: float = 0.0,
        guide: "Guide | None" = None,
        explain: bool = False,
    ) -> list[Keyphrase]:
        """Return the keyphrases of `source`, best first; `guide` comes from `vocabulary.guide`."""
        selection = self.selection(top, threshold, exclude, redundancy, limits, diversity)
        analysis = source if isinstance(source, Analysis) else self._analysis(as_document(source))
        if limits.replaces:
            analysis = limits.reading(analysis)
        names = None
        if guide is None:
            candidates, scores, rule, price = self.ranked(analysis)
        else:
            excluded = excluded_forms(selection.exclude, analysis.language)
            candidates, scores, names, rule, price = guide.apply(
                analysis, self.ranked, scale=self.scale, exclude=excluded, limits=limits
            )
            if guide.lists_phrases:
                rule, price = self.redundancy, 1.0
        if rule != self.redundancy or (price != 1 and top == AUTO):
            selection = replace(selection, redundancy=redundancy or rule, wordings=rule, price=price)
        why = self.explain(candidates) if explain else None
        keyphrases = select(candidates, scores, selection, names, why)
        beyond = candidates.analysis is not analysis  # absent phrases stand below the text: methods/grounding.py
        return within(keyphrases, len(analysis.text), self.absent) if beyond else keyphrases

    def selection(
        self,
        top: Top,
        threshold: float | None,
        exclude: Iterable[str],
        redundancy: str | None,
        limits: Limits = NO_LIMITS,
        diversity: float = 0.0,
    ) -> Selection:
        """Return the checked options as this method can apply them."""
        if top == AUTO and self.ends_itself:
            top = None
        if top == AUTO and self.scale != "probability":
            raise ConfigError(f"top='auto' needs scores that are probabilities, such as those of learned, not {self}")
        rule = redundancy or self.redundancy
        options = (top, threshold, as_phrases(exclude), rule, self.redundancy, limits, diversity)
        try:
            return _selection(*options)
        except TypeError:  # an option that cannot be hashed, and so cannot be right
            return Selection(*options)

    def _analysis(self, document: Document) -> Analysis:
        return analyse(document.content, language=document.language, tag=self.reads_tags)
