"""A collection's tags: what was learned of them, what was decided, and what to suggest.

A file of tags has the numbers of the library and of the model as arrays, and all else as JSON. Nothing in it can run
code. It is replaced as a whole, under a lock: readers see the old one or the new one, and of two changes at a time none
is lost.
"""

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from phrasemill.errors import ConfigError, InputError, ModelError
from phrasemill.sets.abbreviations import definitions
from phrasemill.sources import as_document
from phrasemill.tags import storage
from phrasemill.tags.features import NOTHING, read
from phrasemill.tags.library import Entry, Library
from phrasemill.tags.model import TagModel
from phrasemill.tags.review import Proposal, proposals
from phrasemill.tags.sources import TagReader, cleaned, labels_of
from phrasemill.tags.suggestions import TagSuggestions, distinct, new_tags, phrases_of
from phrasemill.tags.wordings import KnownTags, folded
from phrasemill.types import Document

LIMIT, THRESHOLD = 8, 0.1  # tags that are listed, and the least probability of one
NEW, SUPPORT = 3, 3  # new tags that are listed, and the fewest documents of one
STRINGS = "strings"
TYPECODES = {"uint8": "B", "int32": "i", "uint32": "I", "int64": "q", "float32": "f"}

Pair = tuple[str | Document, Sequence[str]]


