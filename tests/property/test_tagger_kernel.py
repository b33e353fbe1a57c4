"""The tagger against a naive one, which hashes strings and adds up weights one by one."""

from array import array
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from phrasemill.kernels.tagger import Tagger, Word, manner

from phrasemill import models
from phrasemill.models import FOLDER, Tensors
from phrasemill.text.tag import load_tagger

LOWER, CAPITAL, CAPITALS, MIXED, DIGITS, MARK, LETTER, QUOTE = range(1, 9)
CONTEXT, AMBIGUOUS, LISTED = 5, 53, 54


def hashed(kind: int, values: Sequence[int], h: int = 2166136261) -> int:
    for value in (kind, *values):
        h = (h ^ value) * 16777619 % 2**32
    return h


def placed(feature: int, position: int) -> int:
    h = (feature ^ 1000 + position) * 16777619 % 2**32
    h = (h ^ h >> 16) * 0x85EBCA6B % 2**32
    h = (h ^ h >> 13) * 0xC2B2AE35 % 2**32
    return h ^ h >> 16


def codes(word: str) -> list[int]:
    return [ord("0") if c.isdigit() else ord("'") if c in "’‘" else ord(c) for c in word]


def kinds(word: str) -> str:
    return "".join("X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c for c in word)


def case(word: str) -> int:
    found = kinds(word)
    upper, lower = found.count("X"), found.count("x")
    if word == '"' or "d" in found:
        return QUOTE if word == '"' else DIGITS
    if not upper or not lower:
        return (LOWER if lower else MARK) if not upper else CAPITALS if upper > 1 else LETTER
    return CAPITAL if upper == 1 and found[0] == "X" else MIXED


def manner_of(cases: Sequence[int]) -> int:
    lower, capitals = cases.count(LOWER), cases.count(CAPITALS)
    capital = cases.count(CAPITAL) + cases.count(MIXED)
    if capitals >= 2 and not lower + capital:
        return 2
    if not capital + capitals:
        return 3
    return int(capital + capitals >= 2 and capital + capitals > lower)


def features(word: str, classes: bytes = b"") -> Iterator[tuple[int, int]]:
    """Yield features, and for how many neighbours on each side they count."""
    lower, written = codes(word.lower()), codes(word)
    shape = hashed(3, [ord(kind) for kind, _ in groupby(kinds(word))])
    yield hashed(2, lower), 2
    yield hashed(1, written), 0
    yield from ((hashed(20 + k, lower[:k]), 0) for k in range(1, 5) if k < len(lower))
    yield from ((hashed(10 + k, lower[-k:]), int(k in (2, 3))) for k in range(1, 6) if k < len(lower))
    hyphens = [k for k in range(1, len(lower) - 1) if lower[k] == ord("-")]
    if hyphens:
        yield hashed(4, lower[hyphens[-1] + 1 :]), 0
    if len(lower) > 3:
        yield hashed(5, lower[:-1] if lower[-1] == ord("s") else lower), 0
    yield shape, 1
    yield hashed(shape, lower[-2:]), 0
    for k, found in enumerate(classes):
        yield hashed(30 + k, [found]), 1
        yield hashed(40 + k, [found], shape), 0


class Table:
    """Rows by the highest bits of their hashes, and the lowest 16."""

    def __init__(self, buckets: Sequence[int], prints: Sequence[int], rows: Sequence[Any]) -> None:
        shift = 33 - len(buckets).bit_length()
        self.mask = ~((1 << shift) - 1) | 0xFFFF
        self.rows: dict[int, Any] = {}
        for bucket, (start, end) in enumerate(pairwise(buckets)):
            for i in range(start, end):
                self.rows.setdefault(bucket << shift | prints[i], rows[i])

    def find(self, feature: int, position: int) -> Any:
        return self.rows.get(placed(feature, position) & self.mask)


class Naive:
    def __init__(self, file: Tensors) -> None:
        self.tags = len(file.metadata["tags"].split()) + 1
        self.transitions = file["transitions"]
        self.width = self.tags if len(self.transitions) == self.tags**2 * (self.tags + 40) else 48
        entries, ends = list(zip(file["tags"], file["weights"], strict=True)), accumulate(file["counts"], initial=0)
        self.weights = Table(file["buckets"], file["prints"], [entries[a:b] for a, b in pairwise(ends)])
        self.columns = columns = int(file.metadata.get("columns", 0))
        if columns:
            classes = bytes(file["lexicon_classes"])
            rows = [classes[i : i + columns] for i in range(0, len(classes), columns)]
            self.listed = Table(file["lexicon_buckets"], file["lexicon_prints"], rows)

    def scores(self, words: Sequence[str], i: int, before: tuple[int, int], written: int, way: int) -> list[int]:
        """Return the scores of the tags of word `i`, whose two predecessors have these."""
        scores = [0] * self.tags
        for position in range(5):
            j = i + position - 2
            word = words[j] if 0 <= j < len(words) else "\0"
            classes = self.columns and self.listed.find(hashed(2, codes(word.lower())), LISTED)
            for feature, reach in features(word, classes or bytes(self.columns)):
                if abs(position - 2) <= reach:
                    for tag, weight in self.weights.find(feature, position) or ():
                        scores[tag] += weight
        name = hashed(2, codes(words[i].lower()))
        if self.weights.find(name, AMBIGUOUS) is not None:
            for tag, weight in self.weights.find(name, CONTEXT + before[1]) or ():
                scores[tag] += weight
        for row in (before[0], self.width + way * 10 + written):
            start = (row * self.width + before[1]) * self.width
            for tag in range(self.tags):
                scores[tag] += self.transitions[start + tag]
        return scores

    def tagged(self, words: Sequence[str]) -> list[int]:
        cases = [case(word) for word in words]
        before, found, quotes = (0, 0), list[int](), 0
        for i, written in enumerate(cases):
            quotes += written == QUOTE
            open_or_closed = written + (written == QUOTE and quotes % 2 == 0)
            scores = self.scores(words, i, before, open_or_closed, manner_of(cases))
            found.append(max(range(1, self.tags), key=lambda tag: (scores[tag], -tag)))
            before = before[1], found[-1]
        return found


@pytest.fixture(scope="module", params=["tagger", "tagger_de"])
def both(request: pytest.FixtureRequest) -> tuple[Tagger, Naive]:
    path = FOLDER / f"{request.param}.safetensors"
    return load_tagger(path), Naive(models.load(path))


WORDS = """that to 's in as The ( " " " ’s n’t IL-2 -- 1,000 3.5% İstanbul ß Ǆ ² état-major U.S. WHO A I house houses
Haus die Der und sie zu lesen gelesen wird Berlin real-time state-of-the- boxes taxes Axes 𝔘𝔫𝔦 ㎏ \0 "" bookS""".split()
sentences = st.lists(st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=8), max_size=3)


