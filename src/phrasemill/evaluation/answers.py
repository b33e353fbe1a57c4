"""What is scored: phrases by document id, one system's or the gold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from phrasemill.errors import DataError, InputError
from phrasemill.text.languages.detect import language_of
from phrasemill.types import Document, Keyphrase, Reference

Phrases: TypeAlias = "Sequence[str | Keyphrase | Sequence[str]]"
Listed: TypeAlias = "Mapping[str, Phrases]"
CHECKSUM_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Answers:
    """Phrases by document id: best first for a system; for gold, each may be a tuple of interchangeable wordings.

    `texts` are the documents, if known: they decide which phrases are present. `scores` are those of the system, if
    any. `stemmed` marks phrases that are stems already. `languages` are those that the documents name. `guessed` is the
    field that the phrases were read from, if it has no usual name and nobody named it.
    """

    name: str
    phrases: Mapping[str, tuple[Reference, ...]]
    scores: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    stemmed: bool = False
    languages: Mapping[str, str] = field(default_factory=dict)
    guessed: str = ""

    def __len__(self) -> int:
        return len(self.phrases)

    @property
    def checksum(self) -> str:
        """Eight hexadecimal digits that change when an id or a phrase does; the order of documents does not matter."""
        import hashlib  # loads OpenSSL, which those who only import need not wait for

        digest = hashlib.sha256()
        for id_ in sorted(self.phrases):
            wordings = ["\x1f".join(clustered(phrase)) for phrase in self.phrases[id_]]
            digest.update("\x1e".join([id_, *wordings]).encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()[:CHECKSUM_LENGTH]


def languages_of(gold: Answers, predictions: Answers) -> dict[str, str]:
    """Return the language of each document of the gold: the one it names, else found from its text, else English."""
    found = {}
    for id_ in gold.phrases:
        text = gold.texts.get(id_) or predictions.texts.get(id_) or ""
        found[id_] = language_of(text, gold.languages.get(id_, ""))
    return found


def clustered(reference: Reference) -> tuple[str, ...]:
    """Return the wordings of one gold keyphrase."""
    return (reference,) if isinstance(reference, str) else reference


def as_answers(
    given: "Answers | Listed | Iterable[Phrases] | Iterable[Document]", *, name: str, ids: Sequence[str] | None = None
) -> Answers:
    """Return mappings of ids to phrases, documents with their references, and lists of phrases as answers.

    Lists are those of the documents `ids`, in the same order; by default they are numbered from 1.
    """
    if isinstance(given, Answers):
        return given
    if isinstance(given, Mapping):
        return _answers(name, given)
    items = list(_several(given, name))
    documents = [one for one in items if isinstance(one, Document)]
    if not documents:
        return _answers(name, dict(zip(_ids(items, ids, name), items, strict=True)))
    if len(documents) < len(items):
        raise DataError(f"{name}: documents and lists of phrases are mixed; pass one or the other")
    texts = {document.id: document.content for document in documents}
    if len(texts) < len(documents):
        raise InputError(f"{name}: {len(documents) - len(texts)} documents share the id of another")
    languages = {document.id: document.language for document in documents if document.language}
    phrases = _answers(name, {document.id: document.references for document in documents}).phrases
    return Answers(name, phrases, texts=texts, languages=languages)


def _ids(lists: Sequence[object], ids: Sequence[str] | None, name: str) -> Sequence[str]:
    """Return the ids of lists that have none of their own."""
    for one in lists:
        _several(one, name)
    if ids is None:
        return [str(number) for number, _ in enumerate(lists, start=1)]
    if not ids and lists:
        raise DataError(f"{name}: lists without ids, but the gold is by id; pass both by id, or both as lists")
    if len(ids) != len(lists):
        raise DataError(f"{name}: {len(lists)} lists of phrases, but the gold has {len(ids)}")
    return ids


def _answers(name: str, listed: "Mapping[str, Iterable[object]]") -> Answers:
    phrases: dict[str, tuple[Reference, ...]] = {}
    scores: dict[str, tuple[float, ...]] = {}
    for key, given in listed.items():
        id_ = str(key)
        where = f"{name}, document {id_!r}"
        found = [_phrase(one, where) for one in _several(given, where)]
        phrases[id_] = tuple([phrase for phrase, _ in found])
        known = [score for _, score in found if score is not None]
        if found and len(known) == len(found):
            scores[id_] = tuple(known)
    return Answers(name, phrases, scores)


def _several(given: Any, where: str) -> Iterable[Any]:
    """Return `given` if it is a list or the like. The letters of a text and the parts of a phrase are no phrases."""
    if isinstance(given, str | bytes | Mapping | Keyphrase) or not isinstance(given, Iterable):
        what = f"the text {given!r:.60}" if isinstance(given, str) else type(given).__name__
        raise DataError(f"{where}: a list of phrases belongs here, got {what}")
    return given


def _phrase(value: object, where: str) -> tuple[Reference, float | None]:
    """Return a phrase, or the wordings of one, and its score if it has one, as in a keyphrase."""
    if isinstance(value, str):
        return value, None
    parts = tuple(value) if isinstance(value, Iterable) else ()
    if len(parts) == 2 and isinstance(parts[0], str) and isinstance(parts[1], int | float):
        return parts[0], float(parts[1])
    if not parts or not all(isinstance(one, str) for one in parts):
        raise DataError(f"{where}: {value!r:.60} where a phrase belongs")
    return parts, None
