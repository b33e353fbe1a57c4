"""Rank correlation of metrics with human scores, overall and by kind of phrase.

Kim, Baldwin and Kan (2010), "Evaluating N-gram based evaluation metrics for automatic keyphrase extraction": Table 3
correlates each metric with the average and with the majority of the annotators, over phrases of all lengths, of up to
four and of up to three words; Tables 4 and 5 break that down by where the phrases overlap, by prepositions and
conjunctions in the keyphrase, and by its word classes. How far one annotator agrees with the others is the human bound.
All their pairs are near-misses: exact matches, and phrases with nothing in common, would make any metric look good.

Human judgements of phrases or of whole answers, from JSON lines, plain or compressed.

| a line of | looks like |
|---|---|
| a pair of phrases | `{"keyphrase": "grid computing", "candidate": "grid", "scores": [3, 2, 4, 3]}` |
| a judged list | `{"id": "d1", "keyphrases": ["…"], "judgements": [{"phrase": "…", "score": 2}]}` |
| a judged answer | `{"id": "d1", "scores": [4, 5]}` |

`scores` has one number per annotator, always in the same order.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import fmean, median
from typing import Any

from phrasemill.errors import DataError, InputError, MissingExtra
from phrasemill.evaluation.answers import LARGEST, records
from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.scores import Scores
from phrasemill.evaluation.similarity import AS_WRITTEN, SELF_CONTAINED, overlap, phrase_embeddings, similarity
from phrasemill.files.streams import read_file
from phrasemill.text.analyse import analyse
from phrasemill.text.language_codes import language_code
from phrasemill.text.stem import default_stemmer

# TermITH-Eval also judges what systems left out ("silence"); that is no judgement of a prediction.
OF_PREDICTIONS = (None, "pertinence")
HUMAN = "human"
STATISTICS = ("spearman", "kendall")
Combine = Callable[[Sequence[float]], float]
Words = Sequence[str]


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate, the gold it is held against, each annotator's score; of a whole answer the candidate is its id."""

    candidate: str
    references: tuple[str, ...]
    scores: tuple[float, ...]


def read_judgements(path: str | Path) -> list[Judged]:
    """Read all judgements in the file at `path`; annotators must be the same throughout."""
    place = Path(path)
    found = list(_judged(place))
    if not found:
        raise InputError(f"{place}: no judgements in it")
    if len({len(one.scores) for one in found}) > 1:
        raise InputError(f"{place}: not every judgement has a score by every annotator")
    return found


def _judged(place: Path) -> Iterator[Judged]:
    for where, _, record in records(read_file(place, largest=LARGEST), str(place)):
        candidate, keyphrase = record.get("candidate"), record.get("keyphrase")
        if "judgements" in record:
            yield from _of_list(record, where)
        elif isinstance(candidate, str) and isinstance(keyphrase, str):
            yield Judged(candidate, (keyphrase,), _scores(record.get("scores"), where))
        elif "id" in record:
            yield Judged(str(record["id"]), (), _scores(record.get("scores"), where))
        else:
            raise InputError(f"{where}: has neither a keyphrase and a candidate, nor judgements, nor an id")


def _of_list(record: dict[str, object], where: str) -> Iterator[Judged]:
    keyphrases, judgements = record.get("keyphrases"), record["judgements"]
    if not isinstance(keyphrases, list) or not isinstance(judgements, list):
        raise InputError(f"{where}: needs a list of keyphrases and a list of judgements")
    references = tuple(_wordings(keyphrases, where))
    for one in judgements:
        if not isinstance(one, dict) or not isinstance(one.get("phrase"), str):
            raise InputError(f"{where}: has a judgement without a phrase")
        if one.get("kind") in OF_PREDICTIONS:
            yield Judged(one["phrase"], references, (_number(one.get("score"), where),))


def _wordings(keyphrases: list[object], where: str) -> Iterator[str]:
    """Yield every wording of every keyphrase, which may be a list of them."""
    for one in keyphrases:
        for wording in one if isinstance(one, list) else [one]:
            if not isinstance(wording, str):
                raise InputError(f"{where}: has {str(one)[:40]!r} where a keyphrase should be")
            yield wording


def _scores(value: object, where: str) -> tuple[float, ...]:
    if not isinstance(value, list) or not value:
        raise InputError(f"{where}: needs scores: a list of numbers")
    return tuple([_number(one, where) for one in value])


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"{where}: has {str(value)[:40]!r} where a score should be")
    return float(value)


def majority(scores: Sequence[float]) -> float:
    """Return the most frequent score; "in the case of a tie, … that annotation which is closest to the median"."""
    counts = Counter(scores)
    most = max(counts.values())
    middle = median(scores)
    return min((score for score, count in counts.items() if count == most), key=lambda s: (abs(s - middle), s))


def contains(longer: Words, shorter: Words) -> bool:
    """Return whether the words of `shorter` stand in a row in `longer`."""
    size = len(shorter)
    return any(list(longer[i : i + size]) == list(shorter) for i in range(len(longer) - size + 1))


def is_near_miss(candidate: Words, references: Sequence[Words]) -> bool:
    """Return whether a candidate shares a word with a keyphrase, and is not one."""
    if any(list(candidate) == list(one) for one in references):
        return False
    return any(not set(candidate).isdisjoint(one) for one in references)


def is_part(candidate: Words, references: Sequence[Words]) -> bool:
    """Return whether a near-miss is part of a keyphrase, or a keyphrase part of it."""
    if not is_near_miss(candidate, references):
        return False
    return any(one and (contains(one, candidate) or contains(candidate, one)) for one in references)


# Which judgements count.
PAIRS: dict[str, Callable[[Words, Sequence[Words]], bool]] = {
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
        phrase_embeddings(embeddings).add(
            [plain(phrase) for one in kept for phrase in (one.candidate, *one.references)]
        )
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
        tags = [token.tag for token in analyse(one.references[nearest], language=language).tokens]
        for group in kinds(words, references[nearest], tags):
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


def kinds(candidate: Words, keyphrase: Words, tags: Sequence[str]) -> list[str]:
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
    try:
        stats: Any = import_module("scipy.stats")
    except ImportError:
        raise MissingExtra("scipy", "metrics", purpose="rank correlation") from None
    found = stats.spearmanr(one, other) if statistic == "spearman" else stats.kendalltau(one, other)
    return float(found.statistic)


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
