"""The keyphrases of a set of documents: `extract_set` for one that is there, `GrowingSet` for one that grows."""

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Unpack

from phrasemill.catalogue import METHODS, SET_METHODS
from phrasemill.errors import ConfigError, InputError, UnknownName
from phrasemill.options import SetOptions, checked, options_of, takes_options
from phrasemill.select import Limits, Selection
from phrasemill.sets.contrast import compare
from phrasemill.sets.reading import Pool, ReadDocument, Word, read_document, without
from phrasemill.sets.recurring import without_recurring
from phrasemill.sets.results import ChosenPhrase, SetKeyphrase, SetKeyphrases, SetMethod, results
from phrasemill.sources import Watch, as_document
from phrasemill.specs import Spec, parse
from phrasemill.text.paratext import parts_of_letters
from phrasemill.types import Document, Method, Top

DEFAULT_SET_METHOD = "consensus"
# The mean cosine of any two documents below which a set has little in common. The sets of MK-DUC-01 have 0.19 and more,
# ten articles of as many of them 0.02 to 0.10, ten abstracts of Inspec 0.01 to 0.03.
ALIKE = 0.06
SHOWN = 60  # characters of a line in a note


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
    """A set of documents to which more can be added. Each document is read once, and `extract` uses the result.

    `exclude`, `longest`, `shortest` and `stopwords` say which phrases count in every document. If a set is only
    `compared` with others, no keyphrases are extracted from its documents, which is faster. `languages` has the
    language of each document, by id, as given or detected.
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
        if isinstance(documents, str | Document):
            raise InputError("a set is a list of texts or documents, not one of them")
        self.method = build_set_method(method)
        wanted = checked({"language": language, "exclude": exclude, "stopwords": stopwords})
        limits = Limits(longest, shortest, frozenset(wanted["stopwords"]))
        self._counting = Selection(None, exclude=frozenset(wanted["exclude"]), limits=limits)
        self._language, self._compared = wanted["language"], compared
        self._watch = Watch(self._language)
        self._pool: Pool = {}
        self.languages: dict[str, str] = {}
        self._readings: dict[bytes, ReadDocument] = {}  # by a digest of the content, so that each text counts once
        for document in documents:
            self.add(document)

    def add(self, source: str | Document) -> None:
        """Read one more document. Its id must be new; a document without an id is numbered."""
        document = as_document(self._watch(source), self._language)
        if not document.id:
            number = len(self.languages) + 1
            while str(number) in self.languages:
                number += 1
            document = replace(document, id=str(number))
        elif document.id in self.languages:
            raise InputError(f"two documents of the set are called {document.id!r}; ids must differ")
        self.languages[document.id] = document.language
        from hashlib import blake2b  # loads OpenSSL, which those who only import need not wait for

        content = f"{document.language}\n{document.content}".encode("utf-8", "surrogatepass")
        digest = blake2b(content, digest_size=16).digest()
        if digest in self._readings:
            return
        extractor = None if self._compared else self.method.extractor(document.language)
        keep = self.method.keep and 2 * self.method.keep  # as many again, for those that stand in boilerplate
        reading = read_document(
            document,
            extractor,
            keep=keep,
            pool=self._pool,
            counting=self._counting,
            function_words=self.method.function_words,
        )
        if letter := parts_of_letters(reading.content):
            reading = without(
                reading, [(bisect_left(reading.start, a), bisect_left(reading.start, b)) for a, b in letter]
            )
        self._readings[digest] = reading

    def extract(
        self, *, top: Top = 10, threshold: float | None = None, against: "GrowingSet | None" = None
    ) -> SetKeyphrases:
        """Return the keyphrases of the current documents, best first; with `against`, those that distinguish them from
        that set.
        """
        if self._compared:
            raise ConfigError("this set was read for comparison only; make it without compared=True")
        selection = Selection(top, threshold)
        selection.most(0)  # refuses what is for single documents
        readings, boilerplate = without_recurring(list(self._readings.values()))
        readings = [replace(one, found=one.found[: self.method.keep]) for one in readings]
        mixed = len({reading.language for reading in readings}) > 1
        wanted = top if isinstance(top, int) and against is None and not mixed else None
        phrases = self.method.choose(readings, wanted, self._counting) if readings else []
        if mixed:
            phrases = _spelled_alike(phrases)
        compared = phrases
        if against is not None:
            compared = compare(phrases, readings, without_recurring(list(against._readings.values()))[0])
        reaching = [one for one in compared if threshold is None or one.score >= threshold]
        found = results(reaching[: selection.most(len(phrases))], readings)
        notes = [self._duplicates(), _left_out(boilerplate)]
        if against is not None:
            notes.append(against._duplicates("of the other set, "))
        if not found:
            notes.append(self._nothing(phrases, compared, against))
        elif against is None:
            notes.append(_unlike(readings, found))
        elif not any(one.contrast and one.contrast.significant for one in found):
            sizes = f"{len(readings):,} and {len(against._readings):,} documents"
            notes.append(f"none of these differences is significant: with {sizes}, each may be chance (q > 0.05)")
        return SetKeyphrases(found, notes=filter(None, notes))

    def _duplicates(self, where: str = "") -> str:
        """Say how many documents repeat another."""
        number = len(self.languages) - len(self._readings)
        are = "is a duplicate" if number == 1 else "are duplicates"
        return f"{where}{number:,} of {len(self.languages):,} documents {are}: each text counts once" if number else ""

    def _nothing(
        self, phrases: Sequence[ChosenPhrase], compared: Sequence[ChosenPhrase], against: "GrowingSet | None"
    ) -> str:
        """Say why there is no keyphrase: of `phrases`, `compared` are more common than in the other set."""
        if compared:
            return "no phrase has a score as high as the threshold"
        if phrases and against is not None:
            same = self._readings.keys() == against._readings.keys()
            return "no phrase is more common than in the other set" + (", which has the same documents" if same else "")
        return "no phrase keeps to the limits" if self._counting.limits or self._counting.exclude else ""


def _left_out(boilerplate: Sequence[str]) -> str:
    """Say what recurs in the documents and does not count."""
    if not boilerplate:
        return ""
    example = " ".join(boilerplate[0].split())
    if len(example) > SHOWN:
        example = f"{example[:SHOWN].rsplit(' ', 1)[0]} …"
    if len(boilerplate) == 1:
        return f"1 line that recurs does not count: {example!r}"
    return f"{len(boilerplate):,} lines that recur do not count, such as {example!r}"


def _unlike(readings: Sequence[ReadDocument], found: Sequence[SetKeyphrase]) -> str:
    """Say that the documents have little in common, where that is so."""
    vectors = [vector for reading in readings if (vector := reading.vector)]
    total: defaultdict[Word, float] = defaultdict(float)
    for vector in vectors:
        for word, weight in vector.items():
            total[word] += weight
    count = len(vectors)
    # The square of the sum of vectors of length 1 is the sum of all cosines, those with themselves included.
    alike = count < 2 or math.fsum(x * x for x in total.values()) - count >= ALIKE * count * (count - 1)
    widest, documents = max(one.documents for one in found), found[0].total
    if alike or 2 * widest > documents:
        return ""
    return f"the documents have little in common: no phrase here is in more than {widest:,} of {documents:,}"


def _spelled_alike(phrases: Iterable[ChosenPhrase]) -> list[ChosenPhrase]:
    """Return the phrases; those that documents of several languages spell alike, such as names, are one."""
    best: dict[str, ChosenPhrase] = {}
    for one in phrases:
        first = best.setdefault(one.text, one)
        if first is not one:
            best[one.text] = first.joined(one)
    return list(best.values())


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
