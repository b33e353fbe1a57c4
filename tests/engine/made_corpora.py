"""Small corpora that we made up, for the tests that run over them."""

import json
from pathlib import Path
from typing import Any

from pyarrow import parquet

WORDS = ("groundwater", "salt water", "pumps", "coastal wells", "sea level", "drainage", "clay soil", "irrigation")


def records(count: int) -> list[dict[str, str]]:
    """Texts of different lengths with ids d0, d1 …"""
    return [
        {
            "id": f"d{n}",
            "title": f"On {WORDS[n % 8]}",
            "text": " ".join(
                f"The {WORDS[(n + i) % 8]} of farm {n} changes {WORDS[(n * i) % 8]}." for i in range(n % 7 + 1)
            ),
        }
        for n in range(count)
    ]


def write_jsonl(path: Path, rows: list[dict[str, str]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def harmful(path: Path, texts: list[str]) -> Path:
    """Texts as they are, with ids 0, 1 …"""
    return write_jsonl(path, [{"id": str(n), "text": text} for n, text in enumerate(texts)])


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a run but the manifest, which has times in it."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != "manifest.json"}


def contents_so_far(folder: Path) -> dict[str, bytes]:
    """What is there of an interrupted run under its final name."""
    hidden = {".phrasemill", "manifest.json"}
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*")) if path.name not in hidden}


def rows(folder: Path) -> list[dict[str, Any]]:
    """The rows of all parts, in order."""
    found: list[dict[str, Any]] = []
    for path in sorted(folder.glob("part-*")):
        if path.suffix == ".parquet":
            found += parquet.read_table(path).to_pylist()
        else:
            found += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return found
