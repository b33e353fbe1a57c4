"""SemEval-2010 task 5 (Kim et al., 2010): Table 3, the baselines, and Tables 4 to 8, the systems that took part.

The baselines, KEA and Maui are trained on the training split alone; everything is scored as the task's own program
does, by the preset `semeval2010-official`. The paper does not say whether `sensor network` and `sensor networks` are
one candidate. Here they are, as everywhere in this package, and as cross-validation on the training split prefers. Some
rows show other readings: "wordings apart", and the same with only the first of several wordings of a phrase in the list
("said once"); and classifiers that see TF×IDF cut into ranges, so that candidates tie.

`semeval2010_keys.py` has the tables about the answer keys alone, `semeval2010_ranks.py` ranks systems of your own.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from phrasemill.candidates import forms, ngrams
from phrasemill.errors import DataError, PhrasemillError
from phrasemill.evaluation import Answers, Score, Scores, evaluate, read_answers
from phrasemill.evaluation.answers import clustered
from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.policies import preset
from phrasemill.pipeline import extract_batch
from phrasemill.selection import form_of
from phrasemill.statistics import DocumentFrequencies
from phrasemill.tables import Table
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Document, Keyphrase
from phrasemill_lab.datasets import files, load_dataset
from phrasemill_lab.datasets.records import STEMMED
from phrasemill_lab.datasets.semeval2010 import category
from phrasemill_lab.papers.comparison import Published, Reproduced, Setting, extracted, scored_row, texts
from phrasemill_lab.training.kea import cuts
from phrasemill_lab.training.trainer import TRAINERS

PRESET = "semeval2010-official"
ENOUGH = 60  # for fifteen that differ
OFFICIAL = "semeval2010_official_{split}.jsonl"
# The systems that are methods here, as they are and after training.
FIXED = {"KP-Miner": "kpminer", "learned": "learned(style='reader')"}
TRAINED = {
    "NB": "naivebayes(features='tfidf')",
    "ME": "maxent(features='tfidf')",
    "NB, more features": "naivebayes",
    "ME, more features": "maxent",
    "KEA": "kea",
    "KEA + keyphraseness": "kea(keyphraseness=True)",
    "Maui": "maui",
}
APART, ONCE = "TF×IDF, wordings apart", "TF×IDF, wordings apart, said once"
# Classifiers over ranges of one feature rank by range, whichever they are; the order of ties is not the paper's.
RANGES: dict[str, Callable[[Keyphrase], int | str]] = {
    "NB or ME, TF×IDF in ranges, ties by place": lambda phrase: phrase.spans[0].start,
    "NB or ME, TF×IDF in ranges, ties by alphabet": lambda phrase: phrase.text.lower(),
}
BASELINES = ("TF×IDF", "NB", "ME", APART, ONCE, *RANGES, *list(TRAINED)[2:])
COMPETITORS = {"KP-Miner": "KP-Miner", "Maui": "Maui", "KEA": "KEA", "learned, style reader": "learned"}
NOTE = "Scored as the task's own program does, micro-averaged. What is trained here saw the training split alone."
ONE_FEATURE = (
    "NB and ME with TF×IDF as their only feature rank as TF×IDF does, since their odds rise with it. The published "
    "ones are alike, and below TF×IDF by up to 0.5, which no rising function of the same score can be. With TF×IDF cut "
    "into ranges both would be alike, and the order of ties would decide. The rows with more features also have the "
    "place of the first occurrence and the number of words."
)
LEARNED = (
    "learned is the model that ships: it was trained on many collections, among them the training split of this task, "
    "but not its test split."
)
# The answer key of each table, and whether its columns are categories.
BY_TABLE = {
    "Table 4": ("combined", False),
    "Table 5": ("reader", False),
    "Table 6": ("author", False),
    "Table 7": ("combined", True),
    "Table 8": ("reader", True),
}
MAUI = "The paper's Maui used Wikipedia; ours has the training documents only."


def official(data: Path, name: str) -> Path:
    """Return the path of a file of the organisers below a data folder."""
    return data / "official" / "semeval2010" / name


def official_key(data: Path, by: str, split: str = "test") -> Path:
    """Return the path of the organisers' stemmed answer key below a data folder."""
    return official(data, f"{split}.{by}.stem.final")


