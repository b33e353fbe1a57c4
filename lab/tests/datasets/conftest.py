"""Small files of our own in the shapes of the public ones."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from phrasemill.types import Document

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a text to a file below the test's own folder."""

    def make(name: str, text: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return make


@pytest.fixture
def records() -> list[dict[str, object]]:
    return [
        {
            "id": "d1",
            "title": "Salt in wells",
            "text": "Groundwater turns salty when pumps draw too much.",
            "keyphrases": ["groundwater", "salt water intrusion"],
            "topic": "water",
        },
        {
            "id": "d2",
            "title": "",
            "text": "Trees are acyclic graphs.",
            "keyphrases": [["tree", "acyclic graph"]],
            "topic": "graphs",
        },
    ]


@pytest.fixture
def jsonl(write: Write, records: list[dict[str, object]]) -> Path:
    return write("own.jsonl", "".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture
def documents() -> list[Document]:
    return [
        Document(
            "d1",
            "Groundwater turns salty when 2 pumps draw too much.",
            "Salt in wells",
            "en",
            references=("salt-water intrusion", "pumps", "groundwater"),
            metadata={"topic": "water"},
        ),
        Document(
            "d2", "Trees are acyclic graphs.", language="en", references=(("forests", "acyclic graph"), "graph theory")
        ),
    ]
