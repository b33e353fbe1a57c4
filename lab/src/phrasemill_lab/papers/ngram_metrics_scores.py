"""Kim, Baldwin and Kan (2010): Section 4.3, what people think of near-misses, and Section 5, how far people agree.

Judgements are those of Tables 3 to 5: grades that were collected with `phrasemill judge`, otherwise TermITH-Eval.
"""

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from phrasemill.evaluation.phrases import normaliser
from phrasemill.text.stem import default_stemmer
from phrasemill_lab.papers.comparison import ComparisonRow, Figures, Published, Reproduced, Setting
from phrasemill_lab.papers.judgements import Judged
from phrasemill_lab.papers.meta_evaluation import kinds
from phrasemill_lab.papers.near_misses import contains, is_near_miss
from phrasemill_lab.papers.ngram_metrics import LABELS, LANGUAGES, NOTE, TERMITH, all_judgements

OVERLAP = "overlap: "
# TermITH-Eval has 0 to 2 where the paper has 0 to 4.
SCALE = {TERMITH: 2.0}
SCALE_NOTE = "TermITH-Eval's judgements, 0 to 2, are doubled."
SUBSETS = {"two annotators": 2, "three annotators": 3}


def scores_table(setting: Setting, table: Published) -> Reproduced:
    """Section 4.3: the mean score by which phrase is longer, and where the two overlap."""
    setting.refuse_sample(f"{table.name} is over judgements, not documents")
    name, judged = setting.shared(all_judgements)
    stems = normaliser(default_stemmer(LANGUAGES[name])).key
    groups: dict[str, list[float]] = {}
    for one in judged:
        for group in _places(stems(one.candidate).split(), [stems(other).split() for other in one.references]):
            groups.setdefault(group, []).append(SCALE.get(name, 1.0) * fmean(one.scores))
    rows = [
        ComparisonRow(label, LABELS[name], figures, (fmean(groups[label]),) if label in groups else None)
        for label, figures in table.rows.items()
    ]
    counts = ", ".join(f"{label} {len(groups.get(label, ()))}" for label in table.rows)
    notes = (NOTE, SCALE_NOTE) if name == TERMITH else ()
    return Reproduced(table, tuple(rows), (*notes, f"Pairs: {counts}."))


def _places(candidate: Sequence[str], references: Sequence[Sequence[str]]) -> set[str]:
    """Return the groups of a near-miss, one for each keyphrase that is part of it or that it is part of."""
    if not is_near_miss(candidate, references):
        return set()
    found = set()
    for one in references:
        shorter = len(candidate) < len(one)
        if one and contains(*((one, candidate) if shorter else (candidate, one))):
            place = next(kind.removeprefix(OVERLAP) for kind in kinds(candidate, one, ()) if kind.startswith(OVERLAP))
            found.add(f"candidate {'shorter' if shorter else 'longer'}, {place}")
    return found


def agreement_table(setting: Setting, table: Published) -> Reproduced:
    """Section 5: on what share of pairs two or three annotators give the same score, at least and at most."""
    setting.refuse_sample(f"{table.name} is over judgements, not documents")
    name, judged = setting.shared(all_judgements)
    rows = [
        ComparisonRow(label, LABELS[name], figures, exact_agreement(judged, SUBSETS[label]))
        for label, figures in table.rows.items()
    ]
    return Reproduced(table, tuple(rows), (NOTE,) if name == TERMITH else ())


def exact_agreement(judged: Sequence[Judged], size: int) -> Figures | None:
    """Return the lowest and the highest per cent of pairs on which that many annotators agree, if there are so many."""
    annotators = len(judged[0].scores)
    if annotators < size:
        return None
    shares = [
        100 * fmean([len({one.scores[i] for i in chosen}) == 1 for one in judged])
        for chosen in combinations(range(annotators), size)
    ]
    return min(shares), max(shares)
