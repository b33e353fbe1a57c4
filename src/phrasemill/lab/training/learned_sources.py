"""What the shipped model of `learned` is trained on: which part of which file, as whose choice, and what it weighs.

Files are JSON Lines (`title`, `text`, `keyphrases`) as in docs/quality.md, which says where each is from. No test split
is here; documents whose title also stands in a test split are left out, as are those of all other splits from the
collection that the tables are counted over.
"""

import gzip
import json
import lzma
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from phrasemill.methods.styles import AUTHOR, INDEXER, NEWS, READER
from phrasemill.types import Document

OPENERS: dict[str, Callable[..., IO[str]]] = {".xz": lzma.open, ".gz": gzip.open}


@dataclass(frozen=True, slots=True)
class Source:
    """The documents `first` to `last` of a file.

    `part` is the field of the text, `gold` that of the keyphrases (a list, or a list of lists of alternatives); `share`
    of the candidates that are no keyphrases are used; `bare` ones are read as if English had neither tags nor tables.
    """

    file: str
    style: str
    weight: float = 1.0
    share: float = 1.0
    first: int = 0
    last: int | None = None
    part: str = "text"
    gold: str = "keyphrases"
    bare: bool = False

    def documents(self, data: Path, left_out: frozenset[str] = frozenset()) -> Iterator[Document]:
        for number, record in enumerate(islice(records(data / self.file), self.first, self.last)):
            if record.get(self.part) and squeezed(record) not in left_out:
                yield _document(f"{self.file}:{number}", record, self.part, self.gold)


PAPERS = 0.5  # the weight of full papers, which have ten times the candidates
TABLES = tuple(Source(f"keywords/train-{shard:02}.jsonl.xz", AUTHOR) for shard in range(10))
SHAPES = (
    Source("inspec_train.jsonl.gz", INDEXER),
    Source("keywords/train-11.jsonl.xz", AUTHOR, last=6000),
    Source("semeval2010_train.jsonl.gz", READER, gold="combined"),
    Source("500n_kpcrowd_train.jsonl.gz", NEWS),
    Source("krapivin_train.jsonl.gz", AUTHOR, last=200),
    Source("pubmed_schutz_train.jsonl.gz", AUTHOR, last=200),
    Source("kp20k_small_train.jsonl.gz", AUTHOR),
)
SCIENCE = (
    Source("inspec_train.jsonl.gz", INDEXER, weight=3),
    Source("keywords/train-10.jsonl.xz", AUTHOR, share=0.2),
    Source("keywords/train-11.jsonl.xz", AUTHOR, share=0.2, last=10000),
    Source("kp20k_small_train.jsonl.gz", AUTHOR, weight=2),
    Source("krapivin_train.jsonl.gz", AUTHOR, last=1700, part="abstract"),
    Source("pubmed_schutz_train.jsonl.gz", AUTHOR, weight=2, last=850, part="abstract"),
    Source("krapivin_train.jsonl.gz", AUTHOR, weight=PAPERS, share=0.15, last=1000),
    Source("pubmed_schutz_train.jsonl.gz", AUTHOR, weight=PAPERS, share=0.15, last=600),
    Source("cstr_train.jsonl.gz", AUTHOR, weight=PAPERS, share=0.3),
)
READERS = (
    Source("semeval2010_train.jsonl.gz", READER, gold="combined"),
    Source("semeval2010_official_train.jsonl.gz", READER, gold="combined"),
)
CROWD = (Source("500n_kpcrowd_train.jsonl.gz", NEWS),)
BARE = (
    Source("inspec_train.jsonl.gz", INDEXER, bare=True),
    Source("keywords/train-11.jsonl.xz", AUTHOR, share=0.3, first=10000, last=11500, bare=True),
    Source("krapivin_train.jsonl.gz", AUTHOR, weight=PAPERS, share=0.15, first=1000, last=1100, bare=True),
)
# Kept out of training: to fit probabilities, and to choose.
HELD_OUT = {
    INDEXER: (Source("inspec_dev.jsonl.gz", INDEXER),),
    AUTHOR: (
        Source("keywords/valid.jsonl.xz", AUTHOR, last=2000),
        Source("kp20k_small_valid.jsonl.gz", AUTHOR),
        Source("pubmed_schutz_train.jsonl.gz", AUTHOR, first=850, part="abstract"),
        Source("krapivin_train.jsonl.gz", AUTHOR, first=1700, last=1800),
    ),
    NEWS: (Source("500n_kpcrowd_test.jsonl.gz", NEWS),),
}
TEST = (
    "deepkg_inspec_test.jsonl.gz",
    "deepkg_semeval_test.jsonl.gz",
    "duc2001.jsonl.gz",
    "inspec_test.jsonl.gz",
    "kp20k_small_test.jsonl.gz",
    "pubmedake_sample1000.jsonl.gz",
    "semeval2010_test.jsonl.gz",
)


def records(path: Path) -> Iterator[dict[str, Any]]:
    with OPENERS.get(path.suffix, open)(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def squeezed(record: Mapping[str, Any]) -> str:
    """A title as it is compared: letters and digits, the first eighty."""
    return re.sub(r"[^a-z0-9]+", "", record.get("title", "").lower())[:80]


def test_titles(data: Path) -> frozenset[str]:
    return frozenset(squeezed(record) for name in TEST for record in records(data / name)) - {""}


def other_titles(data: Path) -> frozenset[str]:
    """The titles of everything that the tables must not know: test splits, held-out and training documents."""
    sources = [*SHAPES, *SCIENCE, *READERS, *(one for held in HELD_OUT.values() for one in held)]
    files = {source.file for source in sources if not source.file.startswith("keywords/train")}
    return test_titles(data) | {squeezed(record) for name in files for record in records(data / name)} - {""}


def _document(id_: str, record: Mapping[str, Any], part: str, gold: str) -> Document:
    title, text = record.get("title", ""), record[part]
    if title and text.startswith(title):
        text = text[len(title) :].lstrip()
    references = tuple(tuple(one) if isinstance(one, list) else one for one in record[gold])
    return Document(id_, text, title, references=references)
