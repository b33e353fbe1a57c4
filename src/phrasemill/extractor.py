"""The whole story of an extraction: a text is analysed, candidates are found, ranked, and the best selected.

`extract` is what people call; an `Extractor` is a method with its options, made once and used for any number of texts,
from any thread.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self, Unpack
from weakref import finalize

from phrasemill.catalogue import METHODS
from phrasemill.errors import ConfigError
from phrasemill.keyphrases import Keyphrases
from phrasemill.options import DEFAULT_METHOD, DEFAULTS, Options, changed, checked, takes_options
from phrasemill.ranker import Ranker, build
from phrasemill.select import Limits, Selection
from phrasemill.sources import LONGEST_PATH, Source, Watch, as_document, as_sources, warned
from phrasemill.text.analyse import analysers
from phrasemill.text.language_codes import AUTO
from phrasemill.text.languages.detect import detect
from phrasemill.types import Analysis, Document, Keyphrase, Method

if TYPE_CHECKING:
    from phrasemill.batches import Batches

# What only methods made of `Ranker` take; others need not know it.
RANKERS_ONLY = "longest, shortest, stopwords, replace_stopwords, diversity, candidates, vocabulary, boost and explain"
GUIDING = ("candidates", "vocabulary", "new_terms", "boost", "label_language", "roll_up")
KEPT = 32  # extractors
PLAIN, TEXTS = frozenset((bool, float, int, str, type(None))), frozenset((str,))  # types


@takes_options
def extract(source: Source, *, method: str | Method = DEFAULT_METHOD, **options: Unpack[Options]) -> Keyphrases:
    """Return the keyphrases of a text, best first. The source may also be a `Document`, or the `Path` of a file.

    `method` is a spec such as `"textrank(window=5)"`, or an object with an `extract` method. Spans are offsets into the
    text as given, or into `Document.content` if there is a title. If you have tagged the text yourself, pass it as an
    `Analysis` (`text/pretagged.py`).
    """
    given = {name: tuple(one) if type(one) is list else one for name, one in options.items()}
    same = type(method) is str and "vocabulary" not in given and all(map(_is_plain, given.values()))
    made: Callable[..., Extractor] = _kept if same else _kept.__wrapped__
    extractor = made(METHODS.changes, method, **given)
    if extractor.language or type(source) is not str or len(source) <= LONGEST_PATH:
        warned(source, extractor.language)
    return extractor.find(source)


@takes_options
def extract_batch(
    sources: Iterable[Source],
    *,
    method: str | Method = DEFAULT_METHOD,
    jobs: int | None = None,
    threads: bool | None = None,
    **options: Unpack[Options],
) -> Iterator[Keyphrases]:
    """Yield the keyphrases of each text in turn, as `extract` returns them. One text at a time is kept in memory.

    With `jobs`, this many workers share the texts, a few hundred of which are then kept in memory; the order stays the
    same. Workers are processes, or on a Python without a GIL, threads. `threads=True` makes them threads, which share
    the models: use it with methods that run a neural network, and with long texts. A text that crashes a worker process
    raises an error; `phrasemill run` records it and continues.
    """
    wanted = checked({"method": method, **options})
    watched = map(Watch(wanted["language"]), as_sources(sources))
    if jobs is None:
        return map(Extractor(**wanted).find, watched)
    from phrasemill.batches import Batches, in_threads, without_gil

    if without_gil() if threads is None else threads:
        return in_threads(partial(Extractor, **wanted), watched, jobs=jobs)
    return Batches(partial(Extractor, **wanted), jobs=jobs).once(watched)


@dataclass(frozen=True, init=False, repr=False, slots=True, weakref_slot=True)
class Extractor:
    """A method with the options of `extract`, prepared for many texts.

        with pm.Extractor("textrank(window=5)", top=5) as extractor:
            extractor.extract(text)

    Wrong options raise an error here, not at the first text. With `jobs`, `batch` uses that many processes, which start
    at the first call and run until `close` or the end of the `with` block.
    """

    options: Mapping[str, Any]  # all of them, as `options.checked` returns them
    jobs: int | None
    method: Method = field(compare=False)
    language: str | None = field(compare=False)
    _finding: Callable[[Document | Analysis], list[Keyphrase]] = field(compare=False)
    _tags: bool | None = field(compare=False)  # whether analyses need them; None for a method that takes documents
    _watch: Watch = field(compare=False)
    _batches: "Batches | None" = field(compare=False)

    @takes_options
    def __init__(
        self, method: str | Method = DEFAULT_METHOD, *, jobs: int | None = None, **options: Unpack[Options]
    ) -> None:
        wanted = checked({"method": method, **options})
        built, batches = build(wanted["method"]), None
        if jobs is not None:
            from phrasemill.batches import Batches

            batches = Batches(partial(Extractor, **wanted), jobs=jobs)
            finalize(self, batches.close)
        made = {
            "options": MappingProxyType(wanted),
            "jobs": jobs,
            "method": built,
            "language": wanted["language"],
            "_finding": _finding(built, wanted),
            "_tags": built.reads_tags if isinstance(built, Ranker) else None,
            "_watch": Watch(wanted["language"]),
            "_batches": batches,
        }
        for name, value in made.items():
            object.__setattr__(self, name, value)

    def __hash__(self) -> int:
        return hash(tuple(value for value in self.options.values() if type(value) in PLAIN))

    def __repr__(self) -> str:
        return f"Extractor({', '.join(f'{name}={value!r}' for name, value in changed(self.options).items())})"

    def extract(self, source: Source) -> Keyphrases:
        """Return the keyphrases of one text, best first."""
        return self.find(self._watch(source))

    __call__ = extract

    def find(self, source: Source) -> Keyphrases:
        """Do the same as `extract`, but do not look whether the text is a path, or in another language."""
        given: Document | Analysis
        if self._tags is not None and type(source) is str:  # most calls: no `Document` is made
            language = detect(source).language if self.language in (None, AUTO) else self.language
            given = analysers(language, None, self._tags).analyse(source)
        elif isinstance(source, Analysis):
            given = source
            if self.language not in (None, source.language):
                raise ConfigError(
                    f"an Analysis has a language, {source.language!r}; leave out language={self.language!r}"
                )
        else:
            given = as_document(source, self.language)
        return Keyphrases(self._finding(given))

    def batch(self, sources: Iterable[Source]) -> Iterator[Keyphrases]:
        """Yield the keyphrases of each text in turn, as `extract_batch` does."""
        watched = map(self._watch, as_sources(sources))
        return map(self.find, watched) if self._batches is None else self._batches.found(watched)

    async def aextract(self, source: Source) -> Keyphrases:
        """Return the keyphrases of one text. The work is done in another thread, so the event loop is not blocked."""
        from asyncio import to_thread

        return await to_thread(self.find, self._watch(source))

    def close(self) -> None:
        """End the worker processes, if there are any. You can call it more than once."""
        if self._batches is not None:
            self._batches.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        """What goes to another process are the options; method and workers are made there."""
        return partial(Extractor, jobs=self.jobs, **self.options), ()


def _is_plain(value: object) -> bool:
    """Tell whether an extractor can be found again by this value, which never changes, as a file may."""
    return type(value) in PLAIN or (type(value) is tuple and TEXTS.issuperset(map(type, value)))


@lru_cache(maxsize=KEPT, typed=True)
def _kept(_: int, method: str, **options: Any) -> Extractor:
    """Return the extractor of an earlier `extract`; another one once a method was registered."""
    return Extractor(**checked({"method": method, **options}))


def _finding(method: Method, wanted: Mapping[str, Any]) -> Callable[[Document | Analysis], list[Keyphrase]]:
    """Return the method's `extract` with these options, which are checked here."""
    bounds = (wanted["longest"], wanted["shortest"], frozenset(wanted["stopwords"]), wanted["replace_stopwords"])
    basic = {name: wanted[name] for name in ("top", "threshold", "redundancy")}
    basic["exclude"] = frozenset(wanted["exclude"])
    further = {"limits": Limits(*bounds), "diversity": wanted["diversity"]}
    selection = Selection(**basic, **further)
    telling: dict[str, Any] = {"guide": None, "explain": wanted["explain"]}
    if any(wanted[name] != DEFAULTS[name] for name in GUIDING):
        from phrasemill.vocabulary import guide  # not for those who only extract

        telling["guide"] = guide(**{name: wanted[name] for name in GUIDING})
    if isinstance(method, Ranker):
        if type(method).extract is Ranker.extract:
            return partial(method.keyphrases, selection=selection, **telling)  # which need not be checked for each text
        return partial(method.extract, **basic, **further, **telling)
    if any((further | telling).values()):
        raise ConfigError(f"{RANKERS_ONLY} need a method made of Ranker, which {method!r} is not")
    return partial(method.extract, **basic)
