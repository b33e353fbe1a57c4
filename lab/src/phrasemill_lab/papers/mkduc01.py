"""MK-DUC-01 (Shapira et al., 2021): Tables 2 to 6, document sets, and Table 7, single documents of DUC-2001.

Published figures were computed on first wordings (preset mkduc01-published), and so are ours; documents are read
without headlines, as the authors' seem to have been (docs/evidence/parity.md). Methods that are not in the paper come
last. `mkduc01_outputs.py` makes the same tables from the lists that the authors published.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from statistics import fmean

from phrasemill.errors import DataError, PhrasemillError
from phrasemill.evaluation import Answers, Score, Scores, evaluate
from phrasemill.sets import extract_set
from phrasemill.sets.collabrank import CollabRank
from phrasemill.sets.forms import Form
from phrasemill.sets.merge import merged
from phrasemill.sets.read_documents import DocumentPhrase, SharedStrings, read_document
from phrasemill.statistics import DocumentFrequencies
from phrasemill.types import Document
from phrasemill_lab.datasets import load_dataset, load_topics
from phrasemill_lab.papers.comparison import (
    ComparisonRow,
    Published,
    Reproduced,
    Setting,
    scored,
    scored_row,
    with_models,
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
FIRST, CLUSTERS = PRESETS = ("mkduc01-published", "mkduc01")
NOTE = "Documents without headlines; first wordings of the gold, as the published figures are."
METHODS_NOTE = "The lines without published figures are methods that are not in the paper."
NO_COLLECTION = f"Tf-Idf: {TOOLKIT_COLLECTION} is not in the data folder, so n-grams and frequencies are ours"
SINGLE_NOTE = "The body alone, without the headline, as the published lists seem to be (docs/evidence/parity.md)."


class SystemSpecs:
    """The spec of each system of the paper, with what it needs; the lists of those whose model is not here."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.notes: list[str] = []
        self.frequencies = self._frequencies()
        self.kept: dict[str, Answers] = {}

    def of(self, system: str) -> str | None:
        """Return the spec of a system; None where its model is not here."""
        if system == "Tf-Idf" and self.frequencies is not None:
            return TOOLKIT_TFIDF.format(frequencies=str(self.frequencies))
        return with_models(SYSTEMS.get(system), self.setting)

    def kept_name(self, system: str, ids: Iterable[str]) -> str | None:
        """Return a name for Merge over the kept lists of a system; None where none are kept."""
        lists = kept_lists(system, "beam", "DUC-2001", ids)
        if lists is None:
            return None
        self.kept[name := f"merge over the kept lists of {system}"] = lists
        return name

    def shown(self, spec: str | None) -> str:
        """Return a spec without the path of the frequencies, which is a temporary one."""
        return "" if spec is None else spec.replace(f", frequencies={str(self.frequencies)!r}", "")

    def _frequencies(self) -> Path | None:
        """Count the n-grams of the toolkit's collection, function words included."""
        try:
            documents = [
                document
                for split in ("train", "test")
                for document in load_dataset(TOOLKIT_COLLECTION, self.setting.data, split=split, check="off")
            ]
        except DataError:
            self.notes.append(NO_COLLECTION)
            return None
        path = self.setting.scratch / "toolkit-frequencies"
        DocumentFrequencies.fit(documents, function_words=True).save(path)
        return path


