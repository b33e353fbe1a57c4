"""MK-DUC-01 (Shapira et al., 2021): the dataset itself, Tables 1 and 8 and Section 3."""

from collections.abc import Iterable, Sequence
from statistics import fmean, pstdev

from phrasemill.evaluation.phrases import normaliser, occurs_in
from phrasemill.evaluation.policies import preset
from phrasemill_lab.datasets import load_dataset, load_topics
from phrasemill_lab.papers.comparison import ComparisonRow, Figures, Published, Reproduced, Setting
from phrasemill_lab.papers.mkduc01 import FIRST, TRUNCATED

Cluster = tuple[str, ...]
VERSIONS = {"Full": None, "Trunc-20": TRUNCATED}
EXAMPLE = "d31"


def statistics_table(setting: Setting, table: Published) -> Reproduced:
    """Table 1: topics, documents, keyphrases and substitute clusters; deviations are those of a population.

    Words are counted in preferred wordings; unique stems are averaged over the clusters of a topic, then over topics.
    """
    setting.refuse_sample(f"{table.name} is about the whole dataset")
    topics = list(load_topics("mkduc01", setting.data, check="off"))
    documents = [len(one.documents) for one in topics]
    rows = []
    for version, top in VERSIONS.items():
        gold = [_clusters(one.references[:top]) for one in topics]
        words = [len(cluster[0].split()) for clusters in gold for cluster in clusters]
        several = [[cluster for cluster in clusters if len(cluster) > 1] for clusters in gold]
        sizes = [len(cluster) for clusters in several for cluster in clusters]
        unique = [fmean(map(_unique_stems, clusters)) for clusters in several if clusters]
        counts = len(sizes), len(words)
        ours = (len(topics), *_spread(documents), *_spread([len(one) for one in gold]), *_spread(words))
        rows.append(_row(table, version, (*ours, *counts, *_spread(sizes), *_spread(unique))))
    return Reproduced(table, tuple(rows))


def collection_table(setting: Setting, table: Published) -> Reproduced:
    """Section 3: the documents and keyphrases of DUC-2001, and those that no document of their topic has."""
    setting.refuse_sample(f"{table.name} is about the whole dataset")
    documents = list(load_dataset("duc2001", setting.data, check="off"))
    phrases = [str(phrase) for one in documents for phrase in one.references]
    words = fmean([len(phrase.split()) for phrase in phrases])
    topics = [topic.documents for topic in load_topics("mkduc01", setting.data, check="off")]
    texts = {one.id: "\n".join([other.content for other in topic]) for topic in topics for one in topic}
    policy = preset(FIRST).policy
    absent = 0
    for one in documents:
        occurs = occurs_in(texts[one.id], policy)
        absent += sum([not occurs(str(phrase), False) for phrase in one.references])
    ours = (len(documents), len(phrases), len(phrases) / len(documents), words, absent)
    return Reproduced(table, (_row(table, "DUC-2001", ours),))


def example_table(setting: Setting, table: Published) -> Reproduced:
    """Table 8: the topic that the paper prints."""
    topics = {one.id: one for one in load_topics("mkduc01", setting.data, check="off")}
    topic = topics[EXAMPLE]
    several = sum([len(one) > 1 for one in _clusters(topic.references)])
    return Reproduced(table, (_row(table, EXAMPLE, (len(topic.documents), len(topic.references), several)),))


def _row(table: Published, system: str, ours: Iterable[float]) -> ComparisonRow:
    figures: Figures = tuple(map(float, ours))
    return ComparisonRow(system, "", table.rows[system], figures)


def _clusters(references: Sequence[str | Sequence[str]]) -> list[Cluster]:
    return [(one,) if isinstance(one, str) else tuple(one) for one in references]


def _spread(values: Sequence[float]) -> tuple[float, float]:
    return fmean(values), pstdev(values)


def _unique_stems(cluster: Cluster) -> float:
    """Return the share of different stems among the words of a cluster."""
    key = normaliser(preset(FIRST).policy.stemmer).key
    stems = [stem for wording in cluster for stem in key(wording).split()]
    return len(set(stems)) / len(stems)