class Tags:
    """The tags of a collection."""

    def __init__(self) -> None:
        self.library = Library()
        self._model = TagModel(self.library)
        self._known: KnownTags | None = None  # until a tag comes or goes

    @classmethod
    def learn(cls, sources: "str | Path | Iterable[str | Path | Pair]", *, field: str | None = None) -> "Tags":
        """Learn from files and folders, or from pairs of a text and its tags.

        `field` names the column or the front-matter key that contains the tags; by default it is one of the usual
        names. A source that cannot be read raises an `InputError`.
        """
        if not isinstance(sources, Iterable | Path):
            raise InputError(f"expected files, folders or pairs of a text and its tags, got {type(sources).__name__}")
        given = [sources] if isinstance(sources, str | Path) else list(sources)
        names = [one for one in given if isinstance(one, str | Path)]
        found = cls()
        if names:
            found.add_from(TagReader(_raise, field), names)
        found.add(one for one in given if not isinstance(one, str | Path))
        return found

    def add(self, documents: Iterable[Pair]) -> None:
        """Learn more documents with their tags. A document with a known id replaces the earlier one."""
        # All are checked before the first is learned.
        self._learn([(_identified(source), tags_in(tags)) for source, tags in map(_pair, documents)])

    def add_from(self, reader: TagReader, names: Iterable[str | Path]) -> None:
        """Learn what a reader finds in files and folders."""
        self._learn((one.document, one.tags) for one in reader.read(names))
        for concept in reader.concepts:
            self.library.declare(*labels_of(concept))

    def _learn(self, documents: Iterable[tuple[Document, Sequence[str]]]) -> None:
        for document, tags in documents:
            self._keep(document, self.library.applied(tags))
            self.library.abbreviations.update(definitions([document.content]))
        self._model, self._known = TagModel(self.library), None

    def _keep(self, document: Document, tags: Iterable[str], refused: Iterable[str] = ()) -> None:
        tags, refused = tuple(tags), tuple(refused)
        phrases = phrases_of(document)
        for form, keyphrase in phrases.items():
            self.library.wordings.setdefault(form, keyphrase.text)
        features, language = NOTHING, document.language  # without tags, a document says nothing about any
        if tags or refused:
            reading = read(document)
            features, language = reading.features, reading.language
        self.library.add(document.id, Entry(language, features, tags, refused, tuple(phrases)))

    @property
    def counts(self) -> dict[str, int]:
        """The number of documents with each tag, most used first."""
        return self.library.counts()

    def suggest(self, source: str | Document, *, has: Sequence[str] | None = None, **options: Any) -> TagSuggestions:
        """Return the suggestions for one text, with the options of `suggest_all`.

        `has` are the tags that the document already has, by default those that were learned with it; they are marked.
        """
        return self.suggest_all([source], has=None if has is None else [has], **options)[0]

    def suggest_all(
        self,
        sources: Sequence[str | Document],
        *,
        limit: int = LIMIT,
        threshold: float = THRESHOLD,
        new: int = NEW,
        support: int = SUPPORT,
        has: Sequence[Sequence[str]] | None = None,
    ) -> list[TagSuggestions]:
        """Return existing tags for several texts, best first, then at most `new` new ones for each.

        A new tag is a keyphrase of at least `support` documents, those at hand together with those that were learned.
        """
        if limit < 1 or new < 0 or support < 1:
            raise ConfigError("limit and support must be at least 1, and new at least 0")
        if not 0 <= threshold <= 1:
            raise ConfigError(f"threshold is a probability, from 0 to 1, got {threshold:g}")
        library = self.library
        documents = list(map(_identified, sources))
        own = [phrases_of(document) if new else {} for document in documents]
        unseen = Counter(
            form for document, phrases in zip(documents, own, strict=True) for form in phrases
            if document.id not in library.documents
        )  # fmt: skip
        if self._known is None:
            self._known = KnownTags([*library.synonyms, *library.renames])
        found = []
        for number, (document, phrases) in enumerate(zip(documents, own, strict=True)):
            entry = library.documents.get(document.id)
            present = library.applied(tags_in(has[number])) if has is not None else entry.tags if entry else ()
            likely = [one for one in self._model.suggest(document, limit=2 * limit) if one.probability >= threshold]
            tags = [replace(one, present=one.tag in present) for one in distinct(likely)[:limit]]
            candidates = (
                (library.wordings.get(form, one.text), one, library.support(form, without=document.id) + unseen[form])
                for form, one in phrases.items() if folded(one.text) not in library.refused_tags
            )  # fmt: skip
            extra = new_tags(candidates, known=self._known, least=support, most=new)
            found.append(TagSuggestions(document.id, tuple(tags), extra))
        return found

    def feedback(
        self,
        source: str | Document,
        *,
        accept: Sequence[str] = (),
        refuse: Sequence[str] = (),
        add: Sequence[str] = (),
    ) -> None:
        """Record which tags of a document are right, and learn from it. `add` are tags that were not suggested."""
        document, library = _identified(source), self.library
        accepted, refused = [*tags_in(accept), *tags_in(add)], tags_in(refuse)
        both = set(refused) & set(accepted)
        if both:
            raise ConfigError(f"the tag {sorted(both)[0]!r} is both accepted and refused")
        if not (accepted or refused):
            raise ConfigError("feedback needs a tag to accept, to refuse or to add")
        old = library.documents.get(document.id)
        tags = [tag for tag in dict.fromkeys([*(old.tags if old else ()), *accepted]) if tag not in refused]
        refusals = dict.fromkeys([*(old.refused if old else ()), *refused])
        library.refused_tags |= {folded(tag) for tag in refused if tag not in library.synonyms}
        self._keep(document, tags, (tag for tag in refusals if tag not in tags))
        library.give(document.id, accepted, refused=refused)
        self._model.changed()
        self._known = None

    def review(self, *, kinds: Iterable[str] | None = None) -> list[Proposal]:
        """Return proposals to merge, split and remove tags, without those that were refused."""
        if isinstance(kinds, str):
            raise ConfigError(f"kinds takes a list, got the string {kinds!r}")
        return proposals(self.library, kinds=kinds)

    def accept(self, accepted: Iterable[Proposal]) -> None:
        """Apply proposals: documents, suggestions and later calls of `apply` follow them."""
        for one in accepted:
            self.library.rename(one.old, self.library.applied(one.new))
        self._model.changed()
        self._known = None

    def refuse(self, refused: Iterable[Proposal]) -> None:
        """Never make these proposals again."""
        self.library.refused |= {one.key for one in refused}

    def save(self, path: str | Path) -> None:
        """Write the tags to a file, which is replaced as a whole once the new one is complete."""
        columns = self._model.columns()
        record = {"library": self.library.record(), "model": self._model.record()}
        text = json.dumps(record, ensure_ascii=False).encode("utf-8", "replace")
        columns[STRINGS] = np.frombuffer(text, np.uint8)
        buffers: dict[str, array[Any]] = {}
        for name, column in columns.items():
            buffers[name] = array(TYPECODES[column.dtype.name])
            buffers[name].frombytes(column.tobytes())
        storage.write(Path(path), buffers)

    @classmethod
    def open(cls, path: str | Path) -> "Tags":
        """Read a file of tags. Raise a `ModelError` if it is not one."""
        file = storage.load(Path(path))
        found = cls()
        try:
            columns = {name: np.asarray(column) for name, column in file.buffers.items()}
            record = json.loads(columns.pop(STRINGS).tobytes())
            found.library = Library.of(record["library"], columns)
            found._model = TagModel.of(found.library, columns, record["model"])
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise ModelError(f"{path}: damaged, or of another version ({error})") from None
        return found


def tags_in(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the tags of a document, checked: a bare string would be its letters."""
    is_list = isinstance(tags, Iterable) and not isinstance(tags, str)
    found = list(tags) if is_list else [tags]
    odd = [one for one in found if not (is_list and isinstance(one, str))]
    if odd:
        raise InputError(f"tags are a list of strings, got {type(odd[0]).__name__} {odd[0]!r:.60}")
    return cleaned(map(str, found))


def _pair(given: object) -> Pair:
    if not (isinstance(given, tuple | list) and len(given) == 2):
        raise InputError(f"expected a pair of a text and its tags, got {type(given).__name__} {given!r:.60}")
    return given[0], given[1]


def _identified(source: str | Document) -> Document:
    """Return a document with an id: that of its text where it has none."""
    document = as_document(source)
    if document.id:
        return document
    id_ = f"text:{blake2b(document.content.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
    return Document(id_, document.text, document.title, document.language)


@contextmanager
def changing(path: str | Path) -> Iterator[Tags]:
    """Open a file of tags to change it, alone: it is saved at the end, and others wait until then."""
    with storage.locked(Path(path)):
        tags = Tags.open(path)
        yield tags
        tags.save(path)


def _raise(error: Exception) -> None:
    raise error
