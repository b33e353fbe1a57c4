"""SemEval-2010 task 5 (Kim et al., 2010): Table 3, the baselines, and Tables 4 to 6, the systems that took part.

Everything is trained on the training split alone and scored by the official protocol. The paper does not say whether
`sensor network` and `sensor networks` are one candidate. Here they are, as everywhere in this package, and as
cross-validation on the training split prefers. Two rows show other readings: "wordings apart", and the same with only
the first of several wordings of a phrase in the list ("said once").
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from phrasemill.candidates import forms, ngrams
from phrasemill.errors import DataError, PhrasemillError
from phrasemill.evaluation import Answers, Score, Scores, evaluate, read_answers
from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.policies import preset
from phrasemill.lab.datasets import files, load_dataset
from phrasemill.lab.datasets.records import STEMMED
from phrasemill.lab.papers.tables import Published, Reproduced, Row, Setting, per_cent, sampled, signatures_of
from phrasemill.lab.training.trainer import TRAINERS
from phrasemill.pipeline import extract_batch
from phrasemill.statistics import DocumentFrequencies
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Document

PRESET = "semeval2010"
ENOUGH = 60  # for fifteen that differ
OFFICIAL = "semeval2010_official_{split}.jsonl"
# The paper's systems that are methods here, and what is trained for them.
TRAINED = {
    "NB": "naivebayes",
    "ME": "maxent",
    "KEA": "kea",
    "KEA + keyphraseness": "kea(keyphraseness=True)",
    "Maui": "maui",
}
APART, ONCE = "TF×IDF, wordings apart", "TF×IDF, wordings apart, said once"
BASELINES = ("TF×IDF", "NB", "ME", APART, ONCE, "KEA", "KEA + keyphraseness", "Maui")
COMPETITORS = {"KP-Miner": "KP-Miner", "Maui": "Maui", "KEA": "KEA", "learned, style reader": "learned"}
NOTE = "Trained on the training split alone; scored by the official protocol, micro-averaged."
MAUI = "The paper's Maui used Wikipedia; ours has the training documents only."


class Task:
    """The documents and answer keys, and what is trained on them, once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.train = list(_documents(setting.data, "train"))
        self.test = list(_documents(setting.data, "test"))[: setting.documents]
        self._specs: dict[str, str] = {}
        self._lists: dict[str, dict[str, list[str]]] = {}

    def gold(self, by: str) -> Answers:
        """The key of the readers, of the authors or of both, as stems."""
        official = self.setting.data / "official" / "semeval2010" / f"test.{by}.stem.final"
        if official.is_file():
            key = read_answers(official)
        else:
            phrases, stemmed = {}, True
            for document in _documents(self.setting.data, "test", by):
                phrases[document.id] = document.references
                stemmed = stemmed and bool(document.metadata.get(STEMMED))
            key = Answers(f"test.{by}", phrases, stemmed=stemmed)
        ids = {document.id for document in self.test}
        return replace(key, phrases={id_: found for id_, found in key.phrases.items() if id_ in ids})

    def spec(self, name: str) -> str:
        if name not in self._specs:
            self._specs[name] = self._made(name)
        return self._specs[name]

    def _made(self, name: str) -> str:
        """The spec of a system, trained where it has to be."""
        if name in ("KP-Miner", "learned"):
            return {"KP-Miner": "kpminer", "learned": "learned(style='reader')"}[name]
        place = self.setting.scratch / f"semeval2010-{len(self._specs)}"
        if name.startswith("TF×IDF"):
            counted = frequencies_apart(self.train) if name != "TF×IDF" else DocumentFrequencies.fit(self.train)
            counted.save(place)
            return f"tfidf(frequencies={str(place)!r})"
        trainer = TRAINED[name]
        TRAINERS.build(trainer).fit(self.train).save(place)
        return f"{trainer.partition('(')[0]}(model={str(place)!r})"

    def lists(self, name: str) -> dict[str, list[str]]:
        if name not in self._lists:
            sources = map(_apart, self.test) if name in (APART, ONCE) else self.test
            key = normaliser(preset(PRESET).policy.stemmer).key if name == ONCE else str
            spec = self.spec(name)
            found = {}
            each = extract_batch(sources, method=spec, top=ENOUGH)
            for done, (document, phrases) in enumerate(zip(self.test, each, strict=True)):
                found[document.id] = list({key(phrase.text): phrase.text for phrase in phrases}.values())
                self.setting.progress(name, done + 1, len(self.test))
            self._lists[name] = found
        return self._lists[name]

    def scores(self, name: str, by: str, table: Published) -> Scores:
        return evaluate(self.lists(name), self.gold(by), metrics=table.columns, preset=PRESET)


