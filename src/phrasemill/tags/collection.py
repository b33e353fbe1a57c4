"""A collection's tags: what was learned of them, what was decided, and what to suggest.

A file of tags has the arrays of the model and of the usage, and bytes of JSON. Nothing in it can run code. It is
replaced as a whole, under a lock: readers see the old one or the new one, and of two changes at a time none is lost.
"""

import json
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

from phrasemill.errors import ConfigError, InputError, ModelError
from phrasemill.models import Tensors
from phrasemill.sets.abbreviations import definitions
from phrasemill.sources import as_document
from phrasemill.tags import storage
from phrasemill.tags.decisions import Decisions
from phrasemill.tags.known_tags import KnownTags
from phrasemill.tags.model import TagModel
from phrasemill.tags.reading import ReadCounts, TagReader, cleaned, labels_of
from phrasemill.tags.review import Proposal, proposals
from phrasemill.tags.suggestions import TagSuggestions, distinct, new_tags
from phrasemill.tags.usage import Usage, phrases_of
from phrasemill.tags.wordings import folded
from phrasemill.types import Document

LIMIT, THRESHOLD = 8, 0.1  # tags that are listed, and the least probability of one
NEW, SUPPORT = 3, 3  # new tags that are listed, and the fewest documents of one
MODEL, USAGE, STRINGS = "model ", "usage ", "strings "  # before the names of arrays


