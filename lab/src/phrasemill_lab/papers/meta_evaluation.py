"""Rank correlation of metrics with human scores, overall and by kind of phrase.

Kim, Baldwin and Kan (2010), "Evaluating N-gram based evaluation metrics for automatic keyphrase extraction": Table 3
correlates each metric with the average and with the majority of the annotators, over phrases of all lengths, of up to
four and of up to three words; Tables 4 and 5 break that down by where the phrases overlap, by prepositions and
conjunctions in the keyphrase, and by its word classes. How far one annotator agrees with the others is the human bound.
All their pairs are near-misses: exact matches, and phrases with nothing in common, would make any metric look good.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from statistics import fmean, median
from typing import Any

from phrasemill.errors import ConfigError, DataError, MissingExtra
from phrasemill.evaluation.aggregate import Scores
from phrasemill.evaluation.embeddings import embeddings as load_embeddings
from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.similarity import AS_WRITTEN, SELF_CONTAINED, overlap, similarity
from phrasemill.tables import Table
from phrasemill.text.language_codes import language_code
from phrasemill.text.stem import default_stemmer
from phrasemill_lab.papers.judgements import Judged
from phrasemill_lab.papers.near_misses import is_near_miss, is_part

HUMAN = "human"
STATISTICS = ("spearman", "kendall")
Combine = Callable[[Sequence[float]], float]


def majority(scores: Sequence[float]) -> float:
    """Return the most frequent score; "in the case of a tie, … that annotation which is closest to the median"."""
    counts = Counter(scores)
    most = max(counts.values())
    middle = median(scores)
    return min((score for score, count in counts.items() if count == most), key=lambda s: (abs(s - middle), s))


# Which judgements count: all, those that share a word with a keyphrase and are none, and of these those that are part
# of a keyphrase or have one as a part.
PAIRS: dict[str, Callable[[Sequence[str], Sequence[Sequence[str]]], bool]] = {
    "all": lambda candidate, references: True,
    "near-misses": is_near_miss,
    "parts": is_part,
}
COMBINE: dict[str, Combine] = {"average": fmean, "majority": majority}


@dataclass(frozen=True, slots=True)
class Agreement:
    """The rank correlations of each metric, and of people among themselves, over one group of judgements.

    A correlation is None where one side is constant, or there are fewer than two judgements.
    """

    group: str
    judgements: int
    spearman: Mapping[str, float | None]
    kendall: Mapping[str, float | None]


def correlate(
    judged: Sequence[Judged],
    *,
    metrics: Sequence[str] = SELF_CONTAINED,
    combine: str = "average",
    pairs: str = "all",
    language: str = "en",
    stemmer: str | None = None,
    embeddings: str = "minilm",
    progress: Callable[[int], None] | None = None,
) -> list[Agreement]:
    """Correlate every metric of phrase similarity with people, for each group of judgements.

    `pairs` restricts them to near-misses. Groups by word class are for languages that have a tagger. `stemmer` is the
    language's own by default, `embeddings` are those of the metric `cosine`.
    """
    if pairs not in PAIRS:
        raise ConfigError(f"unknown pairs {pairs!r}; choose from {', '.join(PAIRS)}")
    if combine not in COMBINE:
        raise ConfigError(f"unknown way to combine annotators {combine!r}; choose from {', '.join(COMBINE)}")
    language = language_code(language)
    stems, plain = normaliser(stemmer or default_stemmer(language)).key, normaliser("none").key
    kept = []
    for one in judged:
        if not one.references:
            raise DataError(f"{one.candidate!r} has no keyphrase to compare with; judged answers need --predictions")
        if PAIRS[pairs](stems(one.candidate).split(), [stems(r).split() for r in one.references]):
            kept.append(one)
    if not kept:
        raise DataError(f"none of the {len(judged)} judgements is of {pairs}")
    if "cosine" in metrics:
        load_embeddings(embeddings).add([plain(phrase) for one in kept for phrase in (one.candidate, *one.references)])
    measures = {name: similarity(name, embeddings=embeddings) for name in metrics}
    scored: dict[str, list[float]] = {name: [] for name in metrics}
    groups: dict[str, list[int]] = {"all": list(range(len(kept)))}
    for i, one in enumerate(kept):
        for name, measure in measures.items():
            key = plain if name in AS_WRITTEN else stems
            words = key(one.candidate).split()
            scored[name].append(max(measure(words, key(reference).split()) for reference in one.references))
        words, references = stems(one.candidate).split(), [stems(r).split() for r in one.references]
        nearest = max(range(len(references)), key=lambda r: overlap(words, references[r]))
        for group in kinds(words, references[nearest], _tags(one.references[nearest], language)):
            groups.setdefault(group, []).append(i)
        if progress:
            progress(1)
    humans = [one.scores for one in kept]
    order = [group for group in GROUPS if group in groups]
    return [_agreement(group, groups[group], scored, humans, COMBINE[combine]) for group in order]


GROUPS = (
    *("all", "up to 4 words", "up to 3 words"),
    *("overlap: first", "overlap: middle", "overlap: head", "overlap: none"),
    *("simple", "with preposition", "with conjunction"),
    *("adjective-noun", "noun-noun"),
)


def kinds(candidate: Sequence[str], keyphrase: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the groups of one pair, by the stems of both and the keyphrase's tags, if it has any.

    Overlap is located in the longer phrase: its head is its last word, and a shared head outweighs a shared
    first word.
    """
    found = [f"up to {most} words" for most in (4, 3) if len(keyphrase) <= most]
    longer, shorter = (candidate, keyphrase) if len(candidate) > len(keyphrase) else (keyphrase, candidate)
    shared = set(shorter) & set(longer)
    if not shared:
        found.append("overlap: none")
    elif longer[-1] in shared:
        found.append("overlap: head")
    else:
        found.append("overlap: first" if longer[0] in shared else "overlap: middle")
    return found + _word_classes(tags)


