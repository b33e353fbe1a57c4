"""Multi-document keyphrase sets out of any single-document dataset, as Shapira et al. (2021, section 3) made MK-DUC-01.

    sets = build(by_topic(documents), {}, {})                   # documents that name their topic
    sets = build(by_keyphrase(documents, size=10), {}, {})      # or sets around keyphrases that documents share

The gold of a set is the automatic stage of the paper over the gold of its documents. Where no reference summaries are
given, it is ranked by the very score by which Merge reranks its phrases; a list cut off at 20 then favours Merge, and
only the full list is fair to other ways of ranking.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from phrasemill.errors import DataError
from phrasemill.evaluation.answers import clustered
from phrasemill.sets.merge import document_frequencies, first_wordings, rerank
from phrasemill.sets.reading import Form, form_of
from phrasemill_lab.datasets import jsonl, writing
from phrasemill_lab.datasets.building.collecting import staged
from phrasemill_lab.datasets.building.decisions import Decision, refine
from phrasemill_lab.datasets.building.grouping import DocumentSet

TRUNCATED = 20
DOCUMENTS, SETS = "documents.jsonl", "sets.jsonl"


def build(
    groups: Iterable[DocumentSet], summaries: Mapping[str, Sequence[str]], decisions: Mapping[str, Sequence[Decision]]
) -> Iterator[DocumentSet]:
    """Yield the sets with their gold: merged automatically, then refined by `decisions` where there are any.

    `summaries` has the texts of the reference summaries by set, `decisions` what was decided by hand.
    """
    left = dict(decisions)
    for group in groups:
        lists = [[clustered(reference)[0] for reference in document.references] for document in group.documents]
        languages = {document.language for document in group.documents} or {"en"}
        if len(languages) > 1:
            raise DataError(f"set {group.id}: its documents are in several languages ({', '.join(sorted(languages))})")
        texts = [document.content for document in group.documents]
        phrases = merge_lists(lists, texts, summaries=summaries.get(group.id, ()), language=languages.pop())
        yield DocumentSet(group.id, group.documents, refine(phrases, left.pop(group.id, ()), topic=group.id))
    if left:
        raise DataError(f"there are decisions on {', '.join(sorted(left))}, but no such set")


def merge_lists(
    lists: Iterable[Iterable[str]], documents: Sequence[str], *, summaries: Sequence[str] = (), language: str = "en"
) -> list[str]:
    """Return the phrases of several documents as one ranked list, without those that no document holds.

    `documents` and `summaries` are texts. A word scores its document frequency, averaged with that over the summaries
    where there are any.
    """
    read = [form_of(document, language) for document in documents]
    scores = document_frequencies(frozenset(form) for form in read)
    if summaries:
        summed = document_frequencies(frozenset(form_of(summary, language)) for summary in summaries)
        scores = {word: (score + summed.get(word, 0.0)) / 2 for word, score in scores.items()}
    wordings = first_wordings((form_of(phrase, language), phrase) for phrases in lists for phrase in phrases)
    texts = [_spaced(form) for form in read]
    occurring = [form for form in wordings if any(_spaced(form) in text for text in texts)]
    return [wordings[form] for form, _ in rerank(occurring, scores)]


def _spaced(form: Form) -> str:
    return f" {' '.join(word.stem for word in form)} "


def record(group: DocumentSet, *, top: int = TRUNCATED) -> dict[str, object]:
    """Return the record of `group`, in the form in which we keep MK-DUC-01."""
    clusters = [list(clustered(reference)) for reference in group.references]
    preferred = [cluster[0] for cluster in clusters]
    return {
        "id": group.id,
        "doc_ids": [document.id for document in group.documents],
        "keyphrases": preferred,
        "clusters": clusters,
        f"keyphrases_trunc{top}": preferred[:top],
    }


def write(groups: Sequence[DocumentSet], output: Path, *, top: int = TRUNCATED) -> None:
    """Write `sets.jsonl` and `documents.jsonl` into the folder `output`."""
    with staged(output) as folder:
        writing.lines((json.dumps(record(group, top=top), ensure_ascii=False) for group in groups), folder / SETS)
        documents = (
            replace(document, metadata={**document.metadata, "topic": group.id})
            for group in groups
            for document in group.documents
        )
        jsonl.write(documents, folder / DOCUMENTS)
