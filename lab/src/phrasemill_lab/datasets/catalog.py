"""What is known of each public dataset: where it is published, its licence, splits, counts and files.

Nothing is downloaded. Counts are those of the papers and of the distributors' pages; a loader compares them with what
it finds. The entries are tables in `catalog.toml`.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from phrasemill.errors import UnknownName

CATALOG = Path(__file__).with_name("catalog.toml")
COMPRESSED = ("", ".gz", ".xz", ".zst")
# What follows the names of a form's files. In the folders of ake-datasets, the references are beside CoreNLP's XML.
ENDINGS = {"jsonl": (".jsonl",), "json": (".json", ".jsonl"), "pairs": ("_src.txt",)}
CORENLP = ("{split}/*.xml", "{split}/*.xml.gz")


@dataclass(frozen=True, slots=True)
class Split:
    """A part of a dataset with the numbers published for it, of the default gold; `also` is what others call it."""

    name: str
    documents: int | None = None
    keyphrases: int | None = None
    also: tuple[str, ...] = ()
    part_of: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """One shape in which a dataset is found: a layout, and the files of a split as patterns below the root."""

    layout: str
    places: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dataset:
    """One entry of the catalog. `gold` names the golds there are to choose from, the default first.

    `files` are those that were read for our figures, by their SHA-256.
    """

    name: str
    title: str
    published: tuple[str, ...]
    licence: str
    papers: tuple[str, ...]
    splits: tuple[Split, ...]
    forms: tuple[Form, ...]
    gold: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def split(self, name: str) -> Split:
        """Return the split called `name`, by any of its names."""
        for split in self.splits:
            if name in (split.name, *split.also):
                return split
        raise UnknownName(f"split of {self.name}", name, [split.name for split in self.splits])


def dataset(name: str) -> Dataset:
    """Return the entry called `name`; upper case, hyphens and spaces make no difference."""
    plain = name.lower().replace("-", "_").replace(" ", "_")
    found = _catalog().get(plain) or _catalog().get(plain.replace("_", ""))
    if found is None:
        raise UnknownName("dataset", name, _catalog())
    return found


def datasets() -> Iterator[Dataset]:
    """Return all entries, by name."""
    return iter(_catalog().values())


@cache
def _catalog() -> dict[str, Dataset]:
    return {name: _entry(name, table) for name, table in tomllib.loads(CATALOG.read_text(encoding="utf-8")).items()}


def _entry(name: str, table: dict[str, Any]) -> Dataset:
    lists = {key: tuple(table.get(key, ())) for key in ("published", "papers", "gold")}
    splits = tuple(Split(**split | {"also": tuple(split.get("also", ()))}) for split in table["splits"])
    return Dataset(**table | lists | {"name": name, "splits": splits, "forms": tuple(map(_form, table["forms"]))})


def _form(table: dict[str, Any]) -> Form:
    layout = table["layout"]
    if "names" not in table:
        return Form(layout, tuple(table.get("places", CORENLP)))
    endings = [f"{ending}{compressed}" for ending in ENDINGS[layout] for compressed in COMPRESSED]
    return Form(layout, tuple(name + ending for name in table["names"] for ending in endings))
