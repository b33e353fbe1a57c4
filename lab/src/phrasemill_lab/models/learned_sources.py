"""What the shipped model of `learned` is trained on: which part of which file, as whose choice, and with which weight.

No test split is here; documents whose title is also in a test split are left out, as are those of all other splits from
the collection that the tables are counted over.
"""

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from phrasemill.methods.learned.background import FEATURES
from phrasemill.methods.styles import AUTHOR, EVERYDAY, INDEXER, NEWS, READER
from phrasemill_lab.models.sources import Source, titles

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
# Annotated by a language model, not by people.
PROSE_OTHER = (Source("everyday/en_train.jsonl.gz", EVERYDAY, without={"genre": "news"}),)
PROSE_NEWS = (Source("everyday/en_train.jsonl.gz", NEWS, where={"genre": "news"}),)
# What the kinds of texts are recognised by; of each source a part, so that none prevails.
KINDS = (
    Source("inspec_train.jsonl.gz", INDEXER),
    Source("keywords/train-08.jsonl.xz", AUTHOR, last=6000),
    Source("keywords/train-09.jsonl.xz", AUTHOR, last=6000, where={"cs": True}),
    Source("keywords/train-10.jsonl.xz", AUTHOR, last=2500),
    Source("kp20k_small_train.jsonl.gz", AUTHOR),
    Source("krapivin_train.jsonl.gz", AUTHOR, part="abstract", last=1700),
    Source("pubmed_schutz_train.jsonl.gz", AUTHOR, part="abstract", last=600),
    Source("multilingual/papyrus_en_train.jsonl.gz", AUTHOR, last=1000),
    Source("krapivin_train.jsonl.gz", AUTHOR, last=150),
    Source("pubmed_schutz_train.jsonl.gz", AUTHOR, last=150),
    Source("cstr_train.jsonl.gz", AUTHOR),
    Source("semeval2010_train.jsonl.gz", READER, gold="combined"),
    Source("semeval2010_official_train.jsonl.gz", READER, gold="combined"),
    Source("500n_kpcrowd_train.jsonl.gz", NEWS),
    Source("multilingual/wikinews_en_rated.jsonl.gz", NEWS),
    *PROSE_NEWS,
    *PROSE_OTHER,
    Source("everyday/short_en_train.jsonl.gz", EVERYDAY),
    Source("unlabelled/en.jsonl.xz", EVERYDAY, last=1500, gold="", without={"kind": "news"}),
)
# Kept out of training, to calibrate probabilities and to choose settings.
HELD_OUT = {
    INDEXER: (Source("inspec_dev.jsonl.gz", INDEXER),),
    AUTHOR: (
        Source("keywords/valid.jsonl.xz", AUTHOR, last=2000),
        Source("kp20k_small_valid.jsonl.gz", AUTHOR),
        Source("pubmed_schutz_train.jsonl.gz", AUTHOR, first=850, part="abstract"),
        Source("krapivin_train.jsonl.gz", AUTHOR, first=1700, last=1800),
    ),
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


def held_out() -> list[Source]:
    return [one for some in HELD_OUT.values() for one in some]


def test_titles(data: Path) -> frozenset[str]:
    return titles(data, TEST)


def other_titles(data: Path) -> frozenset[str]:
    """Return the titles of all that the tables must not contain: test splits, held-out and training documents."""
    files = {source.file for source in (*SHAPES, *SCIENCE, *READERS, *held_out())}
    return test_titles(data) | titles(data, [file for file in files if not file.startswith("keywords/train")])


WORDS, WHOLE, COUNT = map(FEATURES.index, ("words", "whole", "count"))
OFTEN = math.log(1 + 3) - 1e-6


def marked_by_crowd(keys: list[str], rows: NDArray[np.float32], gold: set[str]) -> list[bool]:
    """Return whether each candidate is a keyphrase of news, given the words that a crowd marked.

    Crowds mark most content words; keyphrases of news are noun phrases, of two words on average. So a whole phrase
    counts if all its words were marked; a single word if it was, and occurs three times.
    """
    words = {word for phrase in gold for word in phrase.split()}
    return [
        bool(row[WHOLE] >= 0.5)
        and (
            all(word in words for word in one.split()) if row[WORDS] > 1 else one in gold and bool(row[COUNT] >= OFTEN)
        )
        for one, row in zip(keys, rows, strict=True)
    ]
