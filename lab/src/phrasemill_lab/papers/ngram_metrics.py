"""Kim, Baldwin and Kan (2010): Table 1 and Section 4.1, their keyphrases; Tables 3 to 5, how metrics rank near-misses
beside people.

Their judgements (English, parts of keyphrases, four people) are not published. Grades that were collected with
`phrasemill judge` are read from `near_misses_graded.jsonl`. Otherwise ours are of TermITH-Eval: French abstracts,
phrases of several systems, each judged 0, 1 or 2 by one professional indexer, restricted like theirs to phrases that
are part of a keyphrase or have one as a part. So figures cannot agree; how metrics differ can.
"""

from collections.abc import Iterator

from phrasemill.candidates import forms
from phrasemill.errors import DataError, MissingExtra
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.genitives import with_genitives
from phrasemill.evaluation.similarity import SELF_CONTAINED, similarity
from phrasemill.text.analyse import analyse
from phrasemill.types import Reference
from phrasemill_lab.datasets import files
from phrasemill_lab.papers.comparison import ComparisonRow, Published, Reproduced, Setting
from phrasemill_lab.papers.judgements import Judged, read_judgements
from phrasemill_lab.papers.meta_evaluation import Agreement, correlate
from phrasemill_lab.papers.near_misses import CandidateSelection
from phrasemill_lab.papers.semeval2010 import documents
from phrasemill_lab.papers.semeval2010_keys import ANNOTATORS, read_key

TERMITH, GRADED = "termith_eval_judged.jsonl", "near_misses_graded.jsonl"
LANGUAGES = {TERMITH: "fr", GRADED: "en"}
LABELS = {TERMITH: "TermITH-Eval", GRADED: "your grades"}
PARTS = "parts"
# Rows of ours in Table 3: the same metrics over more than parts of keyphrases.
WIDER = ("near-misses", "all")
SEMANTIC = "semantic similarity"
NOTE = (
    "Published: English, parts of keyphrases, four annotators, whose judgements are not public. Ours: TermITH-Eval, "
    "French, one indexer per phrase, so that there is no human bound, and average and majority are one. The head of a "
    "French phrase is its first word, where the paper's groups and modified R-precision expect it last. Compare how "
    "metrics differ, not the figures."
)
WIDER_NOTE = (
    "Over all judgements exact matches and phrases with nothing in common carry the correlation, whatever the metric; "
    "the near-misses include phrases that merely share a word."
)
ROUGE_NOTE = (
    "Between a phrase and its part R-precision, n/m, and ROUGE-1's F, 2n/(n + m), rank alike; the published ones do "
    "not, so that theirs must be another ROUGE or of other pairs."
)
COUNTS_NOTE = (
    "Ours are the training and test papers of SemEval-2010, 244; by its averages the paper has 250. A noun phrase is "
    "a keyphrase of several words. Found are keyphrases among the candidates of their paper."
)
# The rows of Table 1 that the paper does not have: other rules, and no filter by frequency.
VARIANTS = {
    "Found": CandidateSelection(),
    "Found, rule 1 alone": CandidateSelection("1"),
    "Found, rule 2 alone": CandidateSelection("2"),
    "Found, without the frequency filter": CandidateSelection(simplex=1),
    "Found, phrases twice": CandidateSelection(phrases=2),
}
SPLITS = ("train", "test")


def correlations_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3: by the average and by the majority of annotators, over phrases of all lengths and of shorter ones.

    Tables 4 (average) and 5 (majority): by where phrases overlap, by prepositions and conjunctions, by word classes.
    """
    setting.refuse_sample("tables of ngram-metrics are over judgements, not documents")
    name, _ = setting.shared(all_judgements)
    combined = {"Table 4": "average", "Table 5": "majority"}.get(table.source)
    rows = []
    for label, figures in table.rows.items():
        combine, group = (combined, label) if combined else label.split(", ")
        found = setting.shared(_agreements, combine, PARTS).get(group)
        rows.append(ComparisonRow(label, LABELS[name], figures, _figures(setting, found, table)))
    for pairs in WIDER if combined is None else ():
        found = setting.shared(_agreements, "average", pairs)["all"]
        rows.append(ComparisonRow(f"not only parts: {pairs}", LABELS[name], None, _figures(setting, found, table)))
    judgements = setting.shared(_agreements, "average", PARTS)["all"].judgements
    size = f"Ours: {judgements:,} judgements of parts; Spearman's rank correlation."
    notes = [NOTE] if name == TERMITH else []
    notes += [ROUGE_NOTE, *([WIDER_NOTE] if combined is None else [])]
    return Reproduced(table, tuple(rows), (*notes, size, *setting.shared(_with_data)[1]))


def _figures(setting: Setting, found: Agreement | None, table: Published) -> tuple[float | None, ...] | None:
    if found is None:
        return None
    metrics, _ = setting.shared(_with_data)
    return tuple(found.spearman.get(metrics.get(column, column)) for column in table.columns)


def all_judgements(setting: Setting) -> tuple[str, list[Judged]]:
    """Return the name of the judgements, and all of them: those that were collected, else TermITH-Eval's."""
    try:
        return GRADED, read_judgements(files.found(setting.data, GRADED))
    except DataError:
        return TERMITH, read_judgements(files.found(setting.data, TERMITH))


