"""How much MK-DUC-01 scores depend on each parameter of `consensus`: for the record, not for choosing.

    python lab/benchmarks/sets_sensitivity.py --data DIR

DIR holds mkduc01 and duc2001. One parameter at a time is moved from its default; headlines are not read.
"""

import phrasemill as pm
from phrasemill.evaluation import evaluate
from phrasemill.evaluation.formats import read_answers
from phrasemill_lab.bench.corpora import topics
from phrasemill_lab.bench.scripts import MarkdownRows, parser, write_figures
from phrasemill_lab.papers.mkduc01 import PRESETS

MOVED = {
    "keep": (5, 10, 20, 40),
    "support": (0.5, 1.0, 1.5, 3.0),
    "specificity": (0.0, 0.5, 1.0),
    "longer": (0.0, 0.3, 0.7, 0.9, 9.0),
    "diversity": (0.0, 0.4, 0.6, 0.8),
    "style": ("'general'",),
}
METRICS = ["F1@20", "unigram-F1@20", "synonymous@20"]


def main() -> None:
    given = parser(__doc__).parse_args()
    data = given.data
    sets = topics(data)
    gold = read_answers(data / "mkduc01.jsonl.gz", top=20)
    header = ("F1@20 first", "F1@20 clusters", "unigram first", "unigram clusters", "% synonymous")
    rows = MarkdownRows("`consensus`", *header, name="parameters")
    specs = ["style='news'"]
    specs += [
        f"style='news', {name}={value}" if name != "style" else f"style={value}"
        for name, values in MOVED.items()
        for value in values
    ]
    for spec in specs:
        found = {
            name: [phrase.text for phrase in pm.extract_set(documents, method=f"consensus({spec})", top=20)]
            for name, documents in sets.items()
        }
        first, clusters = (evaluate(found, gold, metrics=METRICS, preset=preset) for preset in PRESETS)
        cells = [scores[name] for name in METRICS[:2] for scores in (first, clusters)]
        rows.add(f"`{spec}`", *(f"{100 * cell:.2f}" for cell in [*cells, clusters["synonymous@20"]]))
    write_figures(given.figures)


if __name__ == "__main__":
    main()
