"""Phrases as vectors, for `match='semantic'`: a model2vec folder, or a text file of word vectors (GloVe, word2vec)."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from phrasemill.errors import InputError, MissingExtra


class Embeddings:
    """Unit vectors of phrases, each worked out once. A phrase without a known word has the zero vector."""

    def __init__(self, path: str) -> None:
        place = Path(path)
        if not place.exists():
            raise InputError(f"{path}: no such file or folder of embeddings")
        self._model = _model2vec(place) if place.is_dir() else None
        self._words = {} if self._model else _read_vectors(place)
        self._kept: dict[str, Any] = {}

    def cosines(self, phrases: Iterable[str], others: Iterable[str]) -> Any:
        """The cosine of each of `phrases` (rows) with each of `others` (columns)."""
        import numpy as np

        rows, columns = [self._unit(p) for p in phrases], [self._unit(p) for p in others]
        return np.stack(rows) @ np.stack(columns).T if rows and columns else np.zeros((len(rows), len(columns)))

    def _unit(self, phrase: str) -> Any:
        vector = self._kept.get(phrase)
        if vector is None:
            vector = self._vector(phrase)
            length = float((vector @ vector) ** 0.5)
            vector = self._kept[phrase] = vector / length if length else vector
        return vector

    def _vector(self, phrase: str) -> Any:
        import numpy as np

        if self._model is not None:
            return self._model.encode([phrase])[0]
        known = [self._words[word] for word in phrase.split() if word in self._words]
        size = len(next(iter(self._words.values())))
        return np.mean(known, axis=0) if known else np.zeros(size)


def _model2vec(place: Path) -> Any:
    try:
        from model2vec import StaticModel
    except ImportError:
        raise MissingExtra("model2vec", "semantic", purpose="a folder of embeddings") from None
    try:
        return StaticModel.from_pretrained(str(place))
    except Exception as error:  # whatever that library raises for a folder that is not a model
        raise InputError(f"{place}: not a model2vec folder ({type(error).__name__})") from None


def _read_vectors(place: Path) -> dict[str, Any]:
    """A word and its numbers on each line; word2vec's first line of two counts is skipped."""
    import numpy as np

    words: dict[str, Any] = {}
    size = 0
    with place.open(encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            word, *numbers = line.split() or [""]
            if not word or (number == 1 and len(numbers) == 1):
                continue
            try:
                words[word] = np.array(numbers, dtype="float64")
            except ValueError:
                raise InputError(f"{place}: line {number} is not a word and its numbers") from None
            if len(numbers) != (size := size or len(numbers)):
                raise InputError(f"{place}: line {number} has {len(numbers)} numbers, the others {size}")
    if not words:
        raise InputError(f"{place}: no word vectors")
    return words


@cache
def embeddings(path: str) -> Embeddings:
    """The embeddings at `path`, loaded once."""
    return Embeddings(path)