def _agreements(setting: Setting, combine: str, pairs: str) -> dict[str, Agreement]:
    name, judged = setting.shared(all_judgements)
    # Embedding every phrase would take many minutes, for rows that only show what near-misses leave out.
    own = setting.shared(_with_data)[0].values() if pairs == PARTS else ()
    metrics = (*SELF_CONTAINED, *own)
    found = correlate(judged, metrics=metrics, combine=combine, pairs=pairs, language=LANGUAGES[name])
    return {one.group: one for one in found}


def _with_data(setting: Setting) -> tuple[dict[str, str], list[str]]:
    """Return the metrics of columns that need data of their own, and a note for each where these are missing."""
    name, _ = setting.shared(all_judgements)
    wanted = {SEMANTIC: "cosine"} | ({"meteor": "meteor-wordnet"} if LANGUAGES[name] == "en" else {})
    found, notes = {}, []
    for column, metric in wanted.items():
        try:
            similarity(metric)(["grid"], ["node"])
        except (MissingExtra, DataError) as error:
            notes.append(f"{column}: {error}")
        else:
            found[column] = metric
    return found, notes


def counts_table(setting: Setting, table: Published) -> Reproduced:
    """Table 1: keyphrases, with alternations, noun phrases among them, per paper, and found among the candidates."""
    setting.refuse_sample(f"{table.name} counts whole splits")
    counts = setting.shared(_all_counts)
    rows = [
        ComparisonRow(name, "", table.rows.get(name), counts[name]) for name in dict.fromkeys([*table.rows, *counts])
    ]
    return Reproduced(table, tuple(rows), (COUNTS_NOTE,))


def found_table(setting: Setting, table: Published) -> Reproduced:
    """Section 4.1: the share of the combined keyphrases that is among the candidates."""
    setting.refuse_sample(f"{table.name} counts whole splits")
    counts = setting.shared(_all_counts)
    ours = 100 * counts["Found"][-1] / counts["Total"][-1]
    return Reproduced(table, (ComparisonRow("Combined", "", table.rows["Combined"], (ours,)),), (COUNTS_NOTE,))


def _all_counts(setting: Setting) -> dict[str, tuple[float, ...]]:
    return dict(_counts(setting))


def _counts(setting: Setting) -> Iterator[tuple[str, tuple[float, ...]]]:
    groups = {by: list(_references(setting, by)) for by in ANNOTATORS}
    papers = len({id_ for id_, _ in groups["combined"]})
    total = {by: len(found) for by, found in groups.items()}
    wordings = {by: sum(len(clustered(one)) for _, one in groups[by]) for by in ANNOTATORS}
    phrases = {by: sum(" " in clustered(one)[0] for _, one in groups[by]) for by in ANNOTATORS}
    yield "Total", tuple(float(total[by]) for by in ANNOTATORS)
    yield "Total, with alternates", tuple(float(wordings[by]) for by in ANNOTATORS)
    yield "NPs", tuple(float(phrases[by]) for by in ANNOTATORS)
    yield "Average", tuple(total[by] / papers for by in ANNOTATORS)
    yield "Average, with alternates", tuple(wordings[by] / papers for by in ANNOTATORS)
    known = _candidates(setting)
    for name, found in known.items():
        hits = {by: sum(not found[id_].isdisjoint(_forms(one)) for id_, one in groups[by]) for by in ANNOTATORS}
        yield name, tuple(float(hits[by]) for by in ANNOTATORS)


def _references(setting: Setting, by: str) -> Iterator[tuple[str, Reference]]:
    for split in SPLITS:
        for id_, references in read_key(setting.data, by, split).phrases.items():
            yield from ((id_, one) for one in references)


def _forms(reference: Reference) -> set[str]:
    """Return the stems of all wordings, hyphenated words in parts as the candidates of a paper are compared."""
    return {one.replace("-", " ") for one in with_genitives(clustered(reference))}


def _candidates(setting: Setting) -> dict[str, dict[str, set[str]]]:
    """Return the forms of each paper's candidates by each variant of the rules."""
    found: dict[str, dict[str, set[str]]] = {name: {} for name in VARIANTS}
    papers = [paper for split in SPLITS for paper in documents(setting.data, split)]
    for done, paper in enumerate(papers, start=1):
        analysis = analyse(paper.content, language="en")
        for name, selection in VARIANTS.items():
            found[name][paper.id] = {form.replace("-", " ") for form in forms(selection.select(analysis))}
        setting.progress("candidates", done, len(papers))
    return found
