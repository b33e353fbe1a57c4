"""Print what the rule against near-duplicates costs or gains in news and everyday prose, F1@5 and F1@10.

    python lab/benchmarks/near_duplicates.py --data DIR

`nested` is what `learned` does there by default, `variants` what it does in papers. Trees have learned from the first
two sets; crowds marked about 48 words per article of 500N, and the keyphrases of WikiNews are rated entities. A
language model annotated the everyday texts.
"""

import phrasemill as pm
from phrasemill_lab.bench.scripts import MarkdownRows, f1_of, parser, write_figures
from phrasemill_lab.models.sources import Source

NEWS = {"genre": "news"}
SETS = {
    "everyday news, train": Source("everyday/en_train.jsonl.gz", where=NEWS),
    "500N, train": Source("500n_kpcrowd_train.jsonl.gz", last=200),
    "500N, test": Source("500n_kpcrowd_test.jsonl.gz"),
    "everyday news, dev": Source("everyday/en_dev.jsonl.gz", where=NEWS),
    "everyday texts, dev": Source("everyday/en_dev.jsonl.gz"),
    "WikiNews": Source("multilingual/wikinews_en_rated.jsonl.gz"),
}
RULES = ("variants", "nested")


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--method", default="learned")
    given = options.parse_args()
    rows = MarkdownRows("texts", "documents", *(f"`{rule}`" for rule in RULES), name="rules")
    for name, source in SETS.items():
        documents = [one for one in source.documents(given.data) if one.references]
        cells = []
        for rule in RULES:
            lists = [
                [k.text for k in pm.extract(one.content, method=given.method, redundancy=rule)] for one in documents
            ]
            pairs = list(zip(lists, documents, strict=True))
            at = [100 * sum(f1_of(found[:top], one) for found, one in pairs) / len(pairs) for top in (5, 10)]
            cells.append(f"{at[0]:.1f} / {at[1]:.1f}")
        rows.add(name, len(documents), *cells)
    write_figures(given.figures)


if __name__ == "__main__":
    main()
