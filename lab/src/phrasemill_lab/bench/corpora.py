"""Texts to measure on: from JSON Lines, made up of their sentences, or the shipped example again and again."""

import json
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from phrasemill.files.streams import opened
from phrasemill.shipped import shipped
from phrasemill.types import Document
from phrasemill_lab.datasets import load_topics

# Methods that run a neural network for each document or each candidate; most scripts leave them out.
NEURAL = ("catseqd", "embedrank", "encoder", "generator", "mderank")
# Methods that need a model of one's own; phrasemill reproduce semeval2010-table3 measures some.
TRAINED = ("bertkpe", "catseq", "copyrnn", "kea", "llm", "maui", "maxent", "naivebayes")
EXAMPLE = shipped("example.txt")
REPEATS = 200  # of the example, at most
SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z])")
KEYWORDS = "keywords/train-*.jsonl.xz"
SOURCES = 20_000  # records whose sentences are recombined
TABLE_ROWS = 10_000  # of a group in a table


def records(path: Path, most: int | None = None) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of JSON Lines, plain or compressed, at most `most`."""
    with opened(path, name=str(path)) as lines:
        yield from map(json.loads, islice(lines, most))


def all_records(data: Path, pattern: str, most: int | None = None) -> Iterator[dict[str, Any]]:
    """Yield up to `most` records of the files that fit `pattern`."""
    paths = sorted(data.glob(pattern))
    if not paths:
        raise SystemExit(f"no file in {data} fits {pattern}")
    return islice((record for path in paths for record in records(path)), most)


def texts(data: Path | None, pattern: str, most: int) -> list[str]:
    """Return title and text of up to `most` records; without `data`, the shipped example that often."""
    if data is None:
        return [EXAMPLE.read_text(encoding="utf-8")] * min(most, REPEATS)
    return [f"{one.get('title', '')}\n{one['text']}".strip() for one in all_records(data, pattern, most)]


def documents(path: Path, most: int | None = None) -> list[Document]:
    """Return up to `most` documents of a file, numbered, with their keyphrases as references."""
    return [
        Document(str(i), one["text"], one.get("title", ""), references=tuple(one.get("keyphrases", ())))
        for i, one in enumerate(records(path, most))
    ]


def topics(data: Path) -> dict[str, list[Document]]:
    """Return the documents of each topic of MK-DUC-01 without their headlines, which the authors did not read."""
    return {topic.id: list(topic.without_titles().documents) for topic in load_topics("mkduc01", data)}


def write_recombined(data: Path, path: Path, count: int) -> None:
    """Write `count` texts with as many sentences as a real one has, each from another; ids are s0, s1 …

    A path that ends in `.parquet` becomes a table, any other lines of JSON.
    """
    sources = list(records(data / "keywords" / "train-00.jsonl.xz", SOURCES))
    titles, split = [one["title"] for one in sources], [SENTENCE.split(one["text"]) for one in sources]
    every = [sentence for text in split for sentence in text]
    chance = random.Random(10)

    def record(number: int) -> dict[str, str]:
        text = " ".join(chance.choices(every, k=len(chance.choice(split))))
        return {"id": f"s{number}", "title": chance.choice(titles), "text": text}

    made = map(record, range(count))
    if path.suffix == ".parquet":
        _write_table(path, made)
        return
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(one, ensure_ascii=False) + "\n" for one in made)


def _write_table(path: Path, made: Iterator[dict[str, str]]) -> None:
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema({name: pyarrow.string() for name in ("id", "title", "text")})
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while rows := list(islice(made, TABLE_ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(rows, schema))


def write_halves(data: Path, path: Path, count: int) -> None:
    """Write `count` texts of halves of sentences, which make new phrases where two halves meet.

    So the number of distinct phrases keeps growing with the corpus, as it does in a real one.
    """
    first, second, lengths = [], [], []
    for record in all_records(data, KEYWORDS):
        sentences = [sentence.split() for sentence in SENTENCE.split(record["text"])]
        lengths.append(len(sentences))
        first += [" ".join(words[: len(words) // 2]) for words in sentences]
        second += [" ".join(words[len(words) // 2 :]) for words in sentences]
    chance = random.Random(count)
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            length = chance.choice(lengths)
            parts = zip(chance.choices(first, k=length), chance.choices(second, k=length), strict=True)
            text = " ".join(f"{one} {other}" for one, other in parts)
            file.write(json.dumps({"id": f"s{number}", "text": text}, ensure_ascii=False) + "\n")
