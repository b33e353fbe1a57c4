"""MK-DUC-01 (Shapira et al., 2021): document sets (Tables 2 to 6), single documents (Table 7), the dataset.

Published figures were computed on first wordings (preset mkduc01-published), and so are ours; the paper defines
substitute clusters (preset mkduc01). Documents are read without headlines, as the authors' seem to have been
(docs/evidence/parity.md). Methods that are not in the paper come last. The tables of `mkduc01-outputs` are made from
the lists and scores that the authors published, in `reference/mkduc01` of the data folder.
"""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from statistics import fmean, pstdev

from phrasemill.errors import DataError, PhrasemillError
from phrasemill.evaluation import Answers, Score, Scores, evaluate, policies, read_answers
from phrasemill.evaluation.phrases import normaliser, occurs_in
from phrasemill.sets import extract_set
from phrasemill.sets.collabrank import CollabRank
from phrasemill.sets.merge import merged
from phrasemill.sets.reading import DocumentPhrase, form_of, read_document
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import Document
from phrasemill_lab.datasets import load_dataset, load_topics
from phrasemill_lab.papers.comparison import (
    ComparisonRow,
    Failure,
    Part,
    Published,
    Setting,
    counted,
    extracted,
    same,
    scored,
)
from phrasemill_lab.papers.kept_lists import kept_lists

# The paper's systems, and what they are here. The authors' TextRank ranks all runs of nouns and adjectives, and their
# KPMiner has one least frequency for documents of any length.
SYSTEMS = {
    "Tf-Idf": "tfidf",
    "KPMiner": "kpminer(adaptive=False)",
    "YAKE": "yake",
    "TextRank": "textrank(keep=1)",
    "SingleRank": "singlerank",
    "TopicRank": "topicrank",
    "TopicalPageRank": "topicalpagerank",
    "PositionRank": "positionrank",
    "MultipartiteRank": "multipartiterank",
    "BERT-KPE": "bertkpe(model='{models}/bertkpe')",
}
OF_SETS = {"CollabRank": "collabrank", "Bayatmakou et al.": "bayatmakou"}
# The toolkit's TF-IDF: its n-grams, and document frequencies of the papers that it counted.
TOOLKIT_TFIDF = "tfidf(function_words=True, frequencies={frequencies!r})"
TOOLKIT_COLLECTION = "semeval2010"
OTHERS = (
    "merge(tfidf)",
    "merge(learned(style='indexer'))",
    "consensus(multipartiterank)",
    "consensus",
    "consensus(style='news')",
)
OTHERS_SINGLE = "learned(style='news')"
OURS = "ours"
KEPT = "DUC-2001"  # in the names of kept lists
TRUNCATED = 20  # gold keyphrases and phrases per set in "Trunc-20"
SYNONYMOUS = f"synonymous@{TRUNCATED}"
# Our metrics, and the columns of the authors' scores files.
COLUMNS = {f"{ours}@{k}": f"{theirs}@{k}" for k in (1, 5, 10, 15, 20) for ours, theirs in (
    ("R", "rec"), ("P", "prec"), ("F1", "f1"),
    ("unigram-R", "rec_unigram"), ("unigram-P", "prec_unigram"), ("unigram-F1", "f1_unigram"),
)}  # fmt: skip
COLUMNS |= {"phrase-length@M": "avg_num_tokens_in_summ", "phrases": "avg_num_kps_in_summ"}
METRICS = [*COLUMNS, SYNONYMOUS]
TABLE_6 = {"words": "phrase-length@M", "% synonymous": SYNONYMOUS}
Cluster = tuple[str, ...]
VERSIONS = {"Full": None, "Trunc-20": TRUNCATED}
EXAMPLE = "d31"
FIRST, CLUSTERS = PRESETS = ("mkduc01-published", "mkduc01")
ON, OFF = "results_multidoc_cluster_eval", "results_multidoc_cluster_eval_off"
SINGLE = "results_singledoc"
# Table 6 counts words on the outputs of another run than the other tables (Concat depends on a random order).
COUNTED = {"concat": f"{OFF}/results_baselines_concat_trunc20", "merge": f"{OFF}/results_baselines_merge_full"}
PRINTED_DIGITS = 4
READINGS = ((FIRST, "first wording"), (CLUSTERS, "clusters"))
NO_COLLECTION = f"Tf-Idf: {TOOLKIT_COLLECTION} is not in the data folder, so n-grams and frequencies are ours"


