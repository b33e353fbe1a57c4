"""Texts to measure on: of JSON Lines, or made up of their sentences; or the shipped example, again and again."""

import json
import random
import re
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from phrasemill.errors import DataError
from phrasemill.files.streams import opened
from phrasemill_lab.measure.fresh import EXAMPLE

SENTENCE = re.compile(r"(?<=[.!?]) +(?=[A-Z])")
KEYWORDS = "keywords/train-*.jsonl.xz"
FILES = {"titles": "inspec_train.jsonl.gz", "abstracts": "inspec_train.jsonl.gz", "papers": "krapivin_train.jsonl.gz"}
SOURCES = 20_000  # records whose sentences are recombined
TABLE_ROWS = 10_000  # of a group in a table


def records(path: Path, most: int | None = None) -> Iterator[dict[str, Any]]:
    """Yield the records of a file of JSON Lines, plain or compressed, at most `most`."""
    with opened(path, name=str(path)) as lines:
        yield from map(json.loads, islice(lines, most))


def all_records(data: Path, pattern: str, most: int | None = None) -> Iterator[dict[str, Any]]:
    """Return up to `most` records of the files that fit `pattern`."""
    paths = sorted(data.glob(pattern))
    if not paths:
        raise DataError(f"{data}: {f'no file {pattern}' if data.is_dir() else 'no such folder'}")
    return islice((record for path in paths for record in records(path)), most)


def texts(data: Path | None, kind: str, most: int) -> list[str]:
    """Return up to `most` titles, abstracts or papers; without `data` they are of the shipped example."""
    if data is None:
        example = EXAMPLE.read_text(encoding="utf-8")
        return [{"titles": example.partition("\n")[0], "papers": "\n\n".join([example] * 10)}.get(kind, example)] * most
    found = all_records(data, FILES[kind], most)
    if kind == "titles":
        return [one["title"] for one in found]
    return [f"{one.get('title', '')}\n{one['text']}".strip() for one in found]


def long_text(data: Path | None, size: int) -> str:
    """Return one text of so many characters: papers after each other, again and again."""
    parts: list[str] = []
    papers = (
        cycle(texts(None, "papers", 1)) if data is None else (one["text"] for one in all_records(data, FILES["papers"]))
    )
    length = 0
    for paper in papers:
        parts.append(paper)
        length += len(paper) + 2
        if length >= size:
            break
    whole = "\n\n".join(parts)
    return (whole * (size // len(whole) + 1))[:size]


def write_recombined(data: Path, path: Path, count: int) -> None:
    """Write `count` texts with as many sentences as a real one has, each from another; ids are s0, s1 …

    A path that ends in `.parquet` becomes a table, any other lines of JSON.
    """
    sources = list(all_records(data, KEYWORDS, SOURCES))
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