# Word classes in Penn tags and in universal ones.
PREPOSITIONS, CONJUNCTIONS = {"IN", "TO", "ADP"}, {"CC", "CCONJ"}


def _word_classes(tags: Sequence[str]) -> list[str]:
    """Return the groups that Tables 4 and 5 call complexity and POS; adjectives stand on either side of a noun."""
    if not any(tags):
        return []
    found = ["simple"]
    if not CONJUNCTIONS.isdisjoint(tags):
        found = ["with conjunction"]
    elif not PREPOSITIONS.isdisjoint(tags):
        found = ["with preposition"]
    classes = {"J" if tag.startswith(("J", "ADJ")) else "N" if tag[:1] == "N" or tag == "PROPN" else "" for tag in tags}
    if classes == {"N"} and len(tags) > 1:
        found.append("noun-noun")
    elif classes == {"J", "N"}:
        found.append("adjective-noun")
    return found


def _tags(phrase: str, language: str) -> list[str]:
    """Return the tags of a phrase, none in a language without a tagger."""
    from phrasemill.text.analyse import analyse

    return [token.tag for token in analyse(phrase, language=language).tokens]


def _agreement(
    group: str,
    members: Sequence[int],
    scored: Mapping[str, Sequence[float]],
    humans: Sequence[Sequence[float]],
    combine: Combine,
) -> Agreement:
    combined = [combine(humans[i]) for i in members]
    found: dict[str, dict[str, float | None]] = {}
    for statistic in STATISTICS:
        column = found[statistic] = {HUMAN: human_bound([humans[i] for i in members], combine, statistic)}
        for name, values in scored.items():
            column[name] = correlation([values[i] for i in members], combined, statistic)
    return Agreement(group, len(members), found["spearman"], found["kendall"])


def human_bound(scores: Sequence[Sequence[float]], combine: Combine, statistic: str) -> float | None:
    """Correlate each annotator with the others combined; return the mean, or None for a single annotator."""
    annotators = len(scores[0]) if scores else 0
    if annotators < 2:
        return None
    each = []
    for a in range(annotators):
        own = [row[a] for row in scores]
        others = [combine([score for b, score in enumerate(row) if b != a]) for row in scores]
        each.append(correlation(own, others, statistic))
    known = [value for value in each if value is not None]
    return fmean(known) if known else None


def correlation(one: Sequence[float], other: Sequence[float], statistic: str) -> float | None:
    """Spearman's rho or Kendall's tau-b, both with ties, by SciPy; None where one side is constant."""
    if len(set(one)) < 2 or len(set(other)) < 2:
        return None
    stats = _scipy_stats()
    found = stats.spearmanr(one, other) if statistic == "spearman" else stats.kendalltau(one, other)
    return float(found.statistic)


def _scipy_stats() -> Any:
    try:
        return import_module("scipy.stats")
    except ImportError:
        raise MissingExtra("scipy", "metrics", purpose="rank correlation") from None


def correlate_documents(scores: Scores, judged: Iterable[Judged], *, combine: str = "average") -> Agreement:
    """Correlate every metric of whole answers with people, over the documents that have both."""
    humans = {one.candidate: one.scores for one in judged}
    per_metric = {score.name: score.documents for score in scores}
    shared = [id_ for id_ in humans if all(id_ in documents for documents in per_metric.values())]
    if not shared:
        raise DataError("no judged document is among those that count")
    scored = {name: [documents[id_] for id_ in shared] for name, documents in per_metric.items()}
    rows = [humans[id_] for id_ in shared]
    return _agreement("all", range(len(shared)), scored, rows, COMBINE[combine])


def agreement_table(agreements: Sequence[Agreement], *, statistic: str) -> Table:
    """Return one row per group, one column per metric, beside the human bound."""
    if statistic not in STATISTICS:
        raise ConfigError(f"unknown statistic {statistic!r}; choose from {', '.join(STATISTICS)}")
    columns = list(getattr(agreements[0], statistic))
    rows = [
        (one.group, str(one.judgements), *(_cell(getattr(one, statistic)[column]) for column in columns))
        for one in agreements
    ]
    return Table(f"Rank correlation with people ({statistic})", ("judgements", "n", *columns), tuple(rows))


def _cell(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
