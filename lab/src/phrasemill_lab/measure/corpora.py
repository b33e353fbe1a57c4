"""Texts to measure on: of JSON Lines, or made up of their sentences; or the shipped example, again and again."""

import json
import random
import re
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

from phrasemill_lab.measure.fresh import EXAMPLE
from phrasemill_lab.models.sources import Record, matching, read_records

SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z])")
KEYWORDS = "keywords/train-*.jsonl.xz"
FILES = {"titles": "inspec_train.jsonl.gz", "abstracts": "inspec_train.jsonl.gz", "papers": "krapivin_train.jsonl.gz"}


def records(data: Path, pattern: str, most: int | None = None) -> Iterator[Record]:
    """Return the records of the files that fit `pattern`, at most `most`."""
    return islice((record for path in matching(data, pattern) for record in read_records(path)), most)


def content(record: Record) -> str:
    return f"{record.get('title', '')}\n{record['text']}".strip()


def texts(data: Path | None, kind: str, most: int) -> list[str]:
    """Return up to `most` titles, abstracts or papers; without `data` they are of the shipped example."""
    if data is None:
        example = EXAMPLE.read_text(encoding="utf-8")
        return [{"titles": example.partition("\n")[0], "papers": "\n\n".join([example] * 10)}.get(kind, example)] * most
    return [one["title"] if kind == "titles" else content(one) for one in records(data, FILES[kind], most)]


def long_text(data: Path | None, size: int) -> str:
    """Return one text of so many characters: papers after each other, again and again."""
    parts: list[str] = []
    length = 0
    papers = texts(None, "papers", 1) if data is None else (one["text"] for one in records(data, FILES["papers"]))
    for paper in cycle(papers):
        parts.append(paper)
        length += len(paper) + 2
        if length >= size:
            break
    return "\n\n".join(parts)[:size]


def write_corpus(data: str, path: str, count: int) -> None:
    """Write `count` texts with as many sentences as a real one has, each of two halves of others; ids are s0, s1 …

    New phrases appear where two halves meet. So the number of distinct phrases keeps growing with the corpus, as it
    does in a real one.
    """
    first, second, lengths = [], [], []
    for record in records(Path(data), KEYWORDS):
        sentences = [sentence.split() for sentence in SENTENCE.split(record["text"])]
        lengths.append(len(sentences))
        first += [" ".join(words[: len(words) // 2]) for words in sentences]
        second += [" ".join(words[len(words) // 2 :]) for words in sentences]
    chance = random.Random(count)
    with Path(path).open("w", encoding="utf-8") as file:
        for number in range(count):
            length = chance.choice(lengths)
            parts = zip(chance.choices(first, k=length), chance.choices(second, k=length), strict=True)
            text = " ".join(f"{one} {other}" for one, other in parts)
            file.write(json.dumps({"id": f"s{number}", "text": text}, ensure_ascii=False) + "\n")
