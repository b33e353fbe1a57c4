"""The keyphrases of a set of documents: `extract_set` for one that is there, `GrowingSet` for one that changes."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Unpack

from phrasemill.candidates import without_stopwords
from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill.options import ALL, SetOptions, checked, options_of, takes_options
from phrasemill.select import Limits, Selection
from phrasemill.sets.contrast import compare
from phrasemill.sets.method import SetMethod
from phrasemill.sets.occurrences import ChosenPhrase, results
from phrasemill.sets.read_documents import Bounds, ReadDocument, SharedStrings, read_document
from phrasemill.sets.results import SetKeyphrases
from phrasemill.sources import Watch, as_document
from phrasemill.specs import Spec, parse
from phrasemill.types import Document, Method

DEFAULT_SET_METHOD = "consensus"


@takes_options
def extract_set(
    documents: Iterable[str | Document],
    *,
    against: Iterable[str | Document] | None = None,
    method: str | SetMethod | Method = DEFAULT_SET_METHOD,
    **options: Unpack[SetOptions],
) -> SetKeyphrases:
    """Return the keyphrases of a set of documents, best first.

    `method` is a spec such as `"merge(positionrank)"`. A method for single documents runs within `consensus`. With
    `against`, another set, the result is the phrases that distinguish the first set from it, each with an effect size
    and a p-value. Texts without an id are numbered from 1, and repeated texts count once, as the `notes` of the result
    say.
    """
    wanted = checked({"method": method, **options}, options_of(SetOptions))
    shared = {name: wanted[name] for name in ("method", "language")}
    words = {name: wanted[name] for name in ("exclude", "longest", "shortest", "stopwords")}
    own = GrowingSet(documents, **shared, **words)
    other = None if against is None else GrowingSet(against, **shared, compared=True)
    return own.extract(top=wanted["top"], threshold=wanted["threshold"], against=other)


class GrowingSet:
    """A set of documents that can change. Each document is read once, and `extract` uses the result.

    `exclude`, `longest`, `shortest` and `stopwords` say which phrases count in every document. If a set is only
    `compared` with others, no keyphrases are extracted from its documents, which is faster.
    """

    def __init__(
        self,
        documents: Iterable[str | Document] = (),
        *,
        method: str | SetMethod | Method = DEFAULT_SET_METHOD,
        language: str | None = None,
        exclude: Iterable[str] = (),
        longest: int | None = None,
        shortest: int = 1,
        stopwords: Iterable[str] = (),
        compared: bool = False,
    ) -> None:
        self.method = build_set_method(method)
        wanted = checked({"language": language, "exclude": exclude, "stopwords": stopwords})
        self._bounds = Bounds(Limits(longest, shortest, frozenset(wanted["stopwords"])), frozenset(wanted["exclude"]))
        self._language = wanted["language"]
        self._compared, self._watch = compared, Watch(self._language)
        self._pool = SharedStrings()
        self._contents: dict[str, bytes] = {}  # ids with a digest of the document …
        self._twins: dict[bytes, list[str]] = {}  # … and the ids of those with the same content
        self._readings: dict[str, ReadDocument] = {}  # of the first of each
        self.update(documents)

    def __len__(self) -> int:
        return len(self._contents)

    def __contains__(self, id: object) -> bool:
        return id in self._contents

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    @property
    def languages(self) -> dict[str, str]:
        """The language of each document, by id, as given or detected."""
        read = {id_: one.document.language for id_, one in self._readings.items()}
        return {id_: read[self._twins[content][0]] for id_, content in self._contents.items()}

    def update(self, documents: Iterable[str | Document]) -> None:
        """Read more documents."""
        if isinstance(documents, str | Document):
            raise InputError("a set is a list of texts or documents, not one of them")
        for document in documents:
            self.add(document)

    def add(self, source: str | Document) -> None:
        """Read one more document. Its id must be new; a document without an id is numbered."""
        document = as_document(self._watch(source), self._language)
        if not document.id:
            document = replace(document, id=self._next_number())
        elif document.id in self._contents:
            raise InputError(f"two documents of the set are called {document.id!r}; ids must differ")
        content = _digest(document)
        self._contents[document.id] = content
        twins = self._twins.setdefault(content, [])
        twins.append(document.id)
        if len(twins) == 1:
            extractor = None if self._compared else self.method.extractor(document.language)
            keep, bounds = self.method.keep, self._bounds
            reading = read_document(document, extractor, keep=keep, pool=self._pool, bounds=bounds)
            if self.method.function_words:
                reading = replace(reading, kind=without_stopwords(reading.kind))
            self._readings[document.id] = reading

    def _next_number(self) -> str:
        number = len(self._contents) + 1
        while str(number) in self._contents:
            number += 1
        return str(number)

    def remove(self, id: str) -> None:
        """Remove one document."""
        content = self._contents.pop(id, None)
        if content is None:
            raise InputError(f"no document of the set is called {id!r}")
        twins = self._twins[content]
        twins.remove(id)
        reading = self._readings.pop(id, None)
        if not twins:
            del self._twins[content]
        elif reading is not None:
            self._readings[twins[0]] = replace(reading, document=replace(reading.document, id=twins[0]))

    def extract(
        self,
        *,
        top: int | float | str | None = 10,
        threshold: float | None = None,
        against: "GrowingSet | None" = None,
    ) -> SetKeyphrases:
        """Return the keyphrases of the current documents, best first; with `against`, those that distinguish them from
        that set.
        """
        if self._compared:
            raise ConfigError("this set was read for comparison only; make it without compared=True")
        selection = Selection(None if top == ALL else top, threshold)
        selection.most(0)  # refuses what is for single documents
        readings = list(self._readings.values())
        mixed = len({reading.language for reading in readings}) > 1
        wanted = top if isinstance(top, int) and against is None and not mixed else None
        phrases = self.method.choose(readings, wanted, self._bounds) if readings else []
        if mixed:
            phrases = _spelled_alike(phrases)
        compared = phrases if against is None else compare(phrases, readings, list(against._readings.values()))
        reaching = [one for one in compared if threshold is None or one.score >= threshold]
        found = results(reaching[: selection.most(len(phrases))], readings)
        notes = [self._duplicates(), *([against._duplicates("of the other set, ")] if against is not None else [])]
        if not found:
            notes.append(self._nothing(len(phrases), len(compared), against))
        elif against is not None and not any(one.contrast and one.contrast.significant for one in found):
            sizes = f"{len(readings):,} and {len(against._readings):,} documents"
            notes.append(f"none of these differences is significant: with {sizes}, each may be chance (q > 0.05)")
        return SetKeyphrases(found, notes=filter(None, notes))

    def _duplicates(self, where: str = "") -> str:
        """Say how many documents repeat another."""
        number = len(self._contents) - len(self._readings)
        are = "is a duplicate" if number == 1 else "are duplicates"
        return f"{where}{number:,} of {len(self._contents):,} documents {are}: each text counts once" if number else ""

    def _nothing(self, phrases: int, compared: int, against: "GrowingSet | None") -> str:
        """Say why there is no keyphrase, of so many phrases, of which so many are more common than in the other set."""
        if compared:
            return "no phrase has a score as high as the threshold"
        if phrases and against is not None:
            same = self._twins.keys() == against._twins.keys()
            return "no phrase is more common than in the other set" + (", which has the same documents" if same else "")
        return "no phrase keeps to the limits" if self._bounds.limits or self._bounds.exclude else ""


def _spelled_alike(phrases: Iterable[ChosenPhrase]) -> list[ChosenPhrase]:
    """Return the phrases; those that documents of several languages spell alike, such as names, are one."""
    best: dict[str, ChosenPhrase] = {}
    for one in phrases:
        first = best.setdefault(one.text, one)
        if first is not one:
            forms = dict.fromkeys((*first.forms, *one.forms))
            best[one.text] = first._replace(forms=tuple(forms), capital=first.capital | one.capital)
    return list(best.values())


def _digest(document: Document) -> bytes:
    from hashlib import blake2b  # loads OpenSSL, which those who only import need not wait for

    return blake2b(f"{document.language}\n{document.content}".encode("utf-8", "surrogatepass"), digest_size=16).digest()


def build_set_method(method: str | SetMethod | Method) -> SetMethod:
    """Return the method for sets that a spec names. A method for single documents becomes `consensus(method=…)`."""
    if isinstance(method, SetMethod):
        return method
    if isinstance(method, str):
        spec = parse(method)
        if spec.name not in SET_METHODS and spec.name not in METHODS:
            raise UnknownName(SET_METHODS.kind, spec.name, SET_METHODS)
        if spec.name in METHODS:
            spec = Spec(DEFAULT_SET_METHOD, (spec,))
        built: SetMethod = SET_METHODS.build(spec)
        return built
    if isinstance(method, type) or not hasattr(method, "extract"):
        raise ConfigError(f"method must be a spec such as 'merge(positionrank)' or a method object, got {method!r}")
    from phrasemill.sets.consensus import Consensus

    return Consensus(method)
