"""Counts the document-frequency table that ships with the package.

    python -m phrasemill_lab.training.frequencies --data DIR --output src/phrasemill/data/frequencies_en.safetensors

DIR holds JSON Lines of `title` and `text`, compressed by xz or gzip or not at all. The shipped table was counted over
232,691 titles and abstracts of all sciences (see NOTICE); nothing of a test split is in it.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import Document
from phrasemill_lab.models.sources import read_records


def documents(paths: list[Path], *, every: int) -> Iterator[Document]:
    """Yield every `every`-th record of the files, in order."""
    seen = 0
    for path in paths:
        for record in read_records(path):
            seen += 1
            if seen % every == 0:
                yield Document(str(seen), record.get("text", ""), record.get("title", ""))
        print(f"{path.name}: {seen:,} records", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pattern", default="keywords/train-*.jsonl.xz")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="take every n-th record")
    parser.add_argument("--least", type=int, default=20, help="drop forms in fewer documents")
    options = parser.parse_args()
    paths = sorted(options.data.glob(options.pattern))
    table = DocumentFrequencies.fit(documents(paths, every=options.every)).prune(options.least)
    table.save(options.output)
    size = options.output.stat().st_size / 1e6
    print(f"{table.documents:,} documents, {len(table.counts):,} forms, {size:.1f} MB")


if __name__ == "__main__":
    main()
