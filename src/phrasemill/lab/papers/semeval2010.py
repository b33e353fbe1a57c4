"""SemEval-2010 task 5 (Kim et al., 2010): Table 3, the baselines, and Tables 4 to 6, the systems that took part.

Everything is trained on the training split alone and scored by the official protocol. The paper does not say whether
`sensor network` and `sensor networks` are one candidate. Here they are, as everywhere in this package, and as
cross-validation on the training split prefers. Two rows show other readings: "wordings apart", and the same with only
the first of several wordings of a phrase in the list ("said once").

Any systems are ranked by `ranks_tables`: by micro-averaged F-score over the first 15 candidates, overall and within
each ACM category (Tables 7 and 8), which is the first letter of a document's id. Answer keys are stemmed by Porter's
algorithm and have `+` between interchangeable wordings.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from phrasemill.candidates import forms, ngrams
from phrasemill.errors import ConfigError, DataError, PhrasemillError
from phrasemill.evaluation import Answers, Scores, evaluate, read_answers
from phrasemill.evaluation.phrases import normaliser
from phrasemill.evaluation.policies import preset
from phrasemill.lab.datasets import files, load_dataset
from phrasemill.lab.datasets.records import STEMMED
from phrasemill.lab.datasets.semeval2010 import category
from phrasemill.lab.papers.comparison import Published, Reproduced, Setting, extracted, scored_row, texts
from phrasemill.lab.training.trainer import TRAINERS
from phrasemill.statistics import DocumentFrequencies
from phrasemill.tables import Table
from phrasemill.text.analyse import analyse
from phrasemill.types import Analysis, Document

PRESET = "semeval2010"
CUTS = (5, 10, 15)
RANKED_BY = "F1@15"
OF = re.compile(r"(?P<a>\S+(?: \S+)*?) of (?P<b>\S.*)")
GENITIVE = re.compile(r"(?P<a>\S+?)(?:'s|’s|s'|s’)(?= )")
ENOUGH = 60  # for fifteen that differ
OFFICIAL = "semeval2010_official_{split}.jsonl"
# The systems that are methods here, as they are and after training.
FIXED = {"KP-Miner": "kpminer", "learned": "learned(style='reader')"}
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


def official_key(data: Path, by: str, split: str = "test") -> Path:
    """Return the path of the organisers' stemmed answer key below a data folder."""
    return data / "official" / "semeval2010" / f"{split}.{by}.stem.final"


class SemevalStudy:
    """The documents and answer keys, and what is trained on them, each made once."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.train = list(_documents(setting.data, "train"))
        self.test = list(_documents(setting.data, "test"))[: setting.documents]
        self.lists = cache(self._lists)

    def gold(self, by: str) -> Answers:
        """Return the key of the readers, of the authors or of both, as stems."""
        official = official_key(self.setting.data, by)
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

    def _lists(self, name: str) -> dict[str, list[str]]:
        analyses = map(_apart, self.test) if name in (APART, ONCE) else None
        key = normaliser(preset(PRESET).policy.stemmer).key if name == ONCE else str
        every = extracted(self.setting, self._spec(name), self.test, analyses=analyses, top=ENOUGH, label=name)
        return {id_: list({key(text): text for text in found}.values()) for id_, found in texts(every).items()}

    def scores(self, name: str, by: str, table: Published) -> Scores:
        return evaluate(self.lists(name), self.gold(by), metrics=table.columns, preset=PRESET)


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
    return Reproduced(table, tuple(rows), (NOTE, *setting.sample_note(), largest))


def systems_table(setting: Setting, table: Published) -> Reproduced:
    """Tables 4 to 6: all systems as published; beside KP-Miner and Maui, ours by that name; the default last."""
    study = setting.shared(SemevalStudy)
    by = {"Table 4": "combined", "Table 5": "reader", "Table 6": "author"}[table.source]
    ours: dict[str, Scores] = {}
    notes = [NOTE, MAUI, *setting.sample_note()]
    for label, name in COMPETITORS.items():
        try:
            ours[label] = study.scores(name, by, table)
        except PhrasemillError as error:
            notes.append(f"{label}: {error}")
    rows = [
        scored_row(label, _method(COMPETITORS.get(label, "")), table.rows.get(label), ours.get(label))
        for label in dict.fromkeys([*table.rows, *ours])
    ]
    return Reproduced(table, tuple(rows), tuple(notes))


def _method(name: str) -> str:
    return "tfidf" if name.startswith("TF×IDF") else FIXED.get(name) or TRAINED.get(name, "")


def _documents(data: Path, split: str, gold: str = "combined") -> Iterator[Document]:
    """Yield the texts as they were distributed: in our JSON lines, or in the organisers' own files."""
    try:
        place = files.found(data, OFFICIAL.format(split=split))
    except DataError:
        place = data
    keys = data / "official" / "semeval2010" / f"{split}.{gold}.final"
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


