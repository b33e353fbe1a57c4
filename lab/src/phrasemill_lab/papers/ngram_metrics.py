"""Kim, Baldwin and Kan (2010): Table 1 and Section 4.1, their keyphrases; Section 4.3 and Tables 3 to 5, near-misses.

Their judgements (English, parts of keyphrases, four people) are not published. Ours are of TermITH-Eval: French
abstracts, phrases of several systems, each judged 0, 1 or 2 by one professional indexer, restricted like theirs to
phrases that are part of a keyphrase or have one as a part. So figures cannot agree; how metrics differ can.
"""

from collections.abc import Iterator, Sequence
from statistics import fmean
from typing import NamedTuple

from phrasemill.candidates import RULE_1, RULE_2, forms, noun_phrases
from phrasemill.errors import DataError, MissingExtra
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import normaliser, with_genitives
from phrasemill.evaluation.similarity import SELF_CONTAINED, similarity
from phrasemill.text.analyse import analyse
from phrasemill.text.stem import default_stemmer
from phrasemill.types import Analysis, Candidates, Reference
from phrasemill_lab.papers.comparison import ComparisonRow, Figures, Part, Published, Setting
from phrasemill_lab.papers.correlation import (
    Agreement,
    Judged,
    contains,
    correlate,
    is_near_miss,
    kinds,
    read_judgements,
)
from phrasemill_lab.papers.semeval2010 import ANNOTATORS, documents, read_key

JUDGED, LANGUAGE, LABEL = "termith_eval_judged.jsonl", "fr", "TermITH-Eval"
SCALE = 2.0  # judgements are 0 to 2, where the paper has 0 to 4
OVERLAP = "overlap: "
PARTS = "parts"
# Rows of ours in Table 3: the same metrics over more than parts of keyphrases.
WIDER = ("near-misses", "all")
SEMANTIC = "semantic similarity"


class CandidateRules(NamedTuple):
    """Which noun phrases of a paper are candidates: the paper's rules, and how often one has to occur.

    Variants of number and possessive are one candidate, as forms are stems.
    """

    patterns: tuple[str, ...] = (RULE_1, RULE_2)
    single_words: int = 2
    phrases: int = 1

    def select(self, analysis: Analysis) -> Candidates:
        found = noun_phrases(analysis, patterns=self.patterns)
        least = [self.single_words if len(found.stem_ids(c)) == 1 else self.phrases for c in range(len(found))]
        return found.keep(c for c, often in enumerate(least) if found.count(c) >= often)


# The rows of Table 1 that the paper does not have: other rules, and no filter by frequency.
VARIANTS = {
    "Found": CandidateRules(),
    "Found, rule 1 alone": CandidateRules((RULE_1,)),
    "Found, rule 2 alone": CandidateRules((RULE_2,)),
    "Found, without the frequency filter": CandidateRules(single_words=1),
    "Found, phrases twice": CandidateRules(phrases=2),
}
SPLITS = ("train", "test")


def correlations_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 3: by the average and by the majority of annotators, over phrases of all lengths and of shorter ones.

    Tables 4 (average) and 5 (majority): by where phrases overlap, by prepositions and conjunctions, by word classes.
    """
    combined = {"Table 4": "average", "Table 5": "majority"}.get(table.source)
    for label in table.rows:
        combine, group = (combined, label) if combined else label.split(", ")
        found = setting.shared(_agreements, combine, PARTS).get(group)
        yield ComparisonRow(label, _figures(found, table), LABEL)
    for pairs in WIDER if combined is None else ():
        found = setting.shared(_agreements, "average", pairs)["all"]
        yield ComparisonRow(f"not only parts: {pairs}", _figures(found, table), LABEL)
    judgements = setting.shared(_agreements, "average", PARTS)["all"].judgements
    yield f"Ours: {judgements:,} judgements of parts; Spearman's rank correlation."
    if problem := setting.shared(_semantic_problem):
        yield f"{SEMANTIC}: {problem}"


def _figures(found: Agreement | None, table: Published) -> Figures | None:
    if found is None:
        return None
    return tuple(found.spearman.get("cosine" if column == SEMANTIC else column) for column in table.columns)


def _judgements(setting: Setting) -> list[Judged]:
    return read_judgements(setting.file(JUDGED))


def _agreements(setting: Setting, combine: str, pairs: str) -> dict[str, Agreement]:
    judged = setting.shared(_judgements)
    # Embedding every phrase would take many minutes, for rows that only show what near-misses leave out.
    cosine = ("cosine",) if pairs == PARTS and not setting.shared(_semantic_problem) else ()
    found = correlate(judged, metrics=(*SELF_CONTAINED, *cosine), combine=combine, pairs=pairs, language=LANGUAGE)
    return {one.group: one for one in found}


def _semantic_problem(setting: Setting) -> str:
    """Return why there are no embeddings; an empty string where there are."""
    try:
        similarity("cosine")(["grid"], ["node"])
    except (MissingExtra, DataError) as error:
        return str(error)
    return ""


def scores_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Section 4.3: the mean score by which phrase is longer, and where the two overlap."""
    stems = normaliser(default_stemmer(LANGUAGE)).key
    groups: dict[str, list[float]] = {}
    for one in setting.shared(_judgements):
        for group in _places(stems(one.candidate).split(), [stems(other).split() for other in one.references]):
            groups.setdefault(group, []).append(SCALE * fmean(one.scores))
    for label in table.rows:
        yield ComparisonRow(label, (fmean(groups[label]),) if label in groups else None, LABEL)
    counts = ", ".join(f"{label} {len(groups.get(label, ()))}" for label in table.rows)
    yield f"Pairs: {counts}."


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


def counts_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 1: keyphrases, with alternations, noun phrases among them, per paper, and found among the candidates."""
    for name, counts in setting.shared(_all_counts).items():
        yield ComparisonRow(name, counts)


def found_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Section 4.1: the share of the combined keyphrases that is among the candidates."""
    counts = setting.shared(_all_counts)
    yield ComparisonRow("Combined", (100 * counts["Found"][-1] / counts["Total"][-1],))


def _all_counts(setting: Setting) -> dict[str, tuple[float, ...]]:
    groups = {by: list(_references(setting, by)) for by in ANNOTATORS}
    papers = len({id_ for id_, _ in groups["combined"]})
    total = tuple(float(len(groups[by])) for by in ANNOTATORS)
    wordings = tuple(float(sum(len(clustered(one)) for _, one in groups[by])) for by in ANNOTATORS)
    counts = {
        "Total": total,
        "Total, with alternates": wordings,
        "NPs": tuple(float(sum(" " in clustered(one)[0] for _, one in groups[by])) for by in ANNOTATORS),
        "Average": tuple(one / papers for one in total),
        "Average, with alternates": tuple(one / papers for one in wordings),
    }
    for name, found in _candidates(setting).items():
        hits = [sum(not found[id_].isdisjoint(_forms(one)) for id_, one in groups[by]) for by in ANNOTATORS]
        counts[name] = tuple(map(float, hits))
    return counts


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
    papers = [paper for split in SPLITS for paper in documents(setting, split)]
    for done, paper in enumerate(papers, start=1):
        analysis = analyse(paper.content, language="en")
        for name, rules in VARIANTS.items():
            found[name][paper.id] = {form.replace("-", " ") for form in forms(rules.select(analysis))}
        setting.progress("candidates", done, len(papers))
    return found