def baselines_table(setting: Setting, table: Published) -> Reproduced:
    """Table 3, and below it the trained methods that the paper does not have as baselines."""
    task = _task(setting)
    rows: list[Row] = []
    used: list[Score] = []
    notes = [NOTE, *sampled(setting)]
    for name in BASELINES:
        for by in ("reader", "combined"):
            scores = task.scores(name, by, table)
            used.extend(scores)
            label = f"{name}, {by}"
            rows.append(Row(label, _method(name), table.rows.get(label), per_cent(scores)))
    gaps = [abs(gap) for row in rows for gap in row.difference or () if gap is not None]
    notes.append(f"The largest difference to Table 3 is {max(gaps):.1f} points.")
    return Reproduced(table, tuple(rows), tuple(notes), tuple(signatures_of(used)))


def systems_table(setting: Setting, table: Published) -> Reproduced:
    """Tables 4 to 6: all systems as published; beside KP-Miner and Maui, ours by that name; the default last."""
    task = _task(setting)
    by = {"Table 4": "combined", "Table 5": "reader", "Table 6": "author"}[table.source]
    ours = {}
    notes = [NOTE, MAUI, *sampled(setting)]
    used: list[Score] = []
    for label, name in COMPETITORS.items():
        try:
            ours[label] = task.scores(name, by, table)
        except PhrasemillError as error:
            notes.append(f"{label}: {error}")
            continue
        used.extend(ours[label])
    labels = [*table.rows, *(label for label in ours if label not in table.rows)]
    rows = [
        Row(
            label,
            _method(COMPETITORS.get(label, "")),
            table.rows.get(label),
            per_cent(ours[label]) if label in ours else None,
        )
        for label in labels
    ]
    return Reproduced(table, tuple(rows), tuple(notes), tuple(signatures_of(used)))


def _task(setting: Setting) -> Task:
    made: Task = setting.shared("semeval2010", lambda: Task(setting))
    return made


def _method(name: str) -> str:
    known = {"KP-Miner": "kpminer", "learned": "learned(style='reader')"}
    if name.startswith("TF×IDF"):
        return "tfidf"
    return known.get(name) or TRAINED.get(name, "")


def _documents(data: Path, split: str, gold: str = "combined") -> Iterator[Document]:
    """The texts as they were distributed: in our JSON lines, or in the organisers' own files."""
    try:
        place = files.found(data, OFFICIAL.format(split=split))
    except DataError:
        place = data
    keys = data / "official" / "semeval2010" / f"{split}.{gold}.final"
    answers = read_answers(keys).phrases if keys.is_file() else None
    for document in load_dataset("semeval2010", place, split=split, gold=_name(place, gold, split), check="off"):
        yield document if answers is None else replace(document, references=answers[document.id])


def _name(place: Path, gold: str, split: str) -> str | None:
    """Test keys exist as stems; our files have them as `combined.stem`."""
    if place.is_dir():
        return gold
    return f"{gold}.stem" if split == "test" else gold


def frequencies_apart(documents: list[Document]) -> DocumentFrequencies:
    """Document frequencies of n-grams as they are written, in lower case."""
    counts = Counter(form for document in documents for form in forms(ngrams(_apart(document))))
    return DocumentFrequencies(len(documents), counts)


def _apart(document: Document) -> Analysis:
    return analyse(document.content, stem="none", tag=False)