class SystemSpecs:
    """The spec of each system of the paper, None where its model is not here; `notes` say what is missing."""

    def __init__(self, setting: Setting) -> None:
        self.notes: list[str] = []
        self.of: dict[str, str | None] = dict(SYSTEMS)
        if setting.models is None or not (setting.models / "bertkpe").exists():
            self.of["BERT-KPE"] = None
        else:
            self.of["BERT-KPE"] = SYSTEMS["BERT-KPE"].format(models=setting.models)
        self.frequencies = setting.scratch / "toolkit-frequencies"
        try:
            documents = [
                document
                for split in ("train", "test")
                for document in load_dataset(TOOLKIT_COLLECTION, setting.data, split=split, check="off")
            ]
        except DataError:
            self.notes.append(NO_COLLECTION)
        else:
            DocumentFrequencies.fit(documents, function_words=True).save(self.frequencies)
            self.of["Tf-Idf"] = TOOLKIT_TFIDF.format(frequencies=str(self.frequencies))

    def shown(self, spec: str | None) -> str:
        """Return a spec without the path of the frequencies, which is a temporary one."""
        return (spec or "").replace(f", frequencies={str(self.frequencies)!r}", "")


class SetsStudy:
    """The sets with their gold, and the lists and scores of each method, each computed once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        topics = list(load_topics("mkduc01", setting.data, check="off"))[: setting.documents]
        self.sets = {one.id: list(one.without_titles().documents) for one in topics}
        full = {one.id: tuple(one.references) for one in topics}
        short = {id_: references[:TRUNCATED] for id_, references in full.items()}
        self.gold = {"full": Answers("mkduc01", full), "trunc20": Answers("mkduc01", short)}
        self.specs = setting.shared(SystemSpecs)
        self.notes = dict.fromkeys(self.specs.notes)
        self.kept: dict[str, Answers] = {}
        self.lists, self.scores = cache(self._lists), cache(self._scores)

    def _lists(self, method: str) -> dict[str, list[str]] | None:
        """Return twenty phrases per set, or None where the method cannot run here."""
        found = {}
        try:
            for done, (name, documents) in enumerate(self.sets.items()):
                self.setting.progress(method, done, len(self.sets))
                if method in self.kept:
                    found[name] = merged_lists(documents, self.kept[method])[:TRUNCATED]
                else:
                    found[name] = [phrase.text for phrase in extract_set(documents, method=method, top=TRUNCATED)]
        except PhrasemillError as error:
            self.notes[f"{method}: {error}"] = None
            return None
        return found

    def _scores(self, method: str | None, version: str, preset: str) -> Scores | None:
        lists = self.lists(method) if method else None
        return None if lists is None else evaluate(lists, self.gold[version], metrics=METRICS, preset=preset)

    def modes(self, system: str) -> dict[str, str | None]:
        """Return our Concat and our Merge of a system of the paper."""
        if system in OF_SETS:
            return {"concat": None, "merge": OF_SETS[system]}
        if spec := self.specs.of[system]:
            concat = None if "{models}" in SYSTEMS[system] else f"concat({spec})"
            return {"concat": concat, "merge": f"merge({spec})"}
        ids = [document.id for documents in self.sets.values() for document in documents]
        name = f"merge over the kept lists of {system}"
        for lists in kept_lists(system, "beam", KEPT, ids)[:1]:
            self.kept[name] = lists
        return {"concat": None, "merge": name if name in self.kept else None}

    def score(self, modes: dict[str, str | None], mode: str, metric: str, *, version: str, preset: str) -> Score | None:
        scores = self.scores(modes[mode], version, preset)
        return scores.score(metric) if scores else None

    def all_modes(self) -> Iterator[tuple[str, str]]:
        """Yield what to call each system in each mode, with its spec."""
        for name in (*SYSTEMS, *OF_SETS):
            for mode, method in self.modes(name).items():
                if method is not None:
                    yield f"{name}, {mode}", method


def version_of(table: Published) -> str:
    """Return whether a table scores against the gold in full or cut at 20."""
    return "full" if table.source in ("Table 4", "Table 5") else "trunc20"


def column_scores(table: Published, score: Callable[[str, str], Score | None]) -> list[Score | None]:
    """Return the score of each column; columns are called `concat P@5`, `merge words` …"""
    named = [column.split(" ", 1) for column in table.columns]
    return [score(mode, TABLE_6.get(metric, metric)) for mode, metric in named]


def sets_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Tables 2 to 5: precision or F1 of phrases and of words; Table 6: lengths of phrases and synonymous phrases."""
    study = setting.shared(SetsStudy)
    score = partial(study.score, version=version_of(table), preset=CLUSTERS if table.source == "Table 6" else FIRST)
    for system in table.rows:
        modes = study.modes(system)
        yield scored(system, column_scores(table, partial(score, modes)), study.specs.shown(_label(modes)))
    for method in OTHERS:
        yield scored(method, column_scores(table, partial(score, {"concat": None, "merge": method})), OURS)
    yield from study.notes


