"""The whole story of an extraction: a text is analysed, candidates are found, ranked, and the best selected.

`extract` is what people call; an `Extractor` is a method with its options, built once and used for any number of texts,
from any thread.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self
from weakref import finalize

from phrasemill.errors import ConfigError
from phrasemill.keyphrases import Keyphrases
from phrasemill.lender import Lender
from phrasemill.options import DEFAULT_METHOD, HELP, ExtractOptions
from phrasemill.ranker import Ranker, build
from phrasemill.select import Limits, Selection, as_phrases, as_stopwords
from phrasemill.sources import Source, Watch, as_source, as_sources
from phrasemill.types import BatchMethod, Method, Top

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