def within(answers: Answers, name: str) -> Answers:
    """Return the answers to the documents of one ACM category."""
    return replace(answers, phrases={id_: p for id_, p in answers.phrases.items() if category(id_) == name})


class SemevalStudy:
    """The documents and answer keys, and what is trained on them, each made once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.train = list(documents(setting.data, "train"))
        self.test = list(documents(setting.data, "test"))[: setting.documents]
        self.lists = cache(self._lists)

    def gold(self, by: str) -> Answers:
        """Return the key of the readers, of the authors or of both, as stems."""
        path = official_key(self.setting.data, by)
        if path.is_file():
            key = read_answers(path)
        else:
            phrases, stemmed = {}, True
            for document in documents(self.setting.data, "test", by):
                phrases[document.id] = document.references
                stemmed = stemmed and bool(document.metadata.get(STEMMED))
            key = Answers(f"test.{by}", phrases, stemmed=stemmed)
        ids = {document.id for document in self.test}
        return replace(key, phrases={id_: found for id_, found in key.phrases.items() if id_ in ids})

    def _spec(self, name: str) -> str:
        """Return the spec of a system, trained where it has to be."""
        if name in FIXED:
            return FIXED[name]
        place = self.setting.scratch / f"semeval2010-{BASELINES.index(name)}"
        if name.startswith("TF×IDF"):
            counted = frequencies_apart(self.train) if name != "TF×IDF" else DocumentFrequencies.fit(self.train)
            counted.save(place)
            return f"tfidf(frequencies={str(place)!r})"
        trainer = TRAINED[name]
        TRAINERS.build(trainer).fit(self.train).save(place)
        return f"{trainer.partition('(')[0]}(model={str(place)!r})"

    def _ranges(self, spec: str) -> list[float]:
        """Return where to cut TF×IDF to set apart keyphrases of the training split (Fayyad and Irani, 1993)."""
        scores, labels = [], []
        for document, phrases in zip(self.train, extract_batch(self.train, method=spec, top=None), strict=True):
            gold = {form_of(wording) for one in document.references for wording in clustered(one)}
            scores += [phrase.score for phrase in phrases]
            labels += [form_of(phrase.text) in gold for phrase in phrases]
        return cuts(np.asarray(scores), np.asarray(labels))

    def _by_range(self, name: str) -> dict[str, list[str]]:
        spec = self._spec("TF×IDF")
        bounds = self._ranges(spec)
        every = extracted(self.setting, spec, self.test, top=None, label=name)
        for found in every.values():
            found.sort(key=lambda phrase: (-bisect_right(bounds, phrase.score), RANGES[name](phrase)))
        return {id_: list(found[:ENOUGH]) for id_, found in texts(every).items()}

    def _lists(self, name: str) -> dict[str, list[str]]:
        if name in RANGES:
            return self._by_range(name)
        analyses = map(_apart, self.test) if name in (APART, ONCE) else None
        key = normaliser(preset(PRESET).policy.stemmer).key if name == ONCE else str
        every = extracted(self.setting, self._spec(name), self.test, analyses=analyses, top=ENOUGH, label=name)
        return {id_: list({key(text): text for text in found}.values()) for id_, found in texts(every).items()}

    def scores(self, name: str, by: str, table: Published) -> Scores:
        return evaluate(self.lists(name), self.gold(by), metrics=table.columns, preset=PRESET)

    def category_scores(self, name: str, by: str, table: Published) -> list[Score | None]:
        """Return a score for each column, which is called `C F1@15`; None where the category has no documents."""
        found: list[Score | None] = []
        for column in table.columns:
            letter, metric = column.split(" ")
            gold = within(self.gold(by), letter)
            lists = Answers(name, {id_: tuple(self.lists(name)[id_]) for id_ in gold.phrases})
            found.append(evaluate(lists, gold, metrics=[metric], preset=PRESET).score(metric) if gold.phrases else None)
        return found


def baselines_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3, and below it the trained methods that the paper does not have as baselines."""
    study = setting.shared(SemevalStudy)
    rows = []
    for name in BASELINES:
        for by in ("reader", "combined"):
            label = f"{name}, {by}"
            rows.append(scored_row(label, _method(name), table.rows.get(label), study.scores(name, by, table)))
    gaps = [abs(gap) for row in rows for gap in row.difference or () if gap is not None]
    largest = f"The largest difference to Table 3 is {max(gaps):.1f} points."
    return Reproduced(table, tuple(rows), (NOTE, ONE_FEATURE, *setting.sample_note(), largest))


