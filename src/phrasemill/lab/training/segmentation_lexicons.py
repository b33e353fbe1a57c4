"""Word lists for the segmenters of Chinese and Japanese, out of maintained packages.

Chinese: jieba's dictionary (MIT), its words with their frequencies and parts of speech. Japanese: the short units into
which UniDic (BSD, package unidic-lite with fugashi) cuts the words of wordfreq's list (CC BY-SA 4.0). A word's class
is its part of speech and how frequent it is: what the model learns from, not what it answers.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from heapq import nlargest
from pathlib import Path
from typing import Any

from phrasemill.kernels.segmentation import LISTED

MOST_CLASSES = 254
BANDS = (30, 300, 3_000)  # occurrences in jieba's count between which words are rare, known, common and frequent


def lexicon(language: str, size: int) -> dict[str, str]:
    """Return the class of each of the `size` most frequent words of a language."""
    entries = {"zh": _chinese, "ja": _japanese}[language](size)
    classes = dict(entries)
    names = {name for name, _ in Counter(classes.values()).most_common(MOST_CLASSES)}
    return {word: name if name in names else "other" for word, name in classes.items()}


def _chinese(size: int) -> Iterator[tuple[str, str]]:
    import jieba

    rows = []
    for line in Path(jieba.__file__).with_name("dict.txt").read_text("utf-8").splitlines():
        word, count, part = line.split(" ")
        if len(word) <= LISTED and word[0] >= "\u3400":
            rows.append((-int(count), word, part))
    for negative, word, part in sorted(rows)[:size]:
        yield word, f"{part}{sum(-negative >= band for band in BANDS)}"


def _japanese(size: int) -> Iterator[tuple[str, str]]:
    from fugashi import Tagger
    from wordfreq import get_frequency_dict

    tagger = Tagger()
    frequency: dict[str, float] = defaultdict(float)
    parts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for word, share in get_frequency_dict("ja", wordlist="best").items():
        for unit in tagger(word):
            if len(unit.surface) <= LISTED and unit.surface[0] > "\u3040" and unit.feature.pos1 != "補助記号":
                frequency[unit.surface] += share
                parts[unit.surface][unit_class(unit)] += share
    for word in nlargest(size, frequency, key=lambda word: frequency[word]):
        names = nlargest(2, parts[word], key=lambda name: parts[word][name])
        yield word, "|".join(name for name in names if parts[word][name] > frequency[word] / 20)


def unit_class(unit: Any) -> str:
    """Return the part of speech and inflected form of a UniDic unit."""
    feature = unit.feature
    form = (feature.cForm or "").split("-")[0]
    return "-".join(part for part in (feature.pos1, feature.pos2, feature.pos3, form) if part and part != "*")


def variants(language: str) -> dict[str, str]:
    """Return the simplified character of each traditional one (OpenCC, Apache-2.0) for Chinese; none for Japanese."""
    if language != "zh":
        return {}
    import opencc

    folder = Path(opencc.__file__).parent / "dictionary"
    rows = (line.split("\t") for line in (folder / "TSCharacters.txt").read_text("utf-8").splitlines())
    pairs = ((traditional, simplified.split(" ")[0]) for traditional, simplified in rows)
    return {one: other for one, other in sorted(pairs) if one != other and max(one, other) <= "\uffff"}