def clusters_table(setting: Setting, table: Published) -> Iterator[Part]:
    """At 20 by both readings of the gold: first wordings, as published, and substitute clusters."""
    study = setting.shared(SetsStudy)
    chosen = [(preset, name) for preset in PRESETS for name in ("F1@20", "unigram-F1@20")] + [(CLUSTERS, SYNONYMOUS)]
    every = [(label, method, study.specs.shown(method)) for label, method in study.all_modes()]
    for label, method, shown in [*every, *((method, method, OURS) for method in OTHERS)]:
        scores = {preset: study.scores(method, "trunc20", preset) for preset in PRESETS}
        yield scored(label, [one.score(name) for preset, name in chosen if (one := scores[preset])], shown)
    yield from study.notes


def synonymy_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Section 4: the share of synonymous phrases, averaged over the baselines in both modes."""
    study = setting.shared(SetsStudy)
    every = [found for _, method in study.all_modes() if (found := study.scores(method, "trunc20", CLUSTERS))]
    ours = 100 * fmean([one.score(SYNONYMOUS).value for one in every])
    for name in table.rows:
        yield ComparisonRow(name, (ours,), f"{len(every)} lists")
    yield from study.notes


def single_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 7: precision and F1 by phrases and by words, and the words per phrase."""
    documents = list(load_dataset("duc2001", setting.data, check="off"))[: setting.documents]
    bodies = [Document(one.id, one.text, language=one.language) for one in documents]
    gold = {one.id: one.references for one in documents}
    specs = setting.shared(SystemSpecs)
    yield from specs.notes
    for name in (*table.rows, OTHERS_SINGLE):
        method = OF_SETS.get(name) or specs.of.get(name, name)
        lists: Mapping[str, Sequence[str]] | Answers | None = None
        if name in OF_SETS:
            lists = {id_: every[id_] for every in [setting.shared(_collaborating)] for id_ in gold}
        elif method is None:
            lists = next(iter(kept_lists(name, "beam", KEPT, gold)), None)
        else:
            try:  # documents without any candidate have no list, as in published outputs: the preset leaves them out
                lists = {id_: found for id_, found in extracted(setting, method, bodies).items() if found}
            except PhrasemillError as error:
                yield f"{method}: {error}"
        metrics = [*table.columns[:-1], TABLE_6["words"]]
        yield scored(name, evaluate(lists, gold, metrics=metrics, preset=FIRST) if lists else None, specs.shown(method))


def _collaborating(setting: Setting) -> dict[str, tuple[str, ...]]:
    """Return CollabRank's lists for single documents, each with the help of the others of its topic."""
    found = {}
    method = CollabRank()
    for topic in load_topics("mkduc01", setting.data, check="off"):
        documents = topic.without_titles().documents
        readings = [read_document(one, pool={}) for one in documents]
        for reading in method.ranked(readings):
            found[reading.id] = tuple([phrase.text for phrase in reading.found])
    return found