def systems_table(setting: Setting, table: Published) -> Reproduced:
    """Tables 4 to 8: all systems as published; beside KP-Miner and Maui, ours by that name; the default last."""
    study = setting.shared(SemevalStudy)
    by, categories = BY_TABLE[table.source]
    scores = study.category_scores if categories else study.scores
    ours: dict[str, list[Score | None]] = {}
    notes = [NOTE, LEARNED, MAUI, *setting.sample_note()]
    for label, name in COMPETITORS.items():
        try:
            ours[label] = list(scores(name, by, table))
        except PhrasemillError as error:
            notes.append(f"{label}: {error}")
    rows = [
        scored_row(label, _method(COMPETITORS.get(label, "")), table.rows.get(label), ours.get(label))
        for label in dict.fromkeys([*table.rows, *ours])
    ]
    return (CategoryRanks if categories else Reproduced)(table, tuple(rows), tuple(notes))


class CategoryRanks(Reproduced):
    """Tables 7 and 8 as they are printed: below the figures, the systems in order within each category."""

    __slots__ = ()

    def tables(self) -> list[Table]:
        ranked = []
        for column in range(len(self.table.columns)):
            every = [
                (name, figure)
                for row in self.rows
                for name, figures in ((row.system, row.published), (f"our {row.system}", row.ours))
                if figures is not None and (figure := figures[column]) is not None
            ]
            order = sorted(every, key=lambda one: -one[1])  # those that tie stay in the order over all the data
            ranked.append([f"{name} ({figure:.1f}%)" for name, figure in order])
        rows = [(str(rank), *cells) for rank, cells in enumerate(zip(*ranked, strict=False), start=1)]
        header = ("rank", *(f"group {column[0]}" for column in self.table.columns))
        return [*Reproduced.tables(self), Table(f"{self.table.name}: ranks with ours among them", header, tuple(rows))]


def _method(name: str) -> str:
    return "tfidf" if "TF×IDF" in name else FIXED.get(name) or TRAINED.get(name, "")


def documents(data: Path, split: str, gold: str = "combined") -> Iterator[Document]:
    """Yield the texts as they were distributed: in our JSON lines, or in the organisers' own files."""
    try:
        place = files.found(data, OFFICIAL.format(split=split))
    except DataError:
        place = data
    keys = official(data, f"{split}.{gold}.final")
    answers = read_answers(keys).phrases if keys.is_file() else None
    for document in load_dataset("semeval2010", place, split=split, gold=_name(place, gold, split), check="off"):
        yield document if answers is None else replace(document, references=answers[document.id])


def _name(place: Path, gold: str, split: str) -> str | None:
    """Return the name of the gold. Test keys exist as stems, which our files call `combined.stem`."""
    if place.is_dir():
        return gold
    return f"{gold}.stem" if split == "test" else gold


def frequencies_apart(documents: list[Document]) -> DocumentFrequencies:
    """Return document frequencies of n-grams as they are written, in lower case."""
    counts = Counter(form for document in documents for form in forms(ngrams(_apart(document))))
    return DocumentFrequencies(len(documents), counts)


def _apart(document: Document) -> Analysis:
    return analyse(document.content, stem="none", tag=False)