@dataclass(frozen=True, slots=True)
class Ranks(Reproduced):
    """Two tables per answer key: the systems in order, and their order within each category."""

    ranked: tuple[Table, ...] = ()

    def tables(self) -> list[Table]:
        return list(self.ranked)

    def record(self) -> dict[str, object]:
        tables = [{"title": one.title, "header": one.header, "rows": one.rows} for one in self.ranked]
        return Reproduced.record(self) | {"tables": tables}


def ranks_tables(setting: Setting, table: Published) -> Ranks:
    """Rank the systems of `--predictions` by each answer key of `--gold`, by default those in the data folder."""
    if not setting.predictions:
        raise ConfigError(f"{table.name} requires --predictions: one file per system")
    setting.refuse_sample(f"{table.name} ranks whole files of answers")
    keys = setting.gold or [official_key(setting.data, by) for by in ("combined", "reader")]
    systems = [_system(given) for given in setting.predictions]
    golds = [read_answers(path) for path in keys]
    ranked = [make(systems, gold) for gold in golds for make in (rank_table, category_table)]
    return Ranks(table, (), ranked=tuple(ranked))


def _system(given: str) -> Answers:
    """Read `FILE`, or `NAME=FILE`."""
    name, mark, path = given.partition("=")
    return replace(read_answers(path), name=name) if mark else read_answers(given)


def alternations(phrase: str) -> tuple[str, ...]:
    """Return `phrase` and its other genitive forms: `A of B` is also `B A`, `A's B` is also `A B` (section 2.1).

    The organisers left out those that mean something else (`matter of fact`), by committee; that is not done here, so
    this is for other gold. The official files have their alternations.
    """
    found = [phrase]
    if parts := OF.fullmatch(phrase):
        found.append(f"{parts['b']} {parts['a']}")
    plain = GENITIVE.sub(lambda m: m["a"] + ("s" if m[0][-1] in "'’" else ""), phrase)
    return tuple(dict.fromkeys([*found, plain]))


def rank_table(systems: Sequence[Answers], gold: Answers) -> Table:
    """Return precision, recall and F-score at 5, 10 and 15, best F-score at 15 first (Tables 4 to 6)."""
    names = [f"{metric}@{k}" for k in CUTS for metric in ("P", "R", "F1")]
    rows = [
        (scores.system, str(rank), *(f"{100 * scores[name]:.1f}%" for name in names))
        for rank, scores in enumerate(ranking(systems, gold), start=1)
    ]
    return Table(f"Systems over {gold.name}, ranked by {RANKED_BY}", ("system", "rank", *names), tuple(rows))


def category_table(systems: Sequence[Answers], gold: Answers) -> Table:
    """Return the systems of each rank in each category, with their F-scores at 15 (Tables 7 and 8).

    "In the case of a tie in F-score, we ordered teams by descending F-score over all the data."
    """
    overall = [scores.system for scores in ranking(systems, gold)]
    order = sorted(systems, key=lambda system: overall.index(system.name))
    names = sorted({category(id_) for id_ in gold.phrases})
    columns = []
    for name in names:
        ranked = ranking([_within(system, name) for system in order], _within(gold, name))
        columns.append([f"{scores.system} ({100 * scores[RANKED_BY]:.1f}%)" for scores in ranked])
    rows = [(str(rank), *cells) for rank, cells in enumerate(zip(*columns, strict=True), start=1)]
    return Table(f"Ranks within categories over {gold.name}", ("rank", *(f"group {n}" for n in names)), tuple(rows))


def ranking(systems: Sequence[Answers], gold: Answers) -> list[Scores]:
    """Return the systems' scores, best first; systems that tie stay in the order given."""
    if len({system.name for system in systems}) < len(systems):
        raise DataError("two systems have the same name; ranks need different ones")
    scored = [evaluate(system, gold, preset=PRESET) for system in systems]
    return sorted(scored, key=lambda scores: -round(scores[RANKED_BY], 12))


def _within(answers: Answers, name: str) -> Answers:
    return replace(answers, phrases={id_: p for id_, p in answers.phrases.items() if category(id_) == name})
