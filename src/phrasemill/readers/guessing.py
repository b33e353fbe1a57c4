"""Which field of records is the text, where none has a usual name: the only one that reads like a text.

The first records decide, a hundred at most. A field reads like a text if its strings have at least five words on
average, and three times as many as those of any other field. A word is what stands between spaces and has a letter in
it, or two characters of a script that is written without spaces. Titles, ids and languages are out of the question.
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

SAMPLE = 100  # records
MOST_CHARACTERS = 1 << 20  # of them
LEAST_WORDS, BY_FAR = 5, 3
WORD = re.compile(r"(?<!\S)\S*?[^\W\d_]\S*")
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")

T = TypeVar("T")


def only_text(records: Iterable[Mapping[str, object]], taken: Iterable[str]) -> str:
    """Return the only field that reads like a text, besides those `taken` for something else, or ""."""
    words: Counter[str] = Counter()
    count = 0
    for record in records:
        count += 1
        for name, value in record.items():
            if isinstance(value, str):
                words[name] += len(WORD.findall(value)) + len(UNSPACED.findall(value)) // 2
    for name in taken:
        del words[name]
    (best, most), (_, second) = (*words.most_common(2), ("", 0), ("", 0))[:2]
    return best if most >= LEAST_WORDS * count and most >= BY_FAR * second else ""


class Ahead(Iterator[T]):
    """An iterator that can look ahead; an error that it meets there is raised in its place."""

    def __init__(self, items: Iterable[T]) -> None:
        self._items = iter(items)
        self._held: deque[T] = deque()
        self._error: Exception | None = None

    def __next__(self) -> T:
        if self._held:
            return self._held.popleft()
        if self._error is not None:
            raise self._error
        return next(self._items)

    def look(self) -> Iterator[T]:
        """Yield the next items, which are not passed by that."""
        while self._error is None:
            try:
                one = next(self._items)
            except StopIteration:
                return
            except Exception as error:
                self._error = error
                return
            self._held.append(one)
            yield one
