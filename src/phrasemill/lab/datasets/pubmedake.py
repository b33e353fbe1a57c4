"""PubMedAKE (Sheng et al., 2022): biomedical abstracts with author keywords, under their ids.

    {"PMC1": {"title": "…", "abstract": "…", "keywords_in": ["…"], "keywords_not_in": ["…"]}}

`keywords_in` occur in title or abstract, `keywords_not_in` do not. This module is the catalog entry and the layout.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from phrasemill.lab.datasets import files, records, writing
from phrasemill.lab.datasets.catalog import Dataset, KnownFile, Split, keyword_lines, own_lines
from phrasemill.lab.datasets.preparation import split_by_presence
from phrasemill.lab.datasets.records import Reading, first_wording
from phrasemill.types import Document

IN, NOT_IN = "keywords_in", "keywords_not_in"
GOLDS = {"all": (IN, NOT_IN), "present": (IN,), "absent": (NOT_IN,)}

DATASET = Dataset(
    name="pubmedake",
    title="PubMedAKE: abstracts of PubMed Central's open-access articles with their authors' keywords",
    published=("https://doi.org/10.5281/zenodo.6330817", "https://github.com/GarfieldLeo/PubMedAKE"),
    licence="code BSD-2-Clause; the texts are of PubMed Central's non-commercial open-access subset",
    papers=("Sheng et al., 2022: PubMedAKE (CIKM)",),
    splits=(
        Split("train", 505_959, also=("training",)),
        Split("validate", 168_653, also=("valid", "validation", "dev")),
        Split("test", 168_634),
        Split("small_train", 82_011, part_of="train"),
        Split("small_validate", 27_336, part_of="validate"),
        Split("small_test", 27_336, part_of="test"),
        Split("sample", 1_000, also=("sample1000",)),
    ),
    forms=(
        keyword_lines("pubmedake_{split}", "{split}", layout="pubmedake"),
        own_lines("pubmedake_{split}"),
    ),
    gold=tuple(GOLDS),
    files=(
        KnownFile("pubmedake_sample1000.jsonl.gz", "b86d327d3acf814077def788c06e37ed87c63e13e3a33620516b7aac0403e237"),
    ),
    note="The paper counts 843,629 abstracts in all (843,269 in its abstract); its splits add up to 843,246.",
)


def read(path: Path, reading: Reading) -> Iterator[Document]:
    """The documents of one file; the gold is both lists, or the one asked for."""
    wanted = GOLDS[reading.gold_of(DATASET.gold)]

    def convert(record: Mapping[str, object], key: str | None, line: int) -> Document:
        lists = {name: records.references(record.get(name, []), name=name) for name in (IN, NOT_IN)}
        return Document(
            id=records.identity(record, key or f"{files.name_without_endings(path)}-{line}"),
            title=records.string(record, ["title"], default=""),
            text=records.string(record, ["abstract"]),
            references=tuple(reference for name in wanted for reference in lists[name]),
            metadata=records.rest(record, ["id", "title", "abstract", IN, NOT_IN])
            | {"present": list(lists[IN]), "absent": list(lists[NOT_IN])},
        )

    return records.documents(path, reading, convert)


def write(documents: Iterable[Document], path: Path) -> int:
    """Write `documents` in the paper's shape; how many they were. Keywords are apart as the documents say, or by us."""
    count = 0
    with writing.written(path) as file:
        for document in documents:
            entry = f"{json.dumps(document.id)}: {json.dumps(_entry(document), ensure_ascii=False)}"
            file.write((",\n" if count else "{\n").encode() + entry.encode("utf-8", errors="replace"))
            count += 1
        file.write(b"\n}\n" if count else b"{}\n")
    return count


def _entry(document: Document) -> dict[str, object]:
    gold = split_by_presence(document)
    present, absent = ([first_wording(one) for one in part] for part in (gold.present, gold.absent))
    return {"title": document.title, "abstract": document.text, IN: present, NOT_IN: absent}