def merged_lists(documents: Sequence[Document], lists: Answers) -> list[str]:
    """Return Merge over lists of single documents that were made elsewhere."""
    readings = []
    for document in documents:
        reading = read_document(document, pool={})
        wordings = [one if isinstance(one, str) else one[0] for one in lists.phrases.get(document.id, ())]
        forms = ((form_of(text, document.language), text) for text in wordings)
        found = [DocumentPhrase(form, text, 0.0) for form, text in forms if form]
        readings.append(replace(reading, found=tuple(found)))
    return [phrase.text for phrase in merged(readings)]


def _label(modes: dict[str, str | None]) -> str:
    """Return the label of the line with our figures."""
    concat, merge = modes["concat"], modes["merge"]
    if concat and merge:
        return f"concat, merge{merge.removeprefix('merge')}"
    return merge or concat or ""


def statistics_table(setting: Setting, table: Published) -> Iterator[ComparisonRow]:
    """Table 1: topics, documents, keyphrases and substitute clusters; deviations are those of a population.

    Words are counted in preferred wordings; unique stems are averaged over the clusters of a topic, then over topics.
    """
    topics = list(load_topics("mkduc01", setting.data, check="off"))
    documents = [len(one.documents) for one in topics]
    for version, top in VERSIONS.items():
        gold = [_clusters(one.references[:top]) for one in topics]
        words = [len(cluster[0].split()) for clusters in gold for cluster in clusters]
        several = [[cluster for cluster in clusters if len(cluster) > 1] for clusters in gold]
        sizes = [len(cluster) for clusters in several for cluster in clusters]
        unique = [fmean(map(_unique_stems, clusters)) for clusters in several if clusters]
        counts = len(sizes), len(words)
        ours = (len(topics), *_spread(documents), *_spread([len(one) for one in gold]), *_spread(words))
        yield counted(version, *ours, *counts, *_spread(sizes), *_spread(unique))


def collection_table(setting: Setting, table: Published) -> Iterator[ComparisonRow]:
    """Section 3: the documents and keyphrases of DUC-2001, and those that no document of their topic has."""
    documents = list(load_dataset("duc2001", setting.data, check="off"))
    phrases = [str(phrase) for one in documents for phrase in one.references]
    words = fmean([len(phrase.split()) for phrase in phrases])
    topics = [topic.documents for topic in load_topics("mkduc01", setting.data, check="off")]
    texts = {one.id: "\n".join([other.content for other in topic]) for topic in topics for one in topic}
    policy = policies.preset(FIRST).policy
    absent = 0
    for one in documents:
        occurs = occurs_in(texts[one.id], policy)
        absent += sum([not occurs(str(phrase), False) for phrase in one.references])
    yield counted("DUC-2001", len(documents), len(phrases), len(phrases) / len(documents), words, absent)


def example_table(setting: Setting, table: Published) -> Iterator[ComparisonRow]:
    """Table 8: the topic that the paper prints."""
    topics = {one.id: one for one in load_topics("mkduc01", setting.data, check="off")}
    topic = topics[EXAMPLE]
    several = sum([len(one) > 1 for one in _clusters(topic.references)])
    yield counted(EXAMPLE, len(topic.documents), len(topic.references), several)


def _clusters(references: Sequence[str | Sequence[str]]) -> list[Cluster]:
    return [(one,) if isinstance(one, str) else tuple(one) for one in references]


def _spread(values: Sequence[float]) -> tuple[float, float]:
    return fmean(values), pstdev(values)


def _unique_stems(cluster: Cluster) -> float:
    """Return the share of different stems among the words of a cluster."""
    key = normaliser(policies.preset(FIRST).policy.stemmer).key
    stems = [stem for wording in cluster for stem in key(wording).split()]
    return len(set(stems)) / len(stems)


