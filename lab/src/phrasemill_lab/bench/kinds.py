"""Print in how many texts of each source the recognised kind is right, and is the same in copies of the text.

    python -m phrasemill_lab.bench.kinds --data DIR
    python -m phrasemill_lab.bench.kinds --data DIR --documents 100

Copies are in lower case, in capitals, hard-wrapped, without title, without the last half. No test split is here; the
recogniser has learned from the sources that are marked.
"""

import argparse
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from phrasemill.methods.learned import kind_of
from phrasemill.methods.learned.kinds import NAMES
from phrasemill.methods.styles import AUTHOR, EVERYDAY, INDEXER, NEWS, READER
from phrasemill.tables import Table, as_markdown
from phrasemill.text.analyse import analyse
from phrasemill.types import Document
from phrasemill_lab.bench import figures
from phrasemill_lab.models.kinds import COPIES, copies
from phrasemill_lab.models.sources import Source

DOCUMENTS = 300


class Texts(NamedTuple):
    """The texts of a source; `learned` says whether the recogniser has learned from them."""

    title: str
    source: Source
    learned: bool = False


TEXTS = (
    Texts("Inspec", Source("inspec_dev.jsonl.gz", INDEXER)),
    Texts("author keywords", Source("keywords/valid.jsonl.xz", AUTHOR)),
    Texts("KP20k", Source("kp20k_small_valid.jsonl.gz", AUTHOR)),
    Texts("Krapivin, abstracts", Source("krapivin_train.jsonl.gz", AUTHOR, first=1700, part="abstract")),
    Texts("Krapivin, papers", Source("krapivin_train.jsonl.gz", AUTHOR, first=1700)),
    Texts("PubMed, abstracts", Source("pubmed_schutz_train.jsonl.gz", AUTHOR, first=850, part="abstract")),
    Texts("PubMed, papers", Source("pubmed_schutz_train.jsonl.gz", AUTHOR, first=850)),
    Texts("Papyrus, theses", Source("multilingual/papyrus_en_train.jsonl.gz", AUTHOR, first=1000)),
    Texts("CSTR, reports", Source("cstr_train.jsonl.gz", AUTHOR), learned=True),
    Texts("SemEval-2010", Source("semeval2010_train.jsonl.gz", READER, gold="combined"), learned=True),
    Texts(
        "SemEval-2010, as distributed",
        Source("semeval2010_official_train.jsonl.gz", READER, gold="combined"),
        learned=True,
    ),
    Texts("500N-KPCrowd", Source("500n_kpcrowd_test.jsonl.gz", NEWS)),
    Texts("WikiNews", Source("multilingual/wikinews_en_rated.jsonl.gz", NEWS), learned=True),
    Texts("everyday, news", Source("everyday/en_dev.jsonl.gz", NEWS, where={"genre": "news"})),
    Texts("everyday, other", Source("everyday/en_dev.jsonl.gz", EVERYDAY, without={"genre": "news"})),
    Texts("everyday, short", Source("everyday/short_en_dev.jsonl.gz", EVERYDAY)),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="of each source at most")
    figures.add_option(parser)
    given = parser.parse_args(arguments)
    rows = []
    for title, source, learned in TEXTS:
        documents = list(islice(source.numbered_documents(given.data), given.documents))
        kinds = [_kind(one) for one in documents]
        alike: dict[str, list[bool]] = {name: [] for name in COPIES}
        for document, kind in zip(documents, kinds, strict=True):
            for name, copy in copies(document).items():
                alike[name].append(_kind(copy) == kind)
        right = [kind == NAMES[source.style] for kind in kinds]
        shares = [_percent(some) for some in (right, *alike.values())]
        rows.append((title + " *" * learned, f"{len(documents):,}", *shares))
    table = Table("The kind of a text and of its copies", ("texts", "documents", "right", *COPIES), tuple(rows))
    print(f"{as_markdown(table)}\n\n* learned from")
    figures.write(given.figures, {"kinds": figures.table(table.header, table.rows, keys=1)})


def _kind(document: Document) -> str:
    return kind_of(analyse(document.content, language=document.language))


def _percent(right: Sequence[bool]) -> str:
    return f"{100 * sum(right) / len(right):.1f}" if right else "–"


if __name__ == "__main__":
    main()
