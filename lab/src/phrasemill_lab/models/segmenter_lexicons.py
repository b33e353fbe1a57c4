"""Word lists for the segmenters of Chinese and Japanese, out of maintained packages.

A word's class is what the model learns from, not what it answers. Chinese: a cluster of word vectors for the words of
LAC (Baidu, Apache-2.0), whose vectors were trained to tag words, and for the other words of jieba's dictionary (MIT)
their parts of speech. Japanese: parts of speech and inflected forms of the short units into which UniDic (BSD, package
unidic-lite with fugashi) cuts the words of wordfreq's list (CC BY-SA 4.0).
"""

import struct
from collections import Counter, defaultdict
from collections.abc import Iterator
from heapq import nlargest
from pathlib import Path
from typing import Any

import numpy as np
from phrasemill.kernels.segmenter import LISTED

from phrasemill_lab.models.sources import word_frequencies

MOST_CLASSES = 254
CLUSTERS = 64
DIMENSIONS = 128  # of LAC's vectors


def chinese(size: int, lac: Path) -> dict[str, str]:
    """Return the class of each of jieba's `size` most frequent words, and of those in the folder `lac_model` of LAC."""
    import jieba

    rows = []
    for line in Path(jieba.__file__).with_name("dict.txt").read_text("utf-8").splitlines():
        word, count, part = line.split(" ")
        if len(word) <= LISTED and word[0] >= "\u3400":
            rows.append((-int(count), word, part))
    return _few_classes({word: part for _, word, part in sorted(rows)[:size]} | dict(_clusters(lac)))


def _clusters(lac: Path) -> Iterator[tuple[str, str]]:
    from sklearn.cluster import MiniBatchKMeans

    entries = (line.split("\t") for line in (lac / "conf" / "word.dic").read_text("utf-8").split("\n"))
    numbers = {entry[1]: int(entry[0]) for entry in entries if len(entry) == 2}
    words = [word for word in numbers if 0 < len(word) <= LISTED and all("\u3400" <= c <= "\u9fff" for c in word)]
    vectors = _vectors(lac / "model" / "word_emb")[[numbers[word] for word in words]]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = MiniBatchKMeans(CLUSTERS, n_init=3, random_state=1, batch_size=4096).fit_predict(vectors)
    return ((word, f"cluster {number}") for word, number in zip(words, found, strict=True))


def _vectors(path: Path) -> Any:
    """Return the rows of a tensor that Paddle wrote: version, levels, version, description, numbers."""
    content = path.read_bytes()
    place = 12
    for _ in range(struct.unpack_from("<Q", content, 4)[0]):
        place += 8 + struct.unpack_from("<Q", content, place)[0]
    place += 8 + struct.unpack_from("<i", content, place + 4)[0]
    return np.frombuffer(content, np.float32, offset=place).reshape(-1, DIMENSIONS)


def japanese(size: int) -> dict[str, str]:
    """Return the class of each of the `size` most frequent short units."""
    from fugashi import Tagger

    tagger = Tagger()
    frequency: dict[str, float] = defaultdict(float)
    parts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for word, share in word_frequencies("ja").items():
        for unit in tagger(word):
            if len(unit.surface) <= LISTED and unit.surface[0] > "\u3040" and unit.feature.pos1 != "補助記号":
                frequency[unit.surface] += share
                parts[unit.surface][_part(unit.feature)] += share
    classes = {}
    for word in nlargest(size, frequency, key=lambda word: frequency[word]):
        names = nlargest(2, parts[word], key=lambda name: parts[word][name])
        classes[word] = "|".join(name for name in names if parts[word][name] > frequency[word] / 20)
    return _few_classes(classes)


def _part(feature: Any) -> str:
    """Return the part of speech and inflected form of a UniDic unit."""
    form = (feature.cForm or "").split("-")[0]
    return "-".join(part for part in (feature.pos1, feature.pos2, feature.pos3, form) if part and part != "*")


def _few_classes(classes: dict[str, str]) -> dict[str, str]:
    names = {name for name, _ in Counter(classes.values()).most_common(MOST_CLASSES)}
    return {word: name if name in names else "other" for word, name in classes.items()}


def simplified() -> dict[str, str]:
    """Return the simplified character of each traditional one (OpenCC, Apache-2.0)."""
    import opencc

    folder = Path(opencc.__file__).parent / "dictionary"
    rows = (line.split("\t") for line in (folder / "TSCharacters.txt").read_text("utf-8").splitlines())
    pairs = ((traditional, simple.split(" ")[0]) for traditional, simple in rows)
    return {one: other for one, other in sorted(pairs) if one != other and max(one, other) <= "\uffff"}
