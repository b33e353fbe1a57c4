"""What is known of each public dataset: where it is published, its licence, splits, counts and files.

Nothing is downloaded. Counts are those of the papers and of the distributors' pages; a loader compares them with what
it finds. A dataset is one module here with a `DATASET`, and one line in `MODULES`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import cast

from phrasemill.errors import UnknownName

PACKAGE = "phrasemill.lab.datasets"
MODULES = {
    "500n_kpcrowd": "kpcrowd",
    "duc2001": "duc2001",
    "inspec": "inspec",
    "kp20k": "kp20k",
    "kptimes": "kptimes",
    "krapivin": "krapivin",
    "mkduc01": "mkduc01",
    "nus": "nus",
    "pubmedake": "pubmedake",
    "semeval2010": "semeval2010",
    "stackex": "stackex",
}
COMPRESSED = ("", ".gz", ".xz", ".zst")


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
class KnownFile:
    """A file that was read for the figures on the datasets page, by its SHA-256."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """One entry of the catalog. `gold` names the golds there are to choose from, the default first."""

    name: str
    title: str
    published: tuple[str, ...]
    licence: str
    papers: tuple[str, ...]
    splits: tuple[Split, ...]
    forms: tuple[Form, ...]
    gold: tuple[str, ...] = ()
    files: tuple[KnownFile, ...] = ()
    note: str = ""

    def split(self, name: str) -> Split:
        """The split called `name`, by any of its names."""
        for split in self.splits:
            if name in (split.name, *split.also):
                return split
        raise UnknownName(f"split of {self.name}", name, [split.name for split in self.splits])


def dataset(name: str) -> Dataset:
    """The entry called `name`; upper case, hyphens and spaces make no difference."""
    plain = name.lower().replace("-", "_").replace(" ", "_")
    module = MODULES.get(plain) or MODULES.get(plain.replace("_", ""))
    if module is None:
        raise UnknownName("dataset", name, MODULES)
    return cast(Dataset, import_module(f"{PACKAGE}.{module}").DATASET)


def datasets() -> Iterator[Dataset]:
    """All entries, by name."""
    return map(dataset, sorted(MODULES))


def own_lines(*names: str) -> Form:
    """Our JSON lines, under these names: `inspec_{split}` is `inspec_test.jsonl`, plain or compressed."""
    return Form("jsonl", tuple(f"{name}.jsonl{ending}" for name in names for ending in COMPRESSED))


def keyword_lines(*names: str, layout: str = "json") -> Form:
    """The literature's JSON, under these names with `.json` or `.jsonl`, plain or compressed."""
    endings = [f"{kind}{ending}" for kind in (".json", ".jsonl") for ending in COMPRESSED]
    return Form(layout, tuple(name + ending for name in names for ending in endings))


def source_and_target(*names: str) -> Form:
    return Form("pairs", tuple(f"{name}_src.txt{ending}" for name in names for ending in COMPRESSED))


# The folders of ake-datasets: CoreNLP's XML, with the references beside them.
CORENLP = Form("corenlp", ("{split}/*.xml", "{split}/*.xml.gz"))
