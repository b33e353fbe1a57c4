"""Kim, Baldwin and Kan (2010): Tables 3 to 5, the rank correlation of metrics with human judgements of phrases.

Their judgements (English, near-misses, several people) are not published. Ours are of TermITH-Eval: French abstracts,
phrases of several systems, each judged 0, 1 or 2 by one professional indexer. So figures cannot agree; which metrics
come first can.
"""

from phrasemill.lab.datasets import files
from phrasemill.lab.papers.comparison import ComparisonRow, Figures, Published, Reproduced, Setting
from phrasemill.lab.papers.judgements import read_judgements
from phrasemill.lab.papers.meta_evaluation import HUMAN, Agreement, correlate

NAME = "termith_eval_judged.jsonl"
NOTE = (
    "Published: English, near-misses, several annotators, whose judgements are not public. Ours: TermITH-Eval, French, "
    "one indexer per phrase, so that there is no human bound, and average and majority are one. Compare the order of "
    "metrics, not the figures."
)
NOT_OURS = "We have no semantic similarity of that kind, and French has no tagger here: such groups have no figures."


def overall_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3: by the average and by the majority of annotators, over phrases of all lengths and of shorter ones."""
    rows = []
    for label, figures in table.rows.items():
        combine, group = label.split(", ")
        rows.append(ComparisonRow(label, "TermITH-Eval", figures, _figures(setting, table, combine, group)))
    return Reproduced(table, tuple(rows), (NOTE, NOT_OURS, _size(setting)))


def kinds_table(setting: Setting, table: Published) -> Reproduced:
    """Tables 4 and 5: by where phrases overlap, by prepositions and conjunctions, by word classes."""
    combine = "average" if table.source == "Table 4" else "majority"
    rows = [
        ComparisonRow(group, "TermITH-Eval", figures, _figures(setting, table, combine, group))
        for group, figures in table.rows.items()
    ]
    return Reproduced(table, tuple(rows), (NOTE, NOT_OURS, _size(setting)))


def _figures(setting: Setting, table: Published, combine: str, group: str) -> Figures | None:
    found = _agreements(setting, combine).get(group)
    if found is None:
        return None
    return tuple([found.spearman.get(HUMAN if name == "human" else name) for name in table.columns])


def _agreements(setting: Setting, combine: str) -> dict[str, Agreement]:
    setting.refuse_sample("tables of ngram-metrics are over judgements, not documents")

    def make() -> dict[str, Agreement]:
        judged = read_judgements(files.found(setting.data, NAME))
        return {one.group: one for one in correlate(judged, combine=combine, language="fr")}

    made: dict[str, Agreement] = setting.shared(("ngram-metrics", combine), make)
    return made


def _size(setting: Setting) -> str:
    return f"Ours: {_agreements(setting, 'average')['all'].judgements:,} judgements; Spearman's rank correlation."