class Tags:
    """The tags of a collection."""

    def __init__(self) -> None:
        self.model, self.usage, self.decisions = TagModel(), Usage(), Decisions()
        self.read = ReadCounts()
        self._known: KnownTags | None = None  # until a tag comes or goes

    @classmethod
    def learn(
        cls,
        sources: "str | Path | Iterable[str | Path | tuple[str | Document, Sequence[str]]]",
        *,
        field: str | None = None,
    ) -> "Tags":
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
        pairs = [one for one in given if not isinstance(one, str | Path)]
        if pairs:
            found.add(pairs)
        return found

    def add(self, documents: Iterable[tuple[str | Document, Sequence[str]]]) -> None:
        """Learn more documents with their tags. A document with a known id replaces the earlier one."""
        # All are checked before the first is learned.
        self._learn([(_identified(as_document(source)), tags_in(tags)) for source, tags in map(_pair, documents)])

    def add_from(self, reader: TagReader, names: Iterable[str | Path]) -> None:
        """Learn what a reader finds in files and folders."""
        self.read = reader.counts
        self._learn((one.document, one.tags) for one in reader.documents(names))
        for concept in reader.concepts:
            self._declare(*labels_of(concept))

    def _learn(self, documents: Iterable[tuple[Document, Sequence[str]]]) -> None:
        def recorded() -> Iterator[tuple[Document, Sequence[str]]]:
            for document, tags in documents:
                kept = self.decisions.applied(tags)
                self.usage.add(document.id, kept, [(form, one.text) for form, one in phrases_of(document)])
                self.usage.abbreviations.update(definitions([document.content]))
                if kept:
                    yield document, kept

        self.model.learn(recorded())
        self._known = None

    def _declare(self, tag: str, synonyms: Sequence[str]) -> None:
        """Add a tag of a vocabulary, with other names for it."""
        self.model.add_tags([tag], {tag: synonyms})
        self.usage.declare(tag)
        self._known = None

    def _known_tags(self) -> KnownTags:
        if self._known is None:
            self._known = KnownTags([*self.counts, *self.decisions.renames])
        return self._known

    @property
    def counts(self) -> dict[str, int]:
        """The number of documents with each tag, most used first."""
        return self.usage.tags()

    def suggest(
        self,
        source: str | Document,
        *,
        limit: int = LIMIT,
        threshold: float = THRESHOLD,
        new: int = NEW,
        support: int = SUPPORT,
        has: Sequence[str] = (),
    ) -> TagSuggestions:
        """Return existing tags for a text, best first, then at most `new` new ones, each supported by at least
        `support` documents.

        `has` are the tags that the document already has, which are marked in the result.
        """
        (found,) = self.suggest_all(
            [source], limit=limit, threshold=threshold, new=new, support=support, has=[tags_in(has)]
        )
        return found

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
        """Return the suggestions for several texts. A new tag may be supported by all of them together."""
        if limit < 1 or new < 0 or support < 1:
            raise ConfigError("limit and support must be at least 1, and new at least 0")
        if not 0 <= threshold <= 1:
            raise ConfigError(f"threshold is a probability, from 0 to 1, got {threshold:g}")
        documents = [_identified(as_document(source)) for source in sources]
        own = [phrases_of(document) if new else [] for document in documents]
        unseen: Counter[str] = Counter()
        for document, phrases in zip(documents, own, strict=True):
            if document.id not in self.usage:
                unseen.update(form for form, _ in phrases)
        known = self._known_tags() if new else KnownTags(())
        found = []
        for number, (document, phrases) in enumerate(zip(documents, own, strict=True)):
            likely = [one for one in self.model.suggest(document, limit=2 * limit) if one.probability >= threshold]
            extra = new_tags(
                phrases,
                usage=self.usage,
                id_=document.id,
                given=lambda form: unseen[form],
                known=known,
                refused=self.decisions.refused_tags,
                least=support,
                most=new,
            )
            present = self.usage.tags_of(document.id) if has is None else self.decisions.applied(has[number])
            found.append(TagSuggestions(document.id, distinct(likely)[:limit], extra, tuple(present)))
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
        document = _identified(as_document(source))
        accepted, refused, added = map(tags_in, (accept, refuse, add))
        both = set(refused) & {*accepted, *added}
        if both:
            raise ConfigError(f"the tag {sorted(both)[0]!r} is both accepted and refused")
        if not (accepted or refused or added):
            raise ConfigError("feedback needs a tag to accept, to refuse or to add")
        self._known = None
        self.model.feedback(document, accepted=accepted, refused=refused, added=added)
        before = [tag for tag in self.usage.tags_of(document.id) if tag not in refused]
        phrases = [(form, one.text) for form, one in phrases_of(document)]
        self.usage.add(document.id, dict.fromkeys([*before, *accepted, *added]), phrases)
        self.decisions.give(document.id, [*accepted, *added], refused=refused)
        known = self.counts
        self.decisions.refused_tags |= {folded(tag) for tag in refused if tag not in known}

    def review(self, *, kinds: Iterable[str] | None = None) -> list[Proposal]:
        """Return proposals to merge, split and remove tags, without those that were refused."""
        if isinstance(kinds, str):
            raise ConfigError(f"kinds takes a list, got the string {kinds!r}")
        return proposals(self.usage, refused=self.decisions.refused, kinds=kinds)

    def accept(self, accepted: Iterable[Proposal]) -> None:
        """Apply proposals: documents, suggestions and later calls of `apply` follow them."""
        self._known = None
        known = set(self.model.tags)
        for one in accepted:
            target = self.decisions.applied(one.new)
            self.decisions.accept(one.old, target)
            self.usage.rename(one.old, target)
            if one.old in known and target:
                self.model.rename(one.old, target[-1])  # which the end of `python/testing` names
            elif one.old in known:
                self.model.remove(one.old)

    def refuse(self, refused: Iterable[Proposal]) -> None:
        """Never make these proposals again."""
        self.decisions.refused |= {one.key for one in refused}

    def save(self, path: str | Path) -> None:
        """Write the tags to a file, which is replaced as a whole once the new one is complete."""
        arrays, described = self.model.to_tensors()
        columns, strings = self.usage.to_arrays()
        strings_of = {"model": described, "usage": strings, "decisions": self.decisions.record()}
        buffers: dict[str, array[Any]] = {f"{USAGE}{name}": column for name, column in columns.items()}
        buffers |= {f"{MODEL}{name}": values for name, values in arrays.items()}
        for name, value in strings_of.items():
            buffers[f"{STRINGS}{name}"] = storage.as_bytes(value)
        storage.write(Path(path), buffers)

    @classmethod
    def open(cls, path: str | Path) -> "Tags":
        """Read a file of tags. Raise a `ModelError` if it is not one."""
        file = storage.load(Path(path))
        found = cls()
        try:
            strings = {name: _parsed(file[f"{STRINGS}{name}"]) for name in ("model", "usage", "decisions")}
            found.model = TagModel.from_tensors(_named(file, MODEL), strings["model"])
            found.usage = Usage.from_arrays(_named(file, USAGE), strings["usage"])
            found.decisions = Decisions.from_record(strings["decisions"])
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


def _pair(given: object) -> "tuple[str | Document, Sequence[str]]":
    if not (isinstance(given, tuple | list) and len(given) == 2):
        raise InputError(f"expected a pair of a text and its tags, got {type(given).__name__} {given!r:.60}")
    return given[0], given[1]


def _identified(document: Document) -> Document:
    """Return a document with an id: that of its text where it has none."""
    if document.id:
        return document
    id_ = f"text:{blake2b(document.content.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"
    return Document(id_, document.text, document.title, document.language)


def _named(file: Tensors, prefix: str) -> dict[str, Any]:
    """Return the arrays whose names begin with `prefix`, without it."""
    return {name.removeprefix(prefix): one for name, one in file.buffers.items() if name.startswith(prefix)}


def _parsed(data: memoryview) -> Any:
    return json.loads(bytes(data))


@contextmanager
def changing(path: str | Path) -> Iterator[Tags]:
    """Open a file of tags to change it, alone: it is saved at the end, and others wait until then."""
    with storage.locked(Path(path)):
        tags = Tags.open(path)
        yield tags
        tags.save(path)


def _raise(error: Exception) -> None:
    raise error
