"""KPTimes (Gallina et al., 2019): news with the keywords of its editors, a comma between wordings.

This module is also the layout: lines of `id`, `title`, `abstract` and `keyword`, as in `a,b;c`.
"""

from collections.abc import Iterator
from pathlib import Path

from phrasemill.lab.datasets import keywords_json
from phrasemill.lab.datasets.catalog import Dataset, Split, keyword_lines, own_lines
from phrasemill.lab.datasets.records import Reading
from phrasemill.types import Document

DATASET = Dataset(
    name="kptimes",
    title="KPTimes: articles of the New York Times and the Japan Times with the keywords of their editors",
    published=("https://github.com/ygorg/KPTimes", "https://huggingface.co/datasets/taln-ls2n/kptimes"),
    licence="the scripts and annotations are published for research; the articles belong to the newspapers",
    papers=("Gallina et al., 2019: KPTimes (INLG)",),
    splits=(
        Split("train", 259_923),
        Split("valid", 10_000, also=("validation", "dev")),
        Split("test", 20_000),
        Split("test_NYTimes", 10_000, part_of="test"),
        Split("test_JPTimes", 10_000, part_of="test"),
    ),
    forms=(
        keyword_lines("KPTimes.{split}", "kptimes_{split}", "{split}", layout="kptimes"),
        own_lines("kptimes_{split}"),
    ),
    note="The test split is 10,000 articles of each newspaper.",
)


def read(path: Path, reading: Reading) -> Iterator[Document]:
    """The documents of one file; wordings between commas become one reference."""
    return keywords_json.read(path, reading, variants=",")