class PublishedOutputs:
    """The authors' outputs and scores files below the data folder."""

    def __init__(self, setting: Setting) -> None:
        self.data = setting.data
        self.folder = setting.data / "reference" / "mkduc01"
        self.runs = sorted(path.parent for path in self.folder.rglob("scores*.csv"))
        if not self.runs:
            raise DataError(f"{self.folder}: no scores.csv below it")
        self.gold, self.scores = cache(self._gold), cache(self._scores)

    def numbers(self, run: Path) -> dict[str, dict[str, str]]:
        """Return the rows of the run's scores file, by system."""
        path = next(run.glob("scores*.csv"))
        with path.open(encoding="utf-8", newline="") as file:
            return {row["algorithm"]: row for row in csv.DictReader(file, skipinitialspace=True)}

    def _scores(self, path: Path, preset: str) -> Scores:
        """Return the scores of one output file."""
        return evaluate(read_answers(path), self.gold(path.parent.name), metrics=METRICS, preset=preset)

    def _gold(self, run: str) -> Answers:
        name = "duc2001" if run == SINGLE else "mkduc01"
        top = TRUNCATED if run.endswith("trunc20") else None
        return read_answers(self.data / f"{name}.jsonl.gz", top=top)

    def score(self, system: str, version: str, preset: str, mode: str, metric: str) -> Score | None:
        """Return a score of a system's output in one mode; None where it has none."""
        places = [f"{ON}/results_baselines_{mode}_{version}"]
        if metric == TABLE_6["words"]:
            places.insert(0, COUNTED[mode])
        for place in places:
            path = self.folder / place / file_name(system)
            if path.exists():
                return self.scores(path, preset).score(metric)
        return None


def file_name(system: str) -> str:
    """Return the file of a system of the paper: `TfIdf.json` for `Tf-Idf`."""
    return f"{system.replace('-', '')}.json"


def numbers_check(setting: Setting, table: Published) -> Iterator[Part]:
    """Count the numbers of every scores file that our scores equal to the last printed digit."""
    outputs = setting.shared(PublishedOutputs)
    every = alike = systems = 0
    for run in outputs.runs:
        name = str(run.relative_to(outputs.folder))
        compared = equal = 0
        for system, numbers in outputs.numbers(run).items():
            scores = outputs.scores(run / file_name(system), FIRST)
            for metric, column in COLUMNS.items():
                if same(scores[metric], float(numbers[column]), PRINTED_DIGITS):
                    equal += 1
                else:
                    figures = f"published {numbers[column]}, computed {scores[metric]:.6f}"
                    yield Failure(f"{name} {system} {column}: {figures}")
            systems, compared = systems + 1, compared + len(COLUMNS)
        yield ComparisonRow(name, (float(equal),), "equal to the last digit", (float(compared),))
        every, alike = every + compared, alike + equal
    yield f"{alike} of {every} published numbers of {systems} systems come out to the last digit"


def outputs_sets_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Tables 2 to 5 by first wordings and by clusters; Table 6, whose gold is clusters."""
    outputs = setting.shared(PublishedOutputs)
    lengths = table.source == "Table 6"
    for system in table.rows:
        for preset, label in READINGS[lengths:]:
            scores = column_scores(table, partial(outputs.score, system, version_of(table), preset))
            if any(scores):
                yield scored(system, scores, label, None if preset == FIRST or lengths else ())


def outputs_single_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 7: single documents, whose gold has one wording per keyphrase."""
    outputs = setting.shared(PublishedOutputs)
    for system in table.rows:
        path = outputs.folder / SINGLE / file_name(system)
        scores = outputs.scores(path, FIRST) if path.exists() else None
        names = [TABLE_6.get(column, column) for column in table.columns]
        yield scored(system, map(scores.score, names) if scores else None, "first wording")


def merge_table(setting: Setting, table: Published) -> Iterator[Part]:
    """Table 3 by our Merge over the authors' lists of single documents: what of a difference is Merge's own."""
    outputs, study = setting.shared(PublishedOutputs), setting.shared(SetsStudy)
    for system in table.rows:
        lists = read_answers(outputs.folder / SINGLE / file_name(system))
        found = {id_: merged_lists(documents, lists)[:TRUNCATED] for id_, documents in study.sets.items()}
        scores = evaluate(found, study.gold["trunc20"], metrics=table.columns, preset=FIRST)
        yield scored(system, scores, "our Merge, their lists")
