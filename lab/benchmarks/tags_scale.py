"""How the tag model grows: made-up documents are learned, then tags suggested for others like them.

    python lab/benchmarks/tags_scale.py --documents 100000 --tags 20000

Words have frequencies as in natural language (Zipf, exponent 1); so have tags. A tag has some words of its own, which
its documents use, and one in four documents names it.
"""

import argparse
import json
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from phrasemill import tensors
from phrasemill.tags.model import TagModel
from phrasemill.types import Document
from phrasemill_lab.bench.figures import add_option
from phrasemill_lab.bench.scripts import MarkdownRows, write_figures

WORDS = 60_000
LENGTH = 120  # words of a document
OWN = 12  # words that go with a tag
TAGS = 4  # of a document, at most
SYLLABLES = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
SUGGESTED = 200


def word(number: int) -> str:
    """Return a made-up word, a different one for each number."""
    found = ""
    number += len(SYLLABLES)
    while number:
        number, rest = divmod(number, len(SYLLABLES))
        found += SYLLABLES[rest]
    return f"{found}x"  # no stemmer takes anything off


class MadeUp:
    """A source of documents with tags."""

    def __init__(self, tags: int) -> None:
        self._random = np.random.default_rng(0)
        self._words = np.array([word(i) for i in range(WORDS)])
        self._share = np.cumsum(_zipf(WORDS))
        self._tag_share = np.cumsum(_zipf(tags))
        self._own = self._random.integers(500, WORDS, (tags, OWN))
        self._names = [f"{word(WORDS + i)} {word(int(self._own[i, 0]))}" for i in range(tags)]

    def documents(self, count: int, prefix: str) -> Iterator[tuple[Document, list[str]]]:
        for i in range(count):
            drawn = self._random.random(self._random.integers(1, TAGS + 1))
            chosen = np.unique(np.searchsorted(self._tag_share[:-1], drawn))
            words = self._words[np.searchsorted(self._share[:-1], self._random.random(LENGTH))].tolist()
            for tag in chosen.tolist():
                for own in self._random.choice(self._own[tag], 6).tolist():
                    words[self._random.integers(LENGTH)] = str(self._words[own])
                if self._random.random() < 0.25:
                    words[self._random.integers(LENGTH)] = self._names[tag]
            text = ". ".join(" ".join(words[at : at + 15]) for at in range(0, LENGTH, 15))
            yield Document(f"{prefix}{i}", text, language="en"), [self._names[tag] for tag in chosen.tolist()]


def _zipf(count: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    share = 1 / np.arange(1, count + 1)
    return share / share.sum()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--tags", type=int, default=2_000)
    add_option(parser)
    options = parser.parse_args()
    made = MadeUp(options.tags)
    table = MarkdownRows("step", "seconds", "of the processor", "peak memory, MB", name="growth")

    def step(name: str, begin: tuple[float, float], times: int = 1) -> None:
        clock, processor = (time.perf_counter() - begin[0]) / times, (time.process_time() - begin[1]) / times
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        table.add(name, f"{clock:.3f}", f"{processor:.3f}", f"{peak:.0f}")

    def now() -> tuple[float, float]:
        return time.perf_counter(), time.process_time()

    begin = now()
    documents = list(made.documents(options.documents, "d"))
    others = list(made.documents(SUGGESTED, "q"))
    step("make up the documents (not learning)", begin)
    begin = now()
    model = TagModel()
    model.learn(documents)
    step("read and keep the documents", begin)
    begin = now()
    columns, metadata = model.to_tensors()
    step("index them and fit the blend", begin)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "made.tags"
        begin = now()
        tensors.save(path, columns, {"kind": "tags", "model": json.dumps(metadata)})
        step(f"write the file ({path.stat().st_size >> 20:,} MB)", begin)
        begin = now()
        file = tensors.load(path, kind="tags")
        model = TagModel.from_tensors(file.buffers, json.loads(file.metadata["model"]))
        model.suggest(others[0][0])
        step("open it, to the first suggestion", begin)
        begin = now()
        found = [model.suggest(document) for document, _ in others]
        step("one suggestion", begin, len(others))
        begin = now()
        model.feedback(others[0][0], accepted=others[0][1])
        model.suggest(others[0][0])
        step("feedback, and a suggestion after it", begin)
    right = sum(one.tag in tags for answer, (_, tags) in zip(found, others, strict=True) for one in answer[:5])
    print(f"\nOf {sum(len(tags) for _, tags in others):,} tags, {right:,} are among the first five suggested.")
    write_figures(options.figures)


if __name__ == "__main__":
    main()
