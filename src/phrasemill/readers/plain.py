"""Plain text, in any encoding."""

from phrasemill.readers.decoding import decode
from phrasemill.types import Document


def read(data: bytes, *, name: str) -> Document:
    return Document(id=name, text=decode(data, name=name))