class SetsStudy:
    """The sets with their gold, and the lists and scores of each method, each computed once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        topics = list(load_topics("mkduc01", setting.data, check="off"))[: setting.documents]
        self.sets = {one.id: list(one.without_titles().documents) for one in topics}
        full = {one.id: tuple(one.references) for one in topics}
        short = {id_: references[:TRUNCATED] for id_, references in full.items()}
        self.gold = {"full": Answers("mkduc01", full), "trunc20": Answers("mkduc01", short)}
        self.notes: dict[str, None] = {}
        self.specs = setting.shared(SystemSpecs)
        self.lists, self.scores = cache(self._lists), cache(self._scores)

    def _lists(self, method: str) -> dict[str, list[str]] | None:
        """Return twenty phrases per set, or None where the method cannot run here."""
        found = {}
        kept = self.specs.kept.get(method)
        try:
            for done, (name, documents) in enumerate(self.sets.items()):
                self.setting.progress(method, done, len(self.sets))
                if kept is not None:
                    found[name] = merged_lists(documents, kept)[:TRUNCATED]
                    continue
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
        spec = self.specs.of(system)
        concat = None if "{models}" in SYSTEMS[system] else f"concat({spec})"
        ids = [document.id for documents in self.sets.values() for document in documents]
        return {"concat": concat, "merge": f"merge({spec})" if spec else self.specs.kept_name(system, ids)}

    def score(self, modes: dict[str, str | None], mode: str, metric: str, *, version: str, preset: str) -> Score | None:
        scores = self.scores(modes[mode], version, preset)
        return scores.score(metric) if scores else None

    def reproduced(self, table: Published, rows: list[ComparisonRow], *notes: str) -> Reproduced:
        return Reproduced(
            table, tuple(rows), (*notes, *self.specs.notes, *self.setting.sample_note("sets"), *self.notes)
        )


def version_of(table: Published) -> str:
    """Return whether a table scores against the gold in full or cut at 20."""
    return "full" if table.source in ("Table 4", "Table 5") else "trunc20"


def column_scores(table: Published, score: Callable[[str, str], Score | None]) -> list[Score | None]:
    """Return the score of each column; columns are called `concat P@5`, `merge words` …"""
    named = [column.split(" ", 1) for column in table.columns]
    return [score(mode, TABLE_6.get(metric, metric)) for mode, metric in named]


def sets_table(setting: Setting, table: Published) -> Reproduced:
    """Tables 2 to 5: precision or F1 of phrases and of words; Table 6: lengths of phrases and synonymous phrases."""
    study = setting.shared(SetsStudy)
    lengths = table.source == "Table 6"
    score = partial(study.score, version=version_of(table), preset=CLUSTERS if lengths else FIRST)
    rows = []
    for system, figures in table.rows.items():
        modes = study.modes(system)
        rows.append(
            scored_row(system, study.specs.shown(_label(modes)), figures, column_scores(table, partial(score, modes)))
        )
    for method in OTHERS:
        modes = {"concat": None, "merge": method}
        rows.append(scored_row(method, OURS, None, column_scores(table, partial(score, modes))))
    return study.reproduced(table, rows, *([] if lengths else [NOTE]), METHODS_NOTE)


def clusters_table(setting: Setting, table: Published) -> Reproduced:
    """At 20 by both readings of the gold: first wordings, as published, and substitute clusters."""
    study = setting.shared(SetsStudy)
    chosen = [(preset, name) for preset in PRESETS for name in ("F1@20", "unigram-F1@20")] + [(CLUSTERS, SYNONYMOUS)]

    def row(label: str, method: str, shown: str) -> ComparisonRow:
        scores = {preset: study.scores(method, "trunc20", preset) for preset in PRESETS}
        found = [one.score(name) for preset, name in chosen if (one := scores[preset])]
        return scored_row(label, shown, table.rows.get(label), found)

    rows = [
        row(f"{name}, {mode}", method, study.specs.shown(method))
        for name in (*SYSTEMS, *OF_SETS)
        for mode, method in study.modes(name).items()
        if method is not None
    ]
    return study.reproduced(table, rows + [row(method, method, OURS) for method in OTHERS], METHODS_NOTE)


def synonymy_table(setting: Setting, table: Published) -> Reproduced:
    """Section 4: the share of synonymous phrases, averaged over the baselines in both modes."""
    study = setting.shared(SetsStudy)
    methods = [method for name in (*SYSTEMS, *OF_SETS) for method in study.modes(name).values() if method]
    every = [scores for method in methods if (scores := study.scores(method, "trunc20", CLUSTERS))]
    ours = 100 * fmean([one.score(SYNONYMOUS).value for one in every])
    rows = [ComparisonRow(name, f"{len(every)} lists", figures, (ours,)) for name, figures in table.rows.items()]
    return study.reproduced(table, rows)


def single_table(setting: Setting, table: Published) -> Reproduced:
    """Table 7: precision and F1 by phrases and by words, and the words per phrase."""
    documents = list(load_dataset("duc2001", setting.data, check="off"))[: setting.documents]
    bodies = [Document(one.id, one.text, language=one.language) for one in documents]
    gold = {one.id: one.references for one in documents}
    metrics = [*table.columns[:-1], "phrase-length@M"]
    specs = setting.shared(SystemSpecs)
    notes = [SINGLE_NOTE, *specs.notes, *setting.sample_note()]
    rows = []
    for name in (*table.rows, OTHERS_SINGLE):
        method = name if name == OTHERS_SINGLE else specs.of(name)
        lists = kept_lists(name, "beam", "DUC-2001", gold) if method is None else None
        if name in OF_SETS:
            every = setting.shared(_collaborating)
            method, lists = OF_SETS[name], Answers(name, {id_: every[id_] for id_ in gold})
        if lists is not None:
            scores: Scores | None = evaluate(lists, gold, metrics=metrics, preset=FIRST)
        else:
            scores = scored(setting, method, bodies, gold, metrics=metrics, preset=FIRST, notes=notes)
        rows.append(scored_row(name, specs.shown(method), table.rows.get(name), scores))
    return Reproduced(table, tuple(row for row in rows if row.published or row.ours), tuple(notes))


def _collaborating(setting: Setting) -> dict[str, tuple[str, ...]]:
    """Return CollabRank's lists for single documents, each with the help of the others of its topic."""
    found = {}
    method = CollabRank()
    for topic in load_topics("mkduc01", setting.data, check="off"):
        documents = topic.without_titles().documents
        readings = [read_document(one, None, keep=None, pool=SharedStrings()) for one in documents]
        for reading in method.ranked(readings):
            found[reading.document.id] = tuple([phrase.text for phrase in reading.found])
    return found


def merged_lists(documents: Sequence[Document], lists: Answers) -> list[str]:
    """Return Merge over lists of single documents that were made elsewhere."""
    readings = []
    for document in documents:
        reading = read_document(document, None, keep=None, pool=SharedStrings())
        phrases = [first_wording(phrase) for phrase in lists.phrases.get(document.id, ())]
        found = [DocumentPhrase(Form.of(text, document.language), text, 0.0) for text in phrases]
        readings.append(replace(reading, found=tuple(found)))
    return [phrase.text for phrase in merged(readings)]


def first_wording(phrase: str | Sequence[str]) -> str:
    return phrase if isinstance(phrase, str) else phrase[0]


def _label(modes: dict[str, str | None]) -> str:
    """Return the label of the line with our figures."""
    concat, merge = modes["concat"], modes["merge"]
    if concat and merge:
        return f"concat, merge{merge.removeprefix('merge')}"
    return merge or concat or ""