@given(sentences=sentences)
@example(sentences=[['"', "-", '"', "is", '"', "it", ","]])  # the third quote opens
@settings(deadline=None)
def test_tags_are_those_of_the_naive_tagger(both: tuple[Tagger, Naive], sentences: list[list[str]]) -> None:
    tagger, naive = both[0].fresh(), both[1]
    words = [word for sentence in sentences for word in sentence]
    tagger.add_all(words[: len(words) // 2])
    tagger.add_all(words[len(words) // 2 :])
    out = array("B", bytes(len(words)))
    tagger.tag(array("i", range(len(words))), array("i", accumulate(map(len, sentences))), out)
    assert out.tolist() == [tag for sentence in sentences for tag in naive.tagged(sentence)]


@given(word=st.sampled_from(WORDS) | st.text(), cases=st.lists(st.integers(1, 8), max_size=6))
def test_features_and_ways_to_write_are_the_naive_ones(word: str, cases: list[int]) -> None:
    found = [
        [placed(feature, p) for feature, reach in features(word, b"\5\0") if abs(p - 2) <= reach] for p in range(5)
    ]
    assert list(map(sorted, Word(word).features(b"\5\0"))) == list(map(sorted, found))
    assert Word(word).case == case(word)
    assert manner(bytes(cases)) == manner_of(cases)


def test_of_a_long_word_the_beginning_counts(both: tuple[Tagger, Naive]) -> None:
    tagger, out = both[0].fresh(), array("B", bytes(1))
    tagger.add_all(["x" * 61 + "ing" + "9.9"])
    tagger.tag(array("i", [0]), array("i", [1]), out)
    assert out.tolist() == both[1].tagged(["x" * 61 + "ing"])


@pytest.mark.parametrize(
    ("types", "ends", "room"), [([1], [1], 1), ([-1], [1], 1), ([0], [2], 2), ([0, 0], [2, 1], 2), ([0], [1], 0)]
)
def test_columns_out_of_range_are_refused(
    both: tuple[Tagger, Naive], types: list[int], ends: list[int], room: int
) -> None:
    tagger = both[0].fresh()
    tagger.add_all(["word"])
    with pytest.raises(IndexError):
        tagger.tag(array("i", types), array("i", ends), array("B", bytes(room)))
