"""Kim, Baldwin and Kan (2010): Tables 3 to 5, the rank correlation of metrics with human judgements of phrases.

Their judgements (English, near-misses, several people) are not published. Ours are of TermITH-Eval: French abstracts,
phrases of several systems, each judged 0, 1 or 2 by one professional indexer. So figures cannot agree; which metrics
come first can.
"""

from phrasemill.lab.datasets import files
from phrasemill.lab.papers.comparison import ComparisonRow, Published, Reproduced, Setting
from phrasemill.lab.papers.judgements import read_judgements
from phrasemill.lab.papers.meta_evaluation import HUMAN, Agreement, correlate

NAME = "termith_eval_judged.jsonl"
NOTE = (
    "Published: English, near-misses, several annotators, whose judgements are not public. Ours: TermITH-Eval, French, "
    "one indexer per phrase, so that there is no human bound, and average and majority are one. Compare the order of "
    "metrics, not the figures."
)
NOT_OURS = "We have no semantic similarity of that kind, and French has no tagger here: such groups have no figures."


def correlations_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3: by the average and by the majority of annotators, over phrases of all lengths and of shorter ones.

    Tables 4 (average) and 5 (majority): by where phrases overlap, by prepositions and conjunctions, by word classes.
    """
    setting.refuse_sample("tables of ngram-metrics are over judgements, not documents")
    combined = {"Table 4": "average", "Table 5": "majority"}.get(table.source)
    rows = []
    for label, figures in table.rows.items():
        combine, group = (combined, label) if combined else label.split(", ")
        found = setting.shared(_agreements, combine).get(group)
        names = [HUMAN if name == "human" else name for name in table.columns]
        ours = None if found is None else tuple(map(found.spearman.get, names))
        rows.append(ComparisonRow(label, "TermITH-Eval", figures, ours))
    judgements = setting.shared(_agreements, "average")["all"].judgements
    size = f"Ours: {judgements:,} judgements; Spearman's rank correlation."
    return Reproduced(table, tuple(rows), (NOTE, NOT_OURS, size))


def _agreements(setting: Setting, combine: str) -> dict[str, Agreement]:
    judged = read_judgements(files.found(setting.data, NAME))
    return {one.group: one for one in correlate(judged, combine=combine, language="fr")}
