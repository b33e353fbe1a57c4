"""Items in numbered chunks: the unit of work, of resuming and of output.

Where a chunk begins and ends depends on the items and on the `Plan` alone, so chunk 17 is the same however often a run
was killed. A chunk is full when it has a number of documents, or a number of characters, so no chunk takes much longer
than another.
"""

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import NamedTuple

from phrasemill.engine.inputs import Item, Unit, Unread, name_of
from phrasemill.errors import ConfigError
from phrasemill.readers.sniffing import BY_EXTENSION, CONTAINERS, extension_of
from phrasemill.types import Document

# Bytes of a PDF or an office file, with its pictures and fonts, that count as one character.
BYTES_PER_CHARACTER = 16


@dataclass(frozen=True, slots=True)
class Plan:
    """How many documents or characters fill a chunk. Of files that whoever works on them reads, bytes count."""

    documents: int = 1_000
    characters: int = 1_000_000

    def __post_init__(self) -> None:
        for what in ("documents", "characters"):
            if getattr(self, what) < 1:
                raise ConfigError(f"{what} of a part must be at least 1, got {getattr(self, what)}")


class Chunk(NamedTuple):
    """Pickled items; the payload is empty if the chunk is done. `weight` is in bytes of the inputs, and `first` the
    name of its first item."""

    number: int
    payload: bytes
    documents: int
    digest: str
    weight: int
    first: str


def chunks(items: Iterable[tuple[Item, int]], plan: Plan, is_done: Callable[[int], bool]) -> Iterator[Chunk]:
    """Yield the chunks of items, each of which comes with the bytes of the inputs that were read until then."""
    held: list[Item] = []
    number = characters = before = read = 0
    for item, read in items:
        held.append(item)
        characters += _characters(item)
        if len(held) >= plan.documents or characters >= plan.characters:
            yield _chunk(number, held, read - before, done=is_done(number))
            held, number, characters, before = [], number + 1, 0, read
    if held:
        yield _chunk(number, held, read - before, done=is_done(number))


def _chunk(number: int, items: list[Item], weight: int, *, done: bool) -> Chunk:
    digest = blake2b(digest_size=16)
    for item in items:
        # With lengths, so that text that moves from one field or item to the next changes the digest.
        match item:
            case Document(id, text, title, language):
                head = f"{len(id)} {len(title)} {len(text)} {language} {id}"
                digest.update(head.encode() + title.encode() + text.encode())
            case Unit(name, data):
                digest.update(f"{len(name)} {len(data)} {name}".encode("utf-8", "replace"))
                digest.update(data)
            case Unread(id):
                digest.update(f"{len(id)} {id}".encode())
    payload = b"" if done else pickle.dumps(items)
    return Chunk(number, payload, len(items), digest.hexdigest(), weight, name_of(items[0]))


def _characters(item: Item) -> int:
    match item:
        case Document():
            return len(item.text) + len(item.title)
        case Unit(name, data):
            is_text = BY_EXTENSION.get(extension_of(name)) not in CONTAINERS
            return len(data) // (1 if is_text else BYTES_PER_CHARACTER)
    return 0
