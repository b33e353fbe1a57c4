"""What is scored: phrases by document id, one system's or the gold."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from phrasemill.errors import InputError
from phrasemill.text.languages.detect import language_of
from phrasemill.types import Document, Keyphrase, Reference

Listed: TypeAlias = "Mapping[str, Sequence[str | Keyphrase | Sequence[str]]]"
CHECKSUM_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Answers:
    """Phrases by document id: best first for a system; for gold, each may be a tuple of interchangeable wordings.

    `texts` are the documents, if known: they decide which phrases are present. `scores` are those of the system, if
    any. `stemmed` marks phrases that are stems already. `languages` are those that the documents name.
    """

    name: str
    phrases: Mapping[str, tuple[Reference, ...]]
    scores: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    stemmed: bool = False
    languages: Mapping[str, str] = field(default_factory=dict)

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


def as_answers(given: "Answers | Listed | Iterable[Document]", *, name: str) -> Answers:
    """Mappings of ids to phrases, and documents with their references, as answers."""
    if isinstance(given, Answers):
        return given
    if isinstance(given, Mapping):
        phrases = {id_: tuple(map(_reference, listed)) for id_, listed in given.items()}
        scores = {
            id_: tuple(one.score for one in listed if isinstance(one, Keyphrase))
            for id_, listed in given.items()
            if listed and all(isinstance(one, Keyphrase) for one in listed)
        }
        return Answers(name, phrases, scores)
    documents = list(given)
    texts = {document.id: document.content for document in documents}
    if len(texts) < len(documents):
        raise InputError(f"{name}: {len(documents) - len(texts)} documents share the id of another")
    languages = {document.id: document.language for document in documents if document.language}
    phrases = {document.id: document.references for document in documents}
    return Answers(name, phrases, texts=texts, languages=languages)


def _reference(value: "str | Keyphrase | Sequence[str]") -> Reference:
    if isinstance(value, Keyphrase):
        return value.text
    return value if isinstance(value, str) else tuple(value)
